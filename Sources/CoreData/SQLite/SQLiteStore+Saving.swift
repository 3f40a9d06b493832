import Foundation
import Synchronization

extension SQLiteStore {
  /// Writes all of a save in one immediate transaction, or nothing of it.
  ///
  /// Deleted rows go first, so that values they had alone are free; then changed and new rows, join rows, places, history.
  /// Afterwards the written objects' ids have their rows as they are in the store, and `ownSaves` knows of them.
  ///
  /// Throws `SaveConflicts`, or an error of the Cocoa domain with one line that says what kept it from being written.
  func save(_ request: SaveRequest) throws -> SaveResult {
    guard !isReadOnly else {
      throw NSError.coreData(NSFileWriteNoPermissionError, "the store was opened to be read only", path: url?.path)
    }
    let external = ExternalDataWriter(store: self, limit: request.inlineLimit)
    return try saving.withLock {
      let written = try withConnection { connection in
        do {
          return try write(request, on: connection, external: external)
        } catch let error as SQLiteError {
          throw error.saveError(in: map, path: url?.path)
        }
      }
      for (id, row) in written.rows { id.slot.withLock { $0.row = row } }
      for id in written.deleted { id.slot.withLock { $0.row = nil } }
      return SaveResult(ids: written.inserted)
    }
  }

  private func write(
    _ request: SaveRequest, on connection: SQLiteConnection, external: ExternalDataWriter
  ) throws -> SaveWriter.Written {
    var own: [OwnSaves.Row] = []
    var isCommitting = false
    if plain != nil { return try writePlain(request, on: connection) }
    do {
      let written = try connection.immediateTransaction {
        let written = try SaveWriter(store: self, connection: connection, external: external).write(request)
        try external.finish()
        // The watcher may look as soon as the commit is done.
        own = written.own
        ownSaves.record(own)
        isCommitting = true
        return written
      }
      external.didCommit()
      hasChangedMetadata = false
      return written
    } catch {
      ownSaves.forget(own)
      // After an error of the disk in the middle of a commit nobody knows which state will be found: files are kept.
      let isCertain = !isCommitting || ((error as? SQLiteError)?.isLock ?? false)
      if isCertain { external.didRollBack() }
      throw error
    }
  }

  /// The same for a plain database, whose foreign keys are kept.
  private func writePlain(_ request: SaveRequest, on connection: SQLiteConnection) throws -> SaveWriter.Written {
    try connection.execute("PRAGMA foreign_keys = ON")
    var writer = PlainSaveWriter(request, store: self, connection: connection)
    var own: [OwnSaves.Row] = []
    do {
      return try connection.immediateTransaction {
        let written = try writer.write()
        own = written.own
        ownSaves.record(own)
        return written
      }
    } catch {
      ownSaves.forget(own)
      writer.undoMoves()
      throw error
    }
  }
}
