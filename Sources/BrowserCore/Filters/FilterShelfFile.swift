import Foundation

/// Where the filters of a store are kept: saved ones under `$XDG_DATA_HOME/storebrowser/filters`, former ones under
/// `$XDG_STATE_HOME/storebrowser/filter-history`, each in a file named after the store's identifier.
///
/// Written in one step. A file that cannot be read is told, and never written over.
struct FilterShelfFile: Sendable {
  private struct Saved: Codable {
    var format = 1
    var filters: [SavedFilter]
  }

  private struct Former: Codable {
    var format = 1
    var texts: [String]
  }

  private let savedURL: URL
  private let formerURL: URL

  /// The files for a store.
  init(storeIdentifier: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
    let safe = storeIdentifier.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }
    let name = String(safe.prefix(64)) + ".json"
    savedURL = Self.base("XDG_DATA_HOME", or: ".local/share", environment).appendingPathComponent(
      "storebrowser/filters/" + name)
    formerURL = Self.base("XDG_STATE_HOME", or: ".local/state", environment)
      .appendingPathComponent("storebrowser/filter-history/" + name)
  }

  private static func base(_ variable: String, or path: String, _ environment: [String: String]) -> URL {
    if let folder = environment[variable], folder.hasPrefix("/") { return URL(fileURLWithPath: folder) }
    let home = environment["HOME"].map { URL(fileURLWithPath: $0) } ?? FileManager.default.homeDirectoryForCurrentUser
    return home.appendingPathComponent(path)
  }

  /// What is kept; what cannot be read is told in the remarks.
  func read() -> FilterShelf {
    var shelf = FilterShelf()
    do { shelf.saved = try read(Saved.self, savedURL)?.filters ?? [] } catch {
      shelf.remarks.append("the saved filters cannot be read: \(savedURL.path)")
    }
    do { shelf.history = try read(Former.self, formerURL)?.texts ?? [] } catch {
      shelf.remarks.append("the former filters cannot be read: \(formerURL.path)")
    }
    return shelf
  }

  /// Makes a change to what the files hold now, and returns all there is then.
  func apply(_ change: FilterChange) throws -> FilterShelf {
    var shelf = read()
    shelf.apply(change)
    if case .remember = change {
      try write(Former(texts: shelf.history), to: formerURL, over: Former.self)
    } else {
      try write(Saved(filters: shelf.saved), to: savedURL, over: Saved.self)
    }
    return shelf
  }

  /// `nil` where there is no file.
  private func read<Content: Decodable>(_ type: Content.Type, _ url: URL) throws -> Content? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return try JSONDecoder().decode(type, from: try Data(contentsOf: url))
  }

  private func write<Content: Codable>(_ content: Content, to url: URL, over type: Content.Type) throws {
    do { _ = try read(type, url) } catch {
      throw FilterShelfError(path: url.path)
    }
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(content).write(to: url, options: .atomic)
  }
}

/// A file of filters that cannot be read is not written over.
struct FilterShelfError: LocalizedError {
  var path: String

  var errorDescription: String? { "nothing was kept, since \(path) cannot be read" }
  var recoverySuggestion: String? { "mend it or move it away" }
}
