#if os(Linux)
  import CoreData
  import Foundation

  /// The edits of one session: what was done, in order, and the context that shows what comes of it.
  ///
  /// Lives on the context's queue. The context holds unsaved changes only; what `undo` takes back is found by doing the steps
  /// before it anew, on the rows that the edits are based on.
  final class Edits {
    let context: NSManagedObjectContext
    /// Reads what the store holds now, apart from the edits.
    let present: NSManagedObjectContext
    var done: [EditStep] = []
    var undone: [EditStep] = []
    /// New objects by the keys that they have until they are saved, and back.
    private(set) var created: [ObjectKey: NSManagedObject] = [:]
    private var createdKeys: [NSManagedObjectID: ObjectKey] = [:]
    /// The keys that the context gives to new objects, which differ each time the steps are done, to those they have here.
    private var contextKeys: [ObjectKey: ObjectKey] = [:]
    /// Objects whose rows the edits are based on, while the steps are done anew.
    private var based: [ObjectKey: NSManagedObject] = [:]
    private var lastNumber: Int64 = 0
    private var numbers: [String: Int32] = [:]
    /// Restored objects that the store has a newer version of, as they were restored.
    var outdated: [ObjectKey: EditState.Object] = [:]
    /// Why properties could not be saved, as the last save found.
    var problems: [ObjectKey: [String: String]] = [:]

    init(context: NSManagedObjectContext, present: NSManagedObjectContext) {
      self.context = context
      self.present = present
    }

    // MARK: Objects and keys

    /// The object with a key, its row read; one without edits is read as the store has it now.
    func object(_ key: ObjectKey) throws -> NSManagedObject {
      if let known = created[key] ?? based[key] { return known }
      guard key.primaryKey > 0, let id = try context.objectID(for: key) else { throw EditRefusal("the object is gone") }
      if let known = context.registeredObject(for: id) {
        if known.isDeleted || known.hasChanges { return known }
        context.refresh(known, mergeChanges: false)
      }
      do {
        return try context.existingObject(with: id)
      } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
        throw EditRefusal("\(id.entity.name ?? "object") p\(key.primaryKey) is gone from the store")
      }
    }

    /// The key of an object; a new one that has none yet gets one.
    func key(of object: NSManagedObject) -> ObjectKey? {
      guard object.objectID.isTemporaryID else { return object.objectKey }
      if let key = createdKeys[object.objectID] { return key }
      guard let number = try? number(ofEntity: object.entity.name ?? "") else { return nil }
      let key = nextKey(entity: number)
      adopt(object, as: key)
      return key
    }

    /// The key that an object has here which the context knows by `key`.
    func ownKey(_ key: ObjectKey) -> ObjectKey { key.primaryKey < 0 ? contextKeys[key] ?? key : key }

    private func adopt(_ object: NSManagedObject, as key: ObjectKey) {
      created[key] = object
      createdKeys[object.objectID] = key
      if let contextKey = object.objectKey { contextKeys[contextKey] = key }
      lastNumber = max(lastNumber, -key.primaryKey)
    }

    private func nextKey(entity number: Int32) -> ObjectKey {
      lastNumber += 1
      return ObjectKey(entity: number, primaryKey: -lastNumber)
    }

    /// The number of an entity in the store.
    func number(ofEntity name: String) throws -> Int32 {
      if numbers.isEmpty {
        for entity in try context.listStoreSummary().entities { numbers[entity.entity.name ?? ""] = entity.number }
      }
      guard let number = numbers[name] else { throw EditRefusal("the store has no entity \(name)") }
      return number
    }

    /// The entity of a key.
    func entity(of key: ObjectKey) -> NSEntityDescription? {
      if let object = created[key] ?? based[key] { return object.entity }
      return try? context.objectID(for: ObjectKey(entity: key.entity, primaryKey: 1))?.entity
    }

    // MARK: Doing

    /// Gives a property a value; `false` when it has that value already.
    func set(_ key: ObjectKey, _ name: String, _ value: PropertyValue) throws -> Bool {
      let object = try object(key)
      let property = try editableProperty(name, of: object)
      if object.isDeleted { throw EditRefusal("the object will be deleted: undo that first") }
      let stored = try stored(value, in: property)
      if self.value(of: object, name) == value.ordered(by: object.entity, name) { return false }
      object.setValue(stored, forKey: name)
      context.processPendingChanges()
      return true
    }

    func editableProperty(_ name: String, of object: NSManagedObject) throws -> NSPropertyDescription {
      guard let property = object.entity.propertiesByName[name] else {
        throw EditRefusal("\(object.entity.name ?? "the entity") has no property \(name)")
      }
      try checkEditable(object.entity)
      guard !(property is NSDerivedAttributeDescription), !property.isReadOnly,
        object.entity.listedPropertyNames.contains(name)
      else {
        throw EditRefusal("\(name) cannot be edited: it is computed")
      }
      return property
    }

    /// Refuses what no edit of can ever be saved, such as a view of a plain database.
    private func checkEditable(_ entity: NSEntityDescription) throws {
      if let refusal = entity.editRefusal { throw EditRefusal(refusal) }
    }

    /// Makes a new object; `key` is the one it had when this was done before.
    func insert(_ name: String, as key: ObjectKey? = nil) throws -> ObjectKey {
      let number = try number(ofEntity: name)
      guard let entity = NSEntityDescription.entity(forEntityName: name, in: context), !entity.isAbstract else {
        throw EditRefusal("\(name) is abstract: it has no objects of its own")
      }
      try checkEditable(entity)
      let key = key ?? nextKey(entity: number)
      adopt(NSEntityDescription.insertNewObject(forEntityName: name, into: context), as: key)
      context.processPendingChanges()
      return key
    }

    /// Deletes objects, and what the rules take along.
    func delete(_ keys: [ObjectKey]) throws {
      let objects = try keys.map { try object($0) }
      for object in objects { try checkEditable(object.entity) }
      objects.forEach(context.delete)
      context.processPendingChanges()
    }

    /// Does a step again.
    func redo(_ step: EditStep) throws {
      switch step.action {
      case .set(let key, let property, let value): _ = try set(key, property, value)
      case .insert(let key, let entity): _ = try insert(entity, as: key)
      case .delete(let keys): try delete(keys)
      case .restore(let state): try restore(state)
      }
    }

    /// Forgets what the context holds and does steps anew, on the rows that the edits were based on.
    ///
    /// `rebased` names the objects whose edits are based on what the store holds now instead. Answers why steps could not be
    /// done.
    @discardableResult func replay(_ steps: [EditStep], rebased: Set<ObjectKey> = []) -> [String] {
      for object in context.updatedObjects.union(context.deletedObjects) {
        if let key = key(of: object) { based[key] = object }
      }
      defer { based = [:] }
      context.rollback()
      forgetCreated()
      problems = [:]
      for key in rebased {
        if let object = based.removeValue(forKey: key) { context.refresh(object, mergeChanges: false) }
      }
      var failures: [String] = []
      for step in steps {
        do { try redo(step) } catch { failures.append("\(step.title): \(Self.words(error))") }
      }
      return failures
    }

    /// Forgets everything.
    func clear() {
      (done, undone, outdated, problems) = ([], [], [:], [:])
      forgetCreated()
    }

    private func forgetCreated() { (created, createdKeys, contextKeys) = ([:], [:], [:]) }
  }
#endif
