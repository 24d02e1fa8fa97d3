import Foundation
import TestSupport
import Testing

/// Work with a library in which a page crashes the program.
@Suite final class CrashingPageTests {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent(
    UUID().uuidString)

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  private static let all = "http://a.test/1 http://a.test/2 http://a.test/3\n"
  private static let others = "http://a.test/1 http://a.test/3\n"

  private func search(_ fault: String, version: String = "1") throws -> Program {
    let program = URL(fileURLWithPath: Program.offread).deletingLastPathComponent()
      .appendingPathComponent("CrashingPages").path
    return try Program.run(program, [directory.path, version, fault])
  }

  private var left: [String] {
    let crashes = directory.appendingPathComponent("crashes").path
    return ((try? FileManager.default.contentsOfDirectory(atPath: crashes)) ?? [])
      .filter { $0 != "crashes.json" }
  }

  @Test(arguments: ["trap", "stack", "segv", "abort"])
  func `a page on which two runs have crashed is skipped by the third`(fault: String) throws {
    for _ in 0..<2 {
      let run = try search(fault)
      #expect(run.status != 0 && run.text.isEmpty)
      #expect(left.count == 1)
    }
    let third = try search(fault)
    #expect(third.status == 0)
    let line = "left out: http://a.test/2: offread 1 crashed on it twice"
    #expect(third.text.hasPrefix(Self.others + line))
    #expect(left.isEmpty)
    // Another version tries it again, and the page is available if that succeeds.
    #expect(try search("none", version: "2").text == Self.all)
    #expect(try search("none", version: "2").text == Self.all)
  }

  @Test(arguments: ["interrupt", "terminate", "kill"])
  func `a page is not skipped if its runs were killed from outside`(fault: String) throws {
    for _ in 0..<3 {
      let run = try search(fault)
      #expect(run.status != 0 && run.text.isEmpty)
    }
    #expect(try search("none").text == Self.all)
    #expect(left.isEmpty)
  }

  @Test func `a single crash skips nothing`() throws {
    #expect(try search("trap").status != 0)
    #expect(try search("none").text == Self.all)
    #expect(left.isEmpty)
  }

  // MARK: Readiness and imports

  /// Records that this version of the program has crashed twice on the given pages.
  private static func recordCrashes(on pages: [String], in sandbox: Sandbox) throws {
    let version = try sandbox.offread("--version").text.split(whereSeparator: \.isWhitespace).last
    let ledger = [
      "pages": try pages.map { page in
        let version = String(try #require(version))
        return ["key": page, "version": version, "deaths": 2, "signal": 4] as [String: Any]
      }
    ]
    let directory = URL(fileURLWithPath: sandbox.data + "/state/crashes")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try JSONSerialization.data(withJSONObject: ledger)
      .write(to: directory.appendingPathComponent("crashes.json"))
  }

  @Test func `check reports that a page on which the program has crashed is not ready`() throws {
    let (sandbox, server) = (try Sandbox(), try ScriptedServer())
    let text = String(repeating: "Words to read. ", count: 60)
    for path in ["/good", "/bad"] {
      server.on(path, .response(status: 200, [("Content-Type", "text/html")], text: "<p>\(text)"))
    }
    let urls = [server.url + "/good", server.url + "/bad"]
    #expect(try sandbox.offread("save", urls[0], urls[1]).status == 0)
    #expect(try sandbox.offread("check").text.contains("2 of 2 pages can be read"))
    try Self.recordCrashes(on: [urls[1]], in: sandbox)
    let check = try sandbox.offread("check")
    #expect(check.status == 1)
    #expect(check.text.contains("ready    \(urls[0])"))
    #expect(check.text.contains("unready  \(urls[1])"), "\(check.text)")
    #expect(
      check.text.contains("offread has crashed on it; another version of offread tries it again"))
    #expect(check.text.contains("1 of 2 pages can be read"))
    // A save that fetches it again also reports it.
    let saved = try sandbox.offread("save", urls[1])
    #expect(saved.status == 1 && saved.text.contains("offread has crashed on it"), "\(saved.text)")
  }

  @Test func `import skips a file on which the program has crashed, and imports the others`()
    throws
  {
    let sandbox = try Sandbox()
    let files = ["good", "bad"].map { URL(fileURLWithPath: "\(sandbox.data)/\($0).txt") }
    try Self.recordCrashes(on: [files[1].absoluteString], in: sandbox)
    for file in files {
      try Data("https://a.test/\(file.lastPathComponent)\n".utf8).write(to: file)
    }
    let run = try sandbox.offread("import", files[1].path, files[0].path)
    #expect(run.status != 0)
    #expect(run.errorText.contains("bad.txt: offread has crashed on it"), "\(run.errorText)")
    let list = try sandbox.offread("list", "--queue").text
    #expect(list.contains("good.txt") && !list.contains("bad.txt"))
  }
}
