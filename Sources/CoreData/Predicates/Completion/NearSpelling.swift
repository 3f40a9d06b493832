/// The nearest of some words, or `nil` when none is near enough to be meant.
///
/// Case does not count; letters that are changed, added, left out or swapped with their neighbour do.
package func nearestSpelling(of word: String, among words: [String]) -> String? {
  let word = word.lowercased()
  let best = words.map { (word: $0, distance: editDistance(word, $0.lowercased())) }.min { $0.distance < $1.distance }
  guard let best, best.distance <= max(1, word.count / 3) else { return nil }
  return best.word
}

/// How many letters must be changed, added, left out or swapped with their neighbour to turn one word into the other.
private func editDistance(_ left: String, _ right: String) -> Int {
  let (left, right) = (Array(left), Array(right))
  var rows = [Array(0...right.count)]
  for (i, letter) in left.enumerated() {
    var row = [i + 1]
    for (j, other) in right.enumerated() {
      var distance = min(rows[i][j] + (letter == other ? 0 : 1), rows[i][j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, letter == right[j - 1], left[i - 1] == other { distance = min(distance, rows[i - 1][j - 1] + 1) }
      row.append(distance)
    }
    rows.append(row)
  }
  return rows[left.count][right.count]
}
