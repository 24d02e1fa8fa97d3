import Foundation
import Testing

@testable import WARC

@Suite("The HTTP message in a record")
struct HTTPMessageTests {
  private static let text = Array("<h1>Brotli</h1><p>Some text, some text, some text.</p>".utf8)

  private static func data(_ base64: String) -> [UInt8] {
    [UInt8](Data(base64Encoded: base64) ?? Data())
  }

  private static let brotli = data(
    "GzUAAEQ3l6p00VDEYKiGbDj8KP/CexBVZllKBt7JYpK4jb1qumw8+xShPpgexXQc")
  private static let zstd = data(
    "KLUv/QRYVQEANAI8aDE+QnJvdGxpPC9oMT48cD5Tb21lIHRleHQsIHMuPC9wPgEAOilO9qlGsg==")

  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    let deflater = Deflater()
    deflater.deflate(bytes) { output += $0 }
    deflater.finish { output += $0 }
    return output
  }

  private static func chunked(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 20) {
      let part = bytes[start..<min(bytes.count, start + 20)]
      output += Array("\(String(part.count, radix: 16));x=y\r\n".utf8) + part + [13, 10]
    }
    return output + Array("0\r\nX-Trailer: 1\r\n\r\n".utf8)
  }

  private static func block(_ fields: String, _ content: [UInt8]) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\n\(fields)\r\n".utf8) + content
  }

  private static let record = WARCRecord(
    .response, date: Date(timeIntervalSince1970: 0), targetURI: "https://h.example/",
    contentType: "application/http;msgtype=response")

  /// Decodes a block that is passed in pieces.
  private static func decode(
    _ block: [UInt8], pieces: Int = .max, maxContentLength: Int64 = 1 << 20,
    of record: WARCRecord = record
  ) throws -> (content: [UInt8], decoder: HTTPMessageDecoder) {
    let decoder = HTTPMessageDecoder(of: record, maxContentLength: maxContentLength)
    var content: [UInt8] = []
    var rest = block[...]
    while !rest.isEmpty {
      try decoder.decode(Array(rest.prefix(pieces))) { content += $0 }
      rest = rest.dropFirst(pieces)
    }
    try decoder.finish()
    return (content, decoder)
  }

  static let messages: [(String, [UInt8])] = [
    ("", text), ("Content-Encoding: gzip\r\n", gzip(text)),
    ("content-encoding: BR\r\n", brotli), ("Content-Encoding: zstd\r\n", zstd),
    ("Transfer-Encoding: chunked\r\n", chunked(text)),
    ("Transfer-Encoding: gzip, chunked\r\n", chunked(gzip(text))),
    ("Content-Encoding: br\r\nTransfer-Encoding: Chunked\r\n", chunked(brotli)),
    ("Content-Encoding: br, gzip\r\n", gzip(brotli)),
    ("Content-Encoding: br\r\nContent-Encoding: gzip\r\n", gzip(brotli)),
    ("Content-Encoding: identity\r\n", text),
    // Codings that the recording program has removed already.
    ("Transfer-Encoding: chunked\r\n", text), ("Content-Encoding: gzip\r\n", text),
    ("Content-Encoding: zstd\r\n", text),
  ]

  @Test(arguments: messages)
  func `chunks and content codings are removed, however the block is cut`(
    _ fields: String, _ body: [UInt8]
  ) throws {
    for pieces in [1, 7, 4096] {
      let (content, decoder) = try Self.decode(Self.block(fields, body), pieces: pieces)
      #expect(content == Self.text)
      #expect(decoder.head?.status == 200)
      #expect(decoder.remainingCodings.isEmpty)
    }
  }

  @Test(arguments: ["br", "deflate", "x-gzip", "zstd"])
  func `text that is not encoded is passed through`(_ coding: String) throws {
    let block = Self.block("Content-Encoding: \(coding)\r\n", Self.text)
    #expect(try Self.decode(block).content == Self.text)
  }

  @Test func `an unknown coding is left in the content, and named`() throws {
    let body = Self.gzip(Self.text)
    let (content, decoder) = try Self.decode(
      Self.block(
        "Content-Encoding: gzip, aes128gcm\r\nTransfer-Encoding: chunked\r\n", Self.chunked(body)))
    #expect(content == body)
    #expect(decoder.remainingCodings == ["gzip", "aes128gcm"])
    let many = String(repeating: "gzip, ", count: 9) + "gzip"
    #expect(try Self.decode(Self.block("Content-Encoding: \(many)\r\n", body)).content == body)
  }

  @Test(
    arguments: [
      (Array("HTTP/1.1 200 OK\r\nA: b".utf8), HTTPMessageError.incomplete), ([], .noMessage),
      (Array("hello\r\n\r\n".utf8), .noMessage), (Array("HTTP/1.1 20 OK\r\n\r\n".utf8), .noMessage),
      (block("Content-Encoding: gzip\r\n", Array(gzip(text).dropLast(9))), .incomplete),
      (block("Transfer-Encoding: chunked\r\n", Array(chunked(text).prefix(40))), .incomplete),
      (block("Content-Encoding: zstd\r\n", Array("(no frame)".utf8)), .undecodable(coding: "zstd")),
      (block("", [UInt8](repeating: 65, count: 2000)), .contentTooLong(limit: 1000)),
      (
        block("Content-Encoding: gzip\r\n", gzip([UInt8](repeating: 65, count: 2000))),
        .contentTooLong(limit: 1000)
      ),
      (
        Array("HTTP/1.1 200 OK\r\nA: ".utf8) + [UInt8](repeating: 65, count: 1 << 21), .headTooLong
      ),
    ] as [([UInt8], HTTPMessageError)])
  func `a message that cannot be decoded is an error with its reason`(
    _ block: [UInt8], _ error: HTTPMessageError
  ) {
    for pieces in [999, Int.max] {
      #expect(throws: error) { try Self.decode(block, pieces: pieces, maxContentLength: 1000) }
    }
    #expect(!error.description.isEmpty)
  }

  @Test func `the maximum length is that of the content, without the chunked coding`() throws {
    let content = [UInt8](repeating: 65, count: 1000)
    let block = Self.block("Transfer-Encoding: chunked\r\n", Self.chunked(content))
    #expect(try Self.decode(block, maxContentLength: 1000).content == content)
    #expect(throws: HTTPMessageError.contentTooLong(limit: 999)) {
      try Self.decode(block, maxContentLength: 999)
    }
  }

  @Test func `a record without a message is an error, and so is everything after an error`() {
    let record = WARCRecord(
      .resource, date: Date(timeIntervalSince1970: 0), contentType: "text/plain")
    #expect(throws: HTTPMessageError.noMessage) { try Self.decode(Self.text, of: record) }
    let decoder = HTTPMessageDecoder(of: Self.record)
    for _ in 1...2 {
      #expect(throws: HTTPMessageError.noMessage) {
        try decoder.decode(Array("no\r\n\r\n".utf8)) { _ in }
      }
    }
    #expect(throws: HTTPMessageError.noMessage) { try decoder.finish() }
  }

  @Test func `an error of the closure is passed on`() {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try HTTPMessageDecoder(of: Self.record).decode(Self.block("", Self.text)) { _ in throw Stop()
      }
    }
  }

  @Test(
    arguments: [
      ("HTTP/1.0 404 Not Found\r\n", HTTPHead.StartLine.response(status: 404, reason: "Not Found")),
      ("HTTP/1.1 100 Continue\r\n", .response(status: 100, reason: "Continue")),
      (
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nB: 3\r\n\r\nHTTP/1.1 200 OK\r\n",
        .response(status: 200, reason: "OK")
      ),
      ("HTTP/2 200\n", .response(status: 200, reason: "")),
      ("HTTP 200 Document follows\r\n", .response(status: 200, reason: "Document follows")),
      ("GET /a?b HTTP/1.1\r\n", .request(method: "GET", target: "/a?b")),
      ("POST https://h/ HTTP/1.1\n", .request(method: "POST", target: "https://h/")),
      ("GET /a b c HTTP/1.0\r\n", .request(method: "GET", target: "/a b c")),
    ] as [(String, HTTPHead.StartLine)])
  func `start lines of requests and responses are parsed`(
    _ line: String, _ expected: HTTPHead.StartLine
  ) throws {
    let head = try #require(HTTPHead(parsing: Array((line + "A: 1\r\na: 2\r\n\r\n").utf8)))
    #expect(head.startLine == expected)
    #expect(head.fields.values(of: "A") == ["1", "2"])
    if case .request = expected { #expect(head.status == nil) }
  }

  @Test(arguments: [
    "", "\r\n", "GET /\r\n", "HTTP/1.1\r\n", "GET / FTP/1\r\n", "HTTP/1.1 2000\r\n",
    "HTTP/1.1 000 Failed\r\n", "HTTP/1.1 099 X\r\n",
  ])
  func `other lines are not the start of a message`(_ line: String) {
    #expect(HTTPHead(parsing: Array(line.utf8)) == nil)
  }

  @Test func `a reader opens the messages of a file`() throws {
    var bytes: [UInt8] = []
    let block = Self.block("Content-Encoding: gzip\r\nX-A: 1\r\n", Self.gzip(Self.text))
    try WARCWriter().write(Self.record, block: block) { bytes += $0 }
    let reader = WARCReader(bytes: bytes)
    guard case .record(let record, _)? = try reader.next() else {
      Issue.record("there is no record")
      return
    }
    let message = try reader.readMessage(of: record)
    #expect(message.content == Self.text)
    #expect(message.head.startLine.description == "200 OK" && message.head.fields["x-a"] == "1")
    #expect(try reader.next() == nil)
  }
}
