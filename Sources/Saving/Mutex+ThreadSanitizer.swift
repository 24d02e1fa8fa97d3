#if OFFREAD_SANITIZE_THREAD
  import PthreadMutex

  /// A lock that ThreadSanitizer sees, in the place of the one of `Synchronization`.
  typealias Mutex<Value: ~Copyable> = PthreadMutex<Value>
#endif
