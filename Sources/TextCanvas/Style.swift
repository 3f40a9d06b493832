/// What a cell means, never how it looks: a theme turns a role into colours.
public enum Role: UInt8, CaseIterable, Sendable {
  /// Plain text, and the plain background.
  case text
  /// Something of less weight.
  case dim
  /// A title.
  case title
  /// The one accent of the screen.
  case accent
  /// The name of a key to press.
  case key
  /// The selection in the pane that has the focus.
  case selected
  /// The selection in a pane without the focus.
  case inactiveSelection
  /// Something that has just been added.
  case added
  /// Something that has just changed.
  case changed
  /// Something that has just gone.
  case removed
  /// Something that has just moved.
  case moved
  /// An edit that is not saved yet.
  case staged
  /// A failure.
  case error
  /// A caution.
  case warning
  /// A way to another object.
  case link
  /// A number.
  case number
  /// A date.
  case date
  /// A string value.
  case string
  /// The absence of a value.
  case null
  /// A title or status bar.
  case bar
  /// The frame of a pane.
  case border
  /// The head of a column.
  case header
  /// Text that matches a search.
  case match
  /// Every other row.
  case zebra
  /// Something that must not be edited.
  case locked
  /// The title bar of something that may be edited.
  case unlocked
}

/// The meaning of a cell: a role for its text, perhaps another for its background, and attributes.
public struct Style: Hashable, Sendable {
  /// What the text means.
  public var role: Role
  /// What the background means; nil is the plain background.
  public var wash: Role?
  /// How much of the wash is left, from 0 (none) to 8 (full).
  public var strength: UInt8
  /// Bold, underline and the like.
  public var attributes: Attributes

  /// A style; `strength` is held within 0…8.
  public init(_ role: Role = .text, wash: Role? = nil, strength: UInt8 = 8, _ attributes: Attributes = []) {
    self.role = role
    self.wash = wash
    self.strength = min(strength, 8)
    self.attributes = attributes
  }

  /// How glyphs are drawn, apart from colour.
  public struct Attributes: OptionSet, Hashable, Sendable {
    /// One bit an attribute.
    public let rawValue: UInt8

    /// A set from its bits.
    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Heavier glyphs.
    public static let bold = Attributes(rawValue: 1)
    /// Fainter glyphs.
    public static let dim = Attributes(rawValue: 2)
    /// A line below.
    public static let underline = Attributes(rawValue: 4)
    /// Foreground and background exchanged.
    public static let reverse = Attributes(rawValue: 8)
    /// Slanted glyphs.
    public static let italic = Attributes(rawValue: 16)
    /// A line through the middle.
    public static let strikethrough = Attributes(rawValue: 32)
  }
}
