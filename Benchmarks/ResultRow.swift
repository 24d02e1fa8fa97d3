import Foundation

/// A row of the table: what was measured, and what it should be.
struct ResultRow {
  /// Whether a figure reaches its target.
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

  /// A row whose figure may be at most the target.
  static func atMost(
    _ name: String, _ figure: Double, _ target: Double, unit: String, note: String = ""
  ) -> ResultRow {
    ResultRow(
      name: name, value: text(figure, unit) + (note.isEmpty ? "" : " (\(note))"),
      target: "≤ " + text(target, unit), verdict: figure <= target ? .pass : .fail)
  }

  /// A row whose figure has to be at least the target.
  static func atLeast(
    _ name: String, _ figure: Double, _ target: Double, unit: String, note: String = ""
  ) -> ResultRow {
    ResultRow(
      name: name, value: text(figure, unit) + (note.isEmpty ? "" : " (\(note))"),
      target: "≥ " + text(target, unit), verdict: figure >= target ? .pass : .fail)
  }

  /// A row without a target.
  static func plain(_ name: String, _ value: String) -> ResultRow {
    ResultRow(name: name, value: value, target: "", verdict: .none)
  }

  /// The head of a Markdown table of rows.
  static let header = "| What | Figure | Target | |\n| --- | --- | --- | --- |"

  /// The row in Markdown.
  var line: String { "| \(name) | \(value) | \(target) | \(verdict.rawValue) |" }

  /// A figure with three digits that count.
  static func text(_ figure: Double, _ unit: String) -> String {
    let digits = figure >= 99.5 ? 0 : figure >= 9.95 ? 1 : 2
    let number = String(format: "%.\(digits)f", figure)
    return unit.isEmpty ? number : "\(number) \(unit)"
  }
}

extension Array where Element == Double {
  /// The value below which a part (0 to 1) of the values lies; NaN of none.
  func percentile(_ part: Double) -> Double {
    guard !isEmpty else { return .nan }
    let sorted = sorted()
    return sorted[Swift.min(count - 1, Int(Double(count) * part))]
  }

  /// The value in the middle.
  var median: Double { percentile(0.5) }
}
