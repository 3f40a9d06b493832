#if os(Linux)
  import CoreData

  /// Something a person did to objects, so that it can be done again.
  struct EditStep {
    /// What was done.
    enum Action {
      case set(ObjectKey, property: String, PropertyValue)
      case insert(ObjectKey, entity: String)
      case delete([ObjectKey])
      case restore(EditState)
    }

    var action: Action
    /// What it was, in words.
    var title: String

    /// The objects that the step was aimed at, in the order they were named.
    var keys: [ObjectKey] {
      switch action {
      case .set(let key, _, _), .insert(let key, _): [key]
      case .delete(let keys): keys
      case .restore(let state): state.objects.map(\.key)
      }
    }

    /// The objects that the step deletes by itself, not by a rule.
    var deletedKeys: [ObjectKey] {
      switch action {
      case .delete(let keys): keys
      case .restore(let state): state.objects.filter { $0.kind == .delete && !$0.isCascade }.map(\.key)
      default: []
      }
    }

    /// The properties that the step sets, by object.
    var properties: [ObjectKey: Set<String>] {
      switch action {
      case .set(let key, let property, _): [key: [property]]
      case .restore(let state):
        Dictionary(
          state.objects.filter { $0.kind != .delete }.map { ($0.key, Set($0.fields.keys)) },
          uniquingKeysWith: { $0.union($1) })
      default: [:]
      }
    }

    /// The step without what it does to a property of an object, or to the object at all; `nil` when nothing is left.
    func without(_ key: ObjectKey, property: String? = nil) -> EditStep? {
      var step = self
      switch action {
      case .set(key, let name, _): return property == nil || property == name ? nil : self
      case .insert(key, _): return property == nil ? nil : self
      case .delete(let keys):
        guard property == nil else { return self }
        let rest = keys.filter { $0 != key }
        step.action = .delete(rest)
        return rest.isEmpty ? nil : step
      case .restore(var state):
        if let property {
          for index in state.objects.indices where state.objects[index].key == key {
            state.objects[index].fields[property] = nil
          }
          state.objects.removeAll { $0.key == key && $0.kind == .update && $0.fields.isEmpty }
        } else {
          state.objects.removeAll { $0.key == key }
        }
        step.action = .restore(state)
        return state.objects.isEmpty ? nil : step
      default: return self
      }
    }
  }
#endif
