import Foundation

/// The origins whose last request failed. Those that could not be reached a moment ago are left alone
/// for a while: a page with forty images on a dead host waits for it once.
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
  /// Why the last request of all had no route to the network, or nil.
  private var severance: TransportFailure?

  /// Whether there is nothing to remember.
  var isEmpty: Bool { entries.isEmpty && severance == nil }

  /// Why an origin is not asked now, or nil when it may be.
  func failure(of origin: String, now: Date) -> TransportFailure? {
    guard let entry = entries[origin], entry.failure.kind.facts.isUnconnected,
      Self.isRecent(entry, now: now)
    else { return nil }
    return entry.failure
  }

  /// Why an origin would not be reached: its own last request, or the last one of all for want of a
  /// route, failed, however long ago.
  func outage(of origin: String) -> TransportFailure? { severance ?? entries[origin]?.failure }

  /// Remembers how an exchange with an origin ended; `failure` is nil when it answered at all.
  mutating func note(_ failure: TransportFailure?, of origin: String, now: Date) {
    guard let failure, failure.kind.facts.reach != .response else {
      entries[origin] = nil
      severance = nil
      return
    }
    // A request that was cancelled or not sent says nothing about the origin.
    guard failure.kind != .cancelled else { return }
    switch failure.kind.facts.reach {
    case .nowhere: return
    case .noNetwork: severance = failure
    case .refused, .handshake, .request, .response: severance = nil
    case .noConnection, .proxy, .unknown: break
    }
    entries[origin] = Entry(failure: failure, date: now)
    if entries.count > Self.limit,
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
