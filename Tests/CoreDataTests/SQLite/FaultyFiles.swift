import CSQLite
import Foundation
import Synchronization

/// A layer between SQLite and the files: one operation on the files of one store fails when a test says so.
///
/// It stands behind every connection of the process; files that no test has named pass through untouched.
final class FaultyFiles: Sendable {
  enum Operation: CaseIterable { case read, write, truncate, synchronize, lock, instruction }

  private struct Plan {
    var operations: Set<Operation> = []
    var code: Int32 = SQLITE_OK
    var isLasting = false
    /// How many operations go well before the one that fails; `nil` when none is to fail.
    var left: Int?
    var failures = 0
  }
  private let plan = Mutex(Plan())

  /// Watches the files whose paths begin with that of a store; its connections must be opened after this.
  init(under url: URL) {
    FileLayer.install()
    FileLayer.watched.withLock { $0[url.path] = self }
  }

  /// Lets the nth operation of some kinds fail, or that and all that follow it.
  func fail(_ operations: Set<Operation>, at number: Int, with code: Int32, isLasting: Bool = false) {
    plan.withLock { $0 = Plan(operations: operations, code: code, isLasting: isLasting, left: number - 1) }
  }

  /// Lets everything go well again; answers how often something failed.
  @discardableResult func stop() -> Int {
    plan.withLock { plan in
      defer { plan = Plan() }
      return plan.failures
    }
  }

  fileprivate func outcome(of operation: Operation) -> Int32? {
    plan.withLock { plan in
      guard plan.operations.contains(operation), let left = plan.left else { return nil }
      if left > 0 {
        plan.left = left - 1
        return nil
      }
      if !plan.isLasting { plan.left = nil }
      plan.failures += 1
      return plan.code
    }
  }
}

/// The layer itself, in the shape that SQLite wants.
private enum FileLayer {
  static let watched = Mutex<[String: FaultyFiles]>([:])
  /// A file that is open, and the methods that the system gave it: those of a journal are others than those of a store.
  private struct File: @unchecked Sendable {
    let owner: FaultyFiles
    /// Points to a constant of SQLite's.
    let system: UnsafePointer<sqlite3_io_methods>
  }
  private static let open = Mutex<[UInt: File]>([:])
  /// The methods in place of the system's, by the address of those; SQLite wants addresses that stay.
  private static let wrapped = Mutex<[UInt: UInt]>([:])
  private static let isInstalled = Mutex(false)

  // Written once, under the lock of `isInstalled`, before SQLite knows of them, and only read afterwards.
  nonisolated(unsafe) private static let files = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
  nonisolated(unsafe) private static var system: UnsafeMutablePointer<sqlite3_vfs>?

  /// Puts the layer between SQLite and the system, for the life of the process.
  static func install() {
    isInstalled.withLock { isInstalled in
      guard !isInstalled, let system = sqlite3_vfs_find(nil) else { return }
      isInstalled = true
      Self.system = system
      files.initialize(to: system.pointee)
      files.pointee.pNext = nil
      files.pointee.zName = UnsafePointer(strdup("faulty"))
      files.pointee.xOpen = { _, name, file, flags, outFlags in
        guard let system = FileLayer.system else { return SQLITE_ERROR }
        let code = system.pointee.xOpen(system, name, file, flags, outFlags)
        if code == SQLITE_OK, let name, let file { FileLayer.opened(file, String(cString: name)) }
        return code
      }
      sqlite3_vfs_register(files, 1)
      typealias Entry = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Int32
      let entry: Entry = { connection, _, _ in FileLayer.connected(connection) }
      // SQLite declares the entry point without its arguments and calls it with them.
      sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self))
    }
  }

  private static func owner(of path: String) -> FaultyFiles? {
    watched.withLock { watched in watched.first { path.hasPrefix($0.key) }?.value }
  }

  private static func opened(_ file: UnsafeMutablePointer<sqlite3_file>, _ path: String) {
    guard let owner = owner(of: path), let system = file.pointee.pMethods else { return }
    open.withLock { $0[UInt(bitPattern: file)] = File(owner: owner, system: system) }
    let methods = wrapped.withLock { wrapped in
      let address = UInt(bitPattern: system)
      if let known = wrapped[address] { return known }
      let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
      copy.initialize(to: faulty(system.pointee))
      wrapped[address] = UInt(bitPattern: copy)
      return UInt(bitPattern: copy)
    }
    file.pointee.pMethods = UnsafePointer(bitPattern: methods)
  }

  /// Answers for an operation that is to fail, else has the system carry it out.
  private static func perform(
    _ operation: FaultyFiles.Operation?, on file: UnsafeMutablePointer<sqlite3_file>?,
    _ body: (sqlite3_io_methods) -> Int32
  ) -> Int32 {
    guard let known = open.withLock({ $0[UInt(bitPattern: file)] }) else { return SQLITE_MISUSE }
    return operation.flatMap(known.owner.outcome) ?? body(known.system.pointee)
  }

  private static func faulty(_ system: sqlite3_io_methods) -> sqlite3_io_methods {
    var methods = system
    methods.xClose = { file in
      let code = FileLayer.perform(nil, on: file) { $0.xClose(file) }
      let address = UInt(bitPattern: file)
      _ = FileLayer.open.withLock { $0.removeValue(forKey: address) }
      return code
    }
    methods.xRead = { file, buffer, count, offset in
      FileLayer.perform(.read, on: file) { $0.xRead(file, buffer, count, offset) }
    }
    methods.xWrite = { file, buffer, count, offset in
      FileLayer.perform(.write, on: file) { $0.xWrite(file, buffer, count, offset) }
    }
    methods.xTruncate = { file, size in FileLayer.perform(.truncate, on: file) { $0.xTruncate(file, size) } }
    methods.xSync = { file, flags in FileLayer.perform(.synchronize, on: file) { $0.xSync(file, flags) } }
    methods.xLock = { file, level in FileLayer.perform(.lock, on: file) { $0.xLock(file, level) } }
    return methods
  }

  /// Lets a connection to a watched store ask after every instruction whether it may go on.
  private static func connected(_ connection: OpaquePointer?) -> Int32 {
    guard let path = sqlite3_db_filename(connection, "main").map({ String(cString: $0) }), let owner = owner(of: path)
    else { return SQLITE_OK }
    // The connection may outlive the test, and the object is small: it is never released.
    sqlite3_progress_handler(
      connection, 1,
      { context in
        guard let context else { return 0 }
        return Unmanaged<FaultyFiles>.fromOpaque(context).takeUnretainedValue().outcome(of: .instruction) ?? 0
      }, Unmanaged.passRetained(owner).toOpaque())
    return SQLITE_OK
  }
}
