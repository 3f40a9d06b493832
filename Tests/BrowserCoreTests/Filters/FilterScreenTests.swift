import BrowserTestSupport
import CoreData
import Testing
import TextCanvas

@testable import BrowserCore

/// The screens of filters at every size, compared with text files in `Goldens`.
@MainActor @Suite struct FilterScreenTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    var name: String
    var keys: String
    var hasFetches = false
    var unicode = true

    var testDescription: String { name }
  }

  nonisolated static let scenes = [
    Scene(name: "filter keys", keys: "/"),
    Scene(name: "filter operators", keys: "/title "),
    Scene(name: "filter path", keys: "/venue.na"),
    Scene(name: "filter values", keys: "/title == \"Ca<down><down>"),
    Scene(name: "filter options", keys: "/title CONTAINS["),
    Scene(name: "filter error", keys: "/priority > 3 AND nmae == 1"),
    Scene(name: "filter refused", keys: "/priority ><enter>"),
    Scene(
      name: "filter long",
      keys: "/title CONTAINS[cd] \"a very long text that fits no line\" AND summary == nil AND nmae"),
    Scene(name: "filter applied", keys: "/isPublic == NO AND rating > 1<enter>s"),
    Scene(name: "filter none", keys: "/priority == 1000<enter>"),
    Scene(name: "filter name", keys: "/isPublic == NO<enter>w"),
    Scene(name: "fetches", keys: "1G", hasFetches: true),
    Scene(name: "template", keys: "1G<enter>soon<enter>", hasFetches: true),
    Scene(name: "filter copy", keys: "/rating > 1<enter>Cj"),
    Scene(name: "filter ascii", keys: "/title == \"Ca<down>", unicode: false),
  ]

  @Test(arguments: scenes, ScreenTests.sizes) func `screens are as their golden files show them`(
    scene: Scene, size: Size
  ) async throws {
    var store = FakeStore.festival()
    if scene.hasFetches {
      store.outline.shelf.apply(
        .save(SavedFilter(name: "Loud ones", entity: "Event", text: "rating > 4", sort: [ListSortKey("title")])))
      store.outline.fetches = [
        ModelFetch(
          name: "LargeVenues", entity: "Venue", format: "seats > 1000", sort: [ListSortKey("name")], variables: []),
        ModelFetch(
          name: "Since", entity: "Event", format: "starts >= $WHEN AND priority > $LEAST", sort: [],
          variables: ["WHEN", "LEAST"]),
      ]
    }
    let browser = try BrowserUnderTest(store, size: size, unicode: scene.unicode)
    await browser.idle()
    await browser.type(KeyScript(scene.keys))
    let mismatch = Golden.mismatch(
      browser.terminal.canvas, cursor: browser.terminal.cursor,
      name: scene.name.replacingOccurrences(of: " ", with: "-"), beside: #filePath)
    if let mismatch { Issue.record(Comment(rawValue: mismatch)) }
  }
}
