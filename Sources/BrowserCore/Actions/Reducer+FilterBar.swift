import CoreData
import TextCanvas

extension BrowserState {
  func filterReader() -> FilterLiteral {
    FilterLiteral(
      zone: zone, store: outline?.identifier ?? "", scheme: outline?.isPlain ?? false ? "x-sqlite" : "x-coredata")
  }

  mutating func filter(_ intent: FilterIntent) -> [Effect] {
    switch intent {
    case .start: return startFilter()
    case .accept: return acceptFilter()
    case .complete(let step): return completeFilter(step)
    case .choose(let step): return chooseInFilter(step)
    case .pick(let index):
      filterBar?.selected = index
      return takeCandidate()
    case .save: return askForName()
    case .cell(let isExcluded): return filterByCell(isExcluded: isExcluded)
    case .byText: return filterByText()
    case .forget: return forgetFilter()
    case .copyMenu: openCopyMenu()
    case .copyForm(let index): return copyForm(index)
    }
    return []
  }

  /// Opens the bar with the list's filter.
  mutating func startFilter() -> [Effect] {
    guard let list, let entity = listEntity else { return [] }
    filterBar = FilterBar(list.filter ?? "", entity: entity)
    return filterChanged()
  }

  // MARK: Typing

  mutating func typeInFilter(_ press: KeyPress) -> [Effect] {
    guard let before = filterBar?.editor, filterBar?.editor.handle(press) == true, filterBar?.editor != before else {
      return []
    }
    filterBar?.recalled = nil
    return filterChanged()
  }

  mutating func pasteInFilter(_ text: String) -> [Effect] {
    filterBar?.editor.insert(text.split(whereSeparator: \.isNewline).joined(separator: " "))
    return filterChanged()
  }

  /// Looks at the text anew: what is wrong, what could come next, and which values the store has for it.
  private mutating func filterChanged() -> [Effect] {
    guard var bar = filterBar, let entity = listEntity else { return [] }
    let text = bar.editor.text
    bar.selected = nil
    bar.isRefused = false
    bar.problem = nil
    if !text.allSatisfy(\.isWhitespace) {
      bar.problem = FilterText.problem(in: text, entity: entity, zone: zone)
    }
    bar.completion = PredicateCompletion(text, caret: FilterBar.caret(bar.editor), entity: entity)
    guard let wanted = bar.completion.values else {
      let wasAsking = bar.asked != nil
      (bar.values, bar.asked) = ([], nil)
      filterBar = bar
      return wasAsking ? [.cancel([.values])] : []
    }
    // Values of another attribute are of no use; those of a shorter prefix are shown until the new ones come.
    if bar.asked?.attribute != wanted.attribute || bar.asked?.entity != wanted.entity { bar.values = [] }
    let isNew = bar.asked != wanted
    bar.asked = wanted
    filterBar = bar
    return isNew ? [.values(wanted)] : []
  }

  /// Takes in values that the store has.
  mutating func take(values: [CellValue], for wanted: PredicateCompletion.Values) {
    guard var bar = filterBar, bar.asked == wanted else { return }
    let literal = filterReader()
    // A chosen candidate stays chosen, wherever it goes.
    let chosen = bar.selected.flatMap { bar.candidates.indices.contains($0) ? bar.candidates[$0] : nil }
    bar.values = values.compactMap { value in
      literal.text(of: value).map { PredicateCompletion.Candidate($0, .value, "") }
    }
    bar.selected = chosen.flatMap { bar.candidates.firstIndex(of: $0) }
    filterBar = bar
  }

  // MARK: Choosing

  private mutating func completeFilter(_ step: Int) -> [Effect] {
    guard let bar = filterBar else { return [] }
    let count = bar.candidates.count
    guard count > 0 else { return [] }
    if count == 1, bar.selected == nil {
      filterBar?.selected = 0
      return takeCandidate()
    }
    filterBar?.selected = ((bar.selected.map { $0 + step } ?? (step > 0 ? 0 : count - 1)) + count) % count
    return []
  }

  private mutating func chooseInFilter(_ step: Int) -> [Effect] {
    guard let bar = filterBar else { return [] }
    let count = bar.candidates.count
    if bar.recalled == nil, let selected = bar.selected {
      let next = selected + step
      filterBar?.selected = next < 0 ? nil : min(next, count - 1)
      return []
    }
    // From the text itself up leads to what was typed before, and down to the candidates.
    if step < 0 || bar.recalled != nil { return recall(-step) }
    if count > 0 { filterBar?.selected = 0 }
    return []
  }

  /// Former filters: steps back in time.
  private mutating func recall(_ step: Int) -> [Effect] {
    guard let bar = filterBar else { return [] }
    let draft = bar.recalled?.draft ?? bar.editor.text
    let texts = shelf.history.filter { $0 != draft }
    let index = (bar.recalled?.index ?? -1) + step
    guard index < texts.count else { return [] }
    filterBar?.editor = LineEditor(index < 0 ? draft : texts[index])
    let effects = filterChanged()
    filterBar?.recalled = index < 0 ? nil : (index, draft)
    return effects
  }

  /// Puts the chosen candidate in its place.
  private mutating func takeCandidate() -> [Effect] {
    guard let bar = filterBar, let selected = bar.selected, bar.candidates.indices.contains(selected) else { return [] }
    let candidate = bar.candidates[selected]
    let utf8 = bar.editor.text.utf8
    let head = String(decoding: utf8.prefix(bar.completion.range.lowerBound), as: UTF8.self)
    let tail = String(decoding: utf8.dropFirst(bar.completion.range.upperBound), as: UTF8.self)
    var text = head + candidate.text
    if candidate.endsWord, tail.first != " " { text += " " }
    filterBar?.editor = LineEditor(text + tail, cursor: text.count + (candidate.endsWord && tail.first == " " ? 1 : 0))
    filterBar?.recalled = nil
    return filterChanged()
  }

  // MARK: Enter

  private mutating func acceptFilter() -> [Effect] {
    guard let bar = filterBar else { return [] }
    if bar.selected != nil { return takeCandidate() }
    guard bar.problem == nil else {
      filterBar?.isRefused = true
      return []
    }
    filterBar = nil
    let text = bar.editor.text.trimmingCharacters(in: .whitespaces)
    return [.cancel([.values])] + apply(filter: text)
  }
}

extension PredicateCompletion.Candidate {
  /// Whether a blank follows, since another word comes next.
  fileprivate var endsWord: Bool {
    switch kind {
    case .operator, .connective, .option: true
    case .keyword: text.last != "("
    case .value: text != "{"
    case .key: true
    case .relationship, .function, .variable: false
    }
  }
}
