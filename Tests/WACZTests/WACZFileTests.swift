import Foundation
import TestSupport
import Testing
import WARC

@testable import WACZ

@Suite("A WACZ file")
struct WACZFileTests {
  /// A WARC file with one response for each URL.
  private struct Records {
    var bytes: [UInt8] = []
    var lines: [String] = []

    init(_ urls: [String]) throws {
      for (index, url) in urls.enumerated() {
        let date = Date(timeIntervalSince1970: 1_700_000_000 + Double(index))
        let record = WARCRecord(
          .response, date: date, targetURI: url, contentType: "application/http")
        let offset = bytes.count
        let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\npage \(index)"
        try WARCWriter().write(record, block: Array(block.utf8)) { bytes += $0 }
        let key = String(decoding: SURT.key(url), as: UTF8.self)
        let digits = "202311142213\(20 + index)"
        // Programs write numbers as numbers and as strings.
        let (position, status) =
          index % 2 == 0 ? ("\(offset)", "200") : ("\"\(offset)\"", "\"200\"")
        lines.append(
          "\(key) \(digits) {\"url\": \"\(url)\", \"mime\": \"text/html\", \"status\": \(status), "
            + "\"offset\": \(position), \"length\": \(bytes.count - offset), \"filename\": \"data.warc.gz\"}"
        )
      }
    }
  }

  private static let urls = [
    "https://example.org/a", "https://example.org/b?x=1&y=2", "https://example.org/a",
  ]

