import CoreData
import TextCanvas

extension BrowserState {
  /// Shows the list by a filter; an empty text removes it.
  ///
  /// A text that is wrong changes nothing and is told.
  mutating func apply(filter text: String) -> [Effect] {
    guard let list, let entity = listEntity else { return [] }
    guard !text.isEmpty else {
      guard list.filter != nil else { return [] }
      return relist(list.query.filtered(by: nil), filter: nil)
    }
    do {
      let tree = try FilterText.parse(text, entity: entity, zone: zone)
      return relist(list.query.filtered(by: tree), filter: text) + [.filters(.remember(text))]
    } catch {
      tell(Problem(filter: error))
      return []
    }
  }

  /// The same list by another query, from its first row.
  mutating func relist(_ query: ListQuery, filter: String?) -> [Effect] {
    guard let old = list else { return [] }
    lastListID += 1
    var next = ListState(id: lastListID, query: query, columns: old.columns)
    next.filter = filter
    (next.trail, next.isAlone) = (old.trail, old.isAlone)
    (next.plan, next.column, next.firstColumn) = (old.plan, old.column, old.firstColumn)
    let request = next.replace(.first, place: .start, height: listHeight)
    next.find = old.find.map { Find(text: $0.text, awaitsJump: false) }
    list = next
    return [.cancel(Work.ofList), .window(request)] + searchAgain()
  }

  // MARK: Quick forms

  /// Narrows the list to the objects that have what the current cell has, or to the others.
  mutating func filterByCell(isExcluded: Bool) -> [Effect] {
    guard let list, let row = list.selectedRow, list.columns.indices.contains(list.column) else { return [] }
    let name = list.columns[list.column].name
    var value = row.cells.indices.contains(list.column) ? row.cells[list.column] : .null
    // The grid knows the head of a long text only.
    if let record = inspector.record, record.key == row.key,
      let field = record.fields.first(where: { $0.property.name == name })
    {
      value = field.value
    }
    let key = FilterJoin.key(name)
    let comparison: String
    if case .objects(let count?) = value {
      comparison = "\(key).@count \(isExcluded ? "!=" : "==") \(count)"
    } else if let literal = filterReader().text(of: value, entity: { entityName(of: $0) }) {
      comparison = "\(key) \(isExcluded ? "!=" : "==") \(literal)"
    } else {
      message = Message(text: "No filter can name this value of \(SafeText.visible(name)).", kind: .warning)
      return []
    }
    return apply(filter: FilterJoin.and(list.filter, comparison))
  }

  /// Narrows the list to objects with a text in any string attribute: the one being looked for, or one that is asked for.
  mutating func filterByText() -> [Effect] {
    guard let find = list?.find else {
      prompt = Prompt(purpose: .filterText, editor: LineEditor())
      return []
    }
    list?.find = nil
    return [.cancel([.matches, .rank])] + filter(byText: find.text)
  }

  mutating func filter(byText text: String) -> [Effect] {
    guard !text.isEmpty, let list, let entity = entity(named: list.query.entity) else { return [] }
    guard let condition = FilterJoin.anyText(text, of: entity) else {
      message = Message(text: "\(SafeText.visible(entity.name)) has no string attribute.", kind: .warning)
      return []
    }
    return apply(filter: FilterJoin.and(list.filter, condition))
  }

  // MARK: Saved filters

  /// Asks for the name to keep the filter under; of an open bar the text in it.
  mutating func askForName() -> [Effect] {
    if let bar = filterBar {
      guard bar.problem == nil else {
        filterBar?.isRefused = true
        return []
      }
      let effects = acceptFilter(bar)
      return effects + openNamePrompt()
    }
    return openNamePrompt()
  }

  private mutating func acceptFilter(_ bar: FilterBar) -> [Effect] {
    filterBar = nil
    return [.cancel([.values])] + apply(filter: bar.editor.text.trimmingCharacters(in: .whitespaces))
  }

  private mutating func openNamePrompt() -> [Effect] {
    guard let list, let filter = list.filter else {
      message = Message(text: "There is no filter to save: / filters the list.")
      return []
    }
    let known = shelf.saved.first { $0.entity == list.query.entity && $0.text == filter }?.name ?? ""
    prompt = Prompt(purpose: .saveFilter, editor: LineEditor(known))
    return []
  }

