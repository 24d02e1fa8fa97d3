import Foundation
import TestSupport
import Testing

/// Downloads of files that offread does not show: their paths, and their cancellation.
@Suite struct FileDownloadTests {
  private static let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  private static func page(_ link: String) -> ServerScript {
    .response([("Content-Type", "text/html")], text: "<title>Files</title><a href=\(link)>Get</a>")
  }

  private func contents(of directory: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  /// Opens the page with the link, follows it, and types a path at the question.
  private func follow(_ url: String, in sandbox: Sandbox, _ options: String...) throws
    -> TmuxScreen
  {
    let screen = try sandbox.reader(options + [url])
    try screen.wait(for: "Get")
    try screen.press("Tab", "Enter")
    return screen
  }

  @Test func `a linked file is saved to the path the user types, also from the saved copy`() throws
  {
    let sandbox = try Sandbox()
    let target = sandbox.directory.appendingPathComponent("target")
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    let server = try ScriptedServer()
    server.on("/", Self.page("/get?id=3"))
    server.on(
      "/get?id=3",
      .response(
        [
          ("Content-Type", "application/octet-stream"),
          ("Content-Disposition", "attachment; filename=\"../tide.bin\""),
        ], body: Self.bytes))
    let screen = try follow(server.url, in: sandbox)
    try screen.wait(for: "Save file (300 kB) as: tide.bin")
    try screen.press("C-u")
    try screen.type(target.path + "/first.bin")
    try screen.press("Enter")
    try screen.wait("it is written") { $0.contains { $0.contains("wrote") } }
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    server.stop()
    let offline = try follow(server.url, in: sandbox)
    try offline.wait(for: "as: tide.bin")
    try offline.press("C-u")
    try offline.type(target.path + "/first.bin")
    try offline.press("Enter")
    try offline.wait(for: "first.bin exists. Save as: ")
    try offline.press("Enter")
    try offline.wait("it is written") { $0.contains { $0.contains("wrote") } }
    try offline.press("q")
    #expect(try offline.waitForExit() == 0)
    #expect(try contents(of: target) == ["first-2.bin", "first.bin"])
    for name in ["first.bin", "first-2.bin"] {
      let data = try Data(contentsOf: target.appendingPathComponent(name))
      #expect(data == Data(Self.bytes), "\(name)")
    }
  }

  @Test func `C-c cancels a download, and no partial file is left`() throws {
    let sandbox = try Sandbox()
    let target = sandbox.directory.appendingPathComponent("target")
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    let server = try ScriptedServer()
    let gate = Gate()
    server.on("/", Self.page("/slow.zip"))
    let fields = [("Content-Type", "application/zip"), ("Content-Length", "\(Self.bytes.count)")]
    server.on(
      "/slow.zip",
      ServerScript([
        .send(ServerScript.head(status: 200, fields)), .content(Array(Self.bytes[..<150_000])),
        .wait(gate), .close,
      ]))
    let screen = try follow(server.url, in: sandbox)
    try screen.wait(for: "Save file (300 kB) as: slow.zip")
    try screen.press("C-u")
    try screen.type(target.path + "/slow.zip")
    try screen.press("Enter")
    try screen.wait("the progress is shown") { $0.contains { $0.contains("saving slow.zip") } }
    try screen.press("C-c")
    try screen.wait(for: "cancelled slow.zip; no file was written")
    gate.open()
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    #expect(try contents(of: target).isEmpty)
  }

  @Test func `an attachment is shown if the user gives its URL`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on(
      "/notes",
      .response(
        [("Content-Type", "text/plain"), ("Content-Disposition", "attachment")],
        text: "notes of the harbour"))
    let run = try sandbox.offread("dump", server.url + "/notes")
    #expect(run.status == 0 && run.text.contains("notes of the harbour"))
  }
}
