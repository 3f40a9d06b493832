import CoreData
import TextCanvas

extension BrowserState {
  /// Shows the model, at the entity of the list.
  mutating func showModel() {
    let entities = ModelEntities(outline?.model)
    let shown = focus == .sidebar ? outline?.entities[safe: sidebar.selected]?.name : list?.query.entity
    overlay = .model(ModelScreenState(entity: shown.flatMap { entities.index(of: $0) } ?? 0))
    revealInModel()
  }

  mutating func model(_ intent: ModelIntent) -> [Effect] {
    guard case .model(var shown) = overlay else { return [] }
    let entities = ModelEntities(outline?.model)
    switch intent {
    case .choose(let index):
      guard entities.all.indices.contains(index) else { return [] }
      if index == shown.entity, shown.side == .entities { return openModelEntity(entities.all[index].entity) }
      shown = ModelScreenState(side: .entities, entity: index, top: shown.top)
    case .chooseProperty(let index):
      if shown.side == .properties, index == shown.property { return model(.follow) }
      (shown.side, shown.property) = (.properties, index)
    case .side(let side): shown.side = side ?? (shown.side == .entities ? .properties : .entities)
    case .follow:
      guard let entity = entities.all[safe: shown.entity]?.entity else { return [] }
      guard shown.side == .properties else { return openModelEntity(entity) }
      guard let row = EntityText(entity).rows[safe: shown.property] else { return [] }
      guard let target = row.target.flatMap({ entities.index(of: $0) }) else {
        message = Message(text: "\(SafeText.visible(row.name)) leads to no entity.", kind: .warning)
        return []
      }
      shown.trail.append(ModelScreenState.Place(entity: shown.entity, property: shown.property))
      (shown.entity, shown.property, shown.line) = (target, 0, 0)
    case .back:
      guard let place = shown.trail.popLast() else {
        message = Message(text: "No relationship was followed to get here.")
        return []
      }
      (shown.entity, shown.property, shown.side) = (place.entity, place.property, .properties)
    case .copy:
      guard let entity = entities.all[safe: shown.entity]?.entity else { return [] }
      message = Message(text: "Copied \(SafeText.visible(entity.name ?? "")) in words.")
      return [.copy(ModelText.text(of: entity))]
    }
    overlay = .model(shown)
    revealInModel()
    return []
  }

  /// Leaves the model for the list of an entity.
  private mutating func openModelEntity(_ entity: NSEntityDescription) -> [Effect] {
    guard let index = outline?.entities.firstIndex(where: { $0.name == entity.name }) else {
      message = Message(text: "The store holds no \(SafeText.visible(entity.name ?? "")).", kind: .warning)
      return []
    }
    overlay = nil
    return choose(entity: index) + focus(on: .list)
  }

  /// A step on the side that has the keys.
  mutating func moveInModel(_ motion: Motion) {
    guard case .model(var shown) = overlay else { return }
    let entities = ModelEntities(outline?.model).all
    let areas = ModelLayer.Areas(size: size, entities)
    switch shown.side {
    case .entities:
      let target = motion.target(from: shown.entity, count: entities.count, height: areas.pageHeight)
      if target != shown.entity {
        shown = ModelScreenState(side: .entities, entity: target, top: shown.top)
      }
    case .properties:
      guard let entity = entities[safe: shown.entity]?.entity else { return }
      let lines = ModelLines(entity, width: areas.properties.width)
      shown.property = motion.target(
        from: shown.property, count: lines.text.rows.count, height: areas.properties.height)
    }
    overlay = .model(shown)
    revealInModel()
  }

  /// Keeps what is selected in sight; what is below the last property is seen with it.
  mutating func revealInModel() {
    guard case .model(var shown) = overlay else { return }
    let entities = ModelEntities(outline?.model).all
    let areas = ModelLayer.Areas(size: size, entities)
    shown.entity = max(0, min(shown.entity, entities.count - 1))
    if let names = areas.entities {
      shown.top = Self.reveal(shown.entity, from: shown.top, height: names.height, count: entities.count)
    }
    if let entity = entities[safe: shown.entity]?.entity {
      let lines = ModelLines(entity, width: areas.properties.width)
      shown.property = max(0, min(shown.property, lines.text.rows.count - 1))
      var range = lines.range(of: shown.property)
      if shown.property == 0 { range = 0..<range.upperBound }
      if shown.property >= lines.text.rows.count - 1 { range = range.lowerBound..<lines.lines.count }
      let height = max(1, areas.properties.height)
      if range.upperBound > shown.line + height { shown.line = range.upperBound - height }
      if range.lowerBound < shown.line { shown.line = range.lowerBound }
      shown.line = max(0, min(shown.line, lines.lines.count - height))
    }
    overlay = .model(shown)
  }
}

extension Collection {
  /// The element at an index, or `nil` beyond the ends.
  subscript(safe index: Index) -> Element? { indices.contains(index) ? self[index] : nil }
}
