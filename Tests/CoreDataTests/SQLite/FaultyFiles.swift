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
  /// The open files of watched stores, by address.
  private static let open = Mutex<[UInt: FaultyFiles]>([:])
  private static let isInstalled = Mutex(false)

  // Written once, under the lock of `isInstalled` or, by the first file that is opened, under that of `open`, and only read
  // afterwards; SQLite wants addresses that stay.
  nonisolated(unsafe) private static var original = sqlite3_io_methods()
  nonisolated(unsafe) private static let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
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

  private static func outcome(_ file: UnsafeMutablePointer<sqlite3_file>?, _ operation: FaultyFiles.Operation) -> Int32?
  {
    let address = UInt(bitPattern: file)
    return open.withLock { $0[address] }?.outcome(of: operation)
  }

  private static func opened(_ file: UnsafeMutablePointer<sqlite3_file>, _ path: String) {
    guard let owner = owner(of: path), let own = file.pointee.pMethods else { return }
    open.withLock { open in
      if original.xRead == nil { wrap(own.pointee) }
      open[UInt(bitPattern: file)] = owner
    }
    file.pointee.pMethods = UnsafePointer(methods)
  }

  private static func wrap(_ system: sqlite3_io_methods) {
    original = system
    var wrapped = system
    wrapped.xClose = { file in
      let address = UInt(bitPattern: file)
      _ = FileLayer.open.withLock { $0.removeValue(forKey: address) }
      return FileLayer.original.xClose(file)
    }
    wrapped.xRead = { file, buffer, count, offset in
      FileLayer.outcome(file, .read) ?? FileLayer.original.xRead(file, buffer, count, offset)
    }
    wrapped.xWrite = { file, buffer, count, offset in
      FileLayer.outcome(file, .write) ?? FileLayer.original.xWrite(file, buffer, count, offset)
    }
    wrapped.xTruncate = { file, size in
      FileLayer.outcome(file, .truncate) ?? FileLayer.original.xTruncate(file, size)
    }
    wrapped.xSync = { file, flags in FileLayer.outcome(file, .synchronize) ?? FileLayer.original.xSync(file, flags) }
    wrapped.xLock = { file, level in FileLayer.outcome(file, .lock) ?? FileLayer.original.xLock(file, level) }
    methods.initialize(to: wrapped)
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
