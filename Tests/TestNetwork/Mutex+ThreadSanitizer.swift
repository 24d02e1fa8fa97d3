#if OFFREAD_SANITIZE_THREAD
  import PthreadMutex

  /// A lock that ThreadSanitizer supports, used instead of `Synchronization.Mutex`.
  typealias Mutex<Value: ~Copyable> = PthreadMutex<Value>
#endif
