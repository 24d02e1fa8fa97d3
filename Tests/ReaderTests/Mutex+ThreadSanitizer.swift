#if OFFREAD_SANITIZE_THREAD
  import PthreadMutex

  /// A lock that ThreadSanitizer understands, instead of the one from `Synchronization`.
  typealias Mutex<Value: ~Copyable> = PthreadMutex<Value>
#endif
