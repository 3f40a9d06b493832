import CoreData
import TextCanvas

extension BrowserState {
  /// Shows the forms in which the list's filter can be copied.
  mutating func openCopyMenu() {
    guard let list, let tree = list.query.filter, let entity = listEntity else { return }
    overlay = .copy(CopyMenu(tree, of: entity, sort: list.query.sort))
  }

  /// Copies a form, and says so.
  mutating func copyForm(_ index: Int?) -> [Effect] {
    guard case .copy(var menu) = overlay else { return [] }
    menu.selected = index ?? menu.selected
    overlay = .copy(menu)
    guard let form = menu.form else { return [] }
    guard let text = form.text else {
      message = Message(text: form.reason, kind: .warning)
      return []
    }
    overlay = nil
    message = Message(text: "Copied as \(form.title): \(SafeText.visible(text))")
    return [.copy(text)]
  }
}
