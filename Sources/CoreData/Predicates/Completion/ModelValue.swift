/// What an expression yields, as far as a model tells.
package struct ModelValue {
  /// What one value is.
  package enum Kind {
    case object(NSEntityDescription)
    case attribute(NSAttributeDescription)
    case number
    case string
    case unknown
  }

  package var kind: Kind
  /// Whether there are many of them, since a to-many relationship was followed.
  package var isMany = false

  static let unknown = ModelValue(kind: .unknown)

  /// The entity of an object, or of many.
  package var entity: NSEntityDescription? {
    if case .object(let entity) = kind { entity } else { nil }
  }

  /// One of many.
  var element: ModelValue { ModelValue(kind: kind) }
}

extension ModelValue {
  /// The operators that a key path may have after a to-many relationship, with what they yield.
  static let collectionOperators: [(name: String, detail: String)] = [
    ("@count", "how many"), ("@sum", "sum"), ("@avg", "average"), ("@min", "smallest"), ("@max", "largest"),
    ("@distinctUnionOfObjects", "different values"), ("@unionOfObjects", "all values"),
  ]

  /// Why a key path leads nowhere.
  struct Failure: Error {
    /// Which of the keys.
    var index: Int
    var words: String
  }

  /// What a key path yields, followed key by key.
  ///
  /// Where something unknown is met, whatever follows is unknown too.
  func following(_ keys: [String]) throws(Failure) -> ModelValue {
    var value = self
    var aggregate: String?
    for (index, key) in keys.enumerated() {
      if key.hasPrefix("@") {
        guard Self.collectionOperators.contains(where: { $0.name == key }) else {
          throw Failure(
            index: index,
            words: Self.suggesting("there is no operator \(key)", key, Self.collectionOperators.map(\.name)))
        }
        if case .unknown = value.kind {
        } else if !value.isMany {
          throw Failure(index: index, words: "\(key) needs a to-many relationship before it")
        }
        if key == "@count" { value = ModelValue(kind: .number) } else { aggregate = key }
      } else {
        do { value = try value.step(key) } catch { throw Failure(index: index, words: error.words) }
      }
    }
    // An operator at the end still waits for its key.
    switch keys.last == aggregate ? nil : aggregate {
    case "@sum", "@avg": return ModelValue(kind: .number)
    case "@min", "@max": return value.element
    default: return value
    }
  }

  private func step(_ key: String) throws(Failure) -> ModelValue {
    switch kind {
    case .unknown: return .unknown
    case .number, .string: throw Failure(index: 0, words: "there is no key \(key) here")
    case .attribute(let composite as NSCompositeAttributeDescription):
      guard let part = composite.elements.first(where: { $0.name == key }) else {
        throw Failure(
          index: 0, words: Self.suggesting("\(composite.name) has no part \(key)", key, composite.elements.map(\.name)))
      }
      return ModelValue(kind: .attribute(part), isMany: isMany)
    case .attribute(let attribute):
      throw Failure(index: 0, words: "\(attribute.name) is an attribute: no key leads on from it")
    case .object(let entity):
      if key.uppercased() == "SELF" { return self }
      let notFound = "keypath \(key) not found in entity \(entity.name ?? "")"
      guard let property = entity.propertiesByName[key] else {
        throw Failure(index: 0, words: Self.suggesting(notFound, key, entity.predicateKeys))
      }
      if property.isTransient { throw Failure(index: 0, words: notFound + ": it is transient, no store keeps it") }
      if let relationship = property as? NSRelationshipDescription {
        guard let target = relationship.destinationEntity else { return .unknown }
        return ModelValue(kind: .object(target), isMany: isMany || relationship.isToMany)
      }
      guard let attribute = property as? NSAttributeDescription else {
        throw Failure(index: 0, words: notFound + ": it is a fetched property, no store keeps it")
      }
      return ModelValue(kind: .attribute(attribute), isMany: isMany)
    }
  }

  private static func suggesting(_ words: String, _ key: String, _ known: [String]) -> String {
    nearestSpelling(of: key, among: known).map { "\(words): did you mean \($0)?" } ?? words
  }
}

extension NSEntityDescription {
  /// The names of the properties that a predicate of a fetch can name, in the order a list shows them.
  var predicateKeys: [String] { listedPropertyNames }
}
