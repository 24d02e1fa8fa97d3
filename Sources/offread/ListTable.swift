import Saving
import Layout
import Reader
import Terminal
import TerminalUI

/// Pages as the screen of the library shows them, a line each: title, tags, age, size, how far it was read,
/// address.
///
/// Columns are as wide as their widest text so far, so that lines that are written piece by piece line up.
struct ListTable {
  /// A page in words, all of them clean.
  struct Row: Equatable {
    /// Title, or empty.
    var title = ""
    /// Its tags, or empty.
    var tags = ""
    /// The age of the copy, or what there is in its place.
    var age = ""
    /// The size of the copy, or empty.
    var size = ""
    /// How far it was read; of a feed, how many items were not.
    var read = ""
    /// The address.
    var address = ""
    /// The lines of a person's note.
    var note: [String] = []

    /// The columns before the address, each with whether its text stands at the right end.
    static let columns: [(text: @Sendable (Row) -> String, isNumber: Bool)] = [
      ({ $0.title }, false), ({ $0.tags }, false), ({ $0.age }, true), ({ $0.size }, true),
      ({ $0.read }, true),
    ]
  }

  /// The columns of the terminal; nil for lines as long as they are.
  private let width: Int?
  private let display = DisplayWidth()
  private var widths = [Int](repeating: 0, count: Row.columns.count)

  /// Longer titles and tags do not push the other columns of all lines away.
  private static let mostPadding = 100
  private static let gap = "  "

  /// Begins a list.
  /// - Parameter width: the columns of the terminal; nil for lines as long as they are.
  init(width: Int?) { self.width = width }

  /// The lines of some more pages.
  mutating func text(_ rows: [Row]) -> String {
    for row in rows {
      for (index, column) in Row.columns.enumerated() {
        let own = display.width(of: column.text(row))
        widths[index] = max(widths[index], min(own, Self.mostPadding))
      }
    }
    let shown = width.map { shownWidths(in: $0, rows) } ?? widths
    return rows.map { line($0, shown) }.joined()
  }

  /// The widths of the columns where they have to fit beside each other: numbers are whole, then tags have a
  /// fifth of the rest, the address what it needs up to a half of the rest, and titles what is left.
  private func shownWidths(in width: Int, _ rows: [Row]) -> [Int] {
    let gaps = widths.count { $0 > 0 } * Self.gap.count
    let numbers = widths[2...].reduce(0, +)
    let room = max(20, width - 1 - gaps - numbers)
    var shown = widths
    shown[1] = min(widths[1], room / 5)
    let address = rows.map { display.width(of: Self.short($0.address)) }.max() ?? 0
    shown[0] = min(widths[0], room - shown[1] - min(address, (room - shown[1]) / 2))
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

  /// An address as it can be typed, too.
  private static func short(_ address: String) -> String {
    address.hasPrefix("https://") ? String(address.dropFirst(8)) : address
  }
}
