import CoreData
import TextCanvas

extension BrowserState {
  /// Takes in what the store tells, now or together with what follows.
  mutating func take(_ event: StoreEvent) -> [Effect] {
    switch event {
    case .liveness(let liveness):
      live.liveness = liveness
      if case .disconnected(let reason) = liveness {
        message = Message(text: "The store is not followed any more: \(reason).", kind: .warning)
      }
      return []
    case .changes(let changes):
      guard !changes.isEmpty || !changes.isComplete else { return [] }
      if LiveState.note(now, in: &live.storeArrivals) { storm() }
      if live.isPaused || now + Timing.grain < live.storeGate {
        live.waiting.append(.store(changes))
        return []
      }
      return show([.store(changes)])
    }
  }

  /// Takes in what a followed list tells.
  mutating func take(_ event: ListEvent, of id: Int) -> [Effect] {
    guard list?.id == id else { return [] }
    switch event {
    case .initial(let keys): return begin(with: keys)
    case .update(let update):
      if LiveState.note(now, in: &live.listArrivals) { storm() }
      if live.isPaused || now + Timing.grain < live.listGate {
        live.wait(update, of: id)
        return []
      }
      return show([.list(id, update)])
    }
  }

  /// The keys of the list are there: the rows at hand are read again where they do not agree with them.
  private mutating func begin(with keys: KeyList) -> [Effect] {
    guard var list else { return [] }
    let position = list.buffer.position.map { $0 + list.cursor }
    if list.keys != keys { list.find?.positions = nil }
    list.accept(keys)
    var requests: [WindowRequest] = []
    if list.isOutdated || !list.isConsistent, !list.awaitsFirstRows {
      list.isOutdated = false
      requests = list.reread(near: position, listHeight)
      if list.replacing != nil { list.buffer.position = nil }
    }
    self.list = list
    return requests.map(Effect.window) + rankMatches()
  }

  /// Time has passed: what waited for its frame is shown, what was seen long enough is forgotten.
  mutating func tick() -> [Effect] {
    var effects: [Effect] = []
    if !live.isPaused, !live.waiting.isEmpty, let gate = live.gate, gate <= now + Timing.grain {
      effects += showWaiting()
    }
    list?.slides.expire(at: now, animation)
    if let list, !list.beyond.isEmpty, list.beyond.end <= now + Timing.grain { self.list?.beyond = Beyond() }
    marks.expire(at: now)
    live.badges = live.badges.filter { $0.value.fade.end > now + Timing.grain }
    if let storm = live.storm, storm.end <= now + Timing.grain { live.storm = nil }
    if let pulse = live.pulse, pulse + Timing.pulse.hold + Timing.pulse.fade <= now + Timing.grain { live.pulse = nil }
    return effects
  }

  /// Holds changes until the person goes on, or shows those that were held, all at once.
  mutating func togglePause() -> [Effect] {
    live.isPaused.toggle()
    return live.isPaused ? [] : showWaiting()
  }

  private mutating func showWaiting() -> [Effect] {
    let waiting = live.waiting
    live.waiting = []
    return show(waiting)
  }

  // MARK: Showing

  private mutating func show(_ changes: [LiveState.Waiting]) -> [Effect] {
    var effects: [Effect] = []
    let updates = changes.compactMap { change -> ListUpdate? in
      if case .list(let id, let update) = change, id == list?.id { update } else { nil }
    }
    if !updates.isEmpty {
      live.listGate = now + Timing.gather
      effects += show(updates)
    }
    for case .reload(let id, let keys) in changes where id == list?.id {
      live.listGate = now + Timing.gather
      list?.isOutdated = true
      effects += begin(with: keys)
    }
    for case .store(let changes) in changes {
      live.storeGate = now + Timing.gather
      effects += show(changes)
    }
    return effects
  }

  /// Lets the list go through its next states, in one frame.
  private mutating func show(_ updates: [ListUpdate]) -> [Effect] {
    let height = listHeight
    let visible = updates.reduce(0) { $0 + (list?.visibleChanges(in: $1, height: height) ?? 0) }
    var tally = Tally()
    for update in updates {
      tally.add(
        Tally(
          inserts: update.list.inserts.count, updates: update.list.updates.count + update.list.moves.count,
          deletes: update.list.deletes.count))
    }
    let isBurst = visible > max(Storm.least, Int(Double(height) * Storm.share))
    if isBurst { storm() }
    live.storm?.tally.add(tally)
    var effects: [Effect] = []
    for update in updates {
      var context = PatchContext(now: now, height: height, level: animation)
      context.isStorm = live.storm != nil
      context.isHeld = { [self] in isHeld($0) }
      guard let patch = list?.apply(update, context) else { break }
      for (key, mark) in patch.marks { marks.set(mark, for: key) }
      effects += patch.requests.map(Effect.window)
    }
    return effects + rankMatches()
  }

  /// Changes come thick and fast: from now on they are counted until it is calm.
  private mutating func storm() {
    if live.storm == nil {
      live.pulse = now
      list?.slides = Slides()
    }
    live.storm = live.storm ?? Storm(last: now)
    live.storm?.last = now
  }

