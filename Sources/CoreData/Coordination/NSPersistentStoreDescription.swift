import Foundation

/// How a container opens a store.
///
/// Source: Apple, "NSPersistentStoreDescription"; reference/CONTEXT.md 104.
public final class NSPersistentStoreDescription: NSObject, NSCopying {
  /// Where the store lies; `/dev/null` for one in memory.
  public var url: URL?
  /// The store's type; SQLite unless set.
  public var type = NSSQLiteStoreType
  /// Which entities the store holds: the name of one of the model's configurations; `nil` for all.
  public var configuration: String?
  /// Options by name.
  public private(set) var options: [String: NSObject] = [:]
  /// Whether the store is added on another queue while the caller goes on.
  public var shouldAddStoreAsynchronously = false
  /// Whether a store of another model is migrated when it is added.
  public var shouldMigrateStoreAutomatically = true
  /// Whether the mapping of a migration is inferred from the models.
  public var shouldInferMappingModelAutomatically = true

  /// A SQLite store at a URL.
  public init(url: URL) { self.url = url }

  /// A SQLite store whose place has yet to be said.
  public override init() {}

  /// Sets an option; `nil` takes it away.
  public func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

  /// Whether the store is only read.
  public var isReadOnly: Bool {
    get { (options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false }
    set { setOption(newValue ? NSNumber(value: true) : nil, forKey: NSReadOnlyPersistentStoreOption) }
  }

  /// How many seconds to wait for a store that another process has locked; 240 unless set.
  public var timeout: TimeInterval {
    get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
    set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
  }

  /// The pragmas that are set on each connection.
  public var sqlitePragmas: [String: NSObject] {
    (options[NSSQLitePragmasOption] as? NSDictionary as? [String: NSObject]) ?? [:]
  }

  /// Sets a pragma; `nil` takes it away.
  public func setValue(_ value: NSObject?, forPragmaNamed name: String) {
    var pragmas = sqlitePragmas
    pragmas[name] = value
    setOption(pragmas.isEmpty ? nil : pragmas as NSDictionary, forKey: NSSQLitePragmasOption)
  }

  /// A description of its own that says the same.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentStoreDescription()
    (copy.url, copy.type, copy.configuration, copy.options) = (url, type, configuration, options)
    copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
    copy.shouldMigrateStoreAutomatically = shouldMigrateStoreAutomatically
    copy.shouldInferMappingModelAutomatically = shouldInferMappingModelAutomatically
    return copy
  }

  /// Descriptions are equal when they say the same.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentStoreDescription else { return false }
    return (url, type, configuration) == (other.url, other.type, other.configuration) && options == other.options
      && shouldAddStoreAsynchronously == other.shouldAddStoreAsynchronously
      && shouldMigrateStoreAutomatically == other.shouldMigrateStoreAutomatically
      && shouldInferMappingModelAutomatically == other.shouldInferMappingModelAutomatically
  }

  /// A hash by place.
  public override var hash: Int { url.hashValue }

  /// All options, as a coordinator takes them.
  var allOptions: [AnyHashable: Any] {
    var all: [AnyHashable: Any] = options
    all[NSPersistentStoreTimeoutOption] = NSNumber(value: timeout)
    all[NSMigratePersistentStoresAutomaticallyOption] = NSNumber(value: shouldMigrateStoreAutomatically)
    all[NSInferMappingModelAutomaticallyOption] = NSNumber(value: shouldInferMappingModelAutomatically)
    return all
  }
}
