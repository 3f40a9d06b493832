import Foundation
import Synchronization
import Testing

@testable import CoreData

/// A store of `ShapesModel` as the `sqlite3` program reads it: the second opinion about what is in it.
struct ShapesReading: Equatable {
  /// By entity and primary key, `3/12`: the properties that have a value, as SQLite's `quote` writes them.
  var objects: [String: [String: String]] = [:]
  /// By the same key: `Z_OPT`.
  var versions: [String: String] = [:]
  /// By object and relationship, `3/12 tags`: members and their places.
  var members: [String: Set<String>] = [:]

  private static let separator: Character = "|"
  private static let items =
    "'name='||quote(ZNAME)||'|rank='||quote(ZRANK)||'|double='||quote(ZDOUBLE)||'|date='||quote(ZDATE)"
    + "||'|string='||quote(ZSTRING)||'|data='||quote(ZDATA)||'|box='||ifnull(Z1_BOX||'/'||ZBOX,'NULL')"
    + "||'|lineOf='||ifnull(Z1_LINEOF||'/'||ZLINEOF,'NULL')"
    + "||'|extra='||quote(CASE Z_ENT WHEN 4 THEN ZEXTRA WHEN 5 THEN ZEXTRA1 END)"
  private static let boxes = "'name='||quote(ZNAME)||'|weight='||quote(CASE Z_ENT WHEN 2 THEN ZWEIGHT END)"
  private static let tags =
    "'name='||quote(ZNAME)||'|parent='||ifnull('6/'||ZPARENT,'NULL')"
    + "||'|favourite='||ifnull(Z3_FAVOURITE||'/'||ZFAVOURITE,'NULL')"

  private static func objects(_ table: String, _ columns: String) -> String {
    "SELECT 'o|'||Z_ENT||'/'||Z_PK||'|'||ifnull(Z_OPT,'')||'|'||\(columns) FROM \(table);"
  }

  private static func members(
    _ owners: String, _ name: String, _ table: String, _ owner: String, _ member: String, _ order: String = "''"
  ) -> String {
    "SELECT 'm|'||o.Z_ENT||'/'||o.Z_PK||' \(name)|'||group_concat(m.\(member)||':'||ifnull(\(order),'')) "
      + "FROM \(owners) o JOIN \(table) m ON m.\(owner) = o.Z_PK GROUP BY o.Z_PK;"
  }

  /// The statements whose output is read.
  static let sql = [
    objects("ZITEM", items), objects("ZBOX", boxes), objects("ZTAG", tags),
    members("ZBOX", "items", "ZITEM", "ZBOX", "Z_PK"),
    members("ZBOX", "line", "ZITEM", "ZLINEOF", "Z_PK", "m.Z_FOK_LINEOF"),
    members("ZITEM", "tags", "Z_3TAGS", "Z_3ITEMS", "Z_6TAGS"),
    members("ZTAG", "items", "Z_3TAGS", "Z_6TAGS", "Z_3ITEMS"),
    members("ZITEM", "ranked", "Z_3RANKED", "Z_3RANKEDBY", "Z_6RANKED", "m.Z_FOK_6RANKED"),
    members("ZTAG", "rankedBy", "Z_3RANKED", "Z_6RANKED", "Z_3RANKEDBY", "m.Z_FOK_3RANKEDBY"),
    members("ZTAG", "following", "Z_6FOLLOWING", "Z_6FOLLOWERS", "Z_6FOLLOWING"),
    members("ZTAG", "followers", "Z_6FOLLOWING", "Z_6FOLLOWING", "Z_6FOLLOWERS"),
    members("ZTAG", "loose", "ZBOX", "Z6LOOSE", "Z_PK"),
    members("ZTAG", "stack", "ZBOX", "Z6STACK", "Z_PK", "m.Z_FOK_6STACK"),
    members("ZTAG", "children", "ZTAG", "ZPARENT", "Z_PK"),
  ].joined()

  init(_ lines: [String]) {
    for line in lines {
      var parts = line.split(separator: Self.separator, omittingEmptySubsequences: false)[...]
      let (kind, key) = (parts.removeFirst(), String(parts.removeFirst()))
      guard kind == "o" else {
        members[key] = Set(parts[parts.startIndex].split(separator: ",").map(String.init))
        continue
      }
      versions[key] = String(parts.removeFirst())
      var properties: [String: String] = [:]
      for part in parts {
        let cut = part.firstIndex(of: "=") ?? part.endIndex
        let value = part[part.index(after: cut)...]
        if value != "NULL" { properties[String(part[..<cut])] = String(value) }
      }
      objects[key] = properties
    }
  }
}

/// The store as it must be by what a watcher reported: begun with a reading, moved on by changes alone.
final class ShapesMirror: Sendable {
  /// A value that was not told.
  private static let untold = "?"