  /// Brings counts, badges, the activity and the inspector up to date.
  private mutating func show(_ changes: StoreChanges) -> [Effect] {
    if !changes.isEmpty { live.lastChange = changes.date }
    live.changeCount += changes.changes.count
    note(Activity(changes) { entityName(of: $0) })
    var effects = count(changes)
    guard changes.isComplete else { return effects + showAnew() }
    if let list, list.stageTwo == .loading || list.stageTwo == .pending { effects += reloadQuietly() }
    if let key = inspector.key, let change = changes.changes.first(where: { $0.key == key }) {
      if isHeld(key) {
        inspector.isOutdated = true
      } else if change.kind == .delete {
        inspector.isGone = true
      } else {
        inspector.isGone = false
        effects.append(.record(key))
      }
    }
    return effects
  }

  /// Objects changed that nobody can name: what is shown is read again.
  private mutating func showAnew() -> [Effect] {
    live.recount.formUnion(counts.keys)
    return countNext() + rereadList() + (inspector.key.map { [.record($0)] } ?? [])
  }

  /// Reads the rows of the list again, once nothing of it is being edited.
  mutating func rereadList() -> [Effect] {
    // A row that is being edited stays as it is.
    live.owesReading = editor != nil
    if live.owesReading { return [] }
    guard let keys = list?.keys else { return reloadQuietly() }
    list?.isOutdated = true
    return begin(with: keys)
  }

  private mutating func note(_ activity: Activity?) {
    guard let activity else { return }
    if var newest = live.activity.first, newest.author == activity.author,
      abs(activity.date.timeIntervalSince(newest.date)) < Activity.together
    {
      newest.join(activity)
      live.activity[0] = newest
    } else {
      live.activity.insert(activity, at: 0)
    }
    if live.activity.count > Activity.most { live.activity.removeLast() }
  }

  /// Keeps the counts of entities by adding what came and went.
  ///
  /// A count that was read while something changed may hold the change or not, and is read again.
  private mutating func count(_ changes: StoreChanges) -> [Effect] {
    var tallies: [String: Tally] = [:]
    for change in changes.changes { tallies[entityName(of: change.key), default: Tally()].count(change.kind) }
    var isUncertain = false
    for (entity, tally) in tallies {
      var badge = live.badges[entity].map { Badge(since: now, tally: $0.tally) } ?? Badge(since: now)
      badge.tally.add(tally)
      live.badges[entity] = badge
      guard tally.inserts != tally.deletes || tally.inserts > 0 else { continue }
      if counting == entity || live.countedAt[entity].map({ now - $0 < 0.5 }) == true {
        live.recount.insert(entity)
        isUncertain = true
      }
      if let count = counts[entity] { counts[entity] = max(0, count + tally.inserts - tally.deletes) }
    }
    return isUncertain ? countNext() : []
  }

  /// Reads the rows on screen again while their keys are not known yet.
  private mutating func reloadQuietly() -> [Effect] {
    guard var list, list.replacing == nil, let key = list.selectedRow?.key else {
      if self.list?.isEmpty == true, var list = self.list, list.replacing == nil {
        let request = list.replace(.first, place: .start, height: listHeight)
        list.isQuiet = true
        self.list = list
        return [.window(request)]
      }
      return []
    }
    let height = listHeight
    let line = max(0, list.cursor - list.top)
    let place: WindowPlace
    var index = list.cursor
    if list.buffer.reachesStart, list.cursor < ListState.limit(height: height) - height {
      place = .start
    } else {
      let limit = ListState.limit(height: height)
      let from = max(0, min(list.cursor - limit / 2, list.buffer.rows.count - limit))
      place = .keys(list.buffer.rows[from..<min(list.buffer.rows.count, from + limit)].map(\.key))
      index -= from
    }
    let request = list.replace(.object(key, index: index, line: line), place: place, height: height)
    list.isQuiet = true
    self.list = list
    return [.window(request)]
  }
}

extension LiveState {
  /// When what waits joins a frame; `nil` when nothing waits for that.
  var gate: Double? {
    if isPaused { return nil }
    return waiting.reduce(nil) { gate, waiting in
      let own =
        switch waiting {
        case .store: storeGate
        case .list, .reload: listGate
        }
      return min(gate ?? own, own)
    }
  }
}

extension ListState {
  /// How many rows on screen an update changes.
  func visibleChanges(in update: ListUpdate, height: Int) -> Int {
    guard let start = buffer.position else { return update.list.count }
    let shown = start + top..<start + top + max(1, height)
    var keys: Set<ObjectKey> = []
    for place in update.list.deletes where shown.contains(place.position) { keys.insert(place.key) }
    for place in update.list.inserts where shown.contains(place.position) { keys.insert(place.key) }
    for step in update.list.updates where shown.contains(step.to) { keys.insert(step.key) }
    for step in update.list.moves where shown.contains(step.to) || shown.contains(step.from) { keys.insert(step.key) }
    return keys.count
  }
}
