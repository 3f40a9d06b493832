import Foundation
import Testing

@testable import CoreData

@Suite struct ModelArchiveWriterTests {
  @Test func `every cache of the corpus is the same model after writing and reading`() throws {
    var compared = 0
    for store in try ModelCorpus.stores() {
      guard let cache = store.cache else { continue }
      let model = try ModelArchiveReader.model(cache: cache)
      let written = try ModelArchiveReader.model(cache: try ModelArchiveWriter.cache(model))
      let differences = model.differences(from: written)
      #expect(differences.isEmpty, "\(store.path): \(differences)")
      #expect(written.entityVersionHashesByName == model.entityVersionHashesByName, "\(store.path)")
      compared += 1
    }
    print("caches written and read again: \(compared)")
    #expect(compared == (ModelCorpus.folder == nil ? 0 : 34))
  }

  @Test func `every model file of the corpus is the same model after writing and reading`() throws {
    var compared = 0
    let compiled = ModelCorpus.rows("compiled.tsv").filter { $0.contains("MOM") }
    let sources = ModelCorpus.rows("models.tsv").filter { $0[0].hasSuffix("/contents") }
    for row in compiled + sources {
      let model = try NSManagedObjectModel(readingFrom: try ModelCorpus.url(row[0]))
      var reader = try ModelArchiveReader(try ModelArchiveWriter.bytes(model, layout: .compiled))
      let written = NSManagedObjectModel()
      try reader.read(into: written)
      let differences = model.differences(from: written)
      #expect(differences.isEmpty, "\(row[0]): \(differences)")
      #expect(written.entityVersionHashesByName == model.entityVersionHashesByName, "\(row[0])")
      compared += 1
    }
    print("model files written as archives and read again: \(compared)")
  }
}
