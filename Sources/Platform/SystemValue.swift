/// Constants and settings that differ between platforms.
package enum SystemValue {
  /// The name and version of the C library as text for the user; a placeholder if they are not
  /// known.
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
    /// The resource for `getrlimit` that limits the number of open files.
    package static let openFileLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    /// The item for `nl_langinfo_l` that returns the name of the codeset.
    package static let codesetItem = nl_item(_NL_CTYPE_CODESET_NAME)
    /// The stream type for `socketpair`.
    package static let streamSocketType = Int32(SOCK_STREAM.rawValue)
    /// The flag for `send` that returns an error instead of raising SIGPIPE.
    package static let noSignalFlag = Int32(MSG_NOSIGNAL)
  #else
    package static let openFileLimit = RLIMIT_NOFILE
    package static let codesetItem = CODESET
    package static let streamSocketType = SOCK_STREAM
    package static let noSignalFlag: Int32 = 0
  #endif

  /// Disables SIGPIPE for a socket, on platforms where this is a socket option.
  package static func disableSIGPIPE(_ socket: Int32) {
    #if !canImport(Glibc)
      var isSet: Int32 = 1
      setsockopt(
        socket, SOL_SOCKET, SO_NOSIGPIPE, &isSet, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }
}
