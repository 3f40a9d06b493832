import Foundation
import TestSupport
import Testing

@testable import CoreData

/// What a save refuses, with Apple's codes (reference/CONTEXT.md 40–45).
@Suite struct ValidationTests {
  private let model = Self.makeModel()

  private static func makeModel() -> NSManagedObjectModel {
    let item = ModelSketch.entity(
      "Item",
      [
        ModelSketch.attribute("name", .stringAttributeType), ModelSketch.attribute("code", .stringAttributeType),
        ModelSketch.attribute("small", .integer16AttributeType),
        ModelSketch.attribute("medium", .integer32AttributeType),
        ModelSketch.attribute("large", .integer64AttributeType), ModelSketch.attribute("price", .decimalAttributeType),
        ModelSketch.attribute("weight", .doubleAttributeType), ModelSketch.attribute("isOn", .booleanAttributeType),
        ModelSketch.attribute("made", .dateAttributeType), ModelSketch.attribute("id", .UUIDAttributeType),
        ModelSketch.attribute("link", .URIAttributeType), ModelSketch.attribute("bytes", .binaryDataAttributeType),
        ModelSketch.attribute("rank", .integer16AttributeType, default: NSNumber(value: 3)),
      ], className: "ValidatedItem")
    let box = ModelSketch.entity("Box", [ModelSketch.attribute("name", .stringAttributeType)])
    let crate = ModelSketch.entity("Crate", className: "NSManagedObject")
    box.subentities = [crate]
    ModelSketch.relate(box, "items", .many, to: item, inverse: "box")
    ModelSketch.relate(box, "locks", .many, to: item, inverse: "lock")
    let properties = item.propertiesByName
    properties["name"]?.isOptional = false
    properties["rank"]?.isOptional = false
    properties["name"]?.setValidationPredicates(
      [NSPredicate(format: "length >= 2"), NSPredicate(format: "length <= 5")],
      withValidationWarnings: [NSValidationStringTooShortError, NSValidationStringTooLongError])
    properties["code"]?.setValidationPredicates(
      [NSPredicate(format: "SELF MATCHES \"[A-Z]+\""), NSPredicate(format: "SELF != \"NO\"")],
      withValidationWarnings: [NSValidationStringPatternMatchingError, "NO is not a code"])
    properties["weight"]?.setValidationPredicates(
      [NSPredicate(format: "SELF >= 0.5"), NSPredicate(format: "SELF <= 10")],
      withValidationWarnings: [NSValidationNumberTooSmallError, NSValidationNumberTooLargeError])
    properties["made"]?.setValidationPredicates(
      [
        NSPredicate(format: "SELF >= CAST(0, \"NSDate\")"), NSPredicate(format: "SELF <= CAST(86400, \"NSDate\")"),
      ], withValidationWarnings: [NSValidationDateTooSoonError, NSValidationDateTooLateError])
    let relationships = box.relationshipsByName
    relationships["items"]?.minCount = 2
    relationships["items"]?.maxCount = 3
    relationships["locks"]?.deleteRule = .denyDeleteRule
    return ModelSketch.model([box, crate, item])
  }

