/// Optimistic conflict detection: whether rows are still what changes were based on (reference/CONTEXT.md 48).
///
/// Besides versions the values are compared, always: plain SQL does not raise `Z_OPT` (reference/SQLITE.md 9).
enum ConflictCheck {
  /// The objects of a save whose rows, as the store has them now, are not those of their snapshots.
  static func conflicts(
    of request: SaveRequest, with current: [NSManagedObjectID: RowReference]
  ) -> [SaveConflicts.Conflict] {
    var conflicts: [SaveConflicts.Conflict] = []
    for object in request.updated + request.checked {
      // A row that is gone cannot be written, whatever the change was based on.
      guard let row = current[object.id] else {
        conflicts.append(.init(id: object.id, persisted: nil))
        continue
      }
      if let snapshot = object.snapshot, !row.isSame(as: snapshot, for: object.id.entity) {
        conflicts.append(.init(id: object.id, persisted: row))
      }
    }
    for object in request.deleted {
      guard let snapshot = object.snapshot else { continue }
      let row = current[object.id]
      if !(row?.isSame(as: snapshot, for: object.id.entity) ?? false) {
        conflicts.append(.init(id: object.id, persisted: row))
      }
    }
    return conflicts
  }
}

extension RowReference {
  /// The row's version, `Z_OPT`: the first cell of every row.
  var version: Int64? { slab.integer(row: index, column: 0) }

  /// Whether two rows have one version and the same values of an entity's attributes and to-one relationships.
  ///
  /// What only one of them holds, as after a fetch of few properties, is not compared.
  func isSame(as other: RowReference, for entity: NSEntityDescription) -> Bool {
    guard isSame(at: 0, as: other, at: 0) else { return false }
    return zip(slab.layout.columns(of: entity), other.slab.layout.columns(of: entity)).allSatisfy { own, others in
      isSame(at: Int(own.value), as: other, at: Int(others.value))
        && isSame(at: Int(own.entity), as: other, at: Int(others.entity))
    }
  }

  private func isSame(at column: Int, as other: RowReference, at otherColumn: Int) -> Bool {
    guard column >= 0, otherColumn >= 0 else { return true }
    let tag = slab.tag(row: index, column: column)
    guard tag == other.slab.tag(row: other.index, column: otherColumn) else { return false }
    switch tag {
    case .null: return true
    case .integer, .real:
      return slab.word(row: index, column: column) == other.slab.word(row: other.index, column: otherColumn)
    case .text, .blob:
      return slab.withBytes(row: index, column: column) { bytes in
        other.slab.withBytes(row: other.index, column: otherColumn) { bytes.elementsEqual($0) }
      }
    }
  }
}
