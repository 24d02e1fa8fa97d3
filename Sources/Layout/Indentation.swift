import Document

/// The indentation at the left of each line in lists, quotes and similar blocks.
///
/// A level shows its marker (a bullet or a number) on the first line written after it was opened,
/// and `continuation` on the others. Indentation is capped so that text keeps a minimum width:
/// beyond that, a level takes no columns, and only the innermost marker is shown if it fits.
struct Indentation {
  /// One level of indentation.
  struct Level {
    var marker = ""
    var continuation = ""
    var style = TextStyle()
    /// The width of `continuation` and of the marker, in columns.
    var columns = 0
    /// Whether the marker has not been written yet.
    var isPending = false
    /// The target that the marker opens and closes; nil if there is none.
    var target: PageLayout.Target? = nil
  }

  /// The open levels, the outermost first.
  private(set) var levels: [Level] = []
  /// The number of columns that the open levels take.
  private(set) var columns = 0
  /// The number of levels whose markers have not been written yet.
  private var pendingMarkerCount = 0
  /// The innermost level without columns, whose marker is written before the text of the next line;
  /// nil for none.
  private var overflow: Level?
  /// The smallest number of open levels since the last line was written. A blank line before the
  /// next line shows only these levels, which the text above and below it shares.
  private var minOpenLevels = 0
  /// The total width of the indentation and the text, in columns.
  var totalWidth = 0
  /// The maximum number of columns that levels may take.
  private var maxColumns: Int { max(0, totalWidth - minTextColumns) }
  /// The minimum number of columns that remain for text; fewer in a cell, which is as narrow as its
  /// text.
  private var minTextColumns: Int {
    isInTableCell
      ? max(3, totalWidth * 2 / 5) : max(10, min(Self.readableColumns, totalWidth * 2 / 3))
  }
  /// The minimum number of columns that remain for text beside the marker of a level without
  /// columns; fewer in a cell, which may be as narrow as the text of its widest item.
  private var minMarkedColumns: Int { isInTableCell ? 2 : 4 }
  /// Whether the lines belong to a table cell.
  var isInTableCell = false

  /// The minimum number of columns in which running text is easy to read.
  private static let readableColumns = 40

  /// Opens a level; `marker` is as wide as `continuation` or empty. If there is no space for a
  /// level whose `depth` is greater than 1, its first line shows the depth as a number in front of
  /// the marker.
  mutating func push(
    marker: String, continuation: String, columns: Int, style: TextStyle,
    target: PageLayout.Target? = nil, depth: Int = 0
  ) {
    var isPending = !marker.isEmpty
    var level = Level(
      marker: marker, continuation: continuation, style: style, columns: columns,
      isPending: isPending,
      target: target)
    if self.columns + columns > maxColumns {
      level.continuation = ""
      // The padding that aligns the marker with other markers is useless without indentation.
      let padding = marker.utf8.prefix { $0 == .space }.count
      level.marker.removeFirst(padding)
      level.columns -= padding
      if depth > 1 {
        let number = String(depth)
        level.marker = number + (marker.isEmpty ? continuation : level.marker)
        level.columns += number.utf8.count
        level.isPending = true
        isPending = true
      }
      let isShown =
        self.columns + level.columns <= totalWidth - min(minMarkedColumns, totalWidth / 2)
      if isPending { overflow = isShown ? level : nil }
      return
    }
    levels.append(level)
    self.columns += columns
    if isPending { pendingMarkerCount += 1 }
  }

  /// Opens a level of `spaces` blank columns.
  mutating func push(spaces: Int) {
    guard spaces > 0 else { return }
    let rest = String(repeating: " ", count: spaces)
    push(marker: "", continuation: rest, columns: spaces, style: TextStyle())
  }

  /// Closes levels until `count` are left.
  mutating func pop(to count: Int) {
    while levels.count > count {
      let level = levels.removeLast()
      columns -= level.columns
      if level.isPending { pendingMarkerCount -= 1 }
    }
    minOpenLevels = min(minOpenLevels, count)
    overflow = nil
  }

  /// The width of the indentation and the marker on the next line, in columns.
  var nextColumns: Int { columns + (overflow?.columns ?? 0) }

  /// Writes the indentation at the beginning of a line.
  mutating func write(to writer: inout LineWriter) {
    if pendingMarkerCount == 0 {
      for level in levels { writer.append(level.continuation, style: level.style) }
    } else {
      for index in levels.indices {
        let level = levels[index]
        writer.append(
          level.isPending ? level.marker : level.continuation, style: level.style,
          target: level.isPending ? level.target : nil)
        levels[index].isPending = false
      }
      pendingMarkerCount = 0
    }
    if let level = overflow {
      writer.append(level.marker, style: level.style, target: level.target)
      overflow = nil
    }
    minOpenLevels = levels.count
  }

  /// Writes a blank line with the levels that the text above and below it shares. An
  /// `embeddingLevel` of 1 makes the line right to left; nil turns bidirectional ordering off.
  func writeBlank(
    to writer: inout LineWriter, margin: Int, source: UInt32, embeddingLevel: UInt8?,
    label: Label? = nil
  ) {
    let shared = levels.prefix(minOpenLevels).reduce(0) { $0 + $1.columns }
    let label = label.flatMap { $0.column > shared ? $0 : nil }
    writer.beginLine()
    if minOpenLevels > 0 || label != nil { writer.append(byte: .space, count: margin) }
    for level in levels.prefix(minOpenLevels) {
      writer.append(level.continuation, style: level.style)
    }
    writer.endPrefix()
    if let embeddingLevel, minOpenLevels > 0 || label != nil {
      writer.beginBidiOrder(level: embeddingLevel, margin: margin, columns: totalWidth - shared)
    }
    if let label {
      writer.append(byte: .space, count: label.column - shared)
      writer.append(label.text, style: Label.style)
      writer.endPrefix()
      if writer.hasBidiOrder {
        writer.endLevelRun(level: writer.levelOffset(of: 0), minBoxWidth: 0)
      }
    }
    writer.endLine(source: source)
  }

  /// A label on an otherwise blank line that describes the block below.
  struct Label {
    static let style = TextStyle(.dim, inlineStyle: .small.union(.code))

    var text: String
    /// The column at which the label begins, counted from the margin.
    var column: Int
  }
}
