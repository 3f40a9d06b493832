import CoreData
import Foundation

/// Life in the demo: one believable change after the other, each saved by itself.
///
/// What a step does follows from the seed, the number of the step and what the store holds, and from nothing else: no clock is
/// read. The demo keeps about its size. Not for use off the context's queue.
struct DemoChanges {
  private let context: NSManagedObjectContext
  private let plan: DemoStore.Plan
  private var random: DemoRandom
  private var step = 0
  /// How many objects an entity has, subentities included, as far as it was asked for.
  private var counts: [String: Int] = [:]

  /// Changes through a context over the demo's store.
  ///
  /// The store's newest objects take part in the seed, so that a second run on one store makes other objects.
  init(plan: DemoStore.Plan, context: NSManagedObjectContext) throws {
    (self.context, self.plan) = (context, plan)
    var seed = plan.seed
    for entity in ["Hiker", "Sighting"] {
      let count = try Self.count(entity, in: context)
      let last = try context.listKeys(ListQuery(entity: entity), offset: max(0, count - 1), limit: 1)
      seed = seed &* 0x1_0000_01b3 &+ UInt64(bitPattern: last.count == 0 ? 0 : last[0].primaryKey)
    }
    random = DemoRandom(seed: seed)
  }

  /// Makes the next change and saves it.
  ///
  /// Throws what the save throws; then nothing is left of the change, and the one after it can be made.
  mutating func next() throws {
    step += 1
    do {
      try change()
      try context.save()
    } catch {
      context.rollback()
      counts = [:]
      throw error
    }
  }

  /// The instant of the step: half an hour after the one before, from 2026 on.
  private var now: Date { Date(timeIntervalSinceReferenceDate: 788_918_400 + Double(step) * 1_800) }

  private mutating func change() throws {
    switch random.int(0...99) {
    case 0..<32: try sighting()
    case 32..<46: try correctSighting()
    case 46..<60: try walk()
    case 60..<68: try survey()
    case 68..<74: try rename()
    case 74..<77: try openOrClose()
    case 77..<84: try chooseTrail()
    case 84..<89: try moveSighting()
    case 89..<95: try waypoint()
    case 95..<98: try hiker()
    default:
      for _ in 0..<random.int(12...40) { try sighting() }
      // Many at once were counted before they were saved.
      counts = [:]
    }
  }

  // MARK: Kinds of changes

  /// A sighting is logged, or one is struck out: rather the former while there are fewer than planned.
  private mutating func sighting() throws {
    let isShort = try count("Sighting") < max(8, plan.rows * 58 / 100)
    guard random.int(0...99) < (isShort ? 68 : 32) else { return try delete(pick("Sighting"), of: "Sighting") }
    let isBird = random.int(0...2) == 0
    let sighting = insert(isBird ? "BirdSighting" : "Sighting", countedAs: "Sighting")
    sighting.setValue(random.pick(isBird ? DemoWords.birds : DemoWords.species), forKey: "species")
    sighting.setValue(NSNumber(value: random.int(1...12)), forKey: "count")
    sighting.setValue(now, forKey: "seen")
    if random.int(0...2) == 0 { sighting.setValue(random.pick(DemoWords.notes), forKey: "note") }
    sighting.setValue(try pick("Trail"), forKey: "trail")
    sighting.setValue(try pick("Hiker"), forKey: "hiker")
    if isBird {
      sighting.setValue(NSNumber(value: random.int(0...1) == 0), forKey: "isSinging")
      sighting.setValue(NSNumber(value: Double(random.int(14...230)) / 100), forKey: "wingspan")
    }
  }

  /// Somebody looked again: another count, often another note or time.
  private mutating func correctSighting() throws {
    guard let sighting = try pick("Sighting") else { return }
    sighting.setValue(NSNumber(value: random.int(1...40)), forKey: "count")
    if random.int(0...1) == 0 { sighting.setValue(random.pick(DemoWords.notes), forKey: "note") }
    if random.int(0...2) == 0 { sighting.setValue(now, forKey: "seen") }
  }

  /// A hiker walks on: more steps.
  private mutating func walk() throws {
    guard let hiker = try pick("Hiker") else { return }
    let steps = (hiker.value(forKey: "steps") as? NSNumber)?.int64Value ?? 0
    hiker.setValue(NSNumber(value: steps + Int64(random.int(900...42_000))), forKey: "steps")
  }

  /// A trail is measured anew.
  private mutating func survey() throws {
    guard let trail = try pick("Trail") else { return }
    trail.setValue(NSNumber(value: Double(random.int(8...420)) / 10), forKey: "length")
    trail.setValue(NSNumber(value: random.int(1...5)), forKey: "difficulty")
    trail.setValue(NSNumber(value: random.int(20...1_900)), forKey: "ascent")
    trail.setValue(now, forKey: "surveyed")
    trail.setValue(random.int(0...2) == 0 ? random.pick(DemoWords.notes).capitalized : nil, forKey: "notes")
  }

  /// A hiker or a trail gets another name, and with it another place in lists by name.
  private mutating func rename() throws {
    if random.int(0...1) == 0 {
      let name = random.pick(DemoWords.givenNames) + " " + random.pick(DemoWords.familyNames)
      try pick("Hiker")?.setValue(name, forKey: "name")
    } else {
      let name = random.pick(DemoWords.trailHeads) + " " + random.pick(DemoWords.trailTails)
      try pick("Trail")?.setValue(name, forKey: "name")
    }
  }

