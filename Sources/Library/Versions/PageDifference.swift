package import Document

/// The differences between two versions of a page: by paragraph, and within paragraphs by word.
package struct PageDifference: Sendable, Equatable {
  /// A paragraph or a sequence of equal paragraphs in the difference.
  package enum Part: Sendable, Equatable {
    /// A number of consecutive paragraphs that are equal.
    case unchanged(Int)
    /// A paragraph with deleted or inserted text. `marker` is its marker, such as a bullet or the
    /// signs of a Markdown heading.
    case changed(marker: String, [Piece])
  }

  /// A piece of a paragraph with one change.
  package struct Piece: Sendable, Equatable {
    /// Whether the piece is in the old version, the new one or both.
    package var change: Change
    /// The text of the piece, with its spaces.
    package var text: String
  }

  /// The change of a piece.
  package enum Change: Sendable, Equatable {
    case kept, deleted, inserted
  }

  /// The parts, in document order.
  package private(set) var parts: [Part] = []

  /// Whether the versions are equal.
  package var isEmpty: Bool {
    parts.allSatisfy { if case .unchanged = $0 { true } else { false } }
  }

  /// The number of inserted, deleted or changed paragraphs.
  package var count: Int {
    parts.count { if case .changed = $0 { true } else { false } }
  }

  /// Compares two versions.
  /// - Parameters:
  ///   - old: The old version.
  ///   - new: The new version.
  package init(from old: Document, to new: Document) {
    self.init(TextUnit.all(of: old), TextUnit.all(of: new))
  }

  init(_ old: [TextUnit], _ new: [TextUnit]) {
    var table = NumberTable<TextUnit.UnitIdentity>()
    let match = SequenceMatch(
      old.map { table.number(of: TextUnit.UnitIdentity($0)) },
      new.map { table.number(of: TextUnit.UnitIdentity($0)) })
    var (before, after) = (0, 0)
    var unchanged = 0
    for pair in match.pairs + [(old.count, new.count)] {
      if pair.old > before || pair.new > after {
        if unchanged > 0 { parts.append(.unchanged(unchanged)) }
        unchanged = 0
        addChanges(old[before..<pair.old], new[after..<pair.new])
      }
      if pair.old < old.count { unchanged += 1 }
      (before, after) = (pair.old + 1, pair.new + 1)
    }
    if unchanged > 0 { parts.append(.unchanged(unchanged)) }
  }

  // MARK: Matching paragraphs

  /// The number of inserted paragraphs that are compared with a deleted paragraph.
  private static let window = 8
  /// The minimum similarity (0 to 1) at which a deleted and an inserted paragraph are shown as one
  /// changed paragraph.
  private static let minSimilarity = 0.35

  private mutating func addChanges(_ old: ArraySlice<TextUnit>, _ new: ArraySlice<TextUnit>) {
    var next = new.startIndex
    let wordBags = new.map { WordBag($0) }
    for unit in old {
      let bag = WordBag(unit)
      var best: (index: Int, similarity: Double)?
      for index in next..<min(new.endIndex, next + Self.window) {
        let similarity = bag.similarity(to: wordBags[index - new.startIndex])
        if similarity >= Self.minSimilarity, similarity > best?.similarity ?? 0 {
          best = (index, similarity)
        }
      }
      guard let best else {
        parts.append(.changed(marker: unit.marker, [Piece(change: .deleted, text: unit.string)]))
        continue
      }
      for unit in new[next..<best.index] { addInserted(unit) }
      let partner = new[best.index]
      parts.append(.changed(marker: partner.marker, Self.pieces(unit, partner)))
      next = best.index + 1
    }
    for unit in new[next...] { addInserted(unit) }
  }

  private mutating func addInserted(_ unit: TextUnit) {
    parts.append(.changed(marker: unit.marker, [Piece(change: .inserted, text: unit.string)]))
  }

  // MARK: Words

  private static func pieces(_ old: TextUnit, _ new: TextUnit) -> [Piece] {
    var table = NumberTable<ArraySlice<UInt8>>()
    let (oldTokens, newTokens) = (old.tokens, new.tokens)
    let match = SequenceMatch(
      oldTokens.map { table.number(of: old.text[$0.range]) },
      newTokens.map { table.number(of: new.text[$0.range]) })
    let pairs = withoutIsolatedMatches(match.pairs, newTokens, old.text.count + new.text.count)
    var pieces: [Piece] = []
    var (oldPosition, newPosition) = (0, 0)
    func add(_ change: Change, _ unit: TextUnit, _ words: ArraySlice<TextUnit.Word>) {
      guard let first = words.first, let last = words.last else { return }
      let text = String(
        decoding: unit.text[first.range.lowerBound..<last.range.upperBound], as: UTF8.self)
      let isBegun = !pieces.isEmpty
      if pieces.last?.change == change, change == .kept {
        pieces[pieces.count - 1].text += (first.followsSpace ? " " : "") + text
      } else if first.followsSpace, isBegun {
        // The space is kept outside the marked text.
        if pieces.last?.change == .kept {
          pieces[pieces.count - 1].text += " "
          pieces.append(Piece(change: change, text: text))
        } else if change == .kept {
          pieces.append(Piece(change: change, text: " " + text))
        } else {
          pieces.append(Piece(change: change, text: text))
        }
      } else {
        pieces.append(Piece(change: change, text: text))
      }
    }
    for pair in pairs + [(oldTokens.count, newTokens.count)] {
      add(.deleted, old, oldTokens[oldPosition..<pair.old])
      add(.inserted, new, newTokens[newPosition..<pair.new])
      if pair.new < newTokens.count, pair.old < oldTokens.count {
        add(.kept, new, newTokens[pair.new..<pair.new + 1])
      }
      (oldPosition, newPosition) = (pair.old + 1, pair.new + 1)
    }
    return pieces
  }

  /// Returns the pairs without isolated matches of at most three bytes between changes, such as a
  /// comma or a short word, which would only fragment the result.
  private static func withoutIsolatedMatches(
    _ pairs: [(old: Int, new: Int)], _ words: [TextUnit.Word], _ length: Int
  ) -> [(old: Int, new: Int)] {
    var result: [(old: Int, new: Int)] = []
    var start = 0
    while start < pairs.count {
      var end = start + 1
      while end < pairs.count, pairs[end].old == pairs[end - 1].old + 1,
        pairs[end].new == pairs[end - 1].new + 1
      {
        end += 1
      }
      let size = pairs[start..<end].reduce(0) { $0 + words[$1.new].range.count }
      let isEdge = start == 0 || end == pairs.count
      if isEdge || size > 3 { result += pairs[start..<end] }
      start = end
    }
    return result
  }
}

