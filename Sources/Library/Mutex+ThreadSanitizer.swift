#if OFFREAD_SANITIZE_THREAD
  import PthreadMutex

  /// A mutex that ThreadSanitizer supports, used instead of that of `Synchronization`.
  typealias Mutex<Value: ~Copyable> = PthreadMutex<Value>
#endif
