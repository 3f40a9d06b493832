import Foundation
import Testing

@testable import BrowserCore

@Suite struct JSONTextTests {
  @Test func `every scalar reads back, and no control character is written as it is`() throws {
    let scalars =
      (0..<0x3000).compactMap(Unicode.Scalar.init) + ["\u{fffd}", "\u{1f600}", "\u{e000}", "\u{202e}", "\u{2028}"]
    for start in stride(from: 0, to: scalars.count, by: 64) {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[start..<min(start + 64, scalars.count)])
      let json = JSONText.quoted(String(text))
      #expect(json.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) })
      let read = try JSONSerialization.jsonObject(with: Data("[\(json)]".utf8)) as? [String]
      #expect(read?.first?.unicodeScalars.elementsEqual(text) == true)
    }
    #expect(JSONText.quoted("\"\\\n\r\t\u{1b}\u{0}\u{7f}\u{9b}") == #""\"\\\n\r\t\u001b\u0000\u007f\u009b""#)
    // A quote with a combining mark is one character, but the quote ends the string all the same.
    #expect(JSONText.quoted("\"\u{301}").unicodeScalars.starts(with: "\"\\\"".unicodeScalars))
  }

  @Test func `random doubles and floats read back as themselves`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<5_000 {
      let double = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
      if double.isFinite { #expect(Double(JSONText.number(double)) == double) }
      let float = Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &random))
      if float.isFinite { #expect(Float(JSONText.number(float)) == float) }
    }
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "-0"), (1, "1"), (0.1, "0.1"), (1e300, "1e+300"), (1e-300, "1e-300"), (1e16, "1e+16"),
      (123456789, "123456789"), (.nan, "\"nan\""), (.infinity, "\"inf\""), (-.infinity, "\"-inf\""),
    ] as [(Double, String)])
  func `known numbers`(value: Double, json: String) throws {
    #expect(JSONText.number(value) == json)
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data("[\(json)]".utf8)) }
  }

  @Test func `a float is written as a float`() {
    #expect(JSONText.number(Float(0.1)) == "0.1")
    #expect(JSONText.number(Float(16_777_216)) == "16777216")
    #expect(JSONText.number(Float.greatestFiniteMagnitude) == "3.4028235e+38")
  }
}
