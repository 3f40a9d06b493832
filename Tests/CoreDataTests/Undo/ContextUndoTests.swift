import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Undoing and redoing the changes of a context (reference/CONTEXT.md 83 and 84).
@Suite struct ContextUndoTests {
  private func office() throws -> Office {
    try Office { context in
      let red = context.new("Department", "red")
      let blue = context.new("Department", "blue")
      let ann = context.new("Person", "ann", ["salary": 10, "department": red])
      context.new("Person", "bob", ["salary": 10, "department": blue, "boss": ann])
      context.new("Person", "cid", ["salary": 10, "department": red, "boss": ann])
    }
  }

  /// Runs `body` with a context that can undo.
  private func undoable(_ office: Office, _ body: (NSManagedObjectContext, UndoManager) throws -> Void) throws {
    try office.work { context in
      let manager = UndoManager()
      context.undoManager = manager
      try body(context, manager)
    }
  }

  /// Ends the event, as the end of `perform` does.
  private func end(_ context: NSManagedObjectContext) { context.endEvent() }

  @Test func `CONTEXT 84: without an undo manager nothing is undone`() throws {
    try office().work { context in
      #expect(context.undoManager == nil)
      let ann = try context.one("Person", "ann")
      ann.setValue("anna", forKey: "name")
      context.undo()
      context.redo()
      #expect(ann.value(forKey: "name") as? String == "anna")
    }
  }

  @Test func `CONTEXT 84: the changes of one event are one step, undone and redone together`() throws {
    try undoable(try office()) { context, manager in
      let ann = try context.one("Person", "ann")
      ann.setValue("anna", forKey: "name")
      ann.setValue(20, forKey: "salary")
      end(context)
      ann.setValue("hanna", forKey: "name")
      end(context)
      context.undo()
      #expect(ann.value(forKey: "name") as? String == "anna" && ann.value(forKey: "salary") as? Int == 20)
      context.undo()
      #expect(ann.value(forKey: "name") as? String == "ann" && ann.value(forKey: "salary") as? Int == 10)
      #expect(!ann.hasPersistentChangedValues && !manager.canUndo)
      context.redo()
      #expect(ann.value(forKey: "name") as? String == "anna" && ann.value(forKey: "salary") as? Int == 20)
      context.redo()
      #expect(ann.value(forKey: "name") as? String == "hanna")
      #expect(!manager.canRedo)
    }
  }

  @Test func `CONTEXT 84: an undone insertion leaves nothing to save, and comes back with its values`() throws {
    let office = try office()
    let log = LifeLog()
    try undoable(office) { context, _ in
      context.userInfo["log"] = log
      let red = try context.one("Department", "red")
      let eve = context.new("Person", "eve", ["department": red])
      end(context)
      _ = log.take()
      context.undo()
      #expect(log.take().contains { $0.hasPrefix("snapshot 2") })
      #expect(!context.hasChanges || !red.hasPersistentChangedValues)
      #expect(context.insertedObjects.isEmpty && red.related("staff") == ["ann", "cid"])
      context.redo()
      // CONTEXT 7: an object awakes from insertion once in its life.
      #expect(!log.take().contains { $0.hasPrefix("insert") })
      #expect(eve.isInserted && eve.value(forKey: "name") as? String == "eve")
      #expect(red.related("staff") == ["ann", "cid", "eve"])
      try context.save()
    }
    #expect(try office.names("Person") == ["ann", "bob", "cid", "eve"])
  }

  @Test func `CONTEXT 84: an undone deletion is back with its relationships and what it took along`() throws {
    let office = try office()
    try undoable(office) { context, _ in
      let ann = try context.one("Person", "ann")
      let bob = try context.one("Person", "bob")
      let red = try context.one("Department", "red")
      context.delete(ann)
      end(context)
      #expect(bob.isDeleted && red.related("staff") == [])
      context.undo()
      #expect(!ann.isDeleted && !bob.isDeleted)
      #expect(red.related("staff") == ["ann", "cid"] && ann.related("minions") == ["bob", "cid"])
      #expect(bob.related("boss") == ["ann"])
      try context.save()
      #expect(try office.names("Person") == ["ann", "bob", "cid"])
      context.redo()
      #expect(ann.isDeleted && bob.isDeleted)
      try context.save()
    }
    #expect(try office.names("Person") == [])
  }

