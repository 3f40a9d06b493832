import Synchronization

/// An object and the context it belongs to.
///
/// Sendable is unchecked: the object is given only to the context that registered it, which runs on its own queue; other
/// threads compare the context's identity and touch nothing else.
struct Registration: @unchecked Sendable {
  let context: ObjectIdentifier
  var object: NSManagedObject
}

/// The live objects of one id, at most one a context.
///
/// Held strongly, not weakly: one weak reference gives an object a side table, and from then on every retain and release
/// of it takes ten times as long. The context lets go of the objects that nobody else holds (`RegisteredObjects`). Most ids
/// are known to a single context, so the first registration needs no array.
struct Registrations {
  private var first: Registration?
  private var others: [Registration] = []

  /// The object that a context has for the id, unless only this registration holds it.
  mutating func held(in context: ObjectIdentifier) -> Registration? {
    guard isHeld(in: context) else { return nil }
    return first?.context == context ? first : others.first { $0.context == context }
  }

  /// Makes an object the context's own for the id; answers the registration that it replaces.
  mutating func register(_ registration: Registration) -> Registration? {
    if first == nil || first?.context == registration.context {
      defer { first = registration }
      return first
    }
    let replaced = remove(from: registration.context)
    others.append(registration)
    return replaced
  }

  /// Forgets the context's object, and answers it, so that its end comes after the id's lock is given back.
  mutating func remove(from context: ObjectIdentifier) -> Registration? {
    if first?.context == context {
      defer { first = nil }
      return first
    }
    return others.firstIndex { $0.context == context }.map { others.remove(at: $0) }
  }

  /// Whether anybody besides this registration holds the context's object.
  mutating func isHeld(in context: ObjectIdentifier) -> Bool {
    if first?.context == context, var entry = first {
      // Taken out for the moment, so that the entry is the only reference from here.
      first = nil
      defer { first = entry }
      return !isKnownUniquelyReferenced(&entry.object)
    }
    guard let index = others.firstIndex(where: { $0.context == context }) else { return false }
    return !isKnownUniquelyReferenced(&others[index].object)
  }
}

/// The ids whose objects a context has.
///
/// Objects that nobody else holds are let go whenever there are twice as many as were held the last time; until then
/// `NSManagedObjectContext` treats them as gone (reference/CONTEXT.md 17).
struct RegisteredObjects {
  private var ids: [NSManagedObjectID] = []
  private var sweepAt = 1_024

  /// Registers an object with its id.
  mutating func add(_ object: NSManagedObject, for id: NSManagedObjectID, in context: ObjectIdentifier) {
    if ids.count >= sweepAt { letGo(in: context) }
    let registration = Registration(context: context, object: object)
    let replaced = id.slot.withLock { $0.registrations.register(registration) }
    if replaced == nil { ids.append(id) }
  }

  /// Gives a new object its permanent id.
  mutating func rename(_ object: NSManagedObject, to id: NSManagedObjectID, in context: ObjectIdentifier) {
    guard object.objectID !== id else { return }
    _ = object.objectID.slot.withLock { $0.registrations.remove(from: context) }
    object.objectID = id
    add(object, for: id, in: context)
  }

  /// Lets go of the objects that nobody else holds.
  mutating func letGo(in context: ObjectIdentifier) {
    ids.removeAll { id in
      // The object's end comes after the lock is given back.
      let (isHeld, unheld) = id.slot.withLock { slot in
        slot.registrations.isHeld(in: context) ? (true, nil) : (false, slot.registrations.remove(from: context))
      }
      return withExtendedLifetime(unheld) { !isHeld }
    }
    sweepAt = max(1_024, ids.count * 2)
  }

  /// The objects that somebody holds.
  func held(in context: ObjectIdentifier) -> [NSManagedObject] {
    ids.compactMap { id in id.slot.withLock { $0.registrations.held(in: context) }?.object }
  }

  /// Forgets one object, also while it is held.
  mutating func remove(_ id: NSManagedObjectID, from context: ObjectIdentifier) {
    let last = id.slot.withLock { $0.registrations.remove(from: context) }
    withExtendedLifetime(last) {}
  }

  /// Forgets all objects, also those that are held; answers these.
  @discardableResult
  mutating func removeAll(from context: ObjectIdentifier) -> [NSManagedObject] {
    let held = held(in: context)
    for id in ids {
      let last = id.slot.withLock { $0.registrations.remove(from: context) }
      withExtendedLifetime(last) {}
    }
    ids = []
    sweepAt = 1_024
    return held
  }
}
