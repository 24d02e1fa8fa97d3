import Document
import Foundation
import OfflineCache
import Terminal
import TerminalUI

/// Shows the progress of a long task on standard error: one line, redrawn at most ten times a
/// second, only on a terminal. It also detects interruptions.
final class ProgressBar {
  private let label: String
  private let isShown: Bool
  private let amountText: (Int64) -> String
  private let startTime = ContinuousClock.now
  private var lastDrawTime: ContinuousClock.Instant?

  /// Creates the progress bar and starts watching for signals.
  /// - Parameters:
  ///   - label: the name of the task.
  ///   - isQuiet: whether to draw nothing.
  ///   - amountText: returns the text for an amount of work; bytes by default.
  init(
    _ label: String, isQuiet: Bool,
    amountText: @escaping (Int64) -> String = { CountFormatter.byteCountText($0) }
  ) {
    self.label = label
    self.amountText = amountText
    isShown = !isQuiet && isatty(STDERR_FILENO) == 1
    Interruption.installHandlers()
  }

  /// Updates the progress.
  /// - Parameter progress: the progress of the task.
  /// - Returns: whether to continue.
  func advance(_ progress: ArchiveProgress) -> Bool {
    let now = ContinuousClock.now
    if isShown, lastDrawTime.map({ now - $0 >= .milliseconds(100) }) ?? true {
      lastDrawTime = now
      let elapsed = Double((now - startTime).components.seconds)
      draw(
        ProgressLine.text(
          label, completedAmount: progress.done, of: progress.total, elapsed: elapsed,
          columns: Self.columns,
          amount: amountText))
    }
    return !Interruption.isInterrupted
  }

  /// Erases the line.
  func finish() {
    if lastDrawTime != nil { draw("") }
  }

  private func draw(_ line: String) {
    try? StandardOutput.write(Array("\r\(line)\u{1B}[K".utf8), to: STDERR_FILENO)
  }

  /// The width of the terminal on standard error, in columns.
  static var columns: Int { StandardOutput.terminalColumns(of: STDERR_FILENO) ?? 80 }
}
