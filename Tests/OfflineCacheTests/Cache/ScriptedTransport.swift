import Dispatch
import Synchronization

@testable import OfflineCache
@testable import WebArchive

/// A transport with scripted responses, without sockets.
final class ScriptedTransport: Transport {
  /// The response to a request.
  enum Reply: Sendable {
    /// These events, immediately.
    case events([TransportEvent])
    /// No response until `release`.
    case hold
  }

  /// A running request.
  final class Exchange: TransportExchange {
    let receive: @Sendable (TransportEvent) -> Void
    private let isCancelled = Atomic(false)
    private let connection = Atomic(false)

    var isConnected: Bool { connection.load(ordering: .sequentiallyConsistent) }

    /// Marks the connection as established.
    func connect() { connection.store(true, ordering: .sequentiallyConsistent) }

    /// Whether the exchange was cancelled.
    var wasCancelled: Bool { isCancelled.load(ordering: .sequentiallyConsistent) }

    init(_ receive: @escaping @Sendable (TransportEvent) -> Void) {
      self.receive = receive
    }

    func acknowledge(_ count: Int) {}

    func cancel() {
      isCancelled.store(true, ordering: .sequentiallyConsistent)
      receive(.failed(TransportFailure(.cancelled)))
    }
  }

  private let respond: @Sendable (WebRequest) -> Reply
  private let state = Mutex<(sent: [WebRequest], heldExchanges: [Exchange])>(([], []))
  private let receivedLimits = Mutex<[TransportLimits]>([])
  private let heldSignal = DispatchSemaphore(value: 0)

  init(_ respond: @escaping @Sendable (WebRequest) -> Reply) {
    self.respond = respond
  }

  var sent: [WebRequest] { state.withLock(\.sent) }

  /// The limits of each request.
  var limits: [TransportLimits] { receivedLimits.withLock(\.self) }

  func send(
    _ request: WebRequest, limits: TransportLimits,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> any TransportExchange {
    let exchange = Exchange(receive)
    receivedLimits.withLock { $0.append(limits) }
    state.withLock { $0.sent.append(request) }
    switch respond(request) {
    case .events(let events): events.forEach(receive)
    case .hold:
      state.withLock { $0.heldExchanges.append(exchange) }
      heldSignal.signal()
    }
    return exchange
  }

  /// Waits for a held request, and responds to it.
  func release(_ events: [TransportEvent]) {
    let exchange = next()
    events.forEach(exchange.receive)
  }

  /// Waits for a held request, and returns it to the test.
  func next() -> Exchange {
    heldSignal.wait()
    return state.withLock { $0.heldExchanges.removeFirst() }
  }

  /// Drops held requests. Their receivers own their loads, which own the cache and this transport.
  func close() {
    state.withLock { $0.heldExchanges = [] }
  }
}

extension ScriptedTransport.Reply {
  /// A complete response.
  static func response(
    _ status: Int = 200, _ fields: [(String, String)] = [], _ text: String = ""
  ) -> ScriptedTransport.Reply {
    .events(TransportEvent.response(status, fields, text))
  }

  static func failure(_ kind: TransportFailure.Kind) -> ScriptedTransport.Reply {
    .events([.failed(TransportFailure(kind))])
  }
}

extension TransportEvent {
  /// The events of a complete response.
  static func response(
    _ status: Int = 200, _ fields: [(String, String)] = [], _ text: String = ""
  ) -> [TransportEvent] {
    let head = ResponseHead(status: status, fields: FieldLines(fields.map { .init($0.0, $0.1) }))
    let data = text.isEmpty ? [] : [TransportEvent.data(Array(text.utf8))]
    return [.response(head)] + data + [.finished]
  }
}
