import CoreData
import TextCanvas

extension CommandTable {
  /// What narrows lists.
  static let filters: [Command] = [
    Command(
      "list.filter", "filter", "Show only the objects that fulfil a predicate.", keys: ["/"], in: .list, hint: 5,
      .filter(.start), unless: noModel),
    Command(
      "list.filter.cell", "only this value", "Narrow the list to objects with the value under the cursor.", keys: ["="],
      in: .list, .filter(.cell(isExcluded: false)), unless: noCell),
    Command(
      "list.filter.other", "without this value", "Leave out the objects with the value under the cursor.", keys: ["-"],
      in: .list, .filter(.cell(isExcluded: true)), unless: noCell),
    Command(
      "list.filter.text", "filter by text", "Narrow the list to objects with a text, or the one looked for.",
      keys: ["F"], in: .list, .filter(.byText), unless: noModel),
    Command(
      "list.filter.save", "save filter", "Keep the filter under a name, with the order of the list.", keys: ["w"],
      in: .list, .filter(.save), unless: noFilter),
    Command(
      "list.filter.copy", "copy filter…", "Copy the filter as text, as Swift, or as a fetch request.", keys: ["C"],
      in: .list, .filter(.copyMenu), unless: noFilter),
  ]

  /// The keys of the filter bar, and of the lines in which a name or a value is typed.
  static let filterBar: [Command] = [
    Command(
      "filter.apply", "apply", "Take the candidate that is chosen, or else apply the filter.", keys: ["<enter>"],
      in: .filter, hint: 0, .filter(.accept)),
    Command(
      "filter.complete", "complete", "Choose the next of what could be typed; the only one is taken.", keys: ["<tab>"],
      in: .filter, hint: 1, .filter(.complete(1))),
    Command(
      "filter.complete.back", "one before", "Choose the one before.", keys: ["<s-tab>"], in: .filter,
      .filter(.complete(-1))),
    Command(
      "filter.down", "choose", "Go one down among what could be typed.", keys: ["<down>"], in: .filter, hint: 2,
      .filter(.choose(1))),
    Command(
      "filter.up", "history", "Go one up, and from the text to former filters.", keys: ["<up>"], in: .filter, hint: 3,
      .filter(.choose(-1))),
    Command(
      "filter.save", "save", "Apply the filter and keep it under a name.", keys: ["^S"], in: .filter, hint: 5,
      .filter(.save)),
    Command("filter.cancel", "cancel", "Keep the filter as it was.", keys: ["<esc>"], in: .filter, hint: 4, .escape),
    Command("copy.take", "copy", "Copy the chosen form.", keys: ["<enter>", "y"], in: .copy, hint: 0, .accept),
    Command("copy.close", "close", "Copy nothing.", keys: ["<esc>", "q"], in: .copy, hint: 3, .escape),
    Command("copy.down", "down", "Go one down.", keys: ["j", "<down>"], in: .copy, hint: 1, .move(.down)),
    Command("copy.up", "up", "Go one up.", keys: ["k", "<up>"], in: .copy, hint: 2, .move(.up)),
    Command("entry.accept", "OK", "Take what is typed.", keys: ["<enter>"], in: .entry, hint: 0, .accept),
    Command("entry.cancel", "cancel", "Go back without it.", keys: ["<esc>"], in: .entry, hint: 1, .escape),
  ]

  /// What can be done with saved fetches.
  static let fetches: [Command] = [
    Command(
      "sidebar.forget", "delete filter", "Delete the saved filter.", keys: ["<del>"], in: .sidebar, hint: 5,
      .filter(.forget), unless: noSavedFilter)
  ]

  @Sendable private static func noModel(_ state: BrowserState) -> String? {
    state.listEntity == nil ? "There is no list." : nil
  }

  @Sendable private static func noFilter(_ state: BrowserState) -> String? {
    state.list?.filter == nil ? "There is no filter: / filters the list." : nil
  }

  @Sendable private static func noSavedFilter(_ state: BrowserState) -> String? {
    switch state.selectedFetch {
    case .saved: nil
    case .template(let fetch): "“\(SafeText.visible(fetch.name))” is the model's: it cannot be deleted."
    case nil: "No saved filter is selected."
    }
  }

  @Sendable private static func noCell(_ state: BrowserState) -> String? {
    noModel(state) ?? (state.list?.selectedRow == nil ? "No object is selected." : nil)
  }
}
