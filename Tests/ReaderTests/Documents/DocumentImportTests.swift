@testable import Profiles
import Library
import Configuration
@testable import Saving
import Exchange
import Foundation
import OfflineCache
import TestNetwork
import TestSupport
import Testing
import WARC

/// Files with captures, pages or lists, as imported by `import`.
@Suite final class DocumentImportTests {
  private let files: TestProfile
  private let network = SiteNetwork()

  init() throws {
    files = try TestProfile()
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
  }

  private func write(_ name: String, _ bytes: [UInt8], date: Date? = nil) throws -> String {
    let url = files.directory.appendingPathComponent(name)
    try Data(bytes).write(to: url)
    if let date {
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
    }
    return url.path
  }

  private func importFile(_ path: String) throws -> LibraryImport.Outcome {
    let profile = files.open(network)
    defer { profile.close() }
    return try LibraryImport(into: profile).run(path)
  }

  private func saved(_ url: String) throws -> [StoredResponse] {
    let profile = files.open(network)
    defer { profile.close() }
    return try profile.cache.archive.captures(of: url)
  }

  /// Returns the error message if a file is rejected.
  private func refusal(of path: String) -> String? {
    do {
      _ = try importFile(path)
      return nil
    } catch {
      return "\(error)"
    }
  }

  // MARK: Records

  private static func records(_ text: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let record = WARCRecord(
      .resource, date: Date(timeIntervalSince1970: 1_600_000_000), targetURI: "http://a.test/page",
      contentType: "text/html")
    try WARCWriter(compression: .none).write(record, block: Array(text.utf8)) { bytes += $0 }
    return bytes
  }

  private static func wacz(
    _ content: [UInt8], isDeflated: Bool = false, hash: String? = nil
  ) -> ZIPBytes {
    var zip = ZIPBytes()
    let resource = hash.map { "{\"path\":\"archive/data.warc\",\"hash\":\"sha256:\($0)\"}" } ?? ""
    zip.add("datapackage.json", "{\"resources\":[\(resource)]}")
    zip.add("archive/data.warc", content)
    guard isDeflated else { return zip }
    let deflater = Deflater(format: .raw)
    var packed: [UInt8] = []
    deflater.deflate(content) { packed += $0 }
    deflater.finish { packed += $0 }
    zip.entries[1].packed = packed
    zip.entries[1].method = 8
    return zip
  }

  @Test(arguments: [false, true])
  func `a file without records is rejected`(_ isDeflated: Bool) throws {
    let garbage = Array(String(repeating: "no records. ", count: 100).utf8)
    let path = try write("g.wacz", Self.wacz(garbage, isDeflated: isDeflated).bytes)
    #expect(refusal(of: path)?.contains("archive/data.warc, which is not a WARC file") ?? false)
    let directory = files.open(network).locations.archive.path
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    #expect(!names.contains { $0.contains("import-") })
  }

