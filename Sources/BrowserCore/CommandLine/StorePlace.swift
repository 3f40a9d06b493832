import CoreData
import Foundation

/// What the word for a store on the command line leads to: a file, or the stores in a folder.
struct StorePlace {
  /// The stores there; one for a file, whatever it is.
  let stores: [StoreSearch.Found]
  /// The model files in the folder; any of them can be the model of any of its stores.
  let models: [URL]
  private let path: String

  /// Looks at a place; a folder is searched through.
  ///
  /// Throws when nothing is there, or no store is in the folder.
  init(_ path: String) throws {
    self.path = path
    let url = URL(fileURLWithPath: path)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CocoaError(
        .fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path, NSLocalizedDescriptionKey: "there is no such file"])
    }
    guard isFolder.boolValue else {
      (stores, models) = ([StoreSearch.Found(url: url, path: path, kind: .coreData, size: 0)], [])
      return
    }
    let search = try StoreSearch(in: url)
    guard !search.stores.isEmpty else {
      let unread = search.unreadable.isEmpty ? "" : " (\(search.unreadable.count) folders in it cannot be read)"
      throw CocoaError(
        .fileReadNoSuchFile,
        userInfo: [
          NSFilePathErrorKey: path, NSLocalizedDescriptionKey: "there is no store in the folder\(unread)",
        ])
    }
    (stores, models) = (search.stores, search.models)
  }

  /// The only store there; throws a line that names them when there are several.
  func one() throws -> URL {
    guard stores.count > 1 else { return stores[0].url }
    let named = stores.prefix(8).map { path + "/" + $0.path }
    let rest = stores.count > named.count ? " or \(stores.count - named.count) others" : ""
    throw UsageError(
      "\(path) holds \(stores.count) stores", "name one of them: \(named.joined(separator: ", "))\(rest)")
  }
}
