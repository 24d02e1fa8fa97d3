import Foundation
import OfflineCache
import TestSupport
import Testing

/// Misbehaving web archives, tested with the built program.
@Suite struct RemoteTests {
  private let sandbox: Sandbox
  private let server: ScriptedServer
  private let page: String
  private let map: String

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
    page = server.url + "/gone"
    map = "/timemap/\(server.url)/gone"
    try sandbox.settings(
      """
      [cache]
      timeout = "2 s"
      [[remote]]
      timemap = "\(server.url)/timemap/"
      """)
  }

  private func memento(_ day: Int) -> String {
    "</web/2024110\(day)000000/\(page)>; rel=\"memento\"; "
      + "datetime=\"\(HTTPDate.format(Self.date(day)))\",\n"
  }

  private static func date(_ day: Int) -> Date {
    Date(timeIntervalSince1970: 1_730_419_200 + Double(day - 1) * 86_400)
  }

  private func serve(_ day: Int) {
    server.on(
      "/web/2024110\(day)000000id_/\(page)",
      .response(
        [("Memento-Datetime", HTTPDate.format(Self.date(day))), ("Content-Type", "text/html")],
        text: "<p>Text of day \(day)"))
  }

  private static let mapHead = [("Content-Type", "application/link-format")]

  @Test func `a TimeMap of 100 MB is read up to 64 MB, or rejected by its declared length`() throws
  {
    let megabyte = String(
      repeating: "</other>; rel=\"unknown\"; title=\"\(String(repeating: "x", count: 200))\",\n",
      count: 4400)
    let block = Array((memento(1) + megabyte).utf8)
    let chunk = Array("\(String(block.count, radix: 16))\r\n".utf8) + block + Array("\r\n".utf8)
    let head = ServerScript.head(
      status: 200, Self.mapHead + [("Transfer-Encoding", "chunked")])
    server.on(
      map,
      ServerScript(
        [.send(head)] + Array(repeating: .content(chunk), count: Effort.rounds(100, part: 4))
          + [.content(Array("0\r\n\r\n".utf8))]))
    serve(1)
    try sandbox.settings("[[remote]]\ntimemap = \"\(server.url)/timemap/\"")
    let run = try sandbox.offread("dump", page)
    #expect(run.status == 0 && run.text.contains("Text of day 1"), "\(run.errorText)")
    let other = server.url + "/other"
    server.on(
      "/timemap/\(other)",
      ServerScript([
        .send(ServerScript.head(status: 200, Self.mapHead + [("Content-Length", "100000000")])),
        .content(block), .close,
      ]))
    let refused = try sandbox.offread("dump", other)
    #expect(refused.status != 0 && refused.errorText.contains("larger than 64 MiB"))
  }

  @Test func `an archive that stalls is abandoned after its time limit, and named`() throws {
    let gate = Gate()
    defer { gate.open() }
    server.on(map, ServerScript([.wait(gate)]))
    let silent = try sandbox.offread("dump", page)
    #expect(silent.status != 0 && silent.errorText.contains("timed out"), "\(silent.errorText)")
    #expect(silent.errorText.contains("the archive of 127.0.0.1 did not respond"))
    // The archive stalls in the middle of its list, and in the middle of a capture.
    let head = ServerScript.head(status: 200, Self.mapHead + [("Content-Length", "1000000")])
    server.on(map, ServerScript([.send(head), .content(Array(memento(2).utf8)), .wait(gate)]))
    serve(2)
    let half = try sandbox.offread("dump", page)
    #expect(half.text.contains("Text of day 2"), "\(half.errorText)")
    let other = server.url + "/other"
    server.on(
      "/timemap/\(other)",
      .response(
        Self.mapHead,
        text: "</web/20241103000000/\(other)>; rel=\"memento\"; "
          + "datetime=\"\(HTTPDate.format(Self.date(3)))\""))
    server.on(
      "/web/20241103000000id_/\(other)",
      ServerScript([
        .send(
          ServerScript.head(
            status: 200,
            [
              ("Memento-Datetime", HTTPDate.format(Self.date(3))), ("Content-Type", "text/html"),
              ("Content-Length", "1000000"),
            ])), .content(Array("<p>Half of it".utf8)), .wait(gate),
      ]))
    let cut = try sandbox.offread("dump", other)
    #expect(cut.status != 0 && !cut.text.contains("Half of it"))
    // Nothing of the response is stored.
    let offline = try sandbox.offread("dump", "--offline", other)
    #expect(offline.status == 4)
  }
}
