import TextCanvas

/// A line of the viewer before it is fitted to the screen.
struct ViewerLine: Hashable, Sendable {
  var indent = 0
  /// A key or an offset in front of the text.
  var label = ""
  var text: String
  var role = Role.text
}
