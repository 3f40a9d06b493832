import CoreData

/// A pet of an owner, for key paths over relationships.
final class SortedPet: NSManagedObject {
  @Persisted var name: String?
  @Persisted var age: Int32
  @Persisted var weight: Double
  @Persisted var price: Decimal?
  @Persisted var born: Date?
  @Persisted var isTame: Bool
  @Persisted var chip: UUID?
  @Persisted var photo: Data?
  @Persisted var link: URL?
  @Persisted var title: String
  @Persisted var kind: PetKind
  @Persisted var owner: SortedOwner?
  @Persisted var keeper: SortedOwner

  /// Computed in ways that change values, or do not expect any value.
  var trimmed: String { String((name ?? "").prefix(1)) }
  var initial: String { String(name.map { $0.first.map(String.init) ?? "" } ?? "") }
  var isWild: Bool {
    get { !isTame }
    set { isTame = !newValue }
  }
  var described: String? {
    get { name.map { $0 + title } }
    set { name = newValue }
  }
  var nameOrEmpty: String? {
    get { name ?? "" }
    set { name = newValue }
  }
  var notZero: Int32 {
    get { max(age, 1) }
    set { age = newValue }
  }
  /// Computed without a change: the same as the property.
  var alias: String? {
    get { name }
    set { name = newValue }
  }
  /// Read by its key, as classes without property wrappers do.
  var code: Int {
    get { value(forKey: "code") as? Int ?? -1 }
    set { setValue(newValue, forKey: "code") }
  }
  var letters: [Character] { name.map(Array.init) ?? [] }
}

/// What a pet is.
enum PetKind: Int16, PersistedValue, Codable {
  case cat, dog
  static var absent: PetKind { .cat }
}

/// An owner of pets.
final class SortedOwner: NSManagedObject {
  @Persisted var name: String?
  @Persisted var age: Int32
  @Persisted var pets: Set<SortedPet>
  @Persisted var boss: SortedOwner?
}
