import BrowserTestSupport
import CoreData
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

/// A state in which the festival is open and the first rows of an entity are there.
func openState(
  _ store: FakeStore = .festival(), size: Size = Size(width: 120, height: 36), entity: String? = nil
) -> BrowserState {
  var state = BrowserState(size: size, zone: .utc, storeName: "Festival.sqlite", wantedEntity: entity)
  _ = reduce(&state, .answer(.opened(store.outline)))
  answerWindow(&state, store)
  return state
}

/// Answers the window that replaces the rows of the current list, as the store would.
@discardableResult func answerWindow(_ state: inout BrowserState, _ store: FakeStore) -> [Effect] {
  guard let list = state.list, let anchor = list.replacing else { return [] }
  let request = WindowRequest(
    list: list.id, query: list.query, columns: list.columns.map(\.name), place: .start,
    limit: ListState.limit(height: state.listHeight), purpose: .replace(anchor))
  let window = store.window(request.query, columns: request.columns, at: request.place, limit: request.limit)
  return reduce(&state, .answer(.window(request, window)))
}

@Suite struct ReducerTests {
  @Test func `an opened store shows the first entity that has rows and asks for its first window`() throws {
    let store = FakeStore.festival()
    var state = BrowserState(size: Size(width: 120, height: 36), storeName: "Festival.sqlite")
    let effects = reduce(&state, .answer(.opened(store.outline)))

    var expected = BrowserState(size: Size(width: 120, height: 36), storeName: "Festival.sqlite")
    expected.phase = .open
    expected.outline = store.outline
    expected.counts = ["Person": 0]
    expected.lastListID = 1
    let event = try #require(store.outline.entities.first)
    var list = ListState(id: 1, query: ListQuery(entity: "Event"), columns: ListState.columns(of: event))
    list.replacing = .first
    expected.list = list
    #expect(state == expected)
    let request = WindowRequest(
      list: 1, query: ListQuery(entity: "Event"), columns: event.properties.map(\.name), place: .start, limit: 80,
      purpose: .replace(.first))
    #expect(effects == [.cancel(Work.ofList), .window(request), .follow])
  }

  @Test func `the entity asked for comes before the first that has rows`() {
    let state = openState(entity: "Venue")
    #expect(state.list?.query == ListQuery(entity: "Venue"))
    #expect(state.sidebar.selected == 6)
  }

  @Test func `an entity that is not there is told and the first with rows is shown`() {
    let state = openState(entity: "Ghost")
    #expect(state.list?.query.entity == "Event")
    #expect(state.message == Message(text: "This store has no entity Ghost.", kind: .warning))
  }

  @Test func `first rows start the inspection, the counting and the monitor, which shorter lists do not wait for`()
    throws
  {
    let short = FakeStore.festival(events: 3)
    var state = BrowserState(size: Size(width: 120, height: 36))
    _ = reduce(&state, .answer(.opened(short.outline)))
    let columns = try #require(short.outline.entities.first).properties.map(\.name)
    let monitor = Effect.monitor(list: 1, ListQuery(entity: "Event"), columns: columns)
    #expect(
      answerWindow(&state, short) == [
        monitor, .count(entity: "Event"), .record(ObjectKey(entity: 1, primaryKey: 1)),
      ])
    #expect(state.list?.keys?.count == 3)

