import Foundation

/// A section of fetched results.
///
/// Source: Apple, "NSFetchedResultsSectionInfo".
public protocol NSFetchedResultsSectionInfo {
  /// The section's name: the value of the section key path, as text.
  var name: String { get }
  /// Its title in an index.
  var indexTitle: String? { get }
  /// How many objects it has.
  var numberOfObjects: Int { get }
  /// Its objects, in order.
  var objects: [Any]? { get }
}

/// A section as it was at one moment; it does not change with the results.
struct FetchedSection: NSFetchedResultsSectionInfo {
  let name: String
  let indexTitle: String?
  let members: ArraySlice<NSManagedObject>

  var numberOfObjects: Int { members.count }
  var objects: [Any]? { Array(members) }
}

/// Fetched objects in order, and how they are cut into sections.
struct FetchedContent {
  /// A run of objects with one section name.
  struct Section: Equatable {
    var name: String
    var range: Range<Int>
  }

  private(set) var objects: [NSManagedObject] = []
  /// The section name of each object; empty when there is no section key path.
  private(set) var names: [String] = []
  /// Without a key path always one, also of no objects.
  private(set) var sections: [Section]
  /// Whether there is a section key path.
  let isCut: Bool

  /// Content without sections of its own.
  init(_ objects: [NSManagedObject]) {
    self.objects = objects
    isCut = false
    sections = [Section(name: "", range: 0..<objects.count)]
  }

  /// Content cut wherever the name changes.
  init(_ objects: [NSManagedObject], names: [String]) {
    precondition(objects.count == names.count)
    self.objects = objects
    self.names = names
    isCut = true
    sections = []
    var start = 0
    for index in names.indices where index + 1 == names.count || names[index + 1] != names[index] {
      sections.append(Section(name: names[index], range: start..<(index + 1)))
      start = index + 1
    }
  }

  /// The first object whose section came to its end before, and that section's name.
  var outOfOrder: (index: Int, name: String)? {
    var seen: Set<String> = []
    let section = sections.first { !seen.insert($0.name).inserted }
    return section.map { ($0.range.lowerBound, $0.name) }
  }

  /// The path of the object at a position.
  func path(_ position: Int) -> IndexPath {
    let section = sectionIndex(of: position)
    return IndexPath(row: position - sections[section].range.lowerBound, section: section)
  }

  /// Which section the object at a position is in.
  func sectionIndex(of position: Int) -> Int {
    var (low, high) = (0, sections.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if sections[middle].range.lowerBound <= position { low = middle } else { high = middle }
    }
    return low
  }

  /// The position of a path; `nil` when it leads nowhere.
  func position(of path: IndexPath) -> Int? {
    guard path.count == 2, sections.indices.contains(path.section), path.row >= 0 else { return nil }
    let range = sections[path.section].range
    return path.row < range.count ? range.lowerBound + path.row : nil
  }

  func name(at position: Int) -> String { names.isEmpty ? "" : names[position] }

  /// The content without some positions and with others filled; both ascending, as in `KeyList.edit`.
  func edited(
    removing removals: [Int], inserting insertions: [(position: Int, object: NSManagedObject, name: String)]
  ) -> FetchedContent {
    var objects: [NSManagedObject] = []
    var names: [String] = []
    objects.reserveCapacity(self.objects.count + insertions.count - removals.count)
    names.reserveCapacity(isCut ? objects.capacity : 0)
    var (gone, come, next) = (removals[...], insertions[...], 0)
    func keep(upTo end: Int) {
      objects += self.objects[next..<end]
      if isCut { names += self.names[next..<end] }
    }
    while !gone.isEmpty || !come.isEmpty {
      if let place = come.first, place.position == objects.count {
        objects.append(place.object)
        if isCut { names.append(place.name) }
        come.removeFirst()
        continue
      }
      let toNextInsertion = come.first.map { next + $0.position - objects.count } ?? .max
      let end = min(gone.first ?? self.objects.count, toNextInsertion, self.objects.count)
      precondition(end > next || gone.first == end, "a position lies outside of the fetched objects")
      keep(upTo: end)
      next = end
      if gone.first == end {
        gone.removeFirst()
        next += 1
      }
    }
    keep(upTo: self.objects.count)
    return isCut ? FetchedContent(objects, names: names) : FetchedContent(objects)
  }
}
