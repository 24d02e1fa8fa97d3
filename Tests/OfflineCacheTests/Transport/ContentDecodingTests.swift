import Foundation
import TestSupport
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

@Suite("Content codings")
struct ContentDecodingTests {
  static let text = Array("<h1>Brotli</h1><p>Some text, some text, some text.</p>".utf8)

  static func encoded(_ base64: String) -> [UInt8] {
    [UInt8](Data(base64Encoded: base64) ?? Data())
  }

  static func deflated(_ bytes: [UInt8], _ format: DeflateFormat) -> [UInt8] {
    var output: [UInt8] = []
    let deflater = Deflater(format: format)
    deflater.deflate(bytes) { output += $0 }
    deflater.finish { output += $0 }
    return output
  }

  static let brotli = encoded(
    "GzUAAEQ3l6p00VDEYKiGbDj8KP/CexBVZllKBt7JYpK4jb1qumw8+xShPpgexXQc")
  static let zstd = encoded(
    "KLUv/QRYVQEANAI8aDE+QnJvdGxpPC9oMT48cD5Tb21lIHRleHQsIHMuPC9wPgEAOilO9qlGsg==")
  /// 8 MB of one letter in 14 bytes.
  static let bomb = encoded("m///fwAkguKxQHLv/wA=")

  static let streams: [(coding: String, bytes: [UInt8])] = [
    ("gzip", deflated(text, .gzip)), ("deflate", deflated(text, .zlib)),
    ("deflate", deflated(text, .raw)), ("br", brotli), ("zstd", zstd),
  ]

  /// Decodes a whole stream that is pushed in chunks.
  static func decode(
    _ bytes: [UInt8], _ codings: String, pieceLength: Int = .max
  ) throws(TransportFailure) -> [UInt8] {
    var response = ResponseHead(
      status: 200, fields: FieldLines([.init("Content-Encoding", codings)]))
    let decoding = ContentDecoding(removingCodingsOf: &response)
    var output: [UInt8] = []
    var remainingBytes = bytes[...]
    while !remainingBytes.isEmpty {
      let piece = Array(remainingBytes.prefix(pieceLength))
      remainingBytes = remainingBytes.dropFirst(piece.count)
      decoding.push(piece)
      while let chunk = try decoding.pull() {
        #expect(chunk.count <= 65_536)
        output += chunk
      }
    }
    try decoding.finish()
    return output
  }

  @Test(arguments: streams)
  func `a stream decodes to the same content at once and byte by byte`(
    _ coding: String, _ bytes: [UInt8]
  ) throws {
    #expect(try Self.decode(bytes, coding) == Self.text)
    #expect(try Self.decode(bytes, coding, pieceLength: 1) == Self.text)
  }

  @Test(arguments: streams)
  func `every truncation of the content is detected without a crash`(
    _ coding: String, _ bytes: [UInt8]
  ) throws {
    // After the last block of gzip, only the checksum and the length are missing (RFC 1952 §2.3.1).
    let trailerLength = coding == "gzip" ? 8 : 0
    for count in 1..<bytes.count - trailerLength {
      #expect(throws: TransportFailure.self) {
        try Self.decode(Array(bytes.prefix(count)), coding)
      }
    }
    let content = try Self.decode(bytes, coding)
    for count in bytes.count - trailerLength..<bytes.count {
      #expect(try Self.decode(Array(bytes.prefix(count)), coding) == content)
    }
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd"], Seeds.all)
  func `random input never crashes a decoder`(_ coding: String, _ seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    for length in 1..<200 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      do throws(TransportFailure) {
        let output = try Self.decode(bytes, coding)
        #expect(output.count < 1 << 24)
      } catch {
        #expect([.undecodable, .incomplete].contains(error.kind))
      }
    }
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd"])
  func `a declared but unapplied coding is reported as the reason`(_ coding: String) {
    do throws(TransportFailure) {
      _ = try Self.decode([0xFF] + Array("<p>not packed at all".utf8), coding)
      Issue.record("it was decoded")
    } catch {
      #expect(error.kind == .undecodable && error.subject == coding)
      #expect(error.message.hasPrefix("its content cannot be decoded as \(coding)"))
    }
  }

