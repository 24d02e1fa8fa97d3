import Foundation
import TestSupport
import Testing

/// The programs in Examples, run as by someone who tries the library.
@Suite("Examples")
struct ExamplesTests {
  private let server: ScriptedServer
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
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
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func show() throws -> String {
      let words = ["-c", #"cd "$0" && exec "$1" "$2""#, folder.path]
      return try Program.run(
        "sh", words + [Self.program("ExampleFirst"), server.url + "/page"]
      ).text
    }
    #expect(try show() == "200 \(server.url)/page network 6 bytes\n")
    server.stop()
    #expect(try show().hasPrefix("200 \(server.url)/page saved("))
  }

  @Test func `the first program reports a page that cannot be loaded, and continues`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let page = server.url + "/page"
    let words = ["-c", #"cd "$0" && exec "$@""#, folder.path, Self.program("ExampleFirst")]
    let run = try Program.run("sh", words + ["no url", "http://127.0.0.1:1/", page])
    #expect(run.status == 0)
    let lines = run.text.split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[0] == "no url is not a URL")
    #expect(lines[1].hasPrefix("http://127.0.0.1:1/ the host refused the connection ("))
    #expect(lines[2] == "200 \(page) network 6 bytes")
  }

  @Test func `the client shows a page, and shows it again without the server`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let words = [folder.path, server.url + "/page"]
    let first = try Program.run(Self.program("ExampleClient"), words)
    #expect(first.text == "a page")
    #expect(first.errorText == "200 \(server.url)/page from the server\n")
    server.stop()
    let second = try Program.run(Self.program("ExampleClient"), words)
    #expect(second.text == "a page")
    #expect(second.errorText == "200 \(server.url)/page a saved copy\n")
    #expect(second.status == 0)
    let other = try Program.run(
      Self.program("ExampleClient"), [folder.path, server.url + "/other"])
    #expect(other.status == 1 && other.text.isEmpty)
    #expect(try Program.run(Self.program("ExampleClient"), [folder.path, "x"]).status == 2)
  }

  @Test func `the replay serves a URLSession from a WARC file alone`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try Program.run(Self.program("ExampleClient"), [folder.path, server.url + "/page"])
    server.stop()
    let archive = folder.appendingPathComponent("archive")
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
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: Self.program("ExampleProxy"))
    process.arguments = [folder.path, server.url]
    process.standardOutput = output
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    var line = Data()
    while line.last != UInt8(ascii: "\n"),
      case let byte = output.fileHandleForReading.readData(ofLength: 1),
      !byte.isEmpty
    { line += byte }
    let port = String(decoding: line.dropLast(), as: UTF8.self)
    let url = "http://localhost:\(port)/page?a=b"
    let words = ["fetch", "--data-dir", folder.path + "-client", "-i", url]
    defer { try? FileManager.default.removeItem(atPath: folder.path + "-client") }
    let first = try Program.run(Program.offread, words)
    #expect(first.text.contains("OfflineCache; fwd=uri-miss"))
    #expect(first.text.hasSuffix("a page"))
    #expect(server.requests.map(\.target) == ["/page?a=b"])
    server.stop()
    let second = try Program.run(Program.offread, words)
    #expect(second.text.contains("OfflineCache; hit; "))
    #expect(second.text.hasSuffix("a page"))
  }
}
