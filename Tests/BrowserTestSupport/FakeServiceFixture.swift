import BrowserCore
import CoreData

extension FakeStore {
  /// A small festival: events, venues, people in two kinds, tags, and an entity without objects.
  ///
  /// - Parameter events: how many events there are.
  public static func festival(events count: Int = 40) -> FakeStore {
    var store = FakeStore(
      StoreOutline(
        name: "Festival.sqlite", modelSource: "model: cached in store", access: .inPlace, isReadOnly: false,
        entities: [event, note, person, guest, speaker, tag, venue], firstWithRows: count > 0 ? "Event" : "Guest"))
    let tags = (1...5).map { ObjectKey(entity: 6, primaryKey: $0) }
    let venues = (1...3).map { ObjectKey(entity: 7, primaryKey: $0) }
    let events = (0..<count).map { ObjectKey(entity: 1, primaryKey: Int64($0 + 1)) }
    for (index, key) in events.enumerated() {
      store.add(eventObject(index, key, tags: tags, venues: venues))
    }
    for index in 0..<7 {
      let key = ObjectKey(entity: index % 2 == 0 ? 4 : 5, primaryKey: Int64(index + 1))
      store.add(
        Object(
          key,
          ["name": .plain(text(names[index % names.count])), "age": .plain(.integer(Int64(20 + index * 7)))]))
    }
    for (index, key) in tags.enumerated() {
      store.add(
        Object(
          key,
          [
            "name": .plain(text(["outdoor", "für Kinder", "late", "free", "日本"][index])),
            "events": .many(events.filter { Int($0.primaryKey) % 5 == index }),
          ]))
    }
    for (index, key) in venues.enumerated() {
      store.add(
        Object(
          key,
          [
            "name": .plain(text(["Old Harbour", "Éclair Hall 🎪", "東京ドーム"][index])),
            "seats": .plain(.integer([1_200, 350, 55_000][index])),
            "events": .many(events.filter { Int($0.primaryKey) % 3 == index }),
          ]))
    }
    return store
  }

  private static func eventObject(
    _ index: Int, _ key: ObjectKey, tags: [ObjectKey], venues: [ObjectKey]
  ) -> Object {
    let number = Int(key.primaryKey)
    var values: [String: Value] = [
      "title": .plain(text("\(titles[index % titles.count]) \(number)")),
      "priority": .plain(.integer(Int64((number * 37) % 100 - 10))),
      "starts": .plain(.date(Date(timeIntervalSinceReferenceDate: 784_000_000 + Double(number) * 7_260.5))),
      "isPublic": .plain(.boolean(number % 3 != 0)),
      "rating": .plain(.real(Double(number % 50) / 10)),
      "token": .plain(.uuid(UUID(uuid: (8, 34, UInt8(number % 250), 243, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7)))),
      "poster": .plain(.bytes(head: [0x89, 0x50, 0x4E, 0x47], count: 400 + number * 977)),
      "venue": .one(number % 7 == 0 ? nil : venues[number % 3]),
      "tags": .many(tags.filter { number % 5 == Int($0.primaryKey) - 1 || $0.primaryKey == 1 }),
    ]
    if number % 4 != 0 {
      values["summary"] = .plain(
        text(number % 9 == 0 ? "" : "A long evening of \(titles[(index + 3) % titles.count].lowercased()) and more"))
    }
    return Object(key, values)
  }

  private static let titles = ["Opening", "Café concert", "Film night", "Reading", "Juggling", "Quiz", "Dance"]
  private static let names = ["Ada", "Björk", "Chen Wei", "Dolores", "Émile", "Fatima", "Grace"]

  private static func text(_ text: String) -> CellValue { .text(text, length: text.count) }

  private static func property(
    _ name: String, _ kind: PropertyOutline.Kind, sortable: Bool = true
  ) -> PropertyOutline {
    PropertyOutline(name: name, kind: kind, isSortable: sortable)
  }

  private static let event = EntityOutline(
    name: "Event", number: 1, depth: 0, isAbstract: false,
    properties: [
      property("title", .string), property("priority", .integer), property("starts", .date),
      property("venue", .toOne(entity: "Venue")),
      property("tags", .toMany(entity: "Tag", ordered: false), sortable: false), property("isPublic", .boolean),
      property("rating", .real), property("summary", .string), property("token", .uuid),
      property("poster", .binary, sortable: false),
    ])
  private static let note = EntityOutline(
    name: "Note", number: 2, depth: 0, isAbstract: false, properties: [property("text", .string)])
  private static let person = EntityOutline(
    name: "Person", number: 3, depth: 0, isAbstract: true,
    properties: [property("name", .string), property("age", .integer)])
  private static let guest = EntityOutline(
    name: "Guest", number: 4, depth: 1, isAbstract: false,
    properties: [property("name", .string), property("age", .integer)])
  private static let speaker = EntityOutline(
    name: "Speaker", number: 5, depth: 1, isAbstract: false,
    properties: [property("name", .string), property("age", .integer)])
  private static let tag = EntityOutline(
    name: "Tag", number: 6, depth: 0, isAbstract: false,
    properties: [
      property("name", .string), property("events", .toMany(entity: "Event", ordered: true), sortable: false),
    ])
  private static let venue = EntityOutline(
    name: "Venue", number: 7, depth: 0, isAbstract: false,
    properties: [
      property("name", .string), property("seats", .integer),
      property("events", .toMany(entity: "Event", ordered: false), sortable: false),
    ])
}
