import CoreData
import CoreDataKit
import TextCanvas

/// What a person can want of edits.
enum EditIntent: Hashable, Sendable {
  /// Opens the editor of the value under the cursor.
  case begin
  /// Edits the text under the cursor in a program of the person's own.
  case external
  case add
  case delete
  case undo
  case redo
  case save
  case discard
  /// Says yes to unlocking.
  case unlock
  /// Keeps what is in the editor, to be saved later.
  case keep
  /// Makes the value in the editor `nil`, or takes that back.
  case toggleNil
  /// Goes on with the text in a box for several lines.
  case openLines
  /// Says yes to the question on screen.
  case confirm
  /// Says no to the question on screen, for good.
  case decline
  case leave(Leaving)
  /// Takes a side for the property under the cursor.
  case choose(EditConflict.Side)
  /// Takes a side for all properties of the object under the cursor.
  case chooseAll(EditConflict.Side)
  /// Saves with the sides taken.
  case resolve
  /// A new object above the list, and perhaps a column.
  case chooseNew(Int, column: Int?)

  /// What happens to pending edits at the end of the program.
  enum Leaving: Hashable, Sendable {
    case save, keep, discard
  }
}

/// What the service answers about edits.
enum EditAnswer: Equatable, Sendable {
  case unlocked(StoreOutline)
  case unlockFailed(Problem)
  case done(EditOperation, EditOutcome)
  case failed(EditOperation, Problem)
  case validated(EditTarget, PropertyValue, problem: String?)
  case validationFailed(EditTarget, PropertyValue, Problem)
  /// The person's own editor left a text, or failed.
  case composed(EditTarget, String)
  case composeFailed(EditTarget, Problem)
  case preview([ObjectKey], DeletePreview)
  case previewFailed([ObjectKey], Problem)
}

/// What editing asks of the service.
enum EditEffect: Equatable, Sendable {
  case unlock
  case perform(EditOperation)
  case validate(EditTarget, PropertyValue)
  case preview([ObjectKey])

  /// The work this starts.
  ///
  /// Operations are begun one at a time by the reducer, so that none takes the place of another.
  var work: Work {
    switch self {
    case .unlock: .unlock
    case .perform: .edit
    case .validate: .validation
    case .preview: .preview
    }
  }
}
