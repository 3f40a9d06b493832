import Foundation

/// User-info values as the texts that a model's XML has room for.
package enum UserInfoText {
  /// A string as it is; lists, dictionaries and numbers as JSON with sorted keys; what JSON cannot hold as its description.
  package static func text(of value: Any) -> String {
    if let text = value as? String { return text }
    if JSONSerialization.isValidJSONObject([value]),
      let data = try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
    {
      return String(decoding: data, as: UTF8.self)
    }
    return "\(value)"
  }
}
