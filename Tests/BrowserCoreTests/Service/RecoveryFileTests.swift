import CoreData
import CoreDataKit
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

/// Where edits wait that were not saved.
@Suite struct RecoveryFileTests {
  private let folder: TemporaryDirectory
  private let store: URL
  private var environment: [String: String] { ["XDG_STATE_HOME": folder.url.path] }
  private var recovery: URL { folder.url.appending(path: "storebrowser/recovery") }
  /// No process has this number.
  private static let dead: pid_t = 0x7fff_fff0

  init() throws {
    folder = try TemporaryDirectory()
    store = folder.url.appending(path: "A.sqlite")
  }

  private func file(_ identifier: String = "STORE", _ url: URL? = nil, process: pid_t = dead) -> RecoveryFile {
    RecoveryFile(storeIdentifier: identifier, storeURL: url ?? store, environment: environment, process: process)
  }

  private func edits(_ name: String = "Mine") -> EditState {
    var state = EditState()
    let key = ObjectKey(entity: 1, primaryKey: 7)
    let odd = Date(timeIntervalSinceReferenceDate: 0.1)
    state.objects = [
      .init(
        key: key, entity: "Item", kind: .update, version: 3,
        fields: [
          "name": .init(base: .text("a\u{0}\u{1B}[31m"), mine: .text(name), problem: "too long"),
          "at": .init(base: .date(odd), mine: .real(.pi)), "data": .init(base: .null, mine: .data(Data([0, 255]))),
          "link": .init(base: .object(key), mine: .objects([key, ObjectKey(entity: 2, primaryKey: -1)])),
        ])
    ]
    return state
  }

  @Test func `edits that were written are found by the next run, value for value`() throws {
    #expect(file().find().state == nil)
    try file().write(edits())
    #expect(file(process: getpid()).find().state?.objects == edits().objects)
    #expect(file(process: getpid()).find().remarks == [])
    try file().write(edits("Later"))
    #expect(file(process: getpid()).find().state?.objects == edits("Later").objects)
  }

  @Test func `only this user may read them, and they lie in the state folder`() throws {
    try file().write(edits())
    let names = try FileManager.default.contentsOfDirectory(atPath: recovery.path)
    let name = try #require(names.first)
    #expect(names.count == 1 && name.hasPrefix("STORE-") && name.hasSuffix(".json"))
    func permissions(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try permissions(recovery.appending(path: name).path) == 0o600)
    #expect(try permissions(recovery.path) == 0o700)
    #expect(
      RecoveryFile(storeIdentifier: "S", storeURL: store, environment: ["HOME": folder.url.path]).problem() == nil)
    #expect(FileManager.default.fileExists(atPath: folder.url.path + "/.local/state/storebrowser/recovery"))
  }

  @Test func `no edits leave no file, and what was taken up or given up goes`() throws {
    try file().write(edits())
    let mine = file(process: getpid())
    try mine.write(edits("Mine now"))
    try mine.write(EditState())
    // What the earlier run left is not touched by a save of this one.
    #expect(mine.find().state?.objects == edits().objects)
    mine.removeLeftovers()
    #expect(mine.find().state == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: recovery.path) == [])
  }

  @Test func `edits of another store, or of the same at another place, are not offered`() throws {
    try file().write(edits())
    #expect(file("OTHER").find().state == nil)
    #expect(file("STORE", folder.url.appending(path: "B.sqlite")).find().state == nil)
    #expect(file("../../STORE/../x").find().state == nil)
    try file("../../evil").write(edits())
    #expect(try FileManager.default.contentsOfDirectory(atPath: recovery.path).count == 2)
  }

  @Test func `edits of a browser that still runs stay its own`() throws {
    // The process that runs the tests stands for another browser.
    try file(process: getppid()).write(edits())
    let mine = file(process: getpid())
    #expect(mine.find().state == nil)
    mine.removeLeftovers()
    #expect(try FileManager.default.contentsOfDirectory(atPath: recovery.path).count == 1)
  }

  @Test func `edits of a browser that was killed are found before its parent has asked for it`() throws {
    var process: pid_t = 0
    try #require(posix_spawn(&process, "/bin/sleep", nil, nil, [strdup("sleep"), strdup("600"), nil], nil) == 0)
    defer { waitpid(process, nil, 0) }
    try file(process: process).write(edits())
    #expect(file(process: getpid()).find().state == nil)
    kill(process, SIGKILL)
    // Waits for the end, and leaves it to be asked for.
    var end = siginfo_t()
    try #require(waitid(P_PID, id_t(process), &end, WEXITED | WNOWAIT) == 0)
    #expect(file(process: getpid()).find().state?.objects == edits().objects)
  }

  @Test func `a file that cannot be trusted is set aside with one line, and never read`() throws {
    try file().write(edits())
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: recovery.path).first)
    let whole = try Data(contentsOf: recovery.appending(path: name))
    for damaged in [Data(), Data("{".utf8), whole.prefix(whole.count / 2), Data("[1]".utf8) + whole] {
      try damaged.write(to: recovery.appending(path: name))
      let found = file(process: getpid()).find()
      #expect(found.state == nil)
      #expect(found.remarks.count == 1)
      #expect(file(process: getpid()).find().remarks == [])
      #expect(FileManager.default.fileExists(atPath: recovery.appending(path: name + ".damaged").path))
    }
  }

  @Test func `what rules took along is not kept: it follows anew`() throws {
    var state = edits()
    state.objects.append(
      .init(key: ObjectKey(entity: 1, primaryKey: 8), entity: "Item", kind: .delete, version: 1, isCascade: true))
    try file().write(state)
    #expect(file(process: getpid()).find().state?.objects == edits().objects)
  }

  @Test func `a folder that cannot be made is told`() throws {
    try Data().write(to: folder.url.appending(path: "storebrowser"))
    #expect(file().problem() != nil)
    #expect(throws: (any Error).self) { try file().write(edits()) }
    #expect(file().find().state == nil)
  }
}
