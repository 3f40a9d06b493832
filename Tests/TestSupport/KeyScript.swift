import TextCanvas

/// Keys written as text: `jj<enter>Café<c-u>`; `<lt>` is the character `<`.
public struct KeyScript: ExpressibleByStringLiteral {
  /// The keys, in order.
  public let keys: [KeyPress]

  /// Reads keys.
  ///
  /// Traps on a name that is none, for a misspelt test must not pass.
  public init(stringLiteral text: String) {
    self.init(text)
  }

  /// Reads keys.
  public init(_ text: String) {
    var keys: [KeyPress] = []
    var rest = Substring(text)
    while let first = rest.first {
      if first == "<", let end = rest.firstIndex(of: ">") {
        let name = String(rest[...end])
        guard let press = KeyPress(notation: name) else { preconditionFailure("no key is called \(name)") }
        keys.append(press)
        rest = rest[rest.index(after: end)...]
      } else {
        keys.append(KeyPress(first))
        rest = rest.dropFirst()
      }
    }
    self.keys = keys
  }
}
