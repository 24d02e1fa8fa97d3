package import Foundation

/// A pending call of the read hook: an item of a feed was marked as read, and the hook, which
/// reports that to the service that publishes the feed, has not run yet.
package struct HookCall: Sendable, Equatable {
  /// The cache key of the page to which the item leads.
  package var key: String
  /// The URL of the page.
  package var url: String
  /// The title of the page; empty if unknown.
  package var title: String
  package var state: State
  /// Whether this device has recorded the call. Only the recording device makes the call, so that
  /// devices that share a directory do not repeat each other's calls.
  package var isFromThisDevice: Bool

  package init(key: String, url: String, title: String, state: State, isFromThisDevice: Bool) {
    (self.key, self.url, self.title, self.state, self.isFromThisDevice) = (
      key, url, title, state, isFromThisDevice
    )
  }

  /// The result of a call.
  package enum Outcome: Sendable, Equatable {
    case succeeded
    /// The command failed, for this reason.
    case failed(String)
    /// offread ended during the call, which may have had an effect.
    case interrupted
  }

  /// The state of a call.
  ///
  /// | State | succeeded | failed | interrupted |
  /// | --- | --- | --- | --- |
  /// | `waiting` | removed | `failed` | `waiting` |
  /// | `failed` | removed | `failed`, or `abandoned` after the last attempt | `failed` |
  /// | `abandoned` | removed | `abandoned` | `abandoned` |
  ///
  /// An abandoned call is not repeated; the user can discard it, or mark the page as read again,
  /// which makes it `waiting`.
  package enum State: Sendable, Equatable {
    case waiting
    case failed(Failure)
    case abandoned(Failure)
  }

  /// The failures of a call.
  package struct Failure: Sendable, Equatable {
    /// The number of failed attempts, at least 1.
    package var attempts: Int
    /// The time before which the call is not repeated, in seconds since 1970.
    package var retryTime: Int64
    /// The reason for the last failure, on one line.
    package var reason: String

    package init(attempts: Int, retryTime: Int64, reason: String) {
      (self.attempts, self.retryTime, self.reason) = (attempts, retryTime, reason)
    }
  }

  /// Returns whether `sync --discard-calls` discards the call. This device must have recorded the
  /// call, and the call must have failed or have no command to run, because the settings contain no
  /// read hook (`hasCommand`).
  package func isDiscardable(hasCommand: Bool) -> Bool {
    isFromThisDevice && (state.failure != nil || !hasCommand)
  }

  /// Returns whether the call is to be made now. A retry time that is further away than `maxPause`
  /// comes from a wrong clock and is ignored.
  package func isDue(at now: Date) -> Bool {
    guard isFromThisDevice else { return false }
    switch state {
    case .waiting: return true
    case .abandoned: return false
    case .failed(let failure):
      let pause = failure.retryTime - State.seconds(now)
      return pause <= 0 || pause > State.maxPause
    }
  }
}

extension HookCall.State {
  /// The pause after the first failure, in seconds; it doubles with each further failure.
  static let firstPause: Int64 = 300
  /// The maximum pause between two attempts, in seconds.
  static let maxPause: Int64 = 86_400
  /// The number of failed attempts after which a call is abandoned, which is reached after about
  /// twelve days.
  package static let maxAttempts = 20
  /// The maximum number of characters of a reason.
  private static let maxReasonLength = 200

  fileprivate static func seconds(_ date: Date) -> Int64 {
    Int64(exactly: date.timeIntervalSince1970.rounded()) ?? 0
  }

  /// The failures so far; nil if there are none.
  package var failure: HookCall.Failure? {
    switch self {
    case .waiting: nil
    case .failed(let failure), .abandoned(let failure): failure
    }
  }

  /// Returns the state after an attempt.
  /// - Parameters:
  ///   - outcome: The result of the attempt.
  ///   - now: The time at which the attempt ended.
  /// - Returns: The state; nil if the call is done.
  package func after(_ outcome: HookCall.Outcome, at now: Date) -> HookCall.State? {
    switch outcome {
    case .succeeded: return nil
    case .interrupted: return self
    case .failed(let reason):
      let attempts = min((failure?.attempts ?? 0) + 1, Self.maxAttempts)
      let pause = min(Self.maxPause, Self.firstPause << Int64(min(attempts - 1, 16)))
      let next = HookCall.Failure(
        attempts: attempts, retryTime: Self.seconds(now) + pause,
        reason: String(reason.prefix(Self.maxReasonLength)))
      return attempts < Self.maxAttempts ? .failed(next) : .abandoned(next)
    }
  }

  /// The value of the fact: `waiting`, or the name of the state, the number of attempts, the retry
  /// time and the reason.
  package var text: String {
    switch self {
    case .waiting: "waiting"
    case .failed(let failure): "failed \(failure.text)"
    case .abandoned(let failure): "abandoned \(failure.text)"
    }
  }

  /// Parses the format of `text`. Any other text, which a later version may have written, is parsed
  /// as `waiting`.
  package init(text: String) {
    let parts = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let attempts = Int(parts[1]), attempts > 0,
      attempts <= Self.maxAttempts, let time = Int64(parts[2]), abs(time) < 1 << 40
    else {
      self = .waiting
      return
    }
    let failure = HookCall.Failure(
      attempts: attempts, retryTime: time, reason: String(parts[3]))
    switch parts[0] {
    case "failed": self = .failed(failure)
    case "abandoned": self = .abandoned(failure)
    default: self = .waiting
    }
  }
}

extension HookCall.Failure {
  fileprivate var text: String { "\(attempts) \(retryTime) \(reason)" }
}

extension LibraryChange {
  /// Returns the changes that mark a page as read or as unread.
  /// - Parameters:
  ///   - key: The cache key of the page.
  ///   - isRead: Whether the page is marked as read; otherwise a waiting call of the hook is
  ///     removed.
  ///   - callsHook: Whether the read hook is to be called for the page. A pending call is replaced
  ///     by a new one, which this device makes.
  /// - Returns: The changes.
  package static func marking(
    _ key: String, isRead: Bool, callsHook: Bool = false
  ) -> [LibraryChange] {
    let readChange = LibraryChange(key, .read, isRead ? "1" : nil)
    let removal = LibraryChange(key, .readCall, nil)
    guard isRead else { return [readChange, removal] }
    guard callsHook else { return [readChange] }
    return [readChange, removal, LibraryChange(key, .readCall, HookCall.State.waiting.text)]
  }
}
