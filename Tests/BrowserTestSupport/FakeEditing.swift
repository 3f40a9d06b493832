import BrowserCore
import CoreData
import CoreDataKit
import Foundation

/// An edit session in memory: edits wait with what they started from, are validated, undone, saved, and meet what others did.
///
/// The festival's rules: titles and names must be there, priorities are at most 100. Venues take their events along, tags with
/// events forbid their delete, all else only loses a link.
public struct FakeEditing: Sendable {
  /// The edits that wait.
  public private(set) var state = EditState()
  /// Why a value cannot be saved, by property.
  public var rules: [String: @Sendable (PropertyValue) -> String?] = Self.festivalRules
  /// Answers the next save instead of what would come of it.
  public var nextResult: EditOutcome.Result?

  private var past: [(title: String, state: EditState)] = []
  private var future: [(title: String, state: EditState)] = []
  /// What the store held when an object was first edited.
  private var bases: [ObjectKey: FakeStore.Object] = [:]
  private var lastKey: Int64 = 0

  /// No edits.
  public init() {}

  /// Does an operation, and returns what it led to; a save changes the store.
  mutating func perform(_ operation: EditOperation, on store: inout FakeStore) -> EditOutcome {
    var result = EditOutcome.Result.done
    switch operation {
    case .set(let key, let property, let value):
      step("\(property) of \(name(key, store))")
      set(key, property, value, store)
    case .insert(let entity):
      lastKey -= 1
      let key = ObjectKey(entity: store.outline.entities.first { $0.name == entity }?.number ?? 0, primaryKey: lastKey)
      step("new \(entity)")
      insert(key, entity, store)
      result = .inserted(key)
    case .delete(let keys):
      let preview = store.deletePreview(keys)
      if preview.isDenied {
        result = .refused("A relationship forbids the delete.")
        break
      }
      step("delete of \(keys.map { name($0, store) }.joined(separator: ", "))")
      delete(keys, store)
    case .undo: if let last = past.popLast() { exchange(last, with: \.future) }
    case .redo: if let next = future.popLast() { exchange(next, with: \.past) }
    case .discard: forget()
    case .save: result = save(&store)
    case .resolve(let sides):
      settle(sides, store)
      result = save(&store, keeping: sides)
    case .restore(let edits):
      step("edits of an earlier run")
      state.objects = edits.objects
      for object in edits.objects { bases[object.key] = store.object(object.key) }
    }
    (state.undoTitle, state.redoTitle) = (past.last?.title, future.last?.title)
    return EditOutcome(state: state, result: result)
  }

  /// Why a value cannot be saved.
  func problem(_ value: PropertyValue, of property: String) -> String? { rules[property]?(value) }

  private mutating func step(_ title: String) {
    past.append((title, state))
    future = []
  }

  private mutating func exchange(
    _ step: (title: String, state: EditState), with other: WritableKeyPath<Self, [(title: String, state: EditState)]>
  ) {
    self[keyPath: other].append((step.title, state))
    state = step.state
  }

  private mutating func forget() {
    (state, past, future, bases) = (EditState(), [], [], [:])
  }

  // MARK: Edits

  private mutating func set(_ key: ObjectKey, _ property: String, _ value: PropertyValue, _ store: FakeStore) {
    if bases[key] == nil { bases[key] = store.object(key) }
    var object =
      state[key]
      ?? EditState.Object(key: key, entity: store.entityName(key), kind: .update, version: store.record(key)?.version)
    let base = object.fields[property]?.base ?? store.propertyValue(key, property)
    object.fields[property] =
      value == base && object.kind == .update
      ? nil : EditState.Field(base: base, mine: value, problem: problem(value, of: property))
    put(object.fields.isEmpty && object.kind == .update ? nil : object, key)
  }

  private mutating func insert(_ key: ObjectKey, _ entity: String, _ store: FakeStore) {
    var object = EditState.Object(key: key, entity: entity, kind: .insert)
    for property in store.outline.entities.first(where: { $0.name == entity })?.properties ?? [] {
      let value: PropertyValue =
        switch property.name {
        case "priority": .integer(0)
        case "isPublic": .boolean(true)
        default: .null
        }
      let problem = problem(value, of: property.name)
      if value != .null || problem != nil {
        object.fields[property.name] = EditState.Field(base: .null, mine: value, problem: problem)
      }
    }
    put(object, key)
  }

