import CoreData

extension ListState {
  /// How many rows one window brings: two screens and a little.
  static func limit(height: Int) -> Int { max(50, height * 2 + 20) }

  /// Asks for the window that replaces the buffer.
  ///
  /// Steps owed until now are forgotten.
  mutating func replace(_ anchor: Anchor, place: WindowPlace, height: Int) -> WindowRequest {
    replacing = anchor
    isQuiet = false
    extending = []
    owed = 0
    failure = nil
    return request(place, .replace(anchor), height: height)
  }

  /// Asks for rows ahead of the viewport, a screen before they are needed.
  mutating func extensions(height: Int) -> [WindowRequest] {
    guard replacing == nil, let first = buffer.rows.first, let last = buffer.rows.last else { return [] }
    var requests: [WindowRequest] = []
    if !buffer.reachesEnd, !extending.contains(.after), top + 2 * height > buffer.rows.count {
      extending.insert(.after)
      requests.append(neighbours(.after, of: last.key, height: height))
    }
    if !buffer.reachesStart, !extending.contains(.before), top < height {
      extending.insert(.before)
      requests.append(neighbours(.before, of: first.key, height: height))
    }
    return requests
  }

  /// Takes a window in.
  ///
  /// Returns whether it still belongs to this list and these rows.
  mutating func accept(_ window: ListWindow, for request: WindowRequest, height: Int) -> Bool {
    switch request.purpose {
    case .replace(let anchor):
      guard replacing == anchor else { return false }
      replacing = nil
      if !isQuiet { beyond = Beyond() }
      (isQuiet, isOutdated) = (false, false)
      slides = Slides()
      heldRows = [:]
      buffer = RowBuffer(
        rows: window.rows, reachesStart: window.reachesStart, reachesEnd: window.reachesEnd,
        position: window.reachesStart ? 0 : nil)
      stand(on: anchor, height: height)
      if case .keys = request.place { placeByKeys(request, asked: request.limit) }
    case .after(let key):
      guard extending.contains(.after), buffer.rows.last?.key == key, isCurrent(request) else { return false }
      extending.remove(.after)
      buffer.rows += window.rows
      buffer.reachesEnd = request.range.map { $0.upperBound == keys?.count } ?? window.reachesEnd
      if window.rows.isEmpty { buffer.reachesEnd = true }
    case .before(let key):
      guard extending.contains(.before), buffer.rows.first?.key == key, isCurrent(request) else { return false }
      extending.remove(.before)
      buffer.rows = window.rows + buffer.rows
      buffer.reachesStart = request.range.map { $0.lowerBound == 0 } ?? window.reachesStart
      if window.rows.isEmpty { buffer.reachesStart = true }
      cursor += window.rows.count
      top += window.rows.count
      slides.shift(by: window.rows.count)
      buffer.position = buffer.position.map { max(0, $0 - window.rows.count) }
    }
    if buffer.reachesStart { buffer.position = 0 }
    if buffer.position == nil { findPosition() }
    // The store was read at another moment than the keys were: the next update brings them together.
    if !isConsistent { buffer.position = nil }
    widen(for: window.rows)
    return true
  }

  /// Whether an answer tells of positions as they are.
  func isCurrent(_ request: WindowRequest) -> Bool { request.range == nil || request.revision == revision }

  /// Takes the keys of the whole list in.
  mutating func accept(_ keys: KeyList) {
    self.keys = keys
    stageTwo = .done
    if buffer.position == nil || !isConsistent { findPosition() }
  }

  /// Forgets rows far from the viewport.
  ///
  /// Called when rows were added at one end.
  mutating func trim(height: Int) {
    let most = max(400, height * 8)
    guard buffer.rows.count > most else { return }
    let keep = max(0, top - height * 3)..<min(buffer.rows.count, top + height * 4)
    if !slides.isEmpty { return }
    if keep.upperBound < buffer.rows.count {
      buffer.rows.removeSubrange(keep.upperBound...)
      buffer.reachesEnd = false
      extending.remove(.after)
    }
    if keep.lowerBound > 0 {
      buffer.rows.removeSubrange(..<keep.lowerBound)
      buffer.reachesStart = false
      buffer.position = buffer.position.map { $0 + keep.lowerBound }
      cursor -= keep.lowerBound
      top -= keep.lowerBound
      extending.remove(.before)
    }
  }

  private func request(_ place: WindowPlace, _ purpose: WindowRequest.Purpose, height: Int) -> WindowRequest {
    WindowRequest(
      list: id, query: query, columns: columns.map(\.name), place: place, limit: Self.limit(height: height),
      purpose: purpose, revision: revision)
  }

  /// The request for rows beside the buffer: by their keys where these are known, which is quick under any order.
  private func neighbours(_ edge: Edge, of key: ObjectKey, height: Int) -> WindowRequest {
    let limit = Self.limit(height: height)
    var request =
      edge == .after
      ? request(.after(key), .after(key), height: height) : request(.before(key), .before(key), height: height)
    guard let keys, let start = buffer.position else { return request }
    let end = start + buffer.rows.count
    let range =
      edge == .after
      ? min(end, keys.count)..<min(end + limit, keys.count) : max(0, start - limit)..<min(start, keys.count)
    if !range.isEmpty {
      request.place = .keys(keys[range])
      request.range = range
    }
    return request
  }

  private mutating func stand(on anchor: Anchor, height: Int) {
    switch anchor {
    case .first: (cursor, top) = (0, 0)
    case .last: (cursor, top) = (max(0, buffer.rows.count - 1), max(0, buffer.rows.count - height))
    case .row(let index, let line):
      cursor = min(index, max(0, buffer.rows.count - 1))
      top = max(0, cursor - line)
    case .object(let key, let index, let line):
      cursor = buffer.rows.firstIndex { $0.key == key } ?? min(index, max(0, buffer.rows.count - 1))
      top = max(0, cursor - line)
    }
  }

  /// A window named by keys does not know where it lies; its positions do.
  private mutating func placeByKeys(_ request: WindowRequest, asked: Int) {
    buffer.reachesStart = request.range?.lowerBound == 0
    buffer.reachesEnd = request.range != nil && request.range?.upperBound == keys?.count
    buffer.position = request.range?.lowerBound
  }

  private mutating func findPosition() {
    guard let keys, let first = buffer.rows.first else { return }
    buffer.position = keys.position(of: first.key)
  }
}
