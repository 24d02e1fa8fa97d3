import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A server on 127.0.0.1 with minimal overhead: one thread, `poll`, prepared responses. It runs in
/// its own process and exits at the end of its standard input.
///
/// `/small/N` is a text of 1 KB, `/page/N` an article of 60 KB, and `/hit` one of 50 KB.
/// `/noise/MB` and `/text/MB` are large bodies of a compressed and a plain type. `/links` links to
/// articles, `/kept/N` has not changed (304), and `/many/WORD` links to ten words with this prefix.
/// `/article/BYTES` is generated on request. `/upload` returns the number of bytes that it
/// received.
final class LoopbackServer {
  private static let smallCount = 2000
  /// The `ETag` of `/kept/N`.
  static let keptTag = "\"1\""

  private final class Connection {
    let descriptor: Int32
    var input: [UInt8] = []
    /// The data to send: a header section, followed by a block that repeats.
    var head: [UInt8] = []
    var block: [UInt8] = []
    var blocks = 0
    var offset = 0
    /// The number of bytes of the content of a request to `/upload`, and of those that have not
    /// arrived yet.
    var (uploadLength, missingLength) = (0, 0)
    var isSending: Bool { offset < head.count || blocks > 0 }

    init(_ descriptor: Int32) {
      self.descriptor = descriptor
    }
  }

  private let listener: Int32
  private var connections: [Int32: Connection] = [:]
  private var answers: [String: (head: [UInt8], block: [UInt8])] = [:]
  private let noise = GeneratedText.noise(1 << 20)
  private let text: [UInt8]
  private let date: String

