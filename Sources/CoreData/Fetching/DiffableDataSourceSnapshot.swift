/// The sections and items of a list at one moment, by identifiers; what a data source is brought up to date with.
///
/// Source: Apple, "NSDiffableDataSourceSnapshot". Identifiers are unique: one that is there already, or is asked for and not
/// there, stops the program.
public struct NSDiffableDataSourceSnapshot<SectionIdentifierType: Hashable, ItemIdentifierType: Hashable> {
  private var sections: [(id: SectionIdentifierType, items: [ItemIdentifierType])] = []
  /// The items that stay and whose content changed, in no order.
  private var reloaded: Set<ItemIdentifierType> = []

  /// An empty snapshot.
  public init() {}

  // MARK: Reading

  /// How many items there are.
  public var numberOfItems: Int { sections.reduce(0) { $0 + $1.items.count } }
  /// How many sections there are.
  public var numberOfSections: Int { sections.count }
  /// The sections, in order.
  public var sectionIdentifiers: [SectionIdentifierType] { sections.map(\.id) }
  /// All items, in order.
  public var itemIdentifiers: [ItemIdentifierType] { sections.flatMap(\.items) }
  /// The items that stay and whose content changed, in order.
  public var reloadedItemIdentifiers: [ItemIdentifierType] {
    reloaded.isEmpty ? [] : itemIdentifiers.filter(reloaded.contains)
  }

  /// How many items a section has.
  public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int {
    sections[place(of: identifier)].items.count
  }

  /// The items of a section, in order.
  public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
    sections[place(of: identifier)].items
  }

  /// The section that an item is in; `nil` for an item that is not there.
  public func sectionIdentifier(containingItem identifier: ItemIdentifierType) -> SectionIdentifierType? {
    sections.first { $0.items.contains(identifier) }?.id
  }

  /// The position of an item among all items.
  public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? { itemIdentifiers.firstIndex(of: identifier) }

  /// The position of a section.
  public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
    sections.firstIndex { $0.id == identifier }
  }

  // MARK: Building

  /// Adds sections at the end.
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    for identifier in identifiers {
      precondition(indexOfSection(identifier) == nil, "the snapshot has this section already: \(identifier)")
      sections.append((identifier, []))
    }
  }

  /// Adds items at the end of a section, of the last one unless it is named.
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection section: SectionIdentifierType? = nil
  ) {
    let place = section.map(place(of:)) ?? sections.count - 1
    precondition(place >= 0, "the snapshot has no section to add items to")
    precondition(
      Set(itemIdentifiers).union(identifiers).count == numberOfItems + identifiers.count,
      "items of a snapshot must be unique")
    sections[place].items += identifiers
  }

  /// Takes items away; those that are not there are passed over.
  public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
    let gone = Set(identifiers)
    for place in sections.indices { sections[place].items.removeAll(where: gone.contains) }
    reloaded.subtract(gone)
  }

  /// Takes all sections and items away.
  public mutating func deleteAllItems() { self = Self() }

  /// Takes sections away, with their items.
  public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) {
    let gone = Set(identifiers)
    for section in sections where gone.contains(section.id) { reloaded.subtract(section.items) }
    sections.removeAll { gone.contains($0.id) }
  }

  /// Marks items as changed in content.
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) { reloaded.formUnion(identifiers) }

  private func place(of identifier: SectionIdentifierType) -> Int {
    guard let place = indexOfSection(identifier) else {
      preconditionFailure("the snapshot has no section \(identifier)")
    }
    return place
  }

  /// A snapshot of what is known to be unique.
  init(
    sections: [(id: SectionIdentifierType, items: [ItemIdentifierType])], reloaded: Set<ItemIdentifierType> = []
  ) {
    self.sections = sections
    self.reloaded = reloaded
  }
}

extension NSDiffableDataSourceSnapshot: Equatable {
  /// Whether both have the same sections, items and marks.
  public static func == (left: Self, right: Self) -> Bool {
    left.sections.elementsEqual(right.sections, by: ==) && left.reloaded == right.reloaded
  }
}

/// The snapshot that a fetched results controller hands out: section names and object ids.
///
/// On Apple's platforms a class that `as` bridges to the structure; here it is the structure, and the same line compiles.
public typealias NSDiffableDataSourceSnapshotReference = NSDiffableDataSourceSnapshot<String, NSManagedObjectID>
