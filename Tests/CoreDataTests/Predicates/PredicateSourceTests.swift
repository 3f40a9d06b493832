import CoreData
import TestSupport
import Testing

@Suite("Predicates written out for use elsewhere")
struct PredicateSourceTests {
  /// Entities as a model would state them, with classes named after them.
  private static func entities() -> (pet: NSEntityDescription, owner: NSEntityDescription) {
    let (pet, owner) = (NSEntityDescription(), NSEntityDescription())
    (pet.name, pet.managedObjectClassName) = ("Pet", "Pet")
    (owner.name, owner.managedObjectClassName) = ("Owner", "Owner")
    let types: [(String, NSAttributeType)] = [
      ("name", .stringAttributeType), ("age", .integer32AttributeType), ("rank", .integer16AttributeType),
      ("weight", .doubleAttributeType), ("price", .decimalAttributeType), ("born", .dateAttributeType),
      ("isTame", .booleanAttributeType), ("chip", .UUIDAttributeType), ("photo", .binaryDataAttributeType),
      ("link", .URIAttributeType), ("in", .stringAttributeType),
    ]
    func relationship(_ name: String, _ destination: NSEntityDescription, many: Bool) -> NSPropertyDescription {
      let relationship = NSRelationshipDescription()
      relationship.name = name
      relationship.destinationEntity = destination
      relationship.maxCount = many ? 0 : 1
      return relationship
    }
    func attribute(_ name: String, _ type: NSAttributeType) -> NSPropertyDescription {
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      return attribute
    }
    pet.properties = types.map(attribute) + [relationship("owner", owner, many: false)]
    owner.properties = [
      attribute("name", .stringAttributeType), attribute("age", .integer32AttributeType),
      relationship("pets", pet, many: true), relationship("boss", owner, many: false),
    ]
    return (pet, owner)
  }

  /// The classes that the sources are compiled with.
  private static let classes = """
    import CoreData
    final class Pet: NSManagedObject {
      @Persisted var name: String?
      @Persisted var age: Int32
      @Persisted var rank: Int16
      @Persisted var weight: Double
      @Persisted var price: Decimal?
      @Persisted var born: Date?
      @Persisted var isTame: Bool
      @Persisted var chip: UUID?
      @Persisted var photo: Data?
      @Persisted var link: URL?
      @Persisted var `in`: String?
      @Persisted var owner: Owner?
    }
    final class Owner: NSManagedObject {
      @Persisted var name: String?
      @Persisted var age: Int32
      @Persisted var pets: Set<Pet>
      @Persisted var boss: Owner?
    }
    """

  private static let nasty = "a\"b\\c\nd\te\\(x)\u{0}\u{7}\u{202E}\u{2028}\u{FEFF}%@ é e\u{301} 👩‍👧 ß"

