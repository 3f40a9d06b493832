import BrowserTestSupport
import Combine
import CoreData
import CoreDataKit
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BrowserCore

/// Following, unlocking and editing through the browser's service, with another process that writes.
@Suite struct LiveEditingTests {
  private let store: LibraryStore
  private let state: TemporaryDirectory
  private static let book = ObjectKey(entity: 2, primaryKey: 1)
  private let books = ListQuery(entity: "Author", sort: [ListSortKey("name")])

  init() throws {
    store = try LibraryStore()
    state = try TemporaryDirectory()
  }

  private func service(isReadOnly: Bool = false, opensUnlocked: Bool = false) -> LiveService {
    LiveService(
      url: store.file.url, isReadOnly: isReadOnly, opensUnlocked: opensUnlocked,
      environment: ["XDG_STATE_HOME": state.url.path])
  }

  private func answer<Output: Sendable>(_ publisher: AnyPublisher<Output, any Error>) async throws -> Output {
    for try await value in publisher.values { return value }
    throw CocoaError(.userCancelled)
  }

  private func events(_ service: LiveService) -> Following<StoreEvent> {
    Following(service.events().setFailureType(to: (any Error).self).eraseToAnyPublisher())
  }

  @Test func `an unlocked store is edited, saved, and read back by sqlite3`() async throws {
    let service = service()
    #expect(try await !answer(service.open()).isReadOnly)
    let locked = try await answer(service.edit(.set(Self.book, property: "pages", .integer(7))))
    #expect(locked.result == .refused("the store is locked: unlock it first"))
    let outline = try await answer(service.unlock())
    #expect(!outline.isReadOnly && outline.access == .inPlace && outline.remarks == [])
    #expect(try await answer(service.unlock()) == outline)
    #expect(try await answer(service.problem(with: .integer(7), of: "pages", in: Self.book)) == nil)
    #expect(try await answer(service.edit(.set(Self.book, property: "pages", .integer(7)))).result == .done)
    #expect(try await answer(service.deletePreview([Self.book])).lines.first?.fate == .chosen)
    #expect(try await answer(service.edit(.save)).result == .saved(count: 1, keys: [:]))
    #expect(try store.file.rows("SELECT ZPAGES, Z_OPT FROM ZBOOK WHERE Z_PK = 1") == ["7|2"])
    #expect(try await answer(service.record(Self.book))?.version == 2)
  }

