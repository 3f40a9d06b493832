import CoreData
import TextCanvas

/// Finds where a text occurs in another, case and diacritics ignored, as columns on screen.
struct TextMatch {
  private let needle: [String]

  init(_ text: String) {
    needle = SafeText.visible(text).map(Self.fold)
  }

  /// The columns that each occurrence takes.
  func columns(in text: String) -> [Range<Int>] {
    let characters = Array(text)
    guard !needle.isEmpty, characters.count >= needle.count else { return [] }
    let folded = characters.map(Self.fold)
    var found: [Range<Int>] = []
    var index = 0
    while index + needle.count <= folded.count {
      guard folded[index] == needle[0], folded[index..<index + needle.count].elementsEqual(needle) else {
        index += 1
        continue
      }
      let start = CellWidth.width(of: String(characters[..<index]))
      let width = CellWidth.width(of: String(characters[index..<index + needle.count]))
      found.append(start..<start + width)
      index += needle.count
    }
    return found
  }

  private static func fold(_ character: Character) -> String {
    if let ascii = character.asciiValue {
      return ascii >= 0x41 && ascii <= 0x5A ? String(UnicodeScalar(ascii + 0x20)) : String(character)
    }
    return String(character).folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }
}
