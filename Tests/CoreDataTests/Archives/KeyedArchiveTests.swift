import Foundation
import Testing

@testable import CoreData

@Suite struct KeyedArchiveTests {
  @Test func `values come back in their classes`() throws {
    let values: [Any] = [
      "text", NSNumber(value: true), NSNumber(value: 42), NSNumber(value: 2.5), Data([1, 2, 3]),
      Date(timeIntervalSinceReferenceDate: 1_000.25), UUID(), try #require(URL(string: "https://example.org/a?b=c")),
    ]
    var writer = KeyedArchiveWriter()
    let root = writer.collection(class: KeyedArchiveWriter.Class.array, values.map { writer.add(value: $0) })
    let archive = try KeyedArchive(writer.bytes(root: root))
    let read = try #require(archive.root?.foundationValue() as? [Any])
    #expect(NSArray(array: read) == NSArray(array: values))
  }

  @Test(arguments: ["0", "1", "-1.5", "3.3333333333333", "12345678901234567890.123", "-99999999999999999999999999"])
  func `a decimal comes back exactly`(text: String) throws {
    let number = NSDecimalNumber(string: text)
    var writer = KeyedArchiveWriter()
    let root = writer.add(value: number)
    let read = try KeyedArchive(writer.bytes(root: root)).root?.foundationValue() as? NSDecimalNumber
    #expect(read == number)
  }

  @Test func `what is written is read by Foundation's unarchiver`() throws {
    var writer = KeyedArchiveWriter()
    let date = Date(timeIntervalSinceReferenceDate: 5)
    let entries: [String: Any] = ["name": "x", "count": NSNumber(value: 3), "when": date]
    let root = writer.add(value: entries)
    let data = Data(writer.bytes(root: root))
    let classes = [NSDictionary.self, NSString.self, NSNumber.self, NSDate.self]
    let read = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
    #expect((read as? NSDictionary) == NSDictionary(dictionary: entries))
  }

  @Test func `what Foundation archives is read here`() throws {
    let entries: [String: Any] = ["name": "x", "count": NSNumber(value: 3), "list": ["a", "b"]]
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: NSDictionary(dictionary: entries), requiringSecureCoding: false)
    let read = try #require(try KeyedArchive(data).root?.foundationValue() as? [String: Any])
    #expect(NSDictionary(dictionary: read) == NSDictionary(dictionary: entries))
  }

  @Test func `a cycle of an unknown class is walked as far as one asks and copied whole`() throws {
    var writer = KeyedArchiveWriter()
    let node = writer.reserve()
    let name = writer.add("loop").value
    writer.fill(
      node, class: ["SomeClass", "NSObject"],
      [PropertyListValue.Entry("next", node.value), PropertyListValue.Entry("name", name)])
    let root = try #require(try KeyedArchive(writer.bytes(root: node)).root)
    #expect(root.className == "SomeClass")
    #expect(root["next"]?["next"]?.id == root.id)
    #expect(root.foundationValue() == nil)

    var copier = KeyedArchiveWriter()
    let copy = try copier.copy(root) { _ in nil }
    let copied = try #require(try KeyedArchive(copier.bytes(root: copy)).root)
    #expect(copied.className == "SomeClass")
    #expect(copied["next"]?.id == copied.id)
    #expect(copied["name"]?.string == "loop")
  }

  @Test func `a property list that is no archive is refused`() throws {
    #expect(throws: ArchiveError.self) { try KeyedArchive(try StoreMetadataCoding.bytes(["a": 1])) }
  }
}
