import CoreData
import CoreDataKit
import Foundation
import TextCanvas

extension BrowserState {
  /// The value under the cursor, where one can be edited.
  var editTarget: EditTarget? {
    switch focus {
    case .sidebar: return nil
    case .list:
      guard let key = selectedKey, let list, list.columns.indices.contains(list.column) else { return nil }
      return EditTarget(key: key, property: list.columns[list.column].property, place: .cell)
    case .inspector:
      guard let record = shownRecord, record.fields.indices.contains(inspector.field) else { return nil }
      return EditTarget(key: record.key, property: record.fields[inspector.field].property, place: .field)
    }
  }

  /// Why the value under the cursor cannot be edited; `nil` when it can.
  var cannotEdit: String? {
    guard let target = editTarget else { return "No value is selected." }
    let name = SafeText.visible(target.property.name)
    if editing.edits[target.key]?.kind == .delete { return "The object is deleted once you save; u takes that back." }
    if let words = target.property.whyReadOnly { return SafeText.visible(words) + "." }
    switch target.property.kind {
    case .binary, .transformable: return "\(name) holds data, which cannot be typed."
    case .toMany: return "\(name) leads to many objects, which are not edited here."
    default: return nil
    }
  }

  /// The value of a property as it would be saved; `nil` while the whole of it is not known here.
  func value(of target: EditTarget) -> PropertyValue? {
    if let mine = editing.value(of: target.property.name, in: target.key) { return mine }
    let field = storedRecord.flatMap { record in
      record.key == target.key ? record.fields.first { $0.property.name == target.property.name } : nil
    }
    return field.flatMap { PropertyValue(whole: $0.value) }
  }

  /// Opens the editor of the value under the cursor, once the object has been read.
  mutating func beginEdit() -> [Effect] {
    guard let target = editTarget else { return [] }
    guard let value = value(of: target) else {
      if inspector.record?.key == target.key {
        message = Message(
          text: "\(SafeText.visible(target.property.name)) is too long to be edited here.", kind: .warning)
      } else {
        editing.opensWhenRead = target
      }
      return []
    }
    editing.opensWhenRead = nil
    editor = FieldEditor(target, value: value, text: text(of: value))
    // A toggle opens with the other value.
    return target.property.kind == .boolean ? recheck() : []
  }

  /// Edits the text under the cursor in the person's own editor; what that leaves is looked at before it is kept.
  mutating func compose() -> [Effect] {
    let effects = beginEdit()
    guard let editor else { return effects }
    return effects + [.compose(editor.target, editor.text)]
  }

  /// Opens the editor that waited for its object, if the cursor is still there.
  mutating func beginWhenRead() -> [Effect] {
    guard let target = editing.opensWhenRead else { return [] }
    editing.opensWhenRead = nil
    return target == editTarget && overlay == nil && inspector.record?.key == target.key ? beginEdit() : []
  }

  /// A value as text that reads back.
  private func text(of value: PropertyValue) -> String {
    if case .object(let key) = value { return uri(of: key) }
    return ValueReader(zone: zone).text(of: value)
  }

  /// What the text in the editor stands for.
  func reading(_ editor: FieldEditor) -> Result<PropertyValue, ReadingError> {
    if editor.isNil { return .success(.null) }
    let isAsItWas = ExactText(editor.text) == ExactText(editor.originalText)
    if isAsItWas, editor.original != .null { return .success(editor.original) }
    if case .toOne(let entity) = editor.target.property.kind { return object(editor.text, of: entity) }
    return ValueReader(zone: zone).value(of: editor.text, as: editor.target.property.kind)
  }

  mutating func typeInEditor(_ press: KeyPress) -> [Effect] {
    let inside = editorLayout?.input.size ?? Size(width: 20, height: 1)
    guard editor?.handle(press, width: inside.width, height: inside.height) == true else { return [] }
    return recheck()
  }

  mutating func pasteInEditor(_ text: String) -> [Effect] {
    editor?.paste(text)
    return recheck()
  }

  /// Reads what is typed, and asks the model about a value that differs from the one before.
  mutating func recheck() -> [Effect] {
    guard let editor else { return [] }
    let verdict: FieldEditor.Verdict =
      switch reading(editor) {
      case .failure(let error): .unreadable(error.words)
      case .success(editor.original): .unchanged
      case .success(let value): .checking(value)
      }
    if editor.verdict == verdict { return [] }
    // The cursor moved: what is known of the value stays known.
    if case .checking(let value) = verdict {
      switch editor.verdict {
      case .valid(value), .invalid(value, _): return []
      default: break
      }
    }
    self.editor?.verdict = verdict
    guard case .checking(let value) = verdict else { return [.cancel([.validation])] }
    return [.editing(.validate(editor.target, value))]
  }

  /// Enter: keeps the value, to be saved later.
  ///
  /// A value that is known to be impossible stays in the editor.
  mutating func keep() -> [Effect] {
    guard let editor else { return [] }
    switch editor.verdict {
    case .unchanged: return endEditor()
    case .checking(let value), .valid(let value):
      return endEditor() + perform(.set(editor.target.key, property: editor.target.property.name, value))
    case .invalid(_, let words), .unreadable(let words):
      message = Message(text: "\(SafeText.visible(editor.target.property.name)): \(words)", kind: .warning)
      return []
    }
  }

  /// Closes the editor; changes of its object that waited go on.
  mutating func endEditor() -> [Effect] {
    editor = nil
    return [.cancel([.validation])]
  }

  // MARK: Objects by their URIs

  private func uri(of key: ObjectKey) -> String {
    "\(storeURI ?? Self.schemes[0] + "://")/\(entityName(of: key))/p\(key.primaryKey)"
  }

  /// The part of every object's URI that names the store, once a URI has been seen.
  private var storeURI: String? {
    guard let uri = inspector.record?.uri, let end = uri.range(of: "/", range: scheme(of: uri)..<uri.endIndex) else {
      return nil
    }
    return String(uri[..<end.lowerBound])
  }

  private func scheme(of uri: String) -> String.Index {
    uri.range(of: "://")?.upperBound ?? uri.startIndex
  }

  /// The schemes of objects' URIs: of Core Data stores, and of plain databases.
  private static let schemes = ["x-coredata", "x-sqlite"]

  /// The object that a pasted URI names, which must be of an entity or one below it.
  private func object(_ text: String, of target: String) -> Result<PropertyValue, ReadingError> {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let match = text.wholeMatch(of: /([a-z-]+):\/\/([^\/]*)\/([^\/]+)\/p([1-9]\d*)/),
      Self.schemes.contains(String(match.1)), let number = Int64(match.4)
    else { return .failure(ReadingError("paste the URI of \(SafeText.visible(target)): x-coredata://…/p42")) }
    if let storeURI, !match.2.isEmpty, storeURI != "\(match.1)://\(match.2)" {
      return .failure(ReadingError("that object is in another store"))
    }
    guard let entity = entity(named: String(match.3).removingPercentEncoding ?? "") else {
      return .failure(ReadingError("there is no entity \(SafeText.visible(String(match.3)))"))
    }
    guard entityNumbers(under: target).contains(entity.number) else {
      return .failure(ReadingError("\(SafeText.visible(entity.name)) is no \(SafeText.visible(target))"))
    }
    return .success(.object(ObjectKey(entity: entity.number, primaryKey: number)))
  }
}
