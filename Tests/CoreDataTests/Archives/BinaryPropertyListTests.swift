import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite struct BinaryPropertyListTests {
  private let sample: [String: Any] = [
    "text": "plain", "wide": "naïve 日本語 🧭", "empty": "", "data": Data((0..<300).map { UInt8($0 % 251) }),
    "small": 7, "byte": 200, "big": Int64.max, "negative": -3, "huge": UInt64.max, "yes": true, "no": false,
    "real": 2.5, "date": Date(timeIntervalSinceReferenceDate: -63_114_076_800),
    "list": [1, 2, 3, "x"] as [Any], "nested": ["a": ["b": ["c": 1]]], "many": Array(0..<1_000),
  ]

  @Test func `what is written reads back with Foundation's own reader`() throws {
    let bytes = try StoreMetadataCoding.bytes(sample)
    let read = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
    #expect(NSDictionary(dictionary: try #require(read as? [String: Any])) == NSDictionary(dictionary: sample))
  }

  @Test func `what Foundation writes reads back here`() throws {
    let data = try PropertyListSerialization.data(fromPropertyList: sample, format: .binary, options: 0)
    let read = try StoreMetadataCoding.dictionary([UInt8](data))
    #expect(NSDictionary(dictionary: read) == NSDictionary(dictionary: sample))
  }

  @Test func `a Boolean stays one, and an integer never becomes one`() throws {
    let bytes = BinaryPropertyListWriter.bytes(try #require(PropertyListValue([true, 1, 0, false] as [Any])))
    #expect(try BinaryPropertyList(bytes).value() == .array([.bool(true), .integer(1), .integer(0), .bool(false)]))
  }

  @Test func `a list that contains itself is refused as a tree and read as a table`() throws {
    // One array whose only element is the array.
    let bytes = Array("bplist00".utf8) + [0xA1, 0x00, 0x08] + Self.trailer(objects: 1, root: 0, table: 10)
    let list = try BinaryPropertyList(bytes)
    #expect(throws: ArchiveError.self) { try list.value() }
  }

  @Test func `a tree that doubles at each level is refused`() throws {
    // Arrays 0…59, each twice the next; the last is empty: 2^60 values if it were expanded.
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for level in 0..<60 {
      offsets.append(UInt8(bytes.count))
      bytes += level == 59 ? [0xA0] : [0xA2, UInt8(level + 1), UInt8(level + 1)]
    }
    let table = bytes.count
    bytes += offsets + Self.trailer(objects: 60, root: 0, table: table)
    let list = try BinaryPropertyList(bytes)
    #expect(throws: ArchiveError.self) { try list.value() }
  }

  @Test func `objects that overlap cannot claim more than the file`() {
    // 200 arrays that all claim the same 200 references.
    var bytes = Array("bplist00".utf8)
    let start = bytes.count
    bytes += [0xAF, 0x10, 200] + [UInt8](repeating: 0, count: 200)
    let table = bytes.count
    bytes += [UInt8](repeating: UInt8(start), count: 200) + Self.trailer(objects: 200, root: 0, table: table)
    #expect(throws: ArchiveError.self) { try BinaryPropertyList(bytes) }
  }

  @Test(arguments: [0, 7, 8, 39, 40]) func `bytes too short for a trailer are refused`(count: Int) {
    let bytes = Array((Array("bplist00".utf8) + [UInt8](repeating: 0, count: 40)).prefix(count))
    #expect(throws: ArchiveError.self) { try BinaryPropertyList(bytes) }
  }

  @Test func `damaged lists are read or refused, never more`() throws {
    let bytes = try StoreMetadataCoding.bytes(sample)
    var hostile = HostileBytes(seed: 1)
    var outcomes = (read: 0, refused: 0)
    for _ in 0..<2_000 {
      do {
        _ = try BinaryPropertyList(hostile.damaged(bytes)).value().foundationValue
        outcomes.read += 1
      } catch is ArchiveError {
        outcomes.refused += 1
      }
    }
    print("damaged property lists: \(outcomes)")
    #expect(outcomes.refused > 0 && outcomes.read > 0)
  }

  private static func trailer(objects: Int, root: Int, table: Int) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    return [0, 0, 0, 0, 0, 0, 1, 1] + number(objects) + number(root) + number(table)
  }
}
