import BrowserTestSupport
import CoreData
import Foundation
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

/// A folder in place of a store: one store in it opens, several are listed to choose from.
@MainActor @Suite struct StoreChoiceTests {
  private static let stores = (0..<30).map { number in
    let kind: StoreSearch.Found.Kind = number < 24 ? .coreData : number < 27 ? .xml : .sqlite
    let path = "AppData/Library/Application Support/Группа \(number)/Store-\(number).sqlite"
    return StoreSearch.Found(
      url: URL(filePath: "/" + path), path: path, kind: kind, size: 1 << (number + 5))
  }

  private func browser(size: Size = Size(width: 80, height: 24), unicode: Bool = true) async throws -> BrowserUnderTest
  {
    let browser = try BrowserUnderTest(.festival(), size: size, unicode: unicode, choices: Self.stores)
    await browser.idle()
    return browser
  }

  @Test(arguments: [("choice", ""), ("choice last", "G")], ScreenTests.sizes)
  func `the stores are listed with their places, kinds and sizes`(
    _ scene: (name: String, keys: String), size: Size
  ) async throws {
    let browser = try await browser(size: size)
    await browser.type(KeyScript(scene.keys))
    let mismatch = Golden.mismatch(
      browser.terminal.canvas, cursor: browser.terminal.cursor,
      name: scene.name.replacingOccurrences(of: " ", with: "-"), beside: #filePath)
    if let mismatch { Issue.record(Comment(rawValue: mismatch)) }
  }

  @Test func `nothing is opened before one is chosen, and then that one is`() async throws {
    let browser = try await browser()
    #expect(browser.service.log.isEmpty)
    await browser.type(KeyScript("jjk<enter>"))
    #expect(browser.service.log.prefix(2) == ["choose \(Self.stores[1].path)", "open"])
    #expect(browser.session.state.phase == .open)
  }

  @Test func `a click opens what is under it, and the choice stays in sight at any size`() async throws {
    let browser = try await browser()
    await browser.type(KeyScript("G"))
    for height in [5, 1, 9, 40] {
      browser.terminal.resize(Size(width: 44, height: height))
      await browser.idle()
      let choice = try #require(browser.session.state.choice)
      let rows = StoreChoiceScreen.rows(of: browser.session.state).height
      #expect(choice.selected == 29 && choice.top <= 29 && choice.top + max(1, rows) > 29, "\(height) lines")
    }
    let rows = StoreChoiceScreen.rows(of: browser.session.state)
    browser.terminal.send(.mouse(MouseEvent(position: Point(x: rows.x + 3, y: rows.y + 1), kind: .press)))
    await browser.idle()
    #expect(browser.service.log.first == "choose \(Self.stores[1].path)")
  }

  @Test func `q ends, and help shows what can be done here`() async throws {
    let browser = try await browser()
    await browser.type(KeyScript("?"))
    #expect(browser.terminal.lines.contains { $0.contains("Open the store.") })
    await browser.type(KeyScript("<esc>q"))
    #expect(browser.session.isOver)
  }

  // MARK: On the command line

  private func folder(_ names: String...) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let library = try LibraryStore()
    for name in names {
      let url = folder.url.appending(path: "App.app/" + name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: library.file.url, to: url)
    }
    return folder
  }

  @Test func `the only store of a folder is the store`() throws {
    let folder = try folder("Library/x.bin")
    #expect(CommandRun("count", folder.url.path, "Author").output == "2\n")
    let launch = try #require(CommandRun(folder.url.path).launch)
    #expect(launch.options.storeName == "x.bin")
    #expect(launch.options.stores.isEmpty)
  }

  @Test func `commands name the stores of a folder that has several, and the browser lists them`() throws {
    let folder = try folder("a.sqlite", "b/c.sqlite")
    let run = CommandRun("entities", folder.url.path)
    #expect(run.status == 64)
    let path = folder.url.path
    #expect(
      run.errors
        == "storebrowser: \(path) holds 2 stores: name one of them: \(path)/App.app/a.sqlite, \(path)/App.app/b/c.sqlite\n"
    )
    let launch = try #require(CommandRun(path).launch)
    #expect(launch.options.stores.map(\.path) == ["App.app/a.sqlite", "App.app/b/c.sqlite"])
  }

  @Test func `a folder without stores is told`() throws {
    let folder = try TemporaryDirectory()
    let run = CommandRun("entities", folder.url.path)
    #expect(run.status == 66)
    #expect(run.errors.contains("there is no store in the folder"))
    #expect(CommandRun(folder.url.path).status == 66)
  }
}
