extension Constant {
  /// The constant as text.
  package func format(_ style: PredicateFormatStyle = .canonical) -> String {
    switch self {
    case .date(let date):
      // Six decimals: from logs of Apple's platforms (rule 18, uncertain).
      style == .canonical
        ? "CAST(\(String(format: "%.6f", date.timeIntervalSinceReferenceDate)), \"NSDate\")"
        : "CAST(\(Self.text(of: date.timeIntervalSinceReferenceDate)), \"NSDate\")"
    case .collection(let elements): "{" + elements.map { $0.formatAsElement(style) }.joined(separator: ", ") + "}"
    default: formatAsElement(style)
    }
  }

  /// Inside a collection a date prints as its description (rule 18, P089).
  private func formatAsElement(_ style: PredicateFormatStyle) -> String {
    switch self {
    case .null: "nil"
    case .bool(let value): value ? "1" : "0"
    case .integer(let value): String(value)
    // With its fraction, so that a division stays one of floating numbers.
    case .double(let value): style == .canonical ? Self.text(of: value) : value.description
    case .decimal(let value): value.description
    case .string(let value): Self.quoted(value)
    case .date(let value): style == .canonical ? value.description : format(style)
    case .uuid(let value): style == .canonical ? value.uuidString : "CAST(\"\(value.uuidString)\", \"NSUUID\")"
    case .url(let value):
      style == .canonical ? value.absoluteString : "CAST(\(Self.quoted(value.absoluteString)), \"NSURL\")"
    case .data(let value):
      style == .canonical ? "<\(value.hexadecimal)>" : "CAST(\"\(value.hexadecimal)\", \"NSData\")"
    case .identity(let value): value.id.predicateIdentityText
    case .collection: format(style)
    case .dictionary(let values):
      "{"
        + values.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value.formatAsElement(style))" }
        .joined(separator: "; ") + "}"
    case .captured(let value): value.text
    }
  }

  /// Whole numbers print without a fraction, as NSNumber's description does.
  private static func text(of value: Double) -> String {
    let text = value.description
    return text.hasSuffix(".0") && text != "-0.0" ? String(text.dropLast(2)) : text
  }

  /// In double quotes; backslashes, quotes and control characters are escaped (rule 3).
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension Data {
  /// Two digits a byte.
  fileprivate var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
