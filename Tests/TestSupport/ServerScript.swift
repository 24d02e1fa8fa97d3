public import Foundation
import Synchronization

/// The steps that a `ScriptedServer` performs for a request.
public struct ServerScript: Sendable {
  /// A step of a script.
  public enum Step: Sendable {
    /// Sends bytes.
    case send([UInt8])
    /// Sends bytes, unless the request method is HEAD.
    case content([UInt8])
    /// Opens a gate, after everything before it has been sent.
    case open(Gate)
    /// Waits until a gate is open.
    case wait(Gate)
    /// Closes the connection.
    case close
    /// Resets the connection.
    case reset
  }

  /// The steps in order. The connection stays open at the end.
  public var steps: [Step]

  /// Creates a script.
  public init(_ steps: [Step]) {
    self.steps = steps
  }

  /// Returns the script for a complete response with `Content-Length`.
  public static func response(
    status: Int = 200, _ fields: [(String, String)] = [], body: [UInt8]
  ) -> ServerScript {
    let length = [204, 304].contains(status) ? [] : [("Content-Length", "\(body.count)")]
    return ServerScript([.send(head(status: status, fields + length)), .content(body)])
  }

  /// Returns the script for a complete response with text as content.
  public static func response(
    status: Int = 200, _ fields: [(String, String)] = [], text: String
  ) -> ServerScript {
    response(status: status, fields, body: Array(text.utf8))
  }

  /// Returns the script for a redirect.
  public static func redirect(_ status: Int = 302, to location: String) -> ServerScript {
    response(status: status, [("Location", location)], text: "moved")
  }

  /// Returns the script for a response with chunked transfer coding; without the last chunk if
  /// `isTruncated`.
  public static func chunked(
    _ fields: [(String, String)] = [], chunks: [[UInt8]], isTruncated: Bool = false
  ) -> ServerScript {
    var body: [UInt8] = []
    for chunk in chunks where !chunk.isEmpty {
      body += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
    }
    if !isTruncated { body += Array("0\r\n\r\n".utf8) }
    let start = head(status: 200, fields + [("Transfer-Encoding", "chunked")])
    return ServerScript([.send(start), .content(body)] + (isTruncated ? [.close] : []))
  }

  /// Returns the script for a response without a length, which ends when the connection is closed.
  public static func untilClose(
    _ fields: [(String, String)] = [], body: [UInt8]
  ) -> ServerScript {
    ServerScript([
      .send(head(status: 200, fields + [("Connection", "close")])), .content(body), .close,
    ])
  }

  /// Returns the script for a response with fewer bytes than its `Content-Length` promises, before
  /// the connection is closed.
  public static func truncated(
    _ fields: [(String, String)] = [], body: [UInt8], promised: Int
  ) -> ServerScript {
    ServerScript([
      .send(head(status: 200, fields + [("Content-Length", "\(promised)")])), .content(body),
      .close,
    ])
  }

  /// Returns a script that sends bytes and closes the connection.
  public static func raw(_ bytes: [UInt8]) -> ServerScript {
    ServerScript([.send(bytes), .close])
  }

  /// Returns the script preceded by waiting for a gate.
  public func after(_ gate: Gate) -> ServerScript {
    ServerScript([.wait(gate)] + steps)
  }

  /// Returns the bytes of a response header section.
  public static func head(status: Int, _ fields: [(String, String)]) -> [UInt8] {
    let reasons = [
      200: "OK", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently",
      302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
      308: "Permanent Redirect", 404: "Not Found", 500: "Internal Server Error",
      511: "Network Authentication Required",
    ]
    var text = "HTTP/1.1 \(status) \(reasons[status] ?? "")\r\n"
    for (name, value) in fields { text += "\(name): \(value)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  var withoutContent: ServerScript {
    ServerScript(
      steps.filter {
        if case .content = $0 { return false }
        return true
      })
  }
}

/// A one-shot event: closed until it is opened, then open forever.
public final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let opened = Mutex(false)

  /// Creates a closed gate.
  public init() {}

  /// Whether the gate is open.
  public var isOpen: Bool { opened.withLock { $0 } }

