import CoreData
import TextCanvas

/// The model over the whole screen: where it came from, its entities, and one of them with its properties.
struct ModelLayer: SheetLayer {
  static let scope = Command.Scope.model

  /// Where everything stands.
  struct Areas {
    var frame: Rect
    /// Where the model came from.
    var source: Rect
    /// The names of the entities; `nil` where there is room for one side only.
    var entities: Rect?
    var properties: Rect

    init(size: Size, _ entities: [(entity: NSEntityDescription, depth: Int)]) {
      let screen = Rect(size: size)
      frame = size.height >= 8 ? screen.top(1).rest.bottom(1).rest : screen
      let inside = Layout.hasFrame(frame) ? frame.inset(by: 1).inset(horizontal: 1, vertical: 0) : frame
      let head = inside.height > 5 ? 2 : 0
      source = inside.top(head).part.row(0)
      let body = inside.top(head).rest
      let widest =
        entities.map { CellWidth.width(of: SafeText.visible($0.entity.name ?? "")) + 2 * $0.depth }.max() ?? 0
      if body.width >= 60 {
        let (names, rest) = body.leading(min(widest + 2, body.width / 3))
        self.entities = names
        properties = rest.leading(3).rest
      } else {
        properties = body
      }
    }

    /// The lines of a page of entities.
    var pageHeight: Int { max(1, entities?.height ?? properties.height) }
  }

  func frame(_ state: BrowserState) -> Rect { Areas(size: state.size, []).frame }

  func intent(at point: Point, isDouble: Bool, _ state: BrowserState) -> Intent? {
    guard case .model(let shown) = state.overlay else { return nil }
    let entities = ModelEntities(state.outline?.model).all
    let areas = Areas(size: state.size, entities)
    if let names = areas.entities, names.contains(point) { return .model(.choose(shown.top + point.y - names.y)) }
    guard areas.properties.contains(point), let entity = entities[safe: shown.entity]?.entity else { return nil }
    let lines = ModelLines(entity, width: areas.properties.width).lines
    return lines[safe: shown.line + point.y - areas.properties.y]?.property.map { .model(.chooseProperty($0)) }
  }

  func draw(_ state: BrowserState, _ keymap: Keymap, into canvas: inout Canvas) -> Point? {
    guard case .model(let shown) = state.overlay else { return nil }
    let entities = ModelEntities(state.outline?.model).all
    let areas = Areas(size: state.size, entities)
    canvas.fill(areas.frame, style: Style())
    drawFrame(shown, entities.count, areas, into: &canvas)
    canvas.write(source(of: state), in: areas.source)
    if let names = areas.entities { draw(entities, shown, state, in: names, into: &canvas) }
    guard let entity = entities[safe: shown.entity]?.entity else {
      Notice(lines: [Piece("The model has no entities.", Style(.dim))]).draw(in: areas.properties, into: &canvas)
      return nil
    }
    let lines = ModelLines(entity, width: areas.properties.width).lines
    for row in 0..<areas.properties.height {
      guard let line = lines[safe: shown.line + row] else { break }
      let rect = areas.properties.row(row)
      let isSelected = shown.side == .properties && line.property == shown.property
      if isSelected { canvas.fill(rect, style: Style(.text, wash: .selected)) }
      let pieces = line.pieces.map { piece in
        var style = piece.style
        if isSelected { style.wash = .selected }
        return Piece(piece.text, style)
      }
      canvas.write(pieces, in: rect)
    }
    return nil
  }

  private func drawFrame(_ shown: ModelScreenState, _ count: Int, _ areas: Areas, into canvas: inout Canvas) {
    guard Layout.hasFrame(areas.frame) else { return }
    canvas.box(areas.frame, style: Style(.accent, [.bold]))
    let top = Rect(x: areas.frame.x + 2, y: areas.frame.y, width: areas.frame.width - 4, height: 1)
    canvas.write(" Model ", in: top, style: Style(.accent, [.bold]))
    let bottom = Rect(x: top.x, y: areas.frame.maxY - 1, width: top.width, height: 1)
    let footer = count == 0 ? "" : " \(shown.entity + 1) of \(count) "
    canvas.write(footer, in: bottom, alignment: .trailing, style: Style(.dim))
    guard let names = areas.entities else { return }
    for row in 0..<names.height {
      canvas.write("│", at: Point(x: names.maxX + 1, y: names.y + row), style: Style(.border))
    }
  }

  /// Where the model came from, and which version of it that is.
  private func source(of state: BrowserState) -> [Piece] {
    guard let outline = state.outline else { return [] }
    let identifiers = outline.model?.versionIdentifiers.map { "\($0)" }.filter { !$0.isEmpty }.sorted() ?? []
    var pieces = [Piece(SafeText.visible(outline.modelSource), Style(.text))]
    if !identifiers.isEmpty {
      pieces.append(Piece("   version " + SafeText.visible(identifiers.joined(separator: ", ")), Style(.dim)))
    }
    // The hashes of an inferred model are no store's.
    if !outline.isPlain, !outline.modelSource.hasSuffix("inferred"), let model = outline.model {
      pieces.append(Piece("   checksum " + model.versionChecksum, Style(.dim)))
    }
    return pieces
  }

  private func draw(
    _ entities: [(entity: NSEntityDescription, depth: Int)], _ shown: ModelScreenState, _ state: BrowserState,
    in rect: Rect, into canvas: inout Canvas
  ) {
    for row in 0..<rect.height {
      guard let (entity, depth) = entities[safe: shown.top + row] else { break }
      let isSelected = shown.top + row == shown.entity
      let wash: Role? = isSelected ? (shown.side == .entities ? .selected : .inactiveSelection) : nil
      let line = rect.row(row)
      if let wash { canvas.fill(line, style: Style(.text, wash: wash)) }
      canvas.write(
        SafeText.visible(entity.name ?? ""), in: line.leading(1 + 2 * depth).rest,
        style: Style(entity.isAbstract ? .dim : isSelected ? .accent : .text, wash: wash, isSelected ? [.bold] : []))
    }
  }
}
