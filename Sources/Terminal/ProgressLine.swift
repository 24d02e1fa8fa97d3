import Document
import Layout

/// The progress line of a long operation.
package enum ProgressLine {
  /// Returns a progress line: `verifying [####......] 40 %  2.0 MB of 5.0 MB, 3 s left`.
  /// - Parameters:
  ///   - label: The name of the operation.
  ///   - completedAmount: The completed amount.
  ///   - total: The total amount; 0 if unknown.
  ///   - elapsed: The elapsed time in seconds.
  ///   - columns: The width of the terminal.
  ///   - amount: Formats an amount; by default as bytes.
  /// - Returns: The line, narrower than the terminal so that it does not wrap.
  package static func text(
    _ label: String, completedAmount: Int64, of total: Int64, elapsed: Double, columns: Int,
    amount: (Int64) -> String = { CountFormatter.byteCountText($0) }
  ) -> String {
    let fraction = total > 0 ? Double(completedAmount) / Double(total) : 0
    var tail =
      " \(Int(fraction * 100)) %  \(amount(completedAmount)) of \(amount(total))"
    if elapsed > 1, fraction > 0.01, fraction < 1 {
      tail += ", \(timeText(elapsed / fraction - elapsed)) left"
    }
    let width = max(0, min(30, columns - label.count - tail.count - 4))
    let bar = bar(completedAmount: completedAmount, of: total, cells: width)
    let line = width < 5 ? label + tail : "\(label) \(bar)\(tail)"
    return truncated(line, to: max(0, columns - 1))
  }

  /// Returns the prefix of a line that fits in the given columns.
  package static func truncated(_ line: String, to columns: Int) -> String {
    var result = ""
    var used = 0
    DisplayWidth().forEachCluster(in: line) { cluster, width in
      used += width
      if used <= columns { result += cluster }
    }
    return result
  }

  /// Returns a bar: `[####......]`.
  /// - Parameters:
  ///   - completedAmount: The completed amount.
  ///   - total: The total amount; 0 if unknown.
  ///   - cells: The width between the brackets.
  /// - Returns: The bar.
  package static func bar(completedAmount: Int64, of total: Int64, cells: Int) -> String {
    let fraction = total > 0 ? min(1, Double(completedAmount) / Double(total)) : 0
    let full = Int(Double(cells) * fraction)
    return "[" + String(repeating: "#", count: full)
      + String(repeating: ".", count: max(0, cells - full)) + "]"
  }

  private static func timeText(_ seconds: Double) -> String {
    let rounded = Int(min(seconds, 359_999))
    if rounded < 60 { return "\(rounded) s" }
    return rounded < 3600 ? "\(rounded / 60) min" : "\(rounded / 3600) h \(rounded / 60 % 60) min"
  }
}
