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
