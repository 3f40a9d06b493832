import Foundation
import Testing

@testable import CoreData

/// A manager by itself, as Apple's page "UndoManager" says.
@Suite struct UndoManagerTests {
  /// A number whose changes can be undone.
  private final class Counter {
    let manager = UndoManager()
    private(set) var value = 0

    func set(_ new: Int) {
      let old = value
      manager.registerUndo(withTarget: self) { $0.set(old) }
      value = new
    }

    func step(_ new: Int, name: String = "") {
      manager.beginUndoGrouping()
      set(new)
      manager.setActionName(name)
      manager.endUndoGrouping()
    }
  }

  @Test func `a group is undone in one step and redone in one step`() {
    let counter = Counter()
    counter.manager.beginUndoGrouping()
    counter.set(1)
    counter.set(2)
    counter.manager.beginUndoGrouping()
    counter.set(3)
    #expect(counter.manager.groupingLevel == 2)
    counter.manager.endUndoGrouping()
    counter.manager.endUndoGrouping()
    counter.step(4)
    #expect(counter.manager.canUndo && !counter.manager.canRedo)
    counter.manager.undo()
    #expect(counter.value == 3)
    counter.manager.undo()
    #expect(counter.value == 0)
    #expect(!counter.manager.canUndo && counter.manager.canRedo)
    counter.manager.undo()
    #expect(counter.value == 0)
    counter.manager.redo()
    #expect(counter.value == 3)
    counter.manager.redo()
    #expect(counter.value == 4)
    counter.manager.redo()
    #expect(counter.value == 4)
  }

  @Test func `what is changed after an undo cannot be redone`() {
    let counter = Counter()
    counter.step(1)
    counter.step(2)
    counter.manager.undo()
    counter.step(5)
    #expect(!counter.manager.canRedo)
    counter.manager.undo()
    #expect(counter.value == 1)
  }

  @Test func `registering begins a group by itself, which undo ends`() {
    let counter = Counter()
    counter.set(1)
    counter.set(2)
    #expect(counter.manager.groupingLevel == 1)
    counter.manager.undo()
    #expect(counter.value == 0 && counter.manager.groupingLevel == 0)
  }

  @Test func `names go with their groups, from undo to redo and back`() {
    let counter = Counter()
    counter.step(1, name: "Count")
    counter.step(2, name: "Jump")
    #expect(counter.manager.undoActionName == "Jump" && counter.manager.undoMenuItemTitle == "Undo Jump")
    counter.manager.undo()
    #expect(counter.manager.undoActionName == "Count" && counter.manager.redoActionName == "Jump")
    #expect(counter.manager.redoMenuItemTitle == "Redo Jump")
    counter.manager.undo()
    #expect(counter.manager.undoMenuItemTitle == "Undo" && counter.manager.redoActionName == "Count")
    counter.manager.redo()
    #expect(counter.manager.undoActionName == "Count")
  }

  @Test func `only as many steps are kept as are asked for, and none while registration is off`() {
    let counter = Counter()
    for value in 1...5 { counter.step(value) }
    counter.manager.levelsOfUndo = 2
    counter.step(6)
    for _ in 0..<5 { counter.manager.undo() }
    #expect(counter.value == 4)
    counter.manager.disableUndoRegistration()
    #expect(!counter.manager.isUndoRegistrationEnabled)
    counter.set(9)
    counter.manager.enableUndoRegistration()
    counter.manager.undo()
    #expect(counter.value == 9)
    counter.manager.removeAllActions()
    #expect(!counter.manager.canUndo && !counter.manager.canRedo)
  }

  @Test func `the actions of one target are forgotten, and a target is not kept alive`() {
    let manager = UndoManager()
    let kept = Counter()
    var calls: [String] = []
    manager.beginUndoGrouping()
    manager.registerUndo(withTarget: kept) { _ in calls.append("kept") }
    do {
      let gone = Counter()
      manager.registerUndo(withTarget: gone) { _ in calls.append("gone") }
    }
    manager.endUndoGrouping()
    manager.undo()
    #expect(calls == ["kept"])
    manager.beginUndoGrouping()
    manager.registerUndo(withTarget: kept) { _ in calls.append("again") }
    manager.endUndoGrouping()
    manager.removeAllActions(withTarget: kept)
    #expect(!manager.canUndo)
  }

  @Test func `observers are told of groups, undoing and redoing`() {
    let counter = Counter()
    var told: [String] = []
    let names: [NSNotification.Name] = [
      .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerWillCloseUndoGroup, .NSUndoManagerDidCloseUndoGroup,
      .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange, .NSUndoManagerWillRedoChange,
      .NSUndoManagerDidRedoChange,
    ]
    let log = TestLog()
    let tokens = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: counter.manager, queue: nil) { _ in
        log.add(name.rawValue.replacing("NSUndoManager", with: "").replacing("Notification", with: ""))
      }
    }
    counter.step(1)
    told = log.take()
    #expect(told == ["DidOpenUndoGroup", "WillCloseUndoGroup", "DidCloseUndoGroup"])
    counter.manager.undo()
    told = log.take()
    #expect(told.first == "WillUndoChange" && told.last == "DidUndoChange" && told.count == 5)
    counter.manager.redo()
    told = log.take()
    #expect(told.first == "WillRedoChange" && told.last == "DidRedoChange" && told.count == 5)
    for token in tokens { NotificationCenter.default.removeObserver(token) }
  }
}

/// `LifeLog` under a name that says what it is here.
private typealias TestLog = LifeLog
