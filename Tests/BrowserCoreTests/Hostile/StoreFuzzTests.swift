import CoreData
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

/// Fuzz targets for what stores hold: schemas, and values in columns, each read by the commands of the command line.
@Suite(.serialized) struct StoreFuzzTests {
  /// Runs a script in which statements may fail.
  private func write(_ sql: String, to url: URL) throws {
    _ = try ProcessRun("sqlite3", ["-batch", url.path], input: sql)
  }

  @Test func `schemas`() throws {
    let folder = try TemporaryDirectory()
    try FuzzRun("schema", quickCount: 60).run { numbers in
      let url = folder.url.appending(path: "\(UUID().uuidString).sqlite")
      defer { removeAll(in: folder) }
      try write(HostileSchema.script(&numbers), to: url)
      guard FileManager.default.fileExists(atPath: url.path) else { return false }
      var commands = HostileCommands(url.path)
      return try commands.readStore(&numbers, entities: 6)
    }
  }

  @Test func `values`() throws {
    let good = try TemporaryStore(model: HostileValues.model())
    try good.write(HostileValues.rows)
    let columns = try self.columns(of: good)
    let folder = try TemporaryDirectory()
    try FuzzRun("values", quickCount: 60).run { numbers in
      let url = folder.url.appending(path: "\(UUID().uuidString).sqlite")
      defer { removeAll(in: folder) }
      try FileManager.default.copyItem(at: good.url, to: url)
      try write(HostileValues.script(columns, &numbers), to: url)
      try addExternalFile(beside: url, &numbers)
      var commands = HostileCommands(url.path)
      return try commands.readStore(&numbers, entities: 3)
    }
  }

  private func columns(of store: TemporaryStore) throws -> [String: [String]] {
    var found: [String: [String]] = [:]
    let rows = try store.rows(
      "SELECT m.name || '|' || x.name FROM sqlite_master m, pragma_table_info(m.name) x WHERE m.type = 'table';")
    for row in rows {
      let parts = row.split(separator: "|").map(String.init)
      found[parts[0], default: []].append(parts[1])
    }
    return found.filter { $0.key != "Z_MODELCACHE" }
  }

  /// Something where an external value's file should be.
  private func addExternalFile(beside url: URL, _ numbers: inout HostileBytes) throws {
    let folder = url.deletingLastPathComponent()
      .appending(path: ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA")
    let file = folder.appending(path: "00000000-0000-0000-0000-000000000000")
    guard numbers.oneIn(2) else { return }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    switch numbers.next(below: 4) {
    case 0: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    case 1: mkfifo(file.path, 0o600)
    case 2: try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "/dev/zero")
    default: try Data(repeating: 7, count: numbers.next(below: 5_000)).write(to: file)
    }
  }

  private func removeAll(in folder: TemporaryDirectory) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? [] {
      try? FileManager.default.removeItem(at: folder.url.appending(path: name))
    }
  }
}
