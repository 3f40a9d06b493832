/// Something that came from the terminal.
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(KeyPress)
  /// The mouse did something.
  case mouse(MouseEvent)
  /// The terminal has a new size.
  case resize(Size)
  /// Text was pasted; line breaks in it are "\n".
  case paste(String)
  /// No more input will come.
  case endOfInput
  /// The terminal went away.
  case hangUp
  /// Control-C.
  case interrupt
}

/// A key with the modifiers held.
public struct KeyPress: Hashable, Sendable {
  /// The key.
  public var key: Key
  /// What was held; never shift for a character, which shows it by itself.
  public var modifiers: Modifiers

  /// A key with modifiers.
  public init(_ key: Key, _ modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }

  /// Keys held together with another.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    /// One bit a modifier.
    public let rawValue: UInt8

    /// A set from its bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Control.
    public static let control = Modifiers(rawValue: 1)
    /// Alt, also called Option or Meta.
    public static let alt = Modifiers(rawValue: 2)
    /// Shift.
    public static let shift = Modifiers(rawValue: 4)
  }
}

/// A key of the keyboard.
public enum Key: Hashable, Sendable {
  /// A key that types a character; letters with control are in lower case.
  case character(Character)
  /// Keys with a name.
  case enter, escape, tab, backspace, delete, up, down, left, right, home, end, pageUp, pageDown, insert
  /// F1 and so on.
  case function(Int)
}

/// Something the mouse did at a cell.
public struct MouseEvent: Hashable, Sendable {
  /// The cell.
  public var position: Point
  /// What happened.
  public var kind: Kind
  /// The button it happened with; `none` for the wheel.
  public var button: Button
  /// The modifiers held.
  public var modifiers: KeyPress.Modifiers

  /// An event at a cell.
  public init(position: Point, kind: Kind, button: Button = .left, modifiers: KeyPress.Modifiers = []) {
    self.position = position
    self.kind = kind
    self.button = button
    self.modifiers = modifiers
  }

  /// What the mouse did.
  public enum Kind: Hashable, Sendable {
    /// A button went down.
    case press
    /// A button went down a second time, shortly after and in the same cell; comes instead of `press`.
    case doublePress
    /// A button went up.
    case release
    /// The mouse moved with a button down.
    case drag
    /// The wheel turned away from the user.
    case wheelUp
    /// The wheel turned towards the user.
    case wheelDown
  }

  /// A button of the mouse.
  public enum Button: Hashable, Sendable {
    /// One of the three buttons, or none of them.
    case left, middle, right, none
  }
}
