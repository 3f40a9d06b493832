import CoreData
import TextCanvas

/// The line in which a filter is typed: what could be typed next, and what is wrong so far.
struct FilterBar: Equatable, Sendable {
  typealias Candidate = PredicateCompletion.Candidate

  var editor: LineEditor
  /// The filter that the list had when the bar opened.
  let former: String
  /// What could be typed at the cursor.
  var completion: PredicateCompletion
  /// Values that the store has, for what could be typed at the cursor.
  var values: [Candidate] = []
  /// The values that were asked for last.
  var asked: PredicateCompletion.Values?
  /// The candidate chosen, which Enter takes; where none is, Enter applies the filter.
  var selected: Int?
  /// What is wrong with the text; `nil` for an empty one too.
  var problem: PredicateParseError?
  /// Whether Enter was pressed on a wrong text.
  var isRefused = false
  /// The former filter that is shown, and what was typed before it.
  var recalled: (index: Int, draft: String)?

  init(_ text: String, entity: NSEntityDescription) {
    editor = LineEditor(text)
    former = text
    completion = PredicateCompletion(text, caret: text.utf8.count, entity: entity)
  }

  /// The values that fit what is typed, and then the rest.
  var candidates: [Candidate] {
    guard let wanted = completion.values else { return completion.candidates }
    let typed = wanted.prefix.lowercased()
    let fitting = values.filter { value in
      let bare = value.text.drop { $0 == "\"" }.lowercased()
      return typed.isEmpty || bare.hasPrefix(typed)
    }
    return fitting + completion.candidates
  }

  /// The caret in bytes, as the engine counts.
  static func caret(_ editor: LineEditor) -> Int { editor.text.prefix(editor.cursor).utf8.count }

  /// Whether what is wrong is only that something is missing at the end.
  var isIncomplete: Bool { problem.map { $0.offset >= editor.text.utf8.count } ?? false }

  static func == (left: FilterBar, right: FilterBar) -> Bool {
    left.editor == right.editor && left.former == right.former && left.completion == right.completion
      && left.values == right.values && left.asked == right.asked && left.selected == right.selected
      && left.problem == right.problem && left.isRefused == right.isRefused
      && left.recalled?.index == right.recalled?.index && left.recalled?.draft == right.recalled?.draft
  }
}

/// A template whose variables are being asked for, one after the other.
struct TemplateQuestion: Hashable, Sendable {
  var fetch: ModelFetch
  /// The literals given so far.
  var given: [String: String] = [:]
  /// What is wrong with the last one.
  var problem: String?

  /// The variable that is asked for.
  var variable: String? { fetch.variables.first { given[$0] == nil } }
}

/// Something under `Saved fetches`.
enum SidebarFetch: Hashable, Sendable {
  /// A filter that a person saved.
  case saved(SavedFilter)
  /// A fetch-request template of the model.
  case template(ModelFetch)

  var name: String {
    switch self {
    case .saved(let filter): filter.name
    case .template(let fetch): fetch.name
    }
  }

  var entity: String {
    switch self {
    case .saved(let filter): filter.entity
    case .template(let fetch): fetch.entity
    }
  }

  /// What it asks for, in a line.
  var text: String {
    switch self {
    case .saved(let filter): filter.text
    case .template(let fetch): fetch.format ?? ""
    }
  }
}

extension BrowserState {
  /// What is under `Saved fetches`: a person's own, then the model's.
  var fetches: [SidebarFetch] {
    shelf.saved.filter { entity(named: $0.entity) != nil }.map { .saved($0) }
      + (outline?.fetches ?? []).map { .template($0) }
  }

  /// The fetch that is selected in the sidebar.
  var selectedFetch: SidebarFetch? {
    let index = sidebar.selected - entityCount
    let all = fetches
    return all.indices.contains(index) ? all[index] : nil
  }

  /// How many things the sidebar has that can be selected.
  var sidebarCount: Int { entityCount + fetches.count }

  /// The line of something in the sidebar; a heading is between the entities and the fetches.
  func sidebarLine(of index: Int) -> Int { index < entityCount ? index : index + 1 }

  /// What is on a line of the sidebar; `nil` on the heading and below the end.
  func sidebarIndex(onLine line: Int) -> Int? {
    let index = line < entityCount ? line : line - 1
    return line == entityCount || index >= sidebarCount || line < 0 ? nil : index
  }

  /// How many lines the sidebar has.
  var sidebarLines: Int { fetches.isEmpty ? entityCount : sidebarCount + 1 }

  /// The entity of the list, as the model has it.
  var listEntity: NSEntityDescription? {
    list.flatMap { outline?.model?.entitiesByName[$0.query.entity] }
  }
}
