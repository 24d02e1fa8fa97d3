import Foundation

/// The origins whose last request failed. An origin that was unreachable a moment ago is not
/// contacted for a while, so that a page with forty images on a dead host waits for that host only
/// once.
struct OriginBackoff: Sendable, Equatable {
  /// The time in seconds for which an unreachable origin is not contacted.
  static let duration: TimeInterval = 30
  /// The maximum number of recorded origins.
  static let maxEntries = 256

  private struct Entry: Sendable, Equatable {
    var failure: TransportFailure
    var date: Date
  }

  private var entries: [String: Entry] = [:]
  /// The failure of the latest request if the device had no route to the network; nil if there was
  /// no such failure, or if a later request reached a host.
  private var offlineFailure: TransportFailure?

  /// Whether no failures are recorded.
  var isEmpty: Bool { entries.isEmpty && offlineFailure == nil }

  /// Returns the recent failure that prevents contacting an origin now; nil if it may be contacted.
  func failure(of origin: String, now: Date) -> TransportFailure? {
    guard let entry = entries[origin], entry.failure.kind.facts.isUnconnected,
      Self.isRecent(entry, now: now)
    else { return nil }
    return entry.failure
  }

  /// Returns the last failure of an origin, or the recorded failure for lack of a network route,
  /// however long ago it occurred; nil if the origin is not known to be unreachable.
  func knownFailure(of origin: String) -> TransportFailure? {
    offlineFailure ?? entries[origin]?.failure
  }

  /// Records the result of an exchange with an origin; `failure` is nil if a response was received.
  mutating func record(_ failure: TransportFailure?, of origin: String, now: Date) {
    guard let failure, failure.kind.facts.reach != .response else {
      entries[origin] = nil
      offlineFailure = nil
      return
    }
    // A request that was cancelled or not sent gives no information about the origin.
    guard failure.kind != .cancelled else { return }
    switch failure.kind.facts.reach {
    case .nowhere: return
    case .noNetwork: offlineFailure = failure
    case .refused, .handshake, .request, .response: offlineFailure = nil
    case .noConnection, .proxy, .unknown: break
    }
    entries[origin] = Entry(failure: failure, date: now)
    if entries.count > Self.maxEntries,
      let oldest = entries.min(by: { $0.value.date < $1.value.date })
    {
      entries[oldest.key] = nil
    }
  }

  /// Returns whether a failure happened within `duration`. Setting the clock back ends every
  /// backoff.
  private static func isRecent(_ entry: Entry, now: Date) -> Bool {
    (0..<duration).contains(now.timeIntervalSince(entry.date))
  }
}