  /// A park closes, or opens again.
  private mutating func openOrClose() throws {
    guard let park = try pick("Park") else { return }
    let isOpen = (park.value(forKey: "isOpen") as? NSNumber)?.boolValue ?? false
    park.setValue(NSNumber(value: !isOpen), forKey: "isOpen")
  }

  /// A hiker takes a trail to the list, or strikes one out.
  private mutating func chooseTrail() throws {
    guard let hiker = try pick("Hiker"), let trail = try pick("Trail") else { return }
    let trails = (hiker.value(forKey: "trails") as? NSSet)?.allObjects.compactMap { $0 as? NSManagedObject } ?? []
    let isFull = trails.count >= random.int(3...9)
    if isFull, let oldest = trails.min(by: { $0.keyOrder < $1.keyOrder }) {
      hiker.setValue(NSSet(array: trails.filter { $0 !== oldest }), forKey: "trails")
    } else {
      hiker.setValue(NSSet(array: trails.contains { $0 === trail } ? trails : trails + [trail]), forKey: "trails")
    }
  }

  /// A sighting was somewhere else, or somebody else's.
  private mutating func moveSighting() throws {
    guard let sighting = try pick("Sighting") else { return }
    if random.int(0...1) == 0 {
      sighting.setValue(try pick("Trail"), forKey: "trail")
    } else {
      sighting.setValue(random.int(0...4) == 0 ? nil : try pick("Hiker"), forKey: "hiker")
    }
  }

  /// A trail gets a waypoint, loses one, or has two of them in another order.
  private mutating func waypoint() throws {
    guard let trail = try pick("Trail"), let before = trail.value(forKey: "waypoints") as? NSOrderedSet else { return }
    var waypoints = before.array.compactMap { $0 as? NSManagedObject }
    if waypoints.count < 4 || waypoints.count < 12 && random.int(0...2) == 0 {
      let (waypoint, place) = (insert("Waypoint"), random.int(0...waypoints.count))
      waypoint.setValue(random.pick(DemoWords.waypoints), forKey: "name")
      waypoint.setValue(NSNumber(value: 44 + Double(random.int(0...4_000)) / 1_000), forKey: "latitude")
      waypoint.setValue(NSNumber(value: 6 + Double(random.int(0...8_000)) / 1_000), forKey: "longitude")
      waypoint.setValue(NSNumber(value: Float(random.int(300...9_600)) / 4), forKey: "elevation")
      waypoints.insert(waypoint, at: place)
      trail.setValue(NSOrderedSet(array: waypoints), forKey: "waypoints")
    } else if waypoints.count >= 12 || random.int(0...1) == 0 {
      try delete(waypoints[random.int(0...waypoints.count - 1)], of: "Waypoint")
    } else {
      let place = random.int(0...waypoints.count - 2)
      waypoints.swapAt(place, place + 1)
      trail.setValue(NSOrderedSet(array: waypoints), forKey: "waypoints")
    }
  }

  /// A hiker joins, or leaves; sightings stay behind without one.
  private mutating func hiker() throws {
    let isShort = try count("Hiker") < max(4, plan.rows / 20)
    guard random.int(0...99) < (isShort ? 70 : 30) else { return try delete(pick("Hiker"), of: "Hiker") }
    let hiker = insert("Hiker")
    hiker.setValue(random.uuid(), forKey: "id")
    hiker.setValue(random.pick(DemoWords.givenNames) + " " + random.pick(DemoWords.familyNames), forKey: "name")
    hiker.setValue(now, forKey: "joined")
    hiker.setValue(NSNumber(value: random.int(0...20_000)), forKey: "steps")
    if let trail = try pick("Trail") { hiker.setValue(NSSet(object: trail), forKey: "trails") }
  }

  // MARK: Objects

  /// Some object of an entity or its subentities; `nil` when there is none.
  private mutating func pick(_ entity: String) throws -> NSManagedObject? {
    let chance = random.next()
    for _ in 0..<2 {
      let count = try count(entity)
      guard count > 0 else { return nil }
      let keys = try context.listKeys(
        ListQuery(entity: entity), offset: Int(chance % UInt64(count)), limit: 1)
      if keys.count > 0 { return try context.listObjects([keys[0]]).first { !$0.isDeleted } }
      // Others took objects away: counted anew, the same chance picks again.
      counts[entity] = nil
    }
    return nil
  }

  private mutating func count(_ entity: String) throws -> Int {
    if let count = counts[entity] { return count }
    let count = try Self.count(entity, in: context)
    counts[entity] = count
    return count
  }

  private static func count(_ name: String, in context: NSManagedObjectContext) throws -> Int {
    guard let entity = NSEntityDescription.entity(forEntityName: name, in: context) else { return 0 }
    return try entity.selfAndSubentities.compactMap(\.name).reduce(0) {
      try $0 + context.listCount(ofEntity: $1)
    }
  }

  private mutating func insert(_ entity: String, countedAs root: String? = nil) -> NSManagedObject {
    counts[root ?? entity]? += 1
    return NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
  }

  private mutating func delete(_ object: NSManagedObject?, of entity: String) throws {
    guard let object else { return }
    counts[entity]? -= 1
    context.delete(object)
  }
}

extension DemoRandom {
  /// One of some choices, which must not be empty.
  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[int(0...choices.count - 1)] }
}

extension NSManagedObject {
  /// Orders the objects of one store as they came.
  fileprivate var keyOrder: Int64 { objectKey?.primaryKey ?? .max }
}
