import Foundation
import Testing

@testable import CoreData

/// The written archive against the one that Apple's framework wrote, object by object.
@Suite struct ArchiveShapeTests {
  @Test func `a written cache holds the same objects with the same keys and values as the cache it came from`() throws {
    var compared = 0
    for store in try ModelCorpus.stores() {
      guard let cache = store.cache else { continue }
      let original = try Self.shapes(try Deflate.inflate(cache))
      let model = try ModelArchiveReader.model(cache: cache)
      let written = try Self.shapes(try ModelArchiveWriter.bytes(model, layout: .cache))
      let missing = Set(original.keys).subtracting(written.keys).sorted()
      let added = Set(written.keys).subtracting(original.keys).sorted()
      #expect(missing.isEmpty, "\(store.path): missing \(missing)")
      #expect(added.isEmpty, "\(store.path): added \(added)")
      #expect(written == original, "\(store.path): the objects are the same, but not their number")
      compared += original.values.reduce(0, +)
    }
    print("archived objects compared: \(compared)")
  }

  /// Each described object as text, and how often it occurs.
  ///
  /// References show what they lead to.
  private static func shapes(_ bytes: [UInt8]) throws -> [String: Int] {
    let root = try #require(try KeyedArchive(bytes).root)
    var shapes: [String: Int] = [:]
    var seen: Set<Int> = []
    var pending = [root]
    while let node = pending.popLast() {
      guard seen.insert(node.id).inserted, case .dictionary(let entries) = try node.stored() else { continue }
      let name = node.className ?? "?"
      var facts: [String] = []
      for entry in entries where entry.key != "$class" {
        for number in numbers(in: entry.value) {
          if let target = node.sibling(number) { pending.append(target) }
        }
        // Lists are mutable or not, and empty lists are there or not, as it pleases the framework.
        let fact = "\(entry.key)=\(text(of: entry.value, in: node))".replacing("NSMutableArray", with: "NSArray")
        if !fact.hasSuffix("=NSArray[]") { facts.append(fact) }
      }
      // Collections show up in what refers to them; how often equal ones are shared is a matter of the archiver.
      if isDescribed(name) { shapes["\(name) \(facts.sorted().joined(separator: " "))", default: 0] += 1 }
    }
    return shapes
  }

  private static func isDescribed(_ name: String) -> Bool {
    name.hasSuffix("Description")
      || ["NSManagedObjectModel", "NSKnownKeysDictionary1", "NSFetchRequest"].contains(name)
  }

  private static func numbers(in value: PropertyListValue) -> [Int] {
    switch value {
    case .uid(let number): [number]
    case .array(let values): values.flatMap(numbers)
    default: []
    }
  }

  private static func text(of value: PropertyListValue, in node: KeyedArchive.Node, depth: Int = 3) -> String {
    guard depth > 0 else { return "…" }
    switch value {
    case .uid(let number):
      guard let target = node.sibling(number) else { return "null" }
      if let string = target.string { return "“\(string)”" }
      let name = target.className ?? "\(target.foundationValue() ?? "?")"
      let label = (target["NSEntityName"] ?? target["NSPropertyName"])?.string ?? ""
      if let entries = target.dictionary { return "\(name)\(label){\(entries.map(\.key).sorted())}" }
      guard let members = try? target["NS.objects"].map({ try $0.stored() }) else { return name + label }
      return "\(name)[\(text(of: members, in: target, depth: depth - 1))]"
    case .array(let values):
      return values.map { text(of: $0, in: node, depth: depth) }.sorted().joined(separator: ",")
    default: return "\(value)"
    }
  }
}
