import CoreData
import TextCanvas

/// All that can happen to the browser.
enum Action: Equatable, Sendable {
  /// A person wants something.
  case intent(Intent)
  /// The service answered.
  case answer(Answer)
  /// The terminal has another size.
  case resized(Size)
  /// Time has passed; the state holds how much.
  case tick
}

extension Action {
  /// Whether it tells what happened to the store.
  var isLive: Bool {
    switch self {
    case .answer(.list(_, .update)), .answer(.store(.changes)): true
    default: false
    }
  }
}

/// What a person can want, by key or by mouse.
enum Intent: Equatable, Sendable {
  /// A step in the pane that has the focus, or in what lies over it.
  case move(Motion)
  /// Columns to the right; negative to the left.
  case moveColumn(Int)
  case focus(Pane)
  /// Panes further on; negative backwards.
  case cycleFocus(Int)
  case toggleZoom
  /// Opens or follows what is selected.
  case open
  case back
  case forward
  /// Sorts by the current column, or reverses the order.
  case sort
  /// Makes the current column wider, or narrower.
  case resizeColumn(Int)
  case startFind
  /// Matches further on; negative backwards.
  case findNext(Int)
  /// One level back.
  case escape
  case showHelp
  case showProblem
  /// A key for the line being typed.
  case edit(KeyPress)
  case paste(String)
  /// Enter in the line being typed or in what lies over the panes.
  case accept
  /// A command that cannot be run now, and why.
  case refuse(String)
  /// The entity at an index.
  case chooseEntity(Int)
  /// A row of the buffer and perhaps a column.
  case chooseRow(Int, column: Int?)
  /// A column, sorted by.
  case sortColumn(Int)
  case chooseField(Int)
  case chooseHelp(Int)
  /// Lines down in a pane; negative up.
  case scroll(Pane, Int)
  case grip(Grip, Point)
  case drag(Point)
  case release
  /// Holds changes, or goes on.
  case togglePause
  case suspend
  case quit
  /// Looks at the value under the cursor whole.
  case viewValue
  /// The next form of the value that is looked at; negative for those before.
  case nextForm(Int)
  case showForm(Int)
  case copyViewed
  /// Copies the value under the cursor.
  case copyValue
  /// Copies the selected object as JSON.
  case copyObject
  /// Shows the model.
  case showModel
  /// Something that concerns the screen of the model.
  case model(ModelIntent)
  /// Shows everything that can be done or gone to.
  case showPalette
  case choosePalette(Int)
  /// Shows dates by the other clock.
  case switchZone
  /// A step among the stores of a folder.
  case chooseStore(Motion)
  /// Opens the store at an index, or the chosen one.
  case openStore(Int?)
  /// Something that concerns the columns of the list.
  case columns(ColumnIntent)
  /// Something that concerns edits.
  case editing(EditIntent)
  /// Something that concerns filters.
  case filter(FilterIntent)
}

/// What the service answers.
enum Answer: Equatable, Sendable {
  case opened(StoreOutline)
  case openFailed(Problem)
  case counted(entity: String, Int)
  case countFailed(entity: String, Problem)
  case window(WindowRequest, ListWindow)
  case windowFailed(WindowRequest, Problem)
  /// A followed list told its keys, or its next state.
  case list(Int, ListEvent)
  case listFailed(Int, Problem)
  /// The store told what happened to it.
  case store(StoreEvent)
  case matches(list: Int, text: String, KeyList)
  case matchesFailed(list: Int, Problem)
  /// The first match after the selected object, `nil` where there is none.
  case firstMatch(list: Int, text: String, ObjectKey?)
  /// The positions of the matches in the list.
  case ranked(list: Int, text: String, [Int])
  case record(ObjectKey, RecordDetail?)
  case recordFailed(ObjectKey, Problem)
  case editing(EditAnswer)
  /// A whole value, or `nil` when its object is gone.
  case value(ObjectKey, String, PropertyValue?)
  case valueFailed(Problem)
  /// A value as text, or an object as JSON where no property is named; `nil` when its object is gone.
  case text(ObjectKey, String?, String?)
  /// Values of an attribute that could be typed.
  case values(PredicateCompletion.Values, [CellValue])
  /// The filters that are kept now.
  case shelf(FilterShelf)
  case shelfFailed(Problem)
}

/// What a change of state asks the outside to do.
enum Effect: Equatable, Sendable {
  /// Takes a store of the folder for the one that is asked from now on.
  case choose(StoreSearch.Found)
  case open
  case count(entity: String)
  case window(WindowRequest)
  /// Follows the store.
  case follow
  /// Follows a list: its keys first, then its changes.
  case monitor(list: Int, ListQuery, columns: [String])
  case matches(list: Int, ListQuery)
  /// Looks for the first match after an object, or from the start.
  case firstMatch(list: Int, ListQuery, after: ObjectKey?)
  case rank(list: Int, text: String, matches: KeyList, keys: KeyList)
  case record(ObjectKey)
  /// Reads a property whole.
  case value(ObjectKey, String)
  /// Reads a property as text, or an object as JSON, to be copied.
  case text(ObjectKey, String?)
  case editing(EditEffect)
  /// Asks for values of an attribute.
  case values(PredicateCompletion.Values)
  /// Keeps a filter, or no longer.
  case filters(FilterChange)
  /// Gives the terminal to the person's own editor for a text.
  case compose(EditTarget, String)
  /// Puts a text on the clipboard.
  case copy(String)
  case cancel(Set<Work>)
  case suspend
  case quit

  /// The work this effect starts; it takes the place of older work of the same name.
  var work: Work? {
    switch self {
    case .open: .open
    case .count: .count
    case .window(let request):
      switch request.purpose {
      case .replace: .replacement
      case .before: .rowsBefore
      case .after: .rowsAfter
      }
    case .follow: .follow
    case .monitor: .monitor
    case .matches: .matches
    case .firstMatch: .firstMatch
    case .rank: .rank
    case .record: .record
    case .value: .viewed
    case .text: .copied
    case .editing(let effect): effect.work
    case .values: .values
    case .filters: .filters
    case .choose, .compose, .copy, .cancel, .suspend, .quit: nil
    }
  }
}

/// Kinds of work of which only the newest matters.
enum Work: Hashable, Sendable {
  case open, follow, count, replacement, rowsBefore, rowsAfter, monitor, matches, firstMatch, rank, record
  case unlock, edit, validation, preview
  case values, filters, viewed, copied

  /// All that a list has under way.
  static let ofList: Set<Work> = [.replacement, .rowsBefore, .rowsAfter, .monitor, .matches, .firstMatch, .rank]
}
