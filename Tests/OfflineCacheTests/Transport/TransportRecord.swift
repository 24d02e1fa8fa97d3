import Dispatch
import Synchronization

@testable import OfflineCache
@testable import WebArchive

/// The events of a transport, which can be waited for.
final class TransportRecord: Sendable {
  struct Result: Sendable {
    var response: ResponseHead?
    var body: [UInt8] = []
    var failure: TransportFailure?
    var isFinished = false

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  private let state = Mutex(Result())
  private let end = DispatchSemaphore(value: 0)

  func receive(_ event: TransportEvent) {
    let isLast = state.withLock { result in
      switch event {
      case .response(let response): result.response = response
      case .data(let bytes): result.body += bytes
      case .finished:
        result.isFinished = true
        return true
      case .failed(let failure):
        result.failure = failure
        return true
      }
      return false
    }
    if isLast { end.signal() }
  }

  var current: Result { state.withLock { $0 } }

  func wait() -> Result {
    end.wait()
    return current
  }
}

extension Transport {
  /// Sends a request, acknowledges all content, and waits for the end.
  func exchange(
    _ request: WebRequest, limits: TransportLimits = TransportLimits()
  ) -> TransportRecord.Result {
    let collected = TransportRecord()
    let acknowledger = Acknowledger()
    let exchange = send(request, limits: limits) { event in
      if case .data(let bytes) = event { acknowledger.add(bytes.count) }
      collected.receive(event)
    }
    acknowledger.use(exchange)
    return collected.wait()
  }
}

/// Acknowledges content, including content received before the exchange was known.
final class Acknowledger: Sendable {
  private let state = Mutex<(exchange: (any TransportExchange)?, early: Int)>((nil, 0))

  func add(_ count: Int) {
    let exchange = state.withLock { state in
      if state.exchange == nil { state.early += count }
      return state.exchange
    }
    exchange?.acknowledge(count)
  }

  func use(_ exchange: any TransportExchange) {
    let early = state.withLock { state in
      state.exchange = exchange
      return state.early
    }
    exchange.acknowledge(early)
  }
}