  private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    let deflater = Deflater()
    deflater.deflate(bytes) { output += $0 }
    deflater.finish { output += $0 }
    return output
  }

  private static func archive(
    index: String = "indexes/index.cdx.gz", _ change: (inout ZIPBytes) -> Void = { _ in }
  ) throws -> [UInt8] {
    let records = try Records(urls)
    var zip = ZIPBytes()
    zip.add("archive/data.warc.gz", records.bytes)
    let text = Array(
      ("!meta 0 {\"format\": \"cdxj\"}\n" + records.lines.joined(separator: "\n")).utf8)
    // Two gzip members, as in an index in blocks.
    let splitIndex = text.count / 2
    zip.add(
      index,
      index.hasSuffix(".gz")
        ? gzip(Array(text[..<splitIndex])) + gzip(Array(text[splitIndex...])) : text)
    zip.add(
      "pages/extraPages.jsonl",
      "{\"url\": \"https://example.org/c\"}\r\n{\"title\": \"no URL\"}\nno JSON\n")
    zip.add(
      "pages/pages.jsonl",
      """
      {"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}
      {"id": "1", "url": "https://example.org/a", "ts": "2023-11-14T22:13:20Z", "title": "A", "text": "t"}
      {"url": "https://example.org/b?x=1&y=2", "title": ""}
      """)
    let digest = "sha256:" + Hexadecimal.text(DigestBuilder.bytes(of: records.bytes, .sha256))
    zip.add(
      "datapackage.json",
      """
      {"wacz_version": "1.1.1", "title": "Ten pages", "software": "x 1", "created": \
      "2023-11-14T22:13:20Z", "mainPageURL": "https://example.org/a", "resources": [\
      {"path": "archive/data.warc.gz", "hash": "\(digest)"}]}
      """)
    change(&zip)
    return zip.bytes
  }

  @Test func `the description, pages and files of a WACZ file are read by path`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      UUID().uuidString + ".wacz")
    defer { try? FileManager.default.removeItem(at: path) }
    try Data(Self.archive()).write(to: path)
    let file = try WACZFile(path: path.path)
    #expect(file.title == "Ten pages" && file.software == "x 1" && file.version == "1.1.1")
    #expect(file.created == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(file.mainPageURL == "https://example.org/a")
    #expect(file.warcFiles == ["data.warc.gz"])
    let pages = try file.pages()
    #expect(pages.map(\.url) == [Self.urls[0], Self.urls[1], "https://example.org/c"])
    #expect(pages[0].title == "A" && pages[0].text == "t" && pages[0].date == file.created)
    #expect(pages[1].title == nil && pages[1].date == nil)
    #expect(try file.pages(maxCount: 1).count == 1)
    #expect(try file.filesWithWrongDigest() == [])
  }

  @Test(arguments: ["index.cdx", "index.cdxj", "index.cdx.gz", "a/b.cdxj.gz"])
  func `the captures of a URL are found in the index, and their records opened`(_ name: String)
    throws
  {
    let file = try WACZFile(bytes: Self.archive(index: "indexes/" + name))
    var all: [WACZFile.Capture] = []
    try file.forEachCapture {
      all.append($0)
      return true
    }
    #expect(all.map(\.url) == Self.urls)
    #expect(
      all.allSatisfy { $0.status == 200 && $0.mediaType == "text/html" && $0.length ?? 0 > 0 })
    let found = try file.captures(of: "http://www.example.org/a/")
    #expect(found.count == 2 && found[0].date == Date(timeIntervalSince1970: 1_700_000_000))
    for (capture, text) in zip(found, ["page 0", "page 2"]) {
      let (record, reader) = try file.record(of: capture)
      #expect(record.targetURI == capture.url)
      #expect(try reader.readMessage(of: record).content == Array(text.utf8))
    }
    #expect(try file.captures(of: "https://example.org/b?y=2&x=1").count == 1)
    #expect(try file.captures(of: "https://example.org/none").isEmpty)
  }

  @Test(
    arguments: [
      ("org,example)/a", "https://example.org/a/"), ("org,example)/a/", "https://example.org/a/"),
      ("org,example)/a/", "https://example.org/a"), ("org,example)/", "https://example.org"),
      ("org,example)/a/?b=2&a=1", "http://www.example.org/a/?a=1&b=2"),
      ("org,example:8080)/%c3%a9/", "http://example.org:8080/%C3%A9/"), ("urn:x)y", "urn:x)y"),
    ] as [(String, String)])
  func `captures are found under the keys that other programs create for their URLs`(
    _ key: String, _ url: String
  ) throws {
    var zip = ZIPBytes()
    let lines = [key, key + "x"].map {
      "\($0) 20231114221320 {\"url\": \"\($0)\", \"offset\": 0, \"filename\": \"x.warc\"}\n"
    }
    zip.add("indexes/index.cdxj", Array(lines.joined().utf8))
    #expect(try WACZFile(bytes: zip.bytes).captures(of: url).map(\.url) == [key])
  }

  @Test func `a search of the index can end early`() throws {
    var count = 0
    try WACZFile(bytes: Self.archive()).forEachCapture { _ in
      count += 1
      return false
    }
    #expect(count == 1)
  }

  @Test func `a WARC file that ZIP compresses is read too`() throws {
    let bytes = try Self.archive { zip in
      let deflater = Deflater(format: .raw)
      var packed: [UInt8] = []
      deflater.deflate(zip.entries[0].packed) { packed += $0 }
      deflater.finish { packed += $0 }
      (zip.entries[0].packed, zip.entries[0].method) = (packed, 8)
    }
    let file = try WACZFile(bytes: bytes)
    let capture = try #require(try file.captures(of: Self.urls[1]).first)
    let (record, reader) = try file.record(of: capture)
    #expect(try reader.readMessage(of: record).content == Array("page 1".utf8))
  }

  @Test func `the path of changed or missing content is returned`() throws {
    let bytes = try Self.archive { zip in
      zip.entries[0].packed[40] ^= 1
      zip.entries[0].checksum = ZIPBytes.checksum(zip.entries[0].packed)
    }
    #expect(try WACZFile(bytes: bytes).filesWithWrongDigest() == ["archive/data.warc.gz"])
    let broken = try Self.archive { $0.entries[2].checksum ^= 1 }
    #expect(try WACZFile(bytes: broken).filesWithWrongDigest() == ["pages/extraPages.jsonl"])
    let incomplete = try Self.archive { $0.entries.removeFirst() }
    #expect(try WACZFile(bytes: incomplete).filesWithWrongDigest() == ["archive/data.warc.gz"])
  }

  @Test func `a file without description, index or pages is read as far as it goes`() throws {
    var zip = ZIPBytes()
    zip.add("archive/x.warc", try Records([]).bytes)
    let file = try WACZFile(bytes: zip.bytes)
    #expect(file.title == nil && file.created == nil)
    #expect(try file.pages().isEmpty && file.captures(of: "https://example.org/").isEmpty)
    #expect(try file.reader(of: "x.warc").next() == nil)
    #expect(throws: WACZError.missing("archive/y.warc")) { try file.reader(of: "y.warc") }
  }

  @Test func `a missing, damaged or truncated file is an error with its reason`() throws {
    #expect(throws: WACZError.self) { try WACZFile(path: "/nonexistent.wacz") }
    #expect(throws: WACZError.self) { try WACZFile(bytes: Array("no ZIP archive".utf8)) }
    #expect(throws: WACZError.self) { try WACZFile(bytes: Array(Self.archive().dropLast(300))) }
    let cut = try Self.archive { zip in
      zip.entries[1].packed.removeLast(12)
      zip.entries[1].size -= 12
      zip.entries[1].checksum = ZIPBytes.checksum(zip.entries[1].packed)
    }
    #expect(throws: WACZError.damaged("indexes/index.cdx.gz is incomplete")) {
      try WACZFile(bytes: cut).captures(of: Self.urls[0])
    }
    let file = try WACZFile(bytes: Self.archive())
    var capture = try #require(try file.captures(of: Self.urls[0]).first)
    capture.offset += 3
    #expect(throws: WACZError.damaged("data.warc.gz has no record at byte 3")) {
      try file.record(of: capture)
    }
    capture.offset = .max
    #expect(throws: (any Error).self) { try file.record(of: capture) }
  }
}
