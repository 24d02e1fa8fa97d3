#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A mutex with the interface of `Synchronization.Mutex` that uses `pthread_mutex_t`. It replaces
/// that type when ThreadSanitizer is enabled.
///
/// On Linux `Synchronization.Mutex` is a futex inside the Swift library, which is not instrumented.
/// ThreadSanitizer therefore does not see that one thread acquires the mutex after another, and
/// reports every access to a protected value as a race. It supports `pthread_mutex_t`, and then
/// also detects lock order inversions.
///
/// The conformance to `Sendable` is unchecked: the value is accessed only while the lock is held.
public struct PthreadMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  /// Creates an unlocked mutex that protects a value.
  public init(_ value: consuming sending Value) {
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Calls `body` with the value while this thread holds the lock.
  /// - Returns: the result of `body`.
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }

  /// Calls `body` with the value unless another thread holds the lock.
  /// - Returns: the result of `body`; nil if it was not called.
  public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    guard pthread_mutex_trylock(lock) == 0 else { return nil }
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }
}
