import Foundation
import TestSupport
import Testing
import WARC

/// `offread archive cdxj`.
@Suite struct CDXJCommandTests {
  let sandbox: Sandbox
  let server: ScriptedServer

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
  }

  /// A line of an index.
  private struct Line: Equatable {
    var key: String
    var time: String
    var fields: [String: String]
  }

  private func lines(_ text: String) throws -> [Line] {
    try text.split(separator: "\n").filter { !$0.hasPrefix("!") }.map { line in
      let parts = line.split(separator: " ", maxSplits: 2)
      return Line(
        key: String(parts[0]), time: String(parts[1]),
        fields: try JSONDecoder().decode([String: String].self, from: Data(parts[2].utf8)))
    }
  }

  /// Saves three pages, one of them in two versions, and a private one.
  private func fill() throws {
    for (path, text) in [("/Page?b&a", "one"), ("/Page?b&a", "two"), ("/x/", "three")] {
      server.on(path, .response([("Content-Type", "text/html; charset=utf-8")], text: text))
      #expect(try sandbox.offread("fetch", server.url + path).status == 0)
    }
    server.on("/gone", .response(status: 404, text: "none"))
    _ = try sandbox.offread("fetch", server.url + "/gone")
    server.on("/mine", .response([("Vary", "Authorization")], text: "topsecret"))
    let mine = server.url.replacingOccurrences(of: "//", with: "//user:secret@") + "/mine"
    #expect(try sandbox.offread("fetch", mine).status == 0)
  }

  @Test func `each response has a line that points to its record, except private ones`() throws {
    try fill()
    let run = try sandbox.offread("archive", "cdxj")
    #expect(run.status == 0 && run.errorText.contains("skipped 1 response"), "\(run.errorText)")
    let raw = run.text.split(separator: "\n")
    #expect(raw == raw.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(raw[0].hasPrefix("!meta 0 {\"format\": \"cdxj\"") && raw[1].hasPrefix("!segment 0 "))
    let lines = try lines(run.text)
    let port = try #require(URL(string: server.url)?.port)
    #expect(
      lines.map(\.key) == ["gone", "page?a&b", "page?a&b", "x"].map { "1,0,0,127:\(port))/\($0)" })
    #expect(lines.map { $0.fields["status"] } == ["404", "200", "200", "200"])
    #expect(lines[1].fields["mime"] == "text/html")
    for line in lines {
      #expect(line.time.count == 14)
      let segment = sandbox.data + "/archive/" + (line.fields["filename"] ?? "")
      let offset = try #require(Int64(line.fields["offset"] ?? ""))
      let reader = try WARCReader(path: segment, at: WARCPosition(offset: offset))
      guard case .record(let record, _)? = try reader.next() else {
        Issue.record("no record at \(offset)")
        continue
      }
      #expect(record.targetURI == line.fields["url"] && record.kind == .response)
      #expect(record.fields["WARC-Payload-Digest"] == line.fields["digest"])
      _ = try reader.readBlock()
      #expect(reader.end - offset == Int64(line.fields["length"] ?? ""))
    }
  }

  @Test(.enabled(if: Effort.isWhole))
  func `cdxj-indexer finds the same lines in the segments`() throws {
    try fill()
    let made = try sandbox.offread("archive", "cdxj", "--quiet")
    #expect(made.status == 0 && made.errorText.isEmpty)
    let paths = try sandbox.segments().map(\.path)
    let judge = try Judges.run("cdxj-indexer", ["--sort"] + paths)
    #expect(judge.status == 0, "\(judge.errorText)")
    let others = try lines(judge.text).filter {
      $0.fields["mime"] != "warc/revisit" && !$0.key.hasSuffix("/mine")
    }
    let lines = try lines(made.text)
    #expect(lines == others && lines.count == 4)
  }

  @Test func `an index in blocks has the same lines, and is not replaced unless requested`() throws
  {
    try fill()
    // Within the program, the bytes of this character are represented as if they were not UTF-8.
    let base = sandbox.directory.appendingPathComponent("in dex \u{EFE9}").path
    let run = try sandbox.offread("archive", "cdxj", "--zipnum", "--quiet", "-o", base + ".idx")
    #expect(run.status == 0 && run.text.isEmpty, "\(run.errorText)")
    #expect(
      try String(contentsOfFile: base + ".loc", encoding: .utf8)
        == "part-00000\tin dex \u{EFE9}.cdx.gz\n")
    let packed = try [UInt8](Data(contentsOf: URL(fileURLWithPath: base + ".cdx.gz")))
    var text: [UInt8] = []
    try Inflater(format: .gzip).inflate(packed) { text += $0 }
    let plain = try sandbox.offread("archive", "cdxj", "--quiet")
    let lines = try lines(String(decoding: text, as: UTF8.self))
    #expect(try lines == self.lines(plain.text) && !lines.isEmpty)
    let index = try String(contentsOfFile: base + ".idx", encoding: .utf8)
    #expect(index.hasPrefix("!meta 0\tpart-00000\t0\t\(packed.count)\t1"))
    let again = try sandbox.offread("archive", "cdxj", "--zipnum", "-o", base)
    #expect(again.status == 1 && again.errorText.contains("--force"))
    #expect(try sandbox.offread("archive", "cdxj", "--zipnum", "--force", "-o", base).status == 0)
    #expect(try sandbox.offread("archive", "cdxj", "--check", base + ".cdx.gz").status == 0)
  }

  @Test func `an index is reported as outdated after its segments were compacted`() throws {
    try fill()
    let file = sandbox.directory.appendingPathComponent("index.cdxj").path
    #expect(try sandbox.offread("archive", "cdxj", "--quiet", "-o", file).status == 0)
    let check = ["archive", "cdxj", "--check", file]
    #expect(try sandbox.offread(check).text == "the index matches the archive\n")
    server.on("/later", .response(text: "later"))
    #expect(try sandbox.offread("fetch", server.url + "/later").status == 0)
    let grown = try sandbox.offread(check)
    #expect(grown.status == 0 && grown.text.contains("has grown by"), "\(grown.text)")
    #expect(try sandbox.offread("remove", server.url + "/x/").status == 0)
    #expect(try !sandbox.offread("archive", "cdxj").text.contains("/x "))
    #expect(try sandbox.offread("archive", "compact").status == 0)
    let changed = try sandbox.offread(check)
    #expect(changed.status == 1 && changed.errorText.contains("was rewritten"), "\(changed.text)")
    #expect(try sandbox.offread("archive", "cdxj", "--quiet", "--force", "-o", file).status == 0)
    #expect(try sandbox.offread(check).status == 0)
  }

  @Test func `a file that is not an index is reported in one line`() throws {
    let garbage = try sandbox.file("garbage", "\u{1F}\u{8B}\u{1B}[31m\n")
    for path in [garbage, sandbox.directory.path, "/nonexistent/\u{1B}"] {
      let run = try sandbox.offread("archive", "cdxj", "--check", path)
      #expect(run.status == 1 && run.errorText.split(separator: "\n").count == 1)
      #expect(!run.errorText.contains("\u{1B}"))
    }
    let into = try sandbox.offread("archive", "cdxj", "-o", "/nonexistent/x")
    #expect(into.status == 1 && into.errorText.split(separator: "\n").count == 1)
    for mistake in [
      ["info", "-o", "x"], ["cdxj", "--zipnum"], ["cdxj", "--check", "x", "-o", "y"],
    ] {
      #expect(try sandbox.offread(["archive"] + mistake).status == 2, "\(mistake)")
    }
  }

  @Test(.enabled(if: Effort.isWhole), arguments: [false, true])
  func `pywb serves the files of the archive with the index`(_ isZipped: Bool) throws {
    try fill()
    server.stop()
    let collection = sandbox.directory.appendingPathComponent("c")
    let indexes = collection.appendingPathComponent("indexes")
    try FileManager.default.createDirectory(at: indexes, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: collection.path + "/archive", withDestinationPath: sandbox.data + "/archive")
    let options = isZipped ? ["--zipnum", "-o", "index"] : ["-o", "index.cdxj"]
    let file = indexes.path + "/" + (options.last ?? "")
    #expect(
      try sandbox.offread(["archive", "cdxj", "--quiet"] + options.dropLast() + [file]).status == 0)
    let directory = sandbox.directory.appendingPathComponent("pywb")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let urls = ["/Page?b&a", "/x/", "/gone", "/mine"].map { server.url + $0 }
    let responses = try Judges.replay(urls, of: collection.path, in: directory)
    #expect(urls.map { responses[$0]?.status } == [200, 200, 404, 404])
    #expect(responses[urls[0]]?.content == "two" && responses[urls[1]]?.content == "three")
    #expect(responses[urls[2]]?.content == "none")
  }
}
