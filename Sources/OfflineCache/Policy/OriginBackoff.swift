import Foundation

/// The origins that could not be reached a moment ago, and are left alone for a while: a page with
/// forty images on a dead host waits for it once.
struct OriginBackoff: Sendable, Equatable {
  /// How long an origin is left alone, in seconds.
  static let duration: TimeInterval = 30
  /// The most origins that are remembered.
  static let limit = 256

  private struct Entry: Sendable, Equatable {
    var failure: TransportFailure
    var date: Date
  }

  private var entries: [String: Entry] = [:]

  /// Whether there is nothing to remember.
  var isEmpty: Bool { entries.isEmpty }

  /// Why an origin is not asked now, or nil when it may be.
  func failure(of origin: String, now: Date) -> TransportFailure? {
    guard let entry = entries[origin], Self.isRecent(entry, now: now) else { return nil }
    return entry.failure
  }

  /// Remembers how an exchange with an origin ended; `failure` is nil when it answered at all.
  mutating func note(_ failure: TransportFailure?, of origin: String, now: Date) {
    guard let failure, failure.kind.isUnconnected else {
      // What was cancelled says nothing; what broke off later had a connection.
      if failure?.kind != .cancelled { entries[origin] = nil }
      return
    }
    entries[origin] = Entry(failure: failure, date: now)
    guard entries.count > Self.limit else { return }
    entries = entries.filter { Self.isRecent($0.value, now: now) }
    while entries.count > Self.limit,
      let oldest = entries.min(by: { $0.value.date < $1.value.date })
    {
      entries[oldest.key] = nil
    }
  }

  /// A clock that was set back ends every wait.
  private static func isRecent(_ entry: Entry, now: Date) -> Bool {
    (0..<duration).contains(now.timeIntervalSince(entry.date))
  }
}
