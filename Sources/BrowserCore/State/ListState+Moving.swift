import CoreData

/// A step up or down in whatever has the focus.
enum Motion: Hashable, Sendable {
  case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last

  /// The rows this step goes in a pane of a given height; `nil` for the ends.
  func rows(height: Int) -> Int? {
    switch self {
    case .up: -1
    case .down: 1
    case .pageUp: -max(1, height - 1)
    case .pageDown: max(1, height - 1)
    case .halfPageUp: -max(1, height / 2)
    case .halfPageDown: max(1, height / 2)
    case .first, .last: nil
    }
  }

  /// Where this step leads to among `count` lines of which `height` are on screen.
  func target(from line: Int, count: Int, height: Int) -> Int {
    let target = rows(height: height).map { line + $0 } ?? (self == .first ? 0 : count)
    return max(0, min(target, count - 1))
  }
}

extension ListState {
  /// Moves the selection, and asks for the rows that this needs.
  mutating func move(_ motion: Motion, height: Int) -> [WindowRequest] {
    guard let step = motion.rows(height: height) else {
      return motion == .first ? goToStart(height: height) : goToEnd(height: height)
    }
    return move(by: step, height: height)
  }

  /// Moves the selection by a number of rows.
  ///
  /// What goes beyond the rows at hand is owed, or jumped to by position.
  mutating func move(by step: Int, height: Int) -> [WindowRequest] {
    if replacing != nil || owed != 0 {
      owed += step
      return []
    }
    // The row after the one that was deleted is at its place already.
    let step = slides.fallen != nil && step > 0 ? step - 1 : step
    slides.fallen = nil
    let target = cursor + step
    let isAtHand = buffer.rows.indices.contains(target)
    if !isAtHand, !buffer.rows.isEmpty, let keys, let start = buffer.position {
      let position = min(max(0, start + target), keys.count - 1)
      if !buffer.rows.indices.contains(position - start) {
        return go(to: position, line: step < 0 ? 0 : height - 1, height: height)
      }
    }
    cursor = min(max(0, target), max(0, buffer.rows.count - 1))
    let isMissing = step < 0 ? !buffer.reachesStart : !buffer.reachesEnd
    owed = isMissing ? target - cursor : 0
    return settle(height: height)
  }

  /// Goes to the first row, by a new window when it is not at hand.
  mutating func goToStart(height: Int) -> [WindowRequest] {
    slides.fallen = nil
    if buffer.reachesStart, replacing == nil {
      (cursor, top, owed) = (0, 0, 0)
      return settle(height: height)
    }
    if let keys, keys.count > 0 { return go(to: 0, line: 0, height: height) }
    return [replace(.first, place: .start, height: height)]
  }

  /// Goes to the last row, by a new window when it is not at hand.
  mutating func goToEnd(height: Int) -> [WindowRequest] {
    slides.fallen = nil
    if buffer.reachesEnd, replacing == nil {
      (cursor, owed) = (max(0, buffer.rows.count - 1), 0)
      return settle(height: height)
    }
    if let keys, keys.count > 0 { return go(to: keys.count - 1, line: height - 1, height: height) }
    return [replace(.last, place: .end, height: height)]
  }

  /// Goes to a position of the whole list, whose keys must be known; the row comes to stand on the line given.
  mutating func go(to position: Int, line: Int, height: Int) -> [WindowRequest] {
    guard let keys, position >= 0, position < keys.count else { return [] }
    if let start = buffer.position, replacing == nil, buffer.rows.indices.contains(position - start) {
      return select(position - start, line: line, height: height)
    }
    let limit = Self.limit(height: height)
    let from = max(0, min(position - limit / 2, keys.count - limit))
    let range = from..<min(keys.count, from + limit)
    var request = replace(
      .row(position - from, line: max(0, min(line, height - 1))), place: .keys(keys[range]), height: height)
    request.range = range
    return [request]
  }

  /// Goes to an object, by its position where that is known and by its key alone where not.
  mutating func go(to key: ObjectKey, position: Int?, height: Int) -> [WindowRequest] {
    let line = height / 2
    if replacing == nil, let index = buffer.rows.firstIndex(where: { $0.key == key }) {
      return select(index, line: line, height: height)
    }
    if let position, keys != nil { return go(to: position, line: line, height: height) }
    return [replace(.row(0, line: line), place: .keys([key]), height: height)]
  }

  /// Selects a row at hand; the viewport moves only when the row is outside of it, and then to the line given.
  mutating func select(_ index: Int, line: Int, height: Int) -> [WindowRequest] {
    guard buffer.rows.indices.contains(index) else { return [] }
    (cursor, owed, slides.fallen) = (index, 0, nil)
    if index < top || index >= top + height { top = max(0, index - line) }
    return settle(height: height)
  }

  /// Moves the viewport; the selection is taken along at its edge.
  mutating func scroll(by lines: Int, height: Int) -> [WindowRequest] {
    guard replacing == nil, !buffer.rows.isEmpty else { return [] }
    top = min(max(0, top + lines), max(0, buffer.rows.count - height))
    cursor = min(max(cursor, top), min(top + height, buffer.rows.count) - 1)
    owed = 0
    slides.fallen = nil
    return settle(height: height)
  }

  /// Brings the selection into the viewport and asks for rows ahead of it.
  mutating func settle(height: Int) -> [WindowRequest] {
    let height = max(1, height)
    cursor = min(max(0, cursor), max(0, buffer.rows.count - 1))
    if cursor < top { top = cursor }
    if cursor >= top + height { top = cursor - height + 1 }
    if buffer.reachesEnd { top = min(top, max(0, buffer.rows.count - height)) }
    top = max(0, top)
    return replacing == nil ? extensions(height: height) : []
  }
}
