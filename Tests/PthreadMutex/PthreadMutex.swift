#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The interface of `Synchronization.Mutex` over a lock of POSIX threads, which stands in for it
/// when ThreadSanitizer watches.
///
/// On Linux `Synchronization.Mutex` is a futex inside the Swift library, which is not instrumented:
/// ThreadSanitizer sees no order between two threads that take it in turn, and reports every value
/// behind one as a race. It knows `pthread_mutex_t`, and then also finds locks that are taken in
/// contrary orders.
///
/// Unchecked: the value is touched under the lock only.
public struct PthreadMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  /// Makes a mutex that is not locked and protects a value.
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

  /// Calls `body` with the value while no other thread has it.
  /// - Returns: what `body` returns.
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }

  /// Calls `body` with the value, unless another thread has it.
  /// - Returns: what `body` returns; nil when it was not called.
  public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    guard pthread_mutex_trylock(lock) == 0 else { return nil }
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }
}
