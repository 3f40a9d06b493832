import Foundation

/// The derivations that are known from files: a key path, or a function of no or one key path.
enum DerivationExpression: Equatable {
  case keyPath(String)
  /// The name ends with a colon when there is an argument, as in `count:`.
  case function(String, argument: String?)

  /// Reads canonical text such as `author.name`, `count:(pages)` or `now()`; nil for anything else.
  init?(_ text: String) {
    if Self.isKeyPath(text) {
      self = .keyPath(text)
      return
    }
    guard text.hasSuffix(")"), let open = text.firstIndex(of: "(") else { return nil }
    let name = String(text[..<open])
    let argument = String(text[text.index(after: open)...].dropLast())
    if name.hasSuffix(":"), Self.isName(name.dropLast()), Self.isKeyPath(argument) {
      self = .function(name, argument: argument)
    } else if Self.isName(name), argument.isEmpty {
      self = .function(name, argument: nil)
    } else {
      return nil
    }
  }

  private static func isKeyPath(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { isName($0) }
  }

  private static func isName(_ text: some StringProtocol) -> Bool {
    guard let first = text.first, first.isLetter || first == "_" else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
