import Foundation
import Testing

@testable import CoreData

@Suite struct PlainDecimalTests {
  @Test func `a random number reads back as itself and has no exponent`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let value = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
      guard value.isFinite else { continue }
      let text = plainDecimal(value)
      #expect(Double(text) == value, "\(value) became \(text)")
      #expect(text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x2e }, "\(text)")
      let digits = text.drop { $0 == "-" }
      #expect(digits == "0" || digits.hasPrefix("0.") || digits.first != "0", "\(text)")
      #expect(!text.contains(".") || !text.hasSuffix("0"), "\(text)")
    }
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (0.1, "0.1"), (-0.5, "-0.5"),
      (3.3333333332999993, "3.3333333332999993"),
      (100, "100"), (1e15, "1000000000000000"), (1e16, "10000000000000000"), (1.5e16, "15000000000000000"),
      (1.2345e-7, "0.00000012345"), (123456.789, "123456.789"), (9_007_199_254_740_992, "9007199254740992"),
      (.infinity, "inf"), (-.infinity, "-inf"), (.nan, "nan"),
    ] as [(Double, String)])
  func `known numbers`(value: Double, text: String) {
    #expect(plainDecimal(value) == text)
  }

  @Test func `the largest and smallest numbers have all their digits`() {
    #expect(plainDecimal(1e300) == "1" + String(repeating: "0", count: 300))
    #expect(plainDecimal(1e-300) == "0." + String(repeating: "0", count: 299) + "1")
    #expect(plainDecimal(-1e300).count == 302)
    #expect(Double(plainDecimal(.leastNonzeroMagnitude)) == .leastNonzeroMagnitude)
    #expect(Double(plainDecimal(.greatestFiniteMagnitude)) == .greatestFiniteMagnitude)
  }
}