  /// Opens the gate for all current and future waiters.
  public func open() {
    opened.withLock { $0 = true }
    semaphore.signal()
  }

  /// Blocks until the gate is open.
  public func wait() {
    semaphore.wait()
    semaphore.signal()
  }

  /// Blocks until the gate is open or the time has passed.
  /// - Returns: Whether the gate is open.
  public func wait(atMost seconds: TimeInterval) -> Bool {
    guard semaphore.wait(timeout: .now() + seconds) == .success else { return false }
    semaphore.signal()
    return true
  }
}

/// A received request.
public struct ReceivedRequest: Sendable {
  /// The method.
  public var method: String
  /// The request target: path and query.
  public var target: String
  /// The field lines in order.
  public var fields: [(name: String, value: String)]
  /// The content.
  public var body: [UInt8]

  /// Returns the value of the first field line with a name, ignoring case; nil if there is none.
  public subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Reads the next request from a connection.
  /// - Parameters:
  ///   - connection: The descriptor of the connection.
  ///   - buffer: The bytes that were received and are not part of an earlier request.
  ///   - readsContent: Whether the content of a request for this target is read.
  /// - Returns: The request; nil at the end of the connection.
  static func read(
    from connection: Int32, buffer: inout [UInt8], readsContent: (String) -> Bool
  ) -> ReceivedRequest? {
    let end = Array("\r\n\r\n".utf8)
    var checked = 0
    while true {
      if let range = firstRange(of: end, in: buffer, from: max(0, checked - 3)) {
        guard var request = parse(Array(buffer[..<range])) else { return nil }
        buffer.removeFirst(range + 4)
        guard readsContent(request.target) else { return request }
        guard request["Transfer-Encoding"] != "chunked" else {
          guard let body = chunks(from: connection, &buffer) else { return nil }
          request.body = body
          return request
        }
        let length = request["Content-Length"].flatMap { Int($0) } ?? 0
        guard let body = bytes(length, from: connection, &buffer) else { return nil }
        request.body = body
        return request
      }
      checked = buffer.count
      guard fill(&buffer, from: connection) else { return nil }
      // The client begins a TLS handshake: close the connection, as a server without TLS does.
      guard buffer.first != 0x16 else { return nil }
    }
  }

  /// Reads a number of bytes; nil if the connection ends before.
  private static func bytes(
    _ count: Int, from connection: Int32, _ buffer: inout [UInt8]
  ) -> [UInt8]? {
    while buffer.count < count { guard fill(&buffer, from: connection) else { return nil } }
    defer { buffer.removeFirst(count) }
    return Array(buffer.prefix(count))
  }

  /// Reads content in the chunked coding, without extensions and trailers; nil if the connection
  /// ends before.
  private static func chunks(from connection: Int32, _ buffer: inout [UInt8]) -> [UInt8]? {
    var body: [UInt8] = []
    while true {
      var line: [UInt8] = []
      while line.last != 10 {
        guard let next = bytes(1, from: connection, &buffer) else { return nil }
        line += next
      }
      guard let count = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16),
        let chunk = bytes(count + 2, from: connection, &buffer)
      else { return nil }
      body += chunk.dropLast(2)
      if count == 0 { return body }
    }
  }

  private static func firstRange(of end: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= end.count else { return nil }
    for index in start...(bytes.count - end.count)
    where bytes[index] == 13 && bytes[index..<index + 4].elementsEqual(end) {
      return index
    }
    return nil
  }

  private static func fill(_ buffer: inout [UInt8], from connection: Int32) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(connection, &chunk, chunk.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      buffer += chunk[..<count]
      return true
    }
  }

  private static func parse(_ head: [UInt8]) -> ReceivedRequest? {
    var lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let tokens = lines.removeFirst().components(separatedBy: " ")
    guard tokens.count == 3 else { return nil }
    let fields = lines.compactMap { line -> (String, String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...]
      return (String(line[..<colon]), value.trimmingCharacters(in: .whitespaces))
    }
    return ReceivedRequest(method: tokens[0], target: tokens[1], fields: fields, body: [])
  }
}
