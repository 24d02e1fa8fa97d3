import Dispatch
import Foundation
import Synchronization

/// A transport that sends requests to a loader of the application instead of the network.
final class LoaderTransport: Transport {
  let isCached: Bool
  private let loader: any SchemeLoader

  init(_ loader: any SchemeLoader, isCached: Bool) {
    self.loader = loader
    self.isCached = isCached
  }

  func send(
    _ request: WebRequest, limits: TransportLimits,
    receive: @escaping @Sendable (TransportEvent) -> Void
  ) -> any TransportExchange {
    let exchange = LoaderExchange(limits: limits, receive: receive)
    exchange.start(loader, request)
    return exchange
  }

  /// Does nothing, because running loads are ended by cancelling them.
  func close() {}
}

/// A running request to a loader.
final class LoaderExchange: TransportExchange {
  private struct State {
    var task: Task<Void, Never>?
    var clock: TransferClock
    var hasHead = false
    var isOver = false
    /// Whether a timer for the next time limit is running.
    var isWatched = false
    var length: Int64 = 0
    /// The continuation of the loader while it waits for the flow-control window to open.
    var capacityContinuation: CheckedContinuation<Void, Never>?
  }

  private static let pieceLength = 65_536
  private let receive: @Sendable (TransportEvent) -> Void
  private let maxSize: Int64
  private let window = FlowWindow()
  private let state: Mutex<State>

  init(limits: TransportLimits, receive: @escaping @Sendable (TransportEvent) -> Void) {
    self.receive = receive
    maxSize = limits.size
    var clock = TransferClock(limits: limits, start: Self.now)
    clock.didSend(at: Self.now)
    state = Mutex(State(clock: clock))
  }

  func start(_ loader: any SchemeLoader, _ request: WebRequest) {
    let task = Task(executorPreference: BlockingExecutor.shared) {
      do {
        try await loader.load(request, into: SchemeReply(self))
        let hasHead = self.state.withLock(\.hasHead)
        self.end(
          hasHead
            ? .finished
            : .failed(TransportFailure(.malformed, "the loader returned no response head")))
      } catch let failure as TransportFailure {
        self.end(.failed(failure))
      } catch is UnrepeatableBodyError {
        self.end(.failed(.unrepeatableUpload))
      } catch is CancellationError {
        self.end(.failed(TransportFailure(.other, "the loader failed")))
      } catch {
        self.end(.failed(TransportFailure(.other, "\(error)")))
      }
    }
    let isOver = state.withLock { state in
      state.task = task
      return state.isOver
    }
    if isOver { task.cancel() } else { watchClock() }
  }

  func acknowledge(_ count: Int) {
    if window.remove(count) { resume() }
  }

  func cancel() {
    end(.failed(TransportFailure(.cancelled, "cancelled")))
  }

  // MARK: Interface for the loader

  func respond(_ response: ResponseHead) throws(TransportFailure) {
    try emit(.response(response)) { state throws(TransportFailure) in
      guard !state.hasHead else {
        throw TransportFailure(.malformed, "the loader returned two response heads")
      }
      state.hasHead = true
    }
  }

  func send(_ content: [UInt8]) async throws(TransportFailure) {
    for start in stride(from: 0, to: content.count, by: Self.pieceLength) {
      let piece = Array(content[start..<min(content.count, start + Self.pieceLength)])
      try emit(.data(piece)) { state throws(TransportFailure) in
        guard state.hasHead else {
          throw TransportFailure(.malformed, "the loader returned content before a response head")
        }
        state.length += Int64(piece.count)
        guard state.length <= maxSize else {
          throw .tooLarge(limit: maxSize)
        }
      }
      window.add(piece.count)
      await waitForCapacity()
    }
  }

  // MARK: Helpers

  /// Delivers an event if the state allows it. The lock preserves the order of events.
  private func emit(
    _ event: TransportEvent, when check: (inout State) throws(TransportFailure) -> Void
  ) throws(TransportFailure) {
    try state.withLock { state throws(TransportFailure) in
      guard !state.isOver else {
        throw TransportFailure(.cancelled, "no caller is waiting for the response")
      }
      try check(&state)
      state.clock.didReceive(at: Self.now)
      receive(event)
    }
  }

  private func end(_ event: TransportEvent) {
    let (task, waiting) = state.withLock { state in
      defer { (state.task, state.capacityContinuation) = (nil, nil) }
      if !state.isOver {
        state.isOver = true
        receive(event)
      }
      return (state.task, state.capacityContinuation)
    }
    task?.cancel()
    waiting?.resume()
  }

  private func waitForCapacity() async {
    await withCheckedContinuation { continuation in
      let mayGoOn = state.withLock { state in
        if state.isOver || window.requestCapacity() { return true }
        state.clock.setPaused(true, at: Self.now)
        state.capacityContinuation = continuation
        return false
      }
      if mayGoOn { continuation.resume() }
    }
  }

  private func resume() {
    let waiting = state.withLock { state in
      defer { state.capacityContinuation = nil }
      state.clock.setPaused(false, at: Self.now)
      return state.capacityContinuation
    }
    waiting?.resume()
    watchClock()
  }

  /// Ends the exchange if a time limit has expired, and otherwise schedules the next check. No
  /// check is scheduled while the receiver is paused.
  private func watchClock() {
    let deadline: TimeInterval? = state.withLock { state in
      guard !state.isOver, !state.isWatched, state.clock.deadline.isFinite else { return nil }
      state.isWatched = true
      return state.clock.deadline
    }
    guard let deadline else { return }
    let wait = max(0, min(1e6, deadline - Self.now))
    DispatchQueue.global().asyncAfter(deadline: .now() + wait) { [weak self] in
      guard let self else { return }
      let failure = state.withLock { state in
        state.isWatched = false
        return state.isOver ? nil : state.clock.expiryFailure(at: Self.now)
      }
      if let failure { return end(.failed(failure)) }
      watchClock()
    }
  }

  private static var now: TimeInterval { TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9 }
}
