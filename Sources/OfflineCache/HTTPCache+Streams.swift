import Dispatch
public import Foundation
import Synchronization

extension HTTPCache {
  /// Returns the events of loading a URL with redirects followed, as an asynchronous sequence.
  ///
  /// The load starts when the first element is requested. It is cancelled when the task that
  /// iterates is cancelled. At most about 1 MB of content is buffered for a slow consumer.
  /// - Parameters:
  ///   - request: The request; its URL may have a fragment.
  ///   - options: The options for each request of the redirect chain.
  ///   - maxRedirects: The maximum number of redirects to follow; with 0, a redirect is returned as
  ///     the response.
  /// - Returns: The events, for a single iteration. The last one is `finished` or `failed`. If a
  ///   saved copy is served while the server is being contacted, the sequence continues until
  ///   `refreshed` or `checked`, if any.
  public func events(
    for request: WebRequest, options: LoadOptions = LoadOptions(), maxRedirects: Int = 20
  ) -> NavigationEvents {
    NavigationEvents(
      cache: self, request: .success(request), options: options, maxRedirects: maxRedirects)
  }

  /// Returns the content of a URL in pieces, with redirects followed.
  ///
  ///     for try await piece in cache.bytes(from: url) { try file.write(contentsOf: piece) }
  ///
  /// Responses of any status have content, including error pages; use `events(for:)` to receive the
  /// head.
  /// - Parameters:
  ///   - request: The request; its URL may have a fragment.
  ///   - options: The options for each request of the redirect chain.
  ///   - maxRedirects: The maximum number of redirects to follow; with 0, a redirect is returned as
  ///     the response.
  /// - Returns: The decoded content in pieces of at most 64 KB, for a single iteration. The
  ///   iterator throws a `LoadError` if the content is incomplete.
  public func bytes(
    for request: WebRequest, options: LoadOptions = LoadOptions(), maxRedirects: Int = 20
  ) -> ContentPieces {
    ContentPieces(events: events(for: request, options: options, maxRedirects: maxRedirects))
  }

  /// Returns the content of a URL in pieces, loaded with GET; see `bytes(for:)`.
  /// - Parameters:
  ///   - url: The URL.
  ///   - options: The options for each request of the redirect chain.
  /// - Returns: The content, decoded.
  public func bytes(from url: WebURL, options: LoadOptions = LoadOptions()) -> ContentPieces {
    bytes(for: WebRequest(url: url), options: options)
  }

  /// Returns the content of a URL in pieces, loaded with GET; see `bytes(for:)`.
  /// - Parameters:
  ///   - url: The URL.
  ///   - options: The options for each request of the redirect chain.
  /// - Returns: The content, decoded.
  public func bytes(from url: URL, options: LoadOptions = LoadOptions()) -> ContentPieces {
    let request = Result { () throws(LoadError) in try WebRequest(written: url.absoluteString) }
    return ContentPieces(
      events: NavigationEvents(
        cache: self, request: request, options: options, maxRedirects: 20))
  }
}

/// The sequence of the events of a load; see `HTTPCache.events(for:options:maxRedirects:)`.
public struct NavigationEvents: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = NavigationEvent
  /// The iteration never throws; errors are events.
  public typealias Failure = Never

  let cache: HTTPCache
  /// The request, or the reason why it is invalid.
  let request: Result<WebRequest, LoadError>
  let options: LoadOptions
  let maxRedirects: Int

  /// Creates an iterator.
  /// - Returns: The iterator; the load is cancelled when it is deallocated.
  public func makeAsyncIterator() -> Iterator {
    Iterator(queue: EventQueue(self))
  }

  /// An iterator over the events of one load.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let queue: EventQueue

    /// Waits for the next event.
    /// - Parameter actor: The actor to which the call is isolated.
    /// - Returns: The event; nil after the last one. If the task is cancelled, the load ends with
    ///   `failed` of the kind `cancelled`.
    /// - Throws: Nothing.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> NavigationEvent? {
      await queue.next()
    }
  }
}

/// The content of a response in pieces; see `HTTPCache.bytes(for:options:maxRedirects:)`.
public struct ContentPieces: AsyncSequence, Sendable {
  /// A piece of the content.
  public typealias Element = [UInt8]
  /// The reason why the content is incomplete.
  public typealias Failure = LoadError

  let events: NavigationEvents

  /// Creates an iterator.
  /// - Returns: The iterator; the load is cancelled when it is deallocated.
  public func makeAsyncIterator() -> Iterator {
    Iterator(queue: EventQueue(events))
  }

  /// An iterator over the content of one load.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let queue: EventQueue

    /// Waits for the next piece.
    /// - Parameter actor: The actor to which the call is isolated.
    /// - Returns: The bytes; nil when the content is complete.
    /// - Throws: The reason why the content is incomplete.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LoadError) -> [UInt8]? {
      while let event = await queue.next() {
        switch event {
        case .data(let bytes): return bytes
        case .finished: return nil
        case .failed(let error): throw error
        case .redirected, .response, .refreshed, .checked: break
        }
      }
      return nil
    }
  }
}

/// The events of a load that have not been consumed yet.
private final class EventQueue: Sendable {
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
