import Combine
import CoreData
import Foundation
import TextCanvas

/// What a command line asks for once it has been carried out as far as it needs no terminal.
public enum ProgramOutcome {
  /// The program ends with this status.
  case exit(Int32)
  /// The browser is to be shown.
  case browser(BrowserLaunch)
}

/// How the browser is to be shown.
public struct BrowserLaunch {
  /// The service over the store.
  public var service: any BrowserService
  /// What the session is started with; the theme is chosen by `themeName` once the terminal is known.
  public var options: SessionOptions
  /// The theme asked for.
  public var themeName: String?
  /// Set when the screen is to be printed instead.
  public var dump: ScreenDumpRequest?
  /// What changes the demo while it is shown.
  public var activity: (any DemoActivity)?
}

/// A screen that is to be printed when the browser is idle.
public struct ScreenDumpRequest: Equatable, Sendable {
  /// `text`, `ansi` or `svg`.
  public var format: ScreenDump
  /// The screen's size.
  public var size: Size
  /// Keys that are pressed first, one idle moment after the other.
  public var keys: [KeyPress]
}

/// The program apart from the terminal: reads the command line, runs commands, prepares the browser.
public struct Program {
  /// The version that `--version` shows.
  public static let version = "0.1.0"

  private let environment: [String: String]
  private let isTerminal: Bool
  private let output: (String) -> Void
  private let outputDescriptor: Int32?
  private let flush: () -> Void
  private let errors: (String) -> Void

  /// A program that writes to `output` and `errors`.
  ///
  /// - Parameters:
  ///   - isTerminal: whether the output is a terminal.
  ///   - flush: sends on what was written.
  ///   - outputDescriptor: where the output goes, for commands that end when nobody reads it any more.
  public init(
    environment: [String: String] = ProcessInfo.processInfo.environment, isTerminal: Bool,
    output: @escaping (String) -> Void, flush: @escaping () -> Void = {}, outputDescriptor: Int32? = nil,
    errors: @escaping (String) -> Void
  ) {
    (self.environment, self.isTerminal, self.outputDescriptor) = (environment, isTerminal, outputDescriptor)
    (self.output, self.flush, self.errors) = (output, flush, errors)
  }

  /// Carries out a command line, given without the program's name.
  ///
  /// Blocks until a command has ended.
  public func run(_ words: [String]) -> ProgramOutcome {
    do {
      return try carryOut(Invocation(words))
    } catch {
      return fail(error)
    }
  }

  /// Tells an error and gives the status to end with.
  public func fail(_ error: any Error) -> ProgramOutcome {
    let line = ErrorLine(error)
    errors(line.line + "\n")
    return .exit(line.status.rawValue)
  }

  private func carryOut(_ invocation: Invocation) throws -> ProgramOutcome {
    let spec = CommandSpec.all.first { $0.name == invocation.command }
    if invocation.options["version"] != nil {
      output("storebrowser \(Self.version)\n")
      return .exit(0)
    }
    if invocation.options["help"] != nil {
      output((spec.map(HelpText.command) ?? HelpText.program()) + "\n")
      return .exit(0)
    }
    if invocation.options["writer-only"] != nil { return try writeDemo(invocation) }
    if invocation.command.isEmpty || invocation.command == "demo" { return .browser(try launch(invocation)) }
    switch invocation.command {
    case "set", "insert", "delete":
      try EditCommands(invocation, isTerminal: isTerminal, output: output).run()
    case "model": try ModelCommand(invocation, output: output, errors: errors).run()
    case "create": try CreateCommand(invocation, errors: errors).run()
    case "watch":
      let end = CommandEnd(reader: outputDescriptor)
      try WatchCommand(invocation, output: output, flush: flush, errors: errors).run(until: end)
    default: try StoreCommands(invocation, isTerminal: isTerminal, output: output).run()
    }
    return .exit(0)
  }

