/// The numbers of requests of a cache, by outcome; see `HTTPCache.counters`.
public struct RequestCounters: Sendable, Equatable, CustomStringConvertible {
  /// The number of requests that have ended; each step of a redirect chain counts.
  public var requests = 0
  /// The number of responses served from the archive, a seed or a substituted file, either without
  /// network access or as a fallback.
  public var hits = 0
  /// The number of requests sent to a server or a loader.
  public var forwarded = 0
  /// The number of forwarded requests for which the server confirmed the stored response.
  public var confirmed = 0
  /// The number of requests without a complete response.
  public var failed = 0
  /// The number of responses that were saved.
  public var saved = 0
  /// The number of decoded content bytes received from the network.
  public var bytesFromNetwork: Int64 = 0
  /// The number of content bytes read from the archive, a seed or a substituted file.
  public var bytesFromStore: Int64 = 0

  /// Creates counters with all values zero.
  public init() {}

  /// A summary in one line.
  public var description: String {
    """
    \(requests) request\(requests == 1 ? "" : "s"), \(hits) hit\(hits == 1 ? "" : "s"), \
    \(forwarded) forwarded (\(confirmed) confirmed), \(failed) failed, \(saved) saved; \
    \(bytesFromNetwork) byte\(bytesFromNetwork == 1 ? "" : "s") from the network, \
    \(bytesFromStore) from the store
    """
  }

  /// Adds the values of other counters.
  static func += (sum: inout RequestCounters, other: RequestCounters) {
    sum.requests += other.requests
    sum.hits += other.hits
    sum.forwarded += other.forwarded
    sum.confirmed += other.confirmed
    sum.failed += other.failed
    sum.saved += other.saved
    sum.bytesFromNetwork += other.bytesFromNetwork
    sum.bytesFromStore += other.bytesFromStore
  }

  /// Counts an event that a load delivers to its client. `isFromStore` specifies whether the
  /// content comes from the archive, a seed or a substituted file.
  mutating func count(_ event: CacheEvent, isFromStore: Bool) {
    switch event {
    case .response(let response):
      switch response.source {
      case .network: break
      case .validated: confirmed += 1
      case .fresh, .saved, .seed, .substituted: hits += 1
      }
    case .data(let bytes): if isFromStore { bytesFromStore += Int64(bytes.count) }
    case .finished(let stored): if !isFromStore, stored != nil { saved += 1 }
    case .failed: failed += 1
    case .refreshed: saved += 1
    case .checked: break
    }
  }
}
