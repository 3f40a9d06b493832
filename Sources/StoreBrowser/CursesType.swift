import CNcurses

/// Which terminal description to draw by.
enum CursesType {
  /// The name of a description curses can use for the terminal on `output`.
  ///
  /// Everything is asked beforehand that curses would end the process for. Where the environment promises 24 bits of
  /// colour and the machine has a description that says so (`xterm-direct` for `xterm-256color`), that one is taken.
  static func choose(output: Int32) throws(CursesError) -> String {
    let type = environment("TERM")
    guard !type.isEmpty else { throw .typeMissing }
    if ["truecolor", "24bit"].contains(environment("COLORTERM")), environment("NO_COLOR").isEmpty,
      let base = type.split(separator: "-").first, type.hasSuffix("-256color")
    {
      let direct = "\(base)-direct"
      if load(direct, output) == 1, tigetflag("RGB") == 1, tigetnum("colors") == 1 << 24, canPlaceCursor {
        return direct
      }
    }
    switch load(type, output) {
    case 1: break
    case 0: throw .unknown(type: type)
    default: throw .noDescriptions
    }
    guard canPlaceCursor else { throw .unusable(type: type) }
    return type
  }

  /// A variable of the environment, empty when it is not set.
  static func environment(_ name: String) -> String {
    getenv(name).map { String(cString: $0) } ?? ""
  }

  private static var canPlaceCursor: Bool { cn_string_capability("cup") != nil }

  /// 1 when there is such a description, 0 when there is none, -1 when there are none at all.
  private static func load(_ type: String, _ output: Int32) -> Int32 {
    var reason: Int32 = 0
    return setupterm(type, output, &reason) == OK ? 1 : min(reason, 0)
  }
}
