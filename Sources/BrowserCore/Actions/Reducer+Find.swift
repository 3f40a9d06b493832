import CoreData
import TextCanvas

extension BrowserState {
  /// Looks for a text in all string attributes of the list; empty text means the one before.
  mutating func find(_ text: String) -> [Effect] {
    guard list != nil else { return [] }
    if text.isEmpty { return findNext(1) }
    list?.find = Find(text: text)
    return searchAgain()
  }

  /// Asks for the matches of the text being looked for.
  mutating func searchAgain() -> [Effect] {
    guard let list, let find = list.find else { return [] }
    var query = list.query
    query.text = find.text
    return [.cancel([.rank]), .matches(list: list.id, query)] + firstMatch(query)
  }

  /// Asks for the first match at or after the selected row, which is sooner known than all of them.
  private func firstMatch(_ query: ListQuery) -> [Effect] {
    guard let list, list.find?.awaitsJump == true, list.replacing == nil else { return [] }
    // The row before the selected one, so that this one can be the match.
    let before = list.buffer.rows.indices.contains(list.cursor - 1) ? list.buffer.rows[list.cursor - 1].key : nil
    return [.firstMatch(list: list.id, query, after: before)]
  }

  /// Shows the first match, and goes on looking for the others.
  mutating func take(firstMatch key: ObjectKey?) -> [Effect] {
    guard let key, let list, list.replacing == nil, list.find?.awaitsJump == true, list.find?.matches == nil
    else { return [] }
    self.list?.find?.awaitsJump = false
    return changeList { $0.go(to: key, position: nil, height: $1) }
  }

  mutating func take(matches keys: KeyList) -> [Effect] {
    guard let find = list?.find else { return [] }
    guard keys.count > 0 else {
      message = Message(text: "No \(list?.query.entity ?? "object") contains “\(SafeText.visible(find.text))”.")
      list?.find = nil
      return []
    }
    list?.find?.matches = keys
    // The first one is on screen already.
    if let key = list?.selectedRow?.key, list?.find?.awaitsJump == false {
      list?.find?.current = keys.position(of: key)
    }
    return jumpToMatch() + rankMatches()
  }

  /// Computes where the matches lie in the list, once both are known; a million keys are not walked on this thread.
  mutating func rankMatches() -> [Effect] {
    guard let list, let keys = list.keys, let find = list.find, let matches = find.matches, find.positions == nil
    else { return [] }
    return [.rank(list: list.id, text: find.text, matches: matches, keys: keys)]
  }

  /// Shows the first match at or after the selected row, as soon as it is known which one that is.
  mutating func jumpToMatch() -> [Effect] {
    guard let list, list.replacing == nil, let find = list.find, find.awaitsJump, let matches = find.matches,
      matches.count > 0
    else { return [] }
    if let near = nearestMatch(1, includingSelected: true) { return go(toMatch: near) }
    // With stage two under way the answer is about to be known.
    return list.stageTwo == .loading || (list.keys != nil && find.positions == nil) ? [] : go(toMatch: 0)
  }

  /// Goes to another match, beyond the last one on to the first.
  mutating func findNext(_ step: Int) -> [Effect] {
    guard let list, let find = list.find, let matches = find.matches, matches.count > 0 else { return [] }
    if let next = nearestMatch(step, includingSelected: false) { return go(toMatch: next) }
    message = Message(text: step > 0 ? "Went on from the first match." : "Went on from the last match.")
    return go(toMatch: step > 0 ? 0 : matches.count - 1)
  }

  /// The nearest match in a direction, or `nil` when there is none or its place is not known yet.
  private func nearestMatch(_ step: Int, includingSelected: Bool) -> Int? {
    guard let list, let find = list.find, let matches = find.matches else { return nil }
    if let current = find.current, current < matches.count, matches[current] == list.selectedRow?.key {
      let next = includingSelected ? current : current + step
      return next >= 0 && next < matches.count ? next : nil
    }
    if let positions = find.positions, let selected = selectedPosition {
      var index = positions.partitioningIndex { $0 >= selected }
      if index < positions.count, positions[index] == selected {
        if includingSelected { return index }
        index += step
      } else if step < 0 {
        index -= 1
      }
      return positions.indices.contains(index) ? index : nil
    }
    var row = includingSelected ? list.cursor : list.cursor + step
    while list.buffer.rows.indices.contains(row) {
      if let match = matches.position(of: list.buffer.rows[row].key) { return match }
      row += step > 0 ? 1 : -1
    }
    return nil
  }

  private mutating func go(toMatch index: Int) -> [Effect] {
    guard let find = list?.find, let matches = find.matches else { return [] }
    list?.find?.current = index
    list?.find?.awaitsJump = false
    let position = find.positions.flatMap { $0.indices.contains(index) ? $0[index] : nil }
    return changeList { $0.go(to: matches[index], position: position, height: $1) }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index whose element satisfies a condition that holds from some element on.
  func partitioningIndex(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension KeyList {
  /// Where the keys of another list in the same order lie in this one; keys that are not here are left out.
  func ranks(of others: KeyList) -> [Int] {
    var positions: [Int] = []
    positions.reserveCapacity(others.count)
    var next = 0
    for index in 0..<others.count {
      let wanted = others[index]
      var position = next
      while position < count, self[position] != wanted { position += 1 }
      // One that is missing must not use up the rest of the list.
      if position < count {
        positions.append(position)
        next = position + 1
      }
    }
    return positions
  }
}
