import Testing

@testable import BrowserCore

@Suite struct RowWriterTests {
  private func write(
    _ format: OutputFormat, _ columns: [String], _ rows: [[OutputValue]], isTerminal: Bool = false
  ) -> String {
    var text = ""
    let writer = RowWriter(format, columns: columns, isTerminal: isTerminal) { text += $0 }
    for row in rows { writer.add(zip(columns, row).map { (name: $0, value: $1) }) }
    writer.finish()
    return text
  }

  @Test(arguments: [
    ("plain", "plain"), ("", "\"\""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""),
    ("a\r\nb", "\"a\r\nb\""),
    ("a\rb", "\"a\rb\""), (" a ", " a "), ("é,\u{301}", "\"é,\u{301}\""), ("\"\u{301}", "\"\"\"\u{301}\""),
    ("a;b", "a;b"),
  ]) func `a field of csv`(text: String, field: String) {
    let written = write(.csv, ["x"], [[.string(text)]])
    #expect(written.unicodeScalars.elementsEqual("x\r\n\(field)\r\n".unicodeScalars), "\(written)")
  }

  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("a\tb", "a\\tb"), ("a\nb", "a\\nb"), ("a\r\nb", "a\r\\nb"), ("a\\b", "a\\\\b"),
    ("\\N", "\\\\N"), ("\\\u{301}", "\\\\\u{301}"),
  ]) func `a field of tsv`(text: String, field: String) {
    let written = write(.tsv, ["x"], [[.string(text)]])
    #expect(written.unicodeScalars.elementsEqual("x\n\(field)\n".unicodeScalars), "\(written)")
  }

  @Test func `nothing in each format`() {
    #expect(write(.csv, ["a", "b"], [[.null, .null]]) == "a,b\r\n,\r\n")
    #expect(write(.tsv, ["a", "b"], [[.null, .null]]) == "a\tb\n\\N\t\\N\n")
    #expect(write(.ndjson, ["a"], [[.null]]) == "{\"a\": null}\n")
    #expect(write(.json, ["a"], []) == "[]\n")
    #expect(write(.table, ["a"], [[.null]]) == "a\n─\n∅\n")
  }

  @Test func `a table lines up wide text, sets numbers right and cuts what is long`() {
    let long = String(repeating: "長", count: 100)
    let table = write(.table, ["name", "n"], [[.string("日本"), .number("7")], [.string(long), .number("1234")]])
    let lines = table.split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    #expect(lines[2].hasPrefix("日本" + String(repeating: " ", count: 56)))
    #expect(lines[2].hasSuffix("   7"))
    #expect(lines[3].hasSuffix("  1234"))
    #expect(lines[3].contains("…"))
  }

  @Test func `names of columns cannot drive a terminal either`() {
    let evil = "a\u{1b}[31m"
    for format in OutputFormat.allCases {
      let text = write(format, [evil], [[.string(evil)]], isTerminal: true)
      #expect(!text.unicodeScalars.contains("\u{1b}"), "\(format)")
    }
  }
}