  @Test func `what is followed goes on when the store is unlocked, and windows asked meanwhile are answered`()
    async throws
  {
    let writer = try ConnectedShell(store.file)
    try writer.run("UPDATE ZTAG SET ZNAME = 'pink' WHERE Z_PK = 1;")
    let service = service()
    let list = Following(service.monitor(books, columns: ["name"]))
    let events = events(service)
    try #require(await list.wait { $0.count == 1 })
    try #require(await events.wait { $0.count == 1 })
    #expect(events.values == [.liveness(.live)])
    try writer.run("INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (3, 1, 1, 'Bea');")
    try #require(await list.wait { $0.count == 2 })
    try #require(await events.wait { $0.count == 2 })
    async let unlocked = answer(service.unlock())
    for _ in 0..<20 {
      let window = try await answer(service.window(books, columns: ["name"], at: .start, limit: 10))
      #expect(window.rows.count == 3)
    }
    _ = try await unlocked
    try #require(await events.wait { $0.count == 4 })
    #expect(events.values[2] == .liveness(.live))
    guard case .changes(let meanwhile) = events.values[3] else { return #expect(Bool(false), "\(events.values)") }
    #expect(meanwhile.isEmpty)
    // Where it is known that nothing changed meanwhile the list goes on as it is; else its keys come again.
    let known = meanwhile.isComplete ? 2 : 3
    try #require(await list.wait { $0.count == known })
    if !meanwhile.isComplete {
      guard case .initial(let keys) = list.values[2] else { return #expect(Bool(false), "\(list.values)") }
      #expect(keys.count == 3)
    }
    try writer.run("DELETE FROM ZAUTHOR WHERE Z_PK = 3;")
    try #require(await list.wait { $0.count == known + 1 })
    try #require(await events.wait { $0.count == 5 })
    let ann = ObjectKey(entity: 1, primaryKey: 1)
    _ = try await answer(service.edit(.set(ann, property: "name", .text("Zoe"))))
    _ = try await answer(service.edit(.save))
    try #require(await list.wait { $0.count == known + 2 })
    guard case .update(let update) = list.values[known + 1] else { return #expect(Bool(false)) }
    #expect(update.changes.changes.map(\.isOwn) == [true] && update.rows[ann]?.cells == [.text("Zoe", length: 3)])
    #expect(!list.hasEnded && !events.hasEnded)
  }

  @Test func `a read-only store is never unlocked, and not a byte of it changes`() async throws {
    let before = try store.file.fingerprint()
    let service = service(isReadOnly: true, opensUnlocked: true)
    #expect(try await answer(service.open()).isReadOnly)
    await #expect(throws: UnlockError.self) { try await answer(service.unlock()) }
    #expect(try await answer(service.edit(.insert(entity: "Tag"))).result.isRefusal)
    #expect(try await answer(service.count(entity: "Tag")) == 3)
    #expect(try store.file.fingerprint() == before)
  }

  @Test func `a store that no edit can be saved to is not unlocked, and says why`() async throws {
    _ = try store.file.rows(
      "CREATE TRIGGER Z_DA_ZTAG AFTER INSERT ON ZTAG BEGIN "
        + "SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZTAG', 1, 1, 'name', NULL); END")
    let outline = try await answer(service().open())
    #expect(outline.isReadOnly)
    #expect(outline.readOnlyReason?.contains("its trigger Z_DA_ZTAG calls a function of Core Data") == true)
  }

  @Test func `why a store may not be unlocked is told in words`() {
    func reason(
      isReadOnly: Bool = false, refusal: String? = nil, isCopy: Bool = false, writable: Set<String>
    ) -> String? {
      LockRules(
        isReadOnly: isReadOnly, refusal: refusal, isCopy: isCopy, path: "/a/b.sqlite", mayWrite: writable.contains
      ).reason
    }
    let all: Set = ["/a/b.sqlite", "/a"]
    #expect(reason(writable: all) == nil)
    #expect(reason(isReadOnly: true, writable: all)?.contains("--read-only") == true)
    #expect(reason(refusal: "an XML store", isCopy: true, writable: all) == "an XML store")
    #expect(reason(isCopy: true, writable: all)?.contains("copy") == true)
    #expect(reason(writable: ["/a"]) == "you may not write b.sqlite")
    #expect(reason(writable: ["/a/b.sqlite"])?.contains("folder") == true)
  }

  @Test func `a store that opens unlocked can be edited at once`() async throws {
    let service = service(opensUnlocked: true)
    #expect(try await !answer(service.open()).isReadOnly)
    guard case .inserted = try await answer(service.edit(.insert(entity: "Tag"))).result else {
      return #expect(Bool(false))
    }
  }

  @Test func `edits of a browser that was killed are offered, taken up, saved and gone`() async throws {
    // The earlier run: its edits are written by a process that is no more.
    var left = EditState()
    left.objects = [
      .init(
        key: Self.book, entity: "Book", kind: .update, version: 1,
        fields: ["pages": .init(base: .integer(.max), mine: .integer(9))])
    ]
    let earlier = RecoveryFile(
      storeIdentifier: "STORE", storeURL: store.file.url, environment: ["XDG_STATE_HOME": state.url.path],
      process: 0x7fff_fff0)
    try earlier.write(left)
    let service = service()
    let recovered = try #require(try await answer(service.open()).recovered)
    #expect(recovered.objects == left.objects)
    _ = try await answer(service.unlock())
    let outcome = try await answer(service.edit(.restore(recovered)))
    #expect(outcome.result == .done && outcome.state.objects == left.objects)
    #expect(try await answer(service.open()).recovered == nil)
    #expect(try await answer(service.edit(.save)).result == .saved(count: 1, keys: [:]))
    #expect(try store.file.rows("SELECT ZPAGES FROM ZBOOK WHERE Z_PK = 1") == ["9"])
    #expect(try await answer(self.service().open()).recovered == nil)
    // Given up without unlocking, they are gone too.
    try earlier.write(left)
    let other = self.service()
    #expect(try await answer(other.open()).recovered != nil)
    #expect(try await answer(other.edit(.discard)).result == .done)
    #expect(try await answer(other.open()).recovered == nil)
  }

  @Test func `every operation is kept where it outlives the program`() async throws {
    let service = service(opensUnlocked: true)
    func kept() throws -> [EditState.Object]? {
      // As another process would see it, had this one ended.
      let folder = state.url.appending(path: "storebrowser/recovery")
      guard let name = try? FileManager.default.contentsOfDirectory(atPath: folder.path).first else { return nil }
      struct Content: Decodable { var state: EditState }
      return try JSONDecoder().decode(Content.self, from: Data(contentsOf: folder.appending(path: name))).state.objects
    }
    let first = try await answer(service.edit(.set(Self.book, property: "pages", .integer(7))))
    #expect(try kept() == first.state.objects)
    let second = try await answer(service.edit(.set(Self.book, property: "done", .boolean(false))))
    #expect(try kept() == second.state.objects)
    _ = try await answer(service.edit(.undo))
    #expect(try kept() == first.state.objects)
    _ = try await answer(service.edit(.undo))
    #expect(try kept() == nil)
  }

  @Test func `a snapshot that something newer takes the place of is opened anew`() async throws {
    try store.file.write("PRAGMA wal_checkpoint(TRUNCATE);")
    let service = service()
    #expect(try await answer(service.open()).access == .snapshot)
    let list = Following(service.monitor(books, columns: ["name"]))
    let events = events(service)
    try #require(await list.wait { $0.count == 1 })
    try #require(await events.wait { $0.count == 1 })
    #expect(events.values == [.liveness(.snapshot)])
    try store.file.write("INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (3, 1, 1, 'Bea');")
    // The writer may be met in the middle of its work: then the row comes as a step of the store that was opened anew.
    try #require(
      await list.wait { events in
        switch events.last {
        case .initial(let keys): keys.count == 3
        case .update(let update): update.keys.count == 3
        case nil: false
        }
      })
    try #require(await events.wait { $0.count >= 2 })
    #expect(try await answer(service.count(entity: "Author")) == 3)
    #expect(!list.hasEnded && !events.hasEnded)
  }

  @Test func `a replaced file is told as disconnected, and opened anew when asked`() async throws {
    let writer = try ConnectedShell(store.file)
    try writer.run("UPDATE ZTAG SET ZNAME = 'pink' WHERE Z_PK = 1;")
    let service = service()
    let events = events(service)
    try #require(await events.wait { $0.count == 1 })
    let other = try LibraryStore()
    try other.file.write("INSERT INTO ZAUTHOR (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (3, 1, 1, 'Bea');")
    try FileManager.default.moveItem(at: other.file.url, to: other.file.directory.url.appending(path: "moved"))
    #expect(rename(other.file.directory.url.appending(path: "moved").path, store.file.url.path) == 0)
    for suffix in ["-wal", "-shm"] { unlink(store.file.url.path + suffix) }
    try #require(await events.wait { $0.contains(.liveness(.fileReplaced)) })
    _ = try await answer(service.open())
    try #require(await events.wait { $0.last != .liveness(.fileReplaced) })
    #expect(try await answer(service.count(entity: "Author")) == 3)
    withExtendedLifetime(writer) {}
  }
}

/// What a publisher that goes on sent so far.
final class Following<Output: Sendable>: @unchecked Sendable {
  // Sendable is unchecked: everything is read and written under the condition's lock.
  private let condition = NSCondition()
  private var sent: [Output] = []
  private var isOver = false
  private var subscription: AnyCancellable?

  init(_ publisher: AnyPublisher<Output, any Error>) {
    let subscription = publisher.sink(
      receiveCompletion: { [weak self] _ in self?.change { $0.isOver = true } },
      receiveValue: { [weak self] value in self?.change { $0.sent.append(value) } })
    change { $0.subscription = subscription }
  }

  var values: [Output] { condition.withLock { sent } }
  var hasEnded: Bool { condition.withLock { isOver } }

  /// Waits until the values are as wanted; `false` when they were not in 20 seconds.
  func wait(_ isWanted: @escaping @Sendable ([Output]) -> Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: self.block(until: isWanted)) }
    }
  }

  private func block(until isWanted: ([Output]) -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: 20)
    return condition.withLock {
      while !isWanted(sent) {
        if !condition.wait(until: end) { return isWanted(sent) }
      }
      return true
    }
  }

  private func change(_ body: (Following) -> Void) {
    condition.withLock {
      body(self)
      condition.broadcast()
    }
  }
}

extension EditOutcome.Result {
  /// Whether nothing was done.
  fileprivate var isRefusal: Bool { if case .refused = self { true } else { false } }
}
