import CoreData
import TextCanvas

extension BrowserState {
  /// The pane some steps further on, in reading order, around the corner.
  func pane(after step: Int) -> Pane {
    let count = Pane.allCases.count
    return Pane(rawValue: ((focus.rawValue + step) % count + count) % count) ?? .list
  }

  /// Gives the keys to a pane.
  mutating func focus(on pane: Pane) -> [Effect] {
    focus = pane
    return settle()
  }

  /// A step in whatever has the keys.
  mutating func move(_ motion: Motion) -> [Effect] {
    if overlay != nil {
      moveInOverlay(motion)
      return []
    }
    switch focus {
    case .list: return moveAmongNew(motion) ?? changeList { $0.move(motion, height: $1) }
    case .sidebar:
      let last = sidebarCount - 1
      let step = motion.rows(height: sidebarHeight) ?? (motion == .first ? -sidebarCount : sidebarCount)
      return choose(entity: max(0, min(last, sidebar.selected + step)))
    case .inspector:
      moveField(motion)
      return []
    }
  }

  /// The next field; one that is taller than the pane is scrolled through first.
  private mutating func moveField(_ motion: Motion) {
    guard let record = shownRecord else { return }
    let size = inspectorSize
    let lines = inspectorLines(record, width: size.width)
    let last = max(0, record.fields.count - 1)
    switch motion {
    case .first: (inspector.field, inspector.top) = (0, 0)
    case .last: inspector.field = last
    case .down where lines.end(of: inspector.field) > inspector.top + size.height:
      inspector.top += 1
      return
    case .up where lines.start(of: inspector.field) < inspector.top:
      inspector.top -= 1
      return
    default:
      let step = motion.rows(height: size.height) ?? 0
      if abs(step) == 1 {
        inspector.field = max(0, min(last, inspector.field + step))
      } else {
        inspector.top = max(0, min(inspector.top + step, lines.lines.count - size.height))
        let line = step > 0 ? min(inspector.top + size.height, lines.lines.count) - 1 : inspector.top
        inspector.field = lines.field(at: line, towards: step > 0 ? -1 : 1) ?? inspector.field
        return
      }
    }
    revealField()
  }

  /// Scrolls the inspector until the selected field can be seen.
  mutating func revealField() {
    guard let record = shownRecord else { return }
    let size = inspectorSize
    let lines = inspectorLines(record, width: size.width)
    inspector.field = max(0, min(inspector.field, record.fields.count - 1))
    let start = lines.start(of: inspector.field)
    let end = lines.end(of: inspector.field)
    if end > inspector.top + size.height { inspector.top = end - size.height }
    if start < inspector.top { inspector.top = start }
    // The head of the record stays in sight as long as the first field is.
    if inspector.field == 0 { inspector.top = 0 }
    inspector.top = max(0, min(inspector.top, lines.lines.count - size.height))
  }

  /// The selected object as far as it is known: whole, or by the cells of its row until then.
  var shownRecord: RecordDetail? {
    storedRecord.map(edited)
  }

  /// The selected object as the store has it.
  var storedRecord: RecordDetail? {
    if let record = inspector.record, record.key == inspector.key { return record }
    guard let key = inspector.key, let list else { return nil }
    if key.isNew { return newRecord(key) }
    guard let row = list.selectedRow, row.key == key else { return nil }
    let fields = zip(list.columns, row.cells).map { RecordField(property: $0.property, value: $1) }
    return RecordDetail(
      key: key, entity: entityName(of: key), uri: "", version: nil, title: titleInRow(of: key), fields: fields)
  }

