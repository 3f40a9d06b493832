extension CommandTable {
  /// What concerns the columns of a list.
  static let columns: [Command] =
    [
      Command(
        "list.columns", "columns", "Choose which columns are shown, and in what order.", keys: ["c"], in: .list,
        hint: 48, .columns(.open), unless: noColumns),
      Command(
        "list.column.freeze", "freeze", "Let the current column stay while the others scroll, or no longer.",
        keys: ["|"],
        in: .list, .columns(.freeze), unless: noColumns),
      Command(
        "columns.toggle", "show or hide", "Show the column, or hide it.", keys: ["<space>", "x"], in: .columns, hint: 0,
        .columns(.toggle)),
      Command(
        "columns.later", "move down", "Give the column a place further right.", keys: ["J", "<s-down>"], in: .columns,
        hint: 2, .columns(.shift(1))),
      Command(
        "columns.earlier", "move up", "Give the column a place further left.", keys: ["K", "<s-up>"], in: .columns,
        hint: 3, .columns(.shift(-1))),
      Command(
        "columns.freeze", "freeze", "Let the column stay while the others scroll, or no longer.", keys: ["|"],
        in: .columns, hint: 4, .columns(.freeze)),
      Command(
        "columns.reset", "reset", "Show all columns as they were at first.", keys: ["r"], in: .columns, hint: 6,
        .columns(.reset)),
      Command("columns.go", "go to", "Go to the column.", keys: ["<enter>"], in: .columns, hint: 5, .columns(.go)),
      Command(
        "columns.close", "close", "Close the columns.", keys: ["<esc>", "c", "q"], in: .columns, hint: 1, .escape),
    ] + steps("columns", in: .columns, verb: "Go")

  @Sendable private static func noColumns(_ state: BrowserState) -> String? {
    state.list == nil ? "There is no list." : nil
  }
}
