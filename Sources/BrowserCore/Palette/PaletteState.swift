import TextCanvas

/// Everything that can be done or gone to, found by a few letters of its name.
struct PaletteState: Equatable, Sendable {
  var editor = LineEditor()
  var selected = 0
  var top = 0
}

/// Something that the palette leads to.
struct PaletteEntry {
  enum Goal {
    case command(Command)
    /// Something in the sidebar: an entity, or a fetch behind them.
    case place(Int)
  }

  var goal: Goal
  var title: String
  /// What it is, or what happens.
  var words: String
  /// Why it cannot be done now.
  var reason: String?
  /// The characters of the title that were typed.
  var matched: [Int] = []
}

/// How well letters fit a title: all of them must occur in it, in order.
enum FuzzyMatch {
  /// The characters of the title that the letters fall on, and how good that is; `nil` when they do not occur.
  ///
  /// Letters at the start of words and letters that follow each other count most.
  static func match(_ letters: String, in title: String) -> (score: Int, characters: [Int])? {
    let wanted = Array(letters.lowercased().filter { !$0.isWhitespace })
    let text = Array(title)
    let lowered = text.map { $0.lowercased() }
    guard !wanted.isEmpty else { return (0, []) }
    var best: (score: Int, characters: [Int])?
    // A match can begin at every place of its first letter; from there each letter takes the best next place.
    for start in lowered.indices where lowered[start] == String(wanted[0]) {
      guard let found = follow(wanted, from: start, text, lowered) else { continue }
      if found.score > best?.score ?? Int.min { best = found }
    }
    return best
  }

  private static func follow(
    _ wanted: [Character], from start: Int, _ text: [Character], _ lowered: [String]
  ) -> (score: Int, characters: [Int])? {
    var characters = [start]
    var score = worth(start, text) - start
    for letter in wanted.dropFirst() {
      let last = characters[characters.count - 1]
      let places = lowered.indices.filter { $0 > last && lowered[$0] == String(letter) }
      guard let first = places.first else { return nil }
      let place = first == last + 1 ? first : places.first { worth($0, text) > 0 } ?? first
      score += place == last + 1 ? 12 : worth(place, text) - min(8, place - last)
      characters.append(place)
    }
    return (score, characters)
  }

  /// The start of a word is worth more than what is within one.
  private static func worth(_ index: Int, _ text: [Character]) -> Int {
    guard index > 0 else { return 16 }
    let (before, here) = (text[index - 1], text[index])
    return !before.isLetter && !before.isNumber || before.isLowercase && here.isUppercase ? 10 : 0
  }
}

extension BrowserState {
  /// What the palette offers for the letters typed, the best first.
  func paletteEntries(matching letters: String) -> [PaletteEntry] {
    let entries = paletteEntries
    guard letters.contains(where: { !$0.isWhitespace }) else { return entries }
    let found = entries.enumerated().compactMap { place, entry -> (PaletteEntry, Int, Int)? in
      if let match = FuzzyMatch.match(letters, in: entry.title) {
        var entry = entry
        entry.matched = match.characters
        return (entry, match.score, place)
      }
      // The words behind the title help whoever does not know what a thing is called.
      let words = letters.lowercased().split(separator: " ")
      let text = entry.words.lowercased()
      return words.allSatisfy { text.contains($0) } ? (entry, Int.min / 2, place) : nil
    }
    return found.sorted { ($1.1, $0.2) < ($0.1, $1.2) }.map(\.0)
  }

  /// Places first, then the commands of the pane that has the keys, those of every pane, and those of the other panes.
  private var paletteEntries: [PaletteEntry] {
    guard choice == nil else { return [] }
    let entities = (outline?.entities ?? []).enumerated().map { index, entity in
      let count = counts[entity.name].map { ", \(ValueFormatter.grouped($0)) objects" } ?? ""
      return PaletteEntry(
        goal: .place(index), title: entity.name, words: (entity.isAbstract ? "abstract entity" : "entity") + count)
    }
    let places = fetches.enumerated().map { index, fetch in
      PaletteEntry(
        goal: .place(entityCount + index), title: fetch.name, words: "\(fetch.entity) where \(fetch.text)")
    }
    let own = Command.Scope(focus)
    let scopes = [own, .everywhere] + Pane.allCases.map { Command.Scope($0) }.filter { $0 != own }
    let commands = scopes.flatMap { scope in
      CommandTable.all.filter { $0.scope == scope && $0.id != "palette.show" }.map { command in
        let reason = command.disabledReason(focused(scope))
        return PaletteEntry(goal: .command(command), title: command.title, words: command.help, reason: reason)
      }
    }
    return commands + entities + places
  }

  /// The state in which the commands of a pane would be run.
  private func focused(_ scope: Command.Scope) -> BrowserState {
    var state = self
    state.overlay = nil
    if let pane = Pane.allCases.first(where: { Command.Scope($0) == scope }) { state.focus = pane }
    return state
  }

  mutating func choosePalette(_ index: Int) {
    guard case .palette(var palette) = overlay else { return }
    palette.selected = index
    overlay = .palette(palette)
    revealInOverlay()
  }

  /// Enter: does what is selected.
  mutating func runPalette() -> [Effect] {
    guard case .palette(let palette) = overlay,
      let entry = paletteEntries(matching: palette.editor.text)[safe: palette.selected]
    else { return [] }
    overlay = nil
    switch entry.goal {
    case .command(let command):
      let pane = Pane.allCases.first { Command.Scope($0) == command.scope }
      let effects = pane.map { focus(on: $0) } ?? []
      return effects + reduce(&self, .intent(command.intent(in: self)))
    case .place(let index):
      if index < entityCount { return choose(entity: index) + focus(on: .list) }
      sidebar.selected = index
      return focus(on: .sidebar) + open()
    }
  }
}
