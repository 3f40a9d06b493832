import TextCanvas

extension BrowserState {
  /// Lets the line being typed take a key.
  mutating func edit(_ change: (inout LineEditor) -> Bool) {
    if case .help(var help) = overlay {
      if change(&help.editor) { (help.selected, help.top) = (0, 0) }
      overlay = .help(help)
    } else if case .palette(var palette) = overlay {
      if change(&palette.editor) { (palette.selected, palette.top) = (0, 0) }
      overlay = .palette(palette)
    } else if var prompt {
      _ = change(&prompt.editor)
      self.prompt = prompt
    }
  }

  /// Enter in the line being typed, or on a command in the help.
  mutating func accept() -> [Effect] {
    switch overlay {
    case .help(let help):
      let found = helpEntries(matching: help.editor.text)
      guard found.indices.contains(help.selected) else { return [] }
      overlay = nil
      let command = found[help.selected]
      return reduce(&self, .intent(command.intent(in: self)))
    case .problem:
      overlay = nil
      return []
    case .question: return confirm()
    case .conflict: return resolve()
    case .copy: return copyForm(nil)
    case .palette: return runPalette()
    case .viewer, .columns, .model:
      overlay = nil
      return []
    case nil:
      guard let prompt else { return [] }
      self.prompt = nil
      switch prompt.purpose {
      case .find: return find(prompt.editor.text)
      case .filterText: return filter(byText: prompt.editor.text)
      case .saveFilter: return saveFilter(as: prompt.editor.text)
      case .template(let question): return answer(question, prompt.editor.text)
      }
    }
  }

  /// The commands of the pane that has the keys, and those of every pane, in which each word of a text occurs.
  func helpEntries(matching text: String) -> [Command] {
    let words = text.lowercased().split(separator: " ")
    return CommandTable.all.filter { command in
      guard command.scope == .everywhere || command.scope == (choice == nil ? Command.Scope(focus) : .choice) else {
        return false
      }
      let haystack = "\(command.title) \(command.help) \(command.id) \(command.keys.joined(separator: " "))"
        .lowercased()
      return words.allSatisfy { haystack.contains($0) }
    }
  }

  mutating func chooseHelp(_ index: Int) {
    guard case .help(var help) = overlay else { return }
    help.selected = index
    overlay = .help(help)
    revealInOverlay()
  }

  mutating func moveInOverlay(_ motion: Motion) {
    let height = OverlayLayout(size: size).rows.height
    switch overlay {
    case .help(var help):
      let count = helpEntries(matching: help.editor.text).count
      help.selected = motion.target(from: help.selected, count: count, height: height)
      overlay = .help(help)
    case .problem(var shown):
      let count = ProblemLines(shown.problem, width: OverlayLayout(size: size).inside.width).lines.count
      let tops = max(1, count - OverlayLayout(size: size).inside.height + 1)
      shown.top = motion.target(from: shown.top, count: tops, height: height)
      overlay = .problem(shown)
    case .conflict(var shown):
      shown.selected = motion.target(from: shown.selected, count: shown.lines.count, height: height)
      overlay = .conflict(shown)
    case .copy(var menu):
      menu.selected = motion.target(from: menu.selected, count: menu.forms.count, height: height)
      overlay = .copy(menu)
    case .viewer: changeViewer { $0.scroll(motion, height: $1) }
    case .columns(var chooser):
      let inside = OverlayLayout(size: size).inside.height
      chooser.selected = motion.target(from: chooser.selected, count: list?.columns.count ?? 0, height: inside)
      overlay = .columns(chooser)
    case .palette(var palette):
      let count = paletteEntries(matching: palette.editor.text).count
      palette.selected = motion.target(from: palette.selected, count: count, height: height)
      overlay = .palette(palette)
    case .model: return moveInModel(motion)
    case .question, nil: return
    }
    revealInOverlay()
  }

  /// Keeps the selected line of what lies over the panes in sight.
  mutating func revealInOverlay() {
    if case .columns(var chooser) = overlay {
      chooser.top = Self.reveal(
        chooser.selected, from: chooser.top, height: OverlayLayout(size: size).inside.height,
        count: list?.columns.count ?? 0)
      overlay = .columns(chooser)
    }
    if case .palette(var palette) = overlay {
      let count = paletteEntries(matching: palette.editor.text).count
      palette.selected = max(0, min(palette.selected, count - 1))
      palette.top = Self.reveal(
        palette.selected, from: palette.top, height: OverlayLayout(size: size).rows.height, count: count)
      overlay = .palette(palette)
    }
    revealInModel()
    guard case .help(var help) = overlay else { return }
    let count = helpEntries(matching: help.editor.text).count
    help.selected = max(0, min(help.selected, count - 1))
    let height = OverlayLayout(size: size).rows.height
    help.top = Self.reveal(help.selected, from: help.top, height: height, count: count)
    overlay = .help(help)
  }
}
