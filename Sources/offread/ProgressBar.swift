import Platform
import Document
import Foundation
import OfflineCache
import Reader
import Synchronization
import Terminal
import TerminalUI

/// Tells on standard error how far a long work is: one line, drawn at most ten times a second, only
/// on a terminal. It also notices that a person wants to stop.
final class ProgressBar {
  private let label: String
  private let isShown: Bool
  private let amount: (Int64) -> String
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant?

  /// Begins to watch.
  /// - Parameters:
  ///   - label: what is done.
  ///   - isQuiet: whether nothing is drawn.
  ///   - amount: the words for what is done; bytes unless it is something else.
  init(
    _ label: String, isQuiet: Bool, amount: @escaping (Int64) -> String = { ByteCount.text($0) }
  ) {
    self.label = label
    self.amount = amount
    isShown = !isQuiet && isatty(STDERR_FILENO) == 1
    Interruption.watch()
  }

  /// Takes note of a progress.
  /// - Returns: whether to go on.
  func advance(_ progress: ArchiveProgress) -> Bool {
    let now = ContinuousClock.now
    if isShown, last.map({ now - $0 >= .milliseconds(100) }) ?? true {
      last = now
      let elapsed = Double((now - start).components.seconds)
      draw(
        ProgressLine.text(
          label, done: progress.done, of: progress.total, elapsed: elapsed, columns: Self.columns,
          amount: amount))
    }
    return !Interruption.hasCome
  }

  /// Takes the line away.
  func finish() {
    if last != nil { draw("") }
  }

  private func draw(_ line: String) {
    try? StandardOutput.write(Array("\r\(line)\u{1B}[K".utf8), to: STDERR_FILENO)
  }

  /// The width of the terminal that standard error is.
  static var columns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}

/// Whether SIGINT, SIGTERM or SIGHUP has come: the work then ends where nothing is half done. A second one
/// ends the process at once.
enum Interruption {
  private static let signal = Atomic<Int32>(0)

  /// Whether one has come.
  static var hasCome: Bool { signal.load(ordering: .relaxed) != 0 }

  /// What the process ends with for it: 128 and the number of the signal, as shells say it.
  static var exitCode: Int32 {
    let number = signal.load(ordering: .relaxed)
    return 128 + (number == 0 ? SIGINT : number)
  }

  /// Begins to watch.
  static func watch() {
    // Made before a handler may need it.
    _ = hasCome
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var former = sigaction()
      sigaction(number, nil, &former)
      // What was ignored from the start (nohup) stays so.
      if Self.isIgnored(former) { continue }
      var action = sigaction()
      action.handler = note
      action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }

  /// Whether a signal has no effect.
  static func isIgnored(_ action: sigaction) -> Bool {
    unsafeBitCast(action.handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static let note: @convention(c) (Int32) -> Void = { number in
    signal.store(number, ordering: .relaxed)
  }
}
