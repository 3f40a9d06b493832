/// What a row is recognised by: a digest of its values, and its links as they are.
///
/// Links (entity numbers, keys and places of relationships) are few and short, and their old values say which objects a
/// change concerns.
struct RowPrint: Sendable {
  /// A link without a value.
  static let null = Int64.min
  /// A link that is no integer; its value is in the digest.
  private static let odd = Int64.min + 1

  private(set) var links: [Int64] = []
  private var hasher = Hasher()

  /// The digest of the values that are no links.
  var digest: Int { hasher.finalize() }

  /// The print of a whole row.
  init(_ row: [RecordValue], isLink: [Bool]) {
    for (value, isLink) in zip(row, isLink) {
      switch value {
      case .null: addNull(isLink: isLink)
      case .integer(let number): add(number, isLink: isLink)
      case .real(let number): add(number, isLink: isLink)
      case .text(let bytes): bytes.withUnsafeBytes { add($0, tag: 3, isLink: isLink) }
      case .blob(let bytes): bytes.withUnsafeBytes { add($0, tag: 4, isLink: isLink) }
      }
    }
  }

  /// The print of no values yet.
  init() {}

  /// Adds the next column's value.
  mutating func addNull(isLink: Bool) {
    if isLink { links.append(Self.null) } else { hasher.combine(UInt8(0)) }
  }

  /// Adds the next column's value.
  mutating func add(_ number: Int64, isLink: Bool) {
    if isLink, number > Self.odd { return links.append(number) }
    if isLink { links.append(Self.odd) }
    hasher.combine(UInt8(1))
    hasher.combine(number)
  }

  /// Adds the next column's value; a whole number counts as an integer.
  mutating func add(_ number: Double, isLink: Bool) {
    if let whole = Int64(exactly: number) { return add(whole, isLink: isLink) }
    if isLink { links.append(Self.odd) }
    hasher.combine(UInt8(2))
    hasher.combine(number.bitPattern)
  }

  /// Adds the next column's value, the tag telling text from blobs.
  mutating func add(_ bytes: UnsafeRawBufferPointer, tag: UInt8, isLink: Bool) {
    if isLink { links.append(Self.odd) }
    hasher.combine(tag)
    hasher.combine(bytes.count)
    hasher.combine(bytes: bytes)
  }

  /// A link as a value; nil where it is not known.
  static func value(ofLink link: Int64) -> RecordValue? {
    link == null ? .null : link == odd ? nil : .integer(link)
  }
}
