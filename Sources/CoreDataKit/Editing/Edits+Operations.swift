#if os(Linux)
  import CoreData
  import Foundation

  extension Edits {
    /// Carries out an operation; what is refused changes nothing.
    func perform(_ operation: EditOperation) -> EditOutcome {
      let result: EditOutcome.Result
      do {
        result = try carryOut(operation)
      } catch {
        result = .refused(Self.words(error))
      }
      return EditOutcome(state: state(), result: result)
    }

    private func carryOut(_ operation: EditOperation) throws -> EditOutcome.Result {
      switch operation {
      case .set(let key, let property, let value):
        let title = "edit of \(entity(of: key)?.name ?? "?").\(property)"
        if try set(key, property, value) { did(.set(key, property: property, value), title) }
        return .done
      case .insert(let entity):
        let key = try insert(entity)
        did(.insert(key, entity: entity), "new \(entity)")
        return .inserted(key)
      case .delete(let keys):
        guard let first = keys.first else { return .done }
        let what = keys.count == 1 ? "\(entity(of: first)?.name ?? "object")" : "\(keys.count) objects"
        try delete(keys)
        did(.delete(keys), "delete of \(what)")
        return .done
      case .undo:
        guard let step = done.popLast() else { throw EditRefusal("there is nothing to undo") }
        undone.append(step)
        if case .restore = step.action { outdated = [:] }
        replay(done)
        return .done
      case .redo:
        guard let step = undone.last else { throw EditRefusal("there is nothing to redo") }
        if case .restore(let state) = step.action { findOutdated(state) }
        try redo(step)
        problems = [:]
        done.append(undone.removeLast())
        return .done
      case .discard:
        context.rollback()
        clear()
        return .done
      case .save: return save()
      case .resolve(let sides): return resolve(sides)
      case .restore(let state): return try takeUp(state)
      }
    }

    private func did(_ action: EditStep.Action, _ title: String) {
      done.append(EditStep(action: action, title: title))
      undone = []
      problems = [:]
    }

    // MARK: Restoring

    /// Takes up edits of an earlier run.
    private func takeUp(_ state: EditState) throws -> EditOutcome.Result {
      guard done.isEmpty else { throw EditRefusal("save or discard the edits that wait first") }
      for object in state.objects where (object.kind == .insert) != (object.key.primaryKey < 0) {
        throw EditRefusal("the edits that were kept are damaged")
      }
      findOutdated(state)
      let failures = applyRestored(state)
      did(.restore(state), "restored edits")
      return failures.isEmpty ? .done : .invalid(failures)
    }

    /// Notes the objects that the store has another version of than edits are based on, or has no more.
    private func findOutdated(_ state: EditState) {
      for entry in state.objects where entry.kind != .insert && !entry.isCascade {
        guard let object = try? object(entry.key) else {
          outdated[entry.key] = entry
          continue
        }
        let names = entry.fields.keys.filter { object.entity.attributesByName[$0] != nil }
        let isAsItWas = names.allSatisfy { base(of: object, $0) == entry.fields[$0]?.base }
        if entry.version != object.storedVersion || !isAsItWas { outdated[entry.key] = entry }
      }
    }

    func restore(_ state: EditState) throws {
      let failures = applyRestored(state)
      if let first = failures.first { throw EditRefusal(first) }
    }

    /// Does what a state says; answers what could not be done.
    private func applyRestored(_ state: EditState) -> [String] {
      var failures: [String] = []
      func attempt(_ what: String, _ body: () throws -> Void) {
        do { try body() } catch { failures.append("\(what): \(Self.words(error))") }
      }
      for entry in state.objects where entry.kind == .insert {
        attempt("new \(entry.entity)") { _ = try insert(entry.entity, as: entry.key) }
      }
      for entry in state.objects where entry.kind != .delete && !isGone(entry.key) {
        for (name, field) in entry.fields.sorted(by: { $0.key < $1.key }) where field.mine != field.base {
          attempt("\(entry.entity).\(name)") {
            _ = try set(entry.key, name, try merged(field, name, of: entry.key))
          }
        }
      }
      for entry in state.objects where entry.kind == .delete && !entry.isCascade && !isGone(entry.key) {
        attempt("delete of \(entry.entity)") {
          if try !object(entry.key).isDeleted { try delete([entry.key]) }
        }
      }
      return failures
    }

    private func isGone(_ key: ObjectKey) -> Bool { outdated[key] != nil && (try? object(key)) == nil }

    /// The value that a restored field leads to: of a to-many relationship what came and went, laid over what is there now.
    private func merged(_ field: EditState.Field, _ name: String, of key: ObjectKey) throws -> PropertyValue {
      let object = try object(key)
      guard object.entity.relationshipsByName[name]?.isToMany == true, case .objects(let mine) = field.mine,
        case .objects(let now) = value(of: object, name)
      else { return field.mine }
      let base: [ObjectKey] = if case .objects(let keys) = field.base { keys } else { [] }
      if now == base { return field.mine }
      let (before, after) = (Set(base), Set(mine))
      let kept = now.filter { !before.contains($0) || after.contains($0) }
      return .objects(kept + mine.filter { !before.contains($0) && !kept.contains($0) })
    }
  }
#endif
