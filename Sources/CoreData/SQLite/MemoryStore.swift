import Foundation

extension SQLiteStore {
  /// The folder of a store in memory: a new one on the file system that the kernel keeps in memory, which goes with the store.
  ///
  /// Where there is no such file system it lies among the temporary files.
  static func memoryFolder() throws -> PrivateCopy {
    let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
    let isThere = FileManager.default.isWritableFile(atPath: memory.path)
    return try PrivateCopy(named: "Memory.sqlite", in: isThere ? memory : FileManager.default.temporaryDirectory)
  }

  /// Copies a store as it is at one moment into one new file, also while others write to it; an error of the Cocoa domain
  /// tells what kept it.
  static func copy(_ source: URL, to target: URL) throws {
    let file = try StoreFile(path: source.path)
    guard file.journal != nil else { return try FileManager.default.copyItem(at: source, to: target) }
    let ladder = try ReadLadder(file)
    do {
      let connection = try SQLiteConnection(path: ladder.path, mode: ladder.mode)
      try connection.execute("VACUUM INTO ?", [.text(target.path)])
      if ladder.journal == .writeAheadLog {
        _ = try SQLiteConnection(path: target.path, mode: .readWrite).rows("PRAGMA journal_mode = WAL")
      }
    } catch let error as SQLiteError {
      throw error.cocoaError(NSPersistentStoreOperationError, path: source.path)
    }
    withExtendedLifetime(ladder) {}
  }
}