  private static func predicates() -> [(String, [Any])] {
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000.123)
    let uuid = UUID(uuidString: "0F9C2B36-1A2B-4C3D-8E4F-5A6B7C8D9E0F") ?? UUID()
    return [
      ("name == %@ AND age > 3", [nasty]), ("name CONTAINS[cd] %@ OR name BEGINSWITH %@", ["é", nasty]),
      ("born < %@ AND born BETWEEN {%@, %@}", [date, date, date]), ("chip == %@", [uuid]),
      ("photo == %@", [Data([0, 255, 10])]), ("link == %@", [URL(fileURLWithPath: "/a \"b\"")]),
      ("price >= %@", [Decimal(string: "1234567890123456789.125") ?? 0]), ("weight IN {1, 2.5, -3e300}", []),
      ("name IN %@", [["a", nasty]]), ("name IN %@", [["a", NSNull(), 3] as [Any]]), ("name IN %@", [[String]()]),
      ("weight == %@", [3.0]), ("weight / 2.0 > 1", []), ("NOT (isTame == YES) AND owner == nil", []),
      ("SUBQUERY(owner.pets, $p, $p.age > 3 AND $p.name LIKE[c] %@).@count > 0", [nasty]),
      ("TERNARY(age > 3, name, 'x') == %@", [nasty]), ("%K == 3 AND #in == 'x'", ["größe.höhe"]),
      ("TRUEPREDICATE", []), ("name MATCHES %@", ["a|\\d+\n"]), ("FUNCTION(name, 'hasPrefix:', %@) == YES", [nasty]),
      ("ANY owner.pets.name == 'x' OR ALL owner.pets.age < 3", []), ("age BETWEEN {1, 3}", []),
    ]
  }

  private func tree(_ format: String, _ arguments: [Any] = []) throws -> PredicateTree {
    try PredicateForm(format: format, arguments: arguments).tree
  }

  /// The compiler's complaints about a source that uses the built module; nil when it compiles.
  private func complaints(_ source: String) throws -> String? {
    let products = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    var root = products
    while root.path.count > 1, !FileManager.default.fileExists(atPath: root.appending(path: "Modules").path) {
      root.deleteLastPathComponent()
    }
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let scratch = try TemporaryDirectory()
    let file = scratch.url.appending(path: "main.swift")
    try Data(source.utf8).write(to: file)
    let maps = ["CSQLite", "CZlib", "CDigest"].flatMap {
      ["-Xcc", "-fmodule-map-file=\(package.path)/Sources/\($0)/module.modulemap"]
    }
    let run = try ProcessRun(
      "swiftc", ["-typecheck", "-swift-version", "6", "-I", root.appending(path: "Modules").path] + maps + [file.path])
    return run.status == 0 ? nil : run.errors + run.output
  }

  @Test func `a format string parses back to the same predicate`() throws {
    for (format, arguments) in Self.predicates() {
      let tree = try tree(format, arguments)
      let copied = try PredicateSource.format(tree)
      #expect(
        try self.tree(copied).mapExpressions(\.withoutCasts).format(.parsable) == tree.format(.parsable), "\(copied)")
    }
  }

  @Test func `a whole number that is floating keeps its fraction, for a division goes by it`() throws {
    #expect(try PredicateSource.format(tree("weight / 2.0 == 3.0")) == "weight / 2.0 == 3.0")
    #expect(try tree("weight == 3.0").format() == "weight == 3")
  }

  @Test func `Swift source holds dates, ids, data, URLs and decimals as typed arguments`() throws {
    #expect(
      try PredicateSource.predicate(tree("name == %@ AND age > 3", ["a\"b\\(x)\u{202E}"]))
        == #"NSPredicate(format: "name == %@ AND age > 3", "a\"b\\(x)\u{202E}")"#)
    #expect(
      try PredicateSource.predicate(tree("born < CAST(5.5, 'NSDate') AND owner != nil"))
        == #"NSPredicate(format: "born < %@ AND owner != nil", NSDate(timeIntervalSinceReferenceDate: 5.5))"#)
    #expect(
      try PredicateSource.predicate(tree("%K == %@", ["größe", Decimal(string: "0.1") ?? 0]))
        == #"NSPredicate(format: "%K == %@", "größe", NSDecimalNumber(string: "0.1"))"#)
  }

  @Test func `a fetch request has its entity, predicate, order and limit`() throws {
    let source = try PredicateSource.request(
      tree("age > 3"), of: Self.entities().pet,
      sort: [
        SortKey(key: "name", ascending: true, comparison: .localizedStandard), SortKey(key: "age", ascending: false),
      ],
      limit: 20)
    #expect(
      source == """
        let request = NSFetchRequest<Pet>(entityName: "Pet")
        request.predicate = NSPredicate(format: "age > 3")
        request.sortDescriptors = [
          NSSortDescriptor(key: "name", ascending: true, selector: "localizedStandardCompare:"),
          NSSortDescriptor(key: "age", ascending: false),
        ]
        request.fetchLimit = 20
        """)
  }

  @Test func `#Predicate declares its constants and sees through optionals`() throws {
    let entities = Self.entities()
    #expect(
      try PredicateSource.macro(tree("age > 3 AND owner.name CONTAINS 'x'"), of: entities.pet) == """
        let value1: Int32 = 3
        let value2: String = "x"
        let predicate = #Predicate<Pet> { object in
          object.age > value1 && (object.owner.flatMap { ($0.name.flatMap { $0.contains(value2) } ?? false) } ?? false)
        }
        """)
    // Relationships do not keep the entities that they lead to.
    withExtendedLifetime(entities) {}
  }

  @Test(arguments: [
    ("name MATCHES 'a+'", "MATCHES"), ("name LIKE 'a*'", "LIKE"), ("name ENDSWITH 'a'", "ENDSWITH"),
    ("age == nil", "never nil"), ("age > 1.5", "1.5"), ("age > 'x'", "x"), ("shoe == 1", "shoe"),
    ("rank == 70000", "70000"), ("name ==[d] 'x'", "==[d]"), ("@sum.age > 3", "@sum"),
    ("age == 1 OR age == 2 OR age == 3 OR age == 4 OR age == 5", "5 comparisons"),
  ])
  func `what #Predicate cannot say is named`(_ format: String, _ name: String) throws {
    let error = #expect(throws: PredicateSourceError.self) {
      _ = try PredicateSource.macro(tree(format), of: Self.entities().pet)
    }
    #expect(error?.description.contains(name) == true, "\(error?.description ?? "")")
  }

  @Test func `what has no spelling is named`() throws {
    let block = NSPredicate { _, _ in true }
    #expect(throws: PredicateSourceError.self) { _ = try PredicateSource.format(block.tree) }
    #expect(throws: PredicateSourceError.self) { _ = try PredicateSource.predicate(block.tree) }
    let object = try tree("owner == %@", [Thing(1)])
    let error = #expect(throws: PredicateSourceError.self) { _ = try PredicateSource.format(object) }
    #expect(error?.description == "a managed object has no spelling in a format string")
    #expect(throws: PredicateSourceError.self) {
      let plain = NSEntityDescription()
      plain.name = "Plain"
      _ = try PredicateSource.macro(tree("TRUEPREDICATE"), of: plain)
    }
  }

  @Test func `the Swift sources compile and say the same`() throws {
    let (pet, owner) = Self.entities()
    var source = Self.classes + "\n"
    for (place, (format, arguments)) in Self.predicates().enumerated() {
      let tree = try tree(format, arguments)
      source += "func predicate\(place)() -> NSPredicate { \(try PredicateSource.predicate(tree)) }\n"
      let request = try PredicateSource.request(
        tree, of: pet, sort: [SortKey(key: "name", ascending: true, comparison: .localizedStandard)], limit: 5)
      source += "func request\(place)() -> NSFetchRequest<Pet> {\n\(request)\nreturn request\n}\n"
    }
    let macros: [(String, [Any], NSEntityDescription)] = [
      ("name == %@ AND age > 3", [Self.nasty], pet), ("born < CAST(5.5, 'NSDate') AND isTame == YES", [], pet),
      ("owner.name ==[c] 'x' OR #in == nil", [], pet), ("price >= 1.5 AND weight + 1 < 7", [], pet),
      ("chip == %@ OR photo == %@ OR link == %@", [UUID(), Data([1]), URL(fileURLWithPath: "/a")], pet),
      ("age IN {1, 2} AND rank BETWEEN {1, 3}", [], pet), ("ANY pets.name BEGINSWITH 'x'", [], owner),
      ("ALL boss.pets.age < 3 AND pets.@count > 2", [], owner), ("NOT (name CONTAINS[cd] 'x')", [], owner),
      ("SUBQUERY(pets, $p, $p.age > 3 AND $p.name == 'x').@count > 0", [], owner),
    ]
    for (place, (format, arguments, entity)) in macros.enumerated() {
      source +=
        "func macro\(place)() -> NSPredicate? {\n"
        + (try PredicateSource.macro(tree(format, arguments), of: entity)) + "\nreturn NSPredicate(predicate)\n}\n"
    }
    let complaints = try complaints(source)
    #expect(complaints == nil, "\(complaints ?? "")\n\(source)")
  }
}