    let long = FakeStore.festival(events: 400)
    state = BrowserState(size: Size(width: 120, height: 36))
    _ = reduce(&state, .answer(.opened(long.outline)))
    #expect(
      answerWindow(&state, long) == [
        monitor, .count(entity: "Event"),
        .record(ObjectKey(entity: 1, primaryKey: 1)),
      ])
    #expect(state.list?.keys == nil)
  }

  @Test func `moving down selects the next object and inspects it`() {
    var state = openState()
    var expected = state
    let effects = reduce(&state, .intent(.move(.down)))
    expected.list?.cursor = 1
    expected.inspector.key = ObjectKey(entity: 1, primaryKey: 2)
    #expect(effects == [.record(ObjectKey(entity: 1, primaryKey: 2))])
    #expect(state == expected)
  }

  @Test func `an answer for a list left behind changes nothing`() {
    let store = FakeStore.festival()
    var state = openState(store)
    let old = WindowRequest(
      list: 99, query: ListQuery(entity: "Tag"), columns: ["name"], place: .start, limit: 50, purpose: .replace(.first))
    let before = state
    #expect(
      reduce(&state, .answer(.window(old, ListWindow(rows: [], reachesStart: true, reachesEnd: true)))).isEmpty)
    #expect(reduce(&state, .answer(.list(99, .initial(KeyList())))).isEmpty)
    #expect(state == before)
  }

  @Test func `a record that comes late for another object is dropped`() {
    var state = openState()
    _ = reduce(&state, .intent(.move(.down)))
    let before = state
    let store = FakeStore.festival()
    let first = ObjectKey(entity: 1, primaryKey: 1)
    #expect(reduce(&state, .answer(.record(first, store.recordForTest(first)))).isEmpty)
    #expect(state == before)
  }

  @Test func `enter on a to-one cell opens its object under a breadcrumb`() {
    let store = FakeStore.festival()
    var state = openState(store)
    state.list?.column = 3
    let effects = reduce(&state, .intent(.open))
    #expect(state.list?.trail == ["Opening 1", "venue"])
    #expect(state.list?.isAlone == true)
    #expect(
      state.list?.query
        == ListQuery(entity: "Venue", scope: .related(to: ObjectKey(entity: 1, primaryKey: 1), relationship: "venue")))
    #expect(effects.first == .cancel(Work.ofList))
    answerWindow(&state, store)

    // From the one object at the end of a to-one the way goes on without naming it.
    state.list?.column = 2
    _ = reduce(&state, .intent(.open))
    #expect(state.list?.trail == ["Opening 1", "venue", "events"])
  }

  @Test func `back returns to the same selection, column and scroll position`() {
    let store = FakeStore.festival(events: 80)
    var state = openState(store, size: Size(width: 80, height: 24))
    for _ in 0..<30 { _ = reduce(&state, .intent(.move(.down))) }
    for _ in 0..<3 { _ = reduce(&state, .intent(.moveColumn(1))) }
    _ = reduce(&state, .intent(.move(.up)))
    let before = state
    _ = reduce(&state, .intent(.open))
    answerWindow(&state, store)
    #expect(state.list?.query.entity == "Venue")
    _ = reduce(&state, .intent(.back))

    #expect(state.list?.cursor == before.list?.cursor)
    #expect(state.list?.top == before.list?.top)
    #expect(state.list?.column == 3)
    #expect(state.list?.firstColumn == before.list?.firstColumn)
    #expect(state.list?.buffer == before.list?.buffer)
    #expect(state.focus == .list)
    #expect(state.sidebar.selected == 0)
    #expect(state.history.forward.count == 1)
    _ = reduce(&state, .intent(.forward))
    #expect(state.list?.query.entity == "Venue")
    #expect(state.history.back.count == 1)
  }

  @Test func `a very long list is left without its keys and reads them again when it is returned to`() {
    let store = FakeStore.festival(events: 400)
    var state = openState(store)
    let count = ListState.mostKeysParked + 1
    let keys = KeyList((1...Int64(count)).map { ObjectKey(entity: 1, primaryKey: $0) })
    _ = reduce(&state, .answer(.list(1, .initial(keys))))
    #expect(state.listCount == count)
    state.list?.column = 3
    _ = reduce(&state, .intent(.open))
    #expect(state.history.back.first?.list.keys == nil)
    let effects = reduce(&state, .intent(.back))
    #expect(effects.contains { $0.work == .monitor })
    #expect(state.selectedPosition == 0)
  }

  @Test func `text to find is asked for with the list's own order and scope`() {
    var state = openState()
    _ = reduce(&state, .intent(.startFind))
    for character in "ça" { _ = reduce(&state, .intent(.edit(KeyPress(character)))) }
    #expect(state.prompt == Prompt(purpose: .find, editor: LineEditor("ça")))
    let before = state
    let effects = reduce(&state, .intent(.accept))
    var expected = before
    expected.prompt = nil
    expected.list?.find = Find(text: "ça")
    #expect(state == expected)
    let query = ListQuery(entity: "Event", text: "ça")
    #expect(
      effects == [.cancel([.rank]), .matches(list: 1, query), .firstMatch(list: 1, query, after: nil)])
  }

  @Test func `matches without any keep the list as it was and say so`() {
    var state = openState()
    state.list?.find = Find(text: "zzz")
    var expected = state
    #expect(reduce(&state, .answer(.matches(list: 1, text: "zzz", KeyList()))).isEmpty)
    expected.list?.find = nil
    expected.message = Message(text: "No Event contains “zzz”.")
    #expect(state == expected)
  }

  @Test func `a sidebar step shows the next entity and cancels what the list before had under way`() {
    let store = FakeStore.festival()
    var state = openState(store)
    #expect(reduce(&state, .intent(.focus(.sidebar))).isEmpty)
    let effects = reduce(&state, .intent(.move(.down)))
    #expect(effects.first == .cancel(Work.ofList))
    #expect(state.sidebar == SidebarState(selected: 1, top: 0))
    #expect(state.list?.query == ListQuery(entity: "Note"))
    #expect(state.list?.awaitsFirstRows == true)
    // What was inspected stays until it is known what comes.
    #expect(state.inspector.key == ObjectKey(entity: 1, primaryKey: 1))
    answerWindow(&state, store)
    #expect(state.list?.isEmpty == true)
    #expect(state.inspector == InspectorState())
    #expect(state.history == History())
  }

  @Test func `an empty relationship is told and opens nothing`() {
    let store = FakeStore.festival()
    var state = openState(store)
    _ = reduce(&state, .intent(.chooseRow(6, column: 3)))
    let before = state
    #expect(reduce(&state, .intent(.open)).isEmpty)
    var expected = before
    expected.message = Message(text: "venue is empty: there is nothing to open.")
    #expect(state == expected)
  }

  @Test func `sorting asks for a new list from its first row and again for the other way round`() {
    let store = FakeStore.festival()
    var state = openState(store)
    state.list?.column = 1
    _ = reduce(&state, .intent(.sort))
    #expect(state.list?.query.sort == [ListSortKey("priority")])
    answerWindow(&state, store)
    #expect(state.list?.cursor == 0)
    _ = reduce(&state, .intent(.sort))
    #expect(state.list?.query.sort == [ListSortKey("priority", ascending: false)])
    answerWindow(&state, store)
    _ = reduce(&state, .intent(.sort))
    #expect(state.list?.query.sort == [ListSortKey("priority")])
  }

  @Test func `a failed first window is kept in the list with a way on`() {
    let store = FakeStore.festival()
    var state = BrowserState(size: Size(width: 80, height: 24))
    let opened = reduce(&state, .answer(.opened(store.outline)))
    guard case .window(let request)? = opened.first(where: { $0.work == .replacement }) else {
      Issue.record("no window was asked for")
      return
    }
    let problem = Problem(summary: "The disk is on fire.", detail: "all of it")
    #expect(reduce(&state, .answer(.windowFailed(request, problem))) == [.count(entity: "Event")])
    #expect(state.list?.failure == problem)
    #expect(state.lastProblem == problem)
    #expect(state.message == Message(text: "The disk is on fire.", kind: .error))
    let retried = reduce(&state, .intent(.open))
    #expect(retried == [.window(request)])
    #expect(state.list?.failure == nil)
  }

  @Test func `escape steps back one level at a time and never ends the program`() {
    let store = FakeStore.festival()
    var state = openState(store)
    state.list?.column = 3
    _ = reduce(&state, .intent(.open))
    answerWindow(&state, store)
    _ = reduce(&state, .intent(.focus(.inspector)))
    _ = reduce(&state, .intent(.toggleZoom))
    _ = reduce(&state, .intent(.showHelp))
    var effects: [Effect] = []
    effects += reduce(&state, .intent(.escape))
    #expect(state.overlay == nil)
    effects += reduce(&state, .intent(.escape))
    #expect(!state.isZoomed)
    effects += reduce(&state, .intent(.escape))
    #expect(state.focus == .list)
    effects += reduce(&state, .intent(.escape))
    #expect(state.list?.query.entity == "Event")
    for _ in 0..<5 { effects += reduce(&state, .intent(.escape)) }
    #expect(!effects.contains(.quit))
  }

  @Test func `totals of a parent include its subentities and wait for all of them`() {
    var state = openState()
    #expect(state.total(of: "Person") == nil)
    _ = reduce(&state, .answer(.counted(entity: "Guest", 4)))
    #expect(state.total(of: "Person") == nil)
    #expect(state.total(of: "Guest") == 4)
    _ = reduce(&state, .answer(.counted(entity: "Speaker", 3)))
    #expect(state.total(of: "Person") == 7)
  }

  @Test func `counting goes on after an entity that cannot be counted`() {
    var state = openState()
    #expect(state.counting == "Event")
    let effects = reduce(
      &state, .answer(.countFailed(entity: "Event", Problem(summary: "no such table", detail: ""))))
    #expect(effects == [.count(entity: "Note")])
    #expect(state.uncountable == ["Event"])
  }
}

extension FakeStore {
  func recordForTest(_ key: ObjectKey) -> RecordDetail {
    RecordDetail(key: key, entity: "Event", uri: "", version: nil, title: nil, fields: [])
  }
}
