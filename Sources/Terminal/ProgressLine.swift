import Document
import Layout

/// The line that tells how far a long work is.
package enum ProgressLine {
  /// A line for a progress: `verifying [####......] 40 %  2.0 MB of 5.0 MB, 3 s left`.
  /// - Parameters:
  ///   - label: what is done.
  ///   - done: how much is done.
  ///   - total: how much there is in all; 0 when that is not known.
  ///   - elapsed: seconds since the beginning.
  ///   - columns: the width of the terminal.
  ///   - amount: the words for what is done; bytes unless it is something else.
  /// - Returns: the line, narrower than the terminal, so that nothing wraps.
  package static func text(
    _ label: String, done: Int64, of total: Int64, elapsed: Double, columns: Int,
    amount: (Int64) -> String = { ByteCount.text($0) }
  ) -> String {
    let fraction = total > 0 ? Double(done) / Double(total) : 0
    var tail =
      " \(Int(fraction * 100)) %  \(amount(done)) of \(amount(total))"
    if elapsed > 1, fraction > 0.01, fraction < 1 {
      tail += ", \(time(elapsed / fraction - elapsed)) left"
    }
    let room = max(0, min(30, columns - label.count - tail.count - 4))
    let bar = bar(done: done, of: total, cells: room)
    let line = room < 5 ? label + tail : "\(label) \(bar)\(tail)"
    return cut(line, to: max(0, columns - 1))
  }

  /// The beginning of a line, as much as has room in some columns.
  package static func cut(_ line: String, to columns: Int) -> String {
    var result = ""
    var used = 0
    DisplayWidth().forEach(in: line) { cluster, width in
      used += width
      if used <= columns { result += cluster }
    }
    return result
  }

  /// A bar: `[####......]`.
  /// - Parameters:
  ///   - done: what is done.
  ///   - total: what there is in all; 0 when that is not known.
  ///   - cells: the width between the brackets.
  /// - Returns: the bar.
  package static func bar(done: Int64, of total: Int64, cells: Int) -> String {
    let fraction = total > 0 ? min(1, Double(done) / Double(total)) : 0
    let full = Int(Double(cells) * fraction)
    return "[" + String(repeating: "#", count: full)
      + String(repeating: ".", count: max(0, cells - full)) + "]"
  }

  private static func time(_ seconds: Double) -> String {
    let rounded = Int(min(seconds, 359_999))
    if rounded < 60 { return "\(rounded) s" }
    return rounded < 3600 ? "\(rounded / 60) min" : "\(rounded / 3600) h \(rounded / 60 % 60) min"
  }
}
