import Foundation
import Synchronization

/// Remembers how to take changes back, group by group, and how to do them again.
///
/// Source: Apple, "UndoManager"; Foundation has none here. Handlers are registered while something is changed; those that are
/// registered while something is undone say how to redo it. Use it on one queue at a time, as the objects it is about.
open class UndoManager: NSObject {
  /// One handler, with the object that it is about.
  private struct Action {
    weak var target: AnyObject?
    let perform: (AnyObject) -> Void
  }

  /// Handlers and groups in the order they came, undone from the last on.
  private final class Group {
    var actions: [Action] = []
    var name = ""
    var isDiscardable = false
    var userInfo: [AnyHashable: Any] = [:]
  }

  private enum Phase { case registering, undoing, redoing }

  private var undoGroups: [Group] = []
  private var redoGroups: [Group] = []
  /// The groups that were begun and not ended, the outermost first.
  private var open: [Group] = []
  private var phase = Phase.registering
  private var disabled = 0
  /// Whether the outermost group was begun by registering, for the event.
  private var isEventGroup = false

  /// A manager without actions.
  public override init() { super.init() }

  // MARK: Groups

  /// How many groups were begun and not ended.
  open var groupingLevel: Int { open.count }

  /// Whether registering begins a group by itself, which ends with the event: the turn of the main run loop, or the block
  /// given to a context's `perform`.
  ///
  /// True unless set.
  open var groupsByEvent = true

  /// How many groups are kept at most; 0 for all.
  open var levelsOfUndo = 0 {
    didSet { trim() }
  }

  /// Begins a group.
  open func beginUndoGrouping() {
    post(.NSUndoManagerCheckpoint)
    begin()
  }

  private func begin() {
    open.append(Group())
    post(.NSUndoManagerDidOpenUndoGroup)
  }

  /// Ends the group that was begun last; what it holds is undone in one step, or is a part of the group around it.
  open func endUndoGrouping() {
    precondition(!open.isEmpty, "endUndoGrouping called with no matching begin")
    post(.NSUndoManagerCheckpoint)
    post(.NSUndoManagerWillCloseUndoGroup)
    let group = open.removeLast()
    if let outer = open.last {
      outer.actions += group.actions
      if !group.name.isEmpty { outer.name = group.name }
      outer.userInfo.merge(group.userInfo) { $1 }
    } else {
      isEventGroup = false
      // A group without actions would be a step that does nothing.
      if !group.actions.isEmpty { keep(group) }
    }
    post(.NSUndoManagerDidCloseUndoGroup)
  }

  /// Ends the group that registering began by itself, if there is one.
  package final func endEvent() {
    if isEventGroup, open.count == 1, phase == .registering { endUndoGrouping() }
  }

  private func keep(_ group: Group) {
    switch phase {
    case .registering, .redoing: undoGroups.append(group)
    case .undoing: redoGroups.append(group)
    }
    if phase == .registering { redoGroups = [] }
    trim()
  }

  private func trim() {
    guard levelsOfUndo > 0 else { return }
    undoGroups.removeFirst(max(0, undoGroups.count - levelsOfUndo))
    redoGroups.removeFirst(max(0, redoGroups.count - levelsOfUndo))
  }

  // MARK: Registering

  /// Whether handlers that are registered are kept.
  open var isUndoRegistrationEnabled: Bool { disabled == 0 }

  /// Has handlers be ignored until `enableUndoRegistration()` was called as often.
  open func disableUndoRegistration() { disabled += 1 }

  /// Ends one `disableUndoRegistration()`.
  open func enableUndoRegistration() {
    precondition(
      disabled > 0, "enableUndoRegistration may only be invoked with matching call to disableUndoRegistration")
    disabled -= 1
  }

  /// Remembers how to take back what is being done; the target is not kept alive.
  public final func registerUndo<Target: AnyObject>(
    withTarget target: Target, handler: @escaping (Target) -> Void
  ) {
    guard isUndoRegistrationEnabled else { return }
    if open.isEmpty {
      precondition(groupsByEvent, "must begin a group before registering undo")
      begin()
      isEventGroup = true
      endAfterTurn()
    }
    open.last?.actions.append(
      Action(target: target) { if let target = $0 as? Target { handler(target) } })
  }

  /// On the main thread the event ends with the turn of its run loop.
  private func endAfterTurn() {
    guard Thread.isMainThread, phase == .registering else { return }
    let manager = MainThreadReference(manager: self)
    RunLoop.main.perform { manager.manager?.endEvent() }
  }

  /// Forgets everything that can be undone and redone, and ends all groups.
  open func removeAllActions() {
    (undoGroups, redoGroups, open, isEventGroup) = ([], [], [], false)
    disabled = 0
  }

  /// Forgets the handlers of one target.
  open func removeAllActions(withTarget target: Any) {
    let target = target as AnyObject
    for group in undoGroups + redoGroups + open { group.actions.removeAll { $0.target === target } }
    undoGroups.removeAll { $0.actions.isEmpty }
    redoGroups.removeAll { $0.actions.isEmpty }
  }

  // MARK: Undoing

