import Dispatch
import Foundation
import Synchronization

/// The table of running exchanges that other loads may join.
final class ExchangeTable: Sendable {
  private let entries = Mutex<[SharedExchange.Key: SharedExchange]>([:])

  /// Returns the exchange for a key and claims it for one more load; creates one if necessary.
  /// - Returns: The exchange, and whether it is new and must be started.
  func claim(
    _ key: SharedExchange.Key, make: () -> SharedExchange
  ) -> (exchange: SharedExchange, isNew: Bool) {
    entries.withLock { entries in
      if let exchange = entries[key] {
        exchange.claimCount.withLock { $0 += 1 }
        return (exchange, false)
      }
      let exchange = make()
      entries[key] = exchange
      return (exchange, true)
    }
  }

  /// Closes an exchange to new subscribers if its request was sent too early. Existing subscribers
  /// still receive its response.
  /// - Parameters:
  ///   - key: The key of the exchange.
  ///   - limit: Returns the time up to which a request was sent too early, or nil if there is no
  ///     such time; called only if the table contains an exchange for the key.
  func delistOutdated(_ key: SharedExchange.Key, since limit: () -> Date?) {
    guard let exchange = entries.withLock({ $0[key] }), let date = limit(),
      exchange.requestTime.milliseconds <= date.milliseconds
    else { return }
    delist(key, exchange)
  }

  /// Releases the claim of one load.
  /// - Returns: Whether no other load claims the exchange.
  func release(_ key: SharedExchange.Key, _ exchange: SharedExchange) -> Bool {
    delist(key, exchange) { claimCount in
      claimCount -= 1
      return claimCount == 0
    }
  }

  /// Closes an exchange to new subscribers unless another load claims it.
  /// - Returns: Whether no other load claims the exchange.
  func delistIfSole(_ key: SharedExchange.Key, _ exchange: SharedExchange) -> Bool {
    delist(key, exchange) { $0 == 1 }
  }

  /// Closes an exchange to new subscribers. Loads that claim it can still join.
  func delist(_ key: SharedExchange.Key, _ exchange: SharedExchange) {
    _ = delist(key, exchange) { _ in true }
  }

  /// Closes an exchange to new subscribers if `condition` returns true, and returns that result.
  /// `condition` receives the number of claims, which it may change.
  private func delist(
    _ key: SharedExchange.Key, _ exchange: SharedExchange, if condition: (inout Int) -> Bool
  ) -> Bool {
    entries.withLock { entries in
      let isClosed = exchange.claimCount.withLock { condition(&$0) }
      if isClosed, entries[key] === exchange { entries[key] = nil }
      return isClosed
    }
  }
}

extension HTTPCache {
  /// Sends a request for a load, or joins the exchange of another load that sent an identical
  /// request.
  /// - Parameters:
  ///   - request: The request as it is sent.
  ///   - transport: The transport that sends it.
  ///   - limits: The limits of the exchange.
  ///   - key: The key for sharing; nil for an exchange that is not shared.
  ///   - maxAge: The time in seconds since the request of another load was sent after which its
  ///     exchange is not joined; nil if it may be joined until it ends.
  ///   - queue: The queue of the load, on which this method is called.
  ///   - receive: The receiver of the events, called on that queue.
  /// - Returns: The subscription of the load to the exchange.
  func exchange(
    _ request: WebRequest, by transport: any Transport, limits: TransportLimits,
    key: SharedExchange.Key?, maxAge: TimeInterval?, queue: DispatchQueue,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> SharedExchange.Subscriber {
    let now = clock()
    var isNew = true
    let exchange: SharedExchange
    if let key {
      // The stored response may have been invalidated after the request (RFC 9111 §4.4).
      exchanges.delistOutdated(key) {
        [invalidation(of: key.storedAs), maxAge.map { now.addingTimeInterval(-$0) }]
          .compactMap(\.self).max()
      }
      (exchange, isNew) = exchanges.claim(key) {
        SharedExchange(
          spool: archive.makeSpool(), requestTime: now, queue: queue, tableEntry: (exchanges, key))
      }
    } else {
      exchange = SharedExchange(spool: archive.makeSpool(), requestTime: now, queue: queue)
    }
    let share = exchange.join(queue: queue, hasJoined: !isNew, receive: receive)
    if isNew { exchange.begin(request, limits: limits, by: transport) }
    return share
  }
}