/// Assigns consecutive numbers to distinct values.
private struct NumberTable<Value: Hashable> {
  private var numbers: [Value: Int32] = [:]

  mutating func number(of value: Value) -> Int32 {
    let next = Int32(numbers.count)
    if let known = numbers[value] { return known }
    numbers[value] = next
    return next
  }
}

extension TextUnit {
  /// The properties by which units are compared.
  fileprivate struct UnitIdentity: Hashable {
    var marker: String
    var text: [UInt8]

    init(_ unit: TextUnit) { (marker, text) = (unit.marker, unit.text) }
  }

  fileprivate var string: String { String(decoding: text, as: UTF8.self) }
}

/// The words of a paragraph as a multiset.
private struct WordBag {
  private var counts: [ArraySlice<UInt8>: Int] = [:]
  private var total = 0
  /// The maximum number of words of a paragraph that are compared.
  private static let maxCount = 400

  init(_ unit: TextUnit) {
    for word in unit.tokens.prefix(Self.maxCount) {
      counts[unit.text[word.range], default: 0] += 1
      total += 1
    }
  }

  /// Returns the similarity of two paragraphs (Dice's coefficient of their words).
  func similarity(to other: WordBag) -> Double {
    guard total + other.total > 0 else { return 0 }
    let (small, large) = counts.count < other.counts.count ? (self, other) : (other, self)
    let common = small.counts.reduce(0) { $0 + min($1.value, large.counts[$1.key] ?? 0) }
    return 2 * Double(common) / Double(total + other.total)
  }
}
