import Dispatch
import OfflineCache
import Synchronization

/// Collects the events of one load.
final class Collection: Sendable {
  private let end = DispatchSemaphore(value: 0)
  private let state = Mutex((source: "", content: [UInt8]()))

  /// Handles an event of the load.
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

  /// Waits for the end of the load, and returns the source of the response, or the error, and the
  /// content.
  func wait() -> (source: String, content: [UInt8]) {
    end.wait()
    return state.withLock { $0 }
  }
}
