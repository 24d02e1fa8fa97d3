import Foundation
import GRDB
import TestFiles
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

/// Files of other programs copied into the archive directory.
@Suite struct ForeignArchiveTests {
  let files: TemporaryArchive
  let date = Date(timeIntervalSince1970: 1_600_000_000)

  init() throws {
    files = try TemporaryArchive()
  }

  private func record(
    _ kind: WARCRecord.Kind, _ uri: String, seconds: Double = 0, fields: [(String, String)] = []
  ) -> WARCRecord {
    var record = WARCRecord(
      kind, date: date.addingTimeInterval(seconds), targetURI: uri,
      contentType: kind == .request
        ? "application/http;msgtype=request" : "application/http;msgtype=response")
    for (name, value) in fields { record.fields[name] = value }
    return record
  }

  private func write(
    _ records: [(WARCRecord, String)], to name: String,
    compression: WARCWriter.Compression = .gzip(level: 6)
  ) throws {
    var bytes: [UInt8] = []
    for (record, block) in records {
      try WARCWriter(compression: compression).write(record, block: Array(block.utf8)) {
        bytes += $0
      }
    }
    try files.write(bytes, to: name)
  }

  private func sha1(_ text: String) -> String {
    var builder = DigestBuilder(.sha1)
    builder.update(Array(text.utf8))
    return builder.digest().description
  }

