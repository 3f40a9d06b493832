import Foundation
import TestSupport
import Testing

/// Words that switch a check of the compiler off; each needs a comment beside it that proves it right.
enum MarkerChecker {
  static let markers = [
    "@unchecked Sendable", "nonisolated(unsafe)", "try!", "as!", "unowned(unsafe)", "@preconcurrency",
  ]
  /// How far above the line the comment may end: attributes and the declaration's head may stand between.
  static let reach = 3

  /// The numbers of the lines, from 1, that have a marker and no comment on them or just above.
  static func unproved(in text: String) -> [Int] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.filter { index in
      let parts = lines[index].split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)
      guard markers.contains(where: parts[0].contains) else { return false }
      return parts.count == 1 && !lines[max(0, index - reach)..<index].contains { $0.contains("//") }
    }.map { $0 + 1 }
  }
}

@Suite struct MarkerTests {
  @Test func `whatever switches a check off has its proof beside it`() throws {
    let sources = Checkout.root.appending(path: "Sources")
    let names = try #require(FileManager.default.enumerator(atPath: sources.path))
    for case let name as String in names where name.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
      for line in MarkerChecker.unproved(in: text) {
        Issue.record("Sources/\(name):\(line) needs a comment that proves it")
      }
    }
  }

  @Test(arguments: [
    ("final class A: @unchecked Sendable {}", [1]),
    ("// All state is under the lock.\nfinal class A: @unchecked Sendable {}", []),
    ("let a = try! b()  // b never throws for a constant", []),
    ("/// A box.\n\n\n\n\nnonisolated(unsafe) var a = 1", [6]),
    ("// Was try! before.", []),
  ])
  func `a marker without a comment is found, one with a comment is not`(text: String, lines: [Int]) {
    #expect(MarkerChecker.unproved(in: text) == lines)
  }
}