  private func launch(_ invocation: Invocation) throws -> BrowserLaunch {
    let url: URL
    var place: StorePlace?
    var activity: (any DemoActivity)?
    let dump = try dump(invocation)
    if invocation.options["edit"] != nil, invocation.options["read-only"] != nil {
      throw UsageError("--edit and --read-only exclude each other", "leave out one of them")
    }
    let isDemo = invocation.command == "demo" || invocation.operands.isEmpty
    if !isDemo, let path = invocation.operands.first {
      try checkCommand(path)
      let found = try StorePlace(path)
      place = found
      url = found.stores.count == 1 ? found.stores[0].url : URL(fileURLWithPath: path)
    } else {
      // A printed screen is the same each time, unless somebody asks for life.
      let rate = try invocation.rate() ?? (dump == nil ? DemoStore.Plan.rate : 0)
      let (demo, plan) = try preparedDemo(invocation)
      url = demo.url
      if rate > 0 {
        activity =
          invocation.options["writer-process"] == nil
          ? DemoWriter(url: url, plan: plan, rate: rate) : DemoWriterProcess(url: url, plan: plan, rate: rate)
      }
    }
    // The demo is there to be played with.
    let opensUnlocked = invocation.options["edit"] != nil || isDemo && invocation.options["read-only"] == nil
    let zone = try self.zone(invocation)
    let start = try ListStart(invocation, store: url, zone: zone)
    let service = LiveService(
      url: url, model: invocation.options["model"].map { URL(fileURLWithPath: $0) }, models: place?.models ?? [],
      isReadOnly: invocation.options["read-only"] != nil, timeout: try invocation.number(.timeout),
      opensUnlocked: opensUnlocked)
    var options = SessionOptions(
      storeName: url.lastPathComponent, entity: start.entity, filter: start.filter, sort: start.sort, zone: zone,
      animation: invocation.options["no-animation"] == nil,
      opensUnlocked: opensUnlocked)
    if let place, place.stores.count > 1 { options.stores = place.stores } else { service.prepare() }
    return BrowserLaunch(
      service: service, options: options,
      themeName: try invocation.choice(.theme, of: Theme.names), dump: dump, activity: activity)
  }

  /// The demo that an invocation means, made when it is missing.
  private func preparedDemo(_ invocation: Invocation) throws -> (DemoStore, DemoStore.Plan) {
    let plan = DemoStore.Plan(
      rows: try invocation.number(.rows, atLeast: 100) ?? 5_000, seed: UInt64(try invocation.number(.seed) ?? 1))
    let demo = DemoStore(
      at: invocation.options["at"].map { URL(fileURLWithPath: $0) }, plan: plan, environment: environment)
    try demo.prepare()
    return (demo, plan)
  }

  /// `demo --writer-only`: the second process of `--writer-process`, or a writer by itself; there is no screen.
  private func writeDemo(_ invocation: Invocation) throws -> ProgramOutcome {
    let rate = try invocation.rate() ?? DemoStore.Plan.rate
    let (demo, plan) = try preparedDemo(invocation)
    let writer = DemoWriter(url: demo.url, plan: plan, rate: rate)
    writer.start()
    defer { writer.stop() }
    try CommandEnd(reader: STDIN_FILENO).wait()
    return .exit(0)
  }

  private func zone(_ invocation: Invocation) throws -> DateZone {
    guard let name = invocation.options["zone"] else { return .local }
    guard let zone = DateZone(name) else {
      throw UsageError("--zone \(name) is not known", "give local, utc or a name such as Europe/Paris")
    }
    return zone
  }

  /// A name that is neither a file nor a command is told at once, before the screen changes.
  private func checkCommand(_ path: String) throws {
    guard !FileManager.default.fileExists(atPath: path), !path.contains("/"), !path.contains("."),
      let near = nearestSpelling(of: path, among: CommandSpec.all.map(\.name))
    else { return }
    throw UsageError("\(path) is neither a file nor a command", "did you mean \(near)? see storebrowser --help")
  }

  private func dump(_ invocation: Invocation) throws -> ScreenDumpRequest? {
    guard let name = try invocation.choice(.dump, of: ScreenDump.allCases.map(\.rawValue)),
      let format = ScreenDump(rawValue: name)
    else { return nil }
    var size = Size(width: 80, height: 24)
    if let text = invocation.options["size"] {
      let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard numbers.count == 2, numbers.allSatisfy({ (1...1_000).contains($0) }) else {
        throw UsageError("--size \(text) is no size", "give columns and rows, such as 120x36")
      }
      size = Size(width: numbers[0], height: numbers[1])
    }
    return ScreenDumpRequest(format: format, size: size, keys: try Self.keys(invocation.options["keys"] ?? ""))
  }

  /// Splits `jj<enter>` into single keys.
  private static func keys(_ text: String) throws -> [KeyPress] {
    var keys: [KeyPress] = []
    var rest = Substring(text)
    while let first = rest.first {
      let end = first == "<" ? rest.firstIndex(of: ">") : nil
      let notation = end.map { String(rest[...$0]) } ?? String(first)
      guard let key = KeyPress(notation: notation) else {
        throw UsageError("--keys: there is no key \(notation)", "write keys such as j, <enter> or <c-d>")
      }
      keys.append(key)
      rest = end.map { rest[rest.index(after: $0)...] } ?? rest.dropFirst()
    }
    return keys
  }
}
