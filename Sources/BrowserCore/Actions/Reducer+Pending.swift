import CoreData
import CoreDataKit

extension BrowserState {
  /// An object with its edited values.
  func edited(_ record: RecordDetail) -> RecordDetail {
    guard pendingCount > 0 || !editing.operations.isEmpty else { return record }
    var record = record
    for (index, field) in record.fields.enumerated() {
      guard let mine = editing.value(of: field.property.name, in: record.key) else { continue }
      record.fields[index].value = shown(mine, whole: true)
    }
    return record
  }

  /// A new object as the inspector shows it.
  func newRecord(_ key: ObjectKey) -> RecordDetail? {
    guard let object = editing.edits[key], let entity = entity(named: object.entity) else { return nil }
    let fields = entity.properties.map { property in
      RecordField(
        property: property, value: shown(object.fields[property.name]?.mine ?? absent(property.kind), whole: true))
    }
    return RecordDetail(
      key: key, entity: object.entity, uri: "", version: nil, title: title(of: key), fields: fields)
  }

  private func absent(_ kind: PropertyOutline.Kind) -> PropertyValue {
    if case .toMany = kind { .objects([]) } else { .null }
  }

  /// The cell of a new object in a column.
  func newCell(_ object: EditState.Object, _ property: PropertyOutline) -> CellValue {
    shown(editing.value(of: property.name, in: object.key) ?? absent(property.kind))
  }

  /// A step from or to the new objects above the list; `nil` when it is one of the list itself.
  mutating func moveAmongNew(_ motion: Motion) -> [Effect]? {
    let new = newObjects
    guard !new.isEmpty, let list else { return nil }
    if let index = new.firstIndex(where: { $0.key == editing.selectedNew }) {
      switch motion {
      case .up: editing.selectedNew = new[max(0, index - 1)].key
      case .first, .pageUp, .halfPageUp: editing.selectedNew = new[0].key
      case .down where index + 1 < new.count: editing.selectedNew = new[index + 1].key
      case .down, .pageDown, .halfPageDown:
        guard !list.buffer.rows.isEmpty else { return [] }
        editing.selectedNew = nil
        return changeList { $0.select($0.top, line: 0, height: $1) }
      case .last:
        editing.selectedNew = nil
        return nil
      }
      return []
    }
    let isAtStart = list.cursor == 0 && list.buffer.reachesStart && list.replacing == nil && list.owed == 0
    switch motion {
    case .up, .pageUp, .halfPageUp:
      guard isAtStart || list.isEmpty else { return nil }
      editing.selectedNew = new[new.count - 1].key
      return []
    case .first:
      let effects = changeList { $0.move(.first, height: $1) }
      editing.selectedNew = new[0].key
      return effects
    default: return nil
    }
  }

  /// Where the list is, to tell whether something else is selected.
  var listPlace: ListPlace { ListPlace(list: list?.id, key: list?.selectedRow?.key) }

  /// A list and the object of its selected row.
  struct ListPlace: Equatable { var list: Int?, key: ObjectKey? }

  /// Selects the object that was waited for, as soon as the list has it.
  mutating func selectWanted() -> [Effect] {
    guard let wanted = editing.wanted, let list, list.replacing == nil else { return [] }
    let isAtHand = list.buffer.rows.contains { $0.key == wanted.key }
    let position = isAtHand ? nil : list.keys?.position(of: wanted.key)
    guard isAtHand || position != nil else { return [] }
    editing.wanted = nil
    editing.selectedNew = nil
    if let property = wanted.property { goToColumn(property) }
    return changeList { $0.go(to: wanted.key, position: position, height: $1) }
  }

  private mutating func goToColumn(_ property: String) {
    guard let column = list?.columns.firstIndex(where: { $0.name == property }) else { return }
    let width = listWidth
    list?.unhide(column: column)
    list?.column = column
    list?.revealColumn(width: width)
  }

  /// Goes to the first value that cannot be saved.
  mutating func showFirstInvalid() -> [Effect] {
    for object in editing.edits.objects where object.kind != .delete {
      let order = entity(named: object.entity)?.properties.map(\.name) ?? []
      guard let property = order.first(where: { object.fields[$0]?.problem != nil }) else { continue }
      focus = .list
      if let list, newObjects.contains(where: { $0.key == object.key }), list.query.scope == .all {
        editing.selectedNew = object.key
        goToColumn(property)
        return settle()
      }
      editing.wanted = EditingState.Wanted(key: object.key, property: property)
      let isListed = list.map { entityNumbers(under: $0.query.entity).contains(object.key.entity) } ?? false
      if isListed, list?.query.scope == .all { return selectWanted() }
      let effects = show(ListQuery(entity: object.entity), remembering: true)
      if object.key.isNew {
        editing.wanted = nil
        editing.selectedNew = object.key
        goToColumn(property)
      }
      return effects
    }
    return []
  }
}
