import CoreData

/// One list of objects: what is asked, the rows at hand, and where the eye is.
struct ListState: Equatable, Sendable {
  /// Tells this list's answers from those of lists left behind.
  var id: Int
  /// What is asked.
  var query: ListQuery
  /// The query's filter as it was typed.
  var filter: String?
  /// The way here, in words: `Event 10000`, `venue`, `events`; empty for all objects of an entity.
  var trail: [String] = []
  /// Whether the last step here went over a to-one relationship, so that the way on needs no name for its one object.
  var isAlone = false
  /// The columns in the order of the rows' cells; `plan` says which are shown, and where.
  var columns: [Column]
  /// How the columns are shown.
  var plan = ColumnPlan()
  /// The current column.
  var column = 0
  /// The first of the scrolling columns on screen, as its place among the columns shown.
  var firstColumn = 1
  /// The rows at hand.
  var buffer = RowBuffer()
  /// The selected row, an index into the buffer.
  var cursor = 0
  /// The first row on screen, an index into the buffer.
  var top = 0
  /// Where the eye will be once a window arrives that replaces the buffer.
  var replacing: Anchor?
  /// Steps asked for while rows were missing; they are made when rows come.
  var owed = 0
  /// The ends at which rows are being added.
  var extending: Set<Edge> = []
  /// All keys in order, once stage two has brought them.
  var keys: KeyList?
  /// How far stage two has come.
  var stageTwo = StageTwo.pending
  /// The text being looked for.
  var find: Find?
  /// Why there are no rows, where that is not the store's doing.
  var failure: Problem?
  /// How many updates were taken in, which makes older answers known as such.
  var revision = 0
  /// Whether the rows are being replaced without anybody having asked for it.
  var isQuiet = false
  /// Whether the rows may be older than the keys that will come.
  var isOutdated = false
  /// What is sliding.
  var slides = Slides()
  /// Changes beyond the edges of the viewport.
  var beyond = Beyond()
  /// Rows that wait, since they are being edited.
  var heldRows: [ObjectKey: HeldRow] = [:]

  /// The selected row; `nil` also while a deleted object is selected that is still on screen.
  var selectedRow: ListRow? {
    slides.fallen == nil && buffer.rows.indices.contains(cursor) ? buffer.rows[cursor] : nil
  }

  /// Whether it is known that the list has no rows.
  var isEmpty: Bool {
    buffer.rows.isEmpty && buffer.reachesStart && buffer.reachesEnd && replacing == nil && failure == nil
  }

  /// The list as it is kept while another one is shown: keys by the million are sooner read again than kept.
  var parked: ListState {
    var list = self
    list.slides = Slides()
    list.beyond = Beyond()
    list.heldRows = [:]
    list.isOutdated = true
    list.stageTwo = .pending
    guard let keys, keys.count > Self.mostKeysParked else { return list }
    list.keys = nil
    list.find?.positions = nil
    return list
  }

  static let mostKeysParked = 200_000

  /// Whether nothing can be shown yet.
  var awaitsFirstRows: Bool { buffer.rows.isEmpty && replacing != nil }
}

/// How far the keys of a whole list have come.
enum StageTwo: Hashable, Sendable {
  case pending, loading, done, stopped
}

/// A stretch of consecutive rows around the viewport.
struct RowBuffer: Equatable, Sendable {
  var rows: [ListRow] = []
  var reachesStart = false
  var reachesEnd = false
  /// The position of the first row in the whole list, once known.
  var position: Int?
}

/// The two ends of a buffer.
enum Edge: Hashable, Sendable { case before, after }

/// Where the eye goes in a window that replaces the buffer.
enum Anchor: Hashable, Sendable {
  /// The first row.
  case first
  /// The last row.
  case last
  /// The row at this index of the window, on this line of the screen.
  case row(Int, line: Int)
  /// The row of this object, or else the one at this index, on this line of the screen.
  case object(ObjectKey, index: Int, line: Int)
}

/// A request for rows, and why it is made.
struct WindowRequest: Hashable, Sendable {
  enum Purpose: Hashable, Sendable {
    case replace(Anchor)
    /// Rows before the first row at hand, which is named.
    case before(ObjectKey)
    /// Rows after the last row at hand, which is named.
    case after(ObjectKey)
  }

  var list: Int
  var query: ListQuery
  var columns: [String]
  var place: WindowPlace
  var limit: Int
  var purpose: Purpose
  /// The positions asked for, where the place was given by keys.
  var range: Range<Int>?
  /// The list's revision at that time.
  var revision = 0
}

/// Text being looked for in a list.
struct Find: Equatable, Sendable {
  var text: String
  /// The keys of the objects in which it occurs, in list order.
  var matches: KeyList?
  /// The positions of the matches in the list, once both are known.
  var positions: [Int]?
  /// The match last gone to, an index into `matches`.
  var current: Int?
  /// Whether the first match is to be shown as soon as its place is known.
  var awaitsJump = true
}

/// One column of a list.
struct Column: Equatable, Sendable {
  var property: PropertyOutline
  /// The widest value seen.
  var natural = 0
  /// The width the person chose.
  var chosen: Int?

  var name: String { property.name }
}

/// One object whole, and what of it is on screen.
struct InspectorState: Equatable, Sendable {
  /// The object that is or will be shown.
  var key: ObjectKey?
  /// The object; the one before while the next is being read.
  var record: RecordDetail?
  /// Whether `key` turned out to be gone.
  var isGone = false
  /// Whether the object changed while a value of it was edited, and is to be read again once that is over.
  var isOutdated = false
  /// Why it cannot be shown.
  var failure: Problem?
  /// The selected field.
  var field = 0
  /// The first line on screen.
  var top = 0
}
