/// All commands there are, in the order in which the help shows them.
///
/// What is not built is not here.
public enum CommandTable {
  /// Every command.
  public static let all: [Command] =
    choice + list + columns + viewing + copying + filters + editing + sidebar + fetches + inspector + moves + panes
    + program + looks + overlays
    + filterBar
    + editors
    + questions

  private static let list: [Command] = [
    Command(
      "list.open", "open", "Follow the relationship under the cursor, or inspect the object.", keys: ["<enter>"],
      in: .list, hint: 0, .open, unless: noRow(orFailure: true)),
    Command(
      "list.find", "find", "Find text in all string attributes; matches are highlighted.", keys: ["f"], in: .list,
      hint: 20, .startFind, unless: emptyList),
    Command(
      "list.find.next", "next match", "Go to the next match, in list order.", keys: ["n"], in: .list, hint: 30,
      .findNext(1), unless: noMatches),
    Command(
      "list.find.previous", "previous match", "Go to the match before, in list order.", keys: ["N"], in: .list,
      .findNext(-1), unless: noMatches),
    Command(
      "list.sort", "sort", "Sort by the current column; again for the other way round.", keys: ["s"], in: .list,
      hint: 40, .sort, unless: notSortable),
    Command(
      "list.column.left", "left", "Go to the column on the left.", keys: ["h", "<left>"], in: .list, .moveColumn(-1),
      unless: noList),
    Command(
      "list.column.right", "right", "Go to the column on the right.", keys: ["l", "<right>"], in: .list,
      .moveColumn(1), unless: noList),
    Command(
      "list.column.narrow", "narrower", "Make the current column narrower.", keys: ["<lt>"], in: .list,
      .resizeColumn(-2), unless: noList),
    Command(
      "list.column.widen", "wider", "Make the current column wider.", keys: [">"], in: .list, .resizeColumn(2),
      unless: noList),
  ]

  private static let choice: [Command] = [
    Command("choice.open", "open", "Open the store.", keys: ["<enter>"], in: .choice, hint: 0, .openStore(nil)),
    Command("choice.down", "down", "Go one down.", keys: ["j", "<down>"], in: .choice, hint: 1, .chooseStore(.down)),
    Command("choice.up", "up", "Go one up.", keys: ["k", "<up>"], in: .choice, hint: 2, .chooseStore(.up)),
    Command("choice.page.down", "page down", "Go a page down.", keys: ["<pgdn>"], in: .choice, .chooseStore(.pageDown)),
    Command("choice.page.up", "page up", "Go a page up.", keys: ["<pgup>"], in: .choice, .chooseStore(.pageUp)),
    Command("choice.first", "first", "Go to the first one.", keys: ["g", "<home>"], in: .choice, .chooseStore(.first)),
    Command("choice.last", "last", "Go to the last one.", keys: ["G", "<end>"], in: .choice, .chooseStore(.last)),
  ]

  private static let viewing: [Command] =
    [
      Command(
        "value.view", "view", "Look at the value whole: as text, JSON, a tree, or bytes.", keys: ["v"], in: .list,
        .viewValue, unless: { $0.cannotView }),
      Command(
        "field.view", "view", "Look at the value whole: as text, JSON, a tree, or bytes.", keys: ["v"], in: .inspector,
        hint: 20, .viewValue, unless: { $0.cannotView }),
      Command(
        "viewer.next", "next form", "Show the value in its next form.", keys: ["<tab>", "v"], in: .viewer, hint: 0,
        .nextForm(1)),
      Command(
        "viewer.previous", "form before", "Show the value in the form before.", keys: ["<s-tab>"], in: .viewer,
        .nextForm(-1)),
      Command(
        "viewer.copy", "copy", "Copy the value to the clipboard.", keys: ["y"], in: .viewer, hint: 2, .copyViewed),
      Command(
        "viewer.close", "close", "Close the value.", keys: ["<esc>", "q", "<enter>"], in: .viewer, hint: 1, .escape),
    ] + steps("viewer", in: .viewer, verb: "Scroll", hint: 4)

