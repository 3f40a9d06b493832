import BrowserTestSupport
import CoreData
import CoreDataKit
import TextCanvas

@testable import BrowserCore

/// A browser whose store is unlocked.
@MainActor func editingBrowser(
  _ store: FakeStore = .festival(), size: Size = Size(width: 120, height: 36), entity: String? = nil,
  unicode: Bool = true
) async throws -> BrowserUnderTest {
  let browser = try BrowserUnderTest(store, size: size, entity: entity, unicode: unicode)
  await browser.rest()
  await browser.press("e<enter><esc>")
  return browser
}

extension BrowserUnderTest {
  /// Types keys, each when the one before has been answered; marks may go on fading.
  func press(_ script: KeyScript) async {
    for key in script.keys {
      terminal.send(.key(key))
      await quiet()
    }
  }

  /// The edits that wait.
  var pending: EditState { session.state.editing.edits }

  /// What an edit of an event's property waits with.
  func mine(_ property: String, _ key: Int64 = 1) -> PropertyValue? {
    pending[ObjectKey(entity: 1, primaryKey: key)]?.fields[property]?.mine
  }
}

extension ObjectKey {
  /// The first event of the festival.
  static let firstEvent = ObjectKey(entity: 1, primaryKey: 1)
}
