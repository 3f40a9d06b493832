import CoreData
import Foundation

/// Makes the demo's objects: deterministic under the plan's seed.
struct DemoGenerator {
  private let context: NSManagedObjectContext
  private let plan: DemoStore.Plan
  private var random: DemoRandom

  init(plan: DemoStore.Plan, context: NSManagedObjectContext) {
    self.plan = plan
    self.context = context
    random = DemoRandom(seed: plan.seed)
  }

  /// Of a hundred objects some 30 are waypoints, 60 sightings (a third of them birds), the rest parks, trails and hikers.
  mutating func makeObjects() {
    let parks = (0..<max(2, plan.rows / 200)).map { makePark($0) }
    let trails = (0..<max(4, plan.rows / 27)).map { makeTrail($0, parks) }
    let hikers = (0..<max(4, plan.rows / 20)).map { makeHiker($0, trails) }
    for trail in trails { makeWaypoints(of: trail) }
    for _ in 0..<max(8, plan.rows * 58 / 100) { makeSighting(trails, hikers) }
  }

  private mutating func makePark(_ index: Int) -> NSManagedObject {
    let park = insert("Park")
    let heads = DemoWords.parkHeads
    set(park, "name", heads[index % heads.count] + " " + pick(DemoWords.parkTails))
    set(park, "region", pick(DemoWords.regions))
    set(park, "area", NSDecimalNumber(string: "\(random.int(12...940)).\(random.int(1...9))5"))
    set(park, "founded", date(1_900...1_998))
    set(park, "isOpen", NSNumber(value: random.int(0...9) > 0))
    set(park, "website", URL(string: "https://parks.example/\(heads[index % heads.count].lowercased())"))
    return park
  }

  private mutating func makeTrail(_ index: Int, _ parks: [NSManagedObject]) -> NSManagedObject {
    let trail = insert("Trail")
    set(trail, "name", pick(DemoWords.trailHeads) + " " + pick(DemoWords.trailTails))
    set(trail, "length", NSNumber(value: Double(random.int(8...420)) / 10))
    set(trail, "difficulty", NSNumber(value: Int16(random.int(1...5))))
    set(trail, "ascent", NSNumber(value: Int32(random.int(20...1_900))))
    set(trail, "surveyed", random.int(0...5) == 0 ? nil : date(2_015...2_025))
    set(trail, "notes", random.int(0...3) == 0 ? pick(DemoWords.notes).capitalized : nil)
    set(trail, "park", pick(parks))
    return trail
  }

  private mutating func makeHiker(_ index: Int, _ trails: [NSManagedObject]) -> NSManagedObject {
    let hiker = insert("Hiker")
    let (given, family) = (pick(DemoWords.givenNames), pick(DemoWords.familyNames))
    set(hiker, "id", random.uuid())
    set(hiker, "name", given + " " + family)
    set(hiker, "email", random.int(0...6) == 0 ? nil : "hiker\(index + 1)@trails.example")
    set(hiker, "joined", date(2_016...2_025))
    set(hiker, "steps", NSNumber(value: Int64(random.int(12_000...98_000_000))))
    let walked = (0..<random.int(0...9)).map { _ in pick(trails) }
    set(hiker, "trails", NSSet(array: walked))
    return hiker
  }

  private mutating func makeWaypoints(of trail: NSManagedObject) {
    let (latitude, longitude) = (
      44.0 + Double(random.int(0...4_000)) / 1_000, 6.0 + Double(random.int(0...8_000)) / 1_000
    )
    let waypoints = (0..<random.int(4...12)).map { index in
      let waypoint = insert("Waypoint")
      set(waypoint, "name", pick(DemoWords.waypoints))
      set(waypoint, "latitude", NSNumber(value: latitude + Double(index) / 256))
      set(waypoint, "longitude", NSNumber(value: longitude + Double(random.int(-20...20)) / 4_096))
      set(waypoint, "elevation", NSNumber(value: Float(random.int(300...9_600)) / 4))
      return waypoint
    }
    set(trail, "waypoints", NSOrderedSet(array: waypoints))
  }

  private mutating func makeSighting(_ trails: [NSManagedObject], _ hikers: [NSManagedObject]) {
    let isBird = random.int(0...2) == 0
    let sighting = insert(isBird ? "BirdSighting" : "Sighting")
    set(sighting, "species", pick(isBird ? DemoWords.birds : DemoWords.species))
    set(sighting, "count", NSNumber(value: Int16(random.int(1...12))))
    set(sighting, "seen", date(2_018...2_025))
    set(sighting, "note", random.int(0...2) == 0 ? pick(DemoWords.notes) : nil)
    set(sighting, "trail", pick(trails))
    set(sighting, "hiker", random.int(0...19) == 0 ? nil : pick(hikers))
    if random.int(0...24) == 0 {
      set(sighting, "photo", Data((0..<random.int(200...4_000)).map { UInt8(truncatingIfNeeded: $0) }))
    }
    if isBird {
      set(sighting, "isSinging", NSNumber(value: random.int(0...1) == 0))
      set(sighting, "wingspan", NSNumber(value: Double(random.int(14...230)) / 100))
    }
  }

  // MARK: Small helpers

  private func insert(_ entity: String) -> NSManagedObject {
    NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
  }

  private func set(_ object: NSManagedObject, _ key: String, _ value: Any?) {
    if let value { object.setValue(value, forKey: key) }
  }

  private mutating func pick<Element>(_ choices: [Element]) -> Element { random.pick(choices) }

  /// Some instant of some year, to the second.
  private mutating func date(_ years: ClosedRange<Int>) -> Date {
    let days = (random.int(years) - 2_001) * 365 + random.int(0...364)
    return Date(timeIntervalSinceReferenceDate: Double(days * 86_400 + random.int(0...86_399)))
  }
}

/// A small generator (SplitMix64) whose sequence is the same everywhere.
struct DemoRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  /// A random UUID of version 4.
  mutating func uuid() -> UUID {
    var bytes =
      withUnsafeBytes(of: next().bigEndian) { Array($0) } + withUnsafeBytes(of: next().bigEndian) { Array($0) }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
