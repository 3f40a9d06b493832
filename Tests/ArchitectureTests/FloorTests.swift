import Foundation
import TestSupport
import Testing

@Suite struct FloorTests {
  @Test func `every file of the package keeps to its floor and its length`() throws {
    var paths: [String] = []
    for folder in ["Sources", "Tests", "Benchmarks", "Examples"] {
      let url = Checkout.root.appending(path: folder)
      guard let names = FileManager.default.enumerator(atPath: url.path) else { continue }
      for case let name as String in names where name.hasSuffix(".swift") && !name.contains(".build/") {
        paths.append("\(folder)/\(name)")
      }
    }
    try #require(paths.count > 20, "the sources were not found")
    for path in paths.sorted() {
      let text = try String(contentsOf: Checkout.root.appending(path: path), encoding: .utf8)
      for breach in FloorChecker.breaches(path: path, text: text) { Issue.record("\(breach)") }
    }
  }

  @Test func `every folder of Sources is a floor, and every floor has a folder`() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Checkout.root.appending(path: "Sources").path)
    #expect(Set(folders).subtracting(FloorChecker.floors.keys) == [])
    #expect(Set(FloorChecker.floors.keys).subtracting(folders) == [])
  }

  @Test func `the package can be somebody's dependency`() throws {
    let manifest = try String(contentsOf: Checkout.root.appending(path: "Package.swift"), encoding: .utf8)
    #expect(FloorChecker.manifestBreaches(manifest) == [])
  }
}

/// The checker is itself checked: it must catch what is planted and let pass what is right.
@Suite struct FloorCheckerTests {
  @Test(arguments: [
    ("Sources/TextCanvas/Canvas.swift", "import CoreData"),
    ("Sources/Combine/Sink.swift", "import TextCanvas"),
    ("Sources/CoreData/Objects/Row.swift", "@testable import CoreDataKit"),
    ("Sources/CoreData/Objects/Row.swift", "public import struct BrowserCore.State"),
    ("Sources/BrowserCore/Session.swift", "import Foundation; import StoreBrowser"),
    ("Sources/BrowserCore/Session.swift", "  import CSQLite"),
    ("Sources/CoreData/Model/Reader.swift", "import CZlib"),
    ("Sources/CoreData/Model/Reader.swift", "import CDigest"),
    ("Sources/StoreBrowser/Main.swift", "@preconcurrency import CNcurses"),
    ("Tests/CoreDataTests/ModelTests.swift", "import CNcurses"),
    ("Sources/CoreDataKit/Stack.swift", "import Logging"),
    ("Sources/Elsewhere/File.swift", "import Foundation"),
  ])
  func `a planted breach is caught`(path: String, text: String) {
    #expect(FloorChecker.breaches(path: path, text: text + "\n").count == 1)
  }

  @Test(arguments: [
    ("Sources/CoreData/SQLite/Connection.swift", "import CSQLite"),
    ("Sources/CoreData/Archives/Deflate.swift", "import CZlib"),
    ("Sources/StoreBrowser/CursesTerminal.swift", "import CNcurses"),
    ("Sources/StoreBrowser/Main.swift", "import BrowserCore"),
    ("Sources/BrowserCore/Session.swift", "import Combine"),
    ("Tests/CoreDataTests/RawTests.swift", "import CSQLite"),
    ("Sources/TextCanvas/Cell.swift", "// import CoreData"),
    ("Sources/TextCanvas/Cell.swift", "let text = \"import CoreData\""),
  ])
  func `what is right passes`(path: String, text: String) {
    #expect(FloorChecker.breaches(path: path, text: text) == [])
  }

  @Test func `imports inside strings and comments are not imports`() {
    let text = ["let a = \"\"\"", "import A", "\"\"\"", "/*", "import B", "*/", "import C.D"].joined(separator: "\n")
    #expect(FloorChecker.imports(in: text) == ["C"])
  }

  @Test func `a file of 500 lines passes and one of 501 does not`() {
    let line = "// a line\n"
    #expect(FloorChecker.breaches(path: "Tests/A/B.swift", text: String(repeating: line, count: 500)) == [])
    #expect(FloorChecker.breaches(path: "Tests/A/B.swift", text: String(repeating: line, count: 501)).count == 1)
  }

  @Test(arguments: [".unsafeFlags([\"-O\"])", ".package(url: \"x\", from: \"1.0.0\")", ".macro(name: \"M\")"])
  func `a manifest that cannot be a dependency is caught`(line: String) {
    #expect(FloorChecker.manifestBreaches("let package = Package(\(line))").count == 1)
  }
}
