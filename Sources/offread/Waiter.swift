import Dispatch
import Synchronization

/// Hands values from callbacks to the thread that waits for them, in order.
final class Waiter<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let count = DispatchSemaphore(value: 0)

  /// Puts a value in line; may be called from any thread.
  func post(_ value: Value) {
    values.withLock { $0.append(value) }
    count.signal()
  }

  /// Waits for the next value.
  func next() -> Value {
    count.wait()
    return values.withLock { $0.removeFirst() }
  }
}
