import CoreData
import CoreDataKit

/// All that the browser knows of edits that wait to be saved.
///
/// They belong to objects, not to places on screen: lists and the inspector look here for what to show instead of the
/// store's values.
struct EditingState: Equatable, Sendable {
  /// Whether edits are let through.
  enum Lock: Hashable, Sendable {
    case locked, unlocking, unlocked
  }

  /// Whether edits are let through.
  var lock = Lock.locked
  /// Whether to unlock as soon as the store is open.
  var opensUnlocked = false
  /// What was asked for before the store was unlocked.
  var afterUnlock: EditIntent?
  /// The edits that wait.
  var edits = EditState()
  /// The operation under way, and those that wait for it.
  var operations: [EditOperation] = []
  /// The new object that is selected instead of a row of the list.
  var selectedNew: ObjectKey?
  /// An object that is to be selected once the list has it, and the property to go to.
  var wanted: Wanted?
  /// The property whose editor opens once the inspected object has been read whole.
  var opensWhenRead: EditTarget?
  /// Whether the program ends once everything is saved or discarded.
  var quitsWhenDone = false

  /// An object to select as soon as it is there.
  struct Wanted: Hashable, Sendable {
    var key: ObjectKey
    var property: String?
  }

  /// The value that a property is edited to, also while that is on its way; `nil` when it is not edited.
  func value(of property: String, in key: ObjectKey) -> PropertyValue? {
    for operation in operations.reversed() {
      if case .set(key, property, let value) = operation { return value }
    }
    return edits[key]?.fields[property]?.mine
  }
}

/// What is being edited and where it stands on screen.
struct EditTarget: Hashable, Sendable {
  /// Where the editor lies.
  enum Place: Hashable, Sendable { case cell, field }

  var key: ObjectKey
  var property: PropertyOutline
  var place: Place
}

/// What a mark beside an object tells of its edits.
enum PendingMark: Hashable, Sendable {
  case edited, new, deleted
  /// Edited to a value that cannot be saved.
  case invalid
}

extension EditState.Object {
  /// The mark of the object.
  var mark: PendingMark {
    if kind == .delete { return .deleted }
    if fields.values.contains(where: { $0.problem != nil }) { return .invalid }
    return kind == .insert ? .new : .edited
  }
}

extension ObjectKey {
  /// Whether the object is not in the store yet.
  var isNew: Bool { primaryKey < 0 }
}

extension BrowserState {
  /// Whether changes of an object wait, since a value of it is being edited.
  func isHeld(_ key: ObjectKey) -> Bool { editor?.target.key == key }

  /// What is told of changes that wait for the editor to close; `nil` when there are none.
  var heldWords: String? {
    guard let key = editor?.target.key else { return nil }
    let count = heldChanges(of: key)
    return count == 0 ? nil : count == 1 ? "1 change held" : "\(count) changes held"
  }

  /// How many objects have edits that wait to be saved.
  var pendingCount: Int { editing.edits.objects.count }

  /// Why nothing can ever be edited here; `nil` when it can.
  var readOnlyReason: String? {
    guard let outline, outline.isReadOnly else { return nil }
    return "Read-only: " + (outline.readOnlyReason ?? "\(outline.name) cannot be edited.")
  }

  /// The object that commands are for: a new one, or that of the selected row.
  var selectedKey: ObjectKey? { selectedNewObject?.key ?? list?.selectedRow?.key }

  /// The new objects that the list shows above its rows, in the order they were made.
  var newObjects: [EditState.Object] {
    guard let list, list.query.scope == .all, pendingCount > 0 else { return [] }
    let numbers = entityNumbers(under: list.query.entity)
    return editing.edits.objects.filter { $0.kind == .insert && numbers.contains($0.key.entity) }
  }

  /// The new object that is selected, where the list shows it.
  var selectedNewObject: EditState.Object? {
    guard let key = editing.selectedNew else { return nil }
    return newObjects.first { $0.key == key }
  }

  /// The numbers of an entity and its subentities.
  func entityNumbers(under name: String) -> Set<Int32> {
    guard let entities = outline?.entities, let start = entities.firstIndex(where: { $0.name == name }) else {
      return []
    }
    let below = entities[(start + 1)...].prefix { $0.depth > entities[start].depth }
    return Set([entities[start].number] + below.map(\.number))
  }

  /// A value as screens show it.
  ///
  /// Of text only the head is kept unless the whole is asked for.
  func shown(_ value: PropertyValue, whole: Bool = false) -> CellValue {
    switch value {
    case .null: .null
    case .integer(let number): .integer(number)
    case .boolean(let isTrue): .boolean(isTrue)
    case .real(let number): .real(number)
    case .decimal(let text): .decimal(text)
    case .date(let date): CivilTime(date, in: zone) == nil ? .odd(String(date.timeIntervalSince1970)) : .date(date)
    case .uuid(let uuid): .uuid(uuid)
    case .text(let text): .text(whole ? text : String(text.prefix(256)), length: text.count)
    case .data(let data): .bytes(head: Array(data.prefix(16)), count: data.count)
    case .object(let key): .object(key, title: title(of: key))
    case .objects(let keys): .objects(count: keys.count)
    case .odd(let text): .odd(text)
    }
  }

  /// The display name of an object, as far as something on screen knows it.
  func title(of key: ObjectKey) -> String? {
    if key.isNew {
      guard let object = editing.edits[key], let entity = entity(named: object.entity) else { return nil }
      let strings = entity.properties.filter { $0.kind == .string }.map(\.name)
      let named = ["name", "title", "label"].first { strings.contains($0) } ?? strings.first
      guard let named, case .text(let text)? = editing.value(of: named, in: key) else { return nil }
      return text
    }
    return inspector.record?.key == key ? inspector.record?.title : titleInRow(of: key)
  }
}

extension PropertyValue {
  /// The value that a cell shows, where the cell has the whole of it.
  init?(whole cell: CellValue) {
    switch cell {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .boolean(let isTrue): self = .boolean(isTrue)
    case .real(let number): self = .real(number)
    case .decimal(let text): self = .decimal(text)
    case .date(let date): self = .date(date)
    case .uuid(let uuid): self = .uuid(uuid)
    case .text(let text, let length) where text.count == length: self = .text(text)
    case .object(let key, _): self = .object(key)
    case .odd(let text): self = .odd(text)
    case .text, .bytes, .objects: return nil
    }
  }
}