  @Test func `CONTEXT 84: a save leaves the steps, and undoing after it is to be saved again`() throws {
    let office = try office()
    try undoable(office) { context, _ in
      let ann = try context.one("Person", "ann")
      ann.setValue("anna", forKey: "name")
      let eve = context.new("Person", "eve")
      end(context)
      let cid = try context.one("Person", "cid")
      context.delete(cid)
      end(context)
      try context.save()
      #expect(try office.names("Person") == ["anna", "bob", "eve"])
      context.undo()
      #expect(cid.managedObjectContext === context && cid.isInserted)
      #expect(cid.related("department") == ["red"] && cid.related("boss") == ["anna"])
      try context.save()
      #expect(try office.names("Person") == ["anna", "bob", "cid", "eve"])
      context.undo()
      #expect(eve.isDeleted && ann.value(forKey: "name") as? String == "ann" && context.hasChanges)
      try context.save()
    }
    #expect(try office.names("Person") == ["ann", "bob", "cid"])
    #expect(
      try office.file.rows("SELECT ZNAME, ZBOSS IS NOT NULL FROM ZPERSON WHERE ZNAME = 'cid'") == ["cid|1"])
  }

  @Test func `CONTEXT 84: what is processed while registration is off is no step`() throws {
    try undoable(try office()) { context, manager in
      let ann = try context.one("Person", "ann")
      ann.setValue(11, forKey: "salary")
      context.processPendingChanges()
      manager.disableUndoRegistration()
      ann.setValue("anna", forKey: "name")
      context.processPendingChanges()
      manager.enableUndoRegistration()
      context.undo()
      #expect(ann.value(forKey: "name") as? String == "anna" && ann.value(forKey: "salary") as? Int == 10)
    }
  }

  @Test func `CONTEXT 84: a manager that is asked directly knows the changes that were not processed yet`() throws {
    try undoable(try office()) { context, manager in
      let ann = try context.one("Person", "ann")
      ann.setValue(11, forKey: "salary")
      manager.undo()
      #expect(ann.value(forKey: "salary") as? Int == 10)
      manager.redo()
      #expect(ann.value(forKey: "salary") as? Int == 11)
    }
  }

  @Test func `CONTEXT 84: each block given to perform is a step of its own`() async throws {
    let office = try office()
    let context = office.context()
    try await context.perform {
      context.undoManager = UndoManager()
      context.userInfo["ann"] = try context.one("Person", "ann")
    }
    for salary in [20, 30] {
      try await context.perform { (context.userInfo["ann"] as? NSManagedObject)?.setValue(salary, forKey: "salary") }
    }
    let values = try await context.perform {
      let ann = try #require(context.userInfo["ann"] as? NSManagedObject)
      return [0, 1].map { _ in
        context.undo()
        return ann.value(forKey: "salary") as? Int
      }
    }
    #expect(values == [20, 10])
  }

  @Test func `CONTEXT 83: a rollback and a reset leave nothing to undo`() throws {
    try undoable(try office()) { context, manager in
      let ann = try context.one("Person", "ann")
      ann.setValue("anna", forKey: "name")
      end(context)
      #expect(manager.canUndo)
      context.rollback()
      #expect(!manager.canUndo && !manager.canRedo && ann.value(forKey: "name") as? String == "ann")
      ann.setValue("anna", forKey: "name")
      end(context)
      #expect(manager.canUndo)
      context.reset()
      #expect(!manager.canUndo && ann.managedObjectContext == nil)
      context.undo()
      #expect(!context.hasChanges)
    }
  }

  @Test func `random steps are undone to every state they went through, and redone`() throws {
    for seed in 0..<(LongRun.isOn ? 2_000 : 10) {
      var random = SeededGenerator(seed: UInt64(seed))
      let office = try office()
      try undoable(office) { context, _ in
        var states = [try state(context)]
        for _ in 0..<6 {
          for _ in 0..<Int.random(in: 1...4, using: &random) { try edit(context, &random) }
          end(context)
          let new = try state(context)
          // A step that has changed nothing is none.
          if new != states.last || context.undoManager?.canUndo == true { states.append(new) }
        }
        let distinct = states
        var seen = [distinct.last ?? []]
        while context.undoManager?.canUndo == true {
          context.undo()
          seen.append(try state(context))
        }
        #expect(seen.last == distinct.first, "seed \(seed)")
        #expect(Set(seen).isSubset(of: Set(distinct)), "seed \(seed)")
        while context.undoManager?.canRedo == true { context.redo() }
        #expect(try state(context) == distinct.last, "seed \(seed)")
        try context.save()
        #expect(try office.work { try state($0) } == distinct.last, "seed \(seed)")
      }
    }
  }

  /// One random change.
  private func edit(_ context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
    let people = try context.all("Person").sorted {
      ($0.value(forKey: "name") as? String ?? "") < ($1.value(forKey: "name") as? String ?? "")
    }
    let departments = try context.all("Department").sorted {
      ($0.value(forKey: "name") as? String ?? "") < ($1.value(forKey: "name") as? String ?? "")
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: context.new("Person", "p\(random.next() % 10_000)")
    case 1: if let gone = people.randomElement(using: &random) { context.delete(gone) }
    case 2: people.randomElement(using: &random)?.setValue(Int.random(in: 0...9, using: &random), forKey: "salary")
    case 3:
      people.randomElement(using: &random)?.setValue(departments.randomElement(using: &random), forKey: "department")
    case 4: people.randomElement(using: &random)?.setValue(people.randomElement(using: &random), forKey: "partner")
    default: people.randomElement(using: &random)?.setValue(people.randomElement(using: &random), forKey: "boss")
    }
  }

  /// What the context holds, in words.
  private func state(_ context: NSManagedObjectContext) throws -> [String] {
    let people = try context.all("Person").map { person in
      let ends = ["department", "partner", "boss", "minions"].map { person.related($0).joined(separator: "+") }
      return "\(person.value(forKey: "name") ?? "") \(person.value(forKey: "salary") ?? "") \(ends)"
    }
    let departments = try context.all("Department").map { "\($0.value(forKey: "name") ?? "") \($0.related("staff"))" }
    return people.sorted() + departments.sorted()
  }
}
