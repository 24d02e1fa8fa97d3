import Foundation
import TestFiles
import TestSupport
import Testing
import WARC

@testable import OfflineCache
@testable import WebArchive

@Suite("Seeds: pages that are shipped with an application")
struct SeedTests {
  /// A directory of files, deleted at the end of the test.
  final class Tree {
    let root: URL

    init(_ files: [String: String] = [:]) throws {
      root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      for (path, text) in files { try write(path, Data(text.utf8)) }
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func write(_ path: String, _ data: Data) throws {
      let file = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file)
    }
  }

  @Test(
    arguments: [
      ("a.test/index.html", "https://a.test/", "text/html"),
      ("a.test/index.html", "http://a.test", "text/html"),
      ("a.test/dir/index.html", "http://a.test/dir", "text/html"),
      ("a.test/dir/index.html", "http://a.test/dir/", "text/html"),
      ("a.test/page.html", "http://a.test/page", "text/html"),
      ("a.test/style.CSS", "http://a.test/style.CSS", "text/css"),
      ("a.test/raw", "http://a.test/raw", "text/plain"),
      ("a.test:8080/x.js", "http://a.test:8080/x.js", "text/javascript"),
      ("a.test+8080/x.js", "http://a.test:8080/x.js", "text/javascript"),
      ("a.test/p?x=1", "http://a.test/p?x=1", "text/plain"),
      ("a.test/p@x=1", "http://a.test/p?x=1", "text/plain"),
      ("a.test/p?x=1.html", "http://a.test/p?x=1", "text/html"),
      ("a.test/p@x=1.html", "http://a.test/p?x=1", "text/html"),
      ("a.test/p.php?x=a.b", "http://a.test/p.php?x=a.b", "text/plain"),
      ("a.test/l.css?v=1.2", "http://a.test/l.css?v=1.2", "text/css"),
      ("a.test/index.html?q=%2F", "http://a.test/?q=/", "text/html"),
      ("a.test/a b/ä.html", "http://a.test/a%20b/%c3%a4.html", "text/html"),
      ("a.test/a%20b.html", "http://a.test/a%20b.html", "text/html"),
      ("a.test/a%3Ab.html", "http://a.test/a:b.html", "text/html"),
      ("a.test/a%2Fb.html", "http://a.test/a%2Fb.html", "text/html"),
      ("a.test/x/y.html", "http://a.test/x//y.html", "text/html"),
      ("::1/index.html", "http://[::1]/", "text/html"),
    ] as [(String, String, String)])
  func `the files of a mirror are found by URL, however wget changed their names`(
    _ path: String, _ url: String, _ type: String
  ) throws {
    let tree = try Tree([path: "content"])
    let fixture = CacheFixture { $0.seeds = [.folder(tree.root)] }
    let result = fixture.load(url) { $0.mode = .cacheOnly }
    #expect(result.text == "content")
    #expect(result.response?.response.fields["Content-Type"] == type)
    #expect(result.response?.stored?.isSeed == true)
    #expect(result.response?.response.fields["Last-Modified"] != nil)
  }

  @Test func `a page in a seed counts as saved, also for link markers`() throws {
    let tree = try Tree(["a.test/page.html": "page", "b.test:81/x": "x"])
    let fixture = CacheFixture(
      ScriptedTransport { _ in .response(301, [("Location", "http://a.test/page")], "") }
    ) { $0.seeds = [.folder(tree.root)] }
    fixture.load("http://c.test/")
    let expectedKeys = ["http://a.test/page", "http://b.test:81/x", "http://c.test/"]
    let absent = ["http://a.test/none", "http://b.test/x", "http://d.test/", "about:page", ""]
    #expect(fixture.cache.savedPages(among: expectedKeys + absent) == Set(expectedKeys))
  }

  @Test
  func `files without an extension are recognized as HTML or binary`()
    throws
  {
    let tree = try Tree([
      "a.test/wiki": " \n<!DOCTYPE html><p>x", "a.test/bytes": "\u{1}\u{2}", "a.test/empty": "",
    ])
    let fixture = CacheFixture { $0.seeds = [.folder(tree.root)] }
    for (path, type) in [
      ("wiki", "text/html"), ("bytes", "application/octet-stream"), ("empty", "text/plain"),
    ] {
      let result = fixture.load("http://a.test/\(path)") { $0.mode = .cacheOnly }
      #expect(result.response?.response.fields["Content-Type"] == type)
    }
  }

