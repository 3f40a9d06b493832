import Foundation
import TestSupport
import Testing

@testable import CoreData

/// What is written is the model that was there, for every model at hand.
@Suite struct ModelRoundTripTests {
  @Test func `every model written as XML and read again is the same model`() throws {
    var (count, beyond) = (0, 0)
    for item in try ModelCorpus.allModels() {
      let document = try ModelXMLWriter.document(of: try item.read())
      let losses = document.losses.filter { !Self.isBeyondXML($0) }
      #expect(losses.isEmpty, "\(item.path): \(losses)")
      if losses != document.losses {
        // Four caches of models that were built in code.
        #expect(item.path.hasPrefix("alemar11+CoreDataPlus/") && item.path.hasSuffix(" cache"), "\(item.path)")
        beyond += 1
      }
      count += 1
    }
    print("models written as XML and read again: \(count), with parts that XML has no place for: \(beyond)")
    #expect(count == (ModelCorpus.folder == nil ? 0 : 332))
  }

  /// What Xcode cannot say either: sort descriptors, free validation predicates with messages, defaults of odd classes.
  private static func isBeyondXML(_ difference: ModelDifference) -> Bool {
    ["request", "validation", "warnings"].contains(difference.fact)
      || difference.fact == "default" && difference.second == nil
  }

  @Test func `every model written as mom and momd and read again is the same model`() throws {
    let folder = try TemporaryDirectory()
    var count = 0
    for item in try ModelCorpus.allModels() {
      let model = try item.read()
      if item.path == "phimage+MomXML/Tests/model.xml" {
        // It holds a request that is none, which the compiler refuses, too.
        #expect(throws: CocoaError.self) {
          try ModelWriter.writeCompiled(model, to: folder.url.appending(path: "none.mom"))
        }
        continue
      }
      let file = folder.url.appending(path: "\(count).mom")
      try ModelWriter.writeCompiled(model, to: file)
      let read = try NSManagedObjectModel(readingFrom: file)
      #expect(model.differences(from: read) == [], "\(item.path)")
      let bundle = folder.url.appending(path: "\(count).momd")
      try ModelWriter.writeCompiled(
        [("First", SampleModels.library()), ("Second 2", model)], current: "Second 2", to: bundle)
      let hashes = model.entityVersionHashesByName
      let located = try #require(try NSManagedObjectModel.model(at: bundle, matching: hashes))
      #expect(located.model.differences(from: model) == [], "\(item.path)")
      #expect(located.url.lastPathComponent == "Second 2.mom")
      count += 1
    }
    print("models written as .mom and .momd and read again: \(count)")
  }

  @Test func `a model made in code comes back from each form`() throws {
    let model = SampleModels.everything()
    let folder = try TemporaryDirectory()
    let source = folder.url.appending(path: "Model.xcdatamodel")
    #expect(try ModelWriter.writeSource(model, to: source) == [])
    let compiled = folder.url.appending(path: "Model.mom")
    try ModelWriter.writeCompiled(model, to: compiled)
    for place in [source, source.appending(path: "contents"), compiled] {
      let read = try NSManagedObjectModel(readingFrom: place)
      #expect(read.differences(from: model) == [], "\(place.lastPathComponent)")
      #expect(read.entityVersionHashesByName == model.entityVersionHashesByName)
    }
  }

  @Test func `what XML cannot say is told`() throws {
    let losses = try ModelXMLWriter.document(of: SampleModels.library()).losses
    #expect(losses.map { "\($0.place) \($0.fact)" } == ["Publication.title warnings"])
  }

  @Test func `nothing that exists is replaced, and nothing is left of a failure`() throws {
    let folder = try TemporaryDirectory()
    let place = folder.url.appending(path: "Model.mom")
    try Data("mine".utf8).write(to: place)
    #expect(throws: CocoaError.self) { try ModelWriter.writeCompiled(SampleModels.library(), to: place) }
    #expect(try Data(contentsOf: place) == Data("mine".utf8))
    let unwritable = SampleModels.library()
    unwritable.entitiesByName["Author"]?.attributesByName["name"]?
      .setValidationPredicates([NSPredicate { _, _ in true }], withValidationWarnings: nil)
    #expect(throws: CocoaError.self) {
      try ModelWriter.writeCompiled(unwritable, to: folder.url.appending(path: "Other.mom"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Model.mom"])
  }
}
