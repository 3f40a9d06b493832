import BrowserTestSupport
import CoreData
import Testing
import TextCanvas

@testable import BrowserCore

/// The model on screen (UI.md, `M`).
@MainActor @Suite struct ModelScreenTests {
  private func shown(_ browser: BrowserUnderTest) throws -> ModelScreenState {
    guard case .model(let shown)? = browser.session.state.overlay else { throw Missing() }
    return shown
  }

  private struct Missing: Error {}

  private func name(_ browser: BrowserUnderTest) throws -> String? {
    let entities = ModelEntities(browser.session.state.outline?.model).all
    return entities[safe: try shown(browser).entity]?.entity.name
  }

  @Test func `it opens at the entity of the list, and says where the model came from`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("M")
    #expect(try name(browser) == "Event")
    #expect(browser.terminal.shows("model: cached in store"))
    let checksum = try #require(browser.session.state.outline?.model?.versionChecksum)
    #expect(browser.terminal.shows(checksum))
    #expect(browser.terminal.shows("→ Venue"))
  }

  @Test func `an inferred model has no checksum to show`() async throws {
    var store = FakeStore.festival()
    store.outline.modelSource = "model: inferred"
    let browser = try BrowserUnderTest(store)
    await browser.idle()
    await browser.type("M")
    #expect(!browser.terminal.shows("checksum"))
  }

  @Test func `relationships are followed to their entities, and back`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("M<tab>")
    let rows = EntityText(try #require(browser.session.state.outline?.model?.entitiesByName["Event"])).rows
    let venue = try #require(rows.firstIndex { $0.target == "Venue" })
    for _ in 0..<venue { await browser.type("j") }
    await browser.type("<enter>")
    #expect(try name(browser) == "Venue")
    await browser.type("<backspace>")
    #expect(try name(browser) == "Event")
    #expect(try shown(browser).property == venue)
    await browser.type("g<enter>")
    #expect(browser.session.state.message?.text.contains("leads to no entity") == true)
  }

  @Test func `Enter on an entity leaves for its list`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("MG<enter>")
    #expect(browser.session.state.overlay == nil)
    #expect(browser.session.state.list?.query.entity == "Venue")
  }

  @Test func `an entity is copied in words`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("My")
    let copied = try #require(browser.terminal.copied.first)
    #expect(copied.hasPrefix("Event\n"))
    #expect(copied.contains("venue"))
  }

  @Test func `the mouse chooses entities and properties`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("M")
    let entities = ModelEntities(browser.session.state.outline?.model).all
    let areas = ModelLayer.Areas(size: browser.session.state.size, entities)
    let names = try #require(areas.entities)
    await browser.press(names.x + 1, names.y + 2)
    #expect(try shown(browser).entity == 2)
    await browser.press(areas.properties.x, areas.properties.y + 2)
    #expect(try shown(browser).side == .properties)
    await browser.press(0, 0)
    #expect(browser.session.state.overlay == nil)
  }
}