  @Test(
    arguments: [
      ("<a href=x>", "text/html"), ("  <BR>", "text/html"), ("<article>", "text/plain"),
      ("\u{FEFF}<html>", "text/html"), ("\u{FEFF}words", "text/plain"), ("<!--", "text/html"),
      ("<?xml version=", "text/xml"), ("%PDF-1.7", "application/pdf"), ("GIF89a", "image/gif"),
      ("%!PS-Adobe-3", "application/postscript"), ("BM", "image/bmp"),
      ("RIFF1234WEBPVP8", "image/webp"), ("RIFF1234WAVE", "audio/wave"), ("RIFF1234", "text/plain"),
      ("ID3\u{3}", "audio/mpeg"), ("OggS\u{0}", "application/ogg"),
      ("PK\u{3}\u{4}", "application/zip"), ("MThd\u{0}\u{0}\u{0}\u{6}", "audio/midi"),
      ("\u{0}\u{0}\u{0}\u{14}ftypisom\u{0}\u{0}\u{0}\u{0}mp41", "video/mp4"),
      ("\u{0}\u{0}\u{0}\u{14}ftypisom\u{0}\u{0}\u{0}\u{0}avc1", "application/octet-stream"),
      ("a\u{B}b", "application/octet-stream"), ("a\u{1B}[b", "text/plain"), ("ü", "text/plain"),
    ] as [(String, String)])
  func `the type of a file without an extension is sniffed (MIME Sniffing §7.1)`(
    _ content: String, _ type: String
  ) {
    #expect(SniffedMediaType.detect(Array(content.utf8)) == type)
  }

  @Test(
    arguments: [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
      ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"), ([0x1F, 0x8B, 0x08], "application/x-gzip"),
      ([0xFF, 0xFE, 0x41, 0], "text/plain"), ([0, 0, 1, 0], "image/x-icon"),
      ([0x1A, 0x45, 0xDF, 0xA3, 0x42, 0x82, 0x84, 0x77, 0x65, 0x62, 0x6D], "video/webm"),
      ([0x1A, 0x45, 0xDF, 0xA3], "application/octet-stream"),
    ] as [([UInt8], String)])
  func `binary types are sniffed, too`(_ bytes: [UInt8], _ type: String) {
    #expect(SniffedMediaType.detect(bytes) == type)
  }

  @Test func `random bytes have some type`() {
    var state: UInt64 = 5
    for count in 0..<4000 {
      var bytes = count % 3 == 0 ? [0x1A, 0x45, 0xDF, 0xA3] as [UInt8] : []
      for _ in 0..<(count % 40) {
        state = state &* 6_364_136_223_846_793_005 &+ 1
        bytes.append(
          [0, 0x42, 0x82, 0x3C, 0x66, 0x14, UInt8(truncatingIfNeeded: state >> 40)][
            Int(state >> 33) % 7])
      }
      #expect(SniffedMediaType.detect(bytes).contains("/"))
    }
  }

  @Test(arguments: [
    "http://a.test/../secret", "http://a.test/%2e%2e/secret", "http://a.test/..%2Fsecret",
    "http://a.test/%2e%2e%2fsecret", "http://../secret", "http://a.test/link",
    "http://a.test/folder/secret", "http://a.test/x%00", "http://a.test/dir",
  ])
  func `neither URLs nor symbolic links lead out of the directory`(_ url: String) throws {
    let tree = try Tree(["mirror/a.test/page": "page", "secret": "secret"])
    let mirror = tree.root.appendingPathComponent("mirror")
    for (link, target) in [("link", "secret"), ("folder", "")] {
      try FileManager.default.createSymbolicLink(
        at: mirror.appendingPathComponent("a.test/\(link)"),
        withDestinationURL: tree.root.appendingPathComponent(target))
    }
    try FileManager.default.createDirectory(
      at: mirror.appendingPathComponent("a.test/dir"), withIntermediateDirectories: true)
    let fixture = CacheFixture { $0.seeds = [.folder(mirror)] }
    #expect(fixture.load(url) { $0.mode = .cacheOnly }.error != nil)
    #expect(fixture.load("http://a.test/page") { $0.mode = .cacheOnly }.text == "page")
  }

