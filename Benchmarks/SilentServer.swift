import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A server on 127.0.0.1 that accepts connections but never responds.
final class SilentServer {
  private let listener: Int32
  /// The base URL.
  let url: String

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { socketAddress in
        bind(listener, socketAddress, size) == 0 && listen(listener, 128) == 0
          && getsockname(listener, socketAddress, &size) == 0
      }
    }
    guard isListening else { throw BenchError("no port on 127.0.0.1") }
    self.listener = listener
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"
  }

  deinit { close(listener) }
}
