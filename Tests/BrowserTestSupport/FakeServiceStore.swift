import BrowserCore
import CoreData

/// Objects in memory, ordered, windowed and searched in the simplest way there is.
public struct FakeStore: Sendable {
  /// A value as an object holds it.
  public enum Value: Sendable, Hashable {
    case plain(CellValue)
    case one(ObjectKey?)
    case many([ObjectKey])
  }

  /// One object.
  public struct Object: Sendable {
    /// Its identity.
    public var key: ObjectKey
    /// Its values by property; what is missing is `nil`.
    public var values: [String: Value]

    /// An object.
    public init(_ key: ObjectKey, _ values: [String: Value]) {
      self.key = key
      self.values = values
    }
  }

  /// What is in the store.
  public var outline: StoreOutline
  private var objects: [ObjectKey: Object] = [:]
  private var keys: [ObjectKey] = []
  /// Values that are more than their cells show, by property, whatever the object.
  public var wholes: [String: PropertyValue] = [:]

  /// An empty store.
  public init(_ outline: StoreOutline) {
    self.outline = outline
    self.outline.identifier = Self.identifier
    self.outline.model = Self.model(of: outline.entities)
  }

  static let identifier = "5C1E5A3B-0C4B-4C59-9E0B-0D3A0E8B7F11"

  /// Adds an object.
  public mutating func add(_ object: Object) {
    objects[object.key] = object
    keys.append(object.key)
  }

  /// Takes an object away, also from the relationships of others.
  public mutating func remove(_ key: ObjectKey) {
    objects[key] = nil
    keys.removeAll { $0 == key }
    for (other, object) in objects {
      for (name, value) in object.values {
        switch value {
        case .one(key): objects[other]?.values[name] = .one(nil)
        case .many(let members) where members.contains(key):
          objects[other]?.values[name] = .many(members.filter { $0 != key })
        default: break
        }
      }
    }
  }

  /// Gives an object's property a value.
  public mutating func set(_ key: ObjectKey, _ property: String, _ value: CellValue) {
    objects[key]?.values[property] = .plain(value)
  }

  /// Gives an object's property a value of any sort.
  public mutating func set(_ key: ObjectKey, _ property: String, _ value: Value) {
    objects[key]?.values[property] = value
  }

  /// A property of an object whole; nil when there is no such object.
  public func value(of property: String, at key: ObjectKey) -> PropertyValue? {
    guard let object = objects[key] else { return nil }
    return wholes[property] ?? object.values[property].flatMap(Self.propertyValue) ?? .null
  }

  /// A property as text, or an object as something like JSON; `nil` when the object is gone.
  public func text(of property: String?, at key: ObjectKey) -> String? {
    guard let object = objects[key] else { return nil }
    func words(_ value: Value?) -> String {
      if case .plain(.text(let text, _))? = value { return text }
      return value.map { "\($0)" } ?? "null"
    }
    if let property { return words(object.values[property]) }
    return "{" + object.values.keys.sorted().map { "\($0): \(words(object.values[$0]))" }.joined(separator: ", ") + "}"
  }

  /// An object, where there is one.
  public func object(_ key: ObjectKey) -> Object? { objects[key] }

  /// Gives an object's property a text.
  public mutating func set(_ key: ObjectKey, _ property: String, text: String) {
    set(key, property, .text(text, length: text.count))
  }

  /// The keys of all objects of an entity alone, in the order they were added.
  public func keys(of entity: String) -> [ObjectKey] {
    let number = outline.entities.first { $0.name == entity }?.number
    return keys.filter { $0.entity == number }
  }

  /// What differs from an earlier state.
  public func changes(since before: FakeStore, isOwn: Bool = false) -> [StoreChanges.Change] {
    var changes: [StoreChanges.Change] = []
    for key in Set(before.objects.keys).union(objects.keys) {
      let (old, new) = (before.objects[key], objects[key])
      let kind: StoreChanges.Change.Kind = old == nil ? .insert : new == nil ? .delete : .update
      var properties: [String: StoreChanges.Change.Values] = [:]
      for name in Set(old.map { Array($0.values.keys) } ?? []).union(new.map { Array($0.values.keys) } ?? [])
      where old?.values[name] != new?.values[name] {
        properties[name] = StoreChanges.Change.Values(
          old: old?.values[name].flatMap(Self.propertyValue), new: new?.values[name].flatMap(Self.propertyValue))
      }
      if kind == .update, properties.isEmpty { continue }
      changes.append(StoreChanges.Change(kind, key, properties: properties, isOwn: isOwn))
    }
    return changes
  }

  private static func propertyValue(_ value: Value) -> PropertyValue? {
    switch value {
    case .plain(.integer(let number)): .integer(number)
    case .plain(.text(let text, _)): .text(text)
    case .plain(.real(let number)): .real(number)
    case .plain(.boolean(let isTrue)): .boolean(isTrue)
    case .plain(.date(let date)): .date(date)
    case .one(let key): key.map { .object($0) } ?? .null
    case .many(let keys): .objects(keys)
    case .plain: nil
    }
  }

