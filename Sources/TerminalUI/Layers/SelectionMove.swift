import Commands

/// A move of an end of the selection.
enum SelectionMove: Sendable, Equatable {
  /// Moves by this number of lines or words, times the count.
  case lines(Int), words(Int)
  case screens(Int), halfScreens(Int)
  case toScreenTop, toScreenBottom
  case paragraphs
  /// Makes later moves apply to the other end of the selection; moves nothing itself.
  case switchEnds
}

extension SelectionMove {
  /// Returns the line to which a move by lines, screens or paragraphs leads; it may be outside the
  /// page. For other moves, returns `line`.
  func destinationLine(from line: Int, _ count: Int?, height: Int, in view: PageView)
    -> Int
  {
    let steps = max(1, count ?? 1)
    switch self {
    case .lines(let sign): return line + sign * steps
    case .screens(let sign): return line + sign * max(1, height - 2) * steps
    case .halfScreens(let sign): return line + sign * max(1, height / 2) * steps
    case .toScreenTop: return count.map { $0 - 1 } ?? 0
    case .toScreenBottom: return count.map { $0 - 1 } ?? .max / 2
    case .paragraphs: return view.paragraphEnd(after: line, count: steps)
    case .words, .switchEnds: return line
    }
  }
}