  /// Esc: one level back, or an end to what is running.
  ///
  /// Never the end of the program.
  mutating func escape() -> [Effect] {
    if overlay != nil {
      return dismissOverlay()
    } else if editor != nil {
      return endEditor()
    } else if filterBar != nil {
      guard filterBar?.selected == nil else {
        filterBar?.selected = nil
        return []
      }
      filterBar = nil
      return [.cancel([.values])]
    } else if prompt != nil {
      prompt = nil
    } else if list?.replacing != nil, list?.isQuiet == false {
      return stopReading()
    } else if list?.find != nil {
      list?.find = nil
      return [.cancel([.matches, .firstMatch, .rank])]
    } else if let list, list.filter != nil, focus == .list {
      return relist(list.query.filtered(by: nil), filter: nil)
    } else if isZoomed {
      isZoomed = false
      return settle()
    } else if focus == .inspector {
      return focus(on: .list)
    } else if !history.back.isEmpty {
      return goBack()
    } else if list?.stageTwo == .loading {
      list?.stageTwo = .stopped
      message = Message(text: "Stopped reading the keys of the list.")
      return [.cancel([.monitor])] + jumpToMatch()
    }
    return []
  }

  private mutating func stopReading() -> [Effect] {
    list?.replacing = nil
    list?.owed = 0
    if list?.buffer.rows.isEmpty == true {
      if !history.back.isEmpty { return goBack() }
      list?.failure = Problem(summary: "Stopped before the first row — ↵ reads again", detail: "")
    }
    message = Message(text: "Stopped.")
    return [.cancel([.replacement])]
  }

  /// The wheel: lines down in a pane, without giving it the keys.
  mutating func scroll(_ pane: Pane, by lines: Int) -> [Effect] {
    if overlay != nil {
      for _ in 0..<abs(lines) { moveInOverlay(lines > 0 ? .down : .up) }
      return []
    }
    switch pane {
    case .list: return changeList { $0.scroll(by: lines, height: $1) }
    case .sidebar:
      let height = sidebarHeight
      sidebar.top = max(0, min(sidebar.top + lines, sidebarLines - height))
      let line = sidebarLine(of: sidebar.selected)
      let nearest = max(sidebar.top, min(line, sidebar.top + height - 1))
      // The heading cannot be selected.
      let index = sidebarIndex(onLine: nearest) ?? sidebarIndex(onLine: nearest + (lines > 0 ? 1 : -1))
      return nearest == line ? [] : index.map { choose(entity: $0) } ?? []
    case .inspector:
      guard let record = shownRecord else { return [] }
      let size = inspectorSize
      let shown = inspectorLines(record, width: size.width)
      inspector.top = max(0, min(inspector.top + lines, shown.lines.count - size.height))
      let edge = lines > 0 ? inspector.top : min(inspector.top + size.height, shown.lines.count) - 1
      if shown.end(of: inspector.field) <= inspector.top
        || shown.start(of: inspector.field) >= inspector.top + size.height
      {
        inspector.field = shown.field(at: edge, towards: lines > 0 ? 1 : -1) ?? inspector.field
      }
      return []
    }
  }

  /// The mouse moves with something in hand.
  mutating func drag(to point: Point) -> [Effect] {
    let layout = layout
    switch grip {
    case .sidebarBorder: paneWidths.sidebar = max(Layout.leastSidebar, point.x + 1)
    case .inspectorBorder: paneWidths.inspector = max(Layout.leastInspector, size.width - point.x)
    case .scrollbar:
      guard let pane = layout.list, let count = listCount, count > 0, list?.replacing == nil else { return [] }
      let rows = listAreas(in: pane).rows
      let line = max(0, min(rows.height - 1, point.y - rows.y))
      let position = rows.height < 2 ? 0 : line * (count - 1) / (rows.height - 1)
      if list?.keys != nil {
        return changeList { $0.go(to: position, line: line, height: $1) } + settle()
      }
      // Without keys only the ends have a place.
      if line == 0 { return changeList { $0.goToStart(height: $1) } }
      return line == rows.height - 1 ? changeList { $0.goToEnd(height: $1) } : []
    case nil: return []
    }
    return settle()
  }
}