  private static let sidebar: [Command] = [
    Command(
      "sidebar.open", "list", "Go to the list of the entity.", keys: ["<enter>", "l", "<right>"], in: .sidebar,
      hint: 0, .open, unless: noStore)
  ]

  private static let inspector: [Command] = [
    Command(
      "inspector.open", "follow", "Open the objects at the other end of the relationship.", keys: ["<enter>"],
      in: .inspector, hint: 0, .open, unless: noRelationship),
    Command(
      "inspector.leave", "list", "Go back to the list.", keys: ["h", "<left>"], in: .inspector, hint: 50,
      .focus(.list)),
  ]

  private static let moves: [Command] = [
    Command("move.down", "down", "Go one down.", keys: ["j", "<down>"], .move(.down), unless: noStore),
    Command("move.up", "up", "Go one up.", keys: ["k", "<up>"], .move(.up), unless: noStore),
    Command("move.page.down", "page down", "Go a page down.", keys: ["<pgdn>"], .move(.pageDown), unless: noStore),
    Command("move.page.up", "page up", "Go a page up.", keys: ["<pgup>"], .move(.pageUp), unless: noStore),
    Command(
      "move.half.down", "half a page down", "Go half a page down.", keys: ["<c-d>"], .move(.halfPageDown),
      unless: noStore),
    Command(
      "move.half.up", "half a page up", "Go half a page up.", keys: ["<c-u>"], .move(.halfPageUp), unless: noStore),
    Command("move.first", "first", "Go to the first one.", keys: ["g", "<home>"], .move(.first), unless: noStore),
    Command("move.last", "last", "Go to the last one.", keys: ["G", "<end>"], .move(.last), unless: noStore),
  ]

  private static let panes: [Command] = [
    Command(
      "history.back", "back", "Return to the list before, as it was left.", keys: ["<backspace>", "["], hint: 10,
      .back,
      unless: { $0.history.back.isEmpty ? "There is no list to go back to." : nil }),
    Command(
      "history.forward", "forward", "Return to the list that was gone back from.", keys: ["]"], .forward,
      unless: { $0.history.forward.isEmpty ? "There is no list to go forward to." : nil }),
    Command("pane.next", "pane", "Go to the next pane.", keys: ["<tab>"], hint: 60, .cycleFocus(1), unless: noStore),
    Command(
      "pane.previous", "pane before", "Go to the pane before.", keys: ["<s-tab>"], .cycleFocus(-1), unless: noStore),
    Command("pane.sidebar", "entities", "Go to the entities.", keys: ["1"], .focus(.sidebar), unless: noStore),
    Command("pane.list", "list", "Go to the list.", keys: ["2"], .focus(.list), unless: noStore),
    Command("pane.inspector", "inspector", "Go to the inspector.", keys: ["3"], .focus(.inspector), unless: noStore),
    Command(
      "pane.zoom", "zoom", "Give the pane the whole screen, or take it back.", keys: ["+"], hint: 70, .toggleZoom,
      unless: noStore),
  ]

  private static let program: [Command] = [
    Command(
      "view.escape", "back", "One level back, or stop what is running.", keys: ["<esc>"], .escape),
    Command(
      "error.show", "error", "Show the last error in full.", keys: ["!"], .showProblem,
      unless: { $0.lastProblem == nil ? "Nothing went wrong so far." : nil }),
    Command(
      "live.pause", "pause", "Hold the changes that come in, or show those that were held.", keys: ["p"],
      .togglePause, unless: noStore),
    Command("help.show", "help", "Search all commands, and run one.", keys: ["?"], hint: 80, .showHelp),
    Command("app.suspend", "suspend", "Suspend the program; `fg` brings it back.", keys: ["<c-z>"], .suspend),
    Command("app.quit", "quit", "End the program.", keys: ["q"], hint: 90, .quit),
  ]

