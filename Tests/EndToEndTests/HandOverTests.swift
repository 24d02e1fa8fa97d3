import Foundation
import TestSupport
import Testing

/// URLs from other programs: desktop entries, standard input and `offread:`, and complete pages on
/// the disk.
@Suite struct HandOverTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func entry(_ name: String) throws -> [String: String] {
    let text = try String(
      contentsOf: root.appendingPathComponent("desktop/\(name)"), encoding: .utf8)
    let lines = text.split(separator: "\n")
    try #require(lines.first == "[Desktop Entry]")
    return Dictionary(
      try lines.dropFirst().map { line in
        let pair = line.split(separator: "=", maxSplits: 1).map(String.init)
        try #require(pair.count == 2, "\(line)")
        return (pair[0], pair[1])
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `desktop entries pass one URL after --, and are installed and removed`() throws {
    let types = [
      "offread.desktop": "text/html;application/xhtml+xml;",
      "offread-add.desktop": "x-scheme-handler/offread;",
    ]
    for (name, type) in types {
      let entry = try Self.entry(name)
      #expect(entry["Type"] == "Application" && entry["Name"] != nil && entry["MimeType"] == type)
      let command = try #require(entry["Exec"])
      #expect(command.hasPrefix("offread ") && command.hasSuffix(" -- %u"))
      #expect(entry["TryExec"] == "offread")
      #expect(["true", "false"].contains(entry["Terminal"]))
    }
    let manual = try String(
      contentsOf: Self.root.appendingPathComponent("man/offread-add.1"), encoding: .utf8)
    #expect(
      manual.contains("javascript:location.href='offread:'+encodeURIComponent(location.href)"))
    let sandbox = try Sandbox()
    let prefix = sandbox.directory.appendingPathComponent("prefix").path
    let scripts = Self.root.appendingPathComponent("scripts").path
    let run = try Program.run(
      scripts + "/install", [prefix], environment: ["OFFREAD_BINARY": Program.offread])
    #expect(run.status == 0, "\(run.errorText)")
    for name in types.keys {
      #expect(FileManager.default.fileExists(atPath: "\(prefix)/share/applications/\(name)"))
    }
    #expect(try Program.run(scripts + "/uninstall", [prefix]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: "\(prefix)/share/applications"))
  }

  @Test
  func `added pages are queued, passed URLs are not pinned, and hostile URLs change nothing`()
    throws
  {
    let sandbox = try Sandbox()
    let command = try #require(try Self.entry("offread-add.desktop")["Exec"])
    func handOver(_ text: String) throws -> Program {
      try sandbox.offread(
        command.split(separator: " ").dropFirst().map { $0 == "%u" ? text : String($0) })
    }
    for text in [
      "offread:", "--help", "--data-dir=/tmp", "offread:--tag", "offread:javascript:alert(1)",
      "offread:http://127.0.0.1/", "offread:https://a.example/%0Ahttps://b.example/", "-x",
      "offread:https://a:b@a.example/", "offread:https://a.example/\u{202E}",
      "offread:https://a.example/" + String(repeating: "a", count: 9000),
    ] {
      let run = try handOver(text)
      #expect(run.status == 2 && run.text.isEmpty, "\(text)")
      #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
    }
    #expect(!FileManager.default.fileExists(atPath: sandbox.data + "/library"))
    #expect(try handOver("offread:https%3A%2F%2Fa.example%2Fx").status == 0)
    let added = try sandbox.offread(
      "add", "--tag", "Trip", "b.example", "-", input: Data("https://c.example/\n# no\n".utf8))
    #expect(added.status == 0 && added.text.hasPrefix("queued 2 pages"), "\(added.errorText)")
    let twice = try sandbox.offread("add", "--", "offread:https%3A%2F%2Fa.example%2Fx")
    #expect(twice.status == 0 && twice.text == "1 page is already kept or queued\n")
    let same = try sandbox.offread(
      "add", "https://d.example/x", "https://d.example/x#a", "https://d.example/x?utm_source=y")
    #expect(same.text.hasPrefix("queued 1 page;") && same.text.split(separator: "\n").count == 1)
    let queue = try sandbox.offread("list", "--queue").text
    for tokens in [["https://a.example/x"], ["#trip", "//b.example/"], ["#trip", "//c.example/"]] {
      let isThere = queue.split(separator: "\n").contains { line in
        tokens.allSatisfy { line.contains($0) }
      }
      #expect(isThere, "\(queue)")
    }
    let kept = try sandbox.offread("list").text
    #expect(kept.contains("b.example") && !kept.contains("a.example"))
    let journals = try FileManager.default.contentsOfDirectory(atPath: sandbox.data + "/library")
    #expect(journals.count { $0.hasSuffix(".journal") } == 1)
  }

  @Test func `a complete page leaves no secret in any file, and other programs read its records`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let html = [("Content-Type", "text/html"), ("Set-Cookie", "seen=1")]
    server.on(
      "/", .response(html, text: "<title>T</title><link rel=stylesheet href=/a.css><p>words"))
    server.on("/a.css", .response([("Content-Type", "text/css")], text: "p{background:url(p.png)}"))
    server.on("/p.png", .response([("Content-Type", "image/png")], text: "png"))
    server.on("/kept", .response(html, text: "<p>words"))
    try sandbox.settings(
      """
      [[rewrite]]
      host = "127.0.0.1"
      set = { Accept = "marker-rule" }
      """)
    let cookies = try sandbox.file(
      "cookies.txt",
      "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\ts\tmarker-cookie\n")
    let host = server.url.dropFirst("http://".count)
    let fetched = try sandbox.offread("fetch", "-H", "X-Key: marker-field", server.url + "/kept")
    #expect(fetched.status == 0)
    let saved = try sandbox.offread(
      "save", "--complete", "--delay", "0", "--cookies", cookies,
      "http://user:marker-password@\(host)/", "-", input: Data((server.url + "/kept\n").utf8))
    #expect(saved.status == 0, "\(saved.errorText)")
    #expect(saved.errorText.contains("needs 1 subresource in a browser"))
    #expect(saved.text.contains("2 subresources saved for browsers"), "\(saved.text)")
    let run = try Program.run(
      "sh",
      [
        "-c",
        "find \"$0\" -type f | while read -r f; do cat \"$f\"; gzip -dc \"$f\" 2>/dev/null; done",
        sandbox.data,
      ])
    let all = String(decoding: run.output, as: UTF8.self)
    #expect(all.contains("msgtype=request") && all.contains("GET /a.css HTTP/1.1"))
    let basic = Data("user:marker-password".utf8).base64EncodedString()
    for secret in ["marker-cookie", "marker-password", "marker-field", basic] {
      #expect(!all.contains(secret), "\(secret)")
    }
    for segment in try sandbox.segments() {
      let text = try Program.run("gzip", ["-dc", segment.path]).text
      #expect(!text.contains("marker-rule"))
      #expect(try Warcio.complaint(about: segment.path) == nil)
    }
  }
}
