/// How fetched results differ from what they were, by section and by object.
struct FetchedResultsChange {
  let old: FetchedContent
  let new: FetchedContent
  /// The sections that went, by their indices before, ascending.
  private(set) var deletedSections: [Int] = []
  /// The sections that came, by their indices after, ascending.
  private(set) var insertedSections: [Int] = []
  /// One for each object: deletes, inserts, moves, updates, each by ascending place.
  private(set) var objects: [(object: NSManagedObject, kind: PlacedChange.Kind)] = []

  /// The change that some places tell, as `PlacedChange.kinds` wants them.
  ///
  /// A section that comes to stand elsewhere among those that stay is told as gone and come, since there is no other word for
  /// it, and its objects as moved (reference/FRC.md 48).
  init(
    _ placed: [(key: NSManagedObject, change: PlacedChange)], from old: FetchedContent, to new: FetchedContent
  ) {
    self.old = old
    self.new = new
    var kinds = PlacedChange.kinds(of: placed.map(\.change))
    var unchanged: [(object: NSManagedObject, kind: PlacedChange.Kind)] = []
    if old.isCut {
      let stays = compareSections()
      for (index, kind) in kinds.enumerated() {
        guard case .update(let from, let to) = kind else { continue }
        if stays[old.sectionIndex(of: from)] != new.sectionIndex(of: to) { kinds[index] = .move(from: from, to: to) }
      }
      unchanged = relocated(Set(placed.map { ObjectIdentifier($0.key) }), stays)
    }
    objects =
      zip(placed, kinds).compactMap { place, kind in kind.map { (place.key, $0) } } + unchanged
    objects.sort { Self.turn($0.kind) < Self.turn($1.kind) }
  }

  /// Finds sections that came and went; answers the new index of each that stays.
  private mutating func compareSections() -> [Int: Int] {
    let (before, after) = (old.sections.map(\.name), new.sections.map(\.name))
    var (gone, come): (Set<Int>, Set<Int>) = ([], [])
    for (_, change) in PlacedChange.between(before, after, changed: []) {
      if let old = change.old { gone.insert(old) }
      if let new = change.new { come.insert(new) }
    }
    deletedSections = gone.sorted()
    insertedSections = come.sorted()
    let staying = zip(before.indices.filter { !gone.contains($0) }, after.indices.filter { !come.contains($0) })
    return Dictionary(uniqueKeysWithValues: Array(staying))
  }

  /// The objects that did not change themselves, of sections that are told as gone and come.
  private func relocated(
    _ changed: Set<ObjectIdentifier>, _ stays: [Int: Int]
  ) -> [(object: NSManagedObject, kind: PlacedChange.Kind)] {
    var places: [ObjectIdentifier: Int] = [:]
    for section in insertedSections {
      for place in new.sections[section].range { places[ObjectIdentifier(new.objects[place])] = place }
    }
    return deletedSections.flatMap { section in
      old.sections[section].range.compactMap { place in
        let object = old.objects[place]
        if changed.contains(ObjectIdentifier(object)) { return nil }
        return places[ObjectIdentifier(object)].map { (object, .move(from: place, to: $0)) }
      }
    }
  }

  private static func turn(_ kind: PlacedChange.Kind) -> (Int, Int) {
    switch kind {
    case .delete(let place): (0, place)
    case .insert(let place): (1, place)
    case .move(_, let place): (2, place)
    case .update(_, let place): (3, place)
    }
  }

  /// Whether nothing is to be told.
  var isEmpty: Bool { objects.isEmpty && deletedSections.isEmpty && insertedSections.isEmpty }

  /// Leaves out updates of some objects.
  mutating func removeUpdates(of others: Set<ObjectIdentifier>) {
    objects.removeAll { object, kind in
      if case .update = kind { others.contains(ObjectIdentifier(object)) } else { false }
    }
  }

  /// The objects that stayed and were changed, moved ones included.
  var updated: [NSManagedObject] {
    objects.compactMap { object, kind in
      switch kind {
      case .update, .move: object
      case .insert, .delete: nil
      }
    }
  }
}
