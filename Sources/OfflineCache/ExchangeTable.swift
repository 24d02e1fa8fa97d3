import Dispatch
import Foundation
import Synchronization

/// The running exchanges that others may join.
final class ExchangeTable: Sendable {
  private struct Entry {
    var exchange: SharedExchange
    /// How many loads have it or are about to.
    var claims: Int
  }

  private let entries = Mutex<[SharedExchange.Key: Entry]>([:])

  /// The exchange of a key for one more load; a new one when there is none.
  /// - Returns: the exchange, and whether it is new and has to be begun.
  func claim(
    _ key: SharedExchange.Key, make: () -> SharedExchange
  ) -> (exchange: SharedExchange, isNew: Bool) {
    entries.withLock { entries in
      if let entry = entries[key] {
        entries[key]?.claims += 1
        return (entry.exchange, false)
      }
      let exchange = make()
      entries[key] = Entry(exchange: exchange, claims: 1)
      return (exchange, true)
    }
  }

  /// Lets nobody join an exchange any more whose request was sent before what is stored for it was
  /// invalidated (RFC 9111 §4.4); those who have it keep it.
  /// - Parameters:
  ///   - key: the key of the exchange.
  ///   - invalidation: when that was, nil for never; asked only where there is an exchange.
  func withdrawInvalid(_ key: SharedExchange.Key, since invalidation: () -> Date?) {
    guard let exchange = entries.withLock({ $0[key]?.exchange }), let date = invalidation(),
      exchange.requestTime.milliseconds <= date.milliseconds
    else { return }
    withdraw(key, exchange)
  }

  /// One load less.
  /// - Returns: whether nobody has the exchange or is about to.
  func release(_ key: SharedExchange.Key, _ exchange: SharedExchange) -> Bool {
    entries.withLock { entries in
      guard let entry = entries[key], entry.exchange === exchange else { return true }
      let claims = entry.claims
      entries[key] = claims > 1 ? entries[key] : nil
      entries[key]?.claims -= 1
      return claims <= 1
    }
  }

  /// Lets nobody join any more, unless somebody else has the exchange or is about to.
  /// - Returns: whether nobody can.
  func withdrawIfSole(_ key: SharedExchange.Key, _ exchange: SharedExchange) -> Bool {
    entries.withLock { entries in
      guard let entry = entries[key], entry.exchange === exchange else { return true }
      guard entry.claims <= 1 else { return false }
      entries[key] = nil
      return true
    }
  }

  /// Lets nobody find the exchange any more.
  func withdraw(_ key: SharedExchange.Key, _ exchange: SharedExchange) {
    entries.withLock { entries in
      if entries[key]?.exchange === exchange { entries[key] = nil }
    }
  }
}

extension HTTPCache {
  /// Sends a request for a load, or joins the exchange of another load that has sent the very same.
  /// - Parameters:
  ///   - request: the request as it is sent.
  ///   - transport: sends it.
  ///   - limits: the limits of the exchange.
  ///   - key: what has to be the same for sharing, nil for what is not shared.
  ///   - queue: the load's queue, on which this is called.
  ///   - receive: gets the events, on that queue.
  /// - Returns: the load's end of the exchange.
  func exchange(
    _ request: WebRequest, by transport: any Transport, limits: TransportLimits,
    key: SharedExchange.Key?, queue: DispatchQueue,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> SharedExchange.Share {
    let now = clock()
    var isNew = true
    let exchange: SharedExchange
    if let key {
      exchanges.withdrawInvalid(key) { invalidation(of: key.storedAs) }
      (exchange, isNew) = exchanges.claim(key) {
        SharedExchange(
          spool: archive.makeSpool(), requestTime: now, queue: queue, listing: (exchanges, key))
      }
    } else {
      exchange = SharedExchange(spool: archive.makeSpool(), requestTime: now, queue: queue)
    }
    let share = exchange.join(queue: queue, isLate: !isNew, receive: receive)
    if isNew { exchange.begin(request, limits: limits, by: transport) }
    return share
  }
}