  private mutating func delete(_ keys: [ObjectKey], _ store: FakeStore) {
    for key in keys + store.cascaded(from: keys) {
      if key.primaryKey < 0 {
        put(nil, key)
        continue
      }
      if bases[key] == nil { bases[key] = store.object(key) }
      put(
        EditState.Object(key: key, entity: store.entityName(key), kind: .delete, isCascade: !keys.contains(key)), key)
    }
  }

  private mutating func put(_ object: EditState.Object?, _ key: ObjectKey) {
    guard let object else { return state.objects.removeAll { $0.key == key } }
    if let index = state.objects.firstIndex(where: { $0.key == key }) {
      state.objects[index] = object
    } else {
      state.objects.append(object)
    }
  }

  private func name(_ key: ObjectKey, _ store: FakeStore) -> String {
    store.record(key)?.title ?? (key.primaryKey < 0 ? "new " : "") + store.entityName(key)
  }

  // MARK: Saving

  private mutating func save(
    _ store: inout FakeStore, keeping sides: [ObjectKey: [String: EditConflict.Side]] = [:]
  ) -> EditOutcome.Result {
    if let nextResult {
      self.nextResult = nil
      return nextResult
    }
    let kept = Set(sides.filter { $0.value[""] == .mine }.keys)
    let problems = state.objects.flatMap { object in
      object.fields.sorted { $0.key < $1.key }.compactMap { $0.value.problem }.map {
        "\(name(object.key, store)): \($0)"
      }
    }
    if !problems.isEmpty { return .invalid(problems) }
    let conflicts = state.objects.compactMap { kept.contains($0.key) ? nil : conflict($0, store) }
    if !conflicts.isEmpty { return .conflicts(conflicts) }
    var keys: [ObjectKey: ObjectKey] = [:]
    let saved = state.objects.filter { !kept.contains($0.key) }
    for object in saved {
      switch object.kind {
      case .delete: store.remove(object.key)
      case .update: for (name, field) in object.fields { store.put(object.key, name, field.mine) }
      case .insert:
        let key = ObjectKey(entity: object.key.entity, primaryKey: store.nextKey(of: object.entity))
        keys[object.key] = key
        store.add(FakeStore.Object(key, [:]))
        for (name, field) in object.fields { store.put(key, name, field.mine) }
      }
    }
    let rest = state.objects.filter { kept.contains($0.key) }
    forget()
    state.objects = rest
    return .saved(count: saved.count, keys: keys)
  }

  private func conflict(_ object: EditState.Object, _ store: FakeStore) -> EditConflict? {
    guard object.kind == .update, let base = bases[object.key] else { return nil }
    let title = store.record(object.key)?.title
    guard let now = store.object(object.key) else {
      return EditConflict(key: object.key, entity: object.entity, title: title, isGone: true, fields: [])
    }
    let theirs = Set(base.values.keys).union(now.values.keys).filter { base.values[$0] != now.values[$0] }
    guard !theirs.isEmpty else { return nil }
    let fields = theirs.union(object.fields.keys).sorted().map { name in
      let old = FakeStore.propertyValue(base.values[name])
      return EditConflict.Field(
        property: name, base: old, mine: object.fields[name]?.mine ?? old,
        theirs: FakeStore.propertyValue(now.values[name]))
    }
    return EditConflict(key: object.key, entity: object.entity, title: title, isGone: false, fields: fields)
  }

  private mutating func settle(_ sides: [ObjectKey: [String: EditConflict.Side]], _ store: FakeStore) {
    for (key, properties) in sides {
      guard var object = state[key] else { continue }
      if properties[""] == .theirs {
        put(nil, key)
        continue
      }
      for (property, side) in properties where !property.isEmpty {
        let theirs = store.propertyValue(key, property)
        let mine =
          side == .mine
          ? object.fields[property]?.mine ?? FakeStore.propertyValue(bases[key]?.values[property]) : theirs
        object.fields[property] = mine == theirs ? nil : EditState.Field(base: theirs, mine: mine)
      }
      bases[key] = store.object(key)
      put(object.fields.isEmpty && properties[""] == nil ? nil : object, key)
    }
  }