  @Test func `gzip with a wrong checksum or length is decoded, and then reported as damaged`() {
    let zipped = Self.deflated(Self.text, .gzip)
    let trailers: [[UInt8]] = [
      [1, 2, 3, 4, 5, 6, 7, 8], Array(zipped.suffix(8).prefix(4)) + [9, 9, 9, 9],
    ]
    for trailer in trailers {
      for pieceLength in [Int.max, 1] {
        var response = ResponseHead(
          status: 200, fields: FieldLines([.init("Content-Encoding", "gzip")]))
        let decoding = ContentDecoding(removingCodingsOf: &response)
        var output: [UInt8] = []
        var remainingBytes = zipped.dropLast(8) + trailer
        #expect(throws: TransportFailure.self) {
          while !remainingBytes.isEmpty {
            let piece = Array(remainingBytes.prefix(pieceLength))
            remainingBytes = remainingBytes.dropFirst(piece.count)
            decoding.push(piece)
            while let chunk = try decoding.pull() { output += chunk }
          }
        }
        #expect(output == Self.text)
      }
    }
    #expect(throws: TransportFailure.self) {
      try Self.decode([0xFF] + Array("no deflate stream, but long enough for one".utf8), "gzip")
    }
  }

  @Test func `codings are removed in reverse order of their application`() throws {
    let twice = Self.deflated(Self.brotli, .gzip)
    #expect(try Self.decode(twice, "br, gzip") == Self.text)
    #expect(try Self.decode(twice, "identity, BR , x-gzip", pieceLength: 3) == Self.text)
  }

  @Test func `a coding that is named twice may have been applied once`() throws {
    let once = Self.deflated(Self.text, .gzip)
    let twice = Self.deflated(once, .gzip)
    for bytes in [once, twice] {
      #expect(try Self.decode(bytes, "gzip, gzip", pieceLength: 5) == Self.text)
    }
    // The coding was applied at least once to binary content, and other codings are never optional.
    let image: [UInt8] = [0x89] + Array("PNG".utf8) + [UInt8](repeating: 0, count: 40)
    for (bytes, codings) in [
      (image, "gzip, gzip"), (Self.deflated(image, .gzip), "br, gzip"), (once, "gzip, br"),
    ] {
      #expect(throws: TransportFailure.self) { try Self.decode(bytes, codings) }
    }
  }

  @Test func `a decompression bomb is inflated in chunks`() throws {
    var response = ResponseHead(status: 200, fields: FieldLines([.init("Content-Encoding", "br")]))
    let decoding = ContentDecoding(removingCodingsOf: &response)
    decoding.push(Self.bomb)
    var chunks = 0
    while let chunk = try decoding.pull() {
      #expect(chunk.count <= 65_536)
      chunks += 1
    }
    #expect(decoding.length == 8 << 20)
    #expect(chunks >= 128)
  }

  @Test func `several gzip members or zstd frames are one content`() throws {
    let zipped = Self.deflated(Self.text, .gzip)
    let empty = Self.deflated([], .gzip)
    #expect(try Self.decode(zipped + empty + zipped, "gzip") == Self.text + Self.text)
    #expect(try Self.decode(zipped + zipped, "gzip", pieceLength: 1) == Self.text + Self.text)
    #expect(try Self.decode(Self.zstd + Self.zstd, "zstd") == Self.text + Self.text)
    #expect(try Self.decode(zipped + [0, 0, 0], "gzip") == Self.text)
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd", "gzip, gzip", "br, gzip"], ["", "\u{FEFF}"])
  func `text that was never encoded is accepted, with or without a byte-order mark`(
    _ codings: String, _ mark: String
  ) throws {
    for text in [Self.text, Array("(Page) {\"a\": [1, 2, 3, 4, 5]}".utf8)] {
      let content = Array(mark.utf8) + text
      #expect(try Self.decode(content, codings) == content)
      #expect(try Self.decode(content, codings, pieceLength: 30) == content)
    }
  }

  @Test func `short text, and text in any script, that was never encoded is accepted`() throws {
    for text in ["ok", "<p>short", "Паром отходит в полдень", "渡し船は正午に出ます。"] {
      for coding in ["gzip", "zstd"] {
        #expect(try Self.decode(Array(text.utf8), coding) == Array(text.utf8))
      }
    }
    let text = Array("Паром отходит в полдень и возвращается вечером".utf8)
    for coding in ["gzip", "deflate", "br", "zstd"] {
      #expect(try Self.decode(text, coding) == text)
      #expect(try Self.decode(text, coding, pieceLength: 25) == text)
    }
  }

  @Test func `a zlib stream that is declared as gzip is decoded`() throws {
    let packed = Self.deflated(Self.text, .zlib)
    #expect(try Self.decode(packed, "gzip") == Self.text)
    #expect(try Self.decode(packed, "x-gzip", pieceLength: 40) == Self.text)
    #expect(throws: TransportFailure.self) { try Self.decode(Array(packed.dropLast(5)), "gzip") }
  }

  @Test func `white space and a byte-order mark before a gzip stream are skipped`() throws {
    let packed = Self.deflated(Self.text, .gzip)
    for blank in ["\r\n", "  \n", "\u{FEFF}", "\u{FEFF}\n"] {
      let bytes = Array(blank.utf8) + packed
      #expect(try Self.decode(bytes, "gzip") == Self.text)
      #expect(try Self.decode(bytes, "gzip", pieceLength: blank.utf8.count) == Self.text)
    }
    // White space alone is text.
    #expect(try Self.decode([0x0D, 0x0A], "gzip").isEmpty)
  }

  @Test func `binary content that was never encoded is accepted if the field is probably wrong`()
    throws
  {
    let image: [UInt8] = [0x89] + Array("PNG".utf8) + [UInt8](repeating: 0, count: 40)
    for (name, isRecorded, passes) in [
      ("Transfer-Encoding", false, true), ("Content-Encoding", true, true),
      ("Content-Encoding", false, false),
    ] {
      var response = ResponseHead(status: 200, fields: FieldLines([.init(name, "gzip, chunked")]))
      if name == "Content-Encoding" { response.fields[name] = "gzip" }
      let decoding = ContentDecoding(removingCodingsOf: &response, isRecorded: isRecorded)
      #expect(response.fields.lines.isEmpty)
      var output: [UInt8] = []
      func decode() throws(TransportFailure) {
        for piece in [image.prefix(1), image.dropFirst()] {
          decoding.push(Array(piece))
          while let chunk = try decoding.pull() { output += chunk }
        }
        try decoding.finish()
      }
      if passes {
        try decode()
        #expect(output == image)
      } else {
        #expect(throws: TransportFailure.self) { try decode() }
      }
    }
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd"])
  func `empty content is not a truncated stream`(_ coding: String) throws {
    #expect(try Self.decode([], coding).isEmpty)
    var response = ResponseHead(
      status: 200, fields: FieldLines([.init("Content-Encoding", coding)]))
    let decoding = ContentDecoding(removingCodingsOf: &response)
    // Empty content may be truncated if only the end of the connection delimits it.
    #expect(throws: TransportFailure.self) { try decoding.finish(isEnded: false) }
  }

  @Test func `an unknown coding among known ones leaves the content encoded`() {
    let fields = FieldLines([
      .init("Content-Encoding", "gzip, own"), .init("Content-Length", "5"),
    ])
    var response = ResponseHead(status: 200, fields: fields)
    let decoding = ContentDecoding(removingCodingsOf: &response)
    #expect(decoding.isIdentity)
    #expect(response.fields == fields)
  }
}

@Suite("Time limits of an exchange")
struct TransferClockTests {
  @Test func `the connection timeout begins when the request leaves the queue`() {
    var limits = TransportLimits()
    limits.connect = 10
    limits.total = 100
    var clock = TransferClock(limits: limits, start: 1000)
    clock.didWait(at: 1008)
    #expect(clock.deadline == 1018)
    clock.didWait(at: 1095)
    #expect(clock.deadline == 1100)
    #expect(clock.expiryFailure(at: 1100)?.message == "the response took longer than 100 s")
    clock = TransferClock(limits: limits, start: 1000)
    clock.didSend(at: 1001)
    clock.didWait(at: 1002)
    #expect(clock.deadline == 1031)
  }

  @Test func `each phase has its own limit, and pauses of the receiver do not count`() {
    var limits = TransportLimits()
    limits.connect = 10
    limits.firstByte = 30
    limits.stall = 20
    limits.total = 100
    var clock = TransferClock(limits: limits, start: 1000)
    #expect(clock.deadline == 1010)
    #expect(
      clock.expiryFailure(at: 1010)
        == TransportFailure(.connectTimedOut, "no connection within 10 s"))
    clock.didSend(at: 1005)
    #expect(clock.deadline == 1035)
    clock.didSend(at: 1009)
    #expect(clock.expiryFailure(at: 1035) == TransportFailure(.timedOut, "no response within 30 s"))
    clock.didReceive(at: 1020)
    #expect(clock.expiryFailure(at: 1039) == nil)
    #expect(clock.expiryFailure(at: 1040)?.message == "no data arrived for 20 s")
    clock.setPaused(true, at: 1030)
    #expect(clock.deadline == .infinity)
    clock.setPaused(true, at: 1040)
    #expect(clock.expiryFailure(at: 5000) == nil)
    // The pause of sixty seconds does not count, so the deadline is later by that time.
    clock.setPaused(false, at: 1090)
    #expect(clock.deadline == 1110)
    clock.setPaused(false, at: 1100)
    clock.didReceive(at: 1145)
    #expect(clock.deadline == 1160)
    #expect(clock.expiryFailure(at: 1159) == nil)
    #expect(clock.expiryFailure(at: 1160)?.message == "the response took longer than 100 s")
  }

  @Test func `the time for the content can be shortened but not extended`() {
    var limits = TransportLimits()
    limits.total = 100
    var clock = TransferClock(limits: limits, start: 1000)
    clock.didReceive(at: 1050)
    clock.limitContent(to: 2, from: 1050)
    clock.didReceive(at: 1051)
    #expect(clock.deadline == 1052)
    clock.limitContent(to: 60, from: 1051)
    #expect(clock.deadline == 1052)
  }
}