  private static let overlays: [Command] =
    [
      Command("prompt.accept", "find", "Find the text.", keys: ["<enter>"], in: .prompt, hint: 0, .accept),
      Command("prompt.cancel", "cancel", "Go back without finding.", keys: ["<esc>"], in: .prompt, hint: 10, .escape),
      Command("help.run", "run", "Run the command.", keys: ["<enter>"], in: .help, hint: 0, .accept),
      Command("help.close", "close", "Close the help.", keys: ["<esc>"], in: .help, hint: 30, .escape),
      Command("help.down", "down", "Go one down.", keys: ["<down>"], in: .help, hint: 10, .move(.down)),
      Command("help.up", "up", "Go one up.", keys: ["<up>"], in: .help, hint: 20, .move(.up)),
      Command("help.page.down", "page down", "Go a page down.", keys: ["<pgdn>"], in: .help, .move(.pageDown)),
      Command("help.page.up", "page up", "Go a page up.", keys: ["<pgup>"], in: .help, .move(.pageUp)),
      Command(
        "problem.close", "close", "Close the error.", keys: ["<esc>", "<enter>", "q", "!"], in: .problem, hint: 0,
        .escape),
    ] + steps("problem", in: .problem, verb: "Scroll", hint: 10)

  /// The steps on a sheet that is not typed into.
  static func steps(_ id: String, in scope: Command.Scope, verb: String, hint: Int? = nil) -> [Command] {
    let steps: [(name: String, title: String, words: String, keys: [String], motion: Motion)] = [
      ("down", "down", "one down", ["j", "<down>"], .down), ("up", "up", "one up", ["k", "<up>"], .up),
      ("page.down", "page down", "a page down", ["<pgdn>", "<c-d>"], .pageDown),
      ("page.up", "page up", "a page up", ["<pgup>", "<c-u>"], .pageUp),
      ("first", "first", "to the first one", ["g", "<home>"], .first),
      ("last", "last", "to the last one", ["G", "<end>"], .last),
    ]
    return steps.enumerated().map { place, step in
      Command(
        "\(id).\(step.name)", step.title, "\(verb) \(step.words).", keys: step.keys, in: scope,
        hint: place < 2 ? hint.map { $0 + place } : nil, .move(step.motion))
    }
  }

  @Sendable private static func noStore(_ state: BrowserState) -> String? {
    state.phase == .open ? nil : "No store is open."
  }

  @Sendable private static func noList(_ state: BrowserState) -> String? {
    state.list == nil ? "There is no list." : nil
  }

  private static func noRow(orFailure retries: Bool) -> @Sendable (BrowserState) -> String? {
    { state in
      if retries, state.list?.failure != nil { return nil }
      return state.selectedKey == nil ? state.fallenReason ?? "No object is selected." : nil
    }
  }

  @Sendable private static func emptyList(_ state: BrowserState) -> String? {
    noList(state) ?? (state.list?.isEmpty == true ? "The list is empty." : nil)
  }

  @Sendable private static func noMatches(_ state: BrowserState) -> String? {
    guard let find = state.list?.find else { return "Nothing is being looked for: f finds." }
    return find.matches == nil ? "Still looking." : nil
  }

  @Sendable private static func notSortable(_ state: BrowserState) -> String? {
    if let reason = emptyList(state) { return reason }
    guard let list = state.list, list.columns.indices.contains(list.column) else { return "There is no column." }
    let property = list.columns[list.column].property
    return property.isSortable ? nil : "A list cannot be sorted by \(property.name)."
  }

  @Sendable private static func noRelationship(_ state: BrowserState) -> String? {
    guard let record = state.shownRecord else { return "No object is selected." }
    guard record.fields.indices.contains(state.inspector.field) else { return "The object has no fields." }
    let property = record.fields[state.inspector.field].property
    return property.kind.target == nil ? "\(property.name) is not a relationship." : nil
  }
}
