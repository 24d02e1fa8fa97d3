import Dispatch
import Foundation
import Synchronization

/// A running request to a loader.
final class LoaderExchange: TransportExchange {
  private struct State {
    var task: Task<Void, Never>?
    var clock: TransferClock
    var progress = Progress.awaitingHead
    /// Whether a timer for the next time limit is running.
    var isWatched = false
    /// The continuation of the loader while it waits for the flow-control window to open.
    var capacityContinuation: CheckedContinuation<Void, Never>?
  }

  private enum Progress {
    case awaitingHead
    /// The head was delivered, and this number of content bytes.
    case content(length: Int64)
    /// The last event was delivered.
    case over

    var isOver: Bool { if case .over = self { true } else { false } }
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
        if case .awaitingHead = self.state.withLock(\.progress) {
          self.end(.failed(TransportFailure(.malformed, "the loader returned no response head")))
        } else {
          self.end(.finished)
        }
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
      return state.progress.isOver
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
      guard case .awaitingHead = state.progress else {
        throw TransportFailure(.malformed, "the loader returned two response heads")
      }
      state.progress = .content(length: 0)
    }
  }

  func send(_ content: [UInt8]) async throws(TransportFailure) {
    for start in stride(from: 0, to: content.count, by: Self.pieceLength) {
      let piece = Array(content[start..<min(content.count, start + Self.pieceLength)])
      try emit(.data(piece)) { state throws(TransportFailure) in
        guard case .content(let former) = state.progress else {
          throw TransportFailure(.malformed, "the loader returned content before a response head")
        }
        // A loader that ignores the error cannot deliver a shorter piece instead.
        let length = former + Int64(piece.count)
        state.progress = .content(length: length)
        guard length <= maxSize else { throw .tooLarge(limit: maxSize) }
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
      guard !state.progress.isOver else {
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
      if !state.progress.isOver {
        state.progress = .over
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
        if state.progress.isOver || window.requestCapacity() { return true }
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
      guard !state.progress.isOver, !state.isWatched, state.clock.deadline.isFinite else {
        return nil
      }
      state.isWatched = true
      return state.clock.deadline
    }
    guard let deadline else { return }
    let wait = max(0, min(1e6, deadline - Self.now))
    DispatchQueue.global().asyncAfter(deadline: .now() + wait) { [weak self] in
      guard let self else { return }
      let failure = state.withLock { state in
        state.isWatched = false
        return state.progress.isOver ? nil : state.clock.expiryFailure(at: Self.now)
      }
      if let failure { return end(.failed(failure)) }
      watchClock()
    }
  }

  private static var now: TimeInterval { TimeInterval(DispatchTime.now().uptimeNanoseconds) / 1e9 }
}
