import CoreDataKit
import TextCanvas

extension CommandTable {
  /// What changes objects; nothing reaches the store before it is saved.
  static let editing: [Command] = [
    edit("begin", "edit", "Edit the value under the cursor.", ["e"], 45, .begin),
    edit("external", "$EDITOR", "Edit the text under the cursor in $VISUAL or $EDITOR.", ["E"], nil, .external),
    edit("add", "add", "Add an object to the list.", ["a"], 46, .add),
    edit("delete", "delete", "Delete the object, after a look at what goes with it.", ["d"], 47, .delete),
    edit("save", "save", "Save all edits.", ["^S"], 14, .save),
    edit("undo", "undo", "Take the last edit back.", ["u"], 15, .undo),
    edit("redo", "redo", "Do the edit again that was taken back.", ["^R"], nil, .redo),
    edit("discard", "discard", "Forget all edits that are not saved.", ["D"], 16, .discard),
  ]

  private static func edit(
    _ id: String, _ title: String, _ help: String, _ keys: [String], _ hint: Int?, _ intent: EditIntent
  ) -> Command {
    Command("edit." + id, title, help, keys: keys, hint: hint, .editing(intent), unless: { $0.cannot(intent) })
  }

  /// The keys of the editors.
  static let editors: [Command] = [
    Command(
      "line.keep", "keep", "Keep the value, to be saved later.", keys: ["<enter>", "^S"], in: .lineEditor, hint: 0,
      .editing(.keep)),
    Command(
      "line.nil", "nil", "Make the value nil, or take that back.", keys: ["^N"], in: .lineEditor, hint: 2,
      .editing(.toggleNil)),
    Command(
      "line.lines", "lines", "Go on in a box for several lines.", keys: ["^O"], in: .lineEditor, hint: 3,
      .editing(.openLines), unless: { $0.editor?.target.property.kind == .string ? nil : "Only strings have lines." }),
    Command("line.cancel", "cancel", "Leave the value as it was.", keys: ["<esc>"], in: .lineEditor, hint: 1, .escape),
    Command(
      "text.keep", "keep", "Keep the text, to be saved later.", keys: ["^S"], in: .textEditor, hint: 0, .editing(.keep)),
    Command(
      "text.nil", "nil", "Make the value nil, or take that back.", keys: ["^N"], in: .textEditor, hint: 2,
      .editing(.toggleNil)),
    Command("text.cancel", "cancel", "Leave the text as it was.", keys: ["<esc>"], in: .textEditor, hint: 1, .escape),
    Command(
      "choice.keep", "keep", "Keep the choice, to be saved later.", keys: ["<enter>", "^S"], in: .choiceEditor, hint: 0,
      .editing(.keep)),
    Command(
      "choice.toggle", "other", "Choose the other one.", keys: ["<space>"], in: .choiceEditor, hint: 1,
      .edit(KeyPress(" "))),
    Command(
      "choice.nil", "nil", "Make the value nil, or take that back.", keys: ["^N"], in: .choiceEditor, hint: 3,
      .editing(.toggleNil)),
    Command(
      "choice.cancel", "cancel", "Leave the value as it was.", keys: ["<esc>"], in: .choiceEditor, hint: 2, .escape),
  ]

  /// The answers to questions.
  static let questions: [Command] = [
    Command(
      "unlock.yes", "unlock", "Unlock the store for editing.", keys: ["<enter>", "y"], in: .unlock, hint: 0,
      .editing(.confirm)),
    Command(
      "unlock.no", "leave it locked", "Leave the store locked.", keys: ["<esc>", "n", "q"], in: .unlock, hint: 1,
      .escape),
    Command(
      "delete.yes", "delete", "Delete all that is shown.", keys: ["y"], in: .delete, hint: 0, .editing(.confirm),
      unless: cannotDelete),
    Command("delete.no", "keep", "Delete nothing.", keys: ["<esc>", "n", "q"], in: .delete, hint: 1, .escape),
    Command("discard.yes", "forget", "Forget all edits.", keys: ["y"], in: .discard, hint: 0, .editing(.confirm)),
    Command("discard.no", "keep", "Keep the edits.", keys: ["<esc>", "n", "q"], in: .discard, hint: 1, .escape),
    Command(
      "leave.save", "save and quit", "Save all edits, then end the program.", keys: ["s", "^S"], in: .leave, hint: 0,
      .editing(.leave(.save))),
    Command(
      "leave.keep", "keep, quit", "End the program; the edits are offered at the next start.", keys: ["k"],
      in: .leave, hint: 1, .editing(.leave(.keep))),
    Command(
      "leave.discard", "forget, quit", "Forget the edits and end the program.", keys: ["D"], in: .leave, hint: 2,
      .editing(.leave(.discard))),
    Command("leave.cancel", "stay", "Go on.", keys: ["<esc>", "n", "q"], in: .leave, hint: 3, .escape),
    Command(
      "recovery.yes", "take up", "Take the edits up where they were left.", keys: ["<enter>", "y"], in: .recovery,
      hint: 0, .editing(.confirm)),
    Command(
      "recovery.later", "later", "Ask again at the next start.", keys: ["<esc>", "q"], in: .recovery, hint: 2, .escape),
    Command(
      "recovery.discard", "forget them", "Forget the edits for good.", keys: ["D"], in: .recovery, hint: 1,
      .editing(.decline)),
    Command(
      "conflict.mine", "mine", "Take my value.", keys: ["m", "h", "<left>"], in: .conflict, hint: 0,
      .editing(.choose(.mine))),
    Command(
      "conflict.theirs", "theirs", "Take the store's value.", keys: ["t", "l", "<right>"], in: .conflict, hint: 1,
      .editing(.choose(.theirs))),
    Command(
      "conflict.mine.all", "all mine", "Take my values for the whole object.", keys: ["M"], in: .conflict, hint: 2,
      .editing(.chooseAll(.mine))),
    Command(
      "conflict.theirs.all", "all theirs", "Take the store's values for the whole object.", keys: ["T"], in: .conflict,
      hint: 3, .editing(.chooseAll(.theirs))),
    Command(
      "conflict.save", "save", "Save with the values chosen.", keys: ["<enter>", "^S"], in: .conflict, hint: 4,
      .editing(.resolve), unless: stillOpen),
    Command(
      "conflict.cancel", "not now", "Save nothing; the edits wait.", keys: ["<esc>", "q"], in: .conflict, hint: 5,
      .escape),
    Command("conflict.down", "down", "Go one down.", keys: ["j", "<down>"], in: .conflict, .move(.down)),
    Command("conflict.up", "up", "Go one up.", keys: ["k", "<up>"], in: .conflict, .move(.up)),
  ]

  @Sendable private static func cannotDelete(_ state: BrowserState) -> String? {
    guard case .question(.delete(_, _, let preview)) = state.overlay else { return "Nothing is to be deleted." }
    guard let preview else { return "What it takes along is not known yet." }
    return preview.isDenied ? "A relationship forbids it." : nil
  }

  @Sendable private static func stillOpen(_ state: BrowserState) -> String? {
    guard case .conflict(let shown) = state.overlay else { return "There is no conflict." }
    switch shown.openCount {
    case 0: return nil
    case 1: return "One value is still to be chosen."
    default: return "\(shown.openCount) values are still to be chosen."
    }
  }
}
