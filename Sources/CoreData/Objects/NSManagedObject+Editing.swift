// What whoever shows edits asks of an object; ours, Apple has no such members.

extension NSManagedObject {
  /// The persistent properties whose values are other than the store's were; to-many relationships are not read for this.
  package final var changedKeys: [String] {
    changedSlots.filter(isChangedInEffect).map { objectClass.properties[$0].name }
  }

  /// The version (`Z_OPT`) of the row that the object's values come from; `nil` when it was never saved, or is gone.
  package final var storedVersion: Int? { version.map { Int($0) } }
}
