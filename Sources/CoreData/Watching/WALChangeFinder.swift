/// Finds changed rows by the pages that were written to the write-ahead log since the last look.
///
/// Reads the three files beside a connection, takes no lock and stops no one. Where it cannot be sure that it has every
/// commit and every old page image it says so, and why. Its files must stay open until the connection is closed
/// (`StoreFile`).
struct WALChangeFinder: ChangeFinder {
  /// The state last looked at.
  private struct Seen {
    var log: WALReader?
    var frames: [UInt32: UInt32]
    var pageCount: UInt32
    var salts: WALSalts
    var logSize: Int
    var header: DatabaseHeader
    var schema: PageSchema
    /// Kept where there is no pointer map to ask.
    var walked: WalkedOwners?
  }

  private let main: any ByteSource
  private let log: any ByteSource
  private let index: any ByteSource
  private let pageLimit: Int
  private var seen: Seen?

  /// Begins with the present state.
  ///
  /// - Parameter pageLimit: more changed pages than this are left to the full comparison; bounds memory, too.
  init(main: any ByteSource, log: any ByteSource, index: any ByteSource, pageLimit: Int = 4_096) {
    (self.main, self.log, self.index, self.pageLimit) = (main, log, index, pageLimit)
    _ = find()
  }

  mutating func find() -> ChangeFinding {
    // A commit or a checkpoint may come in while the files are read; then what was read is thrown away.
    for _ in 0..<16 {
      guard let published = WALIndex.read(index)?.completed(by: main) else {
        seen = nil
        return .fullComparisonNeeded(.nothingToGoBy)
      }
      do {
        guard let (finding, now) = try look(at: published) else { continue }
        seen = now
        return finding
      } catch {
        seen = nil
        return .fullComparisonNeeded(error as? FullComparisonReason ?? .unreadable)
      }
    }
    seen = nil
    return .fullComparisonNeeded(.unreadable)
  }

  /// Compares what is published with what was seen; nil when the files moved on meanwhile.
  private func look(at published: WALIndex) throws -> (ChangeFinding, Seen)? {
    // The number of pages is believed only as far as there are bytes for them.
    guard published.pageSize >= 512, Int(published.pageCount) <= (main.size + log.size) / published.pageSize + 1 else {
      throw PageError.malformed(page: 1)
    }
    guard let before = seen else {
      guard let now = try anchor(at: published) else { return nil }
      return (.fullComparisonNeeded(.nothingToGoBy), now)
    }
    if published.salts == before.salts, published.lastFrame == before.log?.position ?? 0 { return (.rows([]), before) }
    // A restarted log without a commit: the state is the one that was seen, and the file still has the old log.
    if published.salts != before.salts, published.lastFrame == 0, published.pageCount == before.pageCount,
      follows(published, before)
    {
      return (.rows([]), before)
    }
    do {
      return try compare(before, published)
    } catch {
      guard let now = try anchor(at: published) else { return nil }
      return (.fullComparisonNeeded(error as? FullComparisonReason ?? .unreadable), now)
    }
  }

  private func compare(_ before: Seen, _ published: WALIndex) throws -> (ChangeFinding, Seen)? {
    let restarted = published.salts != before.salts
    if restarted, !follows(published, before) { throw FullComparisonReason.logRestarted }
    guard var reader = restarted || before.log == nil ? WALReader(log) : before.log,
      reader.header.salts == published.salts
    else { throw FullComparisonReason.logRestarted }
    let (added, isCutShort) = reader.next(upTo: published.lastFrame, most: 4 * pageLimit)
    guard !isCutShort, Set(added.map(\.page)).count <= pageLimit else { throw FullComparisonReason.tooManyPages }
    guard reader.position == published.lastFrame, reader.checksum == published.checksum else { return nil }

    let oldFrames = restarted ? [:] : before.frames
    var frames = oldFrames
    var firstFrames: [UInt32: UInt32] = [:]
    for frame in added {
      frames[frame.page] = frame.number
      if firstFrames[frame.page] == nil { firstFrames[frame.page] = frame.number }
    }
    let old = snapshot(before.pageCount, before.header, restarted ? nil : before.log, oldFrames)
    let new = snapshot(published.pageCount, before.header, reader, frames)
    let outcome = Result { try changes(before, old: old, new: new, pages: Set(firstFrames.keys), published) }

    // Only now is it known whether what was read was still what it was thought to be.
    guard let after = WALIndex.read(index), after.salts == published.salts, reader.isCurrent,
      after.checkpointed <= published.lastFrame
    else { return nil }
    let lost = old.readFromMain.contains { firstFrames[$0].map { $0 <= after.checkpointed } ?? false }
    if lost { throw FullComparisonReason.oldImageLost }
    var (finding, now) = try outcome.get()
    (now.log, now.frames, now.logSize) = (reader, frames, log.size)
    return (.rows(finding.filter { !$0.table.hasPrefix("sqlite_") }), now)
  }

