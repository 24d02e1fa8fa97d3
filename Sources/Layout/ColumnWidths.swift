import Algorithms

/// Computes the widths of a table's columns from the minimum and preferred widths of the cells.
struct ColumnWidths {
  /// The width of the widest word of each column, capped at `maxWordWidth`.
  private(set) var minWidths: [Int]
  /// The width of the widest unwrapped line of each column.
  private(set) var preferredWidths: [Int]
  /// The total width of the text in each column.
  private var totalTextWidths: [Int]

  /// The maximum width of a short column (dates, names, numbers), which is not narrowed unless the
  /// table would not fit otherwise.
  static let maxShortWidth = 16
  /// The width above which a word may be broken within a cell.
  static let maxWordWidth = 20
  /// The width between two columns: a space, a border, a space.
  static let separatorWidth = 3

  init(count: Int) {
    minWidths = Array(repeating: 1, count: count)
    preferredWidths = Array(repeating: 1, count: count)
    totalTextWidths = Array(repeating: 1, count: count)
  }

  /// Widens a column for a cell that covers it alone.
  mutating func widen(column: Int, wordWidth: Int, lineWidth: Int) {
    minWidths[column] = max(minWidths[column], min(wordWidth, Self.maxWordWidth))
    preferredWidths[column] = max(preferredWidths[column], lineWidth)
    totalTextWidths[column] += lineWidth
  }

  /// Widens the columns that a cell covers; missing width is distributed evenly among them.
  mutating func widen(columns: Range<Int>, wordWidth: Int, lineWidth: Int) {
    let inner = Self.separatorWidth * (columns.count - 1)
    Self.widen(&minWidths, columns, to: min(wordWidth, Self.maxWordWidth) - inner)
    Self.widen(&preferredWidths, columns, to: lineWidth - inner)
  }

  private static func widen(_ widths: inout [Int], _ columns: Range<Int>, to totalWidth: Int) {
    let lack = totalWidth - widths[columns].reduce(0, +)
    guard lack > 0 else { return }
    for (position, column) in columns.enumerated() {
      widths[column] += lack / columns.count + (position < lack % columns.count ? 1 : 0)
    }
  }

  /// Returns the widths at which no line wraps if their sum is at most `width`, else nil.
  func widthsWithoutWrapping(in width: Int) -> [Int]? {
    let wanted = zip(minWidths, preferredWidths).map { max($0, $1) }
    return wanted.reduce(0, +) <= width ? wanted : nil
  }

  /// Returns widths whose sum is at most `width`, or nil if not even the minimum widths fit. The
  /// sum is at most `textWidth`, the width of running text, if that suffices for the minimum width
  /// of every column and for every line of up to `maxWordWidth` columns.
  func fittedWidths(to width: Int, preferring textWidth: Int) -> [Int]? {
    let needed = zip(minWidths, preferredWidths).map { max($0, min($1, Self.maxWordWidth)) }
    return fittedWidths(to: needed.reduce(0, +) <= textWidth ? min(textWidth, width) : width)
  }

  /// Returns widths whose sum is at most `width`, or nil if not even the minimum widths fit.
  ///
  /// A common level is raised until the available width is used up: columns that need less keep
  /// their preferred width, and only wider ones are narrowed. The level of each column is weighted
  /// by the square root of the amount of its text, which keeps the rows low.
  func fittedWidths(to width: Int) -> [Int]? {
    let wanted = zip(minWidths, preferredWidths).map { max($0, $1) }
    if wanted.reduce(0, +) <= width { return wanted }
    guard minWidths.reduce(0, +) <= width else { return nil }
    let unbroken = zip(minWidths, wanted).map { $1 <= Self.maxShortWidth ? $1 : $0 }
    let minimum = unbroken.reduce(0, +) <= width ? unbroken : minWidths
    let weights = totalTextWidths.map { Double($0).squareRoot() }
    let heaviest = weights.max() ?? 1
    func widths(_ level: Int) -> [Int] {
      minimum.indices.map { column in
        let share = Double(level) * weights[column] / heaviest
        return max(minimum[column], min(wanted[column], Int(share)))
      }
    }
    // The binary search below finds the highest level at which the table fits.
    let levels = 1..<16 * width + 1
    let level = levels.partitioningIndex { widths($0).reduce(0, +) > width } - 1
    var result = widths(level)
    var rest = width - result.reduce(0, +)
    for column in result.indices where rest > 0 && result[column] < wanted[column] {
      result[column] += 1
      rest -= 1
    }
    return result
  }
}
