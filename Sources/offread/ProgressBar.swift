import Foundation
import OfflineCache
import Synchronization

/// Tells on standard error how far a long work is: one line, drawn at most ten times a second, only
/// on a terminal. It also notices that a person wants to stop.
final class ProgressBar {
  /// A line for a progress.
  /// - Parameters:
  ///   - label: what is done.
  ///   - progress: how far it is.
  ///   - elapsed: seconds since the beginning.
  ///   - columns: the width of the terminal.
  /// - Returns: the line, at most `columns` wide.
  static func line(
    _ label: String, _ progress: ArchiveProgress, elapsed: Double, columns: Int
  ) -> String {
    let fraction = progress.total > 0 ? Double(progress.done) / Double(progress.total) : 0
    var tail =
      " \(Int(fraction * 100)) %  \(ByteCount.text(progress.done))"
      + " of \(ByteCount.text(progress.total))"
    if elapsed > 1, fraction > 0.01, fraction < 1 {
      tail += ", \(Self.time(elapsed / fraction - elapsed)) left"
    }
    let room = max(0, min(30, columns - label.count - tail.count - 4))
    let full = Int(Double(room) * fraction)
    let bar = String(repeating: "#", count: full) + String(repeating: ".", count: room - full)
    let line = room < 5 ? label + tail : "\(label) [\(bar)]\(tail)"
    return String(line.prefix(max(0, columns - 1)))
  }

  private let label: String
  private let isShown: Bool
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant?

  /// Begins to watch.
  /// - Parameters:
  ///   - label: what is done.
  ///   - isQuiet: whether nothing is drawn.
  init(_ label: String, isQuiet: Bool) {
    self.label = label
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
      draw(Self.line(label, progress, elapsed: elapsed, columns: Self.columns))
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

  private static var columns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private static func time(_ seconds: Double) -> String {
    let rounded = Int(min(seconds, 359_999))
    if rounded < 60 { return "\(rounded) s" }
    return rounded < 3600 ? "\(rounded / 60) min" : "\(rounded / 3600) h \(rounded / 60 % 60) min"
  }
}

/// Whether SIGINT or SIGTERM has come: the work then ends where nothing is half done. A second one
/// ends the process at once.
enum Interruption {
  private static let flag = Atomic(false)

  /// Whether one has come.
  static var hasCome: Bool { flag.load(ordering: .relaxed) }

  /// Begins to watch.
  static func watch() {
    // Made before a handler may need it.
    _ = hasCome
    for number in [SIGINT, SIGTERM] {
      var action = sigaction()
      #if canImport(Glibc)
        action.__sigaction_handler.sa_handler = note
      #else
        action.__sigaction_u.__sa_handler = note
      #endif
      action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }

  private static let note: @convention(c) (Int32) -> Void = { _ in
    flag.store(true, ordering: .relaxed)
  }
}
