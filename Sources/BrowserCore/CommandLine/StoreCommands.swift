import CoreData
import CoreDataKit
import Foundation

/// The commands that read a store and write rows: entities, count, fetch, show.
struct StoreCommands {
  private let invocation: Invocation
  private let isTerminal: Bool
  private let output: (String) -> Void

  init(_ invocation: Invocation, isTerminal: Bool, output: @escaping (String) -> Void) {
    (self.invocation, self.isTerminal, self.output) = (invocation, isTerminal, output)
  }

  func run() throws {
    let store = try CommandStore(invocation, isReadOnly: true)
    switch invocation.command {
    case "entities": try entities(store)
    case "count": try count(store)
    case "fetch": try fetch(store)
    default: try show(store)
    }
  }

  private func entities(_ store: CommandStore) throws {
    let summary = try store.answer(store.repository.summary())
    let writer = try writer(columns: ["name", "parent", "abstract", "rows", "table"])
    var rows: [String: Int] = [:]
    for entity in summary.entities {
      rows[entity.entity.name ?? ""] = try store.answer(store.repository.count(entity: entity.entity.name ?? ""))
    }
    func withSubentities(_ entity: NSEntityDescription) -> Int {
      entity.subentities.reduce(rows[entity.name ?? ""] ?? 0) { $0 + withSubentities($1) }
    }
    for item in summary.entities {
      let name = item.entity.name ?? ""
      writer.add([
        ("name", .string(name)), ("parent", item.entity.superentity?.name.map(OutputValue.string) ?? .null),
        ("abstract", .bool(item.entity.isAbstract)), ("table", .string(item.table)),
        ("rows", .number(String(rows[name] ?? 0))),
        ("rowsWithSubentities", .number(String(withSubentities(item.entity)))),
      ])
    }
    writer.finish()
  }

  private func count(_ store: CommandStore) throws {
    let entity = try store.entity(named: invocation.operands[1])
    let query = ListQuery(entity: entity.name ?? "").filtered(by: try store.filter(invocation, of: entity))
    output("\(try store.answer(store.repository.count(query)))\n")
  }

  private func fetch(_ store: CommandStore) throws {
    let entity = try store.entity(named: invocation.operands[1])
    let query = ListQuery(entity: entity.name ?? "", sort: try sortKeys(of: entity))
      .filtered(by: try store.filter(invocation, of: entity))
    let columns = try self.columns(of: entity)
    let (offset, limit) = (try invocation.number(.offset) ?? 0, try invocation.number(.limit))
    let object = ObjectOutput(showsRelationships: invocation.options["relationships"] != nil)
    let all = Set(entity.selfAndSubentities.flatMap(\.listedPropertyNames))
    let names = columns ?? ["objectID", "entity"] + all.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let writer = try writer(columns: names)
    _ = try store.answer(
      store.repository.forEach(
        query, offset: offset, limit: limit, body: { writer.add(row(of: $0, columns, object)) }))
    writer.finish()
  }

  private func show(_ store: CommandStore) throws {
    let object = ObjectOutput(showsRelationships: true)
    let format = try format()
    let (row, columns) = try store.object(invocation.operands[1]) { shown -> (OutputRow, [String]?) in
      let columns = try self.columns(of: shown.entity)
      return (self.row(of: shown, columns, object), columns)
    }
    if format == .table {
      // One object reads better downwards.
      let writer = try writer(columns: ["property", "value"])
      for (name, value) in row { writer.add([("property", .string(name)), ("value", value)]) }
      writer.finish()
    } else {
      let writer = try writer(columns: columns ?? row.map(\.name))
      writer.add(row)
      writer.finish()
    }
  }

  // MARK: Words of the command line

  private func sortKeys(of entity: NSEntityDescription) throws -> [ListSortKey] {
    try SortText.parse(invocation.options["sort"] ?? "", entity: entity)
  }

  /// The columns asked for, each once and each a path that the entity or one of its subentities has.
  private func columns(of entity: NSEntityDescription) throws -> [String]? {
    guard let text = invocation.options["columns"] else { return nil }
    var columns: [String] = []
    for path in text.split(separator: ",").map(String.init) where !columns.contains(path) {
      if path != "objectID" && path != "entity" { try check(path, of: entity) }
      columns.append(path)
    }
    guard !columns.isEmpty else { throw UsageError("--columns names no property", "write KEY,KEY") }
    return columns
  }

  /// A path leads over to-one relationships to a property that a store keeps.
  private func check(_ path: String, of entity: NSEntityDescription) throws {
    var entities = entity.selfAndSubentities
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    for (index, key) in keys.enumerated() {
      guard let owner = entities.first(where: { $0.listedPropertyNames.contains(key) }),
        let property = owner.propertiesByName[key]
      else { throw entity.unknownProperty(index == 0 ? key : path) }
      guard index < keys.count - 1 else { return }
      guard let relationship = property as? NSRelationshipDescription, !relationship.isToMany else {
        throw UsageError("--columns \(path): \(key) is no to-one relationship", "a path follows to-one relationships")
      }
      entities = relationship.destinationEntity?.selfAndSubentities ?? []
    }
  }

  private func row(of object: NSManagedObject, _ columns: [String]?, _ output: ObjectOutput) -> OutputRow {
    let identity = output.identity(of: object)
    guard let columns else { return identity + output.properties(of: object) }
    let values = columns.filter { $0 != "objectID" && $0 != "entity" }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { ($0, output.value(at: $0, in: object)) }
    return identity + values
  }

  private func format() throws -> OutputFormat {
    let name = try invocation.choice(.format, of: OutputFormat.allCases.map(\.rawValue))
    return name.flatMap(OutputFormat.init(rawValue:)) ?? (isTerminal ? .table : .tsv)
  }

  private func writer(columns: [String]) throws -> RowWriter {
    RowWriter(try format(), columns: columns, isTerminal: isTerminal, write: output)
  }
}
