import Document

/// What stands at the left of every line inside lists, quotes and the like.
///
/// A part shows its marker (a bullet, a number) once, on the first line that is written after it
/// was opened, and its `rest` on the others. Indentation is capped so that text keeps a minimum of
/// columns: beyond, a part takes no room, and only the innermost marker is shown, if there is room
/// for it.
struct Indentation {
  /// One level.
  struct Part {
    var marker = ""
    var rest = ""
    var style = TextStyle()
    /// Columns of `rest`, and of the marker.
    var columns = 0
    var isPending = false
    /// What the marker opens and closes, or -1.
    var target: PageLayout.Target? = nil
  }

  private(set) var parts: [Part] = []
  private(set) var columns = 0
  private var pendingCount = 0
  private var overflow: Part?
  /// The fewest parts since the last line: what a blank line before the next one shares.
  private var lowest = 0
  /// The columns of parts and text together.
  var width = 0
  /// The most columns that parts may take.
  private var limit: Int { max(0, width - max(fewest, width * 2 / 5)) }
  /// The fewest columns that text keeps: a cell is as narrow as its text.
  var fewest = 10

  /// Opens a level; `marker` is as wide as `rest` or empty.
  mutating func push(
    marker: String, rest: String, columns: Int, style: TextStyle, target: PageLayout.Target? = nil
  ) {
    let isPending = !marker.isEmpty
    var part = Part(
      marker: marker, rest: rest, style: style, columns: columns, isPending: isPending,
      target: target)
    if self.columns + columns > limit {
      part.rest = ""
      // What aligns it with other markers has no use there.
      let padding = marker.utf8.prefix { $0 == .space }.count
      part.marker.removeFirst(padding)
      part.columns -= padding
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

  /// Columns before the text of the next line.
  var nextColumns: Int { columns + (overflow?.columns ?? 0) }

  /// A marker waits for its line.
  var hasPendingMarker: Bool { pendingCount > 0 || overflow != nil }

  /// Writes the parts at the beginning of a line.
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

  /// Writes a blank line with the parts that the text above and below it share; with a level of 1 it begins at the
  /// right, with none nothing is ordered.
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
      if writer.isOrdered { writer.endStretch(level: writer.embedding(of: 0), box: 0) }
    }
    writer.endLine(source: source)
  }

  /// What a line that is blank otherwise says of what is below it.
  struct Label {
    static let style = TextStyle(.dim, inline: .small.union(.code))

    var text: String
    /// Where it begins, behind the margin.
    var column: Int
  }
}
