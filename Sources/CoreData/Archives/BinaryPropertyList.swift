import Foundation

/// The objects of a binary property list (`bplist00`), read once into a flat table.
///
/// Containers hold indexes into the table instead of values, so shared and even cyclic references cost nothing and
/// nothing recurses. The reader trusts no length: an honest file spends every byte once, so the bytes and references
/// of all objects together may not exceed a small multiple of the file.
struct BinaryPropertyList: Sendable {
  /// One object; ranges of containers point into `references`, whose elements point into `objects`.
  enum Object: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case real(Double)
    case date(Double)
    case data(Range<Int>)
    case string(String)
    case uid(Int)
    case array(Range<Int>)
    case set(Range<Int>)
    case dictionary(keys: Range<Int>, values: Range<Int>)
  }

  let bytes: [UInt8]
  private(set) var objects: [Object] = []
  private(set) var references: [Int] = []
  let root: Int

  /// Reads the whole table.
  ///
  /// - Throws: `ArchiveError` for anything that is not a complete binary property list.
  init(_ bytes: [UInt8]) throws {
    guard bytes.starts(with: Self.magic) else { throw ArchiveError("it is not a binary property list") }
    guard bytes.count >= Self.magic.count + Self.trailerSize else { throw ArchiveError.cutShort }
    let trailer = bytes.count - Self.trailerSize
    let offsetSize = Int(bytes[trailer + 6])
    let referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.unsigned(bytes, at: trailer + 8, size: 8, below: bytes.count),
      let root = Self.unsigned(bytes, at: trailer + 16, size: 8, below: count),
      let table = Self.unsigned(bytes, at: trailer + 24, size: 8, below: trailer),
      count * offsetSize <= trailer - table
    else { throw ArchiveError.badTable }
    self.bytes = bytes
    self.root = root

    var reader = ObjectReader(bytes: bytes, end: table, objectCount: count, referenceSize: referenceSize)
    objects.reserveCapacity(count)
    for index in 0..<count {
      guard let offset = Self.unsigned(bytes, at: table + index * offsetSize, size: offsetSize, below: table)
      else { throw ArchiveError.badTable }
      objects.append(try reader.object(at: offset))
    }
    references = reader.references
  }

  /// Reads the whole table from data.
  init(_ data: Data) throws {
    try self.init([UInt8](data))
  }

  static let magic = Array("bplist00".utf8)
  static let trailerSize = 32

  /// A big-endian number of `size` bytes, or nil when it is out of bounds or not below `limit`.
  fileprivate static func unsigned(_ bytes: [UInt8], at offset: Int, size: Int, below limit: Int) -> Int? {
    var value: UInt64 = 0
    for index in offset..<(offset + size) { value = value << 8 | UInt64(bytes[index]) }
    return value < UInt64(limit) ? Int(value) : nil
  }
}

extension ArchiveError {
  fileprivate static let cutShort = ArchiveError("the property list is cut short")
  fileprivate static let badTable = ArchiveError("the property list's object table is damaged")
  fileprivate static let badObject = ArchiveError("an object of the property list is damaged")
}

/// Decodes single objects and keeps the account of what they spend.
private struct ObjectReader {
  let bytes: [UInt8]
  /// Where the object table begins; no object reaches beyond it.
  let end: Int
  let objectCount: Int
  let referenceSize: Int
  var references: [Int] = []
  /// Bytes that objects may still claim, twice the file for writers that let equal objects share their bytes.
  private var budget: Int

  init(bytes: [UInt8], end: Int, objectCount: Int, referenceSize: Int) {
    self.bytes = bytes
    self.end = end
    self.objectCount = objectCount
    self.referenceSize = referenceSize
    budget = 2 * bytes.count
  }

