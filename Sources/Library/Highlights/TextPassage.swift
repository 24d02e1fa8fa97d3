import DOM
import Layout

/// The passage of a text in which some terms are nearest to each other.
struct TextPassage {
  /// A search term.
  struct Term {
    var text: FoldedText
    /// Whether an occurrence of the term must end at a word boundary.
    var isWhole: Bool
  }

  /// The byte ranges of the terms in the text, ascending: one range for each term that occurs.
  private(set) var terms: [Range<Int>] = []

  /// The maximum number of occurrences of a term that are considered.
  private static let maxOccurrences = 5000

  private struct Location {
    var byteRange: Range<Int>
    var termIndex: Int
  }

  /// Finds the passage; returns nil if no term occurs. Terms that do not occur are ignored.
  /// Navigation is considered only if no term occurs elsewhere.
  init?(of terms: [Term], in page: SearchedText) {
    let text = FoldedText(page.text)
    var positions: [Location] = []
    var navigationLocations: [Location] = []
    for (index, term) in terms.enumerated() {
      var start = 0
      for _ in 0..<Self.maxOccurrences {
        guard let found = text.range(of: term.text, from: start, matchesWholeWords: term.isWhole)
        else { break }
        let position = Location(byteRange: found, termIndex: index)
        if page.isNavigation(found.lowerBound) {
          navigationLocations.append(position)
        } else {
          positions.append(position)
        }
        start = max(found.upperBound, start + 1)
      }
    }
    if positions.isEmpty { positions = navigationLocations }
    positions.sort {
      ($0.byteRange.lowerBound, $0.termIndex) < ($1.byteRange.lowerBound, $1.termIndex)
    }
    guard let nearest = Self.nearest(of: positions, terms: terms.count) else { return nil }
    // The last occurrence of a term so far is the nearest one to the term that ends the passage.
    var nearestRanges: [Int: Range<Int>] = [:]
    for position in positions[nearest] { nearestRanges[position.termIndex] = position.byteRange }
    self.terms = nearestRanges.values.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Returns the indices in `positions` of the shortest sequence of occurrences that includes every
  /// term that occurs; the first one if several are equally short; nil if no term occurs.
  private static func nearest(of positions: [Location], terms: Int) -> Range<Int>? {
    let occurringTermCount = Set(positions.map(\.termIndex)).count
    guard occurringTermCount > 0 else { return nil }
    var counts = [Int](repeating: 0, count: terms)
    var (start, coveredTermCount) = (0, 0)
    var best: (places: Range<Int>, length: Int)?
    for (end, position) in positions.enumerated() {
      if counts[position.termIndex] == 0 { coveredTermCount += 1 }
      counts[position.termIndex] += 1
      while counts[positions[start].termIndex] > 1 {
        counts[positions[start].termIndex] -= 1
        start += 1
      }
      guard coveredTermCount == occurringTermCount else { continue }
      let length = position.byteRange.upperBound - positions[start].byteRange.lowerBound
      if best.map({ length < $0.length }) ?? true { best = (start..<end + 1, length) }
    }
    return best?.places
  }
}
