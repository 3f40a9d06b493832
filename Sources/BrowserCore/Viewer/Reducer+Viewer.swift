import CoreData
import TextCanvas

extension BrowserState {
  /// Why the value under the cursor cannot be looked at whole; `nil` when it can.
  var cannotView: String? {
    guard let target = editTarget else { return "No value is selected." }
    return target.property.kind.target == nil
      ? nil : "\(SafeText.visible(target.property.name)) is a relationship: ↵ follows it."
  }

  /// Opens the value under the cursor: at once where it waits to be saved, else when it has been read whole.
  mutating func viewValue() -> [Effect] {
    guard let target = editTarget else { return [] }
    if target.key.isNew || editing.value(of: target.property.name, in: target.key) != nil {
      view(value(of: target) ?? .null, of: target.property.name, in: target.key)
      return []
    }
    return [.value(target.key, target.property.name)]
  }

  /// Shows a value that was read; one whose object is gone is told.
  mutating func take(value: PropertyValue?, of property: String, in key: ObjectKey) {
    // The person may have done something else meanwhile.
    guard overlay == nil, editTarget?.key == key, editTarget?.property.name == property else { return }
    guard let value else {
      message = Message(text: "The object is no longer in the store.", kind: .warning)
      return
    }
    view(value, of: property, in: key)
  }

  private mutating func view(_ value: PropertyValue, of property: String, in key: ObjectKey) {
    let title = "\(entityName(of: key)).\(property)" + Self.size(of: value)
    overlay = .viewer(
      ViewerState(title: title, value: value, zone: zone, width: OverlayLayout(size: size).inside.width))
  }

  private static func size(of value: PropertyValue) -> String {
    switch value {
    case .text(let text) where !text.isEmpty:
      " · \(ValueFormatter.grouped(text.count)) character\(text.count == 1 ? "" : "s")"
    case .data(let data): " · \(ValueFormatter.size(data.count))"
    default: ""
    }
  }

  mutating func changeViewer(_ change: (inout ViewerState, _ height: Int) -> Void) {
    guard case .viewer(var viewer) = overlay else { return }
    change(&viewer, max(1, ViewerLayer.body(of: self).height))
    overlay = .viewer(viewer)
  }

  /// Keeps the viewer fitted to the screen.
  mutating func fitViewer() {
    let width = OverlayLayout(size: size).inside.width
    changeViewer { $0.fit(width: width, height: $1) }
  }

  /// Copies the value: its text, or its bytes as hexadecimal digits.
  mutating func copyViewed() -> [Effect] {
    guard case .viewer(let viewer) = overlay else { return [] }
    let text: String
    switch viewer.value {
    case .text(let value), .odd(let value): text = value
    case .data(let data):
      guard let value = viewer.plainText else {
        text = data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        break
      }
      text = value
    default: text = viewer.plainText ?? ""
    }
    message = Message(text: "Copied \(ValueFormatter.grouped(text.count)) characters.")
    return [.copy(text)]
  }
}

extension ViewerState {
  /// The form that is shown as text, where it is one.
  fileprivate var plainText: String? {
    guard forms.indices.contains(form), case .lines(let lines) = forms[form].content else { return nil }
    return lines.map { line in
      String(repeating: "  ", count: line.indent) + (line.label.isEmpty ? "" : line.label + " ") + line.text
    }
    .joined(separator: "\n")
  }
}
