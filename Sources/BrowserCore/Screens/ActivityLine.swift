import CoreData
import TextCanvas

/// What happened lately, newest first: `12:04:31 importer +3 ~1 -2 Recipe, Tag`.
enum ActivityLine {
  static let gap = 3

  /// The columns that the newest line takes.
  static func width(_ state: BrowserState) -> Int {
    state.live.activity.first.map { pieces($0, state, isNewest: true).width } ?? 0
  }

  /// Draws the newest line, and of those before as many as the room holds.
  static func draw(_ state: BrowserState, in rect: Rect, room: Int, into canvas: inout Canvas) {
    var rest = rect
    for (index, activity) in state.live.activity.enumerated() {
      let pieces = pieces(activity, state, isNewest: index == 0)
      let width = pieces.width + (index == 0 ? 0 : gap)
      guard index == 0 || width <= room - (rect.width - rest.width) else { break }
      if index > 0 { rest = rest.leading(gap).rest }
      let used = canvas.write(pieces, in: rest)
      rest = rest.leading(used).rest
    }
  }

  private static func pieces(_ activity: Activity, _ state: BrowserState, isNewest: Bool) -> [Piece] {
    let clock = CivilTime(activity.date, in: state.zone)?.clock ?? ""
    var pieces = [
      Piece(clock + " ", Style(.dim)),
      Piece(SafeText.visible(activity.author) + " ", Style(isNewest ? .title : .dim)),
    ]
    for part in activity.tally.parts { pieces.append(Piece(part.text + " ", Style(part.kind.role))) }
    var names = activity.entities.prefix(2).map { SafeText.visible($0) }.joined(separator: ", ")
    if activity.entities.count > 2 { names += ", …" }
    if let property = activity.property { names += "." + SafeText.visible(property) }
    pieces.append(Piece(names, Style(isNewest ? .text : .dim)))
    return pieces
  }
}
