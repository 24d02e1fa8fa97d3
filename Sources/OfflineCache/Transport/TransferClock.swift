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
  var deadline: TimeInterval { phase.end }

  /// The limit that has passed, as a failure, or nil.
  func expired(at now: TimeInterval) -> TransportFailure? {
    let phase = phase
    return now >= phase.end ? TransportFailure(phase.kind, phase.words) : nil
  }

  private typealias Phase = (end: TimeInterval, kind: TransportFailure.Kind, words: String)

  private var phase: Phase {
    let total: Phase = (
      start + limits.total, .timedOut, "the answer took longer than \(Self.text(limits.total))"
    )
    let own: Phase =
      if isPaused {
        total
      } else if let lastActivity {
        (lastActivity + limits.stall, .timedOut, "nothing came for \(Self.text(limits.stall))")
      } else if let sent {
        (sent + limits.firstByte, .timedOut, "no answer within \(Self.text(limits.firstByte))")
      } else {
        (
          start + limits.connect, .connectTimedOut,
          "no connection within \(Self.text(limits.connect))"
        )
      }
    return own.end < total.end ? own : total
  }

  private static func text(_ seconds: TimeInterval) -> String {
    seconds == seconds.rounded() && seconds < 1e9 ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
