// The C library of the system, and wrappers for what differs between platforms. This is the only
// file that imports it: all other files import this module, or Foundation.

#if canImport(Glibc)
  @_exported import Glibc
#else
  @_exported import Darwin
#endif

extension sigaction {
  /// The function that handles the signal; nil for none.
  package var handler: (@convention(c) (Int32) -> Void)? {
    get {
      #if canImport(Glibc)
        return __sigaction_handler.sa_handler
      #else
        return __sigaction_u.__sa_handler
      #endif
    }
    set {
      #if canImport(Glibc)
        __sigaction_handler.sa_handler = newValue
      #else
        __sigaction_u.__sa_handler = newValue
      #endif
    }
  }
}
