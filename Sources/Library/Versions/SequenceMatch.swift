import Algorithms
import DOM

// Finds the common elements of two sequences by patience diff: elements that occur once on each
// side and in the same order are matched, and divide the sequences into parts. Parts without unique
// elements are compared by Myers' greedy algorithm (An O(ND) Difference Algorithm, 1986), which
// finds the shortest edit script. The effort is bounded: if two parts have too little in common, or
// the budget is used up, one counts as replaced by the other.

/// The matching elements of two sequences.
struct SequenceMatch {
  /// The indices of matching elements in the old and the new sequence, ascending in both.
  private(set) var pairs: [(old: Int, new: Int)] = []

  private let old: [Int32]
  private let new: [Int32]
  private var occurrences: [Occurrences]
  private var round: Int32 = 0
  /// The number of element comparisons left.
  private var remainingComparisons: Int

  /// The maximum number of edits for which parts without unique elements are compared.
  private static let maxEdits = 300
  /// The maximum average number of comparisons per element.
  private static let maxComparisons = 60

  /// The numbers of occurrences of an element in the two parts that are being compared, and its
  /// last index in the new part. These are valid only if `round` is the current round.
  private struct Occurrences {
    var round: Int32 = -1
    var oldCount: Int32 = 0
    var newCount: Int32 = 0
    var newIndex: Int32 = 0
  }

  private struct Piece {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// Compares two sequences.
  /// - Parameters:
  ///   - old: The old sequence; each element is a number from 0 that identifies its value.
  ///   - new: The new sequence.
  init(_ old: [Int32], _ new: [Int32]) {
    self.old = old
    self.new = new
    let maxElement = max(old.max() ?? -1, new.max() ?? -1)
    occurrences = [Occurrences](repeating: Occurrences(), count: Int(maxElement) + 1)
    remainingComparisons = (old.count + new.count) * Self.maxComparisons + 100_000
    var pieces = [Piece(old: old.indices, new: new.indices)]
    while let piece = pieces.popLast() { match(piece, &pieces) }
    pairs.sort { $0.old < $1.old }
  }

  private mutating func match(_ untrimmedPiece: Piece, _ pieces: inout [Piece]) {
    let piece = trimmed(untrimmedPiece)
    guard !piece.old.isEmpty, !piece.new.isEmpty, remainingComparisons > 0 else { return }
    remainingComparisons -= piece.old.count + piece.new.count
    let anchors = anchors(in: piece)
    guard !anchors.isEmpty else { return matchGreedily(piece) }
    var position = (old: piece.old.lowerBound, new: piece.new.lowerBound)
    for anchor in anchors + [(piece.old.upperBound, piece.new.upperBound)] {
      pieces.append(Piece(old: position.old..<anchor.old, new: position.new..<anchor.new))
      if anchor.old < piece.old.upperBound { pairs.append((anchor.old, anchor.new)) }
      position = (anchor.old + 1, anchor.new + 1)
    }
  }

  /// Matches the common prefix and suffix of a piece, and returns the remainder.
  private mutating func trimmed(_ piece: Piece) -> Piece {
    var (old, new) = (piece.old, piece.new)
    while let first = old.first, let other = new.first, self.old[first] == self.new[other] {
      pairs.append((first, other))
      (old, new) = (old.dropFirst(), new.dropFirst())
    }
    while let last = old.last, let other = new.last, self.old[last] == self.new[other] {
      pairs.append((last, other))
      (old, new) = (old.dropLast(), new.dropLast())
    }
    return Piece(old: old, new: new)
  }

  /// Returns the longest ascending sequence of elements that occur once on each side.
  private mutating func anchors(in piece: Piece) -> [(old: Int, new: Int)] {
    round += 1
    for position in piece.old {
      let element = Int(old[position])
      if occurrences[element].round != round { occurrences[element] = Occurrences(round: round) }
      occurrences[element].oldCount += 1
    }
    for position in piece.new {
      let element = Int(new[position])
      guard occurrences[element].round == round else { continue }
      occurrences[element].newCount += 1
      occurrences[element].newIndex = Int32(position)
    }
    // For each length, the last element of the best sequence, with links to the previous elements
    // (patience sorting).
    var candidates: [(old: Int, new: Int, before: OptionalIndex)] = []
    var chainEnds: [Int] = []
    for position in piece.old {
      let counts = occurrences[Int(old[position])]
      guard counts.oldCount == 1, counts.newCount == 1 else { continue }
      let newPosition = Int(counts.newIndex)
      let chainIndex = chainEnds.partitioningIndex { candidates[$0].new >= newPosition }
      let before: OptionalIndex = chainIndex > 0 ? OptionalIndex(chainEnds[chainIndex - 1]) : nil
      candidates.append((position, newPosition, before))
      if chainIndex == chainEnds.count {
        chainEnds.append(candidates.count - 1)
      } else {
        chainEnds[chainIndex] = candidates.count - 1
      }
    }
    var result: [(old: Int, new: Int)] = []
    var next = chainEnds.last
    while let index = next {
      result.append((candidates[index].old, candidates[index].new))
      next = candidates[index].before.value
    }
    return result.reversed()
  }

  /// Matches the elements that the shortest edit script keeps, if the script is short enough.
  private mutating func matchGreedily(_ piece: Piece) {
    let (rows, columns) = (piece.old.count, piece.new.count)
    let maxEdits = min(rows + columns, Self.maxEdits)
    // For each diagonal from -maxEdits to maxEdits, the furthest row reached with the current
    // number of edits.
    var furthest = [Int32](repeating: 0, count: 2 * maxEdits + 2)
    var history: [[Int32]] = []
    for edits in 0...maxEdits {
      guard remainingComparisons > 0 else { return }
      history.append(Array(furthest[(maxEdits - edits)...(maxEdits + edits)]))
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        let slot = maxEdits + diagonal
        let isDown =
          diagonal == -edits || (diagonal != edits && furthest[slot - 1] < furthest[slot + 1])
        var row = edits == 0 ? 0 : isDown ? Int(furthest[slot + 1]) : Int(furthest[slot - 1]) + 1
        var column = row - diagonal
        while row < rows, column < columns, column >= 0,
          old[piece.old.lowerBound + row] == new[piece.new.lowerBound + column]
        {
          (row, column) = (row + 1, column + 1)
          remainingComparisons -= 1
        }
        furthest[slot] = Int32(row)
        if row >= rows, column >= columns { return traceBack(piece, history, edits, diagonal) }
      }
      remainingComparisons -= edits
    }
  }

  /// Traces the edit script back from the end, and matches equal elements.
  private mutating func traceBack(
    _ piece: Piece, _ history: [[Int32]], _ edits: Int, _ end: Int
  ) {
    var diagonal = end
    var (row, column) = (piece.old.count, piece.new.count)
    for step in stride(from: edits, through: 0, by: -1) {
      // The state before this step; the middle element is for diagonal 0.
      let known = history[step]
      func furthest(_ diagonal: Int) -> Int {
        let index = diagonal + step
        return known.indices.contains(index) ? Int(known[index]) : 0
      }
      let isDown =
        diagonal == -step || (diagonal != step && furthest(diagonal - 1) < furthest(diagonal + 1))
      let from = isDown ? diagonal + 1 : diagonal - 1
      let start = step == 0 ? 0 : isDown ? furthest(from) : furthest(from) + 1
      while row > start, row > 0, column > 0 {
        (row, column) = (row - 1, column - 1)
        pairs.append((piece.old.lowerBound + row, piece.new.lowerBound + column))
      }
      guard step > 0 else { return }
      row = furthest(from)
      column = row - from
      diagonal = from
    }
  }
}
