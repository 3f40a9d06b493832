#if os(Linux)
  import CoreData
  import Foundation

  extension Edits {
    /// The edits that wait to be saved.
    func state() -> EditState {
      var state = EditState()
      let chosen = Set(done.flatMap(\.deletedKeys))
      let edited = editedProperties()
      var objects: [ObjectKey: EditState.Object] = [:]
      for (kind, group) in [
        (StoreChanges.Change.Kind.insert, context.insertedObjects), (.update, context.updatedObjects),
        (.delete, context.deletedObjects),
      ] {
        for object in group {
          guard let key = key(of: object),
            let entry = entry(for: object, key: key, kind: kind, chosen, edited)
          else { continue }
          objects[key] = entry
        }
      }
      for (key, object) in outdated where objects[key] == nil { objects[key] = object }
      state.objects = inOrder(objects)
      state.undoTitle = done.last?.title
      state.redoTitle = undone.last?.title
      return state
    }

    private func entry(
      for object: NSManagedObject, key: ObjectKey, kind: StoreChanges.Change.Kind, _ chosen: Set<ObjectKey>,
      _ edited: [ObjectKey: Set<String>]
    ) -> EditState.Object? {
      var entry = EditState.Object(key: key, entity: object.entity.name ?? "", kind: kind)
      let restored = outdated[key]
      if kind != .insert { entry.version = restored?.version ?? object.storedVersion }
      switch kind {
      case .delete:
        // An object whose row turned out to be missing counts as deleted: nobody's edit.
        guard entry.version != nil else { return nil }
        entry.isCascade = !chosen.contains(key)
        return entry
      case .insert: entry.fields = newFields(of: object)
      case .update: entry.fields = changedFields(of: object, edited: edited[key] ?? [], restored)
      }
      for (name, problem) in problems[key] ?? [:] {
        let mine = value(of: object, name)
        entry.fields[name, default: .init(base: mine, mine: mine)].problem = problem
      }
      return kind == .update && entry.fields.isEmpty ? nil : entry
    }

    private func newFields(of object: NSManagedObject) -> [String: EditState.Field] {
      var fields: [String: EditState.Field] = [:]
      for name in object.entity.listedPropertyNames {
        guard let property = object.entity.propertiesByName[name] else { continue }
        let mine = value(of: object, name)
        let problem = problem(with: object.value(forKey: name), of: property, in: object)
        if mine != .null && mine != .objects([]) || problem != nil {
          fields[name] = .init(base: .null, mine: mine, problem: problem)
        }
      }
      return fields
    }

    /// A to-many relationship that only follows from the other end is left out: that end tells it already, and the whole can
    /// be large.
    private func changedFields(
      of object: NSManagedObject, edited: Set<String>, _ restored: EditState.Object?
    ) -> [String: EditState.Field] {
      var fields: [String: EditState.Field] = [:]
      let names = object.changedKeys.filter { name in
        guard let relationship = object.entity.relationshipsByName[name], relationship.isToMany else { return true }
        return edited.contains(name) || relationship.inverseRelationship?.isToMany ?? true
      }
      for name in names {
        guard let property = object.entity.propertiesByName[name] else { continue }
        let base = restored?.fields[name]?.base ?? base(of: object, name)
        let mine = value(of: object, name)
        guard base != mine else { continue }
        fields[name] = .init(
          base: base, mine: mine, problem: problem(with: object.value(forKey: name), of: property, in: object))
      }
      return fields
    }

    /// The properties that were edited by themselves, by object.
    func editedProperties() -> [ObjectKey: Set<String>] {
      done.reduce(into: [:]) { $0.merge($1.properties) { $0.union($1) } }
    }

    /// In the order they were first touched; those that only rules and inverses touched come last, by key.
    private func inOrder(_ objects: [ObjectKey: EditState.Object]) -> [EditState.Object] {
      var rest = objects
      var ordered = done.flatMap(\.keys).compactMap { rest.removeValue(forKey: $0) }
      ordered += rest.values.sorted { ($0.key.entity, $0.key.primaryKey) < ($1.key.entity, $1.key.primaryKey) }
      return ordered
    }

    // MARK: Values that cannot be saved

    /// Why a value cannot be saved as a property of an object; `nil` when it can.
    func problem(with value: Any?, of property: NSPropertyDescription, in object: NSManagedObject) -> String? {
      var value = value
      do {
        try object.validateValue(&value, forKey: property.name)
        return nil
      } catch {
        return Self.words(error)
      }
    }

    /// Why a value that was typed cannot be saved as a property of an object; nothing is changed.
    func problem(with value: PropertyValue, of name: String, in key: ObjectKey) -> String? {
      do {
        let object = try object(key)
        let property = try editableProperty(name, of: object)
        return problem(with: try stored(value, in: property), of: property, in: object)
      } catch {
        return Self.words(error)
      }
    }

    /// What a save would change, for those who only want to know; throws what validation finds.
    func dryRun(author: String?, now: Date) throws -> StoreChanges {
      var errors: [any Error] = []
      for object in context.insertedObjects { do { try object.validateForInsert() } catch { errors.append(error) } }
      for object in context.updatedObjects { do { try object.validateForUpdate() } catch { errors.append(error) } }
      for object in context.deletedObjects { do { try object.validateForDelete() } catch { errors.append(error) } }
      if errors.count == 1 { throw errors[0] }
      if !errors.isEmpty {
        throw NSError(
          domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError,
          userInfo: [
            NSLocalizedDescriptionKey: errors.map(Self.words).joined(separator: "; "), NSDetailedErrorsKey: errors,
          ])
      }
      let changes = state().objects.map { object in
        StoreChanges.Change(object.kind, object.key, properties: values(of: object), isOwn: true)
      }
      return StoreChanges(
        changes, date: now, transaction: .init(author: author, context: context.name), source: .save)
    }

    private func values(of entry: EditState.Object) -> [String: StoreChanges.Change.Values]? {
      switch entry.kind {
      case .insert: return entry.fields.mapValues { .init(old: nil, new: $0.mine) }
      case .update: return entry.fields.mapValues { .init(old: $0.base, new: $0.mine) }
      case .delete:
        guard let object = try? object(entry.key) else { return nil }
        let names = object.entity.listedPropertyNames.filter {
          !((object.entity.relationshipsByName[$0]?.isToMany) ?? false)
        }
        var values: [String: StoreChanges.Change.Values] = [:]
        for name in names {
          let old = base(of: object, name)
          if old != .null { values[name] = .init(old: old, new: nil) }
        }
        return values
      }
    }
  }
#endif
