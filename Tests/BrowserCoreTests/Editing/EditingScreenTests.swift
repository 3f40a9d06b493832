import BrowserTestSupport
import CoreData
import CoreDataKit
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

/// Every screen of editing at every size, compared with text files in `Goldens`.
@MainActor @Suite struct EditingScreenTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    var name: String
    var entity: String?
    /// Keys pressed once the store is unlocked.
    var keys = ""
    /// What others commit then.
    var theirs: (@Sendable (inout FakeStore) -> Void)?
    /// Keys pressed after that.
    var then = ""
    var unicode = true

    var testDescription: String { name }
  }

  nonisolated static let sizes = [
    Size(width: 40, height: 10), Size(width: 80, height: 24), Size(width: 120, height: 36),
    Size(width: 200, height: 60),
  ]

  nonisolated static let first = ObjectKey(entity: 1, primaryKey: 1)

  nonisolated static let scenes: [Scene] = [
    Scene(name: "unlocked"),
    Scene(name: "edit text", keys: "jje<backspace>!"),
    Scene(name: "edit number", keys: "jle<c-u>4x"),
    Scene(name: "edit invalid", keys: "jle<c-u>1000"),
    Scene(name: "edit boolean", keys: "lllllje"),
    Scene(name: "edit date", keys: "lle<c-u>2 Nov 2025 6:04 pm"),
    Scene(name: "edit nil", keys: "lllllll<down>e<c-n>"),
    Scene(name: "edit empty", keys: "lllllll<down>e<c-u>"),
    Scene(name: "edit object", keys: "lllje"),
    Scene(
      name: "edit lines",
      keys: "je<c-e><c-o><enter><enter>A second paragraph that is long enough to be wrapped at the end of its line."),
    Scene(name: "edit field", keys: "jj3jjjjjje<c-u>4.8"),
    Scene(name: "edit last row", keys: "Ge"),
    Scene(name: "pending", keys: "je<c-u>Mine<enter>jle<c-u>99<enter>jjdyk3"),
    Scene(name: "pending fields", keys: "je<c-u>Mine<enter>lllle<enter>lle<c-u><enter>3"),
    Scene(name: "deleted fields", keys: "jdy3"),
    Scene(name: "new objects", keys: "aFirst new<enter>aSecond new<enter>jjjk"),
    Scene(name: "not valid", keys: "a<esc>G<c-s>"),
    Scene(name: "delete preview", entity: "Venue", keys: "jd"),
    Scene(name: "delete denied", entity: "Tag", keys: "d"),
    Scene(name: "discard", keys: "e<c-u>Mine<enter>je<c-u>Too<enter>D"),
    Scene(name: "quit pending", keys: "e<c-u>Mine<enter>a<esc>jjjq"),
    Scene(
      name: "conflict", keys: "e<c-u>My own title<enter>le<c-u>50<enter>je<c-u>1<enter>",
      theirs: {
        $0.set(first, "title", text: "Their title, which is longer")
        $0.set(first, "priority", .plain(.integer(7)))
        $0.set(first, "rating", .plain(.real(4.5)))
        $0.remove(ObjectKey(entity: 1, primaryKey: 2))
      }, then: "<c-s>m"),
    Scene(
      name: "held", keys: "ex",
      theirs: {
        $0.set(first, "priority", .plain(.integer(77)))
      }),
    Scene(name: "edit ascii", keys: "lllllje<c-n>", unicode: false),
    Scene(name: "pending ascii", keys: "je<c-u>Mine<enter>jjdya<esc>", unicode: false),
  ]

  @Test(arguments: scenes, sizes) func `screens of editing are as their golden files show them`(
    scene: Scene, size: Size
  ) async throws {
    let browser = try await editingBrowser(size: size, entity: scene.entity, unicode: scene.unicode)
    await browser.press(KeyScript(scene.keys))
    if let theirs = scene.theirs {
      browser.service.change(theirs)
      await browser.rest()
    }
    await browser.press(KeyScript(scene.then))
    await browser.rest()
    compare(browser, scene.name)
  }

  @Test(arguments: sizes) func `a locked store asks, and a recovered one offers`(size: Size) async throws {
    let locked = try BrowserUnderTest(size: size)
    await locked.rest()
    await locked.press("e")
    await locked.rest()
    compare(locked, "unlock")
    var store = FakeStore.festival()
    var edits = EditState()
    for number in 1...8 {
      let key = ObjectKey(entity: 1, primaryKey: Int64(number))
      var object = EditState.Object(key: key, entity: "Event", kind: number == 3 ? .delete : .update)
      if number != 3 { object.fields["title"] = EditState.Field(base: .null, mine: .text("Mine \(number)")) }
      edits.objects.append(object)
    }
    let new = ObjectKey(entity: 1, primaryKey: -1)
    edits.objects.append(EditState.Object(key: new, entity: "Event", kind: .insert))
    store.outline.recovered = edits
    let recovered = try BrowserUnderTest(store, size: size)
    await recovered.rest()
    compare(recovered, "recovery")
  }

  @Test func `nothing in a store can drive the terminal while it is edited`() async throws {
    var store = FakeStore.hostile()
    store.outline.isReadOnly = false
    let browser = try await editingBrowser(store, size: Size(width: 90, height: 30))
    for keys in [
      "e", "<esc>", "jjje", "<c-o>", "<down>x", "<c-s>", "d", "y", "jjq", "<esc>", "D", "y", "G3je", "<c-s>",
    ] {
      await browser.press(KeyScript(keys))
      for line in browser.terminal.lines where !SafeText.isSafe(line) {
        Issue.record("after \(keys): \(SafeText.visible(line))")
      }
    }
  }

  private func compare(_ browser: BrowserUnderTest, _ name: String) {
    let mismatch = Golden.mismatch(
      browser.terminal.canvas, cursor: browser.terminal.cursor,
      name: name.replacingOccurrences(of: " ", with: "-"), beside: #filePath)
    if let mismatch { Issue.record(Comment(rawValue: mismatch)) }
  }
}
