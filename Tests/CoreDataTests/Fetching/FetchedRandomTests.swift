import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Random edits in two contexts, with saves, merges and rollbacks: callbacks applied to what was shown before give what a fresh
/// fetch shows (FRC 43).
@Suite struct FetchedRandomTests {
  /// A copy of the results that knows nothing but what it is told.
  private final class Mirror: NSFetchedResultsControllerDelegate {
    typealias Section = (name: String, objects: [NSManagedObject])
    var sections: [Section] = []
    private var gone: [IndexPath] = []
    private var come: [(path: IndexPath, object: NSManagedObject)] = []
    private var kept: [(old: IndexPath, new: IndexPath, object: NSManagedObject)] = []
    private var goneSections: [Int] = []
    private var comeSections: [(index: Int, name: String)] = []
    private var told: Set<NSManagedObject> = []
    private var isOpen = false

    func controllerWillChangeContent(_ controller: AnyController) {
      #expect(!isOpen)
      isOpen = true
      (gone, come, kept, goneSections, comeSections, told) = ([], [], [], [], [], [])
    }

    func controller(
      _ controller: AnyController, didChange anObject: Any, at indexPath: IndexPath?,
      for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
      guard let object = anObject as? NSManagedObject else { return }
      #expect(told.insert(object).inserted, "one change an object")
      if let indexPath { #expect(sections[indexPath.section].objects[indexPath.row] === object) }
      if let newIndexPath { #expect(controller.object(at: newIndexPath) as? NSManagedObject === object) }
      switch (type, indexPath, newIndexPath) {
      case (.insert, nil, let new?): come.append((new, object))
      case (.delete, let old?, nil): gone.append(old)
      case (.move, let old?, let new?):
        gone.append(old)
        come.append((new, object))
      case (.update, let old?, let new?): kept.append((old, new, object))
      default: Issue.record("\(type) with \(String(describing: indexPath)) and \(String(describing: newIndexPath))")
      }
    }

    func controller(
      _ controller: AnyController, didChange sectionInfo: any NSFetchedResultsSectionInfo,
      atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {
      #expect(told.isEmpty, "sections come first")
      #expect(sectionInfo.objects?.count == sectionInfo.numberOfObjects)
      if type == .delete {
        #expect(comeSections.isEmpty)
        goneSections.append(sectionIndex)
      } else {
        comeSections.append((sectionIndex, sectionInfo.name))
      }
    }

    func controllerDidChangeContent(_ controller: AnyController) {
      #expect(isOpen && (!told.isEmpty || !goneSections.isEmpty || !comeSections.isEmpty))
      isOpen = false
      for path in gone.sorted(by: >) { sections[path.section].objects.remove(at: path.row) }
      for index in goneSections.sorted(by: >) {
        #expect(sections[index].objects.isEmpty)
        sections.remove(at: index)
      }
      for section in comeSections.sorted(by: { $0.index < $1.index }) {
        sections.insert((section.name, []), at: section.index)
      }
      for (path, object) in come.sorted(by: { $0.path < $1.path }) {
        sections[path.section].objects.insert(object, at: path.row)
      }
      for (_, new, object) in kept { #expect(sections[new.section].objects[new.row] === object) }
    }
  }

  /// A controller with a copy, a difference and a snapshot that follow it.
  private final class Followed {
    let controller: NSFetchedResultsController<NSManagedObject>
    private let mirror = Mirror()
    private let snapshots = SnapshotRecorder()
    private let differences = DifferenceRecorder()
    private let bySnapshot: NSFetchedResultsController<NSManagedObject>
    private let byDifference: NSFetchedResultsController<NSManagedObject>
    private var ids: [NSManagedObjectID]
    private let fixture: FetchedFixture

    init(_ fixture: FetchedFixture, _ request: NSFetchRequest<NSManagedObject>, sections: String?) throws {
      self.fixture = fixture
      controller = try fixture.controller(request, sections: sections, delegate: mirror)
      bySnapshot = try fixture.controller(request, sections: sections, delegate: snapshots)
      byDifference = try fixture.controller(request, delegate: differences)
      ids = byDifference.fetchedObjects?.map(\.objectID) ?? []
      mirror.sections = Self.sections(controller)
    }

    private static func sections(_ controller: NSFetchedResultsController<NSManagedObject>) -> [Mirror.Section] {
      controller.sections?.map { ($0.name, $0.objects as? [NSManagedObject] ?? []) } ?? []
    }

    func check(_ comment: Comment) throws {
      let fresh = try fixture.context.fetch(controller.fetchRequest)
      #expect(controller.fetchedObjects == fresh, comment)
      #expect(mirror.sections.flatMap(\.objects) == fresh, comment)
      let now = Self.sections(controller)
      #expect(mirror.sections.map(\.name) == now.map(\.name), comment)
      #expect(mirror.sections.map(\.objects) == now.map(\.objects), comment)
      if let keyPath = controller.sectionNameKeyPath {
        for section in now {
          for object in section.objects {
            #expect((object.value(forKey: keyPath) as? NSNumber)?.stringValue ?? "" == section.name, comment)
          }
        }
      }
      #expect(snapshots.snapshots.last?.itemIdentifiers == fresh.map(\.objectID), comment)
      #expect(snapshots.snapshots.last?.sectionIdentifiers == now.map(\.name), comment)
      for difference in differences.differences {
        guard let next = ids.applying(difference) else {
          Issue.record("a difference that does not fit: \(comment)")
          break
        }
        ids = next
      }
      differences.differences = []
      #expect(ids == fresh.map(\.objectID), comment)
    }
  }

  private static let names = ["", "a", "A", "b", "é", "日本", "zz"]

  private func follow(_ fixture: FetchedFixture, _ random: inout SeededGenerator) throws -> Followed {
    let isCut = Bool.random(using: &random)
    var sort = ["name", "int16", "double"].shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random))
      .map { (Bool.random(using: &random) ? "-" : "") + $0 }
    if isCut { sort.insert(["rank", "-rank"].randomElement(using: &random) ?? "rank", at: 0) }
    let predicates = [nil, nil, "rank > 1", "rank != 2", "name == 'a' OR int16 < 2", "int16 == nil"]
    let predicate = (predicates.randomElement(using: &random) ?? nil).map { NSPredicate(format: $0, argumentArray: []) }
    let request = fixture.request(
      ["Item", "Item", "Book"].randomElement(using: &random) ?? "Item", sort: sort, where: predicate)
    if Int.random(in: 0..<4, using: &random) == 0 {
      request.fetchLimit = Int.random(in: 0...4, using: &random)
      request.fetchOffset = Int.random(in: 0...2, using: &random)
    }
    return try Followed(fixture, request, sections: isCut ? "rank" : nil)
  }

  /// What waits in one context is not deleted in the other: neither a save nor a rollback could bring both together.
  private func edit(
    _ fixture: FetchedFixture, in context: NSManagedObjectContext, mayDelete: Bool = true,
    _ random: inout SeededGenerator
  ) throws {
    let items = try context.fetch(fixture.request(sort: []))
    func value(_ random: inout SeededGenerator, _ range: ClosedRange<Int>) -> NSNumber? {
      Int.random(in: 0..<6, using: &random) == 0 ? nil : NSNumber(value: Int.random(in: range, using: &random))
    }
    let item = items.randomElement(using: &random)
    switch (Int.random(in: 0..<10, using: &random), item) {
    case (0...2, _), (_, nil):
      let new = fixture.insert(
        Self.names.randomElement(using: &random) ?? "", Int.random(in: 0...3, using: &random),
        ["Item", "Book", "Toy"].randomElement(using: &random) ?? "Item", in: context)
      new.setValue(value(&random, 0...3), forKey: "int16")
    case (3, let item?) where mayDelete: context.delete(item)
    case (4, let item?): item.setValue(Self.names.randomElement(using: &random), forKey: "name")
    case (5, let item?): item.setValue(value(&random, 0...3), forKey: "int16")
    case (6, let item?): item.setValue(value(&random, -2...2), forKey: "double")
    case (7, let item?): item.setValue("other", forKey: "string")
    case (_, let item?): item.setValue(value(&random, 0...3), forKey: "rank")
    }
  }

  /// Each seed is four scripts: one for each of four controllers.
  @Test(arguments: 0..<(LongRun.isOn ? 5_000 : 40)) func `FRC 43: what is told makes a fresh fetch of what was shown`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let fixture = try FetchedFixture()
    let other = fixture.otherContext()
    let context = fixture.context
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try context.performAndWait { () throws -> Void in
      for _ in 0..<Int.random(in: 0...20, using: &random) { try edit(fixture, in: context, &random) }
      try context.save()
      var followed: [Followed] = []
      for _ in 0..<4 { followed.append(try follow(fixture, &random)) }
      for step in 0..<12 {
        let kind = Int.random(in: 0..<10, using: &random)
        switch kind {
        case 0: try context.save()
        case 1: context.rollback()
        case 2:
          context.refreshAllObjects()
          context.processPendingChanges()
        case 3, 4:
          let mayDelete = !context.hasChanges
          try fixture.edit(in: other) {
            for _ in 0..<Int.random(in: 1...4, using: &random) {
              try edit(fixture, in: other, mayDelete: mayDelete, &random)
            }
          }
        default:
          for _ in 0..<Int.random(in: 1...6, using: &random) { try edit(fixture, in: context, &random) }
          context.processPendingChanges()
        }
        for (number, one) in followed.enumerated() {
          try one.check("step \(step) of kind \(kind), controller \(number)")
        }
        // The other context takes over what this one has saved, so that both go on from the same.
        if kind == 0 { other.performAndWait { other.reset() } }
      }
    }
  }
}