  @Test(arguments: ["crawl.warc.gz", "crawl.warc"])
  func `pages of an imported crawl can be read`(_ name: String) throws {
    let page = record(
      .response, "http://EXAMPLE.org:80/a#top",
      fields: [("WARC-Payload-Digest", sha1("5\r\nhello\r\n0\r\n\r\n"))])
    let files: [(WARCRecord, String)] = [
      (record(.request, "http://example.org/a"), "GET /a HTTP/1.1\r\nCookie: secret\r\n\r\n"),
      (page, "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
      (record(.metadata, "http://example.org/a"), "fetchTimeMs: 7\r\n"),
      (record(.response, "dns:example.org"), "20200101\nexample.org. 1 IN A 1.2.3.4\n"),
      (record(.resource, "http://example.org/r", fields: [("Content-Type", "text/plain")]), "text"),
      (
        record(.response, "http://example.org/cut", fields: [("WARC-Truncated", "length")]),
        "HTTP/1.1 200 OK\r\n\r\npart"
      ),
      (record(.response, "http://example.org/odd"), "no HTTP at all"),
      (record(.conversion, "http://example.org/conv"), "x"),
    ]
    try write(files, to: name, compression: name.hasSuffix("gz") ? .gzip(level: 6) : .none)
    let archive = self.files.open()
    let stored = try #require(try archive.captures(of: "http://example.org/a").first)
    #expect(try archive.text(stored) == "hello")
    #expect(stored.response.fields.lines == [FieldLines.Field("Content-Length", "5")])
    #expect(stored.contentDate == date)
    #expect(stored.payloadDigest.hasPrefix("sha256:"))
    let resource = try #require(try archive.captures(of: "http://example.org/r").first)
    #expect(try archive.text(resource) == "text")
    #expect(resource.response.fields["Content-Type"] == "text/plain")
    for path in ["cut", "odd", "conv"] {
      #expect(try archive.captures(of: "http://example.org/\(path)").isEmpty)
    }
    #expect(archive.takeNotices().isEmpty)
  }

  @Test(arguments: [true, false])
  func `recorded requests provide the fields that Vary names`(_ isBefore: Bool) throws {
    func pair(
      _ path: String, vary: String, _ fields: String, isNamedByRequest: Bool = true
    ) throws -> [(WARCRecord, String)] {
      let uri = "http://example.org/" + path
      var response = record(.response, uri)
      var request = record(.request, uri)
      if isNamedByRequest {
        request.fields.append("WARC-Concurrent-To", "<\(try #require(response.id))>")
      } else {
        response.fields.append("WARC-Concurrent-To", "<\(try #require(request.id))>")
      }
      let pair = [
        (response, "HTTP/1.1 200 OK\r\nVary: \(vary)\r\n\r\ntext"),
        (request, "GET /\(path) HTTP/1.1\r\n\(fields)\r\n\r\nAccept-Language: no field"),
      ]
      return isBefore ? pair.reversed() : pair
    }
    let language = "Host: example.org\r\naccept-language: DE, en;q=0.5\r\n"
    try write(
      try pair("a", vary: "Accept-Language, X-Other", language)
        + pair("b", vary: "accept-encoding", "Accept-Encoding: identity\r\n")
        + pair("c", vary: "Accept-Language, Cookie", language + "Cookie: secret\r\n")
        + pair("d", vary: "Accept-Language", language, isNamedByRequest: false)
        + pair("e", vary: "*", language)
        + [(record(.request, "http://example.org/x"), "no request at all")], to: "1.warc.gz")
    let archive = files.open()
    let german = VaryingField(name: "accept-language", value: "de, en;q=0.5")
    for (path, varying) in [
      ("a", [german, .init(name: "x-other", value: nil)]), ("b", []), ("c", []), ("d", [german]),
      ("e", []),
    ] {
      let stored = try archive.captures(of: "http://example.org/" + path)
      #expect(stored.map(\.varying) == [varying], "\(path)")
    }
    let vary = Vary(secret: [])
    let stored = try archive.captures(of: "http://example.org/a")
    for (value, isMatching) in [("en;q=0.5,de", true), ("fr", false)] {
      let request = WebRequest(
        url: "http://example.org/a", fields: FieldLines([.init("Accept-Language", value)]))
      #expect(vary.variants(stored, for: request).matching.isEmpty != isMatching)
    }
    archive.close()
    #expect(try files.places(of: ["secret"]).allSatisfy { $0.contains("1.warc.gz") })
  }

  @Test(arguments: ["POST", "OPTIONS"], [true, false])
  func `a response to a request that is not GET does not precede that to GET`(
    _ method: String, _ isBefore: Bool
  ) throws {
    let (uri, other) = ("http://example.org/a", "http://example.org/b")
    func pair(
      _ method: String, _ text: String, _ date: String, of uri: String
    ) throws -> [(WARCRecord, String)] {
      var response = record(.response, uri)
      response.fields["WARC-Date"] = date
      var request = record(.request, uri)
      request.fields.append("WARC-Concurrent-To", "<\(try #require(response.id))>")
      let pair = [
        (response, "HTTP/1.1 200 OK\r\n\r\n\(text)"),
        (request, "\(method) /a HTTP/1.1\r\nCookie: secret\r\n\r\n"),
      ]
      return isBefore ? pair.reversed() : pair
    }
    let records =
      try pair("GET", "page", "2020-01-01T00:00:00Z", of: uri)
      + pair(method, "result", "2020-01-02T00:00:00Z", of: uri)
      + pair(method, "only", "2020-01-02T00:00:00Z", of: other)
    try write(records, to: "1.warc.gz")
    let archive = files.open()
    let versions = try archive.captures(of: uri)
    #expect(try versions.map { try archive.text($0) } == ["page", "result"])
    let only = try #require(try archive.captures(of: other).first(where: \.isGood))
    #expect(try archive.text(only) == "only")
    archive.close()
  }

  @Test(arguments: [9, 10])
  func `an imported file that an earlier version has indexed is read again`(_ version: Int) throws {
    let uri = "http://example.org/a"
    let records = (1...2).map {
      (record(.response, uri, seconds: Double($0)), "HTTP/1.1 200 OK\r\n\r\n\($0)")
    }
    try write(records, to: "1.warc.gz")
    func texts() throws -> [String] {
      let archive = files.open()
      defer { archive.close() }
      return try archive.captures(of: uri).map { try archive.text($0) }
    }
    #expect(try texts() == ["2", "1"])
    let index = try CaptureIndex(path: files.location.index.path, device: "test")
    try index.write { db in
      for var version in try CaptureIndex.fetch(db, "WHERE key = ?", [uri]) {
        version.order = -version.order
        try CaptureIndex.update(version, db)
      }
      try db.execute(sql: "PRAGMA user_version = \(version)")
    }
    index.close()
    #expect(try texts() == ["2", "1"])
  }

  @Test func `compressed bodies are decoded, including one with a wrong Content-Encoding`() throws {
    var packed: [UInt8] = []
    let deflater = Deflater(format: .gzip)
    deflater.deflate(Array("hello".utf8)) { packed += $0 }
    deflater.finish { packed += $0 }
    let head = Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nETag: a\r\n\r\n".utf8)
    var bytes: [UInt8] = []
    let bodies = [packed, Array("hello".utf8), Array(packed.dropLast(9)), []]
    for (index, body) in bodies.enumerated() {
      let record = record(.response, "http://example.org/\(index)")
      try WARCWriter().write(record, block: head + body) { bytes += $0 }
    }
    try files.write(bytes, to: "x.warc.gz")
    let archive = files.open()
    for (index, text) in [(0, "hello"), (1, "hello"), (3, "")] {
      let stored = try #require(
        try archive.captures(of: "http://example.org/\(index)").first, "\(index)")
      #expect(try archive.text(stored) == text)
      #expect(stored.response.fields["Content-Encoding"] == nil)
      #expect(stored.response.fields["Content-Length"] == String(text.utf8.count))
    }
    // A truncated body is never returned as complete.
    #expect(try archive.captures(of: "http://example.org/2").isEmpty)
  }

