import Platform
import Synchronization

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
