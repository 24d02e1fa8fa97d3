import Dispatch
import Foundation
import Synchronization

/// One exchange with a server, for one load or for several that ask the very same thing on the same
/// behalf at the same time. What came is kept in a spool, so one that joins late gets all of it.
///
/// The fastest sets the pace: content is taken from the server as fast as one of the loads uses it
/// up; the others read what they missed from the spool, each at its own. So the slowest stops nobody,
/// and costs room in a file at most. When the spool has no room (a full disk), a load that is behind
/// fails; one that keeps up does not notice.
///
/// Unchecked: its state is used on its own queue only, which is that of the first load.
final class SharedExchange: @unchecked Sendable {
  /// Everything that has to be the same for two loads to share an exchange.
  struct Key: Hashable {
    /// The request as it is sent; only GET without content is shared.
    var url: WebURL
    /// Its field lines.
    var fields: [FieldLines.Field]
    /// On whose behalf.
    var requester: Requester
    /// Under which key the answer is stored.
    var storedAs: String
    /// The limits.
    var limits: TransportLimits
  }

  /// What the answer is kept in.
  let spool: Spool
  /// When the request was sent.
  let requestTime: Date
  private let queue: DispatchQueue
  /// Where others find it, and under what; nil when nobody else may join.
  private let listing: (table: ExchangeTable, key: Key)?
  /// What the answer became in the archive, once somebody has saved it.
  private let saved = Mutex<(isDone: Bool, version: StoredResponse?)>((false, nil))

  // The rest is used on the queue only.

  private var exchange: (any TransportExchange)?
  private var shares: [Share] = []
  private var head: ResponseHead?
  private var received: Int64 = 0
  private var acknowledged: Int64 = 0
  private var isSpooling = true
  private var ending: TransportEvent?

  init(
    spool: Spool, requestTime: Date, queue: DispatchQueue,
    listing: (table: ExchangeTable, key: Key)? = nil
  ) {
    self.spool = spool
    self.requestTime = requestTime
    self.queue = queue
    self.listing = listing
  }

  /// Sends the request; on the queue.
  func begin(_ request: WebRequest, limits: TransportLimits, by transport: any Transport) {
    let inbox = TransportInbox()
    exchange = transport.send(request, limits: limits) { event in
      guard inbox.add(event) else { return }
      self.queue.async {
        for event in inbox.takeAll() { self.take(event) }
      }
    }
  }

