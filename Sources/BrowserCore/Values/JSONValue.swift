import Foundation

/// A piece of JSON as it is written: integers exact to 64 bits, other numbers exact to the digits of a decimal.
indirect enum JSONValue: Hashable, Sendable, Decodable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double, Decimal)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Reads a text that is one JSON value; what is wrong with it is told in words.
  static func parse(_ text: String) -> Result<JSONValue, ReadingError> {
    do {
      return .success(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)))
    } catch {
      return .failure(ReadingError("not JSON: strings stand in double quotes, such as \"text\""))
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value, try container.decode(Decimal.self))
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }
}
