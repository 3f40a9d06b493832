import Foundation

/// The stores in a folder: an app, a container, an `.xcappdata`, or any other; found by content, whatever their names are.
public struct StoreSearch: Sendable {
  /// A store that was found.
  public struct Found: Hashable, Sendable {
    /// What kind of file it is; those most likely meant come first.
    public enum Kind: Int, Hashable, Sendable, Comparable {
      /// A Core Data store in SQLite's format.
      case coreData
      /// A Core Data store in XML.
      case xml
      /// Any other SQLite database.
      case sqlite

      /// The order in which stores are listed.
      public static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }

    /// Where it is.
    public let url: URL
    /// Its place below the folder that was searched.
    public let path: String
    /// What kind of file it is.
    public let kind: Kind
    /// Its size in bytes, its log included.
    public let size: Int

    /// A store at a place.
    public init(url: URL, path: String, kind: Kind, size: Int) {
      (self.url, self.path, self.kind, self.size) = (url, path, kind, size)
    }
  }

  /// The stores: Core Data's first, then XML ones, then other databases; each kind by path.
  public let stores: [Found]
  /// The model files, by path; of the versions in one folder the folder alone.
  public let models: [URL]
  /// Folders that could not be looked into, below the one that was searched.
  public let unreadable: [String]

  /// More files and folders than this are no app's.
  private static let limit = 200_000
  private static let modelEndings: Set = ["momd", "xcdatamodeld", "xcdatamodel", "mom"]

  /// Searches a folder and all below it; symbolic links are not followed.
  ///
  /// Nothing in it is changed. Throws an error of the Cocoa domain when the folder cannot be read, or holds more than
  /// 200,000 files.
  public init(in folder: URL) throws {
    // What cannot be listed at all is told as such.
    _ = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    var (stores, models): ([Found], [URL]) = ([], [])
    var unreadable: [String] = []
    var waiting = [""]
    var count = 0
    while let place = waiting.popLast() {
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: place).path) else {
        unreadable.append(place)
        continue
      }
      count += names.count
      guard count <= Self.limit else {
        throw CocoaError(
          .fileReadTooLarge,
          userInfo: [
            NSFilePathErrorKey: folder.path,
            NSLocalizedDescriptionKey: "the folder holds more than \(Self.limit) files: name the store in it",
          ])
      }
      for name in names {
        let path = place.isEmpty ? name : place + "/" + name
        let url = folder.appending(path: path)
        switch try? url.resourceValues(forKeys: [.isSymbolicLinkKey, .isDirectoryKey, .isRegularFileKey]) {
        case let values? where values.isSymbolicLink == true: continue
        case let values? where values.isDirectory == true:
          if Self.modelEndings.contains(url.pathExtension) {
            models.append(url)
          } else if url.pathExtension != "xcmappingmodel", !Self.isSupport(name) {
            waiting.append(path)
          }
        case let values? where values.isRegularFile == true:
          if Self.modelEndings.contains(url.pathExtension) {
            models.append(url)
          } else if let found = Self.store(at: url, path: path) {
            stores.append(found)
          }
        default: continue
        }
      }
    }
    self.stores = stores.sorted { ($0.kind, $0.path) < ($1.kind, $1.path) }
    self.models = models.sorted { $0.path < $1.path }
    self.unreadable = unreadable.sorted()
  }

  /// A folder of large data that belongs to the store beside it.
  private static func isSupport(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix("_SUPPORT") }

  /// What a file is by its content; `nil` when it is no store.
  private static func store(at url: URL, path: String) -> Found? {
    guard let file = try? StoreFile(path: url.path) else { return nil }
    let size = file.size + (file.sizeBeside("-wal") ?? 0)
    if file.journal != nil {
      return Found(url: url, path: path, kind: isCoreData(url) ? .coreData : .sqlite, size: size)
    }
    return file.isXMLStore ? Found(url: url, path: path, kind: .xml, size: size) : nil
  }

  /// Whether a database has Core Data's own tables; one that cannot be read now is left for its opening to explain.
  private static func isCoreData(_ url: URL) -> Bool {
    (try? StoreContents(reading: url, timeout: 0)).map { $0.plain == nil } ?? true
  }
}
