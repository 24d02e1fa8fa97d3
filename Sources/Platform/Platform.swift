// The C library of the system, and what it has under other names elsewhere. The only file that imports it: all
// else takes it from here, or from Foundation.

#if canImport(Glibc)
  @_exported import Glibc
#else
  @_exported import Darwin
#endif

extension sigaction {
  /// What is called when the signal comes.
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

/// What the system's functions take.
package enum SystemValue {
  /// The C library and its version, where it tells one.
  package static var libraryVersion: String {
    #if canImport(Glibc)
      var text = [CChar](repeating: 0, count: 64)
      guard confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count) > 0 else { return "not known" }
      return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    #else
      return "the system's"
    #endif
  }

  #if canImport(Glibc)
    /// The limit of open files, for `getrlimit`.
    package static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    /// The name of a codeset, for `nl_langinfo_l`.
    package static let codeset = nl_item(_NL_CTYPE_CODESET_NAME)
    /// A stream, for `socketpair`.
    package static let stream = Int32(SOCK_STREAM.rawValue)
    /// For `send`: an end that is closed is an error, and no signal.
    package static let noSignal = Int32(MSG_NOSIGNAL)
  #else
    package static let openFiles = RLIMIT_NOFILE
    package static let codeset = CODESET
    package static let stream = SOCK_STREAM
    package static let noSignal: Int32 = 0
  #endif

  /// Has no signal come from a socket whose other end is closed, where that is a matter of the socket.
  package static func withoutSignal(_ socket: Int32) {
    #if !canImport(Glibc)
      var isSet: Int32 = 1
      setsockopt(
        socket, SOL_SOCKET, SO_NOSIGPIPE, &isSet, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }
}
