import BrowserTestSupport
import CoreData
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

@Suite("The list that the browser opens on") struct ListStartTests {
  @Test func `a filter and an order are those of the entity asked for`() throws {
    let library = try LibraryStore()
    let run = CommandRun(
      library.path, "--entity", "Book", "--where", "pages > 3 AND author.name == 'Ann'", "--sort",
      "author.name:desc,title")
    let options = try #require(run.launch?.options)
    #expect(options.entity == "Book")
    #expect(options.filter == "pages > 3 AND author.name == 'Ann'")
    #expect(options.sort == [ListSortKey("author.name", ascending: false), ListSortKey("title")])
  }

  @Test func `without an entity it is the first that has objects`() throws {
    let library = try LibraryStore()
    #expect(CommandRun(library.path, "--where", "name == 'Ann'").launch?.options.entity == "Author")
    #expect(CommandRun(library.path).launch?.options.entity == nil)
  }

  @Test(arguments: [
    (["--where", "nmae == 'x'"], "--where: at 1: keypath nmae not found in entity Author: did you mean name?"),
    (["--where", "name ="], "--where: at 7: expected a key or a value"),
    (["--where", "books.title == 'x'"], "--where: at 1: to-many key not allowed here"),
    (["--sort", "nmae"], "Author has no property nmae: did you mean name?"),
    (["--sort", "books.title"], "--sort books.title: books cannot be sorted by"),
    (["--sort", "name:up"], "--sort name:up is no sort key"),
    (["--entity", "Autor", "--where", "TRUEPREDICATE"], "the store has no entity Autor: did you mean Author?"),
  ])
  func `what is wrong is told in one line before the screen changes, and 64`(_ words: [String], _ line: String) throws {
    let library = try LibraryStore()
    let run = CommandRun([library.path] + words)
    #expect(run.launch == nil)
    #expect(run.status == 64)
    #expect(run.errors.hasPrefix("storebrowser: " + line), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
  }
}

@Suite("The filters that are kept") struct FilterShelfTests {
  @Test func `former filters are kept newest first, each once, and not without end`() {
    var shelf = FilterShelf()
    for text in ["a == 1", "b == 2", "a == 1"] { shelf.apply(.remember(text)) }
    #expect(shelf.history == ["a == 1", "b == 2"])
    for number in 0..<300 { shelf.apply(.remember("x == \(number)")) }
    #expect(shelf.history.count == 100)
    #expect(shelf.history.first == "x == 299")
  }

  @Test func `saved filters are sorted by name, and a name is there once`() {
    var shelf = FilterShelf()
    shelf.apply(.save(SavedFilter(name: "b", entity: "E", text: "x == 1")))
    shelf.apply(.save(SavedFilter(name: "A", entity: "E", text: "x == 2")))
    shelf.apply(.save(SavedFilter(name: "b", entity: "E", text: "x == 3")))
    #expect(shelf.saved.map(\.name) == ["A", "b"])
    #expect(shelf.saved.last?.text == "x == 3")
    shelf.apply(.delete("A"))
    #expect(shelf.saved.map(\.name) == ["b"])
  }

  @Test func `each store has files of its own, below the folders of the environment`() throws {
    let home = try TemporaryDirectory()
    let environment = ["XDG_DATA_HOME": home.url.path, "XDG_STATE_HOME": home.url.path]
    let file = FilterShelfFile(storeIdentifier: "A/../1", environment: environment)
    _ = try file.apply(
      .save(SavedFilter(name: "n", entity: "E", text: "x == 1", sort: [ListSortKey("x", ascending: false)])))
    _ = try file.apply(.remember("y == 2"))
    #expect(
      file.read().saved == [
        SavedFilter(name: "n", entity: "E", text: "x == 1", sort: [ListSortKey("x", ascending: false)])
      ])
    #expect(file.read().history == ["y == 2"])
    #expect(FilterShelfFile(storeIdentifier: "B", environment: environment).read() == FilterShelf())
    let names = try FileManager.default.subpathsOfDirectory(atPath: home.url.path).filter { $0.hasSuffix(".json") }
      .sorted()
    #expect(names == ["storebrowser/filter-history/A____1.json", "storebrowser/filters/A____1.json"])
  }
}
