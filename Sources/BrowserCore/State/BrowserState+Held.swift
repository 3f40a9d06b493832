import CoreData

extension BrowserState {
  /// Whether the changes of an object wait, since it is being edited.
  func isHeld(_ key: ObjectKey) -> Bool { false }
}
