import Dispatch
import Foundation
import Synchronization

/// An exchange with a server, for one load or for several loads that send an identical request with
/// the same identity at the same time. The content is spooled, so that a late subscriber receives
/// all of it.
///
/// The fastest subscriber determines the rate at which content is received; the others read from
/// the spool at their own rates. A slow subscriber does not delay others, and costs only disk
/// space. If the spool cannot grow (the disk is full), a subscriber that has fallen behind fails,
/// and one that keeps up is unaffected.
///
/// `@unchecked Sendable`: its state is accessed only on its own queue, which is the queue of the
/// first load.
final class SharedExchange: @unchecked Sendable {
  /// The properties that must be equal for two loads to share an exchange.
  struct Key: Hashable {
    /// The URL of the request as sent; only GET requests without content are shared.
    var url: WebURL
    /// The field lines of the request.
    var fields: [FieldLines.Field]
    /// The identity of the requester.
    var requester: Requester
    /// The key under which the response is stored.
    var storedAs: String
    /// The transport limits.
    var limits: TransportLimits
  }

  /// The spool that holds the content.
  let spool: Spool
  /// The time at which the request was sent.
  let requestTime: Date
  /// The number of loads that use the exchange or are about to join it; changed by `ExchangeTable`.
  let claimCount = Mutex(1)
  private let queue: DispatchQueue
  /// The table and the key by which other loads find the exchange; nil if no other load may join.
  private let tableEntry: (table: ExchangeTable, key: Key)?
  /// The saved version of the response, once a subscriber has saved it.
  private let saved = Mutex<(isDone: Bool, version: StoredResponse?)>((false, nil))

  // The following properties are used only on the queue of the exchange.

  private var progress = Progress.unsent
  private var subscribers: [Subscriber] = []
  private var head: ResponseHead?
  private var receivedLength: Int64 = 0
  private var acknowledgedLength: Int64 = 0
  private var isSpooling = true

  private enum Progress {
    case unsent
    case running(any TransportExchange)
    /// The exchange ended with this event.
    case ended(TransportEvent)

    var exchange: (any TransportExchange)? {
      if case .running(let exchange) = self { exchange } else { nil }
    }

    var finalEvent: TransportEvent? { if case .ended(let event) = self { event } else { nil } }
  }

  init(
    spool: Spool, requestTime: Date, queue: DispatchQueue,
    tableEntry: (table: ExchangeTable, key: Key)? = nil
  ) {
    self.spool = spool
    self.requestTime = requestTime
    self.queue = queue
    self.tableEntry = tableEntry
  }

  /// Sends the request; called on the queue.
  func begin(_ request: WebRequest, limits: TransportLimits, by transport: any Transport) {
    let inbox = TransportInbox()
    progress = .running(
      transport.send(request, limits: limits) { event in
        guard inbox.add(event) else { return }
        self.queue.async {
          for event in inbox.drain() { self.receive(event) }
        }
      })
  }

