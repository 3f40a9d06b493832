import CoreData
import Foundation

/// A word such as `name=Apple Pie`: a property and what is to become of it (CLI.md, "Assignments").
struct Assignment: Equatable {
  /// What is to become of the property.
  enum Change: Equatable {
    /// `key=text`: the value that the text stands for.
    case text(String)
    /// `key:=JSON`.
    case json(String)
    /// `key+=URI`: one more object in a to-many relationship.
    case adding(String)
    /// `key-=URI`: one object less in a to-many relationship.
    case removing(String)
  }

  var key: String
  var change: Change

  /// Reads a word; the first equals sign ends the key.
  init(_ word: String) throws(UsageError) {
    guard let sign = word.firstIndex(of: "="), sign > word.startIndex else {
      throw UsageError("\(word) is no assignment", "write KEY=TEXT or KEY:=JSON")
    }
    let text = String(word[word.index(after: sign)...])
    let last = word[word.index(before: sign)]
    let name = String(word[..<word.index(before: sign)])
    switch last {
    case ":": (key, change) = (name, .json(text))
    case "+": (key, change) = (name, .adding(text))
    case "-": (key, change) = (name, .removing(text))
    default: (key, change) = (String(word[..<sign]), .text(text))
    }
    if key.isEmpty { throw UsageError("\(word) is no assignment", "write KEY=TEXT or KEY:=JSON") }
  }
}

/// Turns assignments to an object's properties into values, looking up what they name.
struct AssignmentReader {
  /// The entity of the object.
  var entity: NSEntityDescription
  /// The objects that a to-many relationship has before the first assignment.
  var objects: (_ relationship: String) throws -> [ObjectKey]
  /// The object of some entity that a URI means.
  var object: (_ uri: String, NSRelationshipDescription) throws -> ObjectKey

  /// The properties' values after all assignments, in the order in which they were first named.
  ///
  /// Throws `UsageError` for words that do not fit the entity, and `CommandFailure` with the status for wrong data where a value
  /// cannot be read.
  func values(_ assignments: [Assignment]) throws -> [(property: String, value: PropertyValue)] {
    var values: [(property: String, value: PropertyValue)] = []
    for assignment in assignments {
      let key = assignment.key
      let index = values.firstIndex { $0.property == key }
      let value =
        switch try property(key) {
        case let relationship as NSRelationshipDescription:
          try self.value(assignment, of: relationship, before: index.map { values[$0].value })
        case let property: try self.value(assignment, of: property)
        }
      if let index { values[index].value = value } else { values.append((key, value)) }
    }
    return values
  }

  private func property(_ key: String) throws -> NSPropertyDescription {
    guard let property = entity.propertiesByName[key] else { throw entity.unknownProperty(key) }
    if let refusal = entity.editRefusal { throw UsageError("\(key) cannot be assigned", refusal) }
    if property is NSDerivedAttributeDescription || property.isReadOnly {
      throw UsageError("\(key) cannot be assigned", "the store computes it from other properties")
    }
    guard entity.listedPropertyNames.contains(key) else {
      throw UsageError("\(key) cannot be assigned", "the store does not keep it")
    }
    return property
  }

  private func value(_ assignment: Assignment, of property: NSPropertyDescription) throws -> PropertyValue {
    guard let kind = PropertyOutline(property)?.kind else {
      throw UsageError("\(property.name) cannot be assigned", "its type is not supported")
    }
    let reader = ValueReader(zone: .utc)
    let reading: Result<PropertyValue, ReadingError>
    switch assignment.change {
    case .text(let text) where text.first == "@" && (kind == .binary || kind == .transformable || kind == .any):
      return .data(try contents(ofFile: String(text.dropFirst())))
    case .text(let text): reading = reader.value(of: text, as: kind)
    case .json(let text): reading = JSONValue.parse(text).flatMap { reader.value(of: $0, as: kind) }
    case .adding, .removing:
      throw UsageError("\(property.name) is no relationship", "write \(property.name)=TEXT or \(property.name):=JSON")
    }
    return try read(reading, property.name)
  }

  private func read<Value>(_ reading: Result<Value, ReadingError>, _ key: String) throws -> Value {
    switch reading {
    case .success(let value): return value
    case .failure(let error): throw CommandFailure("\(key): \(error.words)", "nothing was changed", .data)
    }
  }

  private func contents(ofFile path: String) throws -> Data {
    do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw CommandFailure("\(path): the file cannot be read", "check the path", .noInput)
    }
  }

  private func value(
    _ assignment: Assignment, of relationship: NSRelationshipDescription, before: PropertyValue?
  ) throws -> PropertyValue {
    let key = relationship.name
    func one(_ uri: String) throws -> ObjectKey { try object(uri, relationship) }
    switch assignment.change {
    case .text(let uri): return relationship.isToMany ? .objects([try one(uri)]) : .object(try one(uri))
    case .json(let text):
      switch (try read(JSONValue.parse(text), key), relationship.isToMany) {
      case (.null, false): return .null
      case (.null, true): return .objects([])
      case (.string(let uri), false): return .object(try one(uri))
      case (.array(let elements), true): return .objects(try unique(elements.map { try one(string($0, key)) }))
      case (_, true): throw CommandFailure("\(key) takes an array of object URIs", "nothing was changed", .data)
      case (_, false): throw CommandFailure("\(key) takes an object URI or null", "nothing was changed", .data)
      }
    case .adding(let uri), .removing(let uri):
      guard relationship.isToMany else { throw UsageError("\(key) is a to-one relationship", "write \(key)=URI") }
      let known = if case .objects(let known)? = before { known } else { try objects(key) }
      let object = try one(uri)
      if case .removing = assignment.change {
        guard known.contains(object) else {
          throw CommandFailure("\(uri) is not in \(key)", "nothing was changed", .data)
        }
        return .objects(known.filter { $0 != object })
      }
      return .objects(unique(known + [object]))
    }
  }

  private func string(_ json: JSONValue, _ key: String) throws -> String {
    guard case .string(let text) = json else {
      throw CommandFailure("\(key) takes an array of object URIs", "nothing was changed", .data)
    }
    return text
  }

  private func unique(_ keys: [ObjectKey]) -> [ObjectKey] {
    var seen: Set<ObjectKey> = []
    return keys.filter { seen.insert($0).inserted }
  }
}
