import Foundation
import TestSupport

@testable import CoreData

/// Property lists that are well-formed and make no sense: what flipped bits hardly ever make.
struct HostileTree {
  private static let names = [
    "$class", "$classname", "$classes", "$objects", "$top", "root", "NS.objects", "NS.keys", "NS.string", "NS.time",
    "NSEntities", "NSProperties", "NSSuperentity", "NSSubentities", "NSDestinationEntity", "NSInverseRelationship",
    "NSPredicateOperator", "NSSubpredicates", "NSOperandA", "NSFunction", "NSVersionHashModifier", "",
  ]

  /// A copy with some of its values replaced, taken away, or repeated.
  static func damaged(_ value: PropertyListValue, _ numbers: inout HostileBytes) -> PropertyListValue {
    var places = 0
    count(value, &places)
    var chosen = Set((0...numbers.next(below: 4)).map { _ in numbers.next(below: places) })
    var place = 0
    return changed(value, &place, &chosen, places, &numbers)
  }

  private static func count(_ value: PropertyListValue, _ places: inout Int) {
    places += 1
    switch value {
    case .array(let values), .set(let values): for value in values { count(value, &places) }
    case .dictionary(let entries): for entry in entries { count(entry.value, &places) }
    default: break
    }
  }

  private static func changed(
    _ value: PropertyListValue, _ place: inout Int, _ chosen: inout Set<Int>, _ places: Int,
    _ numbers: inout HostileBytes
  ) -> PropertyListValue {
    let isChosen = chosen.remove(place) != nil
    place += 1
    var result = value
    switch value {
    case .array(let values):
      result = .array(values.map { changed($0, &place, &chosen, places, &numbers) })
    case .set(let values):
      result = .set(values.map { changed($0, &place, &chosen, places, &numbers) })
    case .dictionary(let entries):
      result = .dictionary(
        entries.map { entry in .init(entry.key, changed(entry.value, &place, &chosen, places, &numbers)) })
    default: break
    }
    return isChosen ? replaced(result, places, &numbers) : result
  }

  private static func replaced(
    _ value: PropertyListValue, _ places: Int, _ numbers: inout HostileBytes
  ) -> PropertyListValue {
    switch (value, numbers.next(below: 5)) {
    case (.uid, 0...3): return .uid(numbers.next(below: max(2, places / 3)))
    case (.dictionary(var entries), 0...3) where !entries.isEmpty:
      let index = numbers.next(below: entries.count)
      switch numbers.next(below: 3) {
      case 0: entries.remove(at: index)
      case 1: entries[index].key = numbers.pick(names)
      default: entries.append(.init(numbers.pick(names), leaf(places, &numbers)))
      }
      return .dictionary(entries)
    case (.array(let values), 0...3) where !values.isEmpty:
      switch numbers.next(below: 3) {
      case 0: return .array(values.dropLast(1 + numbers.next(below: values.count)))
      case 1: return .array(values + values.prefix(50))
      default: return .array(values.shuffled(using: &numbers))
      }
    default: return leaf(places, &numbers)
    }
  }

  private static func leaf(_ places: Int, _ numbers: inout HostileBytes) -> PropertyListValue {
    switch numbers.next(below: 9) {
    case 0: .bool(numbers.oneIn(2))
    case 1:
      .integer(numbers.pick([0, -1, 1, 2_000_000, .max, .min, 1 << 31, Int64(truncatingIfNeeded: numbers.next())]))
    case 2: .unsigned(.max)
    case 3: .real(numbers.pick([.nan, .infinity, -.infinity, 1e300, -0.0, .leastNonzeroMagnitude]))
    case 4: .date(numbers.pick([.nan, .infinity, -1e300, 1e18, 0]))
    case 5: .data(Data(repeating: UInt8(truncatingIfNeeded: numbers.next()), count: numbers.next(below: 40)))
    case 6: .string(numbers.pick(names + ["\u{0}", String(repeating: "🧭", count: 300), "%@ == $x", "{{1, 2"]))
    case 7: .uid(numbers.next(below: max(2, places / 3)))
    default: .array([])
    }
  }
}
