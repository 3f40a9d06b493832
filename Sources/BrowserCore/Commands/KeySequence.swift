import TextCanvas

/// Keys written as text, as `--keys` takes them: `jj<enter>café<c-u>`; `<lt>` is the character `<`.
public enum KeySequence {
  /// The keys of a text, or the part of it that names no key.
  public static func keys(of text: String) -> Result<[KeyPress], Unknown> {
    var keys: [KeyPress] = []
    var rest = Substring(text)
    while let first = rest.first {
      if first == "<", let end = rest.firstIndex(of: ">") {
        let name = String(rest[...end])
        guard let press = KeyPress(notation: name) else { return .failure(Unknown(name: name)) }
        keys.append(press)
        rest = rest[rest.index(after: end)...]
      } else {
        keys.append(KeyPress(first))
        rest = rest.dropFirst()
      }
    }
    return .success(keys)
  }

  /// A name that no key has.
  public struct Unknown: Error, Equatable {
    /// The name, in its brackets.
    public var name: String
  }
}
