import Foundation

/// A row of the table: a measured figure and its target.
struct ResultRow {
  /// Whether a figure meets its target.
  enum Verdict: String {
    case pass
    case fail = "**FAIL**"
    /// There is no target; the figure explains another one.
    case none = ""
  }

  let name: String
  let value: String
  let target: String
  let verdict: Verdict

  /// Returns a row whose figure should be at most the target.
  static func atMost(
    _ name: String, _ figure: Double, _ target: Double, unit: String, note: String = ""
  ) -> ResultRow {
    ResultRow(
      name: name, value: text(figure, unit) + (note.isEmpty ? "" : " (\(note))"),
      target: "≤ " + text(target, unit), verdict: figure <= target ? .pass : .fail)
  }

  /// Returns a row whose figure should be at least the target.
  static func atLeast(
    _ name: String, _ figure: Double, _ target: Double, unit: String, note: String = ""
  ) -> ResultRow {
    ResultRow(
      name: name, value: text(figure, unit) + (note.isEmpty ? "" : " (\(note))"),
      target: "≥ " + text(target, unit), verdict: figure >= target ? .pass : .fail)
  }

  /// Returns a row without a target.
  static func plain(_ name: String, _ value: String) -> ResultRow {
    ResultRow(name: name, value: value, target: "", verdict: .none)
  }

  /// The header of the Markdown table.
  static let header = "| What | Figure | Target | |\n| --- | --- | --- | --- |"

  /// The row in Markdown.
  var line: String { "| \(name) | \(value) | \(target) | \(verdict.rawValue) |" }

  /// Formats a figure with two decimal places below 10, one below 100, and none above.
  static func text(_ figure: Double, _ unit: String) -> String {
    let digits = figure >= 99.5 ? 0 : figure >= 9.95 ? 1 : 2
    let number = String(format: "%.\(digits)f", figure)
    return unit.isEmpty ? number : "\(number) \(unit)"
  }
}

extension Array where Element == Double {
  /// Returns the value at a percentile (0 to 1); NaN if there are no values.
  func percentile(_ part: Double) -> Double {
    guard !isEmpty else { return .nan }
    let sorted = sorted()
    return sorted[Swift.min(count - 1, Int(Double(count) * part))]
  }

  /// The median; NaN if there are no values.
  var median: Double { percentile(0.5) }
}