  @Test func `revisits find their content by id, by URL and date, or by digest, in any order`()
    throws
  {
    let original = record(
      .response, "http://example.org/a", fields: [("WARC-Payload-Digest", sha1("hello"))])
    let same = WARCRecord.identicalPayload
    let byID = record(
      .revisit, "http://example.org/b", seconds: 10,
      fields: [("WARC-Profile", same), ("WARC-Refers-To", "<\(try #require(original.id))>")])
    let byDate = record(
      .revisit, "http://example.org/c", seconds: 20,
      fields: [
        ("WARC-Profile", same), ("WARC-Payload-Digest", sha1("hello")),
        ("WARC-Refers-To-Target-URI", "http://example.org/a"),
        ("WARC-Refers-To-Date", WARCDate.text(date)),
      ])
    let byDigest = record(
      .revisit, "http://example.org/d", seconds: 30,
      fields: [
        ("WARC-Profile", "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"),
        ("WARC-Payload-Digest", sha1("hello")),
      ])
    let notModified = record(
      .revisit, "http://example.org/a", seconds: 40,
      fields: [("WARC-Profile", WARCRecord.serverNotModified)])
    // The revisits sort before their original by name.
    try write(
      [
        (byID, "HTTP/1.1 200 OK\r\nX: b\r\n\r\n"), (byDate, "HTTP/1.1 200 OK\r\nX: c\r\n\r\n"),
        (byDigest, ""),
        (notModified, "HTTP/1.1 304 Not Modified\r\nETag: \"2\"\r\nContent-Length: 0\r\n\r\n"),
      ], to: "1.warc.gz")
    try write([(original, "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nA: 1\r\n\r\nhello")], to: "2.warc.gz")
    let archive = files.open()
    for path in ["a", "b", "c", "d"] {
      let versions = try archive.captures(of: "http://example.org/\(path)")
      #expect(versions.count == 1)
      #expect(try versions.map { try archive.text($0) } == ["hello"], "\(path)")
    }
    let a = try #require(try archive.captures(of: "http://example.org/a").first)
    #expect(a.response.status == 200)
    #expect(a.response.fields["ETag"] == "\"2\"")
    #expect(a.response.fields["A"] == "1")
    #expect(a.response.fields["Content-Length"] == nil)
    #expect(a.contentDate == date)
    #expect(a.lastCheck?.date == date.addingTimeInterval(40))
    let b = try #require(try archive.captures(of: "http://example.org/b").first)
    #expect(b.response.fields["X"] == "b")
    #expect(b.contentDate == date.addingTimeInterval(10))
  }