  @Test func `records are identified by their content, however they are compressed`() throws {
    let content = try Self.records("<p>One")
    #expect(try !importFile(write("a.wacz", Self.wacz(content).bytes)).wasImportedBefore)
    #expect(
      try importFile(write("b.wacz", Self.wacz(content, isDeflated: true).bytes)).wasImportedBefore)
    #expect(try importFile(write("c.warc", content)).wasImportedBefore)
    // Different records with the same length and declared checksum are damaged, not known.
    var zip = Self.wacz(try Self.records("<p>Two"), isDeflated: true)
    zip.entries[1].checksum = ZIPBytes.checksum(content)
    let path = try write("d.wacz", zip.bytes)
    #expect(refusal(of: path)?.contains("the checksum of archive/data.warc is wrong") ?? false)
    #expect(try saved("http://a.test/page").count == 1)
  }

  @Test func `records must match the digest in the description of their file`() throws {
    let content = try Self.records("<p>One")
    let hash = Hexadecimal.text(DigestBuilder.bytes(of: content, .sha256))
    var zip = Self.wacz(try Self.records("<p>Two"), hash: hash)
    let path = try write("a.wacz", zip.bytes)
    #expect(
      refusal(of: path)?.contains("does not match the digest in its datapackage.json") ?? false)
    zip.add("archive/other.warc", try Self.records("<p>Three"))
    let outcome = try importFile(write("b.wacz", zip.bytes))
    #expect(outcome.pageCount == 1 && outcome.refusalReasons.count == 1)
    #expect(
      try importFile(write("c.wacz", Self.wacz(content, hash: hash.uppercased()).bytes)).pageCount
        == 1)
  }

  @Test(arguments: [true, false])
  func `a damaged description is reported, and the records are imported`(_ isJSON: Bool) throws {
    let content = try Self.records("<p>One")
    var zip = ZIPBytes()
    zip.add("datapackage.json", isJSON ? "{}" : "{")
    zip.add("archive/data.warc", content)
    if isJSON { zip.entries[0].checksum ^= 1 }
    let outcome = try importFile(write("a.wacz", zip.bytes))
    #expect(outcome.pageCount == 1 && outcome.refusalReasons.isEmpty)
    #expect(outcome.missingParts.count == 1)
    #expect(outcome.missingParts.first?.contains("has a damaged datapackage.json") == true)
    #expect(try importFile(write("b.wacz", Self.wacz(content).bytes)).missingParts.isEmpty)
  }

  @Test func `WARC files that the description lists and the archive lacks are reported`() throws {
    func archive(_ names: [String]) throws -> [UInt8] {
      let resources = names.map { "{\"path\":\"archive/\($0)\",\"hash\":\"sha256:00\"}" }
      var zip = ZIPBytes()
      zip.add("datapackage.json", "{\"resources\":[\(resources.joined(separator: ","))]}")
      zip.add("archive/data.warc", try Self.records("<p>One"))
      return zip.bytes
    }
    let one = try importFile(write("a.wacz", archive(["other.warc.gz", "log.txt"])))
    #expect(one.pageCount == 1)
    #expect(
      one.missingParts == [
        "lists archive/other.warc.gz in its datapackage.json, but does not contain it"
      ])
    let several = try importFile(write("b.wacz", archive(["x.warc", "y.warc"])))
    #expect(several.missingParts.first?.contains("2 WARC files") == true)
    #expect(try importFile(write("c.wacz", archive([]))).missingParts.isEmpty)
  }

  // MARK: Messages

  private static func message(_ date: String = "") -> String {
    """
    From: <Saved by Blink>
    Snapshot-Content-Location: https://a.test/page
    \(date)MIME-Version: 1.0
    Content-Type: multipart/related; boundary=b

    --b
    Content-Type: image/png
    Content-Location: https://a.test/p.png

    PNG
    --b
    Content-Type: text/html
    Content-Location: https://a.test/page

    <title>Page</title><p>All of its text
    --b--
    """
  }

  @Test func `only complete parts of a truncated message are imported`() throws {
    let end = try #require(Self.message().range(of: "of its"))
    let cut = String(Self.message()[..<end.lowerBound])
    let outcome = try importFile(write("m.mhtml", Array(cut.utf8)))
    #expect(outcome.isTruncated && outcome.pageCount == 0)
    #expect(try saved("https://a.test/page").isEmpty)
    #expect(try saved("https://a.test/p.png").count == 1)
    let image = try #require(cut.range(of: "PNG"))
    let nothing = try write("n.mhtml", Array(cut[..<image.upperBound].utf8))
    #expect(refusal(of: nothing)?.contains("no complete part of it has a web URL") ?? false)
  }

  @Test func `a page whose end tag precedes the missing boundary is imported`() throws {
    let whole = Self.message().replacingOccurrences(of: "\n--b--", with: "</P></HTML>\n")
    let outcome = try importFile(write("m.mhtml", Array(whole.utf8)))
    #expect(outcome.isTruncated && outcome.pageCount == 1)
    #expect(try saved("https://a.test/page").count == 1)
    let again = try importFile(write("m.mhtml", Array(whole.utf8)))
    #expect(again.wasImportedBefore)
  }

  @Test(
    arguments: [
      ("Date: Sun, 03 Nov 2019 10:15:00 -0000\n", 1_572_776_100),
      ("Date: Sun, 03 Nov 2030 10:15:00 -0000\n", 1_600_000_000), ("Date: never\n", 1_600_000_000),
      ("", 1_600_000_000),
    ] as [(String, Double)])
  func `the date of a page is that of its message, but not later than that of its file`(
    _ line: String, _ seconds: Double
  ) throws {
    let path = try write(
      "m.mhtml", Array(Self.message(line).utf8), date: Date(timeIntervalSince1970: 1_600_000_000))
    #expect(try importFile(path).pageCount == 1)
    let date = try #require(try saved("https://a.test/page").first).contentDate
    #expect(date == Date(timeIntervalSince1970: seconds))
  }

  @Test(
    arguments: [
      ("HTTP/1.1 200 OK\r\n", true), ("HTTP/1.1 404 Not Found\r\n", false),
      ("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-5/60\r\n", false),
    ] as [(String, Bool)])
  func `a file with only error responses or parts of pages has nothing to read`(
    _ head: String, _ isReadable: Bool
  ) throws {
    var bytes: [UInt8] = []
    let record = WARCRecord(
      .response, date: Date(timeIntervalSince1970: 1_600_000_000), targetURI: "http://a.test/page",
      contentType: "application/http; msgtype=response")
    let block = Array("\(head)Content-Type: text/html\r\n\r\n<p>One".utf8)
    try WARCWriter(compression: .none).write(record, block: block) { bytes += $0 }
    let outcome = try importFile(write("r.warc", bytes))
    #expect(outcome.format == .warc && outcome.hasNothingNew == !isReadable)
  }

  // MARK: Directories

  @Test(arguments: ["collection", "a.example"])
  func `the web archives and saved pages in a directory are imported`(_ name: String) throws {
    let directory = files.directory.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: directory.appendingPathComponent("sub"), withIntermediateDirectories: true)
    func records(_ url: String, _ compression: WARCWriter.Compression) throws -> [UInt8] {
      var bytes: [UInt8] = []
      let record = WARCRecord(
        .resource, date: Date(timeIntervalSince1970: 1_600_000_000), targetURI: url,
        contentType: "text/html")
      try WARCWriter(compression: compression).write(record, block: Array("<p>x".utf8)) {
        bytes += $0
      }
      return bytes
    }
    _ = try write("\(name)/one.WARC", records("http://b.test/1", .none))
    _ = try write("\(name)/sub/two.warc.gz", records("http://b.test/2", .gzip(level: 6)))
    _ = try write("\(name)/three.mhtml", Array(Self.message("").utf8))
    var urls = ["http://b.test/1", "http://b.test/2", "https://a.test/page"]
    if name == "collection" {
      let page = "<!-- saved from url=(0015)http://b.test/4 --><title>Four</title><p>x"
      _ = try write("\(name)/sub/four.html", Array(page.utf8))
      _ = try write("\(name)/other.html", Array("<p>x".utf8))
      _ = try write("\(name)/notes.txt", Array("https://c.test/".utf8))
      urls.append("http://b.test/4")
    }
    _ = try write("\(name)/bad.warc", Array("no record".utf8))
    let outcome = try importFile(directory.path)
    #expect(
      outcome.format == .archives && outcome.pageCount == urls.count && !outcome.wasImportedBefore)
    #expect(
      outcome.refusalReasons.count == 1
        && outcome.refusalReasons[0].hasPrefix("has bad.warc, which "))
    for url in urls { #expect(try saved(url).count == 1, "\(url)") }
    #expect(try saved("https://a.example/one.WARC").isEmpty)
    #expect(try importFile(directory.path).wasImportedBefore)
  }

  @Test func `a directory without archives and saved pages is rejected`() throws {
    let directory = files.directory.appendingPathComponent("empty")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    _ = try write("empty/other.html", Array("<p>x".utf8))
    #expect(refusal(of: directory.path)?.contains("without pages that can be imported") ?? false)
    _ = try write("empty/bad.warc", Array("no record".utf8))
    #expect(refusal(of: directory.path)?.contains("has bad.warc, which ") ?? false)
  }

  @Test func `an empty file is called empty`() throws {
    for name in ["page.html", "records.warc", "list.txt"] {
      #expect(refusal(of: try write(name, []))?.hasSuffix("is empty") ?? false)
    }
  }

  @Test func `an article that declares the home page as its URL is not imported as that page`()
    throws
  {
    let type = "<meta property=og:type content=article>"
    let home = "<meta property=og:url content=https://d.test/>"
    let links = "<title>T</title><p>Text <a href=https://d.test/other>other</a>"
    let article = try write("a.html", Array((type + home + links).utf8))
    #expect(refusal(of: article)?.contains("home page") ?? false)
    #expect(try saved("https://d.test/").isEmpty)
    let canonical = "<link rel=canonical href=https://d.test/article>"
    let page = try write("b.html", Array((type + home + canonical + links).utf8))
    #expect(try importFile(page).pageCount == 1)
    #expect(try saved("https://d.test/article").count == 1)
    #expect(try importFile(try write("c.html", Array((home + links).utf8))).pageCount == 1)
    #expect(try saved("https://d.test/").count == 1)
  }

  @Test func `pages in a directory that only have canonical URLs are imported`() throws {
    let directory = files.directory.appendingPathComponent("saved")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    for name in ["one", "two"] {
      let text = "<title>T</title><link rel=canonical href=https://c.test/\(name)><p>\(name)"
      _ = try write("saved/A page \(name).html", Array(text.utf8))
    }
    _ = try write("saved/other.html", Array("<p>x".utf8))
    for name in ["book.epub", "paper.PDF", "pages.zip", "song.mp3"] {
      _ = try write("saved/\(name)", Array("x".utf8))
    }
    let outcome = try importFile(directory.path)
    #expect(outcome.format == .archives && outcome.pageCount == 2)
    #expect(outcome.skippedCount == 1 && outcome.separateFileCount == 3)
    for name in ["one", "two"] { #expect(try saved("https://c.test/\(name)").count == 1) }
  }

  @Test func `pages in a ZIP archive that only have canonical URLs are imported`() throws {
    func page(_ name: String) -> String {
      "<title>T</title><link rel=canonical href=https://c.test/\(name)><p>\(name)"
    }
    var zip = ZIPBytes()
    zip.add("a/index.html", page("one"))
    zip.add("a/other.html", "<p>x")
    #expect(try importFile(write("pages.zip", zip.bytes)).skippedCount == 1)
    zip.add("b/index.html", page("two"))
    zip.add("list.csv", "url,title\nhttps://c.test/three,Three\n")
    #expect(try importFile(write("pages.zip", zip.bytes)).pageCount == 3)
    for name in ["one", "two"] { #expect(try saved("https://c.test/\(name)").count == 1) }
    // The URL in the comment of a saved page is more reliable.
    zip.add("c/index.html", page("four"))
    zip.add("c/saved.html", "<!-- saved from url=(0014)https://d.test/ -->" + page("five"))
    #expect(try importFile(write("more.zip", zip.bytes)).pageCount == 2)
    #expect(try saved("https://d.test/").count == 1 && saved("https://c.test/four").isEmpty)
  }

  @Test func `the frames of saved pages are not imported as pages`() throws {
    func page(_ name: String) -> [UInt8] {
      Array("<title>T</title><link rel=canonical href=https://c.test/\(name)><p>\(name)".utf8)
    }
    let saved = files.directory.appendingPathComponent("saved")
    for directory in ["A page_files", "other_files"] {
      try FileManager.default.createDirectory(
        at: saved.appendingPathComponent(directory), withIntermediateDirectories: true)
    }
    _ = try write("saved/A page.html", page("page"))
    _ = try write("saved/A page_files/frame.html", page("frame"))
    _ = try write("saved/other_files/page.html", page("other"))
    #expect(try importFile(saved.path).pageCount == 2)
    #expect(try self.saved("https://c.test/frame").isEmpty)
    #expect(try self.saved("https://c.test/other").count == 1)
  }

  @Test func `web archives beside a mirror are imported too`() throws {
    let site = files.directory.appendingPathComponent("site")
    try FileManager.default.createDirectory(
      at: site.appendingPathComponent("b.example"), withIntermediateDirectories: true)
    _ = try write("site/b.example/index.html", Array("<p>Home".utf8))
    _ = try write("site/b.example.warc", Self.records("<p>One"))
    let outcome = try importFile(site.path)
    #expect(outcome.format == .directory && outcome.pageCount == 1 && outcome.archiveCount == 1)
    #expect(outcome.skippedCount == 0)
    #expect(try !saved("http://a.test/page").isEmpty)
    #expect(try !saved("https://b.example/").isEmpty)
  }

  @Test func `the shortcuts in a directory or an archive are imported`() throws {
    let (name, shortcut) = ("A page.url", "[InternetShortcut]\r\nURL=https://s.test/\r\n")
    let directory = files.directory.appendingPathComponent("links")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    _ = try write("links/\(name)", Array(shortcut.utf8))
    let outcome = try importFile(directory.path)
    #expect(outcome.format.list == .shortcut && outcome.pageCount == 1 && outcome.queuedCount == 1)
    var zip = ZIPBytes()
    zip.add(name, shortcut)
    #expect(try importFile(write("links.zip", zip.bytes)).pageCount == 1)
  }

  // MARK: Archives

  @Test func `a zipped mirror is imported like its directory, without following links`() throws {
    for root in ["", "my mirror/"] {
      var zip = ZIPBytes()
      zip.add(
        root + "a.example/index.html", "<title>Home\(root)</title><a href=\"https://b.test/\">b</a>"
      )
      zip.add(root + "a.example/sub/p.html", "<p>Page \(root)")
      zip.add(root + "a.example/robots.txt", "User-agent: *\nDisallow: /\n")
      zip.add(root + "a.example/urls.txt", "https://evil.test/\n")
      zip.add("__MACOSX/" + root + "a.example/._index.html", "x")
      zip.entries[0].time = 0x5963_51E2
      let path = try write(
        "mirror\(root.count).zip", zip.bytes, date: Date(timeIntervalSince1970: 1_750_000_000))
      let outcome = try importFile(path)
      #expect(outcome.format == .directory && outcome.pageCount == 4 && outcome.queuedCount == 0)
      #expect(try importFile(path).wasImportedBefore)
      let dates = try saved("https://a.example/").map(\.contentDate)
      #expect(dates.first == Date(timeIntervalSince1970: 1_730_628_904))
      #expect(try saved("https://a.example/sub/p.html").first?.isGood ?? false)
    }
  }

  @Test(arguments: [true, false])
  func `the web archives in a ZIP archive are imported, whatever else it contains`(
    _ hasRecords: Bool
  ) throws {
    var zip = ZIPBytes()
    zip.add("all/page.mhtml", Self.message().replacing("https://a.test/", with: "https://m.test/"))
    zip.add("all/damaged.webarchive", "bplist00")
    zip.add("__MACOSX/all/._records.warc", "attributes")
    zip.add("all/records.wacz", Self.wacz(try Self.records("<p>One")).bytes)
    if hasRecords { zip.add("all/one.warc", try Self.records("<p>Two")) }
    let outcome = try importFile(write("all.zip", zip.bytes))
    #expect(outcome.refusalReasons.count == 1)
    #expect(outcome.refusalReasons.first?.contains("all/damaged.webarchive") ?? false)
    #expect(try saved("https://m.test/page").count == 1)
    #expect(try !saved("http://a.test/page").isEmpty)
    #expect(outcome.format == (hasRecords ? .zip : .archives))
  }

  @Test func `uncompressed pages in a ZIP archive are not taken for the archive itself`() throws {
    var zip = ZIPBytes()
    for number in 1...2 {
      let message = Self.message("").replacing("https://a.test/", with: "https://\(number).test/")
      zip.add("\(number).mhtml", message)
    }
    #expect(try importFile(write("pages.zip", zip.bytes)).pageCount == 2)
  }

  @Test(arguments: ["", "omnivore/"])
  func `the texts beside a list in an archive are stored`(_ root: String) throws {
    var zip = ZIPBytes()
    zip.add(
      root + "metadata_0_to_2.json",
      """
      [{"slug": "one", "title": "One", "url": "https://b.test/1", "labels": [],
        "savedAt": "2020-01-02T03:04:05Z"},
       {"slug": "two", "title": "Two", "url": "https://b.test/2", "labels": [],
        "savedAt": "2020-01-02T03:04:05Z"}]
      """)
    zip.add(root + "content/one.html", "<div><p>Boats leave at noon.</p></div>")
    zip.add("content/other.html", "<p>x</p>")
    let outcome = try importFile(write("export.zip", zip.bytes))
    #expect(outcome.pageCount == 2 && outcome.queuedCount == 2)
    let date = Date(timeIntervalSince1970: 1_577_934_245)
    #expect(try saved("https://b.test/1").map(\.contentDate) == [date])
    #expect(try saved("https://b.test/2").isEmpty)
  }

  @Test func `an unpacked export is imported with the texts beside it`() throws {
    let directory = files.directory.appendingPathComponent("export")
    try FileManager.default.createDirectory(
      at: directory.appendingPathComponent("content"), withIntermediateDirectories: true)
    // Each text is that of one page, and not itself a page.
    let entries = (1...2).map {
      #"{"slug": "one", "url": "https://b.test/\#($0)", "savedAt": "2020-01-02T03:04:05Z"}"#
    }
    _ = try write("export/metadata_0_to_1.json", Array("[\(entries.joined(separator: ","))]".utf8))
    let text = "<link rel=canonical href=https://c.test/page><p>Boats leave at noon.</p>"
    _ = try write("export/content/one.html", Array(text.utf8))
    _ = try write("export/other.json", Array(#"["https://b.test/3"]"#.utf8))
    let outcome = try importFile(directory.path)
    #expect(outcome.pageCount == 2 && outcome.queuedCount == 2)
    #expect(try saved("https://b.test/1").count == 1 && saved("https://b.test/2").isEmpty)
    #expect(try saved("https://c.test/page").isEmpty)
    // The lists are imported although a web archive beside them cannot be.
    _ = try write("export/bad.warc", Array("no record".utf8))
    let reasons = try importFile(directory.path).refusalReasons
    #expect(reasons.count == 1 && reasons[0].hasPrefix("has bad.warc, which "))
  }

  @Test func `a text in an archive is that of one page, and a damaged one is reported`() throws {
    var zip = ZIPBytes()
    let entries = ["one", "one", "two"].enumerated().map { number, slug in
      """
      {"slug": "\(slug)", "title": "T", "url": "https://b.test/\(number)", "labels": [],
        "savedAt": "2020-01-02T03:04:05Z"}
      """
    }
    zip.add("metadata_0_to_3.json", "[" + entries.joined(separator: ",") + "]")
    zip.add("content/one.html", "<div><p>Boats leave at noon.</p></div>")
    zip.add("content/two.html", "<div><p>Boats leave at ten.</p></div>")
    zip.entries[2].checksum ^= 1
    let outcome = try importFile(write("export.zip", zip.bytes))
    #expect(outcome.pageCount == 3)
    #expect(outcome.refusalReasons == ["is damaged: the checksum of content/two.html is wrong"])
    #expect(try [0, 1, 2].map { try saved("https://b.test/\($0)").count } == [1, 0, 0])
  }

  @Test func `a file in an archive that is too long for a list is reported`() throws {
    var zip = ZIPBytes()
    zip.add("links.txt", "https://b.test/1\nhttps://b.test/2\n")
    zip.add("long.txt", "https://b.test/3\n")
    (zip.entries[1].method, zip.entries[1].size) = (8, 65 << 20)
    let outcome = try importFile(write("lists.zip", zip.bytes))
    #expect(outcome.pageCount == 2 && outcome.refusalReasons.count == 1)
    #expect(outcome.refusalReasons.first?.contains("long.txt") == true)
  }

  @Test func `pages at the top of an archive belong to the site in its name`() throws {
    var zip = ZIPBytes()
    zip.add("index.html", "<p>Home")
    zip.add("x/y.html", "<p>Y")
    #expect(try importFile(write("b.example.zip", zip.bytes)).pageCount == 2)
    #expect(try saved("https://b.example/x/y.html").count == 1)
    #expect(refusal(of: try write("site.zip", zip.bytes))?.contains("HOST/PATH") ?? false)
  }

  @Test(arguments: [
    [("d/a.html", "<p>A <a href=\"https://b.test/\">b</a>"), ("d/b.html", "<p>B")],
    [("readme.txt", "See https://b.test/ for more.\nThanks.")],
    [("readme.txt", "See https://b.test/ for more.")],
    [("robots.txt", "User-agent: *\nSitemap: https://b.test/map.xml")], [("x.json", "{\"a\": 1}")],
  ])
  func `pages and texts that mention pages are not lists`(_ entries: [(String, String)]) throws {
    var zip = ZIPBytes()
    for (path, text) in entries { zip.add(path, text) }
    #expect(refusal(of: try write("l.zip", zip.bytes))?.contains("no list of pages") ?? false)
  }

  @Test(
    arguments: [
      ("part_000000.csv", "title,url,time_added,tags,status\nA,https://b.test/,1,x,unread\n"),
      (
        "Takeout/Bookmarks.html",
        "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF=\"https://b.test/\">b</A></DL>"
      ),
      (
        "export-2024.05/feeds.opml",
        "<opml><body><outline text=\"f\" xmlUrl=\"https://b.test/f\"/></body></opml>"
      ),
      ("urls.txt", "# mine\nhttps://b.test/ B\n"),
    ] as [(String, String)])
  func `zipped lists exported by services are imported`(_ path: String, _ text: String) throws {
    var zip = ZIPBytes()
    zip.add(path, text)
    zip.add("notes.html", "<p><a href=\"https://c.test/\">no</a>")
    let outcome = try importFile(write("l.zip", zip.bytes))
    #expect(outcome.pageCount + outcome.feedCount == 1)
  }

  @Test(arguments: [true, false])
  func `zipped pages that a browser has saved are imported, with lists beside them`(
    hasList: Bool
  ) throws {
    var zip = ZIPBytes()
    let comment = { (url: String) in
      "<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: \(url) \n"
        + " saved date: Thu Jan 02 2020 03:04:05 GMT+0000 (UTC)\n--><title>T</title><p>words"
    }
    zip.add("pages/One.html", comment("https://a.test/1"))
    zip.add("pages/Two.html", comment("https://a.test/2"))
    zip.add("pages/Other.html", "<p>A page without a URL")
    if hasList { zip.add("urls.txt", "https://b.test/ B\n") }
    let outcome = try importFile(write("pages.zip", zip.bytes))
    #expect(outcome.pageCount == (hasList ? 3 : 2) && outcome.queuedCount == (hasList ? 1 : 0))
    #expect(outcome.format == (hasList ? .list(.lines) : .archives))
    let dates = try saved("https://a.test/2").map(\.contentDate)
    #expect(dates == [Date(timeIntervalSince1970: 1_577_934_245)])
  }

  @Test(arguments: [true, false])
  func `a damaged file in an archive is reported, and the others are imported`(
    isOnlyFile: Bool
  ) throws {
    var zip = ZIPBytes()
    zip.add("a.txt", "https://a.test/ A\n")
    zip.entries[0].checksum ^= 1
    if !isOnlyFile { zip.add("b.txt", "https://b.test/ B\n") }
    let path = try write("l.zip", zip.bytes)
    guard !isOnlyFile else {
      #expect(refusal(of: path)?.contains("the checksum of a.txt is wrong") == true)
      return
    }
    let outcome = try importFile(path)
    #expect(outcome.pageCount == 1)
    #expect(outcome.refusalReasons == ["is damaged: the checksum of a.txt is wrong"])
  }

  @Test func `a page in several zipped lists counts once`() throws {
    var zip = ZIPBytes()
    zip.add("part_0.csv", "title,url\nA,https://a.test/\nB,https://b.test/\n")
    zip.add("notes/part_0.json", "[{\"url\":\"https://a.test/\",\"tags\":[\"x\"]}]")
    let outcome = try importFile(write("l.zip", zip.bytes))
    #expect(outcome.pageCount == 2 && outcome.queuedCount == 2)
    let profile = files.open(network)
    defer { profile.close() }
    #expect(try profile.library.page("https://a.test/").tags == ["x"])
  }

  @Test func `a list without pages is reported`() throws {
    for text in ["<!DOCTYPE html><p>No link", "gemini://a.test/\n=> gopher://b.test/ x\n"] {
      #expect(
        refusal(of: try write("l.html", Array(text.utf8)))?.contains("has no web URLs") ?? false)
    }
  }
}
