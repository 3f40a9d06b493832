import CoreData
import TextCanvas

/// What the list shows at an instant, line by line, and when it next looks different: a pure function of marks and time.
struct AnimationPlan: Equatable {
  /// One line of the list.
  struct Line: Equatable {
    enum Content: Equatable {
      /// A row of the buffer, by its index.
      case row(Int)
      /// A row that is no longer there, by its index among the ghosts.
      case ghost(Int)
    }

    var content: Content
    /// Whether the line is a gap that opens or closes, without text.
    var isGap = false
    /// What stands in the gutter, and which wash it is.
    var kind: Mark.Kind?
    /// How much of the wash is left, from 8 to 0.
    var strength: UInt8 = 0
    /// The changed cells as they were; where there are any, they alone are washed.
    var old: [String: CellValue] = [:]
  }

  /// The lines on screen, from the top one down.
  private(set) var lines: [Line] = []
  /// When something next looks different; `nil` when all is at rest.
  private(set) var next: Double?

  private let now: Double
  private let level: AnimationLevel

  /// The plan of a state at an instant.
  init(_ state: BrowserState, now: Double) {
    self.now = now
    level = state.animation
    if let list = state.list {
      lay(list, state.marks, height: state.listHeight)
      for line in lines {
        if case .row(let index) = line.content, let mark = state.marks[list.buffer.rows[index].key] { expect(mark) }
      }
      if !list.beyond.isEmpty { expect(list.beyond.end) }
    }
    if let key = state.inspector.key, let mark = state.marks[key] { expect(mark) }
    for badge in state.live.badges.values { expect(badge.fade.next(after: now, level)) }
    if let storm = state.live.storm { expect(storm.end) }
    if let pulse = state.live.lightFade { expect(pulse.next(after: now, level)) }
    if let gate = state.live.gate { expect(max(gate, now)) }
  }

  /// The line of a row of the buffer.
  func line(ofRow index: Int) -> Int? { lines.firstIndex { $0.content == .row(index) } }

  // MARK: Time

  private mutating func expect(_ instant: Double?) {
    guard let instant else { return }
    next = min(next ?? instant, instant)
  }

  private mutating func expect(_ mark: Mark) {
    expect(mark.fade?.next(after: now, level))
    if mark.end > now + Timing.grain { expect(mark.end) }
  }

  // MARK: Lines

  /// Lays the lines out from the selection, which keeps its place, upwards and downwards.
  private mutating func lay(_ list: ListState, _ marks: Marks, height: Int) {
    let rows = list.buffer.rows
    guard !rows.isEmpty || !list.slides.ghosts.isEmpty else { return }
    if list.slides.isEmpty {
      for index in rows.indices.clamped(to: list.top..<list.top + height) {
        lines.append(line(ofRow: index, rows[index].key, list, marks))
      }
      return
    }
    for instant in list.slides.openings.values { expectSteps(from: instant) }
    for ghost in list.slides.ghosts { expectEnd(of: ghost) }

    let shown = sequence(list, marks, height: height)
    let anchor = shown.firstIndex { line in
      switch line.content {
      case .row(let index): list.slides.fallen == nil && index == list.cursor
      case .ghost(let index):
        list.slides.ghosts[index].row.key == list.slides.fallen && list.slides.ghosts[index].kind == .delete
      }
    }
    let eye = list.slides.eye ?? (list.cursor - list.top)
    var first = max(0, (anchor ?? 0) - max(0, min(eye, height - 1)))
    if list.buffer.reachesEnd { first = min(first, max(0, shown.count - height)) }
    lines = Array(shown[first..<min(shown.count, first + height)])
  }

  /// The rows and ghosts near the viewport, in order.
  private func sequence(_ list: ListState, _ marks: Marks, height: Int) -> [Line] {
    let rows = list.buffer.rows
    let ghosts = list.slides.ghosts
    let near = max(0, min(list.top, list.cursor) - height)..<min(rows.count, max(list.top, list.cursor) + 2 * height)
    var sequence: [Line] = []
    var nextGhost = ghosts.firstIndex { $0.at >= near.lowerBound } ?? ghosts.count
    func addGhosts(upTo index: Int) {
      while nextGhost < ghosts.count, ghosts[nextGhost].at <= index {
        if let line = line(of: ghosts[nextGhost], at: nextGhost, list) { sequence.append(line) }
        nextGhost += 1
      }
    }
    for index in near {
      addGhosts(upTo: index)
      let key = rows[index].key
      let isAnchor = index == list.cursor && list.slides.fallen == nil
      if let opens = list.slides.openings[key], !isAnchor {
        if now + Timing.grain < opens { continue }
        if now + Timing.grain < opens + Timing.step {
          var line = line(ofRow: index, key, list, marks)
          line.isGap = true
          line.kind = line.kind ?? .insert
          line.strength = 4
          line.old = [:]
          sequence.append(line)
          continue
        }
      }
      sequence.append(line(ofRow: index, key, list, marks))
    }
    addGhosts(upTo: near.upperBound)
    return sequence
  }

  private func line(of ghost: Ghost, at index: Int, _ list: ListState) -> Line? {
    switch ghost.phase(at: now, level) {
    case .gone: return nil
    case .gap: return Line(content: .ghost(index), isGap: true, kind: ghost.kind, strength: 4)
    case .text: return Line(content: .ghost(index), kind: ghost.kind, strength: 8)
    }
  }

  private func line(ofRow index: Int, _ key: ObjectKey, _ list: ListState, _ marks: Marks) -> Line {
    var line = Line(content: .row(index))
    guard let mark = marks[key], now + Timing.grain < mark.end else { return line }
    line.kind = mark.kind
    line.strength = mark.fade?.strength(at: now, level) ?? 0
    if mark.kind == .update || line.strength == 0 { line.old = mark.old }
    return line
  }

  private mutating func expectSteps(from instant: Double) {
    if now + Timing.grain < instant {
      expect(instant)
    } else if now + Timing.grain < instant + Timing.step {
      expect(instant + Timing.step)
    }
  }

  private mutating func expectEnd(of ghost: Ghost) {
    guard let closes = ghost.closes, let end = ghost.end(level) else { return }
    expect(now + Timing.grain < closes ? closes : max(end, now))
  }
}

extension AnimationPlan {
  /// The plan of the state as it is drawn now, which also tells the session when to draw again.
  init(_ state: BrowserState) { self.init(state, now: state.now) }
}