  @Test(arguments: WARCDigest.Algorithm.allCases, [false, true])
  func `a revisit that only has a digest finds its content`(
    _ algorithm: WARCDigest.Algorithm, _ isPacked: Bool
  ) throws {
    var body = Array("hello".utf8)
    if isPacked {
      body = []
      let deflater = Deflater(format: .gzip)
      deflater.deflate(Array("hello".utf8)) { body += $0 }
      deflater.finish { body += $0 }
    }
    func digest(_ bytes: [UInt8]) -> [(String, String)] {
      var builder = DigestBuilder(algorithm)
      builder.update(bytes)
      return [
        ("WARC-Payload-Digest", builder.digest().description),
        ("WARC-Profile", WARCRecord.identicalPayload),
      ]
    }
    let head = "HTTP/1.1 200 OK\r\n" + (isPacked ? "Content-Encoding: gzip\r\n" : "") + "\r\n"
    let original = record(.response, "http://example.org/a", fields: digest(body))
    let again = record(.revisit, "http://example.org/b", fields: digest(body))
    let unknown = record(.revisit, "http://example.org/c", fields: digest([1]))
    var bytes: [UInt8] = []
    let records: [(WARCRecord, [UInt8])] = [
      (original, Array(head.utf8) + body), (again, []), (unknown, []),
    ]
    for (record, block) in records {
      try WARCWriter().write(record, block: block) { bytes += $0 }
    }
    try files.write(bytes, to: "x.warc.gz")
    let archive = files.open()
    for path in ["a", "b"] {
      let versions = try archive.captures(of: "http://example.org/\(path)")
      #expect(try versions.map { try archive.text($0) } == ["hello"], "\(path)")
    }
    #expect(try archive.captures(of: "http://example.org/c").isEmpty)
    #expect(try archive.unresolvedCount(in: "x.warc.gz") == 1)
  }

  @Test func `a record with a wrong digest is reported and not shown`() throws {
    let bad = record(
      .response, "http://example.org/bad", fields: [("WARC-Payload-Digest", sha1("other"))])
    let good = record(.response, "http://example.org/good")
    let block = "HTTP/1.1 200 OK\r\n\r\nhello"
    try write([(bad, block), (good, block)], to: "x.warc.gz")
    let archive = files.open()
    #expect(try archive.captures(of: "http://example.org/bad").isEmpty)
    #expect(try archive.captures(of: "http://example.org/good").count == 1)
    #expect(archive.takeNotices().count == 1)
  }

  @Test func `a whole file in one gzip member is read`() throws {
    var plain: [UInt8] = []
    for index in 0..<4 {
      try WARCWriter(compression: .none).write(
        record(.response, "http://example.org/\(index)"),
        block: Array("HTTP/1.1 200 OK\r\n\r\npage \(index)".utf8)
      ) { plain += $0 }
    }
    var packed: [UInt8] = []
    let deflater = Deflater()
    deflater.deflate(plain) { packed += $0 }
    deflater.finish { packed += $0 }
    try files.write(packed, to: "whole.warc.gz")
    let archive = files.open()
    for index in 0..<4 {
      let stored = try #require(try archive.captures(of: "http://example.org/\(index)").first)
      #expect(try archive.text(stored) == "page \(index)")
    }
  }

  @Test func `a file that is not an archive is reported and otherwise ignored`() throws {
    try files.write(Array("this is not an archive at all".utf8), to: "x.warc.gz")
    try files.write([], to: "empty.warc")
    let archive = files.open()
    #expect(archive.takeNotices().count == 1)
    let stored = try archive.save("x", at: 0)
    #expect(try archive.text(stored) == "x")
    #expect(try files.bytes(of: "x.warc.gz") == Array("this is not an archive at all".utf8))
  }
}
