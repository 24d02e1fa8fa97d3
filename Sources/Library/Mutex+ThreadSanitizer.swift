#if OFFREAD_SANITIZE_THREAD
  import PthreadMutex

  /// A mutex that ThreadSanitizer supports, used instead of `Synchronization.Mutex`.
  typealias Mutex<Value: ~Copyable> = PthreadMutex<Value>
#endif
