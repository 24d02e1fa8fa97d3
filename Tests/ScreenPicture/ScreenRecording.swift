/// A sequence of screens, each with the time for which it is shown.
package struct ScreenRecording: Sendable, Equatable {
  /// The screens in order.
  package var frames: [Frame]

  /// A screen with the time for which it is shown.
  package struct Frame: Sendable, Equatable {
    package var screen: CapturedScreen
    /// The time in milliseconds.
    package var duration: Int
  }

  /// Parses captures, each preceded by a line that begins with U+001E and contains the time in
  /// milliseconds and, if there is a cursor, its column and row, from 0. Captures without a valid
  /// time are omitted.
  package init(_ text: String) {
    frames = text.split(separator: "\u{1E}").compactMap { part in
      let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let numbers = lines[0].split(separator: " ").map { Int($0) ?? 0 }
      guard let duration = numbers.first, 1...600_000 ~= duration else { return nil }
      var screen = CapturedScreen(lines.count > 1 ? String(lines[1]) : "")
      if numbers.count == 3 { screen.showCursor(column: numbers[1], row: numbers[2]) }
      return Frame(screen: screen, duration: duration)
    }
  }
}

extension CapturedScreen {
  /// Shows a cursor as a cell with reversed colours.
  fileprivate mutating func showCursor(column: Int, row: Int) {
    guard rows.indices.contains(row) else { return }
    if let index = rows[row].firstIndex(where: { $0.column == column }) {
      rows[row][index].style.isReversed.toggle()
    } else if rows[row].last.map({ $0.column + $0.width <= column }) ?? true {
      var style = Style()
      style.isReversed = true
      rows[row].append(Cell(text: " ", column: column, width: 1, style: style))
    }
  }
}
