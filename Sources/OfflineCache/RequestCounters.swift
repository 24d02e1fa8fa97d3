/// How many requests a cache has seen, and what came of them; see `HTTPCache.counters`.
public struct RequestCounters: Sendable, Equatable, CustomStringConvertible {
  /// All requests that have ended; each hop of a redirect is one.
  public var requests = 0
  /// Answered from the store without asking the network first, and those to which a saved copy was
  /// the answer after all.
  public var hits = 0
  /// Sent to a server, or to a loader.
  public var forwarded = 0
  /// Of those forwarded: the stored response was confirmed.
  public var confirmed = 0
  /// Without any answer, or with one that broke off.
  public var failed = 0
  /// Answers that were saved.
  public var saved = 0
  /// Decoded bytes of content that came from the network.
  public var bytesFromNetwork: Int64 = 0
  /// Bytes of content that came from the store.
  public var bytesFromStore: Int64 = 0

  /// Makes counters at zero.
  public init() {}

  /// One line of words and numbers.
  public var description: String {
    """
    \(requests) requests, \(hits) hits, \(forwarded) forwarded (\(confirmed) confirmed), \
    \(failed) failed, \(saved) saved; \(bytesFromNetwork) bytes from the network, \
    \(bytesFromStore) from the store
    """
  }

  /// Adds what another one counted.
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

  /// Counts what a load gives to its client, and whether the content comes from the store.
  mutating func count(_ event: CacheEvent, isFromStore: Bool) {
    switch event {
    case .response(let answer):
      switch answer.source {
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