  /// Whether there is something to undo.
  open var canUndo: Bool { !undoGroups.isEmpty || open.contains { !$0.actions.isEmpty } }
  /// Whether there is something to redo.
  open var canRedo: Bool {
    post(.NSUndoManagerCheckpoint)
    return !redoGroups.isEmpty
  }
  /// Whether a group is being undone.
  open var isUndoing: Bool { phase == .undoing }
  /// Whether a group is being redone.
  open var isRedoing: Bool { phase == .redoing }

  /// Ends the event's group and takes back the last one; does nothing when there is none.
  open func undo() {
    post(.NSUndoManagerCheckpoint)
    if open.count == 1 { endUndoGrouping() }
    undoNestedGroup()
  }

  /// Takes back the last group; groups must not be open.
  open func undoNestedGroup() {
    precondition(open.isEmpty, "undo was called with too many nested undo groups")
    post(.NSUndoManagerCheckpoint)
    guard let group = undoGroups.popLast() else { return }
    post(.NSUndoManagerWillUndoChange)
    perform(group, .undoing)
    post(.NSUndoManagerDidUndoChange)
  }

  /// Does again what was undone last; does nothing when there is nothing.
  open func redo() {
    post(.NSUndoManagerCheckpoint)
    guard open.isEmpty, let group = redoGroups.popLast() else { return }
    post(.NSUndoManagerWillRedoChange)
    perform(group, .redoing)
    post(.NSUndoManagerDidRedoChange)
  }

  private func perform(_ group: Group, _ phase: Phase) {
    self.phase = phase
    begin()
    open.last?.name = group.name
    open.last?.isDiscardable = group.isDiscardable
    open.last?.userInfo = group.userInfo
    for action in group.actions.reversed() {
      if let target = action.target { action.perform(target) }
    }
    endUndoGrouping()
    self.phase = .registering
  }

  // MARK: Names

  /// Names the group that is open, or was closed last.
  open func setActionName(_ actionName: String) { current?.name = actionName }

  /// Says whether the group that is open may be thrown away without asking, as a change of a view may.
  open func setActionIsDiscardable(_ discardable: Bool) { current?.isDiscardable = discardable }

  /// Keeps a value with the group that is open, or was closed last.
  open func setActionUserInfoValue(_ value: Any?, forKey key: AnyHashable) { current?.userInfo[key] = value }

  private var current: Group? { open.first ?? (isUndoing ? redoGroups.last : undoGroups.last) }

  /// The name of what would be undone; empty when it has none.
  open var undoActionName: String { (open.first ?? undoGroups.last)?.name ?? "" }
  /// The name of what would be redone; empty when it has none.
  open var redoActionName: String { redoGroups.last?.name ?? "" }
  /// Whether what would be undone may be thrown away without asking.
  open var undoActionIsDiscardable: Bool { (open.first ?? undoGroups.last)?.isDiscardable ?? false }
  /// Whether what would be redone may be thrown away without asking.
  open var redoActionIsDiscardable: Bool { redoGroups.last?.isDiscardable ?? false }
  /// A value kept with what would be undone.
  open func undoActionUserInfoValue(forKey key: AnyHashable) -> Any? {
    (open.first ?? undoGroups.last)?.userInfo[key]
  }
  /// A value kept with what would be redone.
  open func redoActionUserInfoValue(forKey key: AnyHashable) -> Any? { redoGroups.last?.userInfo[key] }

  /// `Undo`, with the name of what would be undone.
  open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
  /// `Redo`, with the name of what would be redone.
  open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }
  /// `Undo`, with a name.
  open func undoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Undo" : "Undo \(actionName)"
  }
  /// `Redo`, with a name.
  open func redoMenuTitle(forUndoActionName actionName: String) -> String {
    actionName.isEmpty ? "Redo" : "Redo \(actionName)"
  }

  private func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }
}

/// An undo manager that is touched on the main thread alone.
///
/// Sendable is unchecked: it is made on the main thread and read by a block of the main run loop, which is the same thread.
private struct MainThreadReference: @unchecked Sendable {
  weak var manager: UndoManager?
}

extension NSNotification.Name {
  /// A manager begins or ends a group, or is about to undo or redo: whoever holds changes back registers them now.
  public static let NSUndoManagerCheckpoint = NSNotification.Name("NSUndoManagerCheckpointNotification")
  /// A group was begun.
  public static let NSUndoManagerDidOpenUndoGroup = NSNotification.Name("NSUndoManagerDidOpenUndoGroupNotification")
  /// A group is about to end.
  public static let NSUndoManagerWillCloseUndoGroup = NSNotification.Name(
    "NSUndoManagerWillCloseUndoGroupNotification")
  /// A group has ended.
  public static let NSUndoManagerDidCloseUndoGroup = NSNotification.Name("NSUndoManagerDidCloseUndoGroupNotification")
  /// A group is about to be undone.
  public static let NSUndoManagerWillUndoChange = NSNotification.Name("NSUndoManagerWillUndoChangeNotification")
  /// A group was undone.
  public static let NSUndoManagerDidUndoChange = NSNotification.Name("NSUndoManagerDidUndoChangeNotification")
  /// A group is about to be redone.
  public static let NSUndoManagerWillRedoChange = NSNotification.Name("NSUndoManagerWillRedoChangeNotification")
  /// A group was redone.
  public static let NSUndoManagerDidRedoChange = NSNotification.Name("NSUndoManagerDidRedoChangeNotification")
}
