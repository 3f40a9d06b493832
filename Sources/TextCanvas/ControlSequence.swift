/// The part of a control sequence after `ESC [`, and what it means as input.
enum ControlSequence {
  /// Keys by the letter that ends `ESC [ 1 ; modifiers letter` and `ESC O letter`.
  static let keys: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "M"): .enter, UInt8(ascii: "I"): .tab,
    UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2), UInt8(ascii: "R"): .function(3),
    UInt8(ascii: "S"): .function(4),
  ]

  /// Keys by the number in `ESC [ number ; modifiers ~`.
  private static let numbered: [Int: Key] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end, 11: .function(1),
    12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6), 18: .function(7),
    19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11), 24: .function(12), 25: .function(13),
    26: .function(14), 28: .function(15), 29: .function(16), 31: .function(17), 32: .function(18), 33: .function(19),
    34: .function(20),
  ]

  /// Reads the sequence; lengths count from ESC.
  ///
  /// What is unknown or broken is passed over.
  static func parse(_ bytes: ArraySlice<UInt8>) -> KeyDecoder.Step {
    var end = bytes.startIndex
    while end < bytes.endIndex, (0x20..<0x40).contains(bytes[end]) { end += 1 }
    let length = end - bytes.startIndex + 3
    guard end < bytes.endIndex else { return length > 64 ? .done(nil, length: length - 1) : .incomplete }
    let body = bytes[bytes.startIndex..<end]
    let final = bytes[end]
    guard (0x40..<0x7F).contains(final) else { return .done(nil, length: length - 1) }

    if final == UInt8(ascii: "["), body.isEmpty {
      // Function keys of the Linux console carry one more letter.
      guard end + 1 < bytes.endIndex else { return .incomplete }
      let number = Int(bytes[end + 1]) - 0x40
      return .done((1...5).contains(number) ? .event(.key(KeyPress(.function(number)))) : nil, length: length + 1)
    }
    if final == UInt8(ascii: "M"), body.isEmpty {
      let report = bytes[(end + 1)...].prefix(3).map { Int($0) - 32 }
      guard report.count == 3 else { return .incomplete }
      let released = report[0] & 0x43 == 3
      return .done(mouse(report, released: released), length: length + 3)
    }
    if body == [0x32, 0x30, 0x30], final == UInt8(ascii: "~") { return .pasteStart(length: length) }
    return .done(item(body, final: final), length: length)
  }

  private static func item(_ body: ArraySlice<UInt8>, final: UInt8) -> KeyDecoder.Item? {
    switch (body.first, final) {
    case (UInt8(ascii: "<"), UInt8(ascii: "M")): return mouse(numbers(body.dropFirst()), released: false)
    case (UInt8(ascii: "<"), UInt8(ascii: "m")): return mouse(numbers(body.dropFirst()), released: true)
    case (UInt8(ascii: "?"), UInt8(ascii: "y")) where body.last == UInt8(ascii: "$"):
      let report = numbers(body.dropFirst().dropLast())
      return report.count == 2 ? .modeReport(mode: report[0], setting: report[1]) : nil
    case (.some(0x3C...0x3F), _): return nil
    default: break
    }
    let values = numbers(body)
    let modifiers = modifiers(values.count > 1 ? values[1] : 1)
    switch final {
    case UInt8(ascii: "~"):
      if values.count == 3, values[0] == 27 { return key(code: values[2], modifiers) }
      return values.first.flatMap { numbered[$0] }.map { .event(.key(KeyPress($0, modifiers))) }
    case UInt8(ascii: "u"): return values.first.flatMap { key(code: $0, modifiers) }
    case UInt8(ascii: "Z"): return .event(.key(KeyPress(.tab, .shift)))
    case UInt8(ascii: "^"):
      return values.first.flatMap { numbered[$0] }.map { .event(.key(KeyPress($0, .control))) }
    case UInt8(ascii: "a")...UInt8(ascii: "d"):
      return keys[final - 0x20].map { .event(.key(KeyPress($0, .shift))) }
    case UInt8(ascii: "I"), UInt8(ascii: "M"): return nil
    default: return keys[final].map { .event(.key(KeyPress($0, modifiers))) }
    }
  }

  /// The numbers between semicolons, each up to its first colon; what is missing is 0.
  private static func numbers(_ body: ArraySlice<UInt8>) -> [Int] {
    body.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { field in
      field.prefix { (0x30...0x39).contains($0) }.prefix(9).reduce(0) { $0 * 10 + Int($1 & 15) }
    }
  }

  private static func modifiers(_ value: Int) -> KeyPress.Modifiers {
    let bits = max(0, value - 1)
    var modifiers: KeyPress.Modifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & 2 != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    return modifiers
  }

  /// A key given by the code of its character.
  private static func key(code: Int, _ modifiers: KeyPress.Modifiers) -> KeyDecoder.Item? {
    guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else { return nil }
    switch code {
    case 127, 8: return .event(.key(KeyPress(.backspace, modifiers)))
    case 9, 10, 13, 27: return .event(.key(KeyPress(KeyPress(Character(scalar)).key, modifiers)))
    case 0..<32: return nil
    default: break
    }
    let character = Character(scalar)
    if modifiers.contains(.control) {
      return KeyDecoder.item(KeyPress(control: character, modifiers.intersection(.alt)))
    }
    let typed = modifiers.contains(.shift) ? character.uppercased().first ?? character : character
    return .event(.key(KeyPress(.character(typed), modifiers.intersection(.alt))))
  }

  /// A mouse report: buttons and modifiers in one number, then column and row counted from 1.
  private static func mouse(_ report: [Int], released: Bool) -> KeyDecoder.Item? {
    guard report.count == 3, report[1] > 0, report[2] > 0 else { return nil }
    let code = report[0]
    var modifiers: KeyPress.Modifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    let position = Point(x: report[1] - 1, y: report[2] - 1)
    if code & 64 != 0 {
      // Wheels that turn sideways have no meaning here.
      guard code & 2 == 0, !released else { return nil }
      let kind: MouseEvent.Kind = code & 1 == 0 ? .wheelUp : .wheelDown
      return .event(.mouse(MouseEvent(position: position, kind: kind, button: .none, modifiers: modifiers)))
    }
    let buttons: [MouseEvent.Button] = [.left, .middle, .right, .none]
    let button = buttons[code & 3]
    let kind: MouseEvent.Kind = released ? .release : code & 32 != 0 ? .drag : .press
    if button == .none, kind != .release { return nil }
    return .event(.mouse(MouseEvent(position: position, kind: kind, button: button, modifiers: modifiers)))
  }
}