  static let festivalRules: [String: @Sendable (PropertyValue) -> String?] = [
    "title": { required($0, "title") }, "name": { required($0, "name") },
    "priority": { value in
      if case .integer(let number) = value, number > 100 { "priority is at most 100" } else { nil }
    },
  ]

  private static func required(_ value: PropertyValue, _ name: String) -> String? {
    value == .null || value == .text("") ? "\(name) is required" : nil
  }
}

extension FakeStore {
  func entityName(_ key: ObjectKey) -> String { outline.entities.first { $0.number == key.entity }?.name ?? "" }

  func nextKey(of entity: String) -> Int64 { (keys(of: entity).map(\.primaryKey).max() ?? 0) + 1 }

  func propertyValue(_ key: ObjectKey, _ property: String) -> PropertyValue {
    Self.propertyValue(object(key)?.values[property])
  }

  /// A value as it travels; what an object does not have is `nil`.
  static func propertyValue(_ value: Value?) -> PropertyValue {
    switch value {
    case .one(let key)?: key.map { .object($0) } ?? .null
    case .many(let keys)?: .objects(keys)
    case .plain(.integer(let number))?: .integer(number)
    case .plain(.boolean(let isTrue))?: .boolean(isTrue)
    case .plain(.real(let number))?: .real(number)
    case .plain(.decimal(let text))?: .decimal(text)
    case .plain(.date(let date))?: .date(date)
    case .plain(.uuid(let uuid))?: .uuid(uuid)
    case .plain(.text(let text, _))?: .text(text)
    case .plain(.bytes(let head, _))?: .data(Data(head))
    case .plain(.odd(let text))?: .odd(text)
    default: .null
    }
  }

  /// Gives an object's property a value.
  mutating func put(_ key: ObjectKey, _ property: String, _ value: PropertyValue) {
    let stored: Value =
      switch value {
      case .null: .plain(.null)
      case .integer(let number): .plain(.integer(number))
      case .boolean(let isTrue): .plain(.boolean(isTrue))
      case .real(let number): .plain(.real(number))
      case .decimal(let text): .plain(.decimal(text))
      case .date(let date): .plain(.date(date))
      case .uuid(let uuid): .plain(.uuid(uuid))
      case .text(let text): .plain(.text(text, length: text.count))
      case .data(let data): .plain(.bytes(head: Array(data.prefix(16)), count: data.count))
      case .object(let key): .one(key)
      case .objects(let keys): .many(keys)
      case .odd(let text): .plain(.odd(text))
      }
    set(key, property, stored)
  }

  // MARK: Delete rules

  private func related(_ keys: [ObjectKey], _ property: String) -> [ObjectKey] {
    var found: [ObjectKey] = []
    for key in keys {
      switch object(key)?.values[property] {
      case .one(let other?): found.append(other)
      case .many(let others): found += others
      default: break
      }
    }
    var seen = Set(keys)
    return found.filter { seen.insert($0).inserted }
  }

  /// The events of venues that are deleted.
  func cascaded(from keys: [ObjectKey]) -> [ObjectKey] { related(keys.filter { entityName($0) == "Venue" }, "events") }

  func deletePreview(_ keys: [ObjectKey]) -> DeletePreview {
    var lines: [DeletePreview.Line] = []
    func add(_ fate: DeletePreview.Line.Fate, _ objects: [ObjectKey], _ relationship: String?) {
      for entity in Set(objects.map(entityName)).sorted() {
        let own = objects.filter { entityName($0) == entity }
        lines.append(
          DeletePreview.Line(
            fate: fate, entity: entity, relationship: relationship, count: own.count,
            examples: own.prefix(3).map { record($0)?.title ?? "p\($0.primaryKey)" }))
      }
    }
    let cascade = cascaded(from: keys)
    let gone = keys + cascade
    let events = gone.filter { entityName($0) == "Event" }
    add(.chosen, keys, nil)
    add(.cascaded, cascade, "Venue.events")
    add(.nullified, related(events, "tags"), "Event.tags")
    add(.nullified, related(events, "venue").filter { !gone.contains($0) }, "Event.venue")
    add(.denying, related(keys.filter { entityName($0) == "Tag" }, "events"), "Tag.events")
    return DeletePreview(lines: lines)
  }
}
