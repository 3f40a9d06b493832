import BrowserTestSupport
import CoreData
import Testing
import TextCanvas

@testable import BrowserCore

@MainActor @Suite("The filter bar") struct FilterBarTests {
  private func browser(_ keys: KeyScript = "") async throws -> BrowserUnderTest {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type(keys)
    return browser
  }

  private func candidates(_ browser: BrowserUnderTest) -> [String] {
    browser.session.state.filterBar?.candidates.map(\.text) ?? []
  }

  @Test func `a filter is applied on Enter, and the list's title tells it with the count`() async throws {
    let browser = try await browser("/isPublic == NO<enter>")
    #expect(browser.session.state.filterBar == nil)
    #expect(browser.session.state.list?.filter == "isPublic == NO")
    let count = try #require(browser.session.state.listCount)
    #expect(count > 0 && count < 40)
    #expect(browser.terminal.shows("[2] Event ── \(count) of 40 ── isPublic == NO"))
  }

  @Test func `the bar opens with the list's filter, Esc gives back the former, and an empty text removes it`()
    async throws
  {
    let browser = try await browser("/isPublic == NO<enter>/")
    #expect(browser.session.state.filterBar?.editor.text == "isPublic == NO")
    await browser.type("<c-u>title == 'x'<esc>")
    #expect(browser.session.state.list?.filter == "isPublic == NO")
    await browser.type("/<c-u><enter>")
    #expect(browser.session.state.list?.filter == nil)
    #expect(browser.session.state.listCount == 40)
  }

  @Test func `Esc in the list removes the filter, and one level later goes back`() async throws {
    let browser = try await browser("/isPublic == NO<enter><esc>")
    #expect(browser.session.state.list?.filter == nil)
    #expect(browser.session.state.listCount == 40)
  }

  @Test func `a wrong text is told under the word, and the list keeps the last good filter`() async throws {
    let browser = try await browser("/isPublic == NO<enter>/<c-u>nmae == 1")
    #expect(browser.terminal.shows("^ keypath nmae not found in entity Event"))
    let caret = try #require(browser.terminal.lines.firstIndex { $0.contains("^ keypath") })
    let column = browser.terminal.lines[caret].distance(
      from: browser.terminal.lines[caret].startIndex,
      to: try #require(browser.terminal.lines[caret].firstIndex(of: "^")))
    let word = try #require(browser.terminal.lines[caret - 1].range(of: "nmae"))
    #expect(
      browser.terminal.lines[caret - 1].distance(
        from: browser.terminal.lines[caret - 1].startIndex, to: word.lowerBound)
        == column)
    await browser.type("<enter>")
    #expect(browser.session.state.filterBar?.isRefused == true)
    #expect(browser.session.state.list?.filter == "isPublic == NO")
  }

  @Test func `Tab takes the only candidate, or chooses among several; Enter takes the chosen one`() async throws {
    let browser = try await browser("/prio<tab>")
    #expect(browser.session.state.filterBar?.editor.text == "priority ")
    #expect(candidates(browser).first == "==")
    await browser.type("<tab><tab><enter>")
    #expect(browser.session.state.filterBar?.editor.text == "priority != ")
    #expect(browser.session.state.filterBar?.selected == nil)
    await browser.type("3<enter>")
    #expect(browser.session.state.list?.filter == "priority != 3")
  }

  @Test func `values of the attribute are offered, those that begin with what is typed`() async throws {
    let browser = try await browser("/title == \"Ca")
    #expect(candidates(browser).allSatisfy { $0.hasPrefix("\"Ca") })
    #expect(!candidates(browser).isEmpty)
    await browser.type("<down><enter>")
    #expect(browser.session.state.filterBar?.editor.text == "title == \"Café concert 2\" ")
    await browser.type("<enter>")
    #expect(browser.session.state.listCount == 1)
  }

  @Test func `values are asked for in the background, and the next question cancels the last`() async throws {
    let browser = try BrowserUnderTest(prepare: { $0.hold(.values) })
    await browser.idle()
    browser.typeAhead("/title == \"C")
    await browser.quiet()
    browser.typeAhead("a")
    await browser.quiet()
    #expect(browser.service.cancellations(of: .values) >= 1)
    #expect(browser.session.state.filterBar?.editor.text == "title == \"Ca")
    browser.service.release(.values)
    await browser.idle()
    #expect(candidates(browser).first?.hasPrefix("\"Ca") == true)
  }

