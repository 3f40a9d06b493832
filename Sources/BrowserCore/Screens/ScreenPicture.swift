import TextCanvas

/// A frame as an SVG picture: a window with round corners, text on an exact grid, lines and blocks drawn as shapes so
/// that they meet whatever font is at hand.
struct ScreenPicture {
  private let canvas: Canvas
  private let theme: Theme
  private let title: String
  private let column = 8.4
  private let line = 19.0
  private let margin = 14.0
  private let header = 34.0

  init(_ canvas: Canvas, theme: Theme, title: String) {
    self.canvas = canvas
    self.theme = theme
    self.title = title
  }

  var document: String {
    let width = Double(canvas.size.width) * column + 2 * margin
    let height = Double(canvas.size.height) * line + header + margin
    let chrome = theme.ground.blended(with: RGB(theme.ground.luminance > 0.5 ? 0x000000 : 0xFFFFFF), share: 0.07)
    let ink = theme.ground.luminance > 0.5 ? RGB(0x5B6270) : RGB(0x9AA3B2)
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(number(width))" height="\(number(height))" \
      viewBox="0 0 \(number(width)) \(number(height))" font-family="ui-monospace, 'SF Mono', 'Cascadia Mono', \
      'JetBrains Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
      <rect width="\(number(width))" height="\(number(height))" rx="10" fill="\(hex(theme.ground))"/>
      <path d="M0 \(number(header - 6))V10A10 10 0 0 1 10 0H\(number(width - 10))A10 10 0 0 1 \(number(width)) 10\
      V\(number(header - 6))Z" fill="\(hex(chrome))"/>

      """
    for (index, color) in [0xFF5F57, 0xFEBC2E, 0x28C840].enumerated() {
      svg += "<circle cx=\"\(18 + index * 20)\" cy=\"14\" r=\"6\" fill=\"\(hex(RGB(UInt32(color))))\"/>\n"
    }
    if !title.isEmpty {
      svg += "<text x=\"\(number(width / 2))\" y=\"19\" text-anchor=\"middle\" font-size=\"13\" fill=\"\(hex(ink))\">"
      svg += "\(escaped(title))</text>\n"
    }
    for y in 0..<canvas.size.height { svg += backgrounds(y) }
    for y in 0..<canvas.size.height { svg += texts(y) }
    return svg + "</svg>\n"
  }

  // MARK: Rows

  private struct Look: Equatable {
    var ink: RGB
    var ground: RGB?
    var attributes: Style.Attributes
  }

  private func look(_ style: Style) -> Look {
    let appearance = theme.appearance(of: style)
    let plain = theme.ground.luminance > 0.5 ? RGB(0x23272E) : RGB(0xD6DCE6)
    var (ink, ground) = (appearance.foreground ?? plain, appearance.background)
    if appearance.attributes.contains(.reverse) { (ink, ground) = (ground ?? theme.ground, ink) }
    if appearance.attributes.contains(.dim) { ink = ink.blended(with: theme.ground, share: 0.4) }
    return Look(ink: ink, ground: ground, attributes: appearance.attributes)
  }

  private func backgrounds(_ y: Int) -> String {
    var svg = ""
    var x = 0
    while x < canvas.size.width {
      let ground = look(canvas[x, y].style).ground
      var end = x + 1
      while end < canvas.size.width, look(canvas[end, y].style).ground == ground { end += 1 }
      if let ground {
        svg += "<rect x=\"\(number(left(x)))\" y=\"\(number(top(y)))\" width=\"\(number(Double(end - x) * column))\" "
        svg += "height=\"\(number(line))\" fill=\"\(hex(ground))\"/>\n"
      }
      x = end
    }
    return svg
  }

  private func texts(_ y: Int) -> String {
    var svg = ""
    var x = 0
    while x < canvas.size.width {
      let cell = canvas[x, y]
      let look = look(cell.style)
      if let shape = shape(cell.text, x, y, look) {
        svg += shape
        x += 1
        continue
      }
      var text = ""
      var end = x
      // A run ends where the look changes, at shapes, and around wide glyphs, which fonts draw in widths of their own.
      while end < canvas.size.width, self.look(canvas[end, y].style) == look {
        let next = canvas[end, y].text
        let isWide = canvas[end + 1, y].text.isEmpty && end + 1 < canvas.size.width
        if end > x, isWide || isShape(next) { break }
        text += next
        end += 1
        if isWide {
          end += 1
          break
        }
      }
      if text.contains(where: { $0 != " " }) || look.attributes.contains(.underline) {
        svg += run(text, from: x, to: end, y, look)
      }
      x = end
    }
    return svg
  }

  private func run(_ text: String, from x: Int, to end: Int, _ y: Int, _ look: Look) -> String {
    let width = Double(end - x) * column
    var svg = ""
    if look.attributes.contains(.underline) {
      let color = look.ink.blended(with: look.ground ?? theme.ground, share: 0.5)
      svg +=
        "<path d=\"M\(number(left(x))) \(number(top(y) + line - 2.5))h\(number(width))\" stroke=\"\(hex(color))\"/>\n"
    }
    svg += "<text x=\"\(number(left(x)))\" y=\"\(number(top(y) + 14))\" textLength=\"\(number(width))\" "
    svg += "lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\" fill=\"\(hex(look.ink))\""
    if look.attributes.contains(.bold) { svg += " font-weight=\"600\"" }
    if look.attributes.contains(.italic) { svg += " font-style=\"italic\"" }
    if look.attributes.contains(.strikethrough) { svg += " text-decoration=\"line-through\"" }
    return svg + ">\(escaped(text))</text>\n"
  }

  // MARK: Lines and blocks

  private func isShape(_ text: String) -> Bool { "─━│┃╭╮╰╯▌".contains(text) && text.count == 1 }

  private func shape(_ text: String, _ x: Int, _ y: Int, _ look: Look) -> String? {
    guard isShape(text) else { return nil }
    let (l, t) = (left(x), top(y))
    let (cx, cy, r, b) = (l + column / 2, t + line / 2, l + column, t + line)
    if text == "▌" {
      return "<rect x=\"\(number(l))\" y=\"\(number(t))\" width=\"\(number(column / 2))\" height=\"\(number(line))\" "
        + "fill=\"\(hex(look.ink))\"/>\n"
    }
    let radius = column / 2
    let path =
      switch text {
      case "─", "━": "M\(number(l)) \(number(cy))H\(number(r))"
      case "│", "┃": "M\(number(cx)) \(number(t))V\(number(b))"
      case "╭":
        "M\(number(cx)) \(number(b))V\(number(cy + radius))Q\(number(cx)) \(number(cy)) \(number(r)) \(number(cy))"
      case "╮":
        "M\(number(cx)) \(number(b))V\(number(cy + radius))Q\(number(cx)) \(number(cy)) \(number(l)) \(number(cy))"
      case "╰":
        "M\(number(cx)) \(number(t))V\(number(cy - radius))Q\(number(cx)) \(number(cy)) \(number(r)) \(number(cy))"
      default:
        "M\(number(cx)) \(number(t))V\(number(cy - radius))Q\(number(cx)) \(number(cy)) \(number(l)) \(number(cy))"
      }
    let stroke = text == "┃" || text == "━" ? 3.5 : look.attributes.contains(.bold) ? 1.8 : 1.2
    return "<path d=\"\(path)\" fill=\"none\" stroke=\"\(hex(look.ink))\" stroke-width=\"\(number(stroke))\"/>\n"
  }

  // MARK: Numbers and text

  private func left(_ x: Int) -> Double { margin + Double(x) * column }
  private func top(_ y: Int) -> Double { header + Double(y) * line }

  /// A number with at most two digits after the point.
  private func number(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    if hundredths % 100 == 0 { return String(hundredths / 100) }
    let sign = hundredths < 0 ? "-" : ""
    let rest = abs(hundredths) % 100
    return "\(sign)\(abs(hundredths) / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  private func hex(_ color: RGB) -> String {
    "#" + [color.r, color.g, color.b].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
  }
}
