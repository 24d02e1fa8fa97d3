/// How wide the columns of a table are, from what their cells need at least and would like.
struct ColumnWidths {
  /// Columns of the widest word, at most `wordLimit`.
  private(set) var minimum: [Int]
  /// Columns of the widest line when nothing is broken.
  private(set) var preferred: [Int]
  /// Columns of all text that was seen.
  private var total: [Int]

  /// Columns up to this width are not narrowed while others can be: dates, names, numbers.
  static let shortLimit = 16
  /// Words wider than this may be broken in a cell.
  static let wordLimit = 20
  /// Columns between two columns: a space, a border, a space.
  static let separator = 3

  init(count: Int) {
    minimum = Array(repeating: 1, count: count)
    preferred = Array(repeating: 1, count: count)
    total = Array(repeating: 1, count: count)
  }

  /// Takes a cell of one column into account.
  mutating func widen(column: Int, word: Int, line: Int) {
    minimum[column] = max(minimum[column], min(word, Self.wordLimit))
    preferred[column] = max(preferred[column], line)
    total[column] += line
  }

  /// Takes a cell of several columns into account: what they lack is shared evenly.
  mutating func widen(columns: Range<Int>, word: Int, line: Int) {
    let inner = Self.separator * (columns.count - 1)
    Self.widen(&minimum, columns, to: min(word, Self.wordLimit) - inner)
    Self.widen(&preferred, columns, to: line - inner)
  }

  private static func widen(_ widths: inout [Int], _ columns: Range<Int>, to total: Int) {
    let lack = total - widths[columns].reduce(0, +)
    guard lack > 0 else { return }
    for (place, column) in columns.enumerated() {
      widths[column] += lack / columns.count + (place < lack % columns.count ? 1 : 0)
    }
  }

  /// The widths at which no line is broken, when they take at most `room` together.
  func unbroken(in room: Int) -> [Int]? {
    let wanted = zip(minimum, preferred).map { max($0, $1) }
    return wanted.reduce(0, +) <= room ? wanted : nil
  }

  /// The widths that together take at most `room`, or nil when not even the minimum fits. A table stays
  /// within `text`, the room of running text, as long as that gives each column what it needs: short
  /// texts in one line, other ones as many columns as wide words take.
  func fitted(to room: Int, preferring text: Int) -> [Int]? {
    let needed = zip(minimum, preferred).map { max($0, min($1, Self.wordLimit)) }
    return fitted(to: needed.reduce(0, +) <= text ? min(text, room) : room)
  }

  /// The widths that together take at most `room`, or nil when not even the minimum fits.
  ///
  /// A level is raised until the room is used up: columns that need less than it keep what they
  /// would like, only wider ones are narrowed. Columns with more text have a higher level, by the
  /// square root of their text, which makes the rows low.
  func fitted(to room: Int) -> [Int]? {
    let wanted = zip(minimum, preferred).map { max($0, $1) }
    if wanted.reduce(0, +) <= room { return wanted }
    guard self.minimum.reduce(0, +) <= room else { return nil }
    let unbroken = zip(self.minimum, wanted).map { $1 <= Self.shortLimit ? $1 : $0 }
    let minimum = unbroken.reduce(0, +) <= room ? unbroken : self.minimum
    let weights = total.map { Double($0).squareRoot() }
    let heaviest = weights.max() ?? 1
    func widths(_ level: Int) -> [Int] {
      minimum.indices.map { column in
        let share = Double(level) * weights[column] / heaviest
        return max(minimum[column], min(wanted[column], Int(share)))
      }
    }
    var low = 0
    var high = 16 * room
    while low < high {
      let middle = (low + high + 1) / 2
      if widths(middle).reduce(0, +) <= room { low = middle } else { high = middle - 1 }
    }
    var result = widths(low)
    var rest = room - result.reduce(0, +)
    for column in result.indices where rest > 0 && result[column] < wanted[column] {
      result[column] += 1
      rest -= 1
    }
    return result
  }
}
