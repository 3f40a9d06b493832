import CoreData
import CoreDataKit
import Foundation

/// Where edits of one store wait that were not saved, should the program be killed.
///
/// A file for each store, for this user alone, under `$XDG_STATE_HOME/storebrowser/recovery`; never beside the store. Two
/// browsers of one store each have a file of their own.
struct RecoveryFile: Sendable {
  /// What the folder held of an earlier run.
  struct Found {
    /// The edits; `nil` when there are none.
    var state: EditState?
    /// What the person should know.
    var remarks: [String] = []
  }

  private struct Content: Codable {
    var format = 1
    /// The process whose edits they are.
    var owner: String
    var store: String
    var path: String
    var date: Date
    var state: EditState
  }

  /// A file that is larger than this is none of ours.
  private static let sizeLimit = 256 << 20

  private let folder: URL
  private let name: String
  private let storeIdentifier: String
  private let storePath: String
  private let owner: String

  /// The file for a store; `process` is whose edits are written.
  init(
    storeIdentifier: String, storeURL: URL, environment: [String: String] = ProcessInfo.processInfo.environment,
    process: pid_t = getpid()
  ) {
    self.storeIdentifier = storeIdentifier
    storePath = storeURL.resolvingSymlinksInPath().standardizedFileURL.path
    folder = Self.folder(environment)
    let safe = storeIdentifier.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }
    name = String(safe.prefix(64)) + "-" + Self.digest(storePath)
    owner = Self.owner(process)
  }

  /// `$XDG_STATE_HOME/storebrowser/recovery`, by default under `~/.local/state`.
  private static func folder(_ environment: [String: String]) -> URL {
    let base: URL
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      base = URL(fileURLWithPath: state)
    } else {
      let home = environment["HOME"].map { URL(fileURLWithPath: $0) } ?? FileManager.default.homeDirectoryForCurrentUser
      base = home.appendingPathComponent(".local/state")
    }
    return base.appendingPathComponent("storebrowser/recovery")
  }

  /// FNV-1a, which tells paths apart and need not keep secrets.
  private static func digest(_ text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }

  /// A process and when it began, for the number alone is given again; empty for one that has ended.
  private static func owner(_ process: pid_t) -> String {
    let stat = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    // The name, in parentheses, can hold anything; the start is the 20th field after it.
    let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
    // What was killed stays listed until its parent asks for it, and edits nothing any more.
    if let state = fields.first, state == "Z" || state == "X" { return "" }
    return "\(process).\(fields.count > 19 ? String(fields[19]) : "")"
  }

  private static func isAlive(_ owner: String) -> Bool {
    guard let process = owner.split(separator: ".").first.flatMap({ pid_t($0) }) else { return false }
    return self.owner(process) == owner && FileManager.default.fileExists(atPath: "/proc/\(process)")
  }

  // MARK: Reading

  /// The edits that an earlier run left, the newest; a file that cannot be trusted is set aside.
  func find() -> Found {
    var found = Found()
    var newest: Date?
    for url in files() {
      switch read(url) {
      case .success(let content)?:
        guard !Self.isAlive(content.owner) || content.owner == owner, !content.state.isEmpty else { continue }
        if newest ?? .distantPast <= content.date { (newest, found.state) = (content.date, content.state) }
      case .failure?:
        let aside = url.appendingPathExtension("damaged")
        try? FileManager.default.removeItem(at: aside)
        try? FileManager.default.moveItem(at: url, to: aside)
        found.remarks.append("unsaved edits of an earlier run cannot be read; they were set aside: \(aside.path)")
      case nil: continue
      }
    }
    return found
  }

  private func files() -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasPrefix(name + ".") && $0.hasSuffix(".json") }.sorted().map(
      folder.appendingPathComponent)
  }

  /// `nil` for a file of another store.
  private func read(_ url: URL) -> Result<Content, any Error>? {
    do {
      let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
      guard size <= Self.sizeLimit else { throw CocoaError(.fileReadTooLarge) }
      let content = try JSONDecoder().decode(Content.self, from: try Data(contentsOf: url))
      guard content.format == 1 else { throw CocoaError(.fileReadCorruptFile) }
      return content.store == storeIdentifier && content.path == storePath ? .success(content) : nil
    } catch {
      return .failure(error)
    }
  }

  // MARK: Writing

  /// Whether edits can be kept; the reason when they cannot.
  func problem() -> String? {
    do {
      try makeFolder()
      guard access(folder.path, W_OK) == 0 else { throw StateError("it may not be written") }
      return nil
    } catch {
      return "unsaved edits will not outlive the program: \(folder.path): \(Self.words(error))"
    }
  }

  /// Keeps edits, in one step; no edits remove the file.
  ///
  /// What delete rules took along is not written: it follows anew from what was deleted.
  func write(_ state: EditState) throws {
    guard !state.isEmpty else { return removeOwn() }
    try makeFolder()
    var kept = state
    kept.objects.removeAll(where: \.isCascade)
    let content = Content(owner: owner, store: storeIdentifier, path: storePath, date: Date(), state: kept)
    let temporary = own.appendingPathExtension("new")
    try Self.write(try JSONEncoder().encode(content), to: temporary)
    guard rename(temporary.path, own.path) == 0 else { throw StateError.last }
  }

  /// Forgets the edits of this process.
  func removeOwn() { try? FileManager.default.removeItem(at: own) }

  /// Forgets what earlier runs left, once it was taken up or given up.
  func removeLeftovers() {
    for url in files() where url != own {
      if case .success(let content)? = read(url), !Self.isAlive(content.owner) {
        try? FileManager.default.removeItem(at: url)
      }
    }
  }

  /// This process's file.
  private var own: URL { folder.appendingPathComponent("\(name).\(owner).json") }

  private func makeFolder() throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private static func write(_ data: Data, to url: URL) throws {
    unlink(url.path)
    let descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StateError.last }
    defer { close(descriptor) }
    try data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        guard count >= 0 else { throw StateError.last }
        rest = rest.dropFirst(count)
      }
    }
    guard fsync(descriptor) == 0 else { throw StateError.last }
  }

  private static func words(_ error: any Error) -> String {
    (error as? StateError)?.reason ?? (error as NSError).localizedDescription
  }
}

/// Why the file could not be written.
private struct StateError: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }

  /// What the last call of the system said.
  static var last: StateError { StateError(String(cString: strerror(errno))) }
}
