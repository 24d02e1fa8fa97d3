/// The selected lines of the page.
package struct SelectedLines: Sendable, Equatable {
  /// The line at which the selection began. `movingLine` is its other end, above or below.
  var anchorLine: Int
  var movingLine: Int

  /// The selected lines.
  var range: ClosedRange<Int> { min(anchorLine, movingLine)...max(anchorLine, movingLine) }
}
