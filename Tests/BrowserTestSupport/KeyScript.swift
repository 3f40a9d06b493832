import BrowserCore
import TextCanvas

/// Keys written as text: `jj<enter>Café<c-u>`; `<lt>` is the character `<`.
public struct KeyScript: ExpressibleByStringLiteral {
  /// The keys, in order.
  public let keys: [KeyPress]

  /// Reads keys.
  public init(stringLiteral text: String) {
    self.init(text)
  }

  /// Reads keys.
  ///
  /// Traps on a name that is none, for a misspelt test must not pass.
  public init(_ text: String) {
    switch KeySequence.keys(of: text) {
    case .success(let keys): self.keys = keys
    case .failure(let unknown): preconditionFailure("no key is called \(unknown.name)")
    }
  }
}
