import CoreData
import TextCanvas

/// Changes the state as an action asks, and returns what the outside has to do.
///
/// The only place where state changes.
func reduce(_ state: inout BrowserState, _ action: Action) -> [Effect] {
  var effects: [Effect]
  switch action {
  case .intent(let intent):
    state.message = nil
    state.editing.wanted = nil
    let (before, new) = (state.listPlace, state.editing.selectedNew)
    effects = state.keepingEye { reduce(&$0, intent) }
    // What selects a row of the list leaves the new objects above it.
    if state.listPlace != before, state.editing.selectedNew == new { state.editing.selectedNew = nil }
  case .answer(let answer):
    effects = reduce(&state, answer)
    effects += state.selectWanted()
  case .resized(let size):
    state.size = size
    effects = state.settle()
  case .tick: effects = state.tick()
  }
  effects += state.releaseHeld()
  effects += state.inspectSelection()
  return effects
}

extension BrowserState {
  /// Brings every selection back into its viewport, and asks for the rows that have come into view.
  mutating func settle() -> [Effect] {
    let height = listHeight
    let width = listWidth
    let requests = list?.settle(height: height) ?? []
    list?.revealColumn(width: width)
    revealChoice()
    fitViewer()
    revealInSidebar()
    revealField()
    revealInOverlay()
    return requests.map(Effect.window)
  }

  /// Changes the list, given the number of its rows on screen, and asks for the rows that this needs.
  mutating func changeList(_ change: (inout ListState, _ height: Int) -> [WindowRequest]) -> [Effect] {
    guard var list else { return [] }
    let requests = change(&list, listHeight)
    self.list = list
    return requests.map(Effect.window)
  }

  /// Scrolls the sidebar until what is selected can be seen.
  mutating func revealInSidebar() {
    sidebar.top = Self.reveal(
      sidebarLine(of: sidebar.selected), from: sidebar.top, height: sidebarHeight, count: sidebarLines)
  }

  var entityCount: Int { outline?.entities.count ?? 0 }

  /// The first line to show so that a selected one is on screen.
  static func reveal(_ selected: Int, from top: Int, height: Int, count: Int) -> Int {
    let height = max(1, height)
    var top = min(top, max(0, count - height))
    if selected >= top + height { top = selected - height + 1 }
    return max(0, min(top, selected))
  }

  /// Lets the inspector follow the selected object.
  mutating func inspectSelection() -> [Effect] {
    guard let list, !list.awaitsFirstRows, list.slides.fallen == nil || selectedNewObject != nil else { return [] }
    guard let key = selectedKey else {
      let wasReading = inspector.key != nil && inspector.record?.key != inspector.key
      inspector = InspectorState()
      return wasReading ? [.cancel([.record])] : []
    }
    guard inspector.key != key else { return [] }
    if inspector.key?.entity != key.entity { (inspector.field, inspector.top) = (0, 0) }
    inspector.key = key
    inspector.isGone = false
    inspector.isOutdated = false
    inspector.failure = nil
    // A new object is nowhere but in the edits.
    return key.isNew ? [.cancel([.record])] : [.record(key)]
  }

  /// Tells a problem in the message line and keeps it for `!`.
  mutating func tell(_ problem: Problem) {
    lastProblem = problem
    message = Message(text: problem.summary, kind: .error)
  }
}

/// What an intent does.
private func reduce(_ state: inout BrowserState, _ intent: Intent) -> [Effect] {
  switch intent {
  case .move(let motion): return state.move(motion)
  case .moveColumn(let step):
    let width = state.listWidth
    state.list?.moveColumn(by: step, width: width)
  case .resizeColumn(let step):
    let width = state.listWidth
    state.list?.resizeColumn(by: step, width: width)
    state.keepColumns()
  case .focus(let pane): return state.focus(on: pane)
  case .cycleFocus(let step): return state.focus(on: state.pane(after: step))
  case .toggleZoom:
    state.isZoomed.toggle()
    return state.settle()
  case .open: return state.open()
  case .back: return state.goBack()
  case .forward: return state.goForward()
  case .sort: return state.sort(by: state.list?.column ?? 0)
  case .startFind:
    state.prompt = Prompt(purpose: .find, editor: LineEditor())
  case .findNext(let step): return state.findNext(step)
  case .escape: return state.escape()
  case .showHelp: state.overlay = .help(HelpState())
  case .showProblem:
    if let problem = state.lastProblem { state.overlay = .problem(ProblemState(problem: problem)) }
  case .edit(let press):
    if state.filterBar != nil, state.overlay == nil { return state.typeInFilter(press) }
    if state.editor != nil, state.overlay == nil { return state.typeInEditor(press) }
    state.edit { $0.handle(press) }
  case .paste(let text):
    if state.filterBar != nil, state.overlay == nil { return state.pasteInFilter(text) }
    if state.editor != nil, state.overlay == nil { return state.pasteInEditor(text) }
    state.edit {
      $0.insert(text.split(whereSeparator: \.isNewline).joined(separator: " "))
      return true
    }
  case .accept: return state.accept()
  case .refuse(let reason): state.message = Message(text: reason, kind: .warning)
  case .chooseEntity(let index):
    return state.focus(on: .sidebar) + state.choose(entity: index)
  case .chooseRow(let index, let column):
    state.focus = .list
    if let column { state.list?.column = column }
    return state.changeList { $0.select(index, line: 0, height: $1) } + state.settle()
  case .sortColumn(let column):
    state.focus = .list
    state.list?.column = column
    return state.sort(by: column)
  case .chooseField(let index):
    state.inspector.field = index
    return state.focus(on: .inspector)
  case .chooseHelp(let index): state.chooseHelp(index)
  case .scroll(let pane, let lines): return state.scroll(pane, by: lines)
  case .grip(let grip, let point):
    state.grip = grip
    return grip == .scrollbar ? state.drag(to: point) : []
  case .drag(let point): return state.drag(to: point)
  case .release: state.grip = nil
  case .togglePause: return state.togglePause()
  case .suspend: return [.suspend]
  case .quit: return state.quit()
  case .viewValue: return state.viewValue()
  case .nextForm(let step): state.changeViewer { viewer, _ in viewer.show(form: viewer.form + step) }
  case .showForm(let index): state.changeViewer { viewer, _ in viewer.show(form: index) }
  case .copyViewed: return state.copyViewed()
  case .copyValue: return state.copyValue()
  case .copyObject: return state.copyObject()
  case .showModel: state.showModel()
  case .model(let intent): return state.model(intent)
  case .showPalette: state.overlay = .palette(PaletteState())
  case .choosePalette(let index): state.choosePalette(index)
  case .switchZone: state.switchZone()
  case .chooseStore(let motion): state.choose(motion)
  case .openStore(let index): return state.openChoice(index)
  case .columns(let intent): return state.columns(intent)
  case .editing(let intent): return state.edit(intent)
  case .filter(let intent): return state.filter(intent)
  }
  return []
}
