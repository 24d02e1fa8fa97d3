import Platform
import Document
import Foundation
import OfflineCache
import Synchronization
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

/// Records SIGINT, SIGTERM and SIGHUP, so that the task ends in a consistent state. A second signal
/// ends the process immediately.
enum Interruption {
  private static let signal = Atomic<Int32>(0)

  /// Whether a signal was received.
  static var isInterrupted: Bool { signal.load(ordering: .relaxed) != 0 }

  /// The exit code after a signal: 128 plus its number, as in shells; 130 if no signal was
  /// received.
  static var exitCode: Int32 {
    let number = signal.load(ordering: .relaxed)
    return 128 + (number == 0 ? SIGINT : number)
  }

  /// Installs the signal handlers.
  static func installHandlers() {
    // Initialize the variable before a handler accesses it.
    _ = isInterrupted
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var former = sigaction()
      sigaction(number, nil, &former)
      // A signal that is ignored from the start (nohup) stays ignored.
      if Self.isIgnored(former) { continue }
      var action = sigaction()
      action.handler = handler
      action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }

  /// Returns whether a signal is ignored.
  static func isIgnored(_ action: sigaction) -> Bool {
    unsafeBitCast(action.handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static let handler: @convention(c) (Int32) -> Void = { number in
    signal.store(number, ordering: .relaxed)
  }
}
