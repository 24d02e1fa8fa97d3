/// The start line and the fields of an HTTP message in a record (RFC 9112 §2.1).
public struct HTTPHead: Sendable, Equatable {
  /// The first line.
  public enum StartLine: Sendable, Hashable, CustomStringConvertible {
    /// The request line of a `request` record.
    case request(method: String, target: String)
    /// The status line of a `response` or `revisit` record.
    case response(status: Int, reason: String)

    /// The line without the version.
    public var description: String {
      switch self {
      case .request(let method, let target): "\(method) \(target)"
      case .response(let status, let reason): reason.isEmpty ? "\(status)" : "\(status) \(reason)"
      }
    }
  }

  /// The first line, without the version.
  public var startLine: StartLine
  /// The fields in order.
  public var fields: WARCFields

  /// The status code of a response; nil for a request.
  public var status: Int? {
    if case .response(let status, _) = startLine { status } else { nil }
  }

  /// Creates a head.
  /// - Parameters:
  ///   - startLine: the first line.
  ///   - fields: the fields.
  public init(_ startLine: StartLine, fields: WARCFields = WARCFields()) {
    (self.startLine, self.fields) = (startLine, fields)
  }

  /// Parses a head of any HTTP version, including a status line without a version
  /// (`HTTP 200 Document follows`, NCSA). Interim responses before the final one are skipped.
  /// - Parameter bytes: the lines, up to an empty line or the end; the result is nil if the first
  ///   is neither a status line nor a request line.
  public init?(parsing bytes: [UInt8]) {
    let bytes = HeadEnd.withoutInterim(bytes)
    guard let end = bytes.firstIndex(of: 10) else { return nil }
    var line = bytes[..<end]
    if line.last == 13 { line.removeLast() }
    guard let startLine = Self.statusLine(line) ?? Self.requestLine(line) else { return nil }
    self.startLine = startLine
    fields = WARCFields(parsing: bytes[(end + 1)...])
  }

  private static func statusLine(_ line: ArraySlice<UInt8>) -> StartLine? {
    // Some programs record the name of the protocol in lower case.
    let name = line.prefix(4).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    guard name == Array("http".utf8), let next = line.dropFirst(4).first,
      next == UInt8(ascii: "/") || next == 32, let space = line.firstIndex(of: 32)
    else { return nil }
    let rest = line[space...].drop { $0 == 32 }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard digits.count == 3, let status = Int(String(decoding: digits, as: UTF8.self)),
      status >= minStatus
    else { return nil }
    return .response(status: status, reason: String(decoding: rest.dropFirst(4), as: UTF8.self))
  }

  /// The lowest status code (RFC 9110 §15). Some programs record 000 for a request that failed.
  private static let minStatus = 100

  private static func requestLine(_ line: ArraySlice<UInt8>) -> StartLine? {
    let parts = line.split(separator: 32)
    guard parts.count >= 3, let version = parts.last, version.starts(with: "HTTP/".utf8) else {
      return nil
    }
    // Some programs do not encode the spaces in a URL.
    let target = parts[1..<parts.count - 1].joined(separator: [32])
    return .request(
      method: String(decoding: parts[0], as: UTF8.self),
      target: String(decoding: Array(target), as: UTF8.self))
  }
}
