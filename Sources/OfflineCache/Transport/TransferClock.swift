import Foundation

/// The time limits of an exchange. Times are in seconds of a monotonic clock.
struct TransferClock: Sendable, Equatable {
  /// The parties that pause a transfer.
  private struct Pauses: OptionSet, Sendable {
    let rawValue: Int

    /// The receiver of the response.
    static let receiver = Pauses(rawValue: 1)
    /// The stream that supplies the content of the request.
    static let upload = Pauses(rawValue: 2)
  }

  private var limits: TransportLimits
  private let start: TimeInterval
  /// The time at which the request stopped waiting for a connection.
  private var waitEnd: TimeInterval
  private var sendTime: TimeInterval?
  private var lastActivity: TimeInterval?
  private var pauses: Pauses = []
  /// The time at which the transfer was paused; nil if it is not paused.
  private var pausedSince: TimeInterval?
  /// The total duration of completed pauses.
  private var pausedDuration: TimeInterval = 0

  init(limits: TransportLimits, start: TimeInterval) {
    self.limits = limits
    self.start = start
    waitEnd = start
  }

  /// Returns the number of seconds since the exchange began.
  func elapsed(at now: TimeInterval) -> TimeInterval { now - start }

  /// Whether the request is known to be sent.
  var isSent: Bool { sendTime != nil }

  /// Records that the request is waiting because all connections to its host are in use. The
  /// connection timeout does not run during the wait.
  mutating func didWait(at now: TimeInterval) {
    if sendTime == nil { waitEnd = now }
  }

  /// Records that the connection is established and the request is being sent.
  mutating func didSend(at now: TimeInterval) {
    sendTime = sendTime ?? now
  }

  /// Records that a piece of the request content is being sent. The time limit for the response
  /// head begins with the last piece.
  mutating func didSendContent(at now: TimeInterval) {
    sendTime = now
    if lastActivity != nil { lastActivity = now }
  }

  /// Records that the head or a piece of the content was received.
  mutating func didReceive(at now: TimeInterval) {
    set(.upload, isPaused: false, at: now)
    sendTime = sendTime ?? now
    lastActivity = now
  }

  /// Records that the receiver pauses or resumes the transfer. No time limit runs during a pause,
  /// not even the limit of the whole exchange.
  mutating func setPaused(_ isPaused: Bool, at now: TimeInterval) {
    set(.receiver, isPaused: isPaused, at: now)
    lastActivity = now
  }

  /// Records that the stream with the content of the request has none yet, or has some again. No
  /// time limit runs meanwhile, unless the response has begun.
  mutating func setUploadPaused(_ isPaused: Bool, at now: TimeInterval) {
    guard lastActivity == nil else { return }
    set(.upload, isPaused: isPaused, at: now)
    sendTime = now
  }

  private mutating func set(_ pause: Pauses, isPaused: Bool, at now: TimeInterval) {
    if isPaused { pauses.insert(pause) } else { pauses.remove(pause) }
    if !pauses.isEmpty {
      pausedSince = pausedSince ?? now
    } else if let since = pausedSince {
      pausedDuration += now - since
      pausedSince = nil
    }
  }

  /// Shortens the limit of the whole exchange, because the response can be used without its
  /// content.
  /// - Parameters:
  ///   - duration: The maximum number of seconds for the content.
  ///   - now: The time at which the head was received.
  mutating func limitContent(to duration: TimeInterval, from now: TimeInterval) {
    limits.total = min(limits.total, now + duration - start - pausedDuration)
  }

  /// The time at which the next limit expires; infinite during a pause.
  var deadline: TimeInterval { pausedSince == nil ? min(totalEnd, phaseEnd) : .infinity }

  /// Returns the failure for an expired time limit; nil if no limit has expired.
  func expiryFailure(at now: TimeInterval) -> TransportFailure? {
    guard now >= deadline else { return nil }
    if totalEnd <= phaseEnd {
      return TransportFailure(
        .timedOut, "the response took longer than \(Self.text(limits.total))")
    }
    if lastActivity != nil {
      return TransportFailure(.timedOut, "no data arrived for \(Self.text(limits.stall))")
    }
    if sendTime != nil {
      return TransportFailure(.timedOut, "no response within \(Self.text(limits.firstByte))")
    }
    return TransportFailure(
      .connectTimedOut, "no connection within \(Self.text(limits.connect))")
  }

  /// The time at which the limit of the whole exchange expires, if there is no further pause.
  private var totalEnd: TimeInterval { start + limits.total + pausedDuration }

  /// The time at which the limit of the current phase expires.
  private var phaseEnd: TimeInterval {
    if let lastActivity { return lastActivity + limits.stall }
    if let sendTime { return sendTime + limits.firstByte }
    return waitEnd + limits.connect
  }

  private static func text(_ seconds: TimeInterval) -> String {
    seconds == seconds.rounded() && seconds < 1e9 ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}
