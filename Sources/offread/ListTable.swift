import Saving
import Layout
import Terminal
import TerminalUI

/// A table of pages like the library screen: title, tags, age, size, reading progress, URL.
///
/// Columns are as wide as their widest text so far, so that rows that are written incrementally
/// line up.
struct ListTable {
  /// The texts of a row, all of them sanitized.
  struct Row: Equatable {
    /// The title, or empty.
    var title = ""
    /// The tags, or empty.
    var tags = ""
    /// The age of the copy, or its state.
    var age = ""
    /// The size of the copy, or empty.
    var size = ""
    /// The reading progress; for a feed, the number of unread items.
    var readingProgress = ""
    /// The URL.
    var url = ""
    /// The lines of the user's note.
    var noteLines: [String] = []

    /// The columns before the URL: their texts, and whether they are right-aligned.
    static let columns: [(text: @Sendable (Row) -> String, isNumber: Bool)] = [
      ({ $0.title }, false), ({ $0.tags }, false), ({ $0.age }, true), ({ $0.size }, true),
      ({ $0.readingProgress }, true),
    ]
  }

  /// The width of the terminal in columns; nil for lines of any length.
  private let width: Int?
  private let displayWidth = DisplayWidth()
  private var columnWidths = [Int](repeating: 0, count: Row.columns.count)

  /// Maximum width of a column, so that a few long titles do not shift the other columns.
  private static let maxColumnWidth = 100
  private static let gap = "  "

  /// Creates an empty table.
  /// - Parameter width: the width of the terminal in columns; nil for lines of any length.
  init(width: Int?) { self.width = width }

  /// Returns the lines of further rows, and widens the columns if necessary.
  mutating func text(_ rows: [Row]) -> String {
    for row in rows {
      for (index, column) in Row.columns.enumerated() {
        let own = displayWidth.width(of: column.text(row))
        columnWidths[index] = max(columnWidths[index], min(own, Self.maxColumnWidth))
      }
    }
    let shown = width.map { fittedWidths(in: $0, rows) } ?? columnWidths
    return rows.map { line($0, shown) }.joined()
  }

  /// Returns the column widths for a terminal: numbers are never truncated; of the remaining width,
  /// tags get at most a fifth, the URL at most half of the then remaining width, and titles the
  /// rest.
  private func fittedWidths(in width: Int, _ rows: [Row]) -> [Int] {
    let gaps = columnWidths.count { $0 > 0 } * Self.gap.count
    let numbers = columnWidths[2...].reduce(0, +)
    let columns = max(20, width - 1 - gaps - numbers)
    var shown = columnWidths
    shown[1] = min(columnWidths[1], columns / 5)
    let address = rows.map { displayWidth.width(of: Self.shortURL($0.url)) }.max() ?? 0
    shown[0] = min(columnWidths[0], columns - shown[1] - min(address, (columns - shown[1]) / 2))
    return shown
  }

  private func line(_ row: Row, _ widths: [Int]) -> String {
    var line = ""
    for (index, column) in Row.columns.enumerated() where widths[index] > 0 {
      var text = column.text(row)
      if width != nil { text = displayWidth.truncated(text, to: widths[index], ellipsis: "…") }
      let space = String(
        repeating: " ", count: max(0, widths[index] - displayWidth.width(of: text)))
      line += (column.isNumber ? space + text : text + space) + Self.gap
    }
    guard let width else {
      return ([line + row.url] + notes(row)).joined(separator: "\n") + "\n"
    }
    line += Self.shortURL(row.url)
    return ([line] + notes(row)).map {
      displayWidth.truncated($0, to: width - 1, ellipsis: "…") + "\n"
    }
    .joined()
  }

  private func notes(_ row: Row) -> [String] { row.noteLines.map { Self.gap + Self.gap + $0 } }

  /// Returns a URL without `https://`. Users can type the URL in this form as well.
  private static func shortURL(_ url: String) -> String {
    url.hasPrefix("https://") ? String(url.dropFirst(8)) : url
  }
}