  @Test func `values that cannot be read are no error`() async throws {
    let browser = try BrowserUnderTest(prepare: { $0.fail(.values, FakeFailure("The file was cut off.")) })
    await browser.idle()
    await browser.type("/title == ")
    #expect(browser.session.state.message == nil)
    #expect(browser.session.state.filterBar != nil)
  }

  @Test func `up walks former filters, newest first and each once, and down comes back to what was typed`() async throws
  {
    let browser = try await browser(
      "/priority == 1<enter>/<c-u>priority == 2<enter>/<c-u>priority == 1<enter>/<c-u>prio")
    await browser.type("<up>")
    #expect(browser.session.state.filterBar?.editor.text == "priority == 1")
    await browser.type("<up>")
    #expect(browser.session.state.filterBar?.editor.text == "priority == 2")
    await browser.type("<up><down><down>")
    #expect(browser.session.state.filterBar?.editor.text == "prio")
  }

  @Test func `the current cell narrows the list, and a second one narrows it further`() async throws {
    let browser = try await browser("lllll=")
    #expect(browser.session.state.list?.filter == "isPublic == YES")
    await browser.type("hhhhh-")
    let filter = try #require(browser.session.state.list?.filter)
    #expect(filter.contains(" AND title != \""))
    #expect((browser.session.state.listCount ?? 0) > 0)
  }

  @Test func `a cell of a long filter of alternatives is joined in parentheses`() async throws {
    let browser = try await browser("/priority == 27 OR priority == 64<enter>=")
    #expect(browser.session.state.list?.filter?.hasPrefix("(priority == 27 OR priority == 64) AND title == ") == true)
  }

  @Test func `finding a text goes on in a filtered list, and becomes a filter itself`() async throws {
    let browser = try await browser("/priority \\<lt> 4<enter>")
    #expect(browser.session.state.filterBar != nil, "a backslash is no operator")
    await browser.type("<c-u>priority <lt> 4<enter>fcafe<enter>")
    let matches = try #require(browser.session.state.list?.find?.matches?.count)
    #expect(matches > 0 && matches <= (browser.session.state.listCount ?? 0))
    await browser.type("F")
    #expect(browser.session.state.list?.find == nil)
    #expect(
      browser.session.state.list?.filter
        == "priority < 4 AND (title CONTAINS[cd] \"cafe\" OR summary CONTAINS[cd] \"cafe\")")
    #expect(browser.session.state.listCount == matches)
  }

  @Test func `without a text to look for, one is asked for`() async throws {
    let browser = try await browser("Fdance<enter>")
    #expect(browser.session.state.list?.filter == "(title CONTAINS[cd] \"dance\" OR summary CONTAINS[cd] \"dance\")")
  }

  @Test func `sorting keeps the filter`() async throws {
    let browser = try await browser("/isPublic == NO<enter>s")
    #expect(browser.session.state.list?.filter == "isPublic == NO")
    #expect(browser.session.state.list?.query.filter != nil)
  }
}

@MainActor @Suite("Copying a filter") struct CopyFilterTests {
  private func browser(_ keys: KeyScript) async throws -> BrowserUnderTest {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type(keys)
    return browser
  }

  @Test func `the chosen form is on screen, and Enter puts it on the clipboard`() async throws {
    let browser = try await browser("/starts > '2025-11-02' AND title CONTAINS 'a'<enter>sC")
    #expect(browser.terminal.shows("Copy the filter as"))
    #expect(browser.terminal.shows("starts > CAST("))
    await browser.type("j")
    #expect(browser.terminal.shows("NSPredicate(format: "))
    await browser.type("jj")
    #expect(browser.terminal.shows("NSFetchRequest<NSManagedObject>(entityName: \"Event\")"))
    #expect(browser.terminal.shows("NSSortDescriptor(key: \"title\", ascending: true)"))
    await browser.type("<enter>")
    #expect(browser.session.state.overlay == nil)
    #expect(browser.terminal.copied.count == 1)
    #expect(browser.terminal.copied.first?.contains("request.predicate = NSPredicate(format: ") == true)
    #expect(browser.terminal.shows("Copied as fetch request"))
  }

  @Test func `a format string that is copied reads back as the same filter`() async throws {
    let browser = try await browser("/priority > 3 AND NOT title BEGINSWITH[cd] 'o'<enter>C<enter>")
    let text = try #require(browser.terminal.copied.first)
    let tree = try PredicateForm(format: text, arguments: []).tree
    #expect(tree == browser.session.state.list?.query.filter)
  }

