import CoreData
import Testing

@testable import BrowserCore

/// A list over integers 0..<count that answers its own requests.
private struct Simulation {
  var list: ListState
  let count: Int
  let height: Int
  var pending: [WindowRequest] = []
  var requests = 0

  init(count: Int, height: Int = 10) {
    self.count = count
    self.height = height
    let property = PropertyOutline(name: "n", kind: .integer, isSortable: true)
    list = ListState(id: 1, query: ListQuery(entity: "N"), columns: [Column(property: property)])
    pending = [list.replace(.first, place: .start, height: height)]
    answerAll()
  }

  private func key(_ number: Int) -> ObjectKey { ObjectKey(entity: 1, primaryKey: Int64(number)) }

  private func window(_ place: WindowPlace, _ limit: Int) -> ListWindow {
    let range: Range<Int>
    switch place {
    case .start: range = 0..<min(limit, count)
    case .end: range = max(0, count - limit)..<count
    case .after(let key): range = min(count, Int(key.primaryKey) + 1)..<min(count, Int(key.primaryKey) + 1 + limit)
    case .before(let key): range = max(0, Int(key.primaryKey) - limit)..<Int(key.primaryKey)
    case .keys(let keys):
      return ListWindow(rows: keys.map(row), reachesStart: false, reachesEnd: false)
    }
    return ListWindow(
      rows: range.map { row(key($0)) }, reachesStart: range.lowerBound == 0, reachesEnd: range.upperBound == count)
  }

  private func row(_ key: ObjectKey) -> ListRow { ListRow(key: key, cells: [.integer(key.primaryKey)]) }

  mutating func answerOne() {
    guard !pending.isEmpty else { return }
    let request = pending.removeFirst()
    requests += 1
    guard list.accept(window(request.place, request.limit), for: request, height: height) else { return }
    let owed = list.owed
    list.owed = 0
    if owed != 0 { pending += list.move(by: owed, height: height) }
    list.trim(height: height)
    pending += list.settle(height: height)
  }

  mutating func answerAll() {
    while !pending.isEmpty { answerOne() }
  }

  mutating func move(_ motion: Motion) { pending += list.move(motion, height: height) }

  mutating func learnKeys() { list.accept(KeyList((0..<count).map(key))) }

  var selected: Int { Int(list.selectedRow?.key.primaryKey ?? -1) }

  /// What must hold whenever nothing is under way.
  func check(_ sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      list.buffer.rows.map(\.key.primaryKey) == list.buffer.rows.first.map { first in
        (0..<list.buffer.rows.count).map { first.key.primaryKey + Int64($0) }
      } ?? [], sourceLocation: sourceLocation)
    #expect(list.cursor >= list.top && list.cursor < list.top + height, sourceLocation: sourceLocation)
    #expect(list.buffer.rows.count <= 600, sourceLocation: sourceLocation)
    let last = list.buffer.rows.last?.key.primaryKey
    #expect(list.buffer.reachesEnd == (last == Int64(count - 1)) || count == 0, sourceLocation: sourceLocation)
    if let position = list.buffer.position {
      #expect(Int64(position) == list.buffer.rows.first?.key.primaryKey, sourceLocation: sourceLocation)
    }
    // A screen of rows lies ready on either side.
    #expect(list.buffer.reachesEnd || list.buffer.rows.count >= list.top + 2 * height, sourceLocation: sourceLocation)
    #expect(list.buffer.reachesStart || list.top >= height, sourceLocation: sourceLocation)
  }
}

@Suite struct ListStateTests {
  @Test func `walking through a long list keeps a small buffer around the eye`() {
    var simulation = Simulation(count: 5_000)
    for step in 1...1_500 {
      simulation.move(.down)
      simulation.answerAll()
      #expect(simulation.selected == step)
    }
    simulation.check()
    #expect(simulation.requests < 60)
    for step in 1...1_400 {
      simulation.move(.up)
      simulation.answerAll()
      #expect(simulation.selected == 1_500 - step)
    }
    simulation.check()
  }

  @Test func `the last row comes by a window of its own, without the keys`() {
    var simulation = Simulation(count: 1_000_000)
    simulation.move(.last)
    #expect(simulation.pending.map(\.place) == [.end])
    simulation.answerAll()
    #expect(simulation.selected == 999_999)
    #expect(simulation.list.buffer.position == nil)
    simulation.move(.first)
    #expect(simulation.pending.map(\.place) == [.start])
    simulation.answerAll()
    #expect(simulation.selected == 0)
    simulation.check()
  }

  @Test func `steps beyond the rows at hand are made when rows come`() {
    var simulation = Simulation(count: 1_000)
    for _ in 0..<30 { simulation.move(.pageDown) }
    simulation.answerAll()
    #expect(simulation.selected == 270)
    simulation.check()
  }

  @Test func `steps after a jump that is still under way count from where it leads`() {
    var simulation = Simulation(count: 1_000)
    simulation.move(.last)
    simulation.move(.up)
    simulation.move(.up)
    simulation.answerAll()
    #expect(simulation.selected == 997)
    simulation.check()
  }

  @Test func `with the keys known, any position is one window away`() {
    var simulation = Simulation(count: 100_000)
    simulation.learnKeys()
    simulation.pending += simulation.list.go(to: 54_321, line: 4, height: simulation.height)
    #expect(simulation.pending.count == 1)
    simulation.answerAll()
    #expect(simulation.selected == 54_321)
    #expect(simulation.list.cursor - simulation.list.top == 4)
    simulation.check()
  }

  @Test func `an object without a known position is shown with its neighbours`() {
    var simulation = Simulation(count: 100_000)
    simulation.pending += simulation.list.go(
      to: ObjectKey(entity: 1, primaryKey: 777), position: nil, height: simulation.height)
    simulation.answerAll()
    #expect(simulation.selected == 777)
    simulation.check()
  }

  @Test func `any walk over any list keeps the selection in the viewport`() {
    var random = SplitMix(seed: 7)
    let motions: [Motion] = [.up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .first, .last]
    for count in [1, 2, 9, 10, 11, 49, 50, 51, 130, 5_000] {
      for keysKnown in [false, true] {
        var simulation = Simulation(count: count)
        if keysKnown { simulation.learnKeys() }
        for _ in 0..<200 {
          let motion = motions[Int.random(in: 0..<motions.count, using: &random)]
          simulation.move(motion)
          if Bool.random(using: &random) { simulation.answerAll() }
          if Int.random(in: 0..<9, using: &random) == 0 {
            simulation.pending += simulation.list.scroll(
              by: Int.random(in: -7...7, using: &random), height: simulation.height)
          }
        }
        simulation.answerAll()
        simulation.check()
      }
    }
  }
}

/// A generator whose numbers depend on its seed alone.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
