import CoreData
import Foundation
import TestSupport

@testable import BrowserCore

/// What the command line says to a file that may hold anything.
struct HostileCommands {
  /// What must not be said.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  let path: String
  /// Statuses that commands ended with, by status.
  private(set) var statuses: [Int32: Int] = [:]

  init(_ path: String) { self.path = path }

  /// Runs a command; a status other than 0, 65 and 66, more or less than one line on an error, and output that is no JSON
  /// where it should be are faults.
  @discardableResult mutating func run(_ words: [String]) throws -> CommandRun {
    let run = CommandRun(words)
    statuses[run.status, default: 0] += 1
    guard [0, 65, 66].contains(run.status) else { throw fault(words, "status \(run.status): \(run.errors)") }
    if run.status != 0 {
      let isLine = run.errors.hasPrefix("storebrowser: ") && run.errors.hasSuffix("\n")
      let isPlain = run.errors.dropLast().unicodeScalars.allSatisfy {
        $0.value >= 32 && !(127..<160).contains($0.value)
      }
      guard isLine, isPlain else { throw fault(words, "no plain line: \(run.errors.debugDescription)") }
    } else if words.contains("json") {
      do { _ = try JSONSerialization.jsonObject(with: Data(run.output.utf8), options: .fragmentsAllowed) } catch {
        throw fault(words, "no JSON: \(error): \(run.output.prefix(2_000))")
      }
    }
    return run
  }

  private func fault(_ words: [String], _ what: String) -> Fault { Fault(description: "\(words): \(what)") }

  /// Reads a store by every command that reads; answers whether it could be opened.
  mutating func readStore(_ numbers: inout HostileBytes, entities limit: Int) throws -> Bool {
    _ = try run(["model", path, "--format", numbers.pick(["text", "json", "dot", "xcdatamodel"])])
    let listing = try run(["entities", path, "--format", "json"])
    guard listing.status == 0 else { return false }
    let rows = try JSONSerialization.jsonObject(with: Data(listing.output.utf8)) as? [[String: Any]] ?? []
    for row in rows.shuffled(using: &numbers).prefix(limit) {
      guard let name = row["name"] as? String else { throw Fault(description: "an entity without a name: \(row)") }
      // A name may look like an option.
      try run(["count", "--", path, name])
      let format = numbers.pick(["json", "csv", "tsv", "table"])
      try run(["fetch", "--limit", "20", "--relationships", "--format", format, "--", path, name])
      try showFirst(of: name, &numbers)
      if let key = try property(of: name, &numbers) {
        try run(["fetch", "--limit", "3", "--sort", key + numbers.pick(["", ":desc"]), "--", path, name])
      }
    }
    return true
  }

  private mutating func showFirst(of name: String, _ numbers: inout HostileBytes) throws {
    let all = try run(["fetch", "--limit", "3", "--format", "json", "--", path, name])
    guard all.status == 0,
      let objects = try JSONSerialization.jsonObject(with: Data(all.output.utf8)) as? [[String: Any]],
      let uri = objects.last?["objectID"] as? String
    else { return }
    try run(["show", path, uri, "--format", numbers.pick(["json", "table"])])
  }

  /// A property that can be sorted by.
  private func property(of name: String, _ numbers: inout HostileBytes) throws -> String? {
    guard let model = try? StoreModel(forStoreAt: URL(fileURLWithPath: path)).model,
      let names = model.entitiesByName[name]?.attributesByName.keys.sorted(), !names.isEmpty
    else { return nil }
    let key = numbers.pick(names)
    // Commas, dots and colons mean something in the list of keys.
    return key.contains { ",.:".contains($0) } || key.hasPrefix("-") ? nil : key
  }
}
