import Foundation
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

/// Variants of WARC files. The headers are written as in wget 1.21, warcio and other programs.
@Suite struct ForeignFormsTests {
  let files: TemporaryArchive

  init() throws {
    files = try TemporaryArchive()
  }

  /// The bytes of a record in an uncompressed file.
  private static func record(_ head: [String], _ block: String) -> [UInt8] {
    let length = head.contains { $0.lowercased().hasPrefix("content-length") }
    let lines = head + (length ? [] : ["Content-Length: \(block.utf8.count)"])
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + block + "\r\n\r\n").utf8)
  }

  private static func response(
    _ version: String = "WARC/1.0", _ more: [String] = [], url: String = "<http://e.test/a>",
    http: String = "HTTP/1.1 200 OK", body: String = "hello"
  ) -> [UInt8] {
    record(
      [
        version, "WARC-Type: response", "WARC-Record-ID: <urn:uuid:\(UUID().uuidString)>",
        "WARC-Date: 2020-01-02T03:04:05Z", "WARC-Target-URI: \(url)",
        "Content-Type: application/http;msgtype=response",
      ] + more, "\(http)\r\nX: y\r\n\r\n\(body)")
  }

  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    let deflater = Deflater()
    deflater.deflate(bytes) { packed += $0 }
    deflater.finish { packed += $0 }
    return packed
  }

  /// A file with a page `http://e.test/a` whose text is "hello".
  struct Form: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var name = "x.warc.gz"
    var bytes: [UInt8]
  }

  /// The records that wget writes at the beginning of a file and around a response.
  private static let around = (
    before: record(
      [
        "WARC/1.0", "WARC-Type: warcinfo", "Content-Type: application/warc-fields",
        "WARC-Date: 2020-01-02T03:04:05Z", "WARC-Record-ID: <urn:uuid:1>",
        "WARC-Filename: x.warc.gz",
      ], "software: Wget/1.21.3 (linux-gnu)\r\n")
      + record(
        [
          "WARC/1.0", "WARC-Type: request", "WARC-Target-URI: <http://e.test/a>",
          "Content-Type: application/http;msgtype=request", "WARC-Date: 2020-01-02T03:04:05Z",
          "WARC-Record-ID: <urn:uuid:2>",
        ], "GET /a HTTP/1.1\r\nAuthorization: Basic c2VjcmV0\r\n\r\n"),
    after: record(
      [
        "WARC/1.0", "WARC-Type: metadata", "WARC-Record-ID: <urn:uuid:3>",
        "WARC-Target-URI: <metadata://gnu.org/software/wget/warc/MANIFEST.txt>",
        "WARC-Date: 2020-01-02T03:04:05Z", "Content-Type: text/plain",
      ], "manifest")
      + record(
        [
          "WARC/1.0", "WARC-Type: resource", "WARC-Record-ID: <urn:uuid:4>",
          "WARC-Target-URI: <ftp://e.test/a>", "WARC-Date: 2020-01-02T03:04:05Z",
          "Content-Type: text/plain",
        ], "by ftp")
      + record(
        [
          "WARC/1.0", "WARC-Type: conversion", "WARC-Record-ID: <urn:uuid:5>",
          "WARC-Target-URI: http://e.test/a", "WARC-Date: 2021-01-02T03:04:05Z",
          "Content-Type: text/plain",
        ], "converted")
      + record(
        [
          "WARC/1.0", "WARC-Type: something-new", "WARC-Record-ID: <urn:uuid:6>",
          "WARC-Target-URI: http://e.test/a", "WARC-Date: 2021-01-02T03:04:05Z",
        ], "unknown")
  )

  static let forms: [Form] = [
    Form(
      testDescription: "plain", name: "x.warc", bytes: around.before + response() + around.after),
    Form(
      testDescription: "a member each",
      bytes: gzip(around.before) + gzip(response()) + gzip(around.after)),
    Form(
      testDescription: "one member", bytes: gzip(around.before + response() + around.after)),
    Form(
      testDescription: "some records share members",
      bytes: gzip(around.before + response(url: "http://e.test/b")) + gzip(response())
        + gzip(around.after)),
    Form(testDescription: "named gz, but plain", bytes: around.before + response()),
    Form(testDescription: "named plain, but gz", name: "x.warc", bytes: gzip(response())),
    Form(testDescription: "WARC/1.1", bytes: gzip(response("WARC/1.1"))),
    Form(testDescription: "WARC/0.18", bytes: gzip(response("WARC/0.18"))),
    Form(testDescription: "no brackets", bytes: gzip(response(url: "http://e.test/a"))),
    Form(testDescription: "a URL in capitals", bytes: gzip(response(url: "HTTP://E.TEST:80/a"))),
    Form(testDescription: "HTTP/2", bytes: gzip(response(http: "HTTP/2 200"))),
    Form(testDescription: "HTTP/2 with a space", bytes: gzip(response(http: "HTTP/2 200 "))),
    Form(testDescription: "HTTP/3", bytes: gzip(response(http: "HTTP/3.0 200 OK"))),
    Form(testDescription: "lower case", bytes: gzip(response(http: "http/1.1 200 ok"))),
    Form(testDescription: "HTTP/1.0", bytes: gzip(response(http: "HTTP/1.0 200 Fine by me"))),
    Form(
      testDescription: "field names in lower case",
      bytes: gzip(
        Array(
          String(decoding: response(), as: UTF8.self)
            .replacingOccurrences(of: "WARC-T", with: "warc-t")
            .replacingOccurrences(of: "WARC-D", with: "warc-d")
            .replacingOccurrences(of: "WARC-R", with: "WARC-r")
            .replacingOccurrences(of: "Content-", with: "content-").utf8))),
    Form(
      testDescription: "SHA-1 in Base32",
      bytes: gzip(
        response("WARC/1.0", ["WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"]))),
    Form(
      testDescription: "SHA-1 in hexadecimal",
      bytes: gzip(
        response(
          "WARC/1.0", ["WARC-Payload-Digest: SHA1:AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D"]))),
    Form(
      testDescription: "an unknown digest",
      bytes: gzip(response("WARC/1.0", ["WARC-Payload-Digest: blake3:abcdef"]))),
    Form(
      testDescription: "spaces in the content type",
      bytes: gzip(
        Array(
          String(decoding: response(), as: UTF8.self)
            .replacingOccurrences(of: "http;msg", with: "http; msg").utf8))),
    Form(
      testDescription: "more line ends than there should be", name: "x.warc",
      bytes: around.before + [13, 10, 13, 10] + response() + [13, 10] + around.after),
    Form(
      testDescription: "empty lines before the status line",
      bytes: gzip(
        response(
          "WARC/1.0", ["WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N"],
          http: "\r\n\r\nHTTP/1.1 200 OK"))),
    Form(
      testDescription: "a resource with a response",
      bytes: gzip(
        Array(
          String(decoding: response(), as: UTF8.self)
            .replacingOccurrences(of: "WARC-Type: response", with: "WARC-Type: resource").utf8))),
    Form(
      testDescription: "zeros at the end", bytes: gzip(response()) + [UInt8](repeating: 0, count: 9)
    ),
    Form(
      testDescription: "a date with fractions",
      bytes: gzip(
        Array(
          String(decoding: response("WARC/1.1"), as: UTF8.self)
            .replacingOccurrences(of: "03:04:05Z", with: "03:04:05.123456789Z").utf8))),
  ]

  @Test(arguments: forms)
  func `a page is found in a file of any variant`(_ form: Form) throws {
    try files.write(form.bytes, to: form.name)
    let archive = files.open()
    let pages = try archive.captures(of: "http://e.test/a")
    #expect(try pages.map { try archive.text($0) } == ["hello"])
    #expect(pages.first?.response.status == 200)
    #expect(pages.first?.response.fields["X"] == "y")
    #expect(try archive.captures(of: "ftp://e.test/a").isEmpty)
    #expect(try files.bytes(of: form.name) == form.bytes)
    // The result is the same in the next session.
    archive.close()
    let reopened = files.open(readOnly: true)
    #expect(try reopened.captures(of: "http://e.test/a") == pages)
  }

  @Test func `a growing file is read up to its last complete record`() throws {
    let parts = [Self.gzip(Self.around.before), Self.gzip(Self.response())]
    let secondMember = Self.gzip(Self.response(body: "and more"))
    let all = parts.joined() + secondMember
    let archive = files.open()
    var previousCount = 0
    for count in stride(from: 1, through: all.count, by: 11).map({ $0 }) + [all.count] {
      try files.write(Array(all.prefix(count)), to: "x.warc.gz")
      try archive.catchUp()
      let captures = try archive.captures(of: "http://e.test/a").count
      #expect(captures >= previousCount)
      let whole = count == all.count ? 2 : count >= all.count - secondMember.count ? 1 : 0
      #expect(captures == whole, "\(count) bytes")
      previousCount = captures
    }
    #expect(archive.takeNotices().isEmpty)
  }

  @Test(
    arguments: [
      ("Content-Range: bytes 0-4/5", "hello", 200), ("Content-Range: bytes 0-4/9", "hello", 206),
      ("Content-Range: bytes 1-5/5", "hello", 206), ("Content-Range: bytes 0-4/5", "hell", 206),
      ("Content-Range: bytes 0-9/10\r\nTransfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n", 200),
      ("X-Range: bytes 0-4/5", "hello", 206),
    ] as [(String, String, Int)])
  func `RFC 9110 §15.3.7: a part that is the whole content is a page`(
    _ field: String, _ body: String, _ status: Int
  ) throws {
    let http = "HTTP/1.1 206 Partial Content\r\n" + field
    try files.write(Self.response(http: http, body: body), to: "x.warc")
    let stored = try #require(try files.open().captures(of: "http://e.test/a").first)
    #expect(stored.response.status == status)
    #expect(stored.isGood == (status == 200))
    #expect(
      (stored.response.fields["Content-Range"] == nil) == (status == 200 || field.first == "X"))
  }

  @Test func `a body that decompresses to a huge size is read in small chunks`() throws {
    // 60 MB of zeros in 60 KB, compressed again to 200 bytes.
    let packer = Deflater(format: .gzip, level: 9)
    var body: [UInt8] = []
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<60 { packer.deflate(zeros) { body += $0 } }
    packer.finish { body += $0 }
    #expect(body.count < 100_000)
    let record = WARCRecord(
      .response, date: Archive.start, targetURI: "http://e.test/bomb",
      contentType: "application/http;msgtype=response")
    var bytes: [UInt8] = []
    try WARCWriter().write(
      record, block: Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8) + body
    ) { bytes += $0 }
    try files.write(bytes, to: "x.warc.gz")
    let archive = files.open()
    let page = try #require(try archive.captures(of: "http://e.test/bomb").first)
    #expect(page.length == 60 << 20)
    let content = try archive.body(of: page)
    var length: Int64 = 0
    while let piece = try content.next() {
      #expect(piece.count <= 65_536)
      length += Int64(piece.count)
    }
    #expect(length == page.length)
  }
}
