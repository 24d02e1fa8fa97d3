import Dispatch
public import Foundation
import Synchronization

extension HTTPCache {
  /// Loads a URL, redirects followed, as a sequence of events: what `start` tells, for `for await`.
  ///
  /// The load begins with the first element that is asked for, and ends with its task. Content waits for
  /// who takes it: no more than about 1 MB waits to be taken.
  /// - Parameters:
  ///   - request: what is asked; its URL may have a fragment.
  ///   - options: how each hop is loaded.
  ///   - maxRedirects: how many redirects are followed; 0 gives the redirect itself.
  /// - Returns: the events, to be gone through once. The last is `finished` or `failed`; where a saved copy has
  ///   answered while the server was being asked, `refreshed` or `checked` may follow, and is waited for.
  public func events(
    for request: WebRequest, options: LoadOptions = LoadOptions(), maxRedirects: Int = 20
  ) -> NavigationEvents {
    NavigationEvents(
      cache: self, request: .success(request), options: options, maxRedirects: maxRedirects)
  }

  /// Loads the content of a URL piece by piece, redirects followed.
  ///
  ///     for try await piece in cache.bytes(from: url) { try file.write(contentsOf: piece) }
  ///
  /// An answer of any status has content, an error page too; `events(for:)` tells the head.
  /// - Parameters:
  ///   - request: what is asked; its URL may have a fragment.
  ///   - options: how each hop is loaded.
  ///   - maxRedirects: how many redirects are followed; 0 gives the redirect itself.
  /// - Returns: the content, decoded, in pieces of at most 64 KB, to be gone through once; its iterator throws
  ///   the `LoadError` that says why it is not complete.
  public func bytes(
    for request: WebRequest, options: LoadOptions = LoadOptions(), maxRedirects: Int = 20
  ) -> ContentPieces {
    ContentPieces(events: events(for: request, options: options, maxRedirects: maxRedirects))
  }

  /// Loads the content of a URL piece by piece, by GET; see `bytes(for:)`.
  /// - Parameters:
  ///   - url: what is asked.
  ///   - options: how each hop is loaded.
  /// - Returns: the content, decoded.
  public func bytes(from url: WebURL, options: LoadOptions = LoadOptions()) -> ContentPieces {
    bytes(for: WebRequest(url: url), options: options)
  }

  /// Loads the content of a URL piece by piece, by GET; see `bytes(for:)`.
  /// - Parameters:
  ///   - url: what is asked.
  ///   - options: how each hop is loaded.
  /// - Returns: the content, decoded.
  public func bytes(from url: URL, options: LoadOptions = LoadOptions()) -> ContentPieces {
    let request = Result { () throws(LoadError) in try WebRequest(written: url.absoluteString) }
    return ContentPieces(
      events: NavigationEvents(
        cache: self, request: request, options: options, maxRedirects: 20))
  }
}

/// The events of a load, one after the other; see `HTTPCache.events(for:options:maxRedirects:)`.
public struct NavigationEvents: AsyncSequence, Sendable {
  /// One event.
  public typealias Element = NavigationEvent
  /// What goes wrong is an event.
  public typealias Failure = Never

  let cache: HTTPCache
  /// What is asked, or why that is no request.
  let request: Result<WebRequest, LoadError>
  let options: LoadOptions
  let maxRedirects: Int

  /// Begins to go through the events.
  /// - Returns: the iterator; the load is stopped when it is let go.
  public func makeAsyncIterator() -> Iterator {
    Iterator(queue: EventQueue(self))
  }

  /// Goes through the events of one load.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let queue: EventQueue

    /// Waits for the next event.
    /// - Parameter actor: on whose behalf.
    /// - Returns: the event; nil after the last one. When the task is cancelled the load ends by `failed`
    ///   with `cancelled`.
    /// - Throws: nothing.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Never) -> NavigationEvent? {
      await queue.next()
    }
  }
}

/// The content of an answer, piece by piece; see `HTTPCache.bytes(for:options:maxRedirects:)`.
public struct ContentPieces: AsyncSequence, Sendable {
  /// Some bytes.
  public typealias Element = [UInt8]
  /// Why the content is not complete.
  public typealias Failure = LoadError

  let events: NavigationEvents

  /// Begins to go through the content.
  /// - Returns: the iterator; the load is stopped when it is let go.
  public func makeAsyncIterator() -> Iterator {
    Iterator(queue: EventQueue(events))
  }

  /// Goes through the content of one load.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let queue: EventQueue

    /// Waits for the next piece.
    /// - Parameter actor: on whose behalf.
    /// - Returns: the bytes; nil when the content is complete.
    /// - Throws: why it is not.
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

/// What has come of a load and was not taken yet.
private final class EventQueue: Sendable {
  private struct State {
    var events = PendingEvents()
    var waiting: CheckedContinuation<NavigationEvent?, Never>?
    var navigation: Navigation?
    var hasBegun = false
    var isOver = false
    var isCancelled = false
  }

  private let source: NavigationEvents
  private let state = Mutex(State())

  init(_ source: NavigationEvents) {
    self.source = source
  }

  deinit { state.withLock(\.navigation)?.cancel() }

  func next() async -> NavigationEvent? {
    begin()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready: NavigationEvent?? = state.withLock { state in
          if let event = state.events.pop() { return .some(event) }
          if state.isOver { return .some(nil) }
          state.waiting = continuation
          return nil
        }
        guard let ready else { return }
        acknowledge(ready)
        continuation.resume(returning: ready)
      }
    } onCancel: {
      let navigation = state.withLock { state in
        state.isCancelled = true
        return state.navigation
      }
      navigation?.cancel()
    }
  }

  private func begin() {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { return }
    let request: WebRequest
    switch source.request {
    case .success(let asked): request = asked
    case .failure(let error):
      take(.failed(error))
      return close()
    }
    // What takes the events is let go with the last of them.
    let ending = Ending { [weak self] in self?.close() }
    let navigation = Navigation(source.cache, DirectHops(), acknowledgesManually: true) {
      [weak self] event in
      withExtendedLifetime(ending) { self?.take(event) }
    }
    let isCancelled = state.withLock { state in
      state.navigation = navigation
      return state.isCancelled
    }
    navigation.begin(request, options: source.options, maxRedirects: source.maxRedirects)
    if isCancelled { navigation.cancel() }
  }

  private func take(_ event: NavigationEvent) {
    let waiting = state.withLock { state in
      guard let waiting = state.waiting else {
        state.events.append(event)
        return nil as CheckedContinuation<NavigationEvent?, Never>?
      }
      state.waiting = nil
      return waiting
    }
    guard let waiting else { return }
    acknowledge(event)
    waiting.resume(returning: event)
  }

  /// Nothing follows.
  private func close() {
    let waiting = state.withLock { state in
      state.isOver = true
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: nil)
  }

  private func acknowledge(_ event: NavigationEvent?) {
    guard case .data(let bytes) = event else { return }
    state.withLock(\.navigation)?.acknowledge(bytes.count)
  }
}

/// Says when it is let go.
private final class Ending: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}
