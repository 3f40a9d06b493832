import CoreData
import Foundation
import TextCanvas

/// `model STORE|MODEL`: the model, wherever it came from.
struct ModelCommand {
  /// How a model is written.
  enum Format: String, CaseIterable {
    case text, json, xcdatamodel, dot
  }

  private let invocation: Invocation
  private let output: (String) -> Void
  private let errors: (String) -> Void

  init(_ invocation: Invocation, output: @escaping (String) -> Void, errors: @escaping (String) -> Void) {
    (self.invocation, self.output, self.errors) = (invocation, output, errors)
  }

  func run() throws {
    let name = try invocation.choice(.modelFormat, of: Format.allCases.map(\.rawValue))
    let format = name.flatMap(Format.init(rawValue:)) ?? .text
    let (model, source, hasHashes) = try located()
    switch format {
    case .text: output(ModelText(model, source: source, hasHashes: hasHashes).text)
    case .json: output(ModelOutput(model, source: source, hasHashes: hasHashes).json)
    case .dot: output(ModelGraph(model).dot)
    case .xcdatamodel:
      let document = try ModelWriter.source(of: model)
      output(document.text + "\n")
      for loss in document.losses {
        errors("storebrowser: " + SafeText.visible("an .xcdatamodel has no place for this: \(loss)") + "\n")
      }
    }
  }

  /// The model of a store, or of a model's own file or folder.
  private func located() throws -> (NSManagedObjectModel, source: String, hasHashes: Bool) {
    let url = URL(fileURLWithPath: invocation.operands[0])
    guard Self.isStore(url) else {
      guard let first = try NSManagedObjectModel.models(at: url).first else {
        throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: url.path])
      }
      guard invocation.options["model"] == nil else {
        throw UsageError("--model goes with a store, and \(invocation.operands[0]) is none", "leave it out")
      }
      return (first.model, first.url.lastPathComponent, true)
    }
    let timeout = try invocation.number(.timeout)
    let given = invocation.options["model"].map { URL(fileURLWithPath: $0) }
    let place = try StorePlace(invocation.operands[0])
    let found = try StoreModel(
      forStoreAt: try place.one(), given: given, among: place.models, timeout: timeout.map(Double.init))
    return (found.model, found.source.title, found.source != .inferred)
  }

  /// Whether a path is to be read as a store: a file that holds no model.
  private static func isStore(_ url: URL) -> Bool {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return false }
    if isFolder.boolValue { return (try? NSManagedObjectModel.models(at: url)) == nil && !isModelName(url) }
    guard RegularFile.exists(at: url), let file = try? FileHandle(forReadingFrom: url) else { return false }
    defer { try? file.close() }
    let start = (try? file.read(upToCount: 16)) ?? Data()
    if start.starts(with: Data("SQLite format 3".utf8)) { return true }
    return !isModelName(url) && (try? NSManagedObjectModel.models(at: url)) == nil
  }

  private static func isModelName(_ url: URL) -> Bool {
    ["mom", "momd", "omo", "xcdatamodel", "xcdatamodeld"].contains(url.pathExtension)
      || ["contents", "elements"].contains(url.lastPathComponent)
  }
}

extension StoreModel.Source {
  /// Where a model came from, in words.
  var title: String {
    switch self {
    case .cache: "cached in store"
    case .given(let url), .beside(let url): url.lastPathComponent
    case .inferred: "inferred"
    }
  }
}
