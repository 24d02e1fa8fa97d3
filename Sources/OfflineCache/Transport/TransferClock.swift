import Foundation

/// The time limits of one exchange. Times are seconds of a clock that never jumps.
struct TransferClock: Sendable, Equatable {
  private let limits: TransportLimits
  private let start: TimeInterval
  /// Until when the request waited for its turn.
  private var begun: TimeInterval
  private var sent: TimeInterval?
  private var lastActivity: TimeInterval?
  /// Since when the receiver has had enough for now, or nil while it takes what comes.
  private var pausedSince: TimeInterval?
  /// How long the receiver's pauses were that are over.
  private var paused: TimeInterval = 0

  init(limits: TransportLimits, start: TimeInterval) {
    self.limits = limits
    self.start = start
    begun = start
  }

  /// Whether the request is known to be sent.
  var isSent: Bool { sent != nil }

  /// The request still waits for one of the connections that its host may have: the time for its own has
  /// not begun.
  mutating func didWait(at now: TimeInterval) {
    if sent == nil { begun = now }
  }

  /// The connection stands and the request is being sent.
  mutating func didSend(at now: TimeInterval) {
    sent = sent ?? now
  }

  /// The head or a piece of the content arrived.
  mutating func didReceive(at now: TimeInterval) {
    sent = sent ?? now
    lastActivity = now
  }

  /// The receiver has enough for now, or takes more again. A pause is not the server's: no limit
  /// runs meanwhile, that of the whole answer neither.
  mutating func pause(_ isPaused: Bool, at now: TimeInterval) {
    if isPaused {
      pausedSince = pausedSince ?? now
    } else if let since = pausedSince {
      paused += now - since
      pausedSince = nil
    }
    lastActivity = now
  }

  /// When the next limit passes; never while the receiver pauses.
  var deadline: TimeInterval { pausedSince == nil ? min(totalEnd, phaseEnd) : .infinity }

  /// The limit that has passed, as a failure, or nil.
  func expired(at now: TimeInterval) -> TransportFailure? {
    guard now >= deadline else { return nil }
    if totalEnd <= phaseEnd {
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

  /// When the limit of the whole answer passes, were there no further pause.
  private var totalEnd: TimeInterval { start + limits.total + paused }

  /// When the limit passes of what is being waited for.
  private var phaseEnd: TimeInterval {
    if let lastActivity { return lastActivity + limits.stall }
    if let sent { return sent + limits.firstByte }
    return begun + limits.connect
  }

  private static func text(_ seconds: TimeInterval) -> String {
    seconds == seconds.rounded() && seconds < 1e9 ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
