import Foundation
import TestSupport

@testable import CoreData

/// The entities of random fetches: an attribute of each type, and relationships of every shape.
enum PlainEntity: String, Sendable {
  case item = "Item"
  /// A subentity of `Item`.
  case special = "Special"
  case group = "Group"
  case tag = "Tag"

  var attributes: [(key: String, kind: PlainKind)] {
    switch self {
    case .item: Self.itemAttributes
    case .special: Self.itemAttributes + [("extra", .text)]
    case .group: [("name", .text), ("rank", .int32), ("weight", .tame), ("since", .date)]
    case .tag: [("name", .text), ("rank", .int16), ("price", .decimal)]
    }
  }

  private static let itemAttributes: [(key: String, kind: PlainKind)] = [
    ("name", .text), ("note", .text), ("int16", .int16), ("int32", .int32), ("int64", .int64), ("flag", .bool),
    ("double", .double), ("float", .float), ("decimal", .decimal), ("date", .date), ("uuid", .uuid), ("uri", .uri),
    ("data", .data),
  ]

  /// To-one relationships, the derived ends included.
  var ones: [(key: String, target: PlainEntity)] {
    switch self {
    case .item, .special: ownOnes + [("lineOf", .group)]
    case .group, .tag: ownOnes
    }
  }

  /// To-many relationships, the derived ends included.
  var manys: [(key: String, target: PlainEntity)] {
    switch self {
    case .item, .special: ownManys + [("children", .item), ("followers", .item)]
    case .group: ownManys + [("items", .item)]
    case .tag: ownManys + [("items", .item), ("rankedBy", .item), ("children", .tag)]
    }
  }

  /// The to-one relationships whose ends are chosen.
  var ownOnes: [(key: String, target: PlainEntity)] {
    switch self {
    case .item, .special: [("group", .group), ("parent", .item)]
    case .group: []
    case .tag: [("parent", .tag)]
    }
  }

  /// The to-many relationships whose ends are chosen.
  var ownManys: [(key: String, target: PlainEntity)] {
    switch self {
    case .item, .special: [("tags", .tag), ("ranked", .tag), ("following", .item), ("loose", .tag)]
    case .group: [("line", .item)]
    case .tag: []
    }
  }

  /// The derived ends: under which key, of which entity's relationship, and whether it leads to one.
  static let inverses: [(back: String, source: PlainEntity, key: String, isOne: Bool)] = [
    ("items", .item, "group", false), ("children", .item, "parent", false), ("followers", .item, "following", false),
    ("rankedBy", .item, "ranked", false), ("lineOf", .group, "line", true),
    ("children", .tag, "parent", false), ("items", .item, "tags", false),
  ]

  /// The model; one for all, as an entity belongs to one model.
  static let model: NSManagedObjectModel = {
    typealias Sketch = ModelSketch
    func entity(_ entity: PlainEntity, children: [NSEntityDescription] = []) -> NSEntityDescription {
      let inherited = entity == .special ? itemAttributes.count : 0
      return Sketch.entity(
        entity.rawValue, entity.attributes.dropFirst(inherited).map { Sketch.attribute($0.key, $0.kind.type) },
        children: children)
    }
    let special = entity(.special)
    let item = entity(.item, children: [special])
    let (group, tag) = (entity(.group), entity(.tag))
    Sketch.relate(item, "group", .one, to: group, inverse: "items", .many)
    Sketch.relate(item, "parent", .one, to: item, inverse: "children", .many)
    Sketch.relate(item, "tags", .many, to: tag, inverse: "items", .many)
    Sketch.relate(item, "ranked", .ordered, to: tag, inverse: "rankedBy", .many)
    Sketch.relate(item, "following", .many, to: item, inverse: "followers", .many)
    Sketch.relate(item, "loose", .many, to: tag)
    Sketch.relate(group, "line", .ordered, to: item, inverse: "lineOf")
    Sketch.relate(tag, "parent", .one, to: tag, inverse: "children", .many)
    return Sketch.model([item, special, group, tag])
  }()
}

/// What an attribute holds.
enum PlainKind: Sendable {
  case int16, int32, int64, bool, double, float, decimal, text, date, uuid, uri, data
  /// A floating number whose sums are exact in any order.
  case tame

  /// Kinds whose values can be compared.
  enum Family { case number, text, date, uuid, uri, data, object }

  var family: Family {
    switch self {
    case .int16, .int32, .int64, .bool, .double, .float, .decimal, .tame: .number
    case .text: .text
    case .date: .date
    case .uuid: .uuid
    case .uri: .uri
    case .data: .data
    }
  }

