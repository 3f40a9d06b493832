import CoreData

/// What an answer does.
///
/// Answers for a list that was left meanwhile change nothing.
func reduce(_ state: inout BrowserState, _ answer: Answer) -> [Effect] {
  switch answer {
  case .opened(let outline): return state.opened(outline)
  case .openFailed(let problem):
    state.phase = .failed(problem)
    state.lastProblem = problem
  case .counted(let entity, let count):
    state.counts[entity] = count
    state.counting = nil
    state.live.countedAt[entity] = state.now
    return state.countNext()
  case .countFailed(let entity, let problem):
    state.uncountable.insert(entity)
    state.counting = nil
    state.tell(problem)
    return state.countNext()
  case .window(let request, let window): return state.take(window, for: request)
  case .windowFailed(let request, let problem): return state.fail(request, problem)
  case .list(let id, let event): return state.take(event, of: id)
  case .store(let event): return state.take(event)
  case .listFailed(let id, let problem):
    guard state.list?.id == id else { return [] }
    state.list?.stageTwo = .stopped
    state.tell(problem)
    return state.jumpToMatch()
  case .matches(let id, let text, let keys):
    guard state.list?.id == id, state.list?.find?.text == text else { return [] }
    return state.take(matches: keys)
  case .firstMatch(let id, let text, let key):
    guard state.list?.id == id, state.list?.find?.text == text else { return [] }
    return state.take(firstMatch: key)
  case .matchesFailed(let id, let problem):
    guard state.list?.id == id else { return [] }
    state.list?.find = nil
    state.tell(problem)
  case .ranked(let id, let text, let positions):
    guard state.list?.id == id, state.list?.find?.text == text else { return [] }
    state.list?.find?.positions = positions
    return state.jumpToMatch()
  case .record(let key, let record):
    guard state.inspector.key == key else { return [] }
    // Read before the editor opened, it may hold what has to wait for its end.
    if state.isHeld(key), state.inspector.record?.key == key {
      state.inspector.isOutdated = true
      return []
    }
    if let old = state.inspector.record, old.key == key, let record { state.marks.remember(old, changedTo: record) }
    state.inspector.record = record ?? state.inspector.record
    state.inspector.isGone = record == nil
    state.revealField()
    return state.beginWhenRead()
  case .recordFailed(let key, let problem):
    guard state.inspector.key == key else { return [] }
    state.inspector.failure = problem
    state.tell(problem)
  case .editing(let answer): return state.take(answer)
  case .value(let key, let property, let value): state.take(value: value, of: property, in: key)
  case .valueFailed(let problem): state.tell(problem)
  case .text(let key, let property, let text): return state.take(text: text, of: property, in: key)
  case .values(let wanted, let values): state.take(values: values, for: wanted)
  case .shelf(let shelf):
    state.take(shelf: shelf)
    return state.settle()
  case .shelfFailed(let problem): state.tell(problem)
  }
  return []
}

extension BrowserState {
  /// The store is open: shows the entity asked for, or else the first that has rows.
  fileprivate mutating func opened(_ outline: StoreOutline) -> [Effect] {
    phase = .open
    self.outline = outline
    shelf = outline.shelf
    for entity in outline.entities where entity.isAbstract { counts[entity.name] = 0 }
    if let remark = outline.remarks.first { message = Message(text: remark, kind: .warning) }
    if let wantedEntity, entity(named: wantedEntity) == nil {
      message = Message(text: "This store has no entity \(wantedEntity).", kind: .warning)
    }
    let first = openEditing()
    let names = [wantedEntity, outline.firstWithRows, outline.entities.first?.name].compactMap { $0 }
    guard let name = names.first(where: { entity(named: $0) != nil }) else { return first + [.follow] }
    return first + showFirst(name) + [.follow]
  }

  /// The list of an entity, by the filter and in the order that the person asked for.
  private mutating func showFirst(_ name: String) -> [Effect] {
    var query = ListQuery(entity: name, sort: wantedSort)
    var filter: String?
    if let wantedFilter, let entity = outline?.model?.entitiesByName[name] {
      do {
        query = query.filtered(by: try FilterText.parse(wantedFilter, entity: entity, zone: zone))
        filter = wantedFilter
      } catch { tell(Problem(filter: error)) }
    }
    return show(query, filter: filter, remembering: false)
  }

  /// Takes rows in; the first ones of a list start stage two and the counting.
  fileprivate mutating func take(_ window: ListWindow, for request: WindowRequest) -> [Effect] {
    let height = listHeight
    guard list?.id == request.list, list?.accept(window, for: request, height: height) == true else { return [] }
    var effects: [Effect] = []
    if case .replace = request.purpose {
      if list?.buffer.position == nil, request.revision != list?.revision {
        let requests = list?.reread(near: nil, height) ?? []
        if !requests.isEmpty { return requests.map(Effect.window) }
      }
      effects += startStageTwo()
    }
    let owed = list?.owed ?? 0
    list?.owed = 0
    var requests = owed == 0 ? [] : list?.move(by: owed, height: height) ?? []
    list?.trim(height: height)
    requests += list?.settle(height: height) ?? []
    return requests.map(Effect.window) + effects + countNext() + (jumpToMatch())
  }

  /// Follows the list, which brings all its keys; where the rows at hand are all there are, they are known before.
  mutating func startStageTwo() -> [Effect] {
    guard var list, list.stageTwo == .pending, !list.awaitsFirstRows else { return [] }
    let monitor = Effect.monitor(list: list.id, list.query, columns: list.columns.map(\.name))
    let isComplete = list.buffer.reachesStart && list.buffer.reachesEnd
    if isComplete { list.accept(KeyList(list.buffer.rows.map(\.key))) } else { list.stageTwo = .loading }
    self.list = list
    return [monitor] + (isComplete ? rankMatches() : [])
  }

  fileprivate mutating func fail(_ request: WindowRequest, _ problem: Problem) -> [Effect] {
    guard list?.id == request.list else { return [] }
    switch request.purpose {
    case .replace(let anchor):
      guard list?.replacing == anchor else { return [] }
      list?.replacing = nil
      list?.isQuiet = false
      if list?.buffer.rows.isEmpty == true { list?.failure = problem }
    // What lies there is asked for again by the next step.
    case .before: list?.extending.remove(.before)
    case .after: list?.extending.remove(.after)
    }
    list?.owed = 0
    tell(problem)
    return countNext()
  }

  /// Counts one entity at a time, the one on screen first.
  mutating func countNext() -> [Effect] {
    guard counting == nil, let outline else { return [] }
    let waiting = outline.entities.map(\.name).filter {
      (counts[$0] == nil || live.recount.contains($0)) && !uncountable.contains($0)
    }
    guard let next = waiting.first(where: { $0 == list?.query.entity }) ?? waiting.first else { return [] }
    live.recount.remove(next)
    counting = next
    return [.count(entity: next)]
  }
}
