import Foundation

/// Where the values of an entity's stored properties lie in the rows of a slab.
///
/// One fetch can bring rows of several entities of a tree; each has its own columns among those of the statement.
final class SlabLayout: Sendable {
  /// Where one slot's value lies in a row.
  struct Column: Sendable {
    /// The cell with the value, -1 where the row has none.
    var value: Int16
    /// For a to-one relationship: the cell with the other end's entity number, -1 where the row has none.
    var entity: Int16 = -1
  }
  /// How many cells a row has.
  let width: Int
  /// The entity that was fetched, and the columns of its slots: what most rows are.
  private let first: (entity: NSEntityDescription, columns: [Column])?
  /// The columns of its subentities' slots.
  private let others: [ObjectIdentifier: [Column]]
  /// Kept, so that no address comes to mean another entity.
  private let entities: [NSEntityDescription]

  /// A layout for rows of some entities, the one that most rows are of first.
  init(width: Int, columns: [(entity: NSEntityDescription, columns: [Column])]) {
    self.width = width
    first = columns.first
    others = Dictionary(
      columns.dropFirst().map { (ObjectIdentifier($0.entity), $0.columns) }, uniquingKeysWith: { first, _ in first })
    entities = columns.map(\.entity)
  }

  /// The columns of an entity's slots; empty for an entity the slab knows nothing of.
  func columns(of entity: NSEntityDescription) -> [Column] {
    if let first, first.entity === entity { return first.columns }
    return others[ObjectIdentifier(entity)] ?? []
  }
}

/// The rows of one fetch page: packed values that never change, decoded when somebody reads them.
///
/// A cell is a tag and a 64-bit word: the number itself, or where its bytes lie in `bytes`.
final class RowSlab: Sendable {
  enum Tag: UInt8, Sendable { case null, integer, real, text, blob }

  let layout: SlabLayout
  let count: Int
  private let tags: [Tag]
  private let words: [UInt64]
  private let bytes: [UInt8]
  private let readAt = ContinuousClock.now

  /// How long ago the rows were read.
  var age: Duration { ContinuousClock.now - readAt }

  fileprivate init(layout: SlabLayout, tags: [Tag], words: [UInt64], bytes: [UInt8]) {
    self.layout = layout
    self.tags = tags
    self.words = words
    self.bytes = bytes
    count = layout.width == 0 ? 0 : words.count / layout.width
  }

  @inline(__always)
  func tag(row: Int, column: Int) -> Tag {
    tags[row &* layout.width &+ column]
  }

  @inline(__always)
  func word(row: Int, column: Int) -> UInt64 { words[row &* layout.width &+ column] }

  @inline(__always)
  func integer(row: Int, column: Int) -> Int64? {
    tag(row: row, column: column) == .integer
      ? Int64(bitPattern: word(row: row, column: column)) : convertedInteger(row: row, column: column)
  }

  @inline(never)
  private func convertedInteger(row: Int, column: Int) -> Int64? {
    switch tag(row: row, column: column) {
    case .integer: Int64(bitPattern: word(row: row, column: column))
    case .real: Int64(exactly: Double(bitPattern: word(row: row, column: column)).rounded(.towardZero))
    case .text: Int64(text(row: row, column: column) ?? "")
    default: nil
    }
  }

  @inline(__always)
  func real(row: Int, column: Int) -> Double? {
    tag(row: row, column: column) == .real
      ? Double(bitPattern: word(row: row, column: column)) : convertedReal(row: row, column: column)
  }

  @inline(never)
  private func convertedReal(row: Int, column: Int) -> Double? {
    switch tag(row: row, column: column) {
    case .integer: Double(Int64(bitPattern: word(row: row, column: column)))
    case .real: Double(bitPattern: word(row: row, column: column))
    case .text: Double(text(row: row, column: column) ?? "")
    default: nil
    }
  }

  /// The bytes of a text or blob.
  func withBytes<Result>(row: Int, column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let place = word(row: row, column: column)
    let start = Int(place >> 32)
    let end = start + Int(place & 0xffff_ffff)
    return bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
  }

  /// The text of a text cell, invalid UTF-8 replaced; blobs are read as UTF-8 too, numbers are written out.
  func text(row: Int, column: Int) -> String? {
    switch tag(row: row, column: column) {
    case .null: nil
    case .integer: String(Int64(bitPattern: word(row: row, column: column)))
    case .real: String(Double(bitPattern: word(row: row, column: column)))
    case .text, .blob: withBytes(row: row, column: column) { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// The bytes of a cell; a number has none.
  func data(row: Int, column: Int) -> Data? {
    switch tag(row: row, column: column) {
    case .text, .blob: withBytes(row: row, column: column) { Data($0) }
    default: nil
    }
  }
}

/// Packs rows into a slab.
struct RowSlabBuilder {
  private let layout: SlabLayout
  private var tags: [RowSlab.Tag] = []
  private var words: [UInt64] = []
  private var bytes: [UInt8] = []

  init(layout: SlabLayout, capacity: Int = 0) {
    self.layout = layout
    tags.reserveCapacity(capacity * layout.width)
    words.reserveCapacity(capacity * layout.width)
  }

  /// How many rows are in.
  var count: Int { layout.width == 0 ? 0 : words.count / layout.width }

  /// Whether the page should end here: offsets have 32 bits, and small pages are freed sooner.
  var isFull: Bool { bytes.count > 1 << 24 }

  mutating func appendNull() { append(.null, 0) }
  mutating func append(_ value: Int64) { append(.integer, UInt64(bitPattern: value)) }
  mutating func append(_ value: Double) { append(.real, value.bitPattern) }

  mutating func append(text: UnsafeBufferPointer<UInt8>) { append(.text, text) }
  mutating func append(blob: UnsafeRawBufferPointer) {
    append(.blob, blob.bindMemory(to: UInt8.self))
  }

  private mutating func append(_ tag: RowSlab.Tag, _ content: UnsafeBufferPointer<UInt8>) {
    append(tag, UInt64(bytes.count) << 32 | UInt64(UInt32(content.count)))
    bytes.append(contentsOf: content)
  }

  @inline(__always)
  private mutating func append(_ tag: RowSlab.Tag, _ word: UInt64) {
    tags.append(tag)
    words.append(word)
  }

  func finish() -> RowSlab { RowSlab(layout: layout, tags: tags, words: words, bytes: bytes) }
}

/// One row of a slab: what an object's values, or an id's cached row, are read from.
struct RowReference: Sendable {
  let slab: RowSlab
  let index: Int
}
