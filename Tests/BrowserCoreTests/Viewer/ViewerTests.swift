import BrowserTestSupport
import CoreData
import Foundation
import Testing
import TextCanvas

@testable import BrowserCore

/// A value looked at whole: its forms, what is copied, and the screens of each form (UI.md, `v`).
@MainActor @Suite struct ViewerTests {
  nonisolated private static let json =
    #"{"name": "Zoë 👩🏽‍🚀", "empty": {}, "list": [1, 2.50, {"deep": [true, null]}], "big": 12345678901234567890, "text": "a\"b,{"}"#
  nonisolated private static let text = """
    A first line that is longer than forty columns, so that it has to be wrapped where there is little room for it.

    Escape \u{1B}[2J tab\tend
    日本語のテキスト 👨‍👩‍👧
    """

  /// An archive as Foundation's archiver writes it.
  nonisolated private static let archive: Data = {
    let uuid = NSUUID(uuidString: "8BA5F6E2-0000-4000-8000-000000000001") ?? NSUUID()
    let list = NSArray(array: [
      NSString(string: "Été"), NSDate(timeIntervalSinceReferenceDate: 700_000_000), uuid, NSNumber(value: 42),
      NSArray(array: [NSData(data: Data([1, 2, 3])), NSArray()]),
    ])
    // Not the test's subject: Foundation archives its own classes.
    return (try? NSKeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: true)) ?? Data()
  }()

  nonisolated private static func plist(_ object: [String: Any]) -> Data {
    (try? PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0)) ?? Data()
  }

  private func titles(_ value: PropertyValue) -> [String] { ValueForm.forms(of: value, zone: .utc).map(\.title) }

  private func lines(_ value: PropertyValue, form: Int = 0, width: Int = 60) -> [String] {
    var viewer = ViewerState(title: "", value: value, zone: .utc, width: width)
    viewer.show(form: form)
    return (0..<viewer.lineCount).map { index in
      let line = viewer.line(index)
      return String(repeating: " ", count: line.indent) + line.label + line.text
    }
  }

  @Test func `each value has its forms, the one that says most first`() {
    #expect(titles(.text("plain")) == ["text", "hex"])
    #expect(titles(.text(Self.json)) == ["JSON", "text", "hex"])
    #expect(titles(.text("{broken")) == ["text", "hex"])
    #expect(titles(.data(Data([0, 255]))) == ["hex"])
    #expect(titles(.data(Data(Self.json.utf8))) == ["JSON", "text", "hex"])
    #expect(titles(.data(Self.plist(["a": 1]))) == ["property list", "hex"])
    #expect(titles(.date(.now)) == ["date"])
    #expect(titles(.text("")) == ["value"])
    #expect(titles(.null) == ["value"])
  }

  @Test func `JSON keeps the order of its keys and the digits of its numbers`() {
    #expect(
      lines(.text(Self.json)) == [
        "{", #"  "name": "Zoë 👩🏽‍🚀","#, #"  "empty": {},"#, #"  "list": ["#, "    1,", "    2.50,", "    {",
        #"      "deep": ["#, "        true,", "        null", "      ]", "    }", "  ],",
        #"  "big": 12345678901234567890,"#, #"  "text": "a\"b,{""#, "}",
      ])
  }

  @Test func `nil and the empty string are never alike`() {
    #expect(lines(.null) == ["nil: there is no value"])
    #expect(lines(.text("")) == ["∅ an empty string"])
  }

  @Test func `a date is shown in the zone, in UTC, and as it is stored`() throws {
    let zone = try #require(DateZone("Asia/Tokyo"))
    let viewer = ViewerState(
      title: "", value: .date(Date(timeIntervalSinceReferenceDate: 783_799_445.25)), zone: zone, width: 60)
    #expect(
      (0..<viewer.lineCount).map { viewer.line($0).label + viewer.line($0).text } == [
        "Asia/Tokyo 2025-11-03 03:04:05.25", "UTC 2025-11-02 18:04:05.25", "stored 783799445.25 seconds since 2001",
      ])
    #expect(
      lines(.date(Date(timeIntervalSinceReferenceDate: 1e17))).first == "UTC outside of the calendar")
  }

  @Test func `bytes are shown to the last one, at every width`() {
    let data = Data((0...255).map { UInt8($0) } + [0x41])
    for (width, bytes) in [(120, 16), (76, 16), (60, 8), (43, 8), (36, 4), (10, 4)] {
      let shown = lines(.data(data), width: width)
      #expect(shown.count == (257 + bytes - 1) / bytes)
      #expect(shown.last?.contains("41") == true && shown.last?.hasPrefix("00000100") == true)
    }
    #expect(
      lines(.data(Data("Hi\u{7F}".utf8) + [0, 9]), width: 76) == [
        "00000000  48 69 7f 00 09                                   Hi···"
      ])
  }

  @Test func `an archive is a tree of what it holds`() {
    #expect(titles(.data(Self.archive)) == ["keyed archive", "hex"])
    let shown = lines(.data(Self.archive))
    #expect(
      shown == [
        "NSArray, 5 elements", "  [0] “Été”", "  [1] 2023-03-08T20:26:40Z",
        "  [2] 8BA5F6E2-0000-4000-8000-000000000001",
        "  [3] 42", "  [4] NSArray, 2 elements", "    [0] 3 bytes", "    [1] NSArray, 0 elements",
      ], "\(shown)")
  }

  // MARK: In the browser

  struct Scene: Sendable, CustomTestStringConvertible {
    var name: String
    var value: PropertyValue
    var keys = ""
    var unicode = true
    var testDescription: String { name }
  }

  nonisolated static let scenes = [
    Scene(name: "viewer text", value: .text(text)), Scene(name: "viewer json", value: .text(json)),
    Scene(name: "viewer archive", value: .data(archive)),
    Scene(
      name: "viewer hex", value: .data(Data((0..<3_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })), keys: "<pgdn>"),
    Scene(name: "viewer ascii", value: .text(text), keys: "<tab>", unicode: false),
  ]

  private func browser(_ scene: Scene, size: Size = Size(width: 80, height: 24)) async throws -> BrowserUnderTest {
    var store = FakeStore.festival()
    store.wholes = ["title": scene.value]
    let browser = try BrowserUnderTest(store, size: size, unicode: scene.unicode)
    await browser.idle()
    await browser.type(KeyScript("v" + scene.keys))
    return browser
  }

  @Test(arguments: scenes, ScreenTests.sizes) func `screens are as their golden files show them`(
    scene: Scene, size: Size
  ) async throws {
    let browser = try await browser(scene, size: size)
    let mismatch = Golden.mismatch(
      browser.terminal.canvas, cursor: browser.terminal.cursor,
      name: scene.name.replacingOccurrences(of: " ", with: "-"), beside: #filePath)
    if let mismatch { Issue.record(Comment(rawValue: mismatch)) }
  }

  @Test func `a value is read whole when it is looked at, and copied as it is shown`() async throws {
    let browser = try await browser(Self.scenes[1])
    #expect(browser.service.log.contains { $0.hasPrefix("value ") && $0.hasSuffix(" title") })
    await browser.type(KeyScript("y"))
    #expect(browser.terminal.copied == [Self.json])
    await browser.type(KeyScript("<esc>"))
    #expect(browser.session.state.overlay == nil)
  }

  @Test func `every size shows some of it, and scrolling ends at the ends`() async throws {
    let browser = try await browser(Self.scenes[3])
    for size in [Size(width: 20, height: 5), Size(width: 200, height: 60), Size(width: 33, height: 9)] {
      browser.terminal.resize(size)
      await browser.idle()
      await browser.type(KeyScript("G<pgdn>jj"))
      guard case .viewer(let viewer)? = browser.session.state.overlay else {
        Issue.record("the viewer is closed")
        return
      }
      let height = max(1, ViewerLayer.body(of: browser.session.state).height)
      #expect(viewer.top == max(0, viewer.lineCount - height), "\(size)")
      await browser.type(KeyScript("gk"))
    }
  }

  @Test func `nothing in a value can drive the terminal`() async throws {
    for width in [40, 80, 200] {
      let browser = try await browser(Self.scenes[0], size: Size(width: width, height: 20))
      for line in browser.terminal.lines { #expect(SafeText.isSafe(line), "\(SafeText.visible(line))") }
      await browser.type(KeyScript("<tab>"))
      for line in browser.terminal.lines { #expect(SafeText.isSafe(line)) }
    }
  }

  @Test func `a relationship is followed and not looked at`() async throws {
    let browser = try BrowserUnderTest(.festival())
    await browser.idle()
    while browser.session.state.editTarget?.property.kind.target == nil { await browser.type(KeyScript("l")) }
    await browser.type(KeyScript("v"))
    #expect(browser.session.state.overlay == nil)
    #expect(browser.session.state.message?.text.contains("is a relationship") == true)
  }

  @Test func `an object that is gone is told`() async throws {
    let browser = try await browser(Scene(name: "gone", value: .text("x")))
    await browser.type(KeyScript("<esc>"))
    browser.service.hold(.value)
    browser.terminal.send(.key(try #require(KeyPress(notation: "v"))))
    await browser.quiet()
    let key = try #require(browser.session.state.selectedKey)
    browser.service.changeUnseen { $0.remove(key) }
    browser.service.release(.value)
    await browser.idle()
    #expect(browser.session.state.overlay == nil)
  }
}
