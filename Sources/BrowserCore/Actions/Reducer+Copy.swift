import CoreData
import TextCanvas

extension BrowserState {
  /// Copies the value under the cursor, whole and as the command line would write it.
  mutating func copyValue() -> [Effect] {
    guard let target = editTarget else { return [] }
    if value(of: target) == .null {
      message = Message(text: "\(SafeText.visible(target.property.name)) is nil: there is nothing to copy.")
      return []
    }
    return [.text(target.key, target.property.name)]
  }

  /// Copies the selected object as JSON.
  mutating func copyObject() -> [Effect] {
    guard let key = selectedKey else { return [] }
    return [.text(key, nil)]
  }

  /// Puts what was read to be copied on the clipboard; an object that is gone is told.
  mutating func take(text: String?, of property: String?, in key: ObjectKey) -> [Effect] {
    guard let text else {
      message = Message(text: "The object is no longer in the store.", kind: .warning)
      return []
    }
    let what = property.map { SafeText.visible($0) } ?? "\(label(of: key)) as JSON"
    message = Message(text: "Copied \(what): \(SafeText.visible(String(text.prefix(400))))")
    return [.copy(text)]
  }

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