  /// Sums and products of a few cannot depend on their order.
  var isTame: Bool {
    switch self {
    case .int16, .int32, .bool, .tame: true
    default: false
    }
  }

  var type: NSAttributeType {
    switch self {
    case .int16: .integer16AttributeType
    case .int32: .integer32AttributeType
    case .int64: .integer64AttributeType
    case .bool: .booleanAttributeType
    case .double, .tame: .doubleAttributeType
    case .float: .floatAttributeType
    case .decimal: .decimalAttributeType
    case .text: .stringAttributeType
    case .date: .dateAttributeType
    case .uuid: .UUIDAttributeType
    case .uri: .URIAttributeType
    case .data: .binaryDataAttributeType
    }
  }

  static let texts = [
    "", "a", "A", "ab", "aB", "Ana", "ana", "Zoë", "Zoe\u{308}", "zoë", "café", "cafe\u{301}", "CAFÉ", "cafe", "straße",
    "STRASSE", "strasse", "İstanbul", "istanbul", "ISTANBUL", "ısparta", "👨‍👩‍👧", "👩🏽‍🚀 a", "日本", "x_%y", "a.b", "it's",
    "a\\b",
    "10", "9", "a10", "a9", "ﬁsh", "ǅ", "Ω", "ω", "σς", "\u{1F1E9}\u{1F1EA}",
  ]

  static let uris = ["https://a.example/x", "https://a.example/X?q=1", "file:///tmp/a%20b", "mailto:a@b.example"]

  private static let uuids: [[UInt8]] = [
    Array(repeating: 0, count: 16), Array(repeating: 255, count: 16), Array(0..<16), Array(100..<116),
  ]

  private static func any<Element>(_ elements: [Element], _ random: inout some RandomNumberGenerator) -> Element {
    // Not empty: every caller passes a literal.
    elements[Int.random(in: elements.indices, using: &random)]
  }

  /// A value of the kind, from few, so that comparisons hit.
  func random(_ random: inout some RandomNumberGenerator) -> PlainValue {
    switch self {
    case .int16: .whole(Self.any([-32_768, -7, -1, 0, 1, 2, 3, 5, 8, 100, 32_767], &random))
    case .int32: .whole(Self.any([-2_147_483_648, -20, -1, 0, 1, 2, 3, 4, 17, 1_000, 2_147_483_647], &random))
    case .int64:
      .whole(
        Self.any(
          [.min, .min + 1, -1, 0, 1, 2, 3, 1 << 53, 1 << 53 + 1, .max - 1, .max, 4_611_686_018_427_387_904], &random))
    case .bool: .whole(Self.any([0, 1], &random))
    case .double:
      PlainValue(
        number: Self.any(
          [
            -1e300, -2.5, -0.0, 0, 0.1, 0.5, 1, 2, 3.25, .leastNonzeroMagnitude, 1e-300, 1e300, 9_007_199_254_740_992,
            0x1p63, .nan,
          ],
          &random))
    case .tame: .real(Self.any([-4.25, -1, 0, 0.5, 1, 2.75, 3, 12.125], &random))
    case .float: .real(Double(Self.any([-1.5, 0, 0.1, 0.25, 1, 3.4e38, 1e-38] as [Float], &random)))
    case .decimal: .real(Self.any([-12.34, 0, 0.01, 0.1, 1, 2.5, 99.99, 123_456.78], &random))
    case .text: .text(Self.any(Self.texts, &random))
    case .date: .date(Self.any([-1e9, -1.5, 0, 0.25, 86_400, 7e8, 700_000_000.5], &random))
    case .uuid: .bytes(Self.any(Self.uuids, &random))
    case .uri: .text(Self.any(Self.uris, &random))
    case .data: .bytes(Self.any([[], [0], [0, 1], [1], [255], [1, 2, 3]], &random))
    }
  }

  /// The value as an attribute of the kind holds it.
  func object(_ value: PlainValue) -> Any? {
    switch (value, self) {
    case (.whole(let value), .bool): NSNumber(value: value != 0)
    case (.whole(let value), _): NSNumber(value: value)
    case (.real(let value), .float): NSNumber(value: Float(value))
    case (.real(let value), .decimal): NSDecimalNumber(string: "\(value)")
    case (.real(let value), _): NSNumber(value: value)
    case (.text(let value), .uri): URL(string: value)
    case (.text(let value), _): value
    case (.date(let value), _): Date(timeIntervalSinceReferenceDate: value)
    case (.bytes(let value), .uuid): value.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    case (.bytes(let value), _): Data(value)
    // In memory a floating attribute can hold what a store has no value for.
    case (.missing, .double): NSNumber(value: Double.nan)
    case (.missing, _), (.row, _): nil
    }
  }
}
