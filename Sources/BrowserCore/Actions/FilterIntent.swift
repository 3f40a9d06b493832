import TextCanvas

/// What a person can want of filters.
enum FilterIntent: Equatable, Sendable {
  /// Opens the filter bar.
  case start
  /// Takes the chosen candidate, or applies the filter.
  case accept
  /// Takes the only candidate, or chooses the next one.
  case complete(Int)
  /// Candidates further down; up from the first one to former filters.
  case choose(Int)
  /// Asks for a name to keep the filter under.
  case save
  /// Filters by what the current cell holds, or by anything else.
  case cell(isExcluded: Bool)
  /// Filters by a text in any string attribute.
  case byText
  /// No longer keeps the saved filter that is selected.
  case forget
  /// Shows the forms in which the filter can be copied.
  case copyMenu
  /// Copies the form at an index; the chosen one without.
  case copyForm(Int?)
  /// Takes a candidate by the mouse.
  case pick(Int)
}
