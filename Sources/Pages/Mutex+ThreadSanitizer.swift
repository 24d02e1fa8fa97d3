#if OFFREAD_SANITIZE_THREAD
  import PthreadMutex

  /// A replacement for the lock of `Synchronization` that ThreadSanitizer can observe.
  typealias Mutex<Value: ~Copyable> = PthreadMutex<Value>
#endif