  func count(_ entity: String) -> Int {
    let number = outline.entities.first { $0.name == entity }?.number
    return keys.count { $0.entity == number }
  }

  /// The keys of a query, in order.
  public func ordered(_ query: ListQuery) -> [ObjectKey] {
    var found: [ObjectKey]
    switch query.scope {
    case .all:
      let numbers = numbers(of: query.entity)
      found = keys.filter { numbers.contains($0.entity) }
    case .related(let key, let relationship):
      switch objects[key]?.values[relationship] {
      case .one(let target): found = target.map { [$0] } ?? []
      case .many(let targets): found = targets
      default: found = []
      }
    }
    if case .all = query.scope { found.sort { ($0.entity, $0.primaryKey) < ($1.entity, $1.primaryKey) } }
    if let text = query.text { found.removeAll { !contains($0, text) } }
    if let filter = query.filter { found.removeAll { !fulfils($0, filter) } }
    if let sort = query.sort.first {
      let ranked = found.enumerated().map { (index: $0, key: $1, rank: rank($1, sort.key)) }
      found = ranked.sorted { left, right in
        if left.rank == right.rank { return left.index < right.index }
        return sort.ascending ? left.rank < right.rank : right.rank < left.rank
      }.map(\.key)
    }
    return found
  }

  /// A stretch of rows of a query.
  public func window(_ query: ListQuery, columns: [String], at place: WindowPlace, limit: Int) -> ListWindow {
    if case .keys(let keys) = place {
      return ListWindow(
        rows: keys.filter { objects[$0] != nil }.map { row($0, columns) }, reachesStart: false, reachesEnd: false)
    }
    let all = ordered(query)
    let range: Range<Int> =
      switch place {
      case .start, .keys: 0..<min(limit, all.count)
      case .end: max(0, all.count - limit)..<all.count
      case .after(let key):
        all.firstIndex(of: key).map { ($0 + 1)..<min($0 + 1 + limit, all.count) } ?? 0..<0
      case .before(let key): all.firstIndex(of: key).map { max(0, $0 - limit)..<$0 } ?? 0..<0
      }
    return ListWindow(
      rows: all[range].map { row($0, columns) }, reachesStart: range.lowerBound == 0,
      reachesEnd: range.upperBound == all.count)
  }

  /// One object whole.
  public func record(_ key: ObjectKey) -> RecordDetail? {
    guard let object = objects[key], let entity = outline.entities.first(where: { $0.number == key.entity }) else {
      return nil
    }
    let fields = entity.properties.map { RecordField(property: $0, value: cell(object, $0.name)) }
    return RecordDetail(
      key: key, entity: entity.name,
      uri: "x-coredata://\(Self.identifier)/\(entity.name)/p\(key.primaryKey)", version: 1,
      title: title(key), fields: fields)
  }

  private func row(_ key: ObjectKey, _ columns: [String]) -> ListRow {
    let object = objects[key]
    return ListRow(key: key, cells: columns.map { name in object.map { cell($0, name) } ?? .null })
  }

  private func cell(_ object: Object, _ name: String) -> CellValue {
    switch object.values[name] {
    case .plain(let value): value
    case .one(let key): key.map { .object($0, title: title($0)) } ?? .null
    case .many(let keys): .objects(count: keys.count)
    case nil: .null
    }
  }

  private func title(_ key: ObjectKey) -> String? {
    for name in ["name", "title", "label"] {
      if case .plain(.text(let text, _)) = objects[key]?.values[name] { return text }
    }
    return nil
  }

  private func contains(_ key: ObjectKey, _ text: String) -> Bool {
    objects[key]?.values.values.contains { value in
      guard case .plain(.text(let own, _)) = value else { return false }
      return own.range(of: text, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    } ?? false
  }

  /// A number and a text to sort by; missing values come first.
  private func rank(_ key: ObjectKey, _ name: String) -> (Double, String) {
    guard let object = objects[key] else { return (-.infinity, "") }
    switch cell(object, name) {
    case .integer(let number): return (Double(number), "")
    case .real(let number): return (number, "")
    case .boolean(let isTrue): return (isTrue ? 1 : 0, "")
    case .date(let date): return (date.timeIntervalSinceReferenceDate, "")
    case .text(let text, _): return (0, text)
    case .object(_, let title): return (0, title ?? "")
    default: return (-.infinity, "")
    }
  }

  /// The numbers of an entity and its subentities.
  private func numbers(of name: String) -> Set<Int32> {
    guard let start = outline.entities.firstIndex(where: { $0.name == name }) else { return [] }
    var numbers: Set<Int32> = [outline.entities[start].number]
    for entity in outline.entities[(start + 1)...] {
      if entity.depth <= outline.entities[start].depth { break }
      numbers.insert(entity.number)
    }
    return numbers
  }
}
