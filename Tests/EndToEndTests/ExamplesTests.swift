import Foundation
import TestSupport
import Testing

/// The programs in Examples, run as by someone who tries the library.
@Suite("Examples")
struct ExamplesTests {
  private let server: ScriptedServer
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
    UUID().uuidString)

  init() throws {
    server = try ScriptedServer()
    server.onOthers { _ in .response([("Content-Type", "text/plain")], text: "a page") }
  }

  private static func program(_ name: String) -> String {
    URL(fileURLWithPath: Program.offread).deletingLastPathComponent().appendingPathComponent(name)
      .path
  }

  @Test func `the first program prints the source of a page`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    func show() throws -> String {
      let tokens = ["-c", #"cd "$0" && exec "$1" "$2""#, directory.path]
      return try Program.run(
        "sh", tokens + [Self.program("ExampleFirst"), server.url + "/page"]
      ).text
    }
    #expect(try show() == "200 \(server.url)/page network 6 bytes\n")
    server.stop()
    #expect(try show().hasPrefix("200 \(server.url)/page saved("))
  }

  @Test func `the first program reports a page that cannot be loaded, and continues`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let page = server.url + "/page"
    let tokens = ["-c", #"cd "$0" && exec "$@""#, directory.path, Self.program("ExampleFirst")]
    let run = try Program.run("sh", tokens + ["no url", "http://127.0.0.1:1/", page])
    #expect(run.status == 0)
    let lines = run.text.split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[0] == "no url is not a URL")
    #expect(lines[1].hasPrefix("http://127.0.0.1:1/ the host refused the connection ("))
    #expect(lines[2] == "200 \(page) network 6 bytes")
  }

  @Test func `the client shows a page, and shows it again without the server`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let tokens = [directory.path, server.url + "/page"]
    let first = try Program.run(Self.program("ExampleClient"), tokens)
    #expect(first.text == "a page")
    #expect(first.errorText == "200 \(server.url)/page from the server\n")
    server.stop()
    let second = try Program.run(Self.program("ExampleClient"), tokens)
    #expect(second.text == "a page")
    #expect(second.errorText == "200 \(server.url)/page a saved copy\n")
    #expect(second.status == 0)
    let other = try Program.run(
      Self.program("ExampleClient"), [directory.path, server.url + "/other"])
    #expect(other.status == 1 && other.text.isEmpty)
    #expect(try Program.run(Self.program("ExampleClient"), [directory.path, "x"]).status == 2)
  }

  @Test func `the replay serves a URLSession from a WARC file alone`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    _ = try Program.run(Self.program("ExampleClient"), [directory.path, server.url + "/page"])
    server.stop()
    let archive = directory.appendingPathComponent("archive")
    let segment = try #require(
      try FileManager.default.contentsOfDirectory(atPath: archive.path)
        .first { $0.contains(".warc") })
    let file = archive.appendingPathComponent(segment).path
    let shown = try Program.run(Self.program("ExampleReplay"), [file, server.url + "/page"])
    #expect(shown.text == "a page")
    #expect(shown.status == 0)
    #expect(try Program.run(Self.program("ExampleReplay"), [file, server.url + "/no"]).status == 1)
  }

  @Test func `the proxy keeps responding while its origin is down`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let (process, port) = try Self.start("ExampleProxy", [directory.path, server.url])
    defer { Self.stop(process) }
    let url = "http://localhost:\(port)/page?a=b"
    let tokens = ["fetch", "--data-dir", directory.path + "-client", "-i", url]
    defer { try? FileManager.default.removeItem(atPath: directory.path + "-client") }
    let first = try Program.run(Program.offread, tokens)
    #expect(first.text.contains("OfflineCache; fwd=uri-miss"))
    #expect(first.text.hasSuffix("a page"))
    #expect(server.requests.map(\.target) == ["/page?a=b"])
    server.stop()
    let second = try Program.run(Program.offread, tokens)
    #expect(second.text.contains("OfflineCache; hit; "))
    #expect(second.text.hasSuffix("a page"))
  }

  @Test func `the mirror follows RFC 9111 for several clients, with a dictionary as its store`()
    throws
  {
    server.on(
      "/page",
      .response(
        [
          ("ETag", "\"1\""), ("Cache-Control", "private=\"X-User\", max-age=60"), ("X-User", "1"),
          ("Vary", "Accept-Language"),
        ], text: "0123456789"))
    server.on("/private", .response([("Cache-Control", "private, max-age=60")], text: "mine"))
    server.on("/moved", .redirect(to: "/page"))
    server.on(
      "/tagged", .response([("ETag", "\"2\""), ("Cache-Control", "no-cache")], text: "tag"))
    let (process, port) = try Self.start("ExampleMirror", [server.url])
    defer { Self.stop(process) }
    defer { try? FileManager.default.removeItem(at: directory) }
    func fetch(_ path: String, _ text: String...) throws -> String {
      let url = "http://127.0.0.1:\(port)\(path)"
      let own = ["fetch", "--data-dir", directory.path, "--mode", "network-only", "-i"]
      return try Program.run(Program.offread, own + ["--max-redirects", "0"] + text + [url]).text
    }
    let first = try fetch("/page")
    #expect(first.contains("Cache-Status: mirror; fwd=uri-miss; fwd-status=200; stored"))
    #expect(!first.contains("X-User:") && first.hasSuffix("0123456789"))
    let second = try fetch("/page")
    #expect(second.contains("mirror; hit; ttl=") && second.contains("Age: "))
    let part = try fetch("/page", "-H", "Range: bytes=2-4")
    #expect(part.contains(" 206 ") && part.hasSuffix("234"))
    #expect(try fetch("/page", "-H", "If-None-Match: \"1\"").contains(" 304 "))
    #expect(try fetch("/page", "-H", "Accept-Language: de").contains("fwd=uri-miss"))
    for _ in 1...2 {
      #expect(try fetch("/private").contains("mirror; fwd=uri-miss; fwd-status=200"))
    }
    for _ in 1...2 { #expect(try fetch("/moved").contains(" 302 ")) }
    #expect(try fetch("/tagged").contains("stored"))
    server.on("/tagged", .response(status: 304, [("ETag", "\"2\"")], text: ""))
    let validated = try fetch("/tagged")
    #expect(validated.contains("fwd=stale; fwd-status=304") && validated.hasSuffix("tag"))
    _ = try fetch("/page", "-X", "POST", "--data", "x")
    #expect(try fetch("/page").contains("mirror; fwd="))
    #expect(
      try fetch("/none", "-H", "Cache-Control: only-if-cached").contains(" 504 "))
    server.stop()
    #expect(try fetch("/page").contains("mirror; hit"))
    #expect(try fetch("/private").contains(" 502 "))
  }

  /// Starts a server and returns the port that it prints.
  private static func start(_ name: String, _ tokens: [String]) throws -> (Process, port: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program(name))
    process.arguments = tokens
    process.standardOutput = output
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n"),
      case let byte = output.fileHandleForReading.readData(ofLength: 1),
      !byte.isEmpty
    { line += byte }
    return (process, String(decoding: line.dropLast(), as: UTF8.self))
  }

  private static func stop(_ process: Process) {
    process.terminate()
    process.waitUntilExit()
  }
}
