import BrowserTestSupport
import CoreData
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

/// Every screen at every size, compared with text files in `Goldens`.
@MainActor @Suite struct ScreenTests {
  /// A screen: which store, what happens before, and whether answers are held back.
  struct Scene: Sendable, CustomTestStringConvertible {
    var name: String
    var store: @Sendable () -> FakeStore = { .festival() }
    var entity: String?
    var keys = ""
    var held: [FakeService.Question] = []
    var failing: [FakeService.Question: String] = [:]
    var unicode = true

    var testDescription: String { name }
  }

  nonisolated static let sizes = [
    Size(width: 40, height: 10), Size(width: 80, height: 24), Size(width: 120, height: 36),
    Size(width: 200, height: 60),
  ]

  nonisolated static let scenes: [Scene] = [
    Scene(name: "opening", held: [.open]),
    Scene(name: "full"),
    Scene(name: "overflow", store: { .festival(events: 3_000) }, keys: "<pgdn><pgdn>llllll"),
    Scene(name: "waiting", store: { .festival(events: 3_000) }, held: [.keys, .count, .record]),
    Scene(name: "empty", entity: "Note"),
    Scene(name: "one row", store: { .festival(events: 1) }),
    Scene(name: "wide text", entity: "Venue", keys: "jj"),
    Scene(name: "hostile", store: { .hostile() }),
    Scene(name: "sidebar", keys: "1jjj"),
    Scene(name: "inspector", keys: "jj3jjjj"),
    Scene(name: "drilled", keys: "lll<enter>ll<enter>jj"),
    Scene(name: "sorted", keys: "lss"),
    Scene(name: "find prompt", keys: "fcafé"),
    Scene(name: "found", keys: "fcafe<enter>n"),
    Scene(name: "help", keys: "?"),
    Scene(name: "help search", keys: "?pane"),
    Scene(name: "open failed", failing: [.open: "Festival.sqlite is encrypted: give the key with --key."]),
    Scene(name: "list failed", failing: [.window: "The file was cut off: page 9 is missing."]),
    Scene(name: "error", keys: "j!", failing: [.record: "The row is torn.\nPage 7 does not add up."]),
    Scene(name: "zoomed", keys: "3+"),
    Scene(name: "ascii", unicode: false),
  ]

  @Test(arguments: scenes, sizes) func `screens are as their golden files show them`(scene: Scene, size: Size)
    async throws
  {
    let browser = try BrowserUnderTest(scene.store(), size: size, entity: scene.entity, unicode: scene.unicode) {
      service in
      for question in scene.held { service.hold(question) }
      for (question, words) in scene.failing { service.fail(question, FakeFailure(words)) }
    }
    if scene.held.isEmpty {
      await browser.idle()
      await browser.type(KeyScript(scene.keys))
    } else {
      await browser.quiet()
      browser.typeAhead(KeyScript(scene.keys))
      await browser.quiet()
    }
    let mismatch = Golden.mismatch(
      browser.terminal.canvas, cursor: browser.terminal.cursor,
      name: scene.name.replacingOccurrences(of: " ", with: "-"),
      beside: #filePath)
    if let mismatch { Issue.record(Comment(rawValue: mismatch)) }
  }
}

extension FakeStore {
  /// One entity whose names and values try to drive the terminal.
  static func hostile() -> FakeStore {
    let entity = EntityOutline(
      name: "Ev\u{1B}[31mil", number: 1, depth: 0, isAbstract: false,
      properties: [
        PropertyOutline(name: "na\u{7}me", kind: .string, isSortable: true),
        PropertyOutline(name: "size", kind: .integer, isSortable: true),
        PropertyOutline(name: "note", kind: .string, isSortable: true),
      ])
    var store = FakeStore(
      StoreOutline(
        name: "x\u{1B}]0;owned\u{7}.sqlite", modelSource: "model: \u{9B}2J", access: .copy, isReadOnly: true,
        entities: [entity], firstWithRows: entity.name, remarks: ["Column \u{1B}[5mZ does not fit."]))
    let texts = [
      "\u{1B}[2J\u{1B}[H", "right\u{202E}left", "zero\u{200B}width\u{FEFF}", "tab\tand\r\nlines",
      "e\u{301}\u{301}\u{301}",
      "\u{9B}31m", "👩‍👩‍👧‍👦 family", String(repeating: "long ", count: 400), "ｆｕｌｌ", "\u{0}nul",
    ]
    for (index, text) in texts.enumerated() {
      store.add(
        Object(
          ObjectKey(entity: 1, primaryKey: Int64(index + 1)),
          [
            "na\u{7}me": .plain(.text(String(text.prefix(200)), length: text.count)),
            "size": .plain(.integer(Int64.max / Int64(index + 1))),
            "note": index == 3 ? .plain(.odd("not\u{1B}a date")) : .plain(.text(text, length: text.count)),
          ]))
    }
    return store
  }
}