  /// Adds a load; on the load's queue.
  /// - Parameters:
  ///   - queue: the load's queue, where `receive` is called.
  ///   - isLate: whether another load has sent the request.
  ///   - receive: gets the events of the exchange from its beginning.
  /// - Returns: the load's end of it.
  func join(
    queue: DispatchQueue, isLate: Bool, receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> Share {
    let share = Share(self, queue: queue, isLate: isLate, receive: receive)
    onQueue(from: queue) {
      self.shares.append(share)
      if let head = self.head { share.hand(.response(head)) }
      self.catchUp(share)
    }
    return share
  }

  /// Saves the answer; only the first time, since all who share it got the same.
  /// - Returns: the version, also to those who come later.
  func save(_ body: () -> StoredResponse?) -> StoredResponse? {
    saved.withLock { saved in
      if !saved.isDone { saved = (true, body()) }
      return saved.version
    }
  }

  // MARK: On the queue

  private var isConnected: Bool {
    head != nil || exchange?.isConnected ?? false
  }

  private func onQueue(from other: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    if other === queue { body() } else { queue.async(execute: body) }
  }

  private func take(_ event: TransportEvent) {
    guard ending == nil else { return }
    switch event {
    case .response(let response):
      head = response
      for share in shares { share.hand(event) }
    case .data(let bytes):
      let before = received
      received += Int64(bytes.count)
      if isSpooling { spool.write(bytes) }
      // What cannot be read again is handed on whether there is room or not.
      let mustPass = !isSpooling || spool.failure != nil
      for share in shares where share.offset == before && (mustPass || share.hasRoom) {
        share.offset = received
        share.hand(event)
      }
    case .finished, .failed:
      ending = event
      exchange = nil
      if let listing { listing.table.withdraw(listing.key, self) }
      for share in shares { catchUp(share) }
    }
  }

  /// Hands a load what it missed, as far as it has room for it.
  private func catchUp(_ share: Share) {
    do throws(ArchiveError) {
      while share.offset < received, share.hasRoom, !share.isOver {
        guard let chunk = try spool.chunk(at: share.offset) else { break }
        share.offset += Int64(chunk.count)
        share.hand(.data(chunk))
      }
    } catch {
      let failure = TransportFailure(.incomplete, "there was no room to keep the answer")
      return end(share, .failed(failure))
    }
    guard let ending else { return }
    // What failed is of no use to anybody, complete or not.
    if share.offset == received { return end(share, ending) }
    if case .failed = ending { end(share, ending) }
  }

  private func end(_ share: Share, _ event: TransportEvent) {
    shares.removeAll { $0 === share }
    share.hand(event)
    share.isOver = true
  }

  fileprivate func acknowledge(_ count: Int, by share: Share) {
    share.acknowledged += Int64(count)
    if share.acknowledged > acknowledged {
      exchange?.acknowledge(Int(share.acknowledged - acknowledged))
      acknowledged = share.acknowledged
    }
    if !share.isOver { catchUp(share) }
  }

  fileprivate func leave(_ share: Share) {
    share.isOver = true
    shares.removeAll { $0 === share }
    // Somebody may have found it and be about to join.
    guard ending == nil, listing.map({ $0.table.release($0.key, self) }) ?? true, shares.isEmpty
    else { return }
    ending = .failed(TransportFailure(.cancelled, "nobody wants the answer any more"))
    exchange?.cancel()
    exchange = nil
  }

  fileprivate func stopSpooling() {
    guard received == 0, listing.map({ $0.table.withdrawIfSole($0.key, self) }) ?? true else {
      return
    }
    isSpooling = false
  }

  /// One load's end of a shared exchange.
  ///
  /// Unchecked: what varies is used on the queue of the exchange only.
  final class Share: TransportExchange, @unchecked Sendable {
    /// The exchange.
    let exchange: SharedExchange
    /// Whether another load has sent the request.
    let isLate: Bool
    private let queue: DispatchQueue
    private let receive: @Sendable (TransportEvent) -> Void

    /// How much of the content was handed to the load.
    fileprivate var offset: Int64 = 0
    fileprivate var acknowledged: Int64 = 0
    fileprivate var isOver = false

    fileprivate init(
      _ exchange: SharedExchange, queue: DispatchQueue, isLate: Bool,
      receive: @escaping @Sendable (TransportEvent) -> Void
    ) {
      self.exchange = exchange
      self.isLate = isLate
      self.queue = queue
      self.receive = receive
    }

    fileprivate var hasRoom: Bool { offset - acknowledged < Int64(FlowWindow.size) }

    fileprivate func hand(_ event: TransportEvent) {
      guard !isOver else { return }
      if queue === exchange.queue {
        receive(event)
      } else {
        queue.async { [receive] in receive(event) }
      }
    }

    /// Says that so many bytes were used up; on the load's queue.
    func acknowledge(_ count: Int) {
      exchange.onQueue(from: queue) { self.exchange.acknowledge(count, by: self) }
    }

    /// Leaves the exchange, which ends when nobody is left; on the load's queue.
    func cancel() {
      exchange.onQueue(from: queue) { self.exchange.leave(self) }
    }

    /// Reports whether the connection is established; on the load's queue.
    /// - Parameter report: called once, on the queue of the exchange.
    func checkConnection(_ report: @escaping @Sendable (Bool) -> Void) {
      exchange.onQueue(from: queue) { report(self.exchange.isConnected) }
    }

    /// Says that the content need not be kept; on the load's queue, before any of it has come.
    func keepNothing() {
      exchange.onQueue(from: queue) { self.exchange.stopSpooling() }
    }
  }
}
