import Foundation

/// The time limits of one exchange. Times are seconds of a clock that never jumps.
struct TransferClock: Sendable, Equatable {
  private let limits: TransportLimits
  private let start: TimeInterval
  private var sent: TimeInterval?
  private var lastActivity: TimeInterval?
  private var isPaused = false

  init(limits: TransportLimits, start: TimeInterval) {
    self.limits = limits
    self.start = start
  }

  /// Whether the request is known to be sent.
  var isSent: Bool { sent != nil }

  /// The connection stands and the request is on its way.
  mutating func didSend(at now: TimeInterval) {
    sent = sent ?? now
  }

  /// The head or a piece of the content arrived.
  mutating func didReceive(at now: TimeInterval) {
    sent = sent ?? now
    lastActivity = now
  }

  /// The receiver has enough for now, or takes more again; a pause is not the server's.
  mutating func pause(_ paused: Bool, at now: TimeInterval) {
    isPaused = paused
    lastActivity = now
  }

  /// When the next limit passes.
  var deadline: TimeInterval { min(start + limits.total, phaseEnd) }

  /// The limit that has passed, as a failure, or nil.
  func expired(at now: TimeInterval) -> TransportFailure? {
    guard now >= deadline else { return nil }
    if isPaused || start + limits.total <= phaseEnd {
      return TransportFailure(
        .timedOut, "the answer took longer than \(Self.text(limits.total))")
    }
    if lastActivity != nil {
      return TransportFailure(.timedOut, "nothing came for \(Self.text(limits.stall))")
    }
    if sent != nil {
      return TransportFailure(.timedOut, "no answer within \(Self.text(limits.firstByte))")
    }
    return TransportFailure(
      .connectTimedOut, "no connection within \(Self.text(limits.connect))")
  }

  /// When the limit passes of what is being waited for; never while nothing is.
  private var phaseEnd: TimeInterval {
    if isPaused { return .infinity }
    if let lastActivity { return lastActivity + limits.stall }
    if let sent { return sent + limits.firstByte }
    return start + limits.connect
  }

  private static func text(_ seconds: TimeInterval) -> String {
    seconds == seconds.rounded() && seconds < 1e9 ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
