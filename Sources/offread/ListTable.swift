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
    var read = ""
    /// The URL.
    var address = ""
    /// The lines of the user's note.
    var note: [String] = []

    /// The columns before the URL: their texts, and whether they are right-aligned.
    static let columns: [(text: @Sendable (Row) -> String, isNumber: Bool)] = [
      ({ $0.title }, false), ({ $0.tags }, false), ({ $0.age }, true), ({ $0.size }, true),
      ({ $0.read }, true),
    ]
  }

  /// The width of the terminal in columns; nil for lines of any length.
  private let width: Int?
  private let display = DisplayWidth()
  private var widths = [Int](repeating: 0, count: Row.columns.count)

  /// Maximum width of a column, so that a few long titles do not shift the other columns.
  private static let maxPadding = 100
  private static let gap = "  "

  /// Creates an empty table.
  /// - Parameter width: the width of the terminal in columns; nil for lines of any length.
  init(width: Int?) { self.width = width }

  /// Returns the lines of further rows, and widens the columns if necessary.
  mutating func text(_ rows: [Row]) -> String {
    for row in rows {
      for (index, column) in Row.columns.enumerated() {
        let own = display.width(of: column.text(row))
        widths[index] = max(widths[index], min(own, Self.maxPadding))
      }
    }
    let shown = width.map { shownWidths(in: $0, rows) } ?? widths
    return rows.map { line($0, shown) }.joined()
  }

  /// Returns the column widths for a terminal: numbers are never truncated; of the remaining width,
  /// tags get at most a fifth, the URL at most half of what is then left, and titles the rest.
  private func shownWidths(in width: Int, _ rows: [Row]) -> [Int] {
    let gaps = widths.count { $0 > 0 } * Self.gap.count
    let numbers = widths[2...].reduce(0, +)
    let columns = max(20, width - 1 - gaps - numbers)
    var shown = widths
    shown[1] = min(widths[1], columns / 5)
    let address = rows.map { display.width(of: Self.short($0.address)) }.max() ?? 0
    shown[0] = min(widths[0], columns - shown[1] - min(address, (columns - shown[1]) / 2))
    return shown
  }

  private func line(_ row: Row, _ widths: [Int]) -> String {
    var line = ""
    for (index, column) in Row.columns.enumerated() where widths[index] > 0 {
      var text = column.text(row)
      if width != nil { text = display.truncated(text, to: widths[index], ellipsis: "…") }
      let space = String(repeating: " ", count: max(0, widths[index] - display.width(of: text)))
      line += (column.isNumber ? space + text : text + space) + Self.gap
    }
    guard let width else {
      return ([line + row.address] + notes(row)).joined(separator: "\n") + "\n"
    }
    line += Self.short(row.address)
    return ([line] + notes(row)).map { display.truncated($0, to: width - 1, ellipsis: "…") + "\n" }
      .joined()
  }

  private func notes(_ row: Row) -> [String] { row.note.map { Self.gap + Self.gap + $0 } }

  /// Returns a URL without `https://`, a form that can be typed too.
  private static func short(_ address: String) -> String {
    address.hasPrefix("https://") ? String(address.dropFirst(8)) : address
  }
}