  private struct State {
    var objects: [String: [String: String]]
    /// Objects of which it is known only that they changed.
    var blurred: Set<String> = []
    /// Objects that came or went since the last quiet point.
    var replaced: Set<String> = []
    /// Updated objects, and the to-many relationships that were reported, since the last quiet point.
    var updated: Set<String> = []
    var reported: Set<String> = []
    var batches = 0
    var complaints: [String] = []
    var sources: [StoreChanges.Source: Int] = [:]
    var incomplete = 0
  }
  private let state: Mutex<State>
  private let last: Mutex<ShapesReading>

  init(_ reading: ShapesReading) {
    state = Mutex(State(objects: reading.objects))
    last = Mutex(reading)
  }

  /// What was reported that cannot be, in words.
  var complaints: [String] { state.withLock { $0.complaints } }
  /// How many reports came from where.
  var sources: [StoreChanges.Source: Int] { state.withLock { $0.sources } }
  var incomplete: Int { state.withLock { $0.incomplete } }

  /// Takes a report.
  func take(_ event: StoreEvent) {
    guard case .changes(let changes) = event else { return }
    state.withLock { state in
      state.batches += 1
      state.sources[changes.source, default: 0] += 1
      if !changes.isComplete { state.incomplete += 1 }
      for change in changes.changes { Self.apply(change, &state) }
    }
  }

  private static func apply(_ change: StoreChanges.Change, _ state: inout State) {
    let key = "\(change.key.entity)/\(change.key.primaryKey)"
    var object = state.objects[key]
    func complain(_ what: String) { state.complaints.append("\(change.kind) \(key): \(what)") }
    switch change.kind {
    case .insert where object != nil: complain("it was there")
    case .update where object == nil, .delete where object == nil: complain("it was not there")
    default: break
    }
    if change.kind != .update { state.replaced.insert(key) }
    guard change.kind != .delete else {
      state.objects[key] = nil
      state.blurred.remove(key)
      return
    }
    if change.kind == .update { state.updated.insert(key) }
    guard let properties = change.properties else {
      state.blurred.insert(key)
      return
    }
    var values = object ?? [:]
    for (name, value) in properties {
      if toMany.contains(name) {
        state.reported.insert("\(key) \(name)")
        continue
      }
      if let old = value.old, !state.blurred.contains(key) {
        let known = values[name] ?? "NULL"
        if known != untold, known != old.whole {
          complain("\(name) was \(known.prefix(40)), not \(old.whole.prefix(40))")
        }
        if old == value.new { complain("\(name) did not change") }
      }
      let new = value.new.map(\.whole) ?? untold
      values[name] = new == "NULL" ? nil : new
    }
    object = values
    state.objects[key] = object
  }

  private static let toMany: Set<String> = [
    "items", "line", "tags", "ranked", "rankedBy", "following", "followers", "friends", "loose", "stack", "children",
  ]

  /// What still differs from a reading; nil when everything was reported, and then the mirror goes on from there.
  ///
  /// `isExact` asks that nothing was reported but what differs, which holds when one state led to the next.
  func difference(from now: ShapesReading, isExact: Bool) -> String? {
    let before = last.withLock { $0 }
    return state.withLock { state in
      for key in Set(state.objects.keys).union(now.objects.keys) {
        guard let mine = state.objects[key] else { return "\(key) is missing" }
        guard let theirs = now.objects[key] else { return "\(key) should be gone" }
        guard !state.blurred.contains(key), mine != theirs else { continue }
        for name in Set(mine.keys).union(theirs.keys) where mine[name] != theirs[name] && mine[name] != Self.untold {
          return "\(key) \(name) is \((mine[name] ?? "NULL").prefix(40)), not \((theirs[name] ?? "NULL").prefix(40))"
        }
      }
      func stays(_ key: String) -> Bool {
        before.objects[key] != nil && now.objects[key] != nil && !state.replaced.contains(key)
      }
      let related = Set(before.members.keys).union(now.members.keys).filter { name in
        before.members[name] != now.members[name] && stays(String(name.prefix { $0 != " " }))
      }
      if let missing = related.subtracting(state.reported).min() { return "\(missing) was not reported" }
      let changed = Set(now.versions.keys.filter { stays($0) && now.versions[$0] != before.versions[$0] })
      if let missing = changed.subtracting(state.updated).min() { return "\(missing) was not reported" }
      if isExact, state.batches == 1 {
        let objects = now.objects.keys.filter { stays($0) && now.objects[$0] != before.objects[$0] }
        let all = changed.union(objects).union(related.map { String($0.prefix { $0 != " " }) })
        if let extra = state.updated.subtracting(all).min() { return "\(extra) did not change" }
      }
      state.objects = now.objects
      (state.blurred, state.replaced, state.updated, state.reported, state.batches) = ([], [], [], [], 0)
      last.withLock { $0 = now }
      return nil
    }
  }
}

extension PropertyValue {
  /// The whole value as SQLite's `quote` would write it.
  var whole: String {
    if case .text(let text) = self { return "'\(text)'" }
    return short
  }
}
