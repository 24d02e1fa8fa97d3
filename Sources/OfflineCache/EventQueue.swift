import Synchronization

/// The events of a load that have not been consumed yet.
final class EventQueue: Sendable {
  private struct State {
    var events = PendingEvents()
    var waitingConsumer: CheckedContinuation<NavigationEvent?, Never>?
    var load = Load.idle
  }

  private enum Load {
    /// No event was requested yet.
    case idle
    /// The load is being created; it may already have been cancelled.
    case starting(isCancelled: Bool)
    case running(Navigation)
    /// The last event was received.
    case over

    var navigation: Navigation? {
      if case .running(let navigation) = self { navigation } else { nil }
    }
    var isOver: Bool { if case .over = self { true } else { false } }

    /// Begins to create the load; returns whether that was not done before.
    mutating func start() -> Bool {
      guard case .idle = self else { return false }
      self = .starting(isCancelled: false)
      return true
    }

    /// Records the created load; returns whether it must be cancelled.
    mutating func run(_ navigation: Navigation) -> Bool {
      guard case .starting(let isCancelled) = self else { return true }
      self = .running(navigation)
      return isCancelled
    }

    /// Records a cancellation; returns the load to cancel.
    mutating func cancel() -> Navigation? {
      if case .starting = self { self = .starting(isCancelled: true) }
      return navigation
    }
  }

  private let source: NavigationEvents
  private let state = Mutex(State())

  init(_ source: NavigationEvents) {
    self.source = source
  }

  deinit { state.withLock(\.load.navigation)?.cancel() }

  func next() async -> NavigationEvent? {
    begin()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready: NavigationEvent?? = state.withLock { state in
          if let event = state.events.pop() { return .some(event) }
          if state.load.isOver { return .some(nil) }
          state.waitingConsumer = continuation
          return nil
        }
        guard let ready else { return }
        acknowledge(ready)
        continuation.resume(returning: ready)
      }
    } onCancel: {
      state.withLock { $0.load.cancel() }?.cancel()
    }
  }

  private func begin() {
    guard state.withLock({ $0.load.start() }) else { return }
    let request: WebRequest
    switch source.request {
    case .success(let convertedRequest): request = convertedRequest
    case .failure(let error):
      receive(.failed(error))
      return close()
    }
    // After the last event, the receiver is released, and with it `ending`, which then ends the
    // sequence.
    let ending = DeinitAction { [weak self] in self?.close() }
    let walk = RedirectWalk(
      request, options: source.options, maxRedirects: source.maxRedirects, cache: source.cache)
    let navigation = Navigation(source.cache, walk, FetchTask.direct, acknowledgesManually: true) {
      [weak self] event in
      withExtendedLifetime(ending) { self?.receive(event) }
    }
    let isCancelled = state.withLock { $0.load.run(navigation) }
    navigation.begin()
    if isCancelled { navigation.cancel() }
  }

  private func receive(_ event: NavigationEvent) {
    let waiting = state.withLock { state in
      guard let waiting = state.waitingConsumer else {
        state.events.append(event)
        return nil as CheckedContinuation<NavigationEvent?, Never>?
      }
      state.waitingConsumer = nil
      return waiting
    }
    guard let waiting else { return }
    acknowledge(event)
    waiting.resume(returning: event)
  }

  /// Ends the sequence.
  private func close() {
    let waiting = state.withLock { state in
      state.load = .over
      defer { state.waitingConsumer = nil }
      return state.waitingConsumer
    }
    waiting?.resume(returning: nil)
  }

  private func acknowledge(_ event: NavigationEvent?) {
    guard case .data(let bytes) = event else { return }
    state.withLock(\.load.navigation)?.acknowledge(bytes.count)
  }
}

/// An object that calls a closure when it is deallocated.
private final class DeinitAction: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
