// What Apple's bridging makes an argument of a format string there, and what is none here by itself (PLATFORM.md 4).
// Predicates read the values themselves; the encoding serves `String(format:)`, which wants an object's address for `%@`.

/// The address of an object that lives on: a C argument list cannot own it.
private func address(of object: AnyObject) -> [Int] {
  [Int(bitPattern: Unmanaged.passRetained(object).toOpaque())]
}

/// The words of a description, as an object.
private func described(_ value: Any) -> [Int] { address(of: NSString(string: String(describing: value))) }

extension NSObject: @retroactive CVarArg {
  /// The object's address, for `%@`.
  public var _cVarArgEncoding: [Int] { address(of: self) }
}

extension UUID: @retroactive CVarArg {
  /// The description's address, for `%@`.
  public var _cVarArgEncoding: [Int] { described(self) }
}

extension Date: @retroactive CVarArg {
  /// The description's address, for `%@`.
  public var _cVarArgEncoding: [Int] { described(self) }
}

extension Data: @retroactive CVarArg {
  /// The description's address, for `%@`.
  public var _cVarArgEncoding: [Int] { described(self) }
}

extension URL: @retroactive CVarArg {
  /// The description's address, for `%@`.
  public var _cVarArgEncoding: [Int] { described(self) }
}

extension Decimal: @retroactive CVarArg {
  /// The description's address, for `%@`.
  public var _cVarArgEncoding: [Int] { described(self) }
}

extension Array: @retroactive CVarArg {
  /// The description's address, for `%@`.
  public var _cVarArgEncoding: [Int] { described(self) }
}

extension Set: @retroactive CVarArg {
  /// The description's address, for `%@`.
  public var _cVarArgEncoding: [Int] { described(self) }
}

extension Dictionary: @retroactive CVarArg {
  /// The description's address, for `%@`.
  public var _cVarArgEncoding: [Int] { described(self) }
}
