import Synchronization

/// Whole numbers for rows that have none of their own, of tables without row ids and of views: a number for each key that was
/// seen, the same one as long as the store is open.
///
/// Only keys that somebody read are here, packed in one buffer for each table. Safe to share; numbers begin with 1.
final class InternedKeys: Sendable {
  private let tables = Mutex<[Int32: KeyTable]>([:])
  private let entities = Mutex<[String: Int32]>([:])
  private static let known = Mutex<[FileIdentity: InternedKeys]>([:])

  /// The keys of a file, the same as long as the process lives: a store that is closed and opened anew goes on with them.
  static func shared(for file: FileIdentity) -> InternedKeys {
    known.withLock { known in
      let keys = known[file] ?? InternedKeys()
      known[file] = keys
      return keys
    }
  }

  /// The number of an entity, by its name, from 1 on.
  func entityNumber(of name: String) -> Int32 {
    entities.withLock { entities in
      let number = entities[name] ?? Int32(entities.count + 1)
      entities[name] = number
      return number
    }
  }

  /// The number of a key of an entity; a new one where the key was never seen.
  func number(of key: UnsafeBufferPointer<UInt8>, entity: Int32) -> Int64 {
    tables.withLock { $0[entity, default: KeyTable()].intern(key) }
  }

  /// The number of a key that was seen before.
  func knownNumber(of key: UnsafeBufferPointer<UInt8>, entity: Int32) -> Int64? {
    tables.withLock { $0[entity]?.find(key) }
  }

  /// The key that a number means.
  func key(_ number: Int64, entity: Int32) -> [UInt8]? {
    tables.withLock { $0[entity]?.key(number) }
  }

  /// Lets a number mean another key from now on, as that of a row whose key was changed; the old key gets a new number when
  /// it is seen again.
  func move(_ number: Int64, to key: [UInt8], entity: Int32) {
    tables.withLock { $0[entity]?.move(number, to: key) }
  }
}

/// Keys by number and numbers by key: an open hash table over one buffer of bytes.
private struct KeyTable {
  private var bytes: [UInt8] = []
  /// Where each key lies in `bytes`.
  private var places: [Range<Int>] = []
  /// The numbers in each place, 0 where none is; a power of two of them.
  private var slots: [UInt32] = Array(repeating: 0, count: 16)
  private var used = 0

  func key(_ number: Int64) -> [UInt8]? {
    guard number > 0, number <= Int64(places.count) else { return nil }
    return Array(bytes[places[Int(number) - 1]])
  }

  func find(_ key: UnsafeBufferPointer<UInt8>) -> Int64? {
    let number = slots[slot(of: key)]
    return number == 0 ? nil : Int64(number)
  }

  mutating func intern(_ key: UnsafeBufferPointer<UInt8>) -> Int64 {
    if (used + 1) * 2 > slots.count { grow() }
    let slot = slot(of: key)
    if slots[slot] != 0 { return Int64(slots[slot]) }
    let start = bytes.count
    bytes.append(contentsOf: key)
    places.append(start..<bytes.count)
    slots[slot] = UInt32(places.count)
    used += 1
    return Int64(places.count)
  }

  mutating func move(_ number: Int64, to key: [UInt8]) {
    guard number > 0, number <= Int64(places.count) else { return }
    let start = bytes.count
    bytes.append(contentsOf: key)
    places[Int(number) - 1] = start..<bytes.count
    // The new key can have been seen as another row's, which is gone: the table is made anew, later numbers win.
    grow(preferring: UInt32(number))
  }

  /// Where a key is, or would be put.
  private func slot(of key: UnsafeBufferPointer<UInt8>) -> Int {
    var slot = Int(truncatingIfNeeded: Self.hash(key)) & (slots.count - 1)
    while slots[slot] != 0 {
      let place = places[Int(slots[slot]) - 1]
      if place.count == key.count, bytes[place].elementsEqual(key) { return slot }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private mutating func grow(preferring number: UInt32? = nil) {
    let size = (used + 1) * 2 > slots.count ? slots.count * 2 : slots.count
    slots = Array(repeating: 0, count: size)
    used = 0
    if let number { put(number) }
    for index in places.indices { put(UInt32(index + 1)) }
  }

  private mutating func put(_ number: UInt32) {
    let place = places[Int(number) - 1]
    let slot = bytes.withUnsafeBufferPointer { self.slot(of: UnsafeBufferPointer(rebasing: $0[place])) }
    guard slots[slot] == 0 else { return }
    slots[slot] = number
    used += 1
  }

  /// A hash that differs from process to process, so that no file can be made to fill one place.
  private static func hash(_ key: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(key))
    return hasher.finalize()
  }
}