  /// Adds a load as a subscriber; called on the queue of the load.
  /// - Parameters:
  ///   - queue: The queue of the load, on which `receive` is called.
  ///   - hasJoined: Whether another load has sent the request.
  ///   - receive: The receiver of all events of the exchange, from the first one.
  /// - Returns: The subscription.
  func join(
    queue: DispatchQueue, hasJoined: Bool, receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> Subscriber {
    let subscriber = Subscriber(self, queue: queue, hasJoined: hasJoined, receive: receive)
    onQueue(from: queue) {
      self.subscribers.append(subscriber)
      if let head = self.head { subscriber.deliver(.response(head)) }
      self.catchUp(subscriber)
    }
    return subscriber
  }

  /// Saves the response, at most once, because all subscribers received the same content.
  /// - Returns: The saved version, also for later callers.
  func save(_ body: () -> StoredResponse?) -> StoredResponse? {
    saved.withLock { saved in
      if !saved.isDone { saved = (true, body()) }
      return saved.version
    }
  }

  // MARK: On the queue

  private var isConnected: Bool {
    head != nil || progress.exchange?.isConnected ?? false
  }

  private func onQueue(from other: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    if other === queue { body() } else { queue.async(execute: body) }
  }

  private func receive(_ event: TransportEvent) {
    guard progress.finalEvent == nil else { return }
    switch event {
    case .response(let response):
      head = response
      // A 304 response ends with its head. A load that starts after another load has received it
      // sends a request of its own.
      if response.status == 304, let tableEntry {
        _ = tableEntry.table.delistIfSole(tableEntry.key, self)
      }
      for subscriber in subscribers { subscriber.deliver(event) }
    case .data(let bytes):
      let before = receivedLength
      receivedLength += Int64(bytes.count)
      if isSpooling { spool.write(bytes) }
      // Data that cannot be read again from the spool is delivered even if the window is full.
      let mustPass = !isSpooling || spool.failure != nil
      for subscriber in subscribers
      where subscriber.offset == before && (mustPass || subscriber.hasCapacity) {
        subscriber.offset = receivedLength
        subscriber.deliver(event)
      }
    case .finished, .failed:
      progress = .ended(event)
      if let tableEntry { tableEntry.table.delist(tableEntry.key, self) }
      for subscriber in subscribers { catchUp(subscriber) }
    }
  }

  /// Delivers spooled content to a subscriber while its flow-control window is open.
  private func catchUp(_ subscriber: Subscriber) {
    do throws(ArchiveError) {
      while subscriber.offset < receivedLength, subscriber.hasCapacity, !subscriber.isOver {
        guard let chunk = try spool.chunk(at: subscriber.offset) else { break }
        subscriber.offset += Int64(chunk.count)
        subscriber.deliver(.data(chunk))
      }
    } catch {
      let failure = TransportFailure(.incomplete, "there was no space to store the response")
      return end(subscriber, .failed(failure))
    }
    guard let finalEvent = progress.finalEvent else { return }
    // If the exchange failed, every subscriber fails, even one that has not received all of the
    // content.
    if subscriber.offset == receivedLength { return end(subscriber, finalEvent) }
    if case .failed = finalEvent { end(subscriber, finalEvent) }
  }

  private func end(_ subscriber: Subscriber, _ event: TransportEvent) {
    subscriber.deliver(event)
    leave(subscriber)
  }

  fileprivate func acknowledge(_ count: Int, by subscriber: Subscriber) {
    subscriber.acknowledgedLength += Int64(count)
    if subscriber.acknowledgedLength > acknowledgedLength {
      progress.exchange?.acknowledge(Int(subscriber.acknowledgedLength - acknowledgedLength))
      acknowledgedLength = subscriber.acknowledgedLength
    }
    if !subscriber.isOver { catchUp(subscriber) }
  }

  fileprivate func leave(_ subscriber: Subscriber) {
    guard !subscriber.isOver else { return }
    subscriber.isOver = true
    subscribers.removeAll { $0 === subscriber }
    // Another load may have found the exchange in the table and be about to join.
    guard progress.finalEvent == nil, tableEntry.map({ $0.table.release($0.key, self) }) ?? true
    else { return }
    let exchange = progress.exchange
    progress = .ended(
      .failed(TransportFailure(.cancelled, "no caller is waiting for the response any more")))
    exchange?.cancel()
  }

  fileprivate func stopSpooling() {
    guard receivedLength == 0, tableEntry.map({ $0.table.delistIfSole($0.key, self) }) ?? true
    else {
      return
    }
    isSpooling = false
  }

  /// The subscription of a load to a shared exchange.
  ///
  /// `@unchecked Sendable`: its mutable state is accessed only on the queue of the exchange, except
  /// `hasLeft`.
  final class Subscriber: TransportExchange, @unchecked Sendable {
    let exchange: SharedExchange
    /// Whether another load has sent the request.
    let hasJoined: Bool
    private let queue: DispatchQueue
    private let receive: @Sendable (TransportEvent) -> Void

    /// The number of content bytes delivered to the load.
    fileprivate var offset: Int64 = 0
    fileprivate var acknowledgedLength: Int64 = 0
    fileprivate var isOver = false
    /// Whether the load has left; used on the queue of the load only.
    private var hasLeft = false

    fileprivate init(
      _ exchange: SharedExchange, queue: DispatchQueue, hasJoined: Bool,
      receive: @escaping @Sendable (TransportEvent) -> Void
    ) {
      self.exchange = exchange
      self.hasJoined = hasJoined
      self.queue = queue
      self.receive = receive
    }

    fileprivate var hasCapacity: Bool { offset - acknowledgedLength < Int64(FlowWindow.size) }

    /// Delivers an event to the load. `receive` is never called before this method returns, because
    /// the load may be processing another event.
    fileprivate func deliver(_ event: TransportEvent) {
      guard !isOver else { return }
      queue.async { [self] in
        if !hasLeft { receive(event) }
      }
    }

    /// Acknowledges that the load consumed `count` bytes; called on the queue of the load.
    func acknowledge(_ count: Int) {
      exchange.onQueue(from: queue) { self.exchange.acknowledge(count, by: self) }
    }

    /// Leaves the exchange, which is cancelled with its last subscriber; no event follows. Called
    /// on the queue of the load.
    func cancel() {
      hasLeft = true
      exchange.onQueue(from: queue) { self.exchange.leave(self) }
    }

    /// Reports whether the connection is established; called on the queue of the load.
    /// - Parameter report: Called once, on the queue of the exchange.
    func checkConnection(_ report: @escaping @Sendable (Bool) -> Void) {
      exchange.onQueue(from: queue) { report(self.exchange.isConnected) }
    }

    /// Disables spooling of the content, unless another load uses the exchange. Called on the queue
    /// of the load, before any content was received.
    func disableSpooling() {
      exchange.onQueue(from: queue) { self.exchange.stopSpooling() }
    }
  }
}
