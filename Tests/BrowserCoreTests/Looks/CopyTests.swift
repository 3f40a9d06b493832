import BrowserTestSupport
import CoreData
import Foundation
import Testing
import TextCanvas

@testable import BrowserCore

/// What `y` and `Y` copy, and how it reaches the clipboard.
@MainActor @Suite struct CopyTests {
  @Test func `a value is copied whole, in the list and in the inspector`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("y")
    #expect(browser.terminal.copied == ["Opening 1"])
    #expect(browser.terminal.shows("Copied title: Opening 1"))
    await browser.type("j3y")
    #expect(browser.terminal.copied.last == "Café concert 2")
  }

  @Test func `an object is copied as JSON`() async throws {
    let browser = try BrowserUnderTest()
    await browser.idle()
    await browser.type("Y")
    #expect(browser.terminal.copied.first?.hasPrefix("{") == true)
    #expect(browser.service.log.contains("text 1 1 "))
    #expect(browser.session.state.message?.text.hasPrefix("Copied Opening 1 as JSON") == true)
  }

  @Test func `nil is not copied, and an object that is gone is told`() async throws {
    let browser = try BrowserUnderTest(prepare: { $0.hold(.text) })
    await browser.quiet()
    let columns = try #require(browser.session.state.list?.columns)
    let summary = try #require(columns.firstIndex { $0.name == "summary" })
    browser.typeAhead(KeyScript("jjj" + String(repeating: "l", count: summary) + "y"))
    await browser.quiet()
    #expect(browser.session.state.message?.text == "summary is nil: there is nothing to copy.")
    browser.typeAhead("Y")
    await browser.quiet()
    browser.service.change { $0.remove(ObjectKey(entity: 1, primaryKey: 4)) }
    browser.service.release(.text)
    await browser.rest()
    #expect(browser.terminal.copied.isEmpty)
    #expect(browser.session.state.message?.text == "The object is no longer in the store.")
  }

  // MARK: The desktop's clipboard

  private func folder(_ programs: String...) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("clipboard-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for program in programs {
      let url = folder.appendingPathComponent(program)
      try "#!/bin/sh\n/bin/cat > \"$CLIPBOARD_FILE\"\necho noise; echo noise >&2\n".write(
        to: url, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    }
    return folder
  }

  @Test func `Wayland comes before X, and without a desktop no program is run`() throws {
    let folder = try folder("wl-copy", "xclip", "xsel")
    defer { try? FileManager.default.removeItem(at: folder) }
    func program(_ variables: [String: String]) -> String? {
      DesktopClipboard.command(variables.merging(["PATH": "/nowhere:" + folder.path]) { first, _ in first })?
        .joined(separator: " ").replacingOccurrences(of: folder.path + "/", with: "")
    }
    #expect(program([:]) == nil)
    #expect(program(["DISPLAY": ""]) == nil)
    #expect(program(["WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"]) == "wl-copy")
    #expect(program(["DISPLAY": ":0"]) == "xclip -selection clipboard")
    try FileManager.default.removeItem(at: folder.appendingPathComponent("xclip"))
    #expect(program(["DISPLAY": ":0"]) == "xsel --clipboard --input")
    #expect(program(["DISPLAY": ":0", "PATH": "/nowhere"]) == nil)
  }

  @Test(arguments: ["plain", "two\nlines\ttab 👩🏽‍🚀", "", String(repeating: "long ", count: 100_000)])
  func `the program gets the text, byte for byte`(text: String) throws {
    let folder = try folder("wl-copy")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("clipboard")
    let environment = ["PATH": folder.path, "WAYLAND_DISPLAY": "wayland-0", "CLIPBOARD_FILE": file.path]
    let command = try #require(DesktopClipboard.command(environment))
    try DesktopClipboard.run(command, text, environment)
    #expect(try Data(contentsOf: file) == Data(text.utf8))
  }
}
