import BrowserTestSupport
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

@MainActor @Suite struct CommandTests {
  @Test func `every command runs once and ends idle`() async throws {
    for command in CommandTable.all
    where [.everywhere, .list, .sidebar, .inspector].contains(command.scope) {
      for pane in Pane.allCases {
        let browser = try BrowserUnderTest()
        await browser.idle()
        await browser.type(KeyScript("\(pane.rawValue + 1)"))
        browser.session.send(.intent(command.intent(in: browser.session.state)))
        await browser.idle()
        #expect(browser.session.isIdle, "\(command.id)")
        #expect(browser.session.isOver == (command.id == "app.quit"))
      }
    }
  }

  @Test func `every command has an id of its own, a title, a sentence and a key that can be pressed`() {
    #expect(Set(CommandTable.all.map(\.id)).count == CommandTable.all.count)
    for command in CommandTable.all {
      #expect(!command.title.isEmpty)
      #expect(command.help.hasSuffix("."))
      #expect(!command.keys.isEmpty)
      for key in command.keys { #expect(KeyPress(notation: key) != nil, "\(command.id): \(key)") }
    }
  }

  @Test func `no key is bound twice in a scope, nor in a pane and everywhere`() {
    var seen: [Command.Scope: [KeyPress: String]] = [:]
    for command in CommandTable.all {
      for key in command.keys {
        guard let press = KeyPress(notation: key) else { continue }
        #expect(seen[command.scope]?[press] == nil, "\(key) is \(command.id) and \(seen[command.scope]?[press] ?? "")")
        seen[command.scope, default: [:]][press] = command.id
      }
    }
    for scope in [Command.Scope.list, .sidebar, .inspector] {
      for press in (seen[scope] ?? [:]).keys {
        #expect(seen[.everywhere]?[press] == nil, "\(press.notation) in \(scope)")
      }
    }
  }

  @Test func `a person's own keys take the place of the table's`() {
    let keymap = Keymap(own: ["list.sort": ["o"]])
    #expect(keymap.command(for: KeyPress("o"), in: .list)?.id == "list.sort")
    #expect(keymap.command(for: KeyPress("s"), in: .list) == nil)
    #expect(keymap.command(for: KeyPress("f"), in: .list)?.id == "list.find")
  }

  @Test func `keys are read as they are written`() {
    let keys = KeySequence.keys(of: "j<c-d><lt>é<enter")
    let expected: [KeyPress] = [
      KeyPress("j"), KeyPress(control: "d"), KeyPress("<"), KeyPress("é"), KeyPress("<"), KeyPress("e"), KeyPress("n"),
      KeyPress("t"), KeyPress("e"), KeyPress("r"),
    ]
    #expect(keys == .success(expected))
    #expect(KeySequence.keys(of: "j<entre>") == .failure(KeySequence.Unknown(name: "<entre>")))
  }

  @Test func `the line of keys shows only what can be done now`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    let keys = try #require(browser.terminal.lines.last)
    #expect(keys.contains("↵ open") && keys.contains("f find") && keys.contains("? help") && keys.contains("q quit"))
    #expect(!keys.contains("back") && !keys.contains("next match"))
    await browser.type("lll<enter>")
    #expect(browser.terminal.lines.last?.contains("⌫ back") == true)
  }

  @Test func `a command that cannot be run says why`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("lllls")
    #expect(browser.terminal.shows("A list cannot be sorted by tags."))
    await browser.type("]")
    #expect(browser.terminal.shows("There is no list to go forward to."))
  }

  @Test func `help finds commands by word and key, and enter runs one`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("?")
    #expect(browser.terminal.shows("Commands"))
    await browser.type("sort current")
    #expect(browser.session.state.helpEntries(matching: "sort current").map(\.id) == ["list.sort"])
    await browser.type("<enter>")
    #expect(browser.session.state.overlay == nil)
    #expect(browser.terminal.shows("title ↑"))
  }

  @Test func `help shows every command of the pane and of everywhere, and none of other panes`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    let shown = Set(browser.session.state.helpEntries(matching: "").map(\.id))
    let expected = Set(CommandTable.all.filter { $0.scope == .list || $0.scope == .everywhere }.map(\.id))
    #expect(shown == expected)
  }
}
