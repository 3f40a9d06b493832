// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .treatWarning("DeprecatedDeclaration", as: .warning),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// A floor of the house: a library target that may import only what is named in `lower`.
func floor(_ name: String, on lower: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: lower, swiftSettings: strict)
}

/// A suite of tests, named after the floor it stands on.
func suite(_ name: String, of subjects: [Target.Dependency], excluding: [String] = []) -> Target {
  .testTarget(name: name, dependencies: subjects + ["TestSupport"], exclude: excluding, swiftSettings: strict)
}

var products: [Product] = [
  .library(name: "CoreDataKit", targets: ["CoreDataKit"]),
  .library(name: "SwiftInjected", targets: ["SwiftInjected"]),
]
var targets: [Target] = [floor("SwiftInjected")]

#if os(Linux)
  // Elsewhere the system's own Combine and CoreData stand here, and the browser is not built.
  let apple: [Target.Dependency] = ["Combine", "CoreData"]
  products += [
    .library(name: "CoreData", targets: ["CoreData"]),
    .library(name: "Combine", targets: ["Combine"]),
    .library(name: "BrowserCore", targets: ["BrowserCore"]),
    .executable(name: "storebrowser", targets: ["StoreBrowser"]),
  ]
  targets += [
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CDigest", providers: [.apt(["libmd-dev"])]),
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncursesw5-dev"])]),
    floor("Combine"),
    floor("TextCanvas"),
    floor("CoreData", on: ["Combine", "CSQLite", "CZlib", "CDigest"]),
    floor("BrowserCore", on: ["CoreDataKit", "TextCanvas"] + apple),
    .executableTarget(
      name: "StoreBrowser", dependencies: ["BrowserCore", "TextCanvas", "CNcurses"], swiftSettings: strict),
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["CoreData", "CSQLite", "BrowserCore", "BrowserTestSupport", "TextCanvas"], path: "Benchmarks",
      swiftSettings: strict),
    .executableTarget(
      name: "SaveLoop", dependencies: ["CoreData"], path: "Tests/SaveLoop", swiftSettings: strict),
    .target(name: "TestSupport", dependencies: ["CoreData"], path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "BrowserTestSupport", dependencies: ["BrowserCore", "CoreDataKit", "TextCanvas"] + apple,
      path: "Tests/BrowserTestSupport", swiftSettings: strict),
    suite("ArchitectureTests", of: []),
    suite(
      "BrowserCoreTests", of: ["BrowserCore", "BrowserTestSupport", "CoreDataKit", "TextCanvas"] + apple,
      excluding: [
        "Goldens", "Editing/Goldens", "Filters/Goldens", "Folders/Goldens", "Looks/Goldens", "Viewer/Goldens",
      ]),
    suite("CombineTests", of: ["Combine"]),
    suite("CoreDataKitTests", of: ["CoreDataKit"] + apple),
    suite("CoreDataTests", of: ["CoreData", "Combine", "CSQLite"]),
    suite("SwiftInjectedTests", of: ["SwiftInjected"]),
    suite("TextCanvasTests", of: ["TextCanvas"]),
  ]
#else
  let apple: [Target.Dependency] = []
#endif
targets += [floor("CoreDataKit", on: apple)]

let package = Package(
  name: "storebrowser",
  platforms: [.iOS(.v16), .macOS(.v12)],
  products: products,
  targets: targets
)
