import Foundation
import TestSupport
import Testing

@testable import CoreData

/// A fuzz target for each reader of bytes: whatever comes is read or refused, in time and in bounds.
///
/// Those of schemas and values go through the command line and are with its tests.
@Suite(.serialized) struct ReaderFuzzTests {
  /// No sample is longer: short ones are damaged where it matters, and many of them pass in ten minutes.
  private static let longestSample = 60_000

  private static func short(_ samples: [[UInt8]]) -> [[UInt8]] { samples.filter { $0.count <= longestSample } }

  @Test func `keyed archives`() throws {
    let values: [Any] = [
      "text", true, 42, 2.5, Data([1, 2, 3]), Date(timeIntervalSinceReferenceDate: 1_000.25), UUID(),
      NSDecimalNumber(string: "-12.50"), ["a": [1, 2] as [Any]],
    ]
    var writer = KeyedArchiveWriter()
    let root = writer.collection(class: KeyedArchiveWriter.Class.array, values.map { writer.add(value: $0) })
    let models = HostileModelTests.Form.self
    let built = try [writer.bytes(root: root)] + models.archive.samples().prefix(1) + models.xcode3.samples().prefix(1)
    let samples = built + Self.short(try models.archive.samples()) + Self.short(try models.xcode3.samples())
    let trees = try samples.map { try BinaryPropertyList($0).value() }
    try FuzzRun("archive", quickCount: 500).run { numbers in
      let index = numbers.oneIn(2) ? numbers.next(below: built.count) : numbers.next(below: samples.count)
      let bytes =
        numbers.oneIn(3)
        ? numbers.damaged(samples[index])
        : BinaryPropertyListWriter.bytes(HostileTree.damaged(trees[index], &numbers))
      let isTree = DataOutline(Data(bytes)) != nil
      do {
        let archive = try KeyedArchive(bytes)
        _ = archive.root?.foundationValue()
        for member in archive.members {
          _ = member.value.flatMap(ArchivedPredicateText.predicate)
          _ = member.value.flatMap(ArchivedPredicateText.expression)
        }
        try models.archive.read(bytes)
        return true
      } catch is ArchiveError {
        return isTree
      }
    }
  }

  @Test func `property lists, binary and XML`() throws {
    let samples = Self.short(try HostileModelTests.Form.propertyList.samples())
    let words = [
      "<dict>", "</dict>", "<array>", "</array>", "<key>", "</key>", "<true/>",
      "<integer>99999999999999999999</integer>",
      "<date>0000-99-99T99:99:99Z</date>", "<real>1e999</real>", "<data>====</data>", "&#0;", "&#x110000;", "&lt;", "&",
      "<![CDATA[", "]]>", "<!--", "<!DOCTYPE a [<!ENTITY b \"&b;&b;\">]>",
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
      "\u{FEFF}", String(repeating: "<array>", count: 600), "<string>", "</string>",
    ]
    try FuzzRun("plist", quickCount: 1_000).run { numbers in
      let sample = numbers.pick(samples)
      var bytes = numbers.damaged(sample, words: words)
      if sample.starts(with: BinaryPropertyList.magic), numbers.oneIn(2) {
        bytes = BinaryPropertyListWriter.bytes(HostileTree.damaged(try BinaryPropertyList(sample).value(), &numbers))
      }
      _ = DataOutline(Data(bytes))
      do {
        let value = try PropertyListValue.read(Data(bytes))
        _ = value.foundationValue
        // What was read can be written, and reads back as it was; a number that is none is not even equal to itself.
        let again = BinaryPropertyListWriter.bytes(value)
        let written = BinaryPropertyListWriter.bytes(try PropertyListValue.read(Data(again)))
        guard written == again else { throw ReaderFault("it is written differently the second time") }
        return true
      } catch is ArchiveError {
        return false
      }
    }
  }

  @Test func `XML of models and of stores`() throws {
    let models = Self.short(try HostileModelTests.Form.xml.samples())
    let words = [
      "<entity name='A' parentEntity='A'>", "</entity>", "<attribute name='a' attributeType='Composite'/>",
      "<object type='A' id='z1'>",
      "</object>", "<relationship name='r' idrefs='z1 z2 z99999999999999999999' type='0/0' destination='A'/>",
      "<attribute name='d' type='date'>nan</attribute>", "<attribute name='i' type='int64'>1e99</attribute>", "id='z1'",
      "'", "\"",
      "<", ">", "/>", "&#0;", "&amp;", "&x;", "<![CDATA[", "]]>", "<!--", "-->",
      "<!DOCTYPE a [<!ENTITY b \"&b;&b;\">]>", "\u{0}", "YES",
      "name=''", "maxCount='-9999999999999999999'", "defaultDateTimeInterval='inf'", "destinationEntity='A'",
      "inverseName='a'",
      "<database>", "</database>", "</model>", String(repeating: "<a>", count: 600),
    ]
    try FuzzRun("xml", quickCount: 500).run { numbers in
      if numbers.oneIn(2) {
        do {
          try HostileModelTests.Form.xml.read(numbers.damaged(numbers.pick(models), words: words))
          return true
        } catch is ArchiveError {
          return false
        }
      }
      do {
        let document = try XMLStoreDocument(Data(numbers.damaged(Array(XMLStoreTests.text.utf8), words: words)))
        let model = XMLStoreModel.model(of: document)
        var conversion = try XMLStoreConversion(document, model: model, path: "")
        if numbers.oneIn(10) { _ = try conversion.convert(model: model, name: "Hostile") }
        return true
      } catch is ArchiveError {
        return false
      } catch let error as NSError where error.domain == NSCocoaErrorDomain {
        return false
      }
    }
  }

  @Test func `compressed streams`() throws {
    let limit = 1 << 20
    var noise = HostileBytes(seed: 3)
    let contents: [[UInt8]] = [
      Array("a model, a model, my kingdom for a model".utf8), [UInt8](repeating: 0, count: 200_000),
      (0..<30_000).map { _ in UInt8(truncatingIfNeeded: noise.next()) }, [],
      try ModelArchiveWriter.bytes(SampleModels.library(), layout: .cache),
    ]
    let samples = try contents.map(Deflate.deflate) + Self.short(try HostileModelTests.Form.cache.samples())
    try FuzzRun("deflate", quickCount: 1_000).run { numbers in
      var bytes = numbers.pick(samples)
      for _ in 0...numbers.next(below: 3) { bytes = numbers.damaged(bytes) }
      if numbers.oneIn(8) {
        bytes = (0..<numbers.next(below: 400)).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
      }
      var output: [UInt8]?
      do { output = try Deflate.inflate(bytes, limit: limit) } catch is ArchiveError {}
      if let output, output.count > limit { throw ReaderFault("it inflates to \(output.count) bytes") }
      do { _ = try ModelArchiveReader.model(cache: bytes) } catch is ArchiveError {}
      return output != nil
    }
  }
}

/// What a reader must not do.
private struct ReaderFault: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
