/// Finds the word that the user probably intended.
package enum ClosestWord {
  /// Returns the word with the smallest edit distance to a typed word. The distance is at most a
  /// third of the length of the typed word, or 1 if that is less; nil if there is no such word.
  package static func to(_ word: String, among tokens: [String]) -> String? {
    let limit = max(1, word.count / 3)
    let rated = tokens.map { (word: $0, distance: distance(word, $0)) }
    return rated.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.word
  }

  /// Returns the number of insertions, deletions, replacements and swaps of adjacent characters
  /// between two words, ignoring case (optimal string alignment distance). Words longer than 64
  /// characters have distance `.max`.
  static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a.lowercased()), Array(b.lowercased()))
    guard a.count <= 64, b.count <= 64 else { return .max }
    var before: [Int] = []
    var last = Array(0...b.count)
    for (row, letter) in a.enumerated() {
      var next = [row + 1]
      for (column, other) in b.enumerated() {
        var best = min(last[column + 1] + 1, next[column] + 1)
        best = min(best, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == b[column - 1], a[row - 1] == other {
          best = min(best, before[column - 1] + 1)
        }
        next.append(best)
      }
      (before, last) = (last, next)
    }
    return last[b.count]
  }
}