  @Test
  func `a seed is used after failures or when copies are preferred, not instead of the network`()
    throws
  {
    let tree = try Tree(["a.test/index.html": "seed"])
    let transport = ScriptedTransport { request in
      request.url.contains("down") ? .failure(.noNetwork) : .response(200, [], "network")
    }
    let fixture = CacheFixture(transport) { $0.seeds = [.folder(tree.root)] }
    #expect(fixture.load("http://a.test/") { $0.mode = .cacheFirst }.text == "seed")
    #expect(transport.sent.isEmpty)
    #expect(fixture.load("http://a.test/").text == "network")
    // From now on, the saved version is used.
    #expect(fixture.load("http://a.test/") { $0.mode = .cacheOnly }.text == "network")
    let down = try Tree(["down.test/index.html": "seed"])
    let otherFixture = CacheFixture(transport) { $0.seeds = [.folder(down.root)] }
    let result = otherFixture.load("http://down.test/")
    #expect(result.text == "seed")
    #expect(result.cacheStatus?.hasSuffix("; detail=offline") ?? false)
    #expect(
      otherFixture.load("http://down.test/") { $0.allowsFallback = false }.error?.failureKind
        == .noNetwork)
  }

  @Test func `an error or captive portal page does not hide a seed, and a later version does`()
    throws
  {
    let tree = try Tree(["a.test/index.html": String(repeating: "seed ", count: 200)])
    let status = ScriptedTransport { _ in .response(404, [], "gone") }
    let fixture = CacheFixture(status) { $0.seeds = [.folder(tree.root)] }
    #expect(fixture.load("http://a.test/").text.hasPrefix("seed"))
    #expect(fixture.load("http://a.test/") { $0.mode = .cacheOnly }.text.hasPrefix("seed"))
  }

  @Test func `a seeded page is updated, and the update is saved even with no-store`()
    throws
  {
    let tree = try Tree(["a.test/index.html": "seed"])
    let transport = ScriptedTransport { request in
      .response(200, [("Cache-Control", "no-store")], "news of \(request.url)")
    }
    let fixture = CacheFixture(transport) { $0.seeds = [.folder(tree.root)] }
    #expect(fixture.load("http://a.test/") { $0.respectsNoStore = true }.stored != nil)
    #expect(
      fixture.load("http://a.test/") { $0.mode = .cacheOnly }.text == "news of http://a.test/")
    #expect(fixture.load("http://a.test/2") { $0.respectsNoStore = true }.stored == nil)
  }

  /// Returns a closed cache with one saved page, whose segments can be used as a WARC seed.
  private static func archive(_ url: String, _ fields: [(String, String)] = []) -> CacheFixture {
    let transport = ScriptedTransport { _ in .response(200, fields, "from the WARC") }
    let fixture = CacheFixture(transport)
    fixture.load(url)
    fixture.cache.close()
    return fixture
  }

  @Test func `WARC files and directories of them are seeds, and are never modified`() throws {
    let source = Self.archive("http://a.test/x")
    let directory = source.directory.appendingPathComponent("archive")
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    let segment = try #require(names.first { $0.hasSuffix(".warc.gz") })
    let file = directory.appendingPathComponent(segment)
    let bytes = try Data(contentsOf: file)
    for seed in [directory, file] {
      for isReadOnly in [false, true] {
        let fixture = CacheFixture(ScriptedTransport { _ in .failure(.noNetwork) }) {
          $0.seeds = [.warc(seed)]
          $0.isReadOnly = isReadOnly
        }
        let result = fixture.load("http://a.test/x")
        #expect(result.text == "from the WARC")
        #expect(result.response?.stored?.isSeed == true)
        #expect(fixture.load("http://a.test/y").error?.failureKind == .noNetwork)
        let indexes = fixture.directory.appendingPathComponent("seeds").path
        let indexNames = (try? FileManager.default.contentsOfDirectory(atPath: indexes)) ?? []
        #expect(indexNames.contains { $0.hasSuffix(".sqlite") } == !isReadOnly)
      }
    }
    #expect(try Data(contentsOf: file) == bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == names)
  }

  @Test func `a seed confirmed by the server is copied to the archive`() throws {
    let tag = [("ETag", "\"1\"")]
    let source = Self.archive("http://a.test/x", tag)
    let transport = ScriptedTransport { request in
      request.fields["If-None-Match"] == nil ? .response(200, [], "new") : .response(304, tag)
    }
    let seed = Seed.warc(source.directory.appendingPathComponent("archive"))
    let fixture = CacheFixture(transport) { $0.seeds = [seed] }
    fixture.advance(1000)
    #expect(fixture.load("http://a.test/x").response?.source == .validated)
    fixture.cache.close()
    let alone = CacheFixture(transport, in: fixture.directory)
    #expect(alone.load("http://a.test/x") { $0.mode = .cacheOnly }.text == "from the WARC")
  }

  @Test func `garbage in a seed is neither a page nor a crash`() throws {
    let tree = try Tree(["x.warc.gz": "no gzip", "y.warc": "WARC/1.1\r\n", "z.warc.gz": ""])
    for seed in [
      Seed.warc(tree.root), .warc(tree.root.appendingPathComponent("x.warc.gz")),
      .warc(tree.root.appendingPathComponent("none")),
      .folder(tree.root.appendingPathComponent("none")),
      .folder(tree.root.appendingPathComponent("y.warc")),
    ] {
      let fixture = CacheFixture { $0.seeds = [seed] }
      #expect(fixture.load("http://a.test/") { $0.mode = .cacheOnly }.error == .notSaved)
    }
  }

  @Test(arguments: ["/Docs/Page.html", "/docs/page.HTML", "/DOCS/PAGE.html"])
  func `paths of a seed are compared without case if configured`(_ path: String) throws {
    let tree = try Tree(["a.test/Docs/Page.html": "content", "a.test/Docs/page2": "other"])
    for folds in [true, false] {
      let fixture = CacheFixture {
        $0.seeds = [.folder(tree.root)]
        $0.rules = folds ? [Rule { $0.ignoresCase = true }] : []
      }
      let load = fixture.load("http://a.test" + path) { $0.mode = .cacheOnly }
      #expect(load.text == (folds || path == "/Docs/Page.html" ? "content" : ""))
      #expect(fixture.load("http://a.test/docs/none") { $0.mode = .cacheOnly }.error == .notSaved)
    }
  }

  @Test func `URLs in WARC seeds are compared without case if configured`() throws {
    let network = ScriptedTransport { .response(200, [], "content of \($0.url.path)") }
    let source = CacheFixture(network)
    source.load("http://a.test/Docs/Page")
    source.cache.close()
    let directory = source.directory.appendingPathComponent("archive")
    for folds in [true, false] {
      let fixture = CacheFixture {
        $0.seeds = [.warc(directory)]
        $0.rules = folds ? [Rule { $0.ignoresCase = true }] : []
      }
      let load = fixture.load("http://a.test/docs/PAGE") { $0.mode = .cacheOnly }
      #expect(load.text == (folds ? "content of /Docs/Page" : ""))
      #expect(fixture.load("http://a.test/docs/other") { $0.mode = .cacheOnly }.error == .notSaved)
    }
  }

  @Test func `the archive of one release is a seed of the next`() throws {
    let network = ScriptedTransport { .response(200, [], "first of \($0.url.path)") }
    let first = CacheFixture(network)
    for path in ["a", "b"] { first.load("http://a.test/\(path)") }
    first.cache.close()
    let segments = first.directory.appendingPathComponent("archive")
    let shipped = try Tree()
    try FileManager.default.createDirectory(at: shipped.root, withIntermediateDirectories: true)
    let copy = shipped.root.appendingPathComponent("pages")
    try FileManager.default.copyItem(at: segments, to: copy)
    let laterTransport = ScriptedTransport { .response(200, [], "later of \($0.url.path)") }
    let next = CacheFixture(laterTransport) { $0.seeds = [.warc(copy)] }
    #expect(next.load("http://a.test/a") { $0.mode = .cacheOnly }.text == "first of /a")
    #expect(next.load("http://a.test/a").text == "later of /a")
    #expect(next.load("http://a.test/a") { $0.mode = .cacheOnly }.text == "later of /a")
    #expect(next.load("http://a.test/b") { $0.mode = .cacheOnly }.text == "first of /b")
  }
}
