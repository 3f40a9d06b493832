#if os(Linux)
  import CoreData
  import Foundation

  extension Edits {
    /// Validates and saves.
    func save() -> EditOutcome.Result {
      let waiting = state()
      if waiting.isEmpty {
        context.rollback()
        clear()
        return .saved(count: 0, keys: [:])
      }
      if !outdated.isEmpty {
        return .conflicts(waiting.objects.compactMap { outdated[$0.key] }.map(conflict(restored:)))
      }
      // Commits of others between two attempts that concern no edit are taken in silently, a few times.
      for _ in 0..<Self.attempts {
        let new = created
        do {
          try context.save()
          let keys = new.compactMapValues(\.objectKey)
          clear()
          return .saved(count: waiting.objects.count, keys: keys)
        } catch {
          let objects = Self.conflicting(error)
          guard !objects.isEmpty else { return failed(error) }
          let conflicts = objects.compactMap(conflict(of:))
          if !conflicts.isEmpty { return .conflicts(conflicts) }
          let failures = replay(done, rebased: Set(objects.compactMap { key(of: $0) }))
          if !failures.isEmpty { return .invalid(failures) }
        }
      }
      return .refused("others keep changing the same objects: save again")
    }

    private static let attempts = 5

    /// Settles conflicts, then saves.
    func resolve(_ sides: [ObjectKey: [String: EditConflict.Side]]) -> EditOutcome.Result {
      let waiting = state()
      var parked: [EditState.Object] = []
      undone = []
      for (key, choices) in sides {
        let entry = waiting[key]
        let isGone = present(key) == nil
        if isGone, choices[""] == .mine, let entry {
          parked.append(entry)
          drop(key)
        } else if isGone || entry?.kind == .delete && choices.values.contains(.theirs) {
          drop(key)
        } else {
          for (property, side) in choices where side == .theirs { drop(key, property: property) }
        }
        outdated[key] = nil
      }
      let failures = replay(done, rebased: Set(sides.keys))
      let result = failures.isEmpty ? save() : .invalid(failures)
      for entry in parked { outdated[entry.key] = entry }
      if !parked.isEmpty {
        var state = EditState()
        state.objects = parked
        done.append(EditStep(action: .restore(state), title: "edits of objects that are gone"))
      }
      return result
    }

    private func drop(_ key: ObjectKey, property: String? = nil) {
      done = done.compactMap { $0.without(key, property: property) }
    }

    // MARK: Errors

    private static func conflicting(_ error: any Error) -> [NSManagedObject] {
      let error = error as NSError
      guard error.domain == NSCocoaErrorDomain, error.code == NSManagedObjectMergeError else { return [] }
      let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
      return conflicts.map(\.sourceObject)
    }

    /// What a save that failed tells, apart from conflicts.
    private func failed(_ error: any Error) -> EditOutcome.Result {
      let error = error as NSError
      guard error.domain == NSCocoaErrorDomain, (1_550..<1_700).contains(error.code) else {
        return .refused(Self.words(error))
      }
      let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
      problems = [:]
      return .invalid(errors.map { validationLine($0) })
    }

    private func validationLine(_ error: NSError) -> String {
      let words = Self.words(error)
      guard let object = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject, let key = key(of: object)
      else {
        return words
      }
      if let name = error.userInfo[NSValidationKeyErrorKey] as? String { problems[key, default: [:]][name] = words }
      return "\(title(of: object)): \(words)"
    }

    // MARK: Conflicts

    /// What an object with a newer version in the store differs in; `nil` when no edit of the person's is at stake.
    private func conflict(of object: NSManagedObject) -> EditConflict? {
      guard let key = key(of: object) else { return nil }
      let theirs = present(key)
      let isChosen = done.contains { $0.deletedKeys.contains(key) }
      if object.isDeleted {
        // It is gone, as it should be.
        if theirs == nil { drop(key) }
        if theirs == nil || !isChosen { return nil }
      }
      let edited = editedProperties()[key] ?? []
      if !object.isDeleted, edited.isEmpty { return nil }
      let names = object.entity.listedPropertyNames.filter { isCompared($0, of: object, edited) }
      let fields = names.compactMap { name -> EditConflict.Field? in
        let base = base(of: object, name)
        let now = theirs.map { $0[name] ?? base } ?? .null
        let mine: PropertyValue = object.isDeleted ? .null : value(of: object, name)
        guard edited.contains(name) || theirs != nil && now != base else { return nil }
        return EditConflict.Field(property: name, base: base, mine: mine, theirs: now)
      }
      return EditConflict(
        key: key, entity: object.entity.name ?? "", title: displayName(of: object), isGone: theirs == nil,
        fields: fields)
    }

    /// To-many relationships are merged, not compared, unless they were edited.
    private func isCompared(_ name: String, of object: NSManagedObject, _ edited: Set<String>) -> Bool {
      edited.contains(name) || object.entity.relationshipsByName[name]?.isToMany != true
    }

    private func conflict(restored entry: EditState.Object) -> EditConflict {
      let theirs = present(entry.key)
      let object = try? object(entry.key)
      let fields = entry.fields.sorted { $0.key < $1.key }.map { name, field in
        EditConflict.Field(
          property: name, base: field.base, mine: field.mine, theirs: theirs.map { $0[name] ?? .null } ?? .null)
      }
      return EditConflict(
        key: entry.key, entity: entry.entity, title: object.flatMap { displayName(of: $0) }, isGone: theirs == nil,
        fields: fields)
    }

    /// The values that the store holds for an object now, whoever wrote them; `nil` when it is gone.
    private func present(_ key: ObjectKey) -> [String: PropertyValue]? {
      present.performAndWait {
        defer { present.reset() }
        guard key.primaryKey > 0, let object = try? present.object(for: key) else { return nil }
        var values: [String: PropertyValue] = [:]
        for name in object.entity.listedPropertyNames {
          values[name] = PropertyValue(object, property: name).ordered(by: object.entity, name)
        }
        return values
      }
    }

    // MARK: Names

    /// The name of an object for people, where it has one.
    func displayName(of object: NSManagedObject) -> String? {
      object.entity.titleKey.flatMap { object.value(forKey: $0) as? String }
    }

    /// The entity and what tells the object from others.
    private func title(of object: NSManagedObject) -> String {
      let entity = object.entity.name ?? "object"
      if let name = displayName(of: object), !name.isEmpty { return "\(entity) \(name)" }
      guard !object.objectID.isTemporaryID, let key = object.objectKey else { return "new \(entity)" }
      return "\(entity) p\(key.primaryKey)"
    }
  }
#endif
