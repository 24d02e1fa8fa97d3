import Dispatch
import Synchronization

/// A queue that passes values from callbacks to a waiting thread, in order.
final class BlockingQueue<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let semaphore = DispatchSemaphore(value: 0)

  /// Appends a value; may be called from any thread.
  func post(_ value: Value) {
    values.withLock { $0.append(value) }
    semaphore.signal()
  }

  /// Waits for the next value and removes it.
  func waitForNext() -> Value {
    semaphore.wait()
    return values.withLock { $0.removeFirst() }
  }
}