  private init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
    }
    guard isBound, listen(listener, 128) == 0 else { throw BenchError("no port on 127.0.0.1") }
    self.listener = listener
    text = Array(GeneratedText.page(0, size: 1 << 20 + 1000).prefix(1 << 20))
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    date = formatter.string(from: Date())
  }

  /// Serves until the end of standard input; the first line of standard output is the port.
  /// - Parameter pages: The number of articles of 60 KB.
  /// - Throws: `BenchError` if there is no port.
  static func serve(pages: Int) throws {
    let server = try LoopbackServer()
    for number in 0..<smallCount {
      server.add("/small/\(number)", "text/plain", GeneratedText.page(number, size: 1024))
    }
    for number in 0..<pages {
      server.add("/page/\(number)", "text/html", GeneratedText.page(number, size: 60_000))
    }
    let links = (0..<LibraryBench.linkCount).map { "<li><a href=\"/page/\($0)\">Page \($0)</a>\n" }
    server.add(
      "/links", "text/html", Array("<!DOCTYPE html><title>Links</title><ul>\(links.joined())".utf8))
    server.add("/hit", "text/html", GeneratedText.page(1, size: 50 << 10))
    print(server.port)
    fflush(nil)
    server.run()
  }

  private var port: UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(listener, $0, &size)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  private func add(_ path: String, _ type: String, _ body: [UInt8]) {
    answers[path] = (head(type, body.count), body)
  }

  private func head(_ type: String, _ length: Int) -> [UInt8] {
    Array(
      """
      HTTP/1.1 200 OK\r
      Date: \(date)\r
      Content-Type: \(type)\r
      Content-Length: \(length)\r
      Cache-Control: max-age=86400\r
      \r

      """.utf8)
  }

  private func run() {
    while true {
      var polled = [
        pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
        pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
      ]
      for connection in connections.values {
        let events = connection.isSending ? POLLOUT : POLLIN
        polled.append(pollfd(fd: connection.descriptor, events: Int16(events), revents: 0))
      }
      guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
      if polled[0].revents != 0 { return }
      if polled[1].revents != 0 { accept() }
      for entry in polled.dropFirst(2) where entry.revents != 0 {
        guard let connection = connections[entry.fd] else { continue }
        serve(connection)
      }
    }
  }

  private func accept() {
    #if canImport(Glibc)
      let descriptor = Glibc.accept(listener, nil, nil)
    #else
      let descriptor = Darwin.accept(listener, nil, nil)
    #endif
    guard descriptor >= 0 else { return }
    var one: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(4))
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    connections[descriptor] = Connection(descriptor)
  }

  private func serve(_ connection: Connection) {
    if !connection.isSending {
      let count = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
        let count = recv(connection.descriptor, buffer.baseAddress, buffer.count, 0)
        let ignored = min(max(0, count), connection.missingLength)
        connection.missingLength -= ignored
        if count > ignored { connection.input.append(contentsOf: buffer[ignored..<count]) }
        return count
      }
      guard count > 0 else { return end(connection) }
    }
    while connection.isSending || begin(connection) {
      guard send(connection) else { return }
    }
  }

  /// Consumes the next request and prepares its response.
  /// - Returns: False if the request is incomplete.
  private func begin(_ connection: Connection) -> Bool {
    if connection.uploadLength > 0 { return endUpload(connection) }
    let input = connection.input
    guard let end = Self.headEnd(input) else { return false }
    let words = input.split(separator: 0x20, maxSplits: 2)
    let path = words.count > 1 ? String(decoding: words[1], as: UTF8.self) : ""
    connection.input = end == input.count ? [] : Array(input[end...])
    connection.offset = 0
    if path == "/upload" {
      beginUpload(connection, head: input[..<end])
      return endUpload(connection)
    }
    if let (head, block) = answers[path] {
      (connection.head, connection.block, connection.blocks) = (head, block, 1)
      return true
    }
    if path.hasPrefix("/kept/") {
      // Clients request these only to revalidate.
      connection.head = Array(
        "HTTP/1.1 304 Not Modified\r\nDate: \(date)\r\nETag: \(Self.keptTag)\r\n\r\n".utf8)
      (connection.block, connection.blocks) = ([], 0)
      return true
    }
    if path.hasPrefix("/many/") {
      let links = "abcdefghij".map { "<li><a href=\"\(path)\($0)\">\(path)\($0)</a>\n" }
      connection.block = Array(
        "<!DOCTYPE html><title>Page \(path)</title><ul>\(links.joined())</ul>".utf8)
      connection.head = head("text/html", connection.block.count)
      connection.blocks = 1
      return true
    }
    let parts = path.split(separator: "/")
    if parts.count == 2, parts[0] == "article", let size = Int(parts[1]) {
      connection.block = TerminalBench.article(size: size)
      connection.head = head("text/html", connection.block.count)
      connection.blocks = 1
      return true
    }
    if parts.count == 2, let count = Int(parts[1]), ["noise", "text"].contains(parts[0]) {
      let isNoise = parts[0] == "noise"
      connection.head = head(isNoise ? "video/mp4" : "text/plain", count << 20)
      (connection.block, connection.blocks) = (isNoise ? noise : text, count)
    } else {
      connection.head = Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8)
      (connection.block, connection.blocks) = ([], 0)
    }
    return true
  }

  /// Ignores the content of a request, which has a length.
  private func beginUpload(_ connection: Connection, head: ArraySlice<UInt8>) {
    let lines = String(decoding: head, as: UTF8.self).lowercased().split(separator: "\r\n")
    let length = lines.first { $0.hasPrefix("content-length:") }?.drop { !$0.isNumber }
    connection.uploadLength = length.flatMap { Int($0) } ?? 0
    let ignored = min(connection.input.count, connection.uploadLength)
    connection.input.removeFirst(ignored)
    connection.missingLength = connection.uploadLength - ignored
  }

  /// Prepares the response to an upload.
  /// - Returns: False if the content is incomplete.
  private func endUpload(_ connection: Connection) -> Bool {
    guard connection.missingLength == 0 else { return false }
    connection.block = Array("\(connection.uploadLength)".utf8)
    connection.head = head("text/plain", connection.block.count)
    (connection.uploadLength, connection.blocks, connection.offset) = (0, 1, 0)
    return true
  }

  /// Sends as much as the socket accepts.
  /// - Returns: Whether the response is complete.
  private func send(_ connection: Connection) -> Bool {
    while connection.isSending {
      let isHead = connection.offset < connection.head.count && !connection.head.isEmpty
      let isShort = connection.blocks == 1 && connection.block.count < 1 << 17
      if isHead, isShort {
        // A single packet, as from a real server.
        connection.head += connection.block
        connection.blocks = 0
      }
      let piece = isHead ? connection.head : connection.block
      let count = piece.withUnsafeBytes { bytes in
        #if canImport(Glibc)
          let flags = Int32(MSG_NOSIGNAL)
        #else
          let flags: Int32 = 0
        #endif
        let rest = UnsafeRawBufferPointer(rebasing: bytes[connection.offset...])
        #if canImport(Glibc)
          return Glibc.send(connection.descriptor, rest.baseAddress, rest.count, flags)
        #else
          return Darwin.send(connection.descriptor, rest.baseAddress, rest.count, flags)
        #endif
      }
      guard count >= 0 else {
        if errno != EAGAIN { end(connection) }
        return false
      }
      connection.offset += count
      guard connection.offset == piece.count else { continue }
      if isHead {
        connection.head = []
      } else {
        connection.blocks -= 1
      }
      connection.offset = 0
    }
    return true
  }

  private func end(_ connection: Connection) {
    close(connection.descriptor)
    connections[connection.descriptor] = nil
  }

  private static func headEnd(_ input: [UInt8]) -> Int? {
    guard input.count >= 4 else { return nil }
    for index in 3..<input.count
    where input[index] == 10 && input[index - 1] == 13 && input[index - 2] == 10 {
      return index + 1
    }
    return nil
  }
}
