import Foundation
import TestFiles
import TestSupport
import Testing
import WARC

/// `offread export --format wacz`.
@Suite struct WACZExportTests {
  let sandbox: Sandbox
  let server: ScriptedServer

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
  }

  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0]

  /// Saves a redirected page with an image, a style sheet and its resources, and another page.
  private func fill() throws {
    let html = [("Content-Type", "text/html; charset=utf-8")]
    let text = String(repeating: "<p>Some words of a page that is worth reading.</p>", count: 9)
    server.on(
      "/one",
      .response(
        html,
        text:
          "<title>First \u{1B}“page”</title><link rel=stylesheet href=/s.css><h1>First page</h1>\(text)"
          + "<img alt=c src=/c.png>"))
    server.on("/two", .response(html, text: "<title>Second</title><h1>Second</h1>\(text)"))
    server.on("/old", .response(status: 302, [("Location", "/one")], text: ""))
    server.on(
      "/c.png",
      .response([("Content-Type", "image/png"), ("Set-Cookie", "id=topsecret")], body: Self.png))
    server.on(
      "/s.css", .response([("Content-Type", "text/css")], text: "p { background: url(bg.png) }"))
    server.on("/bg.png", .response([("Content-Type", "image/png")], body: Self.png))
    let save = ["save", "--delay", "0", "--complete", "--tag", "x", server.url + "/old"]
    #expect(try sandbox.offread(save).status == 0)
    #expect(try sandbox.offread("save", "--delay", "0", server.url + "/two").status == 0)
    server.stop()
  }

  private func export(_ arguments: String..., name: String = "out.wacz") throws -> String {
    let file = sandbox.directory.appendingPathComponent(name).path
    let run = try sandbox.offread(["export", "--format", "wacz", "-o", file] + arguments)
    #expect(run.status == 0, "\(run.errorText)")
    return file
  }

  private func files(_ path: String) throws -> [String: ZIPContents.File] {
    let files = try ZIPContents.read([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
    return Dictionary(files.map { ($0.path, $0) }) { $1 }
  }

  private struct Description: Decodable {
    struct Resource: Decodable {
      var name: String
      var path: String
      var hash: String
      var bytes: Int
    }
    var wacz_version: String
    var title: String?
    var mainPageURL: String?
    var resources: [Resource]
  }

  private struct ListedPage: Decodable {
    var url: String?
    var title: String?
    var text: String?
    var ts: String?
  }

  private static func hash(_ bytes: [UInt8]) -> String {
    var builder = DigestBuilder(.sha256)
    builder.update(bytes)
    return "sha256:" + builder.digest().bytes.map { String(format: "%02x", $0) }.joined()
  }

  @Test func `a WACZ file has records, a sorted index, pages with text, and digests of all files`()
    throws
  {
    try fill()
    let files = try files(try export("--tag", "x", "--title", "Trip “x”"))
    let described = try #require(files["datapackage.json"]).bytes
    let description = try JSONDecoder().decode(Description.self, from: Data(described))
    #expect(description.wacz_version == "1.1.1" && description.title == "Trip “x”")
    #expect(description.mainPageURL == server.url + "/one")
    #expect(
      Set(description.resources.map(\.path) + ["datapackage.json", "datapackage-digest.json"])
        == Set(files.keys))
    for resource in description.resources {
      let bytes = try #require(files[resource.path]).bytes
      #expect(resource.hash == Self.hash(bytes) && resource.bytes == bytes.count)
    }
    let digest = String(
      decoding: try #require(files["datapackage-digest.json"]).bytes, as: UTF8.self)
    #expect(digest.contains("\"\(Self.hash(described))\""))

    let records = try #require(files["archive/data.warc.gz"])
    let packed = try #require(files["indexes/index.cdx.gz"])
    #expect(records.isStored && packed.isStored)
    var text: [UInt8] = []
    try Inflater(format: .gzip).inflate(packed.bytes) { text += $0 }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
    #expect(lines == lines.sorted() && lines.count == 5)
    var found: [String: String] = [:]
    for line in lines {
      let fields = try JSONDecoder().decode(
        [String: String].self, from: Data(line[try #require(line.firstIndex(of: "{"))...].utf8))
      let (offset, length) = (Int(fields["offset"] ?? "") ?? 0, Int(fields["length"] ?? "") ?? 0)
      let reader = WARCReader(bytes: Array(records.bytes[offset..<(offset + length)]))
      guard case .record(let record, _)? = try reader.next() else { continue }
      let block = String(decoding: try reader.readBlock(), as: UTF8.self)
      #expect(try reader.next() == nil && record.targetURI == fields["url"])
      #expect(!block.contains("topsecret"))
      found[fields["url"] ?? ""] = block
    }
    #expect(
      Set(found.keys)
        == Set(["/old", "/one", "/c.png", "/s.css", "/bg.png"].map { server.url + $0 }))
    #expect(found[server.url + "/old"]?.hasPrefix("HTTP/1.1 302") == true)

    let pages = try #require(files["pages/pages.jsonl"]).bytes.split(separator: 0x0A).map {
      try JSONDecoder().decode(ListedPage.self, from: Data($0))
    }
    #expect(pages.count == 2 && pages[1].url == server.url + "/one")
    #expect(pages[1].text?.contains("worth reading") == true && pages[1].ts?.hasSuffix("Z") == true)
    #expect(pages[1].title?.contains("page") == true)
  }

  @Test func `selected pages are exported, and other programs can read the file`() throws {
    try fill()
    let all = try export("--all")
    let one = try export(server.url + "/two", name: "two.wacz")
    #expect(try files(one)["pages/pages.jsonl"]?.bytes.split(separator: 0x0A).count == 2)
    #expect(try files(all)["pages/pages.jsonl"]?.bytes.split(separator: 0x0A).count == 3)
    let warc = sandbox.directory.appendingPathComponent("data.warc.gz")
    let records = try #require(try files(all)["archive/data.warc.gz"])
    try Data(records.bytes).write(to: warc)
    #expect(try Warcio.complaint(about: warc.path) == nil)
    guard Effort.isWhole else { return }
    for file in [all, one] {
      let judge = try Judges.run("wacz", ["validate", "-f", file])
      #expect(judge.status == 0 && judge.text.contains("is valid"), "\(judge.text)")
    }
    let directory = sandbox.directory.appendingPathComponent("pywb")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let urls = ["/old", "/one", "/two", "/c.png", "/none"].map { server.url + $0 }
    let responses = try Judges.replay(urls, of: all, in: directory)
    #expect(urls.map { responses[$0]?.status } == [302, 200, 200, 200, 404])
    #expect(responses[urls[1]]?.content.contains("First page") == true)
    #expect(responses[urls[3]]?.content.hasPrefix("\u{89}PNG") == true)
  }

  @Test func `private pages are excluded with their text, and a missing page is reported`() throws {
    server.on(
      "/mine",
      .response(
        [("Vary", "Authorization"), ("Content-Type", "text/html")], text: "<h1>topsecret</h1>"))
    server.on("/open", .response([("Content-Type", "text/html")], text: "<h1>Open</h1>"))
    let mine = server.url.replacingOccurrences(of: "//", with: "//user:secret@") + "/mine"
    #expect(try sandbox.offread("fetch", mine).status == 0)
    #expect(try sandbox.offread("fetch", server.url + "/open").status == 0)
    server.stop()
    let file = sandbox.directory.appendingPathComponent("out.wacz").path
    let urls = ["/mine", "/open", "/none"].map { server.url + $0 }
    let run = try sandbox.offread(["export", "--format", "wacz", "-o", file] + urls)
    #expect(run.status == 1 && run.errorText.contains("is not saved"), "\(run.errorText)")
    for content in try files(file).values {
      var text = content.bytes
      if content.path.hasSuffix(".gz") {
        text = []
        try Inflater(format: .gzip).inflate(content.bytes) { text += $0 }
      }
      #expect(!String(decoding: text, as: UTF8.self).contains("secret"), "\(content.path)")
    }
    let none = try sandbox.offread(["export", "--format", "wacz", "-o", file + "2", urls[2]])
    #expect(none.status == 1 && !FileManager.default.fileExists(atPath: file + "2"))
  }
}
