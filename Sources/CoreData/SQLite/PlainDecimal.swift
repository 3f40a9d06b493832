/// A stored number in plain decimal notation, the shortest that reads back as the same number.
func plainDecimal(_ value: Double) -> String {
  guard value.isFinite else { return value.isNaN ? "nan" : value < 0 ? "-inf" : "inf" }
  let text = String(abs(value))
  let parts = text.split(separator: "e")
  let point = parts[0].split(separator: ".")
  let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
  let fraction = point.count > 1 && point[1] != "0" ? String(point[1]) : ""
  var digits = String(point[0]) + fraction
  var integerCount = point[0].count + exponent
  if integerCount <= 0 {
    digits = String(repeating: "0", count: 1 - integerCount) + digits
    integerCount = 1
  }
  if digits.count < integerCount { digits += String(repeating: "0", count: integerCount - digits.count) }
  let head = digits.prefix(integerCount).drop { $0 == "0" }
  let tail = digits.dropFirst(integerCount)
  let sign = value < 0 ? "-" : ""
  return sign + (head.isEmpty ? "0" : head) + (tail.isEmpty ? "" : "." + tail)
}
