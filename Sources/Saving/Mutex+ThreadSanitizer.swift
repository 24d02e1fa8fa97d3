#if OFFREAD_SANITIZE_THREAD
  import PthreadMutex

  /// A lock that ThreadSanitizer can instrument, instead of the one of `Synchronization`.
  typealias Mutex<Value: ~Copyable> = PthreadMutex<Value>
#endif
