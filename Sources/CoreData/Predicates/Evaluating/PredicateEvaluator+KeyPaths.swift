extension PredicateEvaluator {
  /// The value at a key path; through a collection, the collection of the elements' values (rule 29).
  func follow(_ keys: ArraySlice<String>, from start: PredicateValue) throws(PredicateError) -> PredicateValue {
    var value = start
    for (position, key) in zip(keys.indices, keys) {
      if key.utf8.first == UInt8(ascii: "@"), let result = try collect(key, keys[(position + 1)...], from: value) {
        return result
      }
      value = try member(key, of: value)
    }
    return value
  }

  /// The value under one key.
  func member(_ key: String, of value: PredicateValue) throws(PredicateError) -> PredicateValue {
    switch value {
    case .object(let object):
      return key == "self" ? value : try object.predicateValue(forKey: key)
    case .constant(.null): return .null
    case .dictionary(let entries):
      if let entry = entries[key] { return PredicateValue(entry) }
      return key == "self" ? value : .null
    case .list(let elements, let isOrdered):
      return key == "self" ? value : try members(key, of: elements, isOrdered: isOrdered)
    case .constant(.collection(let constants)):
      return key == "self" ? value : try members(key, of: constants.map(PredicateValue.constant), isOrdered: true)
    case .constant(.dictionary(let entries)): return .constant(entries[key] ?? .null)
    case .constant(let constant):
      if key == "self" { return value }
      guard let property = constant.property(key) else {
        throw PredicateError.unknownKey(key, of: "<\(constant.typeName)>")
      }
      return .constant(property)
    case .other(let any):
      if key == "self" { return value }
      guard let property = reflected(key, of: any) else {
        throw PredicateError.unknownKey(key, of: "<\(type(of: any))>")
      }
      return PredicateValue(property)
    }
  }

  private func members(
    _ key: String, of elements: [PredicateValue], isOrdered: Bool
  ) throws(PredicateError) -> PredicateValue {
    var values: [PredicateValue] = []
    values.reserveCapacity(elements.count)
    for element in elements { values.append(try member(key, of: element)) }
    return .list(values, isOrdered: isOrdered)
  }

  /// A collection operator with the rest of its path; nil for a key that is none.
  private func collect(
    _ name: String, _ rest: ArraySlice<String>, from source: PredicateValue
  ) throws(PredicateError) -> PredicateValue? {
    if case .dictionary(let entries) = source, name == "@count" { return .integer(Int64(entries.count)) }
    if source.isNull { return name == "@count" || name == "@sum" ? .integer(0) : .null }
    guard let elements = source.elements else { return nil }
    if name == "@count" { return .integer(Int64(elements.count)) }
    let values = try list(try follow(rest, from: source), for: name)
    switch name {
    case "@sum": return try call(.sum, [.list(values, isOrdered: true)])
    case "@avg": return try call(.average, [.list(values, isOrdered: true)])
    case "@min": return try call(.min, [.list(values, isOrdered: true)])
    case "@max": return try call(.max, [.list(values, isOrdered: true)])
    case "@unionOfObjects": return .list(values.filter { !$0.isNull }, isOrdered: true)
    case "@distinctUnionOfObjects": return .list(distinct(values), isOrdered: false)
    case "@unionOfArrays", "@unionOfSets": return .list(values.flatMap { $0.elements ?? [$0] }, isOrdered: true)
    case "@distinctUnionOfArrays", "@distinctUnionOfSets":
      return .list(distinct(values.flatMap { $0.elements ?? [$0] }), isOrdered: false)
    default: throw PredicateError.unknownKey(name, of: "NSArray")
    }
  }

  private func distinct(_ values: [PredicateValue]) -> [PredicateValue] {
    var found: [PredicateValue] = []
    for value in values where !value.isNull && !found.contains(where: { PredicateComparer.areEqual($0, value, nil) }) {
      found.append(value)
    }
    return found
  }

  /// A stored property of a Swift value, its class's ancestors included; nil for none of that name.
  private func reflected(_ key: String, of value: Any) -> Any?? {
    var mirror: Mirror? = Mirror(reflecting: value)
    while let current = mirror {
      if let child = current.children.first(where: { $0.label == key }) { return .some(child.value) }
      mirror = current.superclassMirror
    }
    return key == "description" ? .some(String(describing: value)) : nil
  }
}

extension Constant {
  /// What the value's class on Apple's platforms answers for a key; nil for a key that it has not.
  fileprivate func property(_ key: String) -> Constant? {
    switch (self, key) {
    case (.string(let text), "description"): .string(text)
    case (_, "description"): .string(format())
    case (.string(let text), "length"): .integer(Int64(text.utf16.count))
    case (.string(let text), "uppercaseString"): .string(text.uppercased())
    case (.string(let text), "lowercaseString"): .string(text.lowercased())
    case (.string(let text), "capitalizedString"): .string(text.capitalized)
    case (.string(let text), "lastPathComponent"): .string((text as NSString).lastPathComponent)
    case (.string(let text), "pathExtension"): .string((text as NSString).pathExtension)
    case (.string(let text), "intValue"), (.string(let text), "integerValue"):
      .integer(Int64((text as NSString).integerValue))
    case (.string(let text), "doubleValue"), (.string(let text), "floatValue"):
      .double((text as NSString).doubleValue)
    case (.string(let text), "boolValue"): .bool((text as NSString).boolValue)
    case (.data(let data), "length"): .integer(Int64(data.count))
    case (.date(let date), "timeIntervalSinceReferenceDate"): .double(date.timeIntervalSinceReferenceDate)
    case (.date(let date), "timeIntervalSince1970"): .double(date.timeIntervalSince1970)
    case (.uuid(let uuid), "UUIDString"): .string(uuid.uuidString)
    case (.url(let url), "absoluteString"): .string(url.absoluteString)
    case (.url(let url), "path"): .string(url.path)
    case (.url(let url), "host"): url.host.map(Constant.string) ?? .null
    case (.url(let url), "scheme"): url.scheme.map(Constant.string) ?? .null
    case (.url(let url), "lastPathComponent"): .string(url.lastPathComponent)
    case (.url(let url), "pathExtension"): .string(url.pathExtension)
    case (_, "doubleValue"), (_, "floatValue"): doubleValue.map(Constant.double)
    case (_, "intValue"), (_, "integerValue"), (_, "longLongValue"):
      doubleValue.flatMap { Int64(exactly: $0.rounded(.towardZero)) }.map(Constant.integer)
    case (_, "boolValue"): doubleValue.map { .bool($0 != 0) }
    case (_, "stringValue"): doubleValue == nil ? nil : .string(format())
    default: nil
    }
  }

  var typeName: String {
    switch self {
    case .null: "NSNull"
    case .bool, .integer, .double: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .data: "NSData"
    case .uuid: "NSUUID"
    case .url: "NSURL"
    case .identity: "NSManagedObjectID"
    case .collection: "NSArray"
    case .dictionary: "NSDictionary"
    case .captured(let id): id.text
    }
  }
}