  mutating func saveFilter(as name: String) -> [Effect] {
    let name = name.trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty, let list, let text = list.filter else { return [] }
    let verb = shelf.saved.contains { $0.name == name } ? "Overwrote" : "Saved"
    message = Message(text: "\(verb) the filter “\(SafeText.visible(name))”.")
    let filter = SavedFilter(name: name, entity: list.query.entity, text: text, sort: list.query.sort)
    // Shown at once; what the file holds then comes with the answer.
    shelf.apply(.save(filter))
    return [.filters(.save(filter))] + settle()
  }

  /// No longer keeps the saved filter under the cursor.
  mutating func forgetFilter() -> [Effect] {
    guard case .saved(let filter)? = selectedFetch else { return [] }
    message = Message(text: "Deleted the filter “\(SafeText.visible(filter.name))”.")
    shelf.apply(.delete(filter.name))
    sidebar.selected = max(0, min(sidebar.selected, sidebarCount - 1))
    return [.filters(.delete(filter.name))] + settle()
  }

  mutating func take(shelf new: FilterShelf) {
    shelf = new
    sidebar.selected = max(0, min(sidebar.selected, sidebarCount - 1))
  }

  // MARK: Fetches

  /// Goes to the entity of a fetch, with its filter and its order; values of variables are asked for first.
  mutating func open(_ fetch: SidebarFetch) -> [Effect] {
    switch fetch {
    case .saved(let filter):
      return show(
        filter.text, of: filter.entity, sort: filter.sort.map { ListSortKey($0.key, ascending: $0.ascending) })
    case .template(let template):
      guard !template.variables.isEmpty else {
        return show(template.format ?? "", of: template.entity, sort: template.sort)
      }
      prompt = Prompt(purpose: .template(TemplateQuestion(fetch: template)), editor: LineEditor())
      return []
    }
  }

  /// Takes the value of a template's variable, and asks for the next one or runs the template.
  mutating func answer(_ question: TemplateQuestion, _ text: String) -> [Effect] {
    guard let variable = question.variable, let format = question.fetch.format,
      let entity = outline?.model?.entitiesByName[question.fetch.entity]
    else { return [] }
    var question = question
    question.problem = nil
    question.given[variable] = TemplateLiteral.literal(text)
    // What is not asked for yet is no value of any type, so that the text given is checked alone.
    let rest = Dictionary(uniqueKeysWithValues: question.fetch.variables.map { ($0, question.given[$0] ?? "nil") })
    let filter = PredicatePlaces.replacing(rest, in: format)
    do { _ = try FilterText.parse(filter, entity: entity, zone: zone) } catch {
      question.given[variable] = nil
      question.problem = error.hint
      prompt = Prompt(purpose: .template(question), editor: LineEditor(text))
      return []
    }
    guard question.variable == nil else {
      prompt = Prompt(purpose: .template(question), editor: LineEditor())
      return []
    }
    return show(filter, of: question.fetch.entity, sort: question.fetch.sort)
  }

  /// Shows the objects of an entity by a filter.
  private mutating func show(_ filter: String, of entity: String, sort: [ListSortKey]) -> [Effect] {
    guard let description = outline?.model?.entitiesByName[entity] else { return [] }
    var query = ListQuery(entity: entity, sort: sort)
    if !filter.isEmpty {
      do {
        query = query.filtered(by: try FilterText.parse(filter, entity: description, zone: zone))
      } catch {
        tell(Problem(filter: error))
        return []
      }
    }
    let selected = sidebar.selected
    let effects = show(query, filter: filter.isEmpty ? nil : filter, remembering: list != nil)
    // The fetch stays selected, not its entity.
    sidebar.selected = selected
    return effects + focus(on: .list)
  }
}

/// What a person types for a variable, as a literal.
enum TemplateLiteral {
  /// Numbers, `nil`, `YES` and `NO`, and what stands in quotes or braces are taken as they are; all else is a string.
  static func literal(_ text: String) -> String {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    let isQuoted = trimmed.count > 1 && (trimmed.first == "\"" || trimmed.first == "'") && trimmed.last == trimmed.first
    let isWord = ["nil", "null", "yes", "no", "true", "false"].contains(trimmed.lowercased())
    let isList = trimmed.first == "{" && trimmed.last == "}"
    return isQuoted || isList || isWord || Double(trimmed) != nil ? trimmed : FilterLiteral.quoted(text)
  }
}

extension Problem {
  /// What is wrong with a filter.
  init(filter error: PredicateParseError) {
    self.init(
      summary: "Not a filter: \(error.hint)",
      detail: error.format + "\n" + String(repeating: " ", count: error.column) + "^ " + error.hint)
  }
}