  mutating func object(at start: Int) throws -> BinaryPropertyList.Object {
    let marker = bytes[start]
    let low = Int(marker & 0x0F)
    var cursor = start + 1
    switch marker >> 4 {
    case 0x0:
      switch marker {
      case 0x00: return .null
      case 0x08: return .bool(false)
      case 0x09: return .bool(true)
      default: throw ArchiveError.badObject
      }
    case 0x1: return try integer(at: cursor, size: 1 << low)
    case 0x2: return .real(try real(at: cursor, size: 1 << low))
    case 0x3: return .date(try real(at: cursor, size: 8))
    case 0x4: return .data(try take(count: try length(low, &cursor), of: 1, at: cursor))
    case 0x5, 0x7:
      let range = try take(count: try length(low, &cursor), of: 1, at: cursor)
      return .string(String(decoding: bytes[range], as: UTF8.self))
    case 0x6:
      let range = try take(count: try length(low, &cursor), of: 2, at: cursor)
      let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map { (first: Int) -> UInt16 in
        UInt16(bytes[first]) << 8 | UInt16(bytes[first + 1])
      }
      return .string(String(decoding: units, as: UTF16.self))
    case 0x8:
      let range = try take(count: low + 1, of: 1, at: cursor)
      return .uid(try number(in: range, below: Int(UInt32.max)))
    case 0xA: return .array(try container(count: try length(low, &cursor), at: cursor))
    case 0xB, 0xC: return .set(try container(count: try length(low, &cursor), at: cursor))
    case 0xD:
      let count = try length(low, &cursor)
      let keys = try container(count: count, at: cursor)
      let values = try container(count: count, at: cursor + count * referenceSize)
      return .dictionary(keys: keys, values: values)
    default: throw ArchiveError.badObject
    }
  }

  /// The length in the marker, or behind it as an integer object when the marker says 15.
  private func length(_ low: Int, _ cursor: inout Int) throws -> Int {
    guard low == 0x0F else { return low }
    guard cursor < end, bytes[cursor] >> 4 == 0x1, bytes[cursor] & 0x0F <= 3 else { throw ArchiveError.badObject }
    let size = 1 << Int(bytes[cursor] & 0x0F)
    guard cursor + 1 + size <= end else { throw ArchiveError.badObject }
    let value = try number(in: (cursor + 1)..<(cursor + 1 + size), below: bytes.count)
    cursor += 1 + size
    return value
  }

  private mutating func take(count: Int, of size: Int, at cursor: Int) throws -> Range<Int> {
    // `count` is below the file's size and `size` at most 8, so the product cannot overflow.
    let extent = count * size
    guard extent <= end - cursor, extent <= budget else { throw ArchiveError.badObject }
    budget -= extent
    return cursor..<(cursor + extent)
  }

  private mutating func container(count: Int, at cursor: Int) throws -> Range<Int> {
    let range = try take(count: count, of: referenceSize, at: cursor)
    let first = references.count
    var offset = range.lowerBound
    for _ in 0..<count {
      references.append(try number(in: offset..<(offset + referenceSize), below: objectCount))
      offset += referenceSize
    }
    return first..<references.count
  }

  private func number(in range: Range<Int>, below limit: Int) throws -> Int {
    guard range.upperBound <= end, range.count <= 8,
      let value = BinaryPropertyList.unsigned(bytes, at: range.lowerBound, size: range.count, below: limit)
    else { throw ArchiveError.badObject }
    return value
  }

  private func integer(at cursor: Int, size: Int) throws -> BinaryPropertyList.Object {
    guard size <= 16, cursor + size <= end else { throw ArchiveError.badObject }
    // One, two and four bytes are unsigned; eight are signed; sixteen hold an unsigned number of eight.
    var value: UInt64 = 0
    for byte in bytes[cursor..<(cursor + size)] { value = value << 8 | UInt64(byte) }
    return size == 16 && value > UInt64(Int64.max) ? .unsigned(value) : .integer(Int64(bitPattern: value))
  }

  private func real(at cursor: Int, size: Int) throws -> Double {
    guard cursor + size <= end else { throw ArchiveError.badObject }
    var pattern: UInt64 = 0
    for byte in bytes[cursor..<(cursor + min(size, 8))] { pattern = pattern << 8 | UInt64(byte) }
    switch size {
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern)))
    case 8: return Double(bitPattern: pattern)
    default: throw ArchiveError.badObject
    }
  }
}
