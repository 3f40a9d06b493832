extension KeyPress {
  /// A key as written in key tables: "j", "G", "^S" or "<c-s>", "<enter>", "<s-tab>", "<a-x>", "<f1>", "<space>", "<lt>".
  ///
  /// Names and modifiers (`c-`, `a-`, `s-`, in any order) are read in either case. What a terminal cannot tell apart is
  /// one: `^I` is tab, `^M` enter, `^[` escape. Nil when the text is none of these.
  public init?(notation text: String) {
    if text.count == 1, let character = text.first {
      self.init(character)
    } else if text.count == 2, text.first == "^", let character = text.last {
      self.init(control: character)
    } else if text.count > 2, text.first == "<", text.last == ">" {
      self.init(bracketed: text.dropFirst().dropLast())
    } else {
      return nil
    }
  }

  /// The key as `init(notation:)` reads it; controlled letters are written "^S".
  public var notation: String {
    if case .character(let character) = key {
      if modifiers.isEmpty { return Self.names[key] ?? String(character) }
      if modifiers == .control, character.isLetter { return "^" + character.uppercased() }
    }
    var name: String
    switch key {
    case .function(let number): name = "f\(number)"
    case .character(let character): name = Self.bareNames[key] ?? String(character)
    default: name = Self.bareNames[key] ?? ""
    }
    if modifiers.contains(.shift) { name = "s-" + name }
    if modifiers.contains(.alt) { name = "a-" + name }
    if modifiers.contains(.control) { name = "c-" + name }
    return "<" + name + ">"
  }

  /// A plain character as typed.
  public init(_ character: Character) {
    switch character {
    case "\r", "\n": self.init(.enter)
    case "\t": self.init(.tab)
    case "\u{1B}": self.init(.escape)
    default: self.init(.character(character))
    }
  }

  /// A character with control held, as far as a terminal can tell.
  public init(control character: Character, _ others: Modifiers = []) {
    switch character {
    case "i", "I": self.init(.tab, others)
    case "m", "M": self.init(.enter, others)
    case "[": self.init(.escape, others)
    case "@": self.init(.character(" "), others.union(.control))
    default: self.init(.character(character.lowercased().first ?? character), others.union(.control))
    }
  }

  private init?(bracketed text: Substring) {
    var modifiers: Modifiers = []
    var name = text
    while name.count > 2, name.dropFirst().first == "-", let letter = name.first {
      switch letter {
      case "c", "C": modifiers.insert(.control)
      case "a", "A", "m", "M": modifiers.insert(.alt)
      case "s", "S": modifiers.insert(.shift)
      default: return nil
      }
      name = name.dropFirst(2)
    }
    if name.count == 1, let character = name.first {
      if modifiers.isEmpty { return nil }
      if modifiers.contains(.control) {
        self.init(control: character, modifiers.subtracting(.control))
      } else if modifiers.contains(.shift) {
        self.init(.character(character.uppercased().first ?? character), modifiers.subtracting(.shift))
      } else {
        self.init(.character(character), modifiers)
      }
      return
    }
    let lowered = name.lowercased()
    if let key = Self.keys[lowered] {
      self.init(key, modifiers)
    } else if lowered.first == "f", let number = Int(lowered.dropFirst()), (1...63).contains(number) {
      self.init(.function(number), modifiers)
    } else {
      return nil
    }
  }

  private static let keys: [String: Key] = [
    "enter": .enter, "esc": .escape, "tab": .tab, "backspace": .backspace, "delete": .delete, "up": .up, "down": .down,
    "left": .left, "right": .right, "home": .home, "end": .end, "pgup": .pageUp, "pgdn": .pageDown, "insert": .insert,
    "space": .character(" "), "lt": .character("<"), "gt": .character(">"),
    // Other spellings in use.
    "return": .enter, "cr": .enter, "escape": .escape, "bs": .backspace, "del": .delete, "pageup": .pageUp,
    "pagedown": .pageDown, "pgdown": .pageDown, "ins": .insert,
  ]

  private static let bareNames: [Key: String] = [
    .enter: "enter", .escape: "esc", .tab: "tab", .backspace: "backspace", .delete: "delete", .up: "up", .down: "down",
    .left: "left", .right: "right", .home: "home", .end: "end", .pageUp: "pgup", .pageDown: "pgdn", .insert: "insert",
    .character(" "): "space", .character("<"): "lt", .character(">"): "gt",
  ]

  /// The characters that cannot stand for themselves.
  private static let names: [Key: String] = [.character(" "): "<space>", .character("<"): "<lt>"]
}