  @Test func `a form that a filter does not have says why, and copies nothing`() async throws {
    let browser = try await browser("/title MATCHES 'a.*'<enter>Cjj<enter>")
    #expect(browser.session.state.overlay != nil)
    #expect(browser.terminal.copied.isEmpty)
    #expect(browser.session.state.message?.kind == .warning)
    await browser.type("<esc>")
    #expect(browser.session.state.overlay == nil)
  }

  @Test func `without a filter there is nothing to copy`() async throws {
    let browser = try await browser("C")
    #expect(browser.session.state.overlay == nil)
    #expect(browser.terminal.shows("There is no filter"))
  }
}

@MainActor @Suite("Saved filters and templates") struct SavedFilterTests {
  private func browser(_ keys: KeyScript = "", fetches: [ModelFetch] = []) async throws -> BrowserUnderTest {
    var store = FakeStore.festival()
    store.outline.fetches = fetches
    let browser = try BrowserUnderTest(store)
    await browser.idle()
    await browser.type(keys)
    return browser
  }

  private static let since = ModelFetch(
    name: "Since", entity: "Event", format: "starts >= $WHEN AND priority > $LEAST", sort: [ListSortKey("starts")],
    variables: ["WHEN", "LEAST"])
  private static let large = ModelFetch(
    name: "Large venues", entity: "Venue", format: "seats > 1000", sort: [ListSortKey("name", ascending: false)],
    variables: [])

  @Test func `a filter is saved under a name, shown in the sidebar, and leads back to its list and order`() async throws
  {
    let browser = try await browser("/isPublic == NO<enter>swThree<enter>")
    #expect(browser.service.store.outline.shelf.saved.map(\.name) == ["Three"])
    #expect(browser.terminal.shows("Saved fetches"))
    #expect(browser.terminal.shows("Three"))
    let count = browser.session.state.listCount
    await browser.type("<esc>1j<esc>G<enter>")
    #expect(browser.session.state.list?.filter == "isPublic == NO")
    #expect(browser.session.state.list?.query.sort == [ListSortKey("title")])
    #expect(browser.session.state.listCount == count)
    #expect(browser.session.state.focus == .list)
  }

  @Test func `a name that exists is overwritten, and Delete forgets`() async throws {
    let browser = try await browser("/isPublic == NO<enter>wP<enter>/<c-u>priority == 2<enter>w<c-u>P<enter>")
    #expect(browser.service.store.outline.shelf.saved.map(\.text) == ["priority == 2"])
    #expect(browser.terminal.shows("Overwrote the filter “P”."))
    await browser.type("1G<del>")
    #expect(browser.service.store.outline.shelf.saved.isEmpty)
    #expect(browser.session.state.sidebar.selected < browser.session.state.sidebarCount)
  }

  @Test func `what cannot be kept is told`() async throws {
    let browser = try await browser("/isPublic == NO<enter>")
    browser.service.fail(.filters, FakeFailure("nothing was kept, since filters.json cannot be read"))
    await browser.type("wP<enter>")
    #expect(browser.terminal.shows("nothing was kept"))
  }

  @Test func `a template without variables runs at once`() async throws {
    let browser = try await browser("1G<enter>", fetches: [Self.large])
    #expect(browser.session.state.list?.query.entity == "Venue")
    #expect(browser.session.state.list?.query.sort == [ListSortKey("name", ascending: false)])
    #expect(browser.session.state.listCount == 2)
  }

  @Test func `a template asks for each of its variables, by the type of what it is compared with`() async throws {
    let browser = try await browser("1G<enter>", fetches: [Self.since])
    #expect(browser.terminal.shows("Since: WHEN (Date): "))
    await browser.type("soon<enter>")
    #expect(browser.terminal.shows("not a date"))
    await browser.type("<c-u>2001-01-01<enter>")
    #expect(browser.terminal.shows("Since: LEAST (Integer): "))
    await browser.type("2<enter>")
    #expect(browser.session.state.list?.filter == "starts >= \"2001-01-01\" AND priority > 2")
    #expect(browser.session.state.list?.query.sort == [ListSortKey("starts")])
  }

  @Test func `the model's own cannot be deleted, and a prompt can be left`() async throws {
    let browser = try await browser("1G<del>", fetches: [Self.since])
    #expect(browser.terminal.shows("is the model's"))
    await browser.type("<enter><esc>")
    #expect(browser.session.state.prompt == nil)
    #expect(browser.session.state.list?.filter == nil)
  }
}
