/// Cuts a format string into tokens, one at a time, in one pass over its bytes.
struct PredicateLexer {
  let format: String
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ format: String) {
    self.format = format
    var bytes: [UInt8] = []
    bytes.reserveCapacity(format.utf8.count + 1)
    bytes.append(contentsOf: format.utf8)
    bytes.append(0)  // a sentinel, so that looking one byte ahead needs no bounds check
    self.bytes = bytes
  }

  /// The next token and the byte where it starts.
  mutating func next() throws(PredicateParseError) -> (token: PredicateToken, start: Int) {
    skipBlanks()
    let start = position
    return (try token(), start)
  }

  /// The byte offset at which only blanks, or nothing, is left before the next token.
  mutating func skipBlanks() {
    while true {
      switch bytes[position] {
      case 0x20, 0x09...0x0D: position += 1
      default: return
      }
    }
  }

  /// Consumes `text` if it stands right here, whatever its case.
  mutating func take(ignoringCase text: StaticString) -> Bool {
    let end = position + text.utf8CodeUnitCount
    guard end < bytes.count else { return false }
    let same = text.withUTF8Buffer { wanted in
      zip(bytes[position..<end], wanted).allSatisfy { $0 | 0x20 == $1 | 0x20 }
    }
    if same { position = end }
    return same
  }

  func error(
    at offset: Int, _ expected: [PredicateParseError.Expectation] = [], _ detail: String? = nil
  ) -> PredicateParseError {
    PredicateParseError(format: format, offset: offset, expected: expected, detail: detail)
  }

  private mutating func token() throws(PredicateParseError) -> PredicateToken {
    let byte = bytes[position]
    switch byte {
    case 0 where position == bytes.count - 1: return .end
    case _ where Self.startsWord(byte): return word()
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string(quote: byte)
    case UInt8(ascii: "%"): return try conversion()
    case UInt8(ascii: "#"): return .word(try name(after: "#", .key), escaped: true)
    case UInt8(ascii: "$"): return .variable(try name(after: "$", .variable))
    case UInt8(ascii: "@"): return .collectionOperator("@" + (try name(after: "@", .key)))
    default: return .symbol(try symbol(byte))
    }
  }

  private static func startsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), 0x80...:
      true  // names beyond ASCII parse here, other than on Apple (rule 8)
    default: false
    }
  }

  private static func continuesWord(_ byte: UInt8) -> Bool {
    startsWord(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func run(while isPart: (UInt8) -> Bool) -> String {
    let start = position
    while isPart(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func word() -> PredicateToken {
    let word = run(while: Self.continuesWord)
    // The two keywords with dashes in them.
    if word.utf8.count == 3, bytes[position] == UInt8(ascii: "-"), word.uppercased() == "UTI" {
      if take(ignoringCase: "-conforms-to") { return .word("UTI-CONFORMS-TO", escaped: false) }
      if take(ignoringCase: "-equals") { return .word("UTI-EQUALS", escaped: false) }
    }
    return .word(word, escaped: false)
  }

  private mutating func name(
    after sign: String, _ expected: PredicateParseError.Expectation
  ) throws(PredicateParseError) -> String {
    position += 1
    guard Self.startsWord(bytes[position]) else { throw error(at: position, [expected]) }
    return run(while: Self.continuesWord)
  }

  private mutating func symbol(_ byte: UInt8) throws(PredicateParseError) -> PredicateSymbol {
    let following = bytes[position + 1]
    position += 2
    switch (byte, following) {
    case (UInt8(ascii: "="), UInt8(ascii: "=")): return .equal
    case (UInt8(ascii: "="), UInt8(ascii: "<")), (UInt8(ascii: "<"), UInt8(ascii: "=")): return .lessOrEqual
    case (UInt8(ascii: "="), UInt8(ascii: ">")), (UInt8(ascii: ">"), UInt8(ascii: "=")): return .greaterOrEqual
    case (UInt8(ascii: "!"), UInt8(ascii: "=")), (UInt8(ascii: "<"), UInt8(ascii: ">")): return .notEqual
    case (UInt8(ascii: "<"), UInt8(ascii: "<")): return .leftShift
    case (UInt8(ascii: ">"), UInt8(ascii: ">")): return .rightShift
    case (UInt8(ascii: "&"), UInt8(ascii: "&")): return .and
    case (UInt8(ascii: "|"), UInt8(ascii: "|")): return .or
    case (UInt8(ascii: "*"), UInt8(ascii: "*")): return .power
    case (UInt8(ascii: ":"), UInt8(ascii: "=")): return .assign
    default: break
    }
    position -= 1
    if byte == UInt8(ascii: "=") { return .equal }
    guard let symbol = PredicateSymbol(byte) else {
      position -= 1
      throw error(at: position, [], "a character that means nothing here")
    }
    return symbol
  }
}

extension PredicateLexer {
  /// `12`, `12.5`, `2.5e7`, `0x1F`, `0o17`, `0b11`.
  ///
  /// What 64 bits cannot hold, and a fraction that a floating number does not give back, becomes a decimal number.
  private mutating func number() throws(PredicateParseError) -> PredicateToken {
    let start = position
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    if bytes[position] == UInt8(ascii: "0"), let radix = Self.radix(bytes[position + 1]) {
      position += 2
      let digits = run(while: Self.continuesWord)
      guard let value = UInt64(digits, radix: radix) else {
        throw error(at: start, [], "not a number in base \(radix)")
      }
      return .integer(value)
    }
    var text = run(while: isDigit)
    var (isWhole, isPlain) = (true, true)
    if bytes[position] == UInt8(ascii: "."), isDigit(bytes[position + 1]) {
      position += 1
      text += "." + run(while: isDigit)
      isWhole = false
    }
    if bytes[position] | 0x20 == UInt8(ascii: "e") {
      let signed = bytes[position + 1] == UInt8(ascii: "+") || bytes[position + 1] == UInt8(ascii: "-")
      if isDigit(bytes[position + (signed ? 2 : 1)]) {
        let exponent = position
        position += signed ? 2 : 1
        _ = run(while: isDigit)
        text += String(decoding: bytes[exponent..<position], as: UTF8.self)
        (isWhole, isPlain) = (false, false)
      }
    }
    guard !Self.startsWord(bytes[position]) else { throw error(at: position, [], "a name cannot start with a digit") }
    if isWhole, let value = UInt64(text) { return .integer(value) }
    guard let value = Double(text) else { throw error(at: start, [], "not a number") }
    // Fifteen digits come back as they were. Of more it is asked what they are, and not how they are spelled.
    if isPlain, isWhole || text.utf8.count > 16, let exact = Decimal(string: text),
      isWhole || exact != Decimal(string: value.description)
    {
      return .decimal(exact)
    }
    return .double(value)
  }

  private static func radix(_ byte: UInt8) -> Int? {
    switch byte | 0x20 {
    case UInt8(ascii: "x"): 16
    case UInt8(ascii: "o"): 8
    case UInt8(ascii: "b"): 2
    default: nil
    }
  }

  /// A literal in either quote, with C's escapes and `\U` or `\u` for a code point (rule 3).
  private mutating func string(quote: UInt8) throws(PredicateParseError) -> PredicateToken {
    let start = position
    position += 1
    var content: [UInt8] = []
    while bytes[position] != quote {
      guard position < bytes.count - 1 else {
        throw error(at: position, [.symbol(quote == UInt8(ascii: "'") ? "'" : "\"")], "a string without its end")
      }
      if bytes[position] == UInt8(ascii: "\\") {
        content += try escape(stringStart: start)
      } else {
        content.append(bytes[position])
        position += 1
      }
    }
    position += 1
    return .string(String(decoding: content, as: UTF8.self))
  }

  private mutating func escape(stringStart: Int) throws(PredicateParseError) -> [UInt8] {
    let letter = bytes[position + 1]
    guard position + 1 < bytes.count - 1 else { throw error(at: position + 1, [], "a string without its end") }
    position += 2
    switch letter {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "a"): return [0x07]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "v"): return [0x0B]
    case UInt8(ascii: "u"), UInt8(ascii: "x"): return codePoint(digits: letter == UInt8(ascii: "x") ? 2 : 4)
    case UInt8(ascii: "U"): return codePoint(digits: 8)
    default: return [letter]
    }
  }

  /// Up to `digits` hexadecimal digits as a character; nothing for a number that is no character.
  private mutating func codePoint(digits: Int) -> [UInt8] {
    let start = position
    while position - start < digits, Character(UnicodeScalar(bytes[position])).isHexDigit { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let scalar = UInt32(text, radix: 16).flatMap(UnicodeScalar.init) else { return [] }
    return Array(String(Character(scalar)).utf8)
  }

  /// `%@`, `%K`, or a conversion of printf with its flags, width and length (rule 5).
  private mutating func conversion() throws(PredicateParseError) -> PredicateToken {
    let start = position
    position += 1
    switch bytes[position] {
    case UInt8(ascii: "@"):
      position += 1
      return .conversion(.object)
    case UInt8(ascii: "K"):
      position += 1
      return .conversion(.keyPath)
    default: break
    }
    while "+-0123456789.hlqjztL".utf8.contains(bytes[position]) { position += 1 }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "U"),
      UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "o"), UInt8(ascii: "O"):
      return .conversion(.integer)
    case UInt8(ascii: "f"), UInt8(ascii: "F"), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "g"),
      UInt8(ascii: "G"), UInt8(ascii: "a"), UInt8(ascii: "A"):
      return .conversion(.floating)
    case UInt8(ascii: "c"), UInt8(ascii: "C"): return .conversion(.character)
    default: throw error(at: start, [.symbol("%@"), .symbol("%K"), .symbol("%d"), .symbol("%f")], "unknown conversion")
    }
  }
}
