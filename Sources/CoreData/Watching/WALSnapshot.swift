/// The pages of a database as one commit in the log left them: from the log where it has them, else from the main file.
///
/// Keeps every page it read, so one lives as long as one comparison.
final class WALSnapshot: PageSource {
  let pageCount: UInt32
  private let main: any ByteSource
  private let log: WALReader?
  /// The last frame of each page up to this state.
  private let frames: [UInt32: UInt32]
  private let pageSize: Int
  private var pages: [UInt32: DatabasePage] = [:]
  /// The pages that were read from the main file, where a checkpoint may overwrite them at any time.
  private(set) var readFromMain: [UInt32] = []

  init(pageCount: UInt32, pageSize: Int, main: any ByteSource, log: WALReader?, frames: [UInt32: UInt32]) {
    (self.pageCount, self.pageSize, self.main, self.log, self.frames) = (pageCount, pageSize, main, log, frames)
  }

  func page(_ number: UInt32) throws -> DatabasePage {
    if let page = pages[number] { return page }
    guard number >= 1, number <= pageCount else { throw PageError.missing(page: number) }
    let bytes: [UInt8]
    if let frame = frames[number], let log {
      bytes = log.image(ofFrame: frame)
    } else {
      readFromMain.append(number)
      bytes = main.read(at: (Int(number) - 1) * pageSize, count: pageSize)
    }
    guard bytes.count == pageSize else { throw PageError.missing(page: number) }
    let page = DatabasePage(number: number, bytes: bytes)
    pages[number] = page
    return page
  }
}
