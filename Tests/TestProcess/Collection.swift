import Dispatch
import OfflineCache
import Synchronization

/// The events of one load, put together.
final class Collection: Sendable {
  private let end = DispatchSemaphore(value: 0)
  private let state = Mutex((source: "", content: [UInt8]()))

  /// Takes an event.
  func receive(_ event: CacheEvent) {
    switch event {
    case .response(let response): state.withLock { $0.source = "\(response.source)" }
    case .data(let bytes): state.withLock { $0.content += bytes }
    case .finished: end.signal()
    case .failed(let error):
      state.withLock { $0 = ("\(error)", []) }
      end.signal()
    case .refreshed, .checked: break
    }
  }

  /// Waits for the end; gives where the answer came from, or the error, and the content.
  func wait() -> (source: String, content: [UInt8]) {
    end.wait()
    return state.withLock { $0 }
  }
}
