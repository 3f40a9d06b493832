/// A value as a record stores it.
enum RecordValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  /// Text as its bytes, in the database's encoding.
  case text([UInt8])
  case blob([UInt8])
}

/// A row as it lies in the file, decoded when asked.
///
/// It stores `INTEGER PRIMARY KEY` as null (the row id is the value), a whole number in a `REAL` column as an integer,
/// and nothing for columns that were added after the row was written.
struct StoredRecord: Hashable, Sendable {
  let bytes: [UInt8]

  /// The values in the order of the table's stored columns; nil where the bytes are no record.
  func values() -> [RecordValue]? {
    guard let header = bytes.varint(0), header.value >= 1, header.value <= Int64(bytes.count) else { return nil }
    let headerEnd = Int(header.value)
    var (at, body) = (header.end, headerEnd)
    var values: [RecordValue] = []
    while at < headerEnd {
      guard let type = bytes.varint(at), type.end <= headerEnd else { return nil }
      at = type.end
      guard let value = value(ofType: type.value, at: &body) else { return nil }
      values.append(value)
    }
    return values
  }

  private func value(ofType type: Int64, at start: inout Int) -> RecordValue? {
    func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count <= bytes.count - start else { return nil }
      defer { start += count }
      return bytes[start..<start + count]
    }
    func integer(_ count: Int) -> Int64? {
      take(count).map { slice in
        slice.reduce(slice.first.map { $0 & 0x80 != 0 ? -1 : 0 } ?? 0) { $0 << 8 | Int64($1) }
      }
    }
    switch type {
    case 0: return .null
    case 1...4: return integer(Int(type)).map(RecordValue.integer)
    case 5: return integer(6).map(RecordValue.integer)
    case 6: return integer(8).map(RecordValue.integer)
    case 7: return integer(8).map { .real(Double(bitPattern: UInt64(bitPattern: $0))) }
    case 8, 9: return .integer(type - 8)
    case 12...:
      guard (type - 12) / 2 <= Int64(bytes.count) else { return nil }
      return take(Int((type - 12) / 2)).map { type % 2 == 0 ? .blob(Array($0)) : .text(Array($0)) }
    default: return nil
    }
  }
}
