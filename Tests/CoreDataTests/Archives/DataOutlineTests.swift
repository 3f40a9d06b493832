import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Property lists and archives as trees (the viewer's form of them), whatever is in them.
@Suite struct DataOutlineTests {
  private func texts(_ outline: DataOutline?) -> [String] {
    (outline?.lines ?? []).map { line in
      String(repeating: "  ", count: line.depth) + (line.label.isEmpty ? "" : line.label + ": ") + line.value
    }
  }

  private func archive(_ objects: [PropertyListValue]) -> Data {
    Data(
      BinaryPropertyListWriter.bytes(
        .dictionary([
          .init("$archiver", .string("NSKeyedArchiver")), .init("$version", .integer(100_000)),
          .init("$top", .dictionary([.init("root", .uid(1))])), .init("$objects", .array([.string("$null")] + objects)),
        ])))
  }

  private func cls(_ name: String) -> PropertyListValue {
    .dictionary([.init("$classname", .string(name)), .init("$classes", .array([.string(name), .string("NSObject")]))])
  }

  @Test func `an object of an unknown class is shown by its keys, and what holds itself ends there`() {
    let data = archive([
      .dictionary([
        .init("name", .uid(2)), .init("count", .integer(3)), .init("mine", .uid(1)), .init("none", .uid(0)),
        .init("friends", .uid(3)), .init("$class", .uid(4)),
      ]),
      .string("Zoë"), .dictionary([.init("NS.objects", .array([.uid(1), .uid(2)])), .init("$class", .uid(5))]),
      cls("App.Pet"), cls("NSSet"),
    ])
    #expect(
      texts(DataOutline(data)) == [
        "App.Pet", "  name: “Zoë”", "  count: 3", "  mine: App.Pet, which holds this", "  none: nil",
        "  friends: NSSet, 2 elements", "    [0]: App.Pet, which holds this", "    [1]: “Zoë”",
      ])
    #expect(DataOutline(data)?.kind == .keyedArchive)
  }

  @Test func `a property list is a tree, in binary and in XML`() {
    let value = PropertyListValue.dictionary([
      .init("on", .bool(true)), .init("list", .array([.real(1.5), .data(Data([1])), .date(0)])),
    ])
    let lines = [
      "dictionary, 2 entries", "  on: true", "  list: array, 3 elements", "    [0]: 1.5", "    [1]: 1 byte",
      "    [2]: 2001-01-01T00:00:00Z",
    ]
    #expect(texts(DataOutline(Data(BinaryPropertyListWriter.bytes(value)))) == lines)
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>on</key><true/><key>list</key><array><real>1.5</real><data>AQ==</data>
      <date>2001-01-01T00:00:00Z</date></array></dict></plist>
      """
    #expect(texts(DataOutline(Data(xml.utf8))) == lines)
  }

  @Test(arguments: ["", "hello", "bplist00", "<?xml version=\"1.0\"?><other/>", "{\"a\": 1}"])
  func `other bytes are no tree`(_ text: String) { #expect(DataOutline(Data(text.utf8)) == nil) }

  @Test func `a tree is as long as it may be, and says that there is more`() throws {
    let list = PropertyListValue.array((0..<100).map { .integer($0) })
    let outline = try #require(DataOutline(Data(BinaryPropertyListWriter.bytes(list)), limit: 10))
    #expect(outline.lines.count == 10 && outline.isCut)
    // Each object holds the next one twice: twice as many lines a level.
    let objects = (0..<60).map { number -> PropertyListValue in
      .dictionary([.init("NS.objects", .array([.uid(number + 2), .uid(number + 2)])), .init("$class", .uid(62))])
    }
    let bomb = try #require(DataOutline(archive(objects + [.integer(1), cls("NSArray")])))
    #expect(bomb.lines.count == 20_000 && bomb.isCut)
  }

  @Test func `damaged archives are trees or none, and quickly`() {
    let good = archive([
      .dictionary([.init("NS.objects", .array([.uid(2), .uid(1), .uid(3)])), .init("$class", .uid(4))]), .string("a"),
      .dictionary([.init("NS.time", .real(5)), .init("$class", .uid(5))]), cls("NSArray"), cls("NSDate"),
    ])
    var hostile = HostileBytes(seed: 7)
    var trees = 0
    for _ in 0..<(LongRun.isOn ? 20_000 : 2_000) where DataOutline(Data(hostile.damaged([UInt8](good)))) != nil {
      trees += 1
    }
    #expect(trees > 100)
  }
}
