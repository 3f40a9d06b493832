import Foundation

/// Writes property lists in Apple's binary form; equal plain values are stored once, as Apple's writer does.
enum BinaryPropertyListWriter {
  /// The bytes of a `bplist00` file.
  static func bytes(_ root: PropertyListValue) -> [UInt8] {
    var table = ObjectTable()
    let rootIndex = table.add(root)
    let referenceSize = size(of: table.objects.count)
    var output = BinaryPropertyList.magic
    var offsets: [Int] = []
    for object in table.objects {
      offsets.append(output.count)
      object.write(to: &output, referenceSize: referenceSize)
    }
    let tableOffset = output.count
    let offsetSize = size(of: tableOffset)
    for offset in offsets { output.append(bigEndian: offset, size: offsetSize) }
    output += [UInt8](repeating: 0, count: 6)
    output += [UInt8(offsetSize), UInt8(referenceSize)]
    output.append(bigEndian: offsets.count, size: 8)
    output.append(bigEndian: rootIndex, size: 8)
    output.append(bigEndian: tableOffset, size: 8)
    return output
  }

  /// The smallest number of bytes, a power of two, that holds a number.
  fileprivate static func size(of number: Int) -> Int {
    switch number {
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
  }
}

/// An object whose children are numbers.
private enum FlatObject {
  case plain(PropertyListValue)
  case list(marker: UInt8, [Int])
  case dictionary(keys: [Int], values: [Int])
}

/// Numbers the objects of a tree, parents before children.
private struct ObjectTable {
  private(set) var objects: [FlatObject] = []
  private var known: [PropertyListValue: Int] = [:]

  mutating func add(_ value: PropertyListValue) -> Int {
    let index = objects.count
    switch value {
    case .array(let values):
      objects.append(.plain(value))
      objects[index] = .list(marker: 0xA0, values.map { add($0) })
    case .set(let values):
      objects.append(.plain(value))
      objects[index] = .list(marker: 0xC0, values.map { add($0) })
    case .dictionary(let entries):
      objects.append(.plain(value))
      let keys = entries.map { add(.string($0.key)) }
      objects[index] = .dictionary(keys: keys, values: entries.map { add($0.value) })
    default:
      if let known = known[value] { return known }
      objects.append(.plain(value))
      known[value] = index
    }
    return index
  }
}

extension FlatObject {
  func write(to output: inout [UInt8], referenceSize: Int) {
    switch self {
    case .plain(let value): value.writePlain(to: &output)
    case .list(let marker, let references):
      output.append(marker: marker, count: references.count)
      for reference in references { output.append(bigEndian: reference, size: referenceSize) }
    case .dictionary(let keys, let values):
      output.append(marker: 0xD0, count: keys.count)
      for reference in keys + values { output.append(bigEndian: reference, size: referenceSize) }
    }
  }
}

extension PropertyListValue {
  fileprivate func writePlain(to output: inout [UInt8]) {
    switch self {
    case .bool(let value): output.append(value ? 0x09 : 0x08)
    case .integer(let value): output.append(integer: value)
    case .unsigned(let value):
      output.append(0x14)
      output += [UInt8](repeating: 0, count: 8)
      output.append(bigEndian: Int(bitPattern: UInt(value)), size: 8)
    case .real(let value):
      output.append(0x23)
      output.append(bigEndian: Int(bitPattern: UInt(value.bitPattern)), size: 8)
    case .date(let value):
      output.append(0x33)
      output.append(bigEndian: Int(bitPattern: UInt(value.bitPattern)), size: 8)
    case .data(let value):
      output.append(marker: 0x40, count: value.count)
      output += value
    case .string(let value):
      if value.utf8.allSatisfy({ $0 < 0x80 }) {
        output.append(marker: 0x50, count: value.utf8.count)
        output += value.utf8
      } else {
        output.append(marker: 0x60, count: value.utf16.count)
        for unit in value.utf16 { output.append(bigEndian: Int(unit), size: 2) }
      }
    case .uid(let value):
      let size = BinaryPropertyListWriter.size(of: value)
      output.append(0x80 | UInt8(size - 1))
      output.append(bigEndian: value, size: size)
    case .array, .set, .dictionary: preconditionFailure("containers are flattened before")
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian value: Int, size: Int) {
    for shift in stride(from: 8 * (size - 1), through: 0, by: -8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  /// One, two and four bytes are unsigned in this format, so a negative number takes eight.
  fileprivate mutating func append(integer value: Int64) {
    let size = value < 0 ? 8 : BinaryPropertyListWriter.size(of: Int(value))
    append(0x10 | UInt8(size.trailingZeroBitCount))
    append(bigEndian: Int(value), size: size)
  }

  fileprivate mutating func append(marker: UInt8, count: Int) {
    if count < 0x0F {
      append(marker | UInt8(count))
    } else {
      append(marker | 0x0F)
      append(integer: Int64(count))
    }
  }
}
