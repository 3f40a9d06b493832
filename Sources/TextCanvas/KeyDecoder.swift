/// Turns the bytes a terminal sends into events, whatever way they are cut into pieces.
///
/// It knows the sequences of xterm and its kin (cursor and function keys with modifiers, SGR and X10 mouse reports,
/// bracketed paste, CSI u, mode reports), and those handed to `init`, which come from the terminal's description.
public struct KeyDecoder: Sendable {
  /// What the bytes meant.
  public enum Item: Hashable, Sendable {
    /// Something for the program.
    case event(InputEvent)
    /// The answer to DECRQM: 1 or 2 when the terminal knows the mode (set, reset), 0 when it does not.
    case modeReport(mode: Int, setting: Int)
  }

  enum Step {
    case incomplete
    case done(Item?, length: Int)
    case pasteStart(length: Int)
  }

  private let sequences: [[UInt8]: KeyPress]
  private let longest: Int
  private let erase: UInt8
  private var buffer: [UInt8] = []
  private var pasted: [UInt8]?

  /// A decoder that also knows `sequences`, and takes the byte `erase` for backspace beside 0x7F.
  public init(sequences: [[UInt8]: KeyPress] = [:], erase: UInt8 = 0x7F) {
    self.sequences = sequences.filter { $0.key.count > 1 }
    longest = self.sequences.keys.map(\.count).max() ?? 0
    self.erase = erase
  }

  /// The events that `bytes` complete, in order; what is not complete waits for more.
  public mutating func decode(_ bytes: some Sequence<UInt8>) -> [Item] {
    buffer += bytes
    var items: [Item] = []
    var index = 0
    scan: while index < buffer.count {
      if pasted != nil {
        guard let length = takePaste(from: index, into: &items) else {
          index = buffer.count
          break
        }
        index += length
        continue
      }
      switch step(at: index) {
      case .incomplete: break scan
      case .done(let item, let length):
        if let item { items.append(item) }
        index += length
      case .pasteStart(let length):
        pasted = []
        index += length
      }
    }
    buffer.removeFirst(index)
    return items
  }

  /// How long to wait for more bytes before `flush()`; nil when nothing is incomplete.
  public var patience: Duration? {
    if pasted != nil { return .seconds(1) }
    if buffer.isEmpty { return nil }
    return .milliseconds(buffer == [0x1B] ? 25 : 100)
  }

  /// What the waiting bytes mean when no more come: a lone ESC is the escape key, ESC and a byte is alt with it.
  public mutating func flush() -> [Item] {
    let rest = buffer
    buffer = []
    if let text = pasted {
      pasted = nil
      return [.event(.paste(Self.text(text + rest)))]
    }
    guard rest.first == 0x1B else { return [] }
    if rest.count == 1 { return [.event(.key(KeyPress(.escape)))] }
    guard rest.count == 2 else { return [] }
    return [Self.item(KeyPress(.character(Character(UnicodeScalar(rest[1]))), .alt))]
  }

  /// A key, or the interrupt that Control-C stands for.
  static func item(_ press: KeyPress) -> Item {
    press == KeyPress(.character("c"), .control) ? .event(.interrupt) : .event(.key(press))
  }

  private func step(at index: Int) -> Step {
    let byte = buffer[index]
    if byte == 0x1B { return escape(at: index) }
    guard let (press, length) = key(at: index) else { return .incomplete }
    return .done(press.map(Self.item), length: length)
  }

  private func escape(at index: Int) -> Step {
    let rest = buffer[(index + 1)...]
    guard let next = rest.first else { return .incomplete }
    if let (press, length) = described(at: index) { return .done(Self.item(press), length: length) }
    switch next {
    case UInt8(ascii: "["):
      return ControlSequence.parse(buffer[(index + 2)...])
    case UInt8(ascii: "O"):
      guard let final = rest.dropFirst().first else { return .incomplete }
      return .done(ControlSequence.keys[final].map { Self.item(KeyPress($0)) }, length: 3)
    case 0x1B:
      return .done(Self.item(KeyPress(.escape)), length: 1)
    default:
      guard let (press, length) = key(at: index + 1) else { return .incomplete }
      return .done(press.map { Self.item(KeyPress($0.key, $0.modifiers.union(.alt))) }, length: 1 + length)
    }
  }

  /// The longest sequence of the terminal's description that stands at `index`.
  private func described(at index: Int) -> (KeyPress, Int)? {
    for length in stride(from: min(longest, buffer.count - index), to: 1, by: -1) {
      if let press = sequences[Array(buffer[index..<(index + length)])] { return (press, length) }
    }
    return nil
  }

  /// The key of one byte or one UTF-8 sequence, and its length; no key for bytes that are not UTF-8; nil when cut.
  private func key(at index: Int) -> (KeyPress?, Int)? {
    let byte = buffer[index]
    switch byte {
    case 0x7F, erase: return (KeyPress(.backspace), 1)
    case 0x09: return (KeyPress(.tab), 1)
    case 0x0A, 0x0D: return (KeyPress(.enter), 1)
    case 0x00..<0x20: return (KeyPress(control: Character(UnicodeScalar(byte + 0x40))), 1)
    case 0x20..<0x80: return (KeyPress(.character(Character(UnicodeScalar(byte)))), 1)
    default: break
    }
    let length =
      switch byte {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    let bytes = buffer[index..<min(buffer.count, index + length)]
    // A byte that cannot continue the sequence ends it; only the broken part is left out.
    if let stray = bytes.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) { return (nil, stray - index) }
    guard bytes.count == length else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self), let character = text.first else { return (nil, length) }
    return (KeyPress(.character(character)), length)
  }

  /// Moves pasted bytes out of the buffer up to the end mark; returns the bytes passed, nil when the mark has not come.
  private mutating func takePaste(from index: Int, into items: inout [Item]) -> Int? {
    let mark: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]
    // The mark may have been cut: what is already set aside is looked at again as far as it could begin it.
    let held = min(pasted?.count ?? 0, mark.count - 1)
    let window: ArraySlice<UInt8> = (pasted ?? []).suffix(held) + buffer[index...]
    guard let found = Self.position(of: mark, in: window) else {
      pasted?.append(contentsOf: buffer[index...])
      return nil
    }
    var text = pasted ?? []
    text.removeLast(held)
    text += window[window.startIndex..<(window.startIndex + found)]
    pasted = nil
    items.append(.event(.paste(Self.text(text))))
    return found + mark.count - held
  }

  private static func position(of mark: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    var start = bytes.startIndex
    while let candidate = bytes[start...].firstIndex(of: mark[0]) {
      if bytes[candidate...].starts(with: mark) { return candidate - bytes.startIndex }
      start = candidate + 1
    }
    return nil
  }

  /// Terminals send the line breaks of a paste as carriage returns.
  private static func text(_ bytes: [UInt8]) -> String {
    var normal: [UInt8] = []
    normal.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if byte == 0x0D {
        normal.append(0x0A)
      } else if byte != 0x0A || index == 0 || bytes[index - 1] != 0x0D {
        normal.append(byte)
      }
    }
    return String(decoding: normal, as: UTF8.self)
  }
}
