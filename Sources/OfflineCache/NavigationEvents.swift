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