  /// The changed rows, and the state to remember, its place in the log aside.
  private func changes(
    _ before: Seen, old: WALSnapshot, new: WALSnapshot, pages: Set<UInt32>, _ published: WALIndex
  ) throws -> ([TableChanges], Seen) {
    var now = before
    (now.pageCount, now.salts) = (published.pageCount, published.salts)
    guard !pages.isEmpty else { return ([], now) }
    if pages.contains(1) {
      guard let header = DatabaseHeader(try new.page(1).bytes) else { throw PageError.malformed(page: 1) }
      guard header.schemaCookie == before.header.schemaCookie, header.pageSize == before.header.pageSize,
        header.hasPointerMap == before.header.hasPointerMap
      else { throw FullComparisonReason.schemaChanged }
      now.header = header
    }
    let (oldReader, newReader) = (reader(old, before.header), reader(new, now.header))
    now.walked = try walked(newReader, now.header, now.schema)
    var comparison = PageComparison(
      old: .init(oldReader, owners: before.walked ?? PointerMap(source: old, header: before.header)),
      new: .init(newReader, owners: now.walked ?? PointerMap(source: new, header: now.header)),
      schema: before.schema)
    return (try comparison.changes(of: pages), now)
  }

  /// Remembers the published state; nil when the files moved on meanwhile.
  private func anchor(at published: WALIndex) throws -> Seen? {
    var reader = WALReader(log)
    var frames: [UInt32: UInt32] = [:]
    if published.lastFrame > 0 {
      guard reader?.header.salts == published.salts else { return nil }
      for frame in reader?.next(upTo: published.lastFrame).frames ?? [] { frames[frame.page] = frame.number }
      guard reader?.position == published.lastFrame, reader?.checksum == published.checksum else { return nil }
    } else if reader?.header.salts != published.salts {
      // Nothing of a new generation is written yet; the file is empty or holds the one before.
      reader = nil
    }
    let pageSize = published.pageSize
    guard let first = try? snapshot(published.pageCount, pageSize, reader, frames).page(1),
      let header = DatabaseHeader(first.bytes), header.pageSize == pageSize, header.isUTF8
    else { throw FullComparisonReason.unreadable }
    let source = snapshot(published.pageCount, header, reader, frames)
    let schema = try PageSchema(self.reader(source, header))
    let walked = try walked(self.reader(source, header), header, schema)
    guard let after = WALIndex.read(index), after.salts == published.salts, after.checkpointed <= published.lastFrame
    else { return nil }
    return Seen(
      log: reader, frames: frames, pageCount: published.pageCount, salts: published.salts, logSize: log.size,
      header: header, schema: schema, walked: walked)
  }

  /// Whether the published log is the very next generation, and the one before ended where it was last seen.
  ///
  /// A restart comes only after every frame was copied into the main file, so then the main file is the old state. The
  /// proof lies in the old file's end, which the new generation has not reached: nothing was appended there, and
  /// nothing cut off.
  private func follows(_ published: WALIndex, _ before: Seen) -> Bool {
    guard let old = before.log, published.salts.first == before.salts.first &+ 1, published.lastFrame < old.position,
      log.size >= old.header.offset(ofFrame: old.position + 1), log.size >= before.logSize
    else { return false }
    let salts = old.salts(inPlaceOf: old.position + 1)
    return salts != before.salts && salts != published.salts
  }

  private func walked(_ reader: BTreeReader, _ header: DatabaseHeader, _ schema: PageSchema) throws -> WalkedOwners? {
    guard !header.hasPointerMap else { return nil }
    return try WalkedOwners(reader, schema: schema, firstFreePage: header.firstFreePage)
  }

  private func reader(_ source: any PageSource, _ header: DatabaseHeader) -> BTreeReader {
    BTreeReader(source: source, usableSize: header.usableSize)
  }

  private func snapshot(
    _ pageCount: UInt32, _ header: DatabaseHeader, _ log: WALReader?, _ frames: [UInt32: UInt32]
  ) -> WALSnapshot {
    snapshot(pageCount, header.pageSize, log, frames)
  }

  private func snapshot(
    _ pageCount: UInt32, _ pageSize: Int, _ log: WALReader?, _ frames: [UInt32: UInt32]
  ) -> WALSnapshot {
    WALSnapshot(pageCount: pageCount, pageSize: pageSize, main: main, log: log, frames: frames)
  }
}
