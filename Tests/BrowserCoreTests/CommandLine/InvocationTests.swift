import CoreData
import Testing
import TextCanvas

@testable import BrowserCore

@Suite struct InvocationTests {
  @Test func `options stand anywhere, with their value behind or after an equals sign`() throws {
    let invocation = try Invocation(["fetch", "--limit", "3", "a.sqlite", "--format=json", "Book", "--sort=x:desc,y"])
    #expect(invocation.command == "fetch")
    #expect(invocation.operands == ["a.sqlite", "Book"])
    #expect(invocation.options == ["limit": "3", "format": "json", "sort": "x:desc,y"])
    #expect(try Invocation(["fetch", "a", "b", "--columns="]).options == ["columns": ""])
    #expect(try Invocation(["fetch", "a", "b", "--columns=x=y"]).options == ["columns": "x=y"])
    #expect(try Invocation(["fetch", "a", "b", "--relationships"]).options == ["relationships": ""])
  }

  @Test func `after two dashes everything is an operand`() throws {
    #expect(try Invocation(["count", "--", "--store", "-x"]).operands == ["--store", "-x"])
    #expect(try Invocation(["--", "fetch"]).operands == ["fetch"])
    #expect(try Invocation(["-"]).operands == ["-"])
  }

  @Test func `without a command the browser is meant`() throws {
    #expect(try Invocation([]).command == "")
    #expect(try Invocation(["a.sqlite", "--entity", "Book"]).options == ["entity": "Book"])
    #expect(try Invocation(["demo", "--rows", "200"]).command == "demo")
  }

  @Test func `the last of an option given twice counts`() throws {
    #expect(try Invocation(["fetch", "a", "b", "--limit", "1", "--limit=2"]).options == ["limit": "2"])
  }

  @Test func `help and version need no operands`() throws {
    for words in [["fetch", "--help"], ["fetch", "-h"], ["--help"], ["-V"], ["count", "--version"]] {
      let invocation = try Invocation(words)
      #expect(invocation.options["help"] != nil || invocation.options["version"] != nil)
    }
  }

  @Test(arguments: [
    (
      ["fetch", "a", "b", "--formt", "json"], "unknown option --formt",
      "did you mean --format? see storebrowser fetch --help"
    ),
    (["fetch", "a", "b", "--zzzzzz"], "unknown option --zzzzzz", "see storebrowser fetch --help"),
    (["fetch", "a", "b", "-x"], "unknown option -x", "see storebrowser fetch --help"),
    (["count", "a", "b", "--limit", "3"], "unknown option --limit", "see storebrowser count --help"),
    (["fetch", "a", "b", "--limit"], "--limit needs a value", "give N after it; see storebrowser fetch --help"),
    (["fetch", "a", "b", "--read-only=yes"], "--read-only takes no value", "leave out =yes"),
    (["fetch"], "fetch needs STORE", "see storebrowser fetch --help"),
    (["fetch", "a"], "fetch needs ENTITY", "see storebrowser fetch --help"),
    (["show", "a"], "show needs OBJECT-URI", "see storebrowser show --help"),
    (["fetch", "a", "b", "c"], "one word too many: c", "see storebrowser fetch --help"),
    (["a", "b"], "one word too many: b", "see storebrowser --help"),
    (["fetc", "a", "b"], "unknown command fetc", "did you mean fetch? see storebrowser --help"),
    (["conut", "a", "b"], "unknown command conut", "did you mean count? see storebrowser --help"),
    (["--=x"], "unknown option --=x", "see storebrowser --help"),
  ])
  func `what cannot be understood is told, with what to do`(words: [String], problem: String, remedy: String) {
    #expect(throws: UsageError(problem, remedy)) { try Invocation(words) }
  }

  @Test func `numbers are whole and not too small`() throws {
    func number(_ text: String, atLeast minimum: Int = 0) throws -> Int? {
      try Invocation(["fetch", "a", "b", "--limit", text]).number(.limit, atLeast: minimum)
    }
    #expect(try number("0") == 0)
    #expect(try number("9223372036854775807") == .max)
    for wrong in ["", "x", "1.5", "-1", "9223372036854775808", "1e3", " 1", "١"] {
      #expect(throws: UsageError.self, "\(wrong)") { try number(wrong) }
    }
    #expect(throws: UsageError.self) { try number("99", atLeast: 100) }
    #expect(try Invocation(["fetch", "a", "b"]).number(.limit) == nil)
  }

  @Test(arguments: [
    ("formt", "format"), ("FORMAT", "format"), ("fomrat", "format"), ("sorted", "sort"), ("limi", "limit"), ("x", nil),
    ("completely", nil), ("", nil),
  ])
  func `a near spelling is offered when it is near enough`(word: String, near: String?) {
    #expect(nearestSpelling(of: word, among: ["format", "sort", "limit", "columns"]) == near)
  }
}

/// What the browser is started with.
@Suite struct LaunchTests {
  @Test func `options of the browser reach it`() throws {
    let store = try LibraryStore()
    let run = CommandRun(
      store.path, "--entity", "Book", "--zone", "Europe/Paris", "--theme", "light", "--dump-screen", "svg", "--size",
      "120x36",
      "--keys", "jj<enter><c-d>")
    let launch = try #require(run.launch, "\(run.errors)")
    #expect(launch.options.storeName == "Library.sqlite")
    #expect(launch.options.entity == "Book")
    #expect(launch.options.zone == DateZone("Europe/Paris"))
    #expect(launch.themeName == "light")
    #expect(launch.dump?.format == .svg)
    #expect(launch.dump.map { [$0.size.width, $0.size.height] } == [120, 36])
    #expect(launch.dump?.keys.count == 4)
    #expect(run.output.isEmpty && run.errors.isEmpty)
  }

  @Test func `without options dates are local and no screen is dumped`() throws {
    let store = try LibraryStore()
    let launch = try #require(CommandRun(store.path).launch)
    #expect(launch.options.zone == .local)
    #expect(launch.dump == nil)
    #expect(launch.themeName == nil)
    #expect(CommandRun(store.path, "--zone", "UTC").launch?.options.zone == .utc)
  }
}
