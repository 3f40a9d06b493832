import Foundation
import Testing

@testable import CoreData

@Suite struct XMLReaderTests {
  private func document(_ text: String) throws -> XMLElementNode {
    try XMLElementNode.document(Data(text.utf8))
  }

  @Test func `elements, attributes and text`() throws {
    let root = try document(
      """
      \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE database SYSTEM "file:///System/x.dtd" [ <!ELEMENT a (b)> <!-- > --> ]>
      <!-- a comment with <tags> -->
      <a one='1' two = "x &lt;&amp;&#10;&#x1F9ED; y"><b/>text<![CDATA[<raw> & ]] ]]><?skip me?> more<b name="ü"></b ></a>
      """)
    #expect(root.name == "a")
    #expect(root.attributes == ["one": "1", "two": "x <&\n🧭 y"])
    #expect(root.text == "text<raw> & ]]  more")
    #expect(root.all("b").map { $0["name"] } == [nil, "ü"])
  }

  @Test func `line ends are normalised, and blanks stand for line ends in attributes`() throws {
    let root = try document("<a b='1\n2'>x\r\ny</a>")
    #expect(root["b"] == "1 2")
    #expect(root.text == "x\ny")
  }

  @Test func `UTF-16 is read`() throws {
    let data = try #require("<?xml version='1.0' encoding='UTF-16'?><a b='é'/>".data(using: .utf16))
    #expect(try XMLElementNode.document(data)["b"] == "é")
  }

  @Test(
    arguments: [
      "", "text", "<a>", "<a></b>", "<a/><b/>", "<a", "<a b></a>", "<a b=c/>", "<a b='1' b='2'/>", "<a b='<'/>",
      "<a>&unknown;</a>", "<a>&</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a><!-- </a>", "<a><![CDATA[ </a>", "<1/>",
      "<a b='1'c='2'/>", "</a>", "<a/>text", "<!DOCTYPE a", "<a>\u{1}</a>",
      "<?xml version='1.0' encoding='ISO-8859-1'?><a/>",
      "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
    ])
  func `what is not well-formed is refused`(text: String) {
    #expect(throws: ArchiveError.self) { try document(text) }
  }

  @Test func `bytes that are no UTF-8 are refused`() {
    for place in ["<a>\u{7F}</a>", "<a b='\u{7F}'/>", "<a\u{7F}/>"] {
      let bytes = Array(place.utf8).map { $0 == 0x7F ? UInt8(0xC3) : $0 }
      #expect(throws: ArchiveError.self) { try XMLElementNode.document(Data(bytes)) }
    }
  }
}
