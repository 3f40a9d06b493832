import Foundation

/// The rules that keep the house standing, as pure functions of a file's path and text.
enum FloorChecker {
  /// The floor a module stands on; a module may import only from lower ones.
  static let floors = [
    "CSQLite": 0, "CZlib": 0, "CDigest": 0, "CNcurses": 0,
    "Combine": 1, "SwiftInjected": 1, "TextCanvas": 1,
    "CoreData": 2, "CoreDataKit": 3, "BrowserCore": 4, "StoreBrowser": 5,
  ]

  /// What the platform brings; everything else would be an outside package.
  static let platform: Set = [
    "Swift", "Foundation", "FoundationXML", "Dispatch", "Glibc", "Synchronization", "Testing",
  ]

  /// The one place where a system module may be imported.
  static let tenants: [String: @Sendable (String) -> Bool] = [
    "CSQLite": { $0.hasPrefix("Sources/CoreData/SQLite/") || $0.hasPrefix("Tests/") || $0.hasPrefix("Benchmarks/") },
    "CZlib": { $0 == "Sources/CoreData/Archives/Deflate.swift" },
    "CDigest": { $0 == "Sources/CoreData/Model/Digest.swift" },
    "CNcurses": { $0.hasPrefix("Sources/StoreBrowser/Curses") },
  ]

  /// The most lines a Swift file may have.
  static let longest = 500

  /// What is wrong with a file, a sentence each; `path` is relative to the package.
  static func breaches(path: String, text: String) -> [String] {
    let parts = path.split(separator: "/").map(String.init)
    var found: [String] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count - (text.hasSuffix("\n") ? 1 : 0)
    if lines > longest { found.append("\(path) has \(lines) lines, more than \(longest)") }

    let home = parts.first == "Sources" && parts.count > 2 ? parts[1] : nil
    if let home, floors[home] == nil { found.append("\(path) belongs to no floor") }
    for module in imports(in: text) {
      if let isAllowed = tenants[module], !isAllowed(path) { found.append("\(path) may not import \(module)") }
      guard let home, let floor = floors[home] else { continue }
      if let other = floors[module] {
        if other >= floor { found.append("\(path) imports \(module), which is not below \(home)") }
      } else if !platform.contains(module) {
        found.append("\(path) imports \(module), which is neither ours nor the platform's")
      }
    }
    return found
  }

  /// The modules that a file imports, in order.
  ///
  /// Comments and multi-line strings are left out.
  static func imports(in text: String) -> [String] {
    var (isInString, isInComment) = (false, false)
    var modules: [String] = []
    for line in text.split(separator: "\n") {
      if !isInString, !isInComment {
        let code = line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
        modules += code.split(separator: ";").compactMap(module(importedBy:))
      }
      if !isInComment, (line.components(separatedBy: "\"\"\"").count - 1) % 2 == 1 { isInString.toggle() }
      if !isInString {
        if line.contains("/*") { isInComment = true }
        if line.contains("*/") { isInComment = false }
      }
    }
    return modules
  }

  /// The module of one import declaration: attributes, access level and kind may stand around the word.
  private static func module(importedBy statement: Substring) -> String? {
    var words = statement.split { $0 == " " || $0 == "\t" }.drop { $0.hasPrefix("@") }
    if let first = words.first, ["public", "package", "internal", "fileprivate", "private"].contains(first) {
      words = words.dropFirst()
    }
    guard words.first == "import" else { return nil }
    words = words.dropFirst()
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let", "actor"]
    if words.count > 1, let first = words.first, kinds.contains(first) { words = words.dropFirst() }
    return words.first?.split(separator: ".").first.map(String.init)
  }

  /// What would bar the package from being somebody's dependency, in the manifest's text.
  static func manifestBreaches(_ manifest: String) -> [String] {
    [("unsafeFlags", "uses unsafe flags"), (".package(", "depends on an outside package"), (".macro(", "has a macro")]
      .filter { manifest.contains($0.0) }.map { "Package.swift \($0.1)" }
  }
}