  /// A context without stores: validation needs none.
  private func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    return context
  }

  private func new(_ entity: String, _ values: [String: Any] = [:], in context: NSManagedObjectContext)
    -> NSManagedObject
  {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  /// The error of a check; a check that passes is a failure of the test.
  private func error(_ check: () throws -> Void, _ location: SourceLocation = #_sourceLocation) -> NSError {
    do {
      try check()
      Issue.record("nothing was thrown", sourceLocation: location)
      return NSError(domain: "none", code: 0)
    } catch { return error as NSError }
  }

  @Test func `CONTEXT 40: one failure is its own error, several are 1560 with all in order of the names`() throws {
    let context = context()
    context.performAndWait {
      let item = new("Item", in: context)
      let single = error(item.validateForInsert)
      #expect(single.domain == NSCocoaErrorDomain)
      #expect(single.code == NSValidationMissingMandatoryPropertyError)
      item.setValue("lower", forKey: "code")
      item.setValue(NSNumber(value: 11), forKey: "weight")
      let several = error(item.validateForUpdate)
      #expect(several.code == NSValidationMultipleErrorsError)
      let details = several.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
      #expect(
        details.map(\.code) == [
          NSValidationStringPatternMatchingError, NSValidationMissingMandatoryPropertyError,
          NSValidationNumberTooLargeError,
        ])
      #expect(details.map { $0.userInfo[NSValidationKeyErrorKey] as? String } == ["code", "name", "weight"])
      #expect(several.localizedDescription.contains("name must have a value; weight is too large: at most 10"))
    }
  }

  @Test func `CONTEXT 41: an error names object, key, value and predicate, and says the model's warning`() throws {
    let context = context()
    context.performAndWait {
      let item = new("Item", ["name": "ok", "code": "NO"], in: context)
      let error = error(item.validateForInsert)
      #expect(error.code == NSManagedObjectValidationError)
      #expect(error.localizedDescription == "NO is not a code")
      #expect(error.userInfo["NSValidationErrorObject"] as? NSManagedObject === item)
      #expect(error.userInfo["NSValidationErrorKey"] as? String == "code")
      #expect(error.userInfo["NSValidationErrorValue"] as? String == "NO")
      #expect((error.userInfo["NSValidationErrorPredicate"] as? NSPredicate)?.writtenFormat == "SELF != \"NO\"")
    }
  }

  @Test func `CONTEXT 42: the bounds of the model have the codes of their kind`() throws {
    let cases: [(String, Any, Int)] = [
      ("name", "a", 1_670), ("name", "abcdef", 1_660), ("name", "", 1_670), ("code", "a1", 1_680),
      ("weight", 0.25, 1_620), ("weight", 10.5, 1_610),
      ("made", Date(timeIntervalSinceReferenceDate: -1), 1_640),
      ("made", Date(timeIntervalSinceReferenceDate: 86_401), 1_630),
    ]
    let context = context()
    context.performAndWait {
      let item = new("Item", ["name": "ok"], in: context)
      for (key, value, code) in cases {
        var value: Any? = value
        #expect(error { try item.validateValue(&value, forKey: key) }.code == code, "\(key)")
      }
    }
  }

  @Test func `CONTEXT 42 and 44: a value of another type or beyond its integer's width is refused`() throws {
    let cases: [(String, Any, Int)] = [
      ("small", 32_768, 1_610), ("small", -32_769, 1_620), ("small", Int64.max, 1_610),
      ("medium", 2_147_483_648, 1_610),
      ("medium", -2_147_483_649, 1_620), ("large", UInt64.max, 1_610), ("large", 1e30, 1_610), ("large", -1e30, 1_620),
      ("small", "7", 1_550), ("small", Double.nan, 1_550), ("price", "1", 1_550), ("isOn", "yes", 1_550),
      ("name", 5, 1_550), ("made", "today", 1_650), ("made", Date(timeIntervalSinceReferenceDate: .infinity), 1_650),
      ("id", "x", 1_550), ("link", "not a URL object", 1_690), ("bytes", "x", 1_550),
    ]
    let context = context()
    context.performAndWait {
      let item = new("Item", ["name": "ok"], in: context)
      for (key, value, code) in cases {
        var value: Any? = value
        #expect(error { try item.validateValue(&value, forKey: key) }.code == code, "\(key) \(value ?? "nil")")
      }
    }
  }

  @Test func `values at the bounds and of the right type pass`() throws {
    let cases: [(String, Any)] = [
      ("name", "ab"), ("name", "abcde"), ("code", "OK"), ("small", 32_767), ("small", -32_768), ("small", Int16.min),
      ("medium", 2_147_483_647), ("large", Int64.max), ("large", Int64.min), ("price", Decimal(5)),
      ("price", NSDecimalNumber(string: "1.5")), ("weight", 0.5), ("weight", 10), ("isOn", true), ("id", UUID()),
      ("made", Date(timeIntervalSinceReferenceDate: 0)), ("bytes", Data()),
      ("link", URL(fileURLWithPath: "/tmp")),
    ]
    let context = context()
    try context.performAndWait {
      let item = new("Item", ["name": "ok"], in: context)
      for (key, value) in cases {
        var value: Any? = value
        #expect(throws: Never.self, "\(key)") { try item.validateValue(&value, forKey: key) }
      }
      var nothing: Any?
      try item.validateValue(&nothing, forKey: "code")
    }
  }

  @Test func `CONTEXT 45: a default satisfies a mandatory attribute, and the empty string is a value`() throws {
    let context = context()
    try context.performAndWait {
      let box = new("Box", ["name": ""], in: context)
      box.entity.attributesByName["name"].map { #expect($0.isOptional) }
      try box.validateForInsert()
      let item = new("Item", ["name": "ok"], in: context)
      #expect(item.value(forKey: "rank") as? NSNumber == 3)
      try item.validateForInsert()
      item.setValue(nil, forKey: "rank")
      #expect(error(item.validateForInsert).code == NSValidationMissingMandatoryPropertyError)
    }
  }

  @Test func `CONTEXT 42: a relationship counts its objects, and may be empty when it is optional`() throws {
    let context = context()
    try context.performAndWait {
      let box = new("Box", in: context)
      try box.validateForInsert()
      let items = (0..<4).map { new("Item", ["name": "i\($0)"], in: context) }
      for (count, code) in [(1, 1_580), (4, 1_590)] {
        var set: Any? = NSSet(array: Array(items.prefix(count)))
        #expect(error { try box.validateValue(&set, forKey: "items") }.code == code)
      }
      for count in [0, 2, 3] {
        var set: Any? = NSSet(array: Array(items.prefix(count)))
        try box.validateValue(&set, forKey: "items")
      }
      var strange: Any? = NSSet(array: [box, items[0]])
      #expect(error { try box.validateValue(&strange, forKey: "items") }.code == NSManagedObjectValidationError)
      var crate: Any? = new("Crate", in: context)
      try items[0].validateValue(&crate, forKey: "box")
      var item: Any? = items[1]
      #expect(error { try items[0].validateValue(&item, forKey: "box") }.code == NSManagedObjectValidationError)
    }
  }

  @Test func `a mandatory relationship must lead somewhere: to-one 1570, to-many 1580`() throws {
    let thing = ModelSketch.entity("Thing", [])
    ModelSketch.relate(thing, "owner", .one, to: thing, inverse: "owned", .many)
    for property in thing.properties { property.isOptional = false }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelSketch.model([thing]))
    context.performAndWait {
      let error = error(new("Thing", in: context).validateForInsert)
      let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
      #expect(details.map(\.code) == [1_580, 1_570])
    }
  }

  @Test func `CONTEXT 19: the rule deny forbids a delete until the other end goes too`() throws {
    let context = context()
    try context.performAndWait {
      let box = new("Box", in: context)
      try box.validateForDelete()
      let items = (0..<2).map { new("Item", ["name": "i\($0)"], in: context) }
      box.setValue(NSSet(array: items), forKey: "locks")
      let error = error(box.validateForDelete)
      #expect(error.code == NSValidationRelationshipDeniedDeleteError)
      #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "locks")
      context.delete(items[0])
      #expect(self.error(box.validateForDelete).code == NSValidationRelationshipDeniedDeleteError)
      context.delete(items[1])
      try box.validateForDelete()
    }
  }

  @Test func `CONTEXT 40: a class checks a property by overriding validateValue, and may put another value`() throws {
    let context = context()
    try context.performAndWait {
      let item = ValidatedItem(entity: try #require(model.entitiesByName["Item"]), insertInto: context)
      item.setValue("ok ", forKey: "name")
      item.setValue("ODD", forKey: "code")
      let error = error(item.validateForInsert)
      #expect((error.domain, error.code) == ("ValidatedItem", 7))
      // The model's own checks see what the override put.
      #expect(item.value(forKey: "name") as? String == "ok")
      item.setValue("EVEN", forKey: "code")
      try item.validateForInsert()
    }
  }

  @Test func `an update checks stored attributes, reads no relationship that did not change, and skips derived ones`()
    throws
  {
    let derived = NSDerivedAttributeDescription()
    derived.name = "total"
    derived.attributeType = .integer64AttributeType
    derived.isOptional = false
    let shop = ModelSketch.entity(
      "Shop",
      [ModelSketch.attribute("name", .stringAttributeType), ModelSketch.attribute("note", .stringAttributeType)])
    let ware = ModelSketch.entity("Ware")
    ModelSketch.relate(shop, "wares", .many, to: ware, inverse: "shop")
    shop.properties += [derived]
    let model = ModelSketch.model([shop, ware])
    shop.propertiesByName["name"]?.isOptional = false
    shop.relationshipsByName["wares"]?.isOptional = false
    let file = try TemporaryStore(model: model)
    try file.write("INSERT INTO ZSHOP (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);")
    let context = try file.context(of: model, isReadOnly: false)
    try context.performAndWait {
      let shop = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Shop")).first)
      shop.setValue("n", forKey: "note")
      let error = error(shop.validateForUpdate)
      #expect(error.code == NSValidationMissingMandatoryPropertyError)
      #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "name")
    }
  }
}

/// A class with checks of its own.
final class ValidatedItem: NSManagedObject {
  override func validateValue(_ value: inout Any?, forKey key: String) throws {
    if key == "name", let text = value as? String { value = text.trimmingCharacters(in: .whitespaces) }
    try super.validateValue(&value, forKey: key)
    if key == "code", value as? String == "ODD" { throw NSError(domain: "ValidatedItem", code: 7) }
  }
}
