import Document

/// The indentation at the left of each line in lists, quotes and similar blocks.
///
/// A part shows its marker (a bullet, a number) on the first line written after it was opened, and
/// `rest` on the others. Indentation is capped so that text keeps a minimum width: beyond that, a
/// part takes no columns, and only the innermost marker is shown if it fits.
struct Indentation {
  /// One level of indentation.
  struct Part {
    var marker = ""
    var rest = ""
    var style = TextStyle()
    /// The width of `rest` and of the marker, in columns.
    var columns = 0
    /// Whether the marker has not been written yet.
    var isPending = false
    /// The target that the marker opens and closes; nil if there is none.
    var target: PageLayout.Target? = nil
  }

  private(set) var parts: [Part] = []
  private(set) var columns = 0
  private var pendingCount = 0
  private var overflow: Part?
  /// The smallest number of open parts since the last line. A blank line before the next line shows
  /// only these parts, which the text above and below it share.
  private var lowest = 0
  /// The total width of the indentation and the text, in columns.
  var width = 0
  /// The maximum number of columns that parts may take.
  private var limit: Int { max(0, width - minTextColumns) }
  /// The minimum number of columns that remain for text; fewer in a cell, which is as narrow as its
  /// text.
  private var minTextColumns: Int {
    isOfCell ? max(3, width * 2 / 5) : max(10, min(Self.readableColumns, width * 2 / 3))
  }
  /// Whether the lines are those of a table cell.
  var isOfCell = false

  /// The number of columns in which running text is easy to read.
  private static let readableColumns = 40

  /// Opens a level; `marker` is as wide as `rest` or empty. If there is no space for a level whose
  /// `depth` is greater than 1, its first line shows the depth as a number in front of the marker.
  mutating func push(
    marker: String, rest: String, columns: Int, style: TextStyle,
    target: PageLayout.Target? = nil, depth: Int = 0
  ) {
    var isPending = !marker.isEmpty
    var part = Part(
      marker: marker, rest: rest, style: style, columns: columns, isPending: isPending,
      target: target)
    if self.columns + columns > limit {
      part.rest = ""
      // The padding that aligns it with other markers is useless there.
      let padding = marker.utf8.prefix { $0 == .space }.count
      part.marker.removeFirst(padding)
      part.columns -= padding
      if depth > 1 {
        let number = String(depth)
        part.marker = number + (marker.isEmpty ? rest : part.marker)
        part.columns += number.utf8.count
        part.isPending = true
        isPending = true
      }
      let isShown = self.columns + part.columns <= width - min(4, width / 2)
      if isPending { overflow = isShown ? part : nil }
      return
    }
    parts.append(part)
    self.columns += columns
    if isPending { pendingCount += 1 }
  }

  /// Opens a level of blank columns.
  mutating func push(spaces: Int) {
    guard spaces > 0 else { return }
    let rest = String(repeating: " ", count: spaces)
    push(marker: "", rest: rest, columns: spaces, style: TextStyle())
  }

  /// Closes levels until `count` are left.
  mutating func pop(to count: Int) {
    while parts.count > count {
      let part = parts.removeLast()
      columns -= part.columns
      if part.isPending { pendingCount -= 1 }
    }
    lowest = min(lowest, count)
    overflow = nil
  }

  /// The width of the indentation of the next line, in columns.
  var nextColumns: Int { columns + (overflow?.columns ?? 0) }

  /// Whether a marker has not been written yet.
  var hasPendingMarker: Bool { pendingCount > 0 || overflow != nil }

  /// Writes the indentation at the beginning of a line.
  mutating func write(to writer: inout LineWriter) {
    if pendingCount == 0 {
      for part in parts { writer.append(part.rest, style: part.style) }
    } else {
      for index in parts.indices {
        let part = parts[index]
        writer.append(
          part.isPending ? part.marker : part.rest, style: part.style,
          target: part.isPending ? part.target : nil)
        parts[index].isPending = false
      }
      pendingCount = 0
    }
    if let part = overflow {
      writer.append(part.marker, style: part.style, target: part.target)
      overflow = nil
    }
    lowest = parts.count
  }

  /// Writes a blank line with the parts that the text above and below it share. A level of 1 makes
  /// the line right to left; nil turns bidirectional ordering off.
  func writeBlank(
    to writer: inout LineWriter, margin: Int, source: UInt32, level: UInt8?, label: Label? = nil
  ) {
    let shared = parts.prefix(lowest).reduce(0) { $0 + $1.columns }
    let label = label.flatMap { $0.column > shared ? $0 : nil }
    writer.beginLine()
    if lowest > 0 || label != nil { writer.append(byte: .space, count: margin) }
    for part in parts.prefix(lowest) { writer.append(part.rest, style: part.style) }
    writer.endPrefix()
    if let level, lowest > 0 || label != nil {
      writer.beginOrder(level: level, margin: margin, columns: width - shared)
    }
    if let label {
      writer.append(byte: .space, count: label.column - shared)
      writer.append(label.text, style: Label.style)
      writer.endPrefix()
      if writer.isOrdered { writer.endLevelRun(level: writer.embedding(of: 0), minBoxWidth: 0) }
    }
    writer.endLine(source: source)
  }

  /// A label on an otherwise blank line that describes the block below.
  struct Label {
    static let style = TextStyle(.dim, inline: .small.union(.code))

    var text: String
    /// The column at which the label begins, counted from the margin.
    var column: Int
  }
}
