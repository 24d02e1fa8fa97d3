@testable import Saving
import Document
import Exchange
import Foundation
import Library
import OfflineCache
import Platform
import Pages
import Profiles
import Sandbox
import ReaderMode
import TestNetwork
import TestSupport
import Testing
import WARC

/// Record files of other programs, and pages saved by browsers.
@Suite struct ImportedRecordsTests {
  let files: TestProfile
  let profile: Profile

  init() throws {
    files = try TestProfile()
    profile = files.open(SiteNetwork())
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
  }

  private func importing(_ bytes: [UInt8], as name: String) throws -> LibraryImport.Outcome {
    let file = files.directory.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    return try LibraryImport(into: profile, now: Date(timeIntervalSince1970: 1.8e9)).run(file.path)
  }

  private func isSaved(_ url: String) -> Bool { !profile.cache.savedPages(among: [url]).isEmpty }

  private static func record(
    _ url: String?, head: String = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
    date: String? = "2020-01-01T10:00:00Z", kind: String = "response",
    type: String?? = .none, fields others: [(String, String)] = []
  ) -> [UInt8] {
    let block = head + "<title>T</title><p>words"
    let type = type ?? (kind == "response" ? "application/http; msgtype=response" : "text/html")
    let fields =
      [
        ("WARC-Type", kind), ("WARC-Record-ID", "<urn:uuid:\(UUID().uuidString)>"),
        ("WARC-Date", date), ("WARC-Target-URI", url), ("Content-Type", type),
        ("Content-Length", "\(block.utf8.count)"),
      ] as [(String, String?)]
    let lines =
      fields.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }
      + others.map { name, value in "\(name): \(value)\r\n" }
    return Array(("WARC/1.0\r\n" + lines.joined() + "\r\n" + block + "\r\n\r\n").utf8)
  }

  @Test func `the versions of a page are examined for errors once, however many there are`() throws
  {
    let url = "http://a.example/1"
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    let article = String(repeating: "<p>Ferries leave the northern harbour.</p>", count: 20)
    var bytes = Self.record(url, head: head + article, date: "2019-01-01T10:00:00Z")
    for second in 0..<1100 {
      let time = [10 + second / 3600, second / 60 % 60, second % 60].map {
        ($0 < 10 ? "0" : "") + "\($0)"
      }
      bytes += Self.record(
        url, head: head + "<title>404 Not found</title>",
        date: "2020-01-01T\(time.joined(separator: ":"))Z")
    }
    _ = try importing(bytes, as: "a.warc")
    let versions = try profile.cache.archive.captures(of: url)
    #expect(versions.count == 1101)
    // At most 20 versions of a page are marked at once.
    #expect(versions.count { $0.rejectionReason == .errorPage } == 20)
    #expect(versions.prefix(20).allSatisfy { !$0.isGood })
    profile.close()
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\n", "HTTP/2 200\r\n", "HTTP/1.1 200\r\n", "HTTP/1.0 200 OK\n",
    "HTTP 200 Document follows\r\n",
  ])
  func `a record is read with any form of status line`(_ line: String) throws {
    let end = line.hasSuffix("\r\n") ? "\r\n" : "\n"
    let head = line + "Content-Type: text/html" + end + end
    let outcome = try importing(
      Self.record("http://a.example/1", head: head) + Self.record("http://a.example/2"),
      as: "a.warc")
    #expect(outcome.unreadableCount == 0 && outcome.damagedCount == 0)
    #expect(isSaved("http://a.example/1") && isSaved("http://a.example/2"))
    profile.close()
  }

  @Test(arguments: [nil, "text/html", "application/octet-stream"])
  func `a response is an HTTP message whatever the media type of its record is`(
    _ type: String?
  ) throws {
    let outcome = try importing(Self.record("http://a.example/1", type: .some(type)), as: "a.warc")
    #expect(outcome.unreadableCount == 0 && isSaved("http://a.example/1"))
    profile.close()
  }

  @Test(arguments: [
    "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n",
  ])
  func `interim responses before the response are skipped`(_ interim: String) throws {
    let head =
      interim + interim + "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: a=b\r\n\r\n"
    let outcome = try importing(Self.record("http://a.example/1", head: head), as: "a.warc")
    #expect(outcome.unreadableCount == 0 && isSaved("http://a.example/1"))
    let saved = try #require(
      profile.savedDocument(of: "http://a.example/1", as: .page, limit: 1 << 20))
    #expect(saved.title == "T")
    profile.close()
  }

  private static func paragraphs(_ text: String) -> String {
    (1...40).map { "<p>\(text) \($0).</p>" }.joined()
  }

  @Test(arguments: [
    ("<title>Just a moment...</title><p>Checking your browser before the next page.", false),
    ("<title>Page not found</title><p>Sorry, it was not found.", false), ("", false),
    ("<title>Tides</title>" + paragraphs("High water at noon"), true),
    ("<title>Tides</title><p>The harbour office moved to the old lighthouse in spring.", true),
  ])
  func `a later capture of an error does not hide the page`(
    _ later: String, _ isPage: Bool
  ) throws {
    let url = "http://a.example/1"
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    let text = "<title>Harbour</title>" + Self.paragraphs("The harbour was closed in winter")
    _ = try importing(
      Self.record(url, head: head + later, date: "2021-01-01T10:00:00Z")
        + Self.record(url, head: head + text), as: "a.warc")
    #expect(try profile.cache.archive.captures(of: url).map(\.isGood) == [isPage, true])
    let saved = try #require(profile.savedDocument(of: url, as: .page, limit: 1 << 20))
    #expect(saved.title == (isPage ? "Tides" : "Harbour"))
    profile.close()
  }

  @Test func `a record with truncated content is reported`() throws {
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n"
    let outcome = try importing(
      Self.record("http://a.example/1", head: head) + Self.record("http://a.example/2"),
      as: "a.warc")
    #expect(
      outcome.unreadableRecords
        == ["http://a.example/1: its content is truncated or has a damaged coding"])
    #expect(isSaved("http://a.example/2"))
    profile.close()
  }

  @Test(arguments: [
    ("WARC-Truncated", "length", "its content was truncated when recorded"),
    ("WARC-Truncated", "time", "its content was truncated when recorded"),
    ("WARC-Segment-Number", "1", "it is a segment of a record"),
  ])
  func `a record whose content is incomplete is reported`(
    _ name: String, _ value: String, _ reason: String
  ) throws {
    let outcome = try importing(
      Self.record("http://a.example/1", fields: [(name, value)])
        + Self.record("http://a.example/dated", date: "2020-01-01 10:00:00+01:00"),
      as: "a.warc")
    #expect(outcome.unreadableCount == 1)
    #expect(outcome.unreadableRecords == ["http://a.example/1: " + reason])
    #expect(!isSaved("http://a.example/1") && isSaved("http://a.example/dated"))
    profile.close()
  }

  @Test func `a conversion of a page is reported, but not a description of one`() throws {
    let outcome = try importing(
      Self.record("http://a.example/1", kind: "conversion", type: "text/plain")
        + Self.record("http://a.example/2", kind: "metadata", type: "application/warc-fields"),
      as: "a.warc")
    #expect(
      outcome.unreadableRecords
        == ["http://a.example/1: it contains a conversion of a page and not the page"])
    #expect(!isSaved("http://a.example/1"))
    profile.close()
  }

  @Test func `records whose content is in another file are counted`() throws {
    var digest = DigestBuilder(.sha1)
    digest.update(Array("<title>T</title><p>words".utf8))
    let field = ("WARC-Payload-Digest", digest.digest().description)
    let revisit = Self.record(
      "http://a.example/again", kind: "revisit", type: "application/http",
      fields: [field, ("WARC-Profile", WARCRecord.identicalPayload)])
    let first = try importing(revisit, as: "a.warc")
    #expect(first.unresolvedCount == 1 && !isSaved("http://a.example/again"))
    let second = try importing(Self.record("http://a.example/1", fields: [field]), as: "b.warc")
    #expect(second.unresolvedCount == 0 && isSaved("http://a.example/again"))
    profile.close()
  }

  @Test func `unreadable records are counted and reported, and the others are read`()
    throws
  {
    let outcome = try importing(
      Self.record("http://a.example/1") + Self.record("a.example/none", kind: "resource")
        + Self.record(nil) + Self.record("http://a.example/undated", date: nil)
        + Self.record("http://a.example/odd", date: "yesterday")
        + Self.record("http://a.example/head", head: "ICY 200 OK\r\n\r\n")
        + Self.record("dns:a.example", kind: "resource") + Self.record("http://a.example/2"),
      as: "a.warc")
    #expect(outcome.unreadableCount == 5)
    #expect(outcome.unreadableRecords.count == 5)
    #expect(outcome.unreadableRecords.first == "a.example/none: its WARC-Target-URI has no scheme")
    let text = outcome.unreadableRecords.joined(separator: "\n")
    for part in [
      "it has no WARC-Target-URI", "/undated: it has no WARC-Date",
      "/odd: its WARC-Date is invalid",
      "/head: it does not start with a status line",
    ] { #expect(text.contains(part), "\(text)") }
    #expect(isSaved("http://a.example/1") && isSaved("http://a.example/2"))
    profile.close()
  }

  /// A record with another value of `Content-Length`.
  private static func record(
    _ url: String, length: WrongLength, isPacked: Bool
  ) throws -> [UInt8] {
    let text = String(decoding: record(url), as: UTF8.self)
    let range = try #require(text.range(of: "Content-Length: "))
    let digits = text[range.upperBound...].prefix(while: \.isNumber)
    let right = try #require(Int(digits))
    let value = length.value.replacing("N", with: "\(right + length.added)")
    let written = text.replacing("Content-Length: \(digits)", with: "Content-Length: \(value)")
    return packed(Array(written.utf8), isPacked)
  }

  private static func packed(_ bytes: [UInt8], _ isPacked: Bool) -> [UInt8] {
    guard isPacked else { return bytes }
    var result: [UInt8] = []
    let deflater = Deflater()
    deflater.deflate(bytes) { result += $0 }
    deflater.finish { result += $0 }
    return result
  }

  private static let noEnd = "a block does not have the length that its header declares"

  /// A wrong value of `Content-Length`, in which `N` stands for the right one plus a number.
  struct WrongLength: Sendable, CustomTestStringConvertible {
    let value: String
    var added = 0
    /// The reported reason; nil if it depends on the form of the file.
    var reason: String? = "a record whose length is not a number"

    var testDescription: String { "\(value), N + \(added)" }
  }

  @Test(
    arguments: [
      WrongLength(value: "N", added: -3, reason: noEnd),
      WrongLength(value: "N", added: -40, reason: noEnd), WrongLength(value: "5", reason: noEnd),
      WrongLength(value: "0", reason: noEnd), WrongLength(value: "N, N"),
      WrongLength(value: "+N"), WrongLength(value: "-N"),
      WrongLength(value: "18446744073709551616"),
      WrongLength(value: "N", added: 1_000_000_000_000, reason: nil),
    ], [false, true])
  func `only the record with a wrong length is reported, with that reason`(
    _ length: WrongLength, _ isPacked: Bool
  ) throws {
    let bytes =
      try Self.packed(Self.record("http://a.example/1"), isPacked)
      + Self.record("http://a.example/2", length: length, isPacked: isPacked)
      + Self.packed(Self.record("http://a.example/3"), isPacked)
    let outcome = try importing(bytes, as: "a.warc")
    #expect(outcome.damagedCount == 1)
    #expect(outcome.unreadableCount == 0, "\(outcome.unreadableRecords)")
    let text = try #require(outcome.damagedRecords.first)
    #expect(text.hasPrefix("http://a.example/2: ") && outcome.damagedRecords.count == 1)
    if let reason = length.reason { #expect(text == "http://a.example/2: " + reason) }
    #expect(isSaved("http://a.example/1") && isSaved("http://a.example/3"))
    // The damage is reported with the name that the user knows.
    let isDamage = profile.cache.archive.takeNotices().map { notice in
      if case .damaged = notice { true } else { false }
    }
    #expect(!isDamage.contains(true))
    profile.close()
  }

  @Test func `a damaged record without a URL is reported by its ID, and at most five are`()
    throws
  {
    let bad = Array("WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:a>\r\n\r\n".utf8)
    let outcome = try importing(
      Self.record("http://a.example/1") + (0..<7).flatMap { _ in bad + Self.record(nil) },
      as: "a.warc")
    #expect(outcome.damagedCount == 7 && outcome.unreadableCount == 7)
    #expect(
      outcome.damagedRecords == [String](repeating: "urn:a: a record without a length", count: 5))
    profile.close()
  }

  @Test(
    arguments: [
      ([0xEF, 0xBB, 0xBF], [], 0), ([0x0D, 0x0A, 0x0D, 0x0A], [], 0), ([0x0A], [], 0),
      ([0xEF, 0xBB, 0xBF, 0x0A], [], 0), ([], [UInt8](repeating: 0, count: 512), 0), ([], [0], 0),
      ([], [0, 0, 1], 1), ([], [UInt8](repeating: 0, count: 70_000) + [7], 1),
    ] as [([UInt8], [UInt8], Int)])
  func `a byte-order mark, empty lines and zero bytes around the records are no damage`(
    _ before: [UInt8], _ after: [UInt8], _ damaged: Int
  ) throws {
    for isPacked in [false, true] where before.isEmpty || !isPacked {
      let urls = ["1", "2"].map { "http://a.example/\(isPacked)/\($0)" }
      let records = urls.flatMap { Self.packed(Self.record($0), isPacked) }
      let outcome = try importing(before + records + after, as: "\(isPacked).warc")
      #expect(outcome.format == .warc && outcome.damagedCount == damaged && !outcome.isTruncated)
      #expect(urls.allSatisfy(isSaved))
    }
    profile.close()
  }

  // MARK: Streams

  /// Runs an import of a named pipe into which a list is written.
  @Test func `a list is read from a named pipe`() throws {
    let pipe = files.directory.appendingPathComponent("pipe").path
    try #require(mkfifo(pipe, 0o600) == 0)
    let writer = Thread {
      let descriptor = open(pipe, O_WRONLY)
      let text = Array("http://a.example/1\nhttp://a.example/2\n".utf8)
      _ = write(descriptor, text, text.count)
      close(descriptor)
    }
    writer.start()
    let imports = LibraryImport(into: profile)
    #expect(try imports.unknownChanges(in: pipe) == nil)
    #expect(try imports.run(pipe).pageCount == 2)
    #expect(throws: ReaderError.self) { try imports.run("/dev/null") }
    profile.close()
  }

  @Test func `a named pipe in a sitemap is rejected and not waited for`() throws {
    try #require(mkfifo(files.directory.appendingPathComponent("part.xml").path, 0o600) == 0)
    let text =
      "<sitemapindex><sitemap><loc>http://a.example/part.xml</loc></sitemap></sitemapindex>"
    let outcome = try importing(Array(text.utf8), as: "sitemap.xml")
    #expect(outcome.refusalReasons.first?.hasPrefix("refers to http://a.example/part.xml") ?? false)
    profile.close()
  }

  // MARK: zstd

  /// A zstd frame with the bytes uncompressed.
  private static func frame(_ bytes: [UInt8]) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(value >> ($0 * 8) & 0xFF) }
    }
    return [0x28, 0xB5, 0x2F, 0xFD, 0xA0] + number(bytes.count, 4)
      + number(bytes.count << 3 | 1, 3) + bytes
  }

  /// Two records, each in a frame, after a trained dictionary, which is compressed as well.
  private static let withDictionary = """
    XSpNGKoBAAAotS/9BGjtDAAmVVAuQHkDTouMYL+rZ/ReJhbJ/vLggbhkgX1LCJoc+pEcoR5AyhNqveMVF8SnhEui\
    DkgAQwA/APb/uP4aBgGH8i0RMAJAYXEM/qqe2RUSJFA0AAAiruSzTz6AQOuC6FwYRpYaQzWGq/UaS6PQAvGmmzDF\
    tfEYOheQ2bIonLbITa3bLRRLZeVymQ6JQ0JzwfQX92+0T3mcrm3c36B/w3XdU6Fr+cM1ebZtuL/e7rnYT/tP16RD\
    YqNxK362dTDPU3yVyhu/nmW7+1j+/c5rWu/VOa3/WYbxTt/+0/DcPy7revftbf2ucTUa7nTIz1/+Hw5r+znoe/yG\
    cbXumXWf5z9K1dsZ98R6sd/fbliWaV9M+15al9uylpbNuK3bX//hUoijsXAwbPvGcp6/9J1/+ls6sfFd1zyLxBrF\
    5jm/9VzNx9226wEmIGCIkNV6RUIZDeYDwLR01COD0JyiEN7VGF4TgGsEB2s+WImDGkFNI10NrPWPgFXBqgY4JHAD\
    KJxXALG+YFkHiN2Qq2/HA0WmAzDAAAgBtyWTAoYhIeHWAQJQX5sotS/9B2iRl8Je/QMA6FczMVBhZ2UgMTwvPHA+\
    a2VlbHNhbHJvcGUNCg0KOPwRaldHFs6HWyoTr44sTzYCoA1K+riSm6A9qAhuKTuObDNpepx7vfWVmJjRqFk65hMc\
    yfObkL1Qs6UbYjn9Z/ieseqzGEZZzJpQW2GnxIGwoikK7BFxedGW4WoJxo1Pwj3eV44otS/9B2iRl8Je7QMA2Fcy\
    MjFQYWdlIDI8LzxwPmtlZWxyb3BlDQoNCjn8tv5dxMjGMrl31KCVoHe6CEERzPc/3T8rrHMGeZFanHMoq6rgDeCe\
    KAGU8zUd8bopvKYKGQj7RscDwKnRvoC7iLI2YM3ihjiomigCGoUWTUChGo1xKak9fq59YNxYJQzTsAU2
    """

  @Test func `zstd records are read, also in several frames and with a dictionary`() throws {
    let bytes = [UInt8](try #require(Data(base64Encoded: Self.withDictionary)))
    #expect(ImportFormat(of: bytes) == .warc)
    let outcome = try importing(bytes, as: "a.warc.zst")
    #expect(!outcome.wasImportedBefore && !outcome.isTruncated && outcome.unreadableCount == 0)
    #expect(isSaved("http://z.example/1") && isSaved("http://z.example/2"))
    #expect(try importing(bytes, as: "b.warc.zst").wasImportedBefore)
    let one = Self.record("http://a.example/1")
    _ = try importing(Self.frame(Array(one[..<200])) + Self.frame(Array(one[200...])), as: "c")
    #expect(isSaved("http://a.example/1"))
    profile.close()
  }

  @Test func `a truncated or damaged zstd file yields its complete records`() throws {
    let pages = (1...3).map { Self.frame(Self.record("http://a.example/\($0)")) }
    let cut = try importing(Array(pages.joined().dropLast(9)), as: "a.warc.zst")
    #expect(cut.isTruncated && isSaved("http://a.example/2") && !isSaved("http://a.example/3"))
    let damaged = try importing(pages[2] + [1, 2, 3, 4, 5, 6, 7, 8] + pages[0], as: "b.warc.zst")
    #expect(damaged.isTruncated && isSaved("http://a.example/3"))
    profile.close()
  }

  @Test(arguments: Seeds.all)
  func `any damage to a zstd file leads to a result or an error`(_ seed: UInt64) throws {
    let bytes = [UInt8](try #require(Data(base64Encoded: Self.withDictionary)))
    var random = SplitMix64(seed: seed)
    for number in 0..<60 {
      var broken = bytes
      for _ in 0..<3 {
        broken[Int.random(in: 4..<broken.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if Bool.random(using: &random) { broken.removeLast(.random(in: 1..<200, using: &random)) }
      do {
        _ = try importing(broken, as: "\(number).warc.zst")
      } catch is ReaderError {
        continue
      } catch {
        Issue.record("\(error)")
      }
    }
    profile.close()
  }

  // MARK: Saved pages

  @Test(
    arguments: [
      (
        "<!DOCTYPE html>\n<!-- saved from url=(0022)https://a.example/page -->\n<title>T</title><p>words",
        nil
      ),
      (
        "<!DOCTYPE html> <html lang=en><!--\n Page saved with SingleFile \n url: https://a.example/page"
          + " \n saved date: Sat Nov 21 2020 11:15:00 GMT+0100 (Central European Standard Time)\n-->"
          + "<title>T</title><p>words <a href=/other>other</a>",
        1_605_953_700
      ),
      (
        "<!-- Saved from https://a.example/page at 2020-11-21T10:15:00Z using monolith v2.8.1 -->\n"
          + "<html><head><title>T</title></head><body><p>words", 1_605_953_700
      ),
      (
        "<!DOCTYPE html><html lang=en data-scrapbook-source=\"https://a.example/page#x\""
          + " data-scrapbook-create=\"20201121101500123\"><title>T</title><body><!-- a --><p>words",
        1_605_953_700
      ),
      (
        "<!DOCTYPE html><html><head><title>T</title><style>"
          + String(repeating: "/* */", count: 2000)
          + "</style><meta name=\"savepage-url\" content=\"https://a.example/page\">"
          + "<meta name=\"savepage-title\" content=\"T\"><meta name=\"savepage-date\""
          + " content=\"Sat Nov 21 2020 11:15:00 GMT+0100 (CET)\"></head><body><p>words",
        1_605_953_700
      ),
    ] as [(String, TimeInterval?)])
  func `a page saved by a browser is stored under its URL and date`(
    _ text: String, _ date: TimeInterval?
  ) throws {
    let url = "https://a.example/page"
    let page = try #require(SavedPage(Array(text.utf8)))
    #expect(page.url.description == url)
    #expect(page.date == date.map { Date(timeIntervalSince1970: $0) })
    let outcome = try importing(Array(text.utf8), as: "page.html")
    #expect(outcome.format == .savedPage && outcome.pageCount == 1)
    let kept = try profile.library.pages(with: .pinned)
    #expect(kept.map(\.key) == [url] && kept.map(\.title) == ["T"] && kept[0].queuedDate == nil)
    let saved = try #require(
      try profile.cache.archive.captures(of: url).first(where: \.isGood))
    if let date { #expect(saved.contentDate == Date(timeIntervalSince1970: date)) }
    #expect(try importing(Array(text.utf8), as: "again.html").wasImportedBefore)
    profile.close()
  }

  @Test(arguments: ["link rel=\"canonical\" href", "meta property=\"og:url\" content"])
  func `a page saved without a comment is stored under its canonical URL`(
    _ element: String
  ) throws {
    let url = "https://a.example/page"
    let text =
      "<!DOCTYPE html><html><head><title>T</title><\(element)=\"\(url)\"></head>"
      + "<body><a href=https://b.example/>menu</a><p>words"
    let outcome = try importing(Array(text.utf8), as: "page.html")
    #expect(outcome.format == .savedPage && outcome.pageCount == 1 && outcome.queuedCount == 0)
    #expect(try profile.library.pages(with: .pinned).map(\.key) == [url] && isSaved(url))
    profile.close()
  }

  @Test(arguments: [
    "<p>words<a href=https://b.example/>b</a>",
    "<link rel=canonical href=/page><a href=https://b.example/>b</a>",
    "<!DOCTYPE NETSCAPE-Bookmark-file-1><link rel=canonical href=https://a.example/><DL><DT>"
      + "<A HREF=https://b.example/>b</A></DL>",
  ])
  func `a page without an absolute canonical URL, and bookmarks, are lists`(_ text: String) throws {
    let outcome = try importing(Array(text.utf8), as: "page.html")
    #expect(outcome.format != .savedPage && outcome.queuedCount == 1)
    #expect(
      try profile.library.pages(with: .pinned).map(\.key) == ["https://b.example/"])
    profile.close()
  }

  @Test(arguments: [
    "<!-- saved from url=(0014)about:internet --><a href=https://a.example/>a</a>",
    "<p>no comment</p><!-- saved --><a href=https://a.example/>a</a>",
    "<body><!-- saved from url=(0020)https://a.example/ --><a href=https://b.example/>b</a>",
    "<!-- Page saved with SingleFile --><a href=https://a.example/>a</a>",
    "<!-- Saved from local source at 2020-11-21T10:15:00Z using monolith v2.8.1 --><p>words",
    "<!-- Saved from https://a.example/ at any time --><p>words",
    "<body data-scrapbook-source=\"https://a.example/\"><p>words",
    "<html data-scrapbook-source=\"file:///a\"><p>words",
    "<body><meta name=\"savepage-url\" content=\"https://a.example/\"><p>words",
    "<!-- saved from url=(9", "<!--", "<!-- saved from url=( -->",
  ])
  func `any other page does not state its URL`(_ text: String) {
    #expect(SavedPage(Array(text.utf8)) == nil)
    #expect(ImportFormat(of: Array(text.utf8)) == .list(.page))
  }

  @Test(arguments: [
    ("<html><p>words", "is HTML or XML, but not a known list or saved page"),
    ("<gpx><wpt/></gpx>", "is HTML or XML, but not a known list or saved page"),
    ("title,url\nOne,ftp://a.example/\n", "has no web URLs"),
  ])
  func `a file without URLs is rejected with its format`(_ text: String, _ reason: String) {
    let error = #expect(throws: ReaderError.self) {
      try importing(Array(text.utf8), as: "list")
    }
    #expect(error?.description.contains(reason) ?? false)
    #expect(error?.description.contains("has no web URLs") ?? false)
    profile.close()
  }

  // MARK: Sitemaps

  @Test func `a sitemap index leads to the sitemaps in its directory, and the others are reported`()
    throws
  {
    func sitemap(_ paths: [String]) -> String {
      "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
        + paths.map { "<url><loc>http://a.example/\($0)</loc></url>" }.joined() + "</urlset>"
    }
    var packed: [UInt8] = []
    let deflater = Deflater()
    deflater.deflate(Array(sitemap(["2", "3"]).utf8)) { packed += $0 }
    deflater.finish { packed += $0 }
    for (name, bytes) in [("one.xml", Array(sitemap(["1"]).utf8)), ("two.xml.gz", packed)] {
      try Data(bytes).write(to: files.directory.appendingPathComponent(name))
    }
    let names = ["one.xml", "two.xml.gz", "three.xml", "index.xml"]
    let outcome = try importing(
      Array(
        ("<sitemapindex>"
          + names.map { "<sitemap><loc>http://a.example/maps/\($0)</loc></sitemap>" }.joined()
          + "</sitemapindex>").utf8), as: "index.xml")
    #expect(outcome.format == .list(.sitemap) && outcome.pageCount == 3 && outcome.queuedCount == 3)
    #expect(outcome.refusalReasons.count == 1)
    #expect(outcome.refusalReasons.first?.contains("http://a.example/maps/three.xml") == true)
    profile.close()
  }

  @Test func `a file beside a sitemap index that is not a sitemap is not called missing`() throws {
    try Data("no sitemap".utf8).write(to: files.directory.appendingPathComponent("one.xml"))
    let names = ["one.xml", "two.xml"]
    let outcome = try importing(
      Array(
        ("<sitemapindex>"
          + names.map { "<sitemap><loc>http://a.example/maps/\($0)</loc></sitemap>" }.joined()
          + "</sitemapindex>").utf8), as: "index.xml")
    let reasons = outcome.refusalReasons
    #expect(reasons.count == 2)
    #expect(
      reasons.first?.hasPrefix("refers to http://a.example/maps/two.xml, which is not") == true)
    #expect(reasons.last?.contains("maps/one.xml, which cannot be imported") == true)
    profile.close()
  }

  /// Writes a file whose path need not be UTF-8; see `PathText`.
  private static func writeFile(_ bytes: [UInt8], to path: String) throws {
    let descriptor = path.withPath { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) }
    try #require(descriptor >= 0)
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(bytes))
  }

  @Test(arguments: ["l\u{EFE9}.warc", "é.warc"])
  func `files are imported whose names are not UTF-8, alone and in a directory`(
    _ name: String
  ) throws {
    let directory = files.directory.appendingPathComponent("in")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Self.writeFile(Self.record("http://a.example/1"), to: "\(directory.path)/\(name)")
    let `import` = LibraryImport(into: profile, now: Date(timeIntervalSince1970: 1.8e9))
    let single = try `import`.run("\(directory.path)/\(name)")
    #expect(single.format == .warc && !single.wasImportedBefore && isSaved("http://a.example/1"))
    let outcome = try `import`.run(directory.path)
    #expect(outcome.pageCount == 1 && outcome.refusalReasons.isEmpty && outcome.wasImportedBefore)
  }

  @Test func `a rejected file in a directory is named without characters for bytes`() throws {
    let directory = files.directory.appendingPathComponent("in")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try Self.writeFile(Self.record("http://a.example/1"), to: directory.path + "/a.warc")
    try Self.writeFile(Array("none".utf8), to: directory.path + "/l\u{EFE9}.warc")
    let outcome = try LibraryImport(into: profile).run(directory.path)
    #expect(outcome.refusalReasons.count == 1)
    #expect(outcome.refusalReasons.first?.hasPrefix("has l\u{FFFD}.warc, which ") == true)
  }
}
