#if OFFREAD_SANITIZE_THREAD
  import PthreadMutex

  /// A mutex that ThreadSanitizer supports, instead of the one in `Synchronization`.
  typealias Mutex<Value: ~Copyable> = PthreadMutex<Value>
#endif
