// Predicates and sort descriptors in archives. Foundation's classes are not coded here; that they are is added. A predicate
// is archived as its tree, so that it comes back as it was. A decoded one holds no code and may be evaluated at once.

extension NSCoder {
  private static let treeKey = "NSPredicateTree"

  /// Writes a tree; stops the process, as Apple's exception does, for one that holds what exists in this process only.
  func encodeTree(_ tree: some Encodable) {
    do {
      encode(NSData(data: try PropertyListEncoder.binary.encode([tree])), forKey: Self.treeKey)
    } catch EncodingError.invalidValue(_, let context) {
      stop(context.debugDescription)
    } catch {
      stop("\(error)")
    }
  }

  func stop(_ reason: String) -> Never {
    fatalError("*** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: '\(reason)'")
  }

  /// Reads a tree; nil for anything else.
  func decodeTree<Tree: Decodable>(_ type: Tree.Type) -> Tree? {
    guard let data = decodeObject(of: NSData.self, forKey: Self.treeKey) else { return nil }
    do {
      return try PropertyListDecoder().decode([Tree].self, from: Data(referencing: data)).first
    } catch {
      failWithError(error)
      return nil
    }
  }
}

extension PropertyListEncoder {
  fileprivate static var binary: PropertyListEncoder {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return encoder
  }
}

extension CapturedID: Codable {
  /// Always throws: what a predicate holds apart exists in its process only.
  package init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "a closure cannot be decoded"))
  }

  /// Always throws: what a predicate holds apart exists in its process only.
  package func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      text, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "\(text) cannot be archived"))
  }
}

extension PredicateIdentity: Codable {
  /// Always throws: an object belongs to a store that an archive does not have.
  package init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "a managed object cannot be decoded"))
  }

  /// Always throws: an object belongs to a store that an archive does not have.
  package func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      id.predicateIdentityText,
      EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "a managed object cannot be archived"))
  }
}

extension PredicateFormatInitializing where Self: NSPredicate {
  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// A predicate that `encode(with:)` wrote; nil for anything else.
  public init?(coder: NSCoder) {
    guard let tree = coder.decodeTree(PredicateTree.self), let predicate = PredicateForm(tree).predicate as? Self else {
      return nil
    }
    self = predicate
  }
}

extension NSPredicate: @retroactive NSSecureCoding {
  /// Writes the predicate; stops the process for one with a closure or a managed object.
  public func encode(with coder: NSCoder) { coder.encodeTree(form.tree) }

  /// Does nothing: a decoded predicate holds no code.
  public func allowEvaluation() {}
}

extension SortDescriptorInitializing where Self: NSSortDescriptor {
  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// A sort descriptor that `encode(with:)` wrote; nil for anything else.
  public init?(coder: NSCoder) {
    let hasKey = coder.containsValue(forKey: "NSKey")
    let key = hasKey ? coder.decodeObject(of: NSString.self, forKey: "NSKey").map { String(describing: $0) } : nil
    guard let selector = coder.decodeObject(of: NSString.self, forKey: "NSSelector") else { return nil }
    self.init(key: key, ascending: coder.decodeBool(forKey: "NSAscending"), selector: String(describing: selector))
  }
}

extension NSSortDescriptor: @retroactive NSSecureCoding {
  /// Writes the key, the direction and the method's name; stops the process for one that compares by a closure.
  public func encode(with coder: NSCoder) {
    guard let selector else { coder.stop("a sort descriptor that compares by a closure cannot be archived") }
    if let key { coder.encode(NSString(string: key), forKey: "NSKey") }
    coder.encode(ascending, forKey: "NSAscending")
    coder.encode(NSString(string: selector), forKey: "NSSelector")
  }
}
