#if OFFREAD_SANITIZE_THREAD
  import PthreadMutex

  /// A lock that ThreadSanitizer understands, in place of the one in `Synchronization`.
  typealias Mutex<Value: ~Copyable> = PthreadMutex<Value>
#endif
