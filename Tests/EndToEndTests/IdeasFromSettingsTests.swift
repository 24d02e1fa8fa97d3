import Foundation
import Synchronization
import TestSupport
import Testing

/// Features of earlier caches, configured in `config.toml` alone. The article about earlier systems
/// lists these rows.
@Suite struct IdeasFromSettingsTests {
  /// A run of `offread fetch` and its result.
  enum Step: Sendable {
    /// The content is that of the server's n-th response.
    case get(String, options: [String] = [], gives: Int)
    /// The content is this text.
    case read(String, options: [String] = [], text: String)
    /// Nothing is available offline.
    case misses(String, options: [String] = [])
  }

  struct Idea: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var settings: String
    var steps: [Step]

    init(_ name: String, _ settings: String, _ steps: [Step]) {
      (testDescription, self.settings, self.steps) = (name, settings, steps)
    }
  }

  private static let offline = ["--offline"]
  private static let key = ["-H", "MobileAppCacheKey: k"]

  static let ideas: [Idea] = [
    Idea(
      "from settings: a lifetime by rule", "[[rule]]\npath = \"/a*\"\nmax_age = \"1 h\"",
      [.get("/a", gives: 1), .get("/a", gives: 1), .get("/b", gives: 2), .get("/b", gives: 3)]),
    Idea(
      "from settings: the lifetime of preflight answers", "[[rule]]\naccess_control_max_age = true",
      [.get("/cors", gives: 1), .get("/cors", gives: 1)]),
    Idea(
      "from settings: no-store is respected", "[cache]\nrespect_no_store = true",
      [.get("/no-store", gives: 1), .misses("/no-store"), .get("/a", gives: 2)]),
    Idea(
      "from settings: no-cache is respected", "[cache]\nrespect_no_cache = true",
      [.get("/no-cache", gives: 1), .misses("/no-cache"), .get("/a", gives: 2)]),
    Idea(
      "from settings: what says no-store is archived all the same unless it is respected", "",
      [.get("/no-store", gives: 1), .get("/no-store", options: offline, gives: 1)]),
    Idea(
      "from settings: only some kinds are stored, by extension",
      "[[rule]]\nextension = [\"js\", \"css\"]\nstore = true\n[[rule]]\nstore = false",
      [
        .get("/x.js", gives: 1), .get("/x.js", options: offline, gives: 1),
        .get("/x.html", gives: 2), .misses("/x.html"),
      ]),
    Idea(
      "from settings: only some kinds are stored, by media type",
      "[[rule]]\nmime_type = \"image/*\"\nstore = false",
      [
        .get("/image", gives: 1), .misses("/image"), .get("/a", gives: 2),
        .get("/a", options: offline, gives: 2),
      ]),
    Idea(
      "from settings: what is too large is not stored",
      "[[rule]]\nsize = \"> 10 B\"\nstore = false",
      [.read("/long", text: "longer than ten bytes"), .misses("/long"), .get("/a", gives: 2)]),
    Idea(
      "from settings: hosts and paths that are not stored",
      "[[rule]]\nhost = \"127.0.0.1\"\npath = \"/private/*\"\nmethod = \"GET\"\nstore = false",
      [.get("/private/a", gives: 1), .misses("/private/a"), .get("/privately", gives: 2)]),
    Idea(
      "from settings: cache-first", "[[rule]]\nmode = \"cache-first\"",
      [.get("/a", gives: 1), .get("/a", gives: 1)]),
    Idea(
      "from settings: parameters dropped and sorted",
      "[[rule]]\ndrop_parameters = \"utm_*\"\nsort_query = true",
      [.get("/q?b=2&utm_x=1&a=1", gives: 1), .get("/q?a=1&b=2", options: offline, gives: 1)]),
    Idea(
      "from settings: upper and lower case are one entry", "[[rule]]\nfold_case = true",
      [.get("/Page?A", gives: 1), .get("/page?a", options: offline, gives: 1)]),
    Idea(
      "from settings: several URLs, one entry",
      "[[rule]]\npath = \"/front*\"\ncache_key = \"front\"",
      [.get("/front1", gives: 1), .get("/front2", options: offline, gives: 1), .misses("/f")]),
    Idea(
      "from settings: a field of the request names the entry",
      "[[rule]]\ncache_key_header = \"MobileAppCacheKey\"",
      [.get("/x", options: key, gives: 1), .get("/y", options: offline + key, gives: 1)]),
    Idea(
      "from settings: a field of the answer names the entry",
      "[[rule]]\ncache_key_answer_header = \"X-Entry\"",
      [
        .get("/entry1", gives: 1), .get("/entry2", gives: 2),
        .get("/entry1", options: offline, gives: 2), .misses("/entry3"),
      ]),
    Idea(
      "from settings: header fields set and removed",
      "[[rewrite]]\nset = { DNT = \"7\" }\nremove = \"X-Gone\"\nuser_agent = \"me/1\"",
      [.read("/echo", options: ["-H", "X-Gone: 1"], text: "me/1 7 -")]),
    Idea(
      "from settings: another server answers",
      "[[rewrite]]\nprefix = \"http://far.invalid/\"\nto = \"SERVER/near\"",
      [.read("http://far.invalid/where", text: "/near/where")]),
    Idea(
      "from settings: a proxy for some hosts",
      "[[rewrite]]\nhost = \"*.invalid\"\nproxy = \"SERVER\"",
      [.read("http://far.invalid/where", text: "http://far.invalid/where"), .get("/a", gives: 2)]),
    Idea(
      "from settings: a local file in place of a URL",
      "[[substitute]]\nurl = \"SERVER/page\"\nfile = \"../page.txt\"",
      [.read("/page", text: "local"), .get("/page2", gives: 1)]),
    Idea(
      "from settings: a folder in place of everything below a URL",
      "[[substitute]]\nprefix = \"SERVER/docs/\"\nfile = \"..\"",
      [.read("/docs/page.txt", text: "local"), .get("/docs/none", gives: 1)]),
    Idea(
      "from settings: pages that came along, as a mirror", "[[seed]]\nfolder = \"../mirror\"",
      [.read("http://old.invalid/page.txt", options: offline, text: "mirrored")]),
  ]

  /// The server for all rows, which counts its responses.
  private static func server() throws -> ScriptedServer {
    let server = try ScriptedServer()
    let count = Atomic(0)
    server.onOthers { request in
      let number = "\(count.add(1, ordering: .relaxed).newValue)"
      return switch request.target {
      case "/cors": .response([("Access-Control-Max-Age", "600")], text: number)
      case "/no-store": .response([("Cache-Control", "no-store")], text: number)
      case "/no-cache": .response([("Cache-Control", "no-cache")], text: number)
      case let target where target.hasPrefix("/entry"): .response([("X-Entry", "e")], text: number)
      case "/image": .response([("Content-Type", "image/png")], text: number)
      case "/long": .response(text: "longer than ten bytes")
      case "/echo":
        .response(
          text: ["User-Agent", "DNT", "X-Gone"].map { request[$0] ?? "-" }.joined(separator: " "))
      case let target where target.hasSuffix("/where"): .response(text: target)
      default: .response(text: number)
      }
    }
    return server
  }

  @Test(arguments: ideas)
  func `every idea that a settings file can express works from there`(_ idea: Idea) throws {
    let server = try Self.server()
    let sandbox = try Sandbox()
    _ = try sandbox.file("page.txt", "local")
    let mirror = sandbox.directory.appendingPathComponent("mirror/old.invalid")
    try FileManager.default.createDirectory(at: mirror, withIntermediateDirectories: true)
    try Data("mirrored".utf8).write(to: mirror.appendingPathComponent("page.txt"))
    try sandbox.settings(idea.settings.replacingOccurrences(of: "SERVER", with: server.url))
    func fetch(_ position: String, _ options: [String]) throws -> Program {
      try sandbox.offread(
        ["fetch"] + options + [position.hasPrefix("/") ? server.url + position : position])
    }
    for step in idea.steps {
      switch step {
      case .get(let position, let options, let number):
        #expect(try fetch(position, options).text == "\(number)", "\(position)")
      case .read(let position, let options, let text):
        #expect(try fetch(position, options).text == text, "\(position)")
      case .misses(let position, let options):
        #expect(try fetch(position, options + Self.offline).status == 4, "\(position)")
      }
    }
  }

  @Test func `from settings: shipped pages, as a WARC file`() throws {
    let server = try Self.server()
    let (writer, reader) = (try Sandbox(), try Sandbox())
    #expect(try writer.offread("fetch", server.url + "/a").text == "1")
    let segment = try #require(try writer.segments().first)
    try reader.settings("[[seed]]\nwarc = \"\(segment.path)\"\n")
    #expect(try reader.offread("fetch", "--offline", server.url + "/a").text == "1")
    #expect(try reader.offread("fetch", "--offline", server.url + "/b").status == 4)
  }

  @Test
  func `from settings: the maximum response and page sizes, measured during decompression`()
    throws
  {
    let server = try ScriptedServer()
    let text = Data(String(repeating: "many words\n", count: 10_000).utf8)
    let zipped = [UInt8](try Program.run("gzip", ["-c"], input: text).output)
    let fields = [("Content-Encoding", "gzip"), ("Content-Type", "text/plain")]
    server.onOthers { _ in .response(fields, body: zipped) }
    let (strict, lenient) = (try Sandbox(), try Sandbox())
    try strict.settings("[cache]\nsize_limit = \"20 kB\"\n")
    for command in ["fetch", "dump"] {
      let run = try strict.offread(command, server.url + "/")
      #expect(run.status == 1 && run.errorText.contains("larger than 20 kB"))
      // `fetch` has the same limit.
      #expect(!run.errorText.contains("offread fetch -o"))
      #expect(command == "fetch" || run.errorText.contains("raise size_limit in [cache]"))
      #expect(try strict.offread(command, "--offline", server.url + "/").status == 4)
    }
    try lenient.settings("[cache]\nrender_limit = \"20 kB\"\n")
    #expect(try lenient.offread("fetch", server.url + "/").output == text)
    let dumped = try lenient.offread("dump", "--offline", server.url + "/")
    #expect(dumped.status == 1 && dumped.output.isEmpty)
    #expect(dumped.errorText.contains("larger than 20 kB"))
    #expect(dumped.errorText.contains("offread fetch -o FILE '\(server.url)/'"))
  }

  @Test
  func `several caches side by side, a log with counters, the file of a page, and its removal`()
    throws
  {
    let server = try Self.server()
    let (one, other) = (try Sandbox(), try Sandbox())
    let log = one.directory.appendingPathComponent("log").path
    let url = server.url + "/a"
    let told = try one.offread("fetch", "-v", "--log", log, url).errorText
    #expect(told.contains("1 request, 0 hits, 1 forwarded"))
    #expect(try String(contentsOfFile: log, encoding: .utf8).contains("GET \(url) 200"))
    #expect(try other.offread("fetch", "--offline", url).status == 4)
    let versions = try one.offread("versions", "--json", url).text
    let file = try #require(try one.segments().first?.lastPathComponent)
    #expect(versions.contains("\"file\" : \"\(file)\"") && versions.contains("\"offset\" : "))
    #expect(try one.offread("remove", url).status == 0)
    #expect(try one.offread("fetch", "--offline", url).status == 4)
    #expect(try one.offread("archive", "compact", "--dry-run").status == 0)
  }
}
