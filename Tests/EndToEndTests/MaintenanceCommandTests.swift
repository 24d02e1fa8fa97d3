import Foundation
import TestSupport
import Testing

/// `offread versions`, `remove` and `archive`.
@Suite struct MaintenanceCommandTests {
  let sandbox: Sandbox
  let server: ScriptedServer

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
  }

  /// Saves three versions of a page: two good ones and an error.
  private func fill() throws -> String {
    let url = server.url + "/page"
    for (status, text) in [(200, "one"), (200, "two"), (500, "broken")] {
      server.on(
        "/page", .response(status: status, [("Content-Type", "text/html")], text: text))
      #expect(try sandbox.offread("fetch", url).status == 0)
    }
    return url
  }

  private struct Report: Decodable {
    var version: Int
    var versions: [Version]
  }

  private struct Version: Decodable {
    var id: String
    var status: Int
    var is_trusted: Bool
    var is_current: Bool
    var distrust: String?
  }

  @Test func `every version is listed, and --copy accepts the listed ids`() throws {
    let url = try fill()
    let table = try sandbox.offread("versions", url)
    let rows = table.text.split(separator: "\n")
    #expect(table.status == 0 && rows.count == 4 && rows[0].hasPrefix("ID "))
    #expect(rows[1].contains("500") && rows[1].contains("no: status 500"))
    #expect(rows[2].contains(" * ") && rows[2].contains("yes"))
    let listed = try sandbox.offread("versions", "--json", url)
    let report = try JSONDecoder().decode(Report.self, from: Data(listed.output))
    let versions = report.versions
    #expect(report.version == 1)
    #expect(versions.map(\.status) == [500, 200, 200])
    #expect(versions.map(\.is_current) == [false, true, false])
    #expect(versions.map(\.is_trusted) == [false, true, true])
    #expect(versions[0].distrust == "status 500")
    for (copy, text) in [
      ("latest", "two"), ("previous", "two"), (versions[0].id, "broken"), (versions[1].id, "two"),
      (String(versions[2].id.prefix(8)), "one"),
    ] {
      let run = try sandbox.offread("fetch", "--offline", "--copy", copy, url)
      #expect(run.text == text, "\(copy)")
    }
    let none = try sandbox.offread("versions", server.url + "/none")
    #expect(none.status == 1 && none.errorText.contains("is not saved"))
  }

  @Test func `a removed page is gone, and pages that were not saved are reported`() throws {
    let url = try fill()
    server.on("/from", .redirect(302, to: "/page"))
    #expect(try sandbox.offread("fetch", server.url + "/from").status == 0)
    let redirect = try sandbox.offread("remove", server.url + "/from")
    #expect(redirect.status == 0 && redirect.text.contains("\(url), which stays saved"))
    let plan = try sandbox.offread("remove", "--dry-run", url)
    #expect(plan.status == 0 && plan.text.hasPrefix("would remove \(url): 3 versions"))
    #expect(try sandbox.offread("fetch", "--offline", url).status == 0)
    let removal = try sandbox.offread("remove", url)
    #expect(removal.status == 0 && removal.text.hasPrefix("removed \(url): 3 versions"))
    #expect(removal.errorText.isEmpty)
    #expect(try sandbox.offread("fetch", "--offline", url).status == 4)
    let again = try sandbox.offread("remove", url)
    #expect(
      again.status == 1 && again.output.isEmpty && again.errorText.contains("is not saved"))
    let index = try Data(contentsOf: URL(fileURLWithPath: sandbox.data + "/index.sqlite"))
    #expect(index.range(of: Data("/page".utf8)) == nil)
  }

  @Test func `commands that read saved pages create no directory`() throws {
    for (arguments, status) in [
      (["archive", "info"], 0), (["archive", "verify"], 0), (["archive", "compact"], 0),
      (["archive", "rebuild"], 0), (["archive", "cdxj"], 0),
      (["versions", "https://a.example/"], 1),
      (["remove", "https://a.example/"], 1),
    ] {
      let run = try sandbox.offread(arguments)
      #expect(run.status == Int32(status), "\(arguments): \(run.errorText)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.data), "\(arguments)")
    }
    #expect(try sandbox.offread("archive", "info").text.contains("pages     0 of 0 hosts"))
  }

  @Test(arguments: ["fetch", "dump", "versions"])
  func `a rebuilt index is reported once`(_ command: String) throws {
    let url = try fill()
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: sandbox.data + "/index.sqlite" + suffix)
    }
    try Data(repeating: 7, count: 5000)
      .write(to: URL(fileURLWithPath: sandbox.data + "/index.sqlite"))
    let arguments = [command] + (command == "versions" ? [] : ["--offline"]) + [url]
    let message = "the index of saved pages was rebuilt"
    let first = try sandbox.offread(arguments)
    #expect(first.status == 0)
    #expect(first.errorText.components(separatedBy: message).count == 2, "\(first.errorText)")
    #expect(try !sandbox.offread(arguments).errorText.contains(message))
  }

  @Test
  func `a damaged page of the library database is repaired by the next command with one notice`()
    throws
  {
    let url = try fill()
    for number in 0..<20 {
      #expect(
        try sandbox.offread("mark", "--tag", "tag \(number)", "--note", "words", url).status == 0)
    }
    let before = try sandbox.offread("list", "--tag", "tag 7").text
    #expect(before.contains(url))
    let file = URL(fileURLWithPath: sandbox.data + "/library.sqlite")
    let bytes = [UInt8](try Data(contentsOf: file))
    let message = "offread: the database of the library was damaged and has been rebuilt\n"
    for start in stride(from: 0, to: bytes.count, by: 4096) {
      var damaged = bytes
      for position in start..<start + 4096 { damaged[position] = 0 }
      try Data(damaged).write(to: file)
      let run = try sandbox.offread("list", "--tag", "tag 7")
      #expect(run.status == 0 && run.text == before, "\(start)")
      #expect(run.errorText == message || run.errorText.isEmpty, "\(start): \(run.errorText)")
      if start == 0 || start == 4096 { #expect(run.errorText == message, "\(start)") }
      let again = try sandbox.offread("list", "--tag", "tag 7")
      #expect(again.text == before && again.errorText.isEmpty, "\(start): \(again.errorText)")
    }
    #expect(FileManager.default.fileExists(atPath: file.path + ".damaged"))
    // All three databases, none of which can be opened.
    #expect(try sandbox.offread("search", "two").status == 0)
    for name in ["index", "library", "search"] {
      try Data(repeating: 7, count: 5000)
        .write(to: URL(fileURLWithPath: sandbox.data + "/\(name).sqlite"))
    }
    let rebuilt = try sandbox.offread("archive", "rebuild")
    #expect(rebuilt.status == 0 && rebuilt.errorText.isEmpty, "\(rebuilt.errorText)")
    #expect(try sandbox.offread("list", "--tag", "tag 7").text == before)
    #expect(try sandbox.offread("search", "two").errorText.isEmpty)
    #expect(try sandbox.offread("fetch", "--offline", url).text == "two")
  }

  @Test func `four concurrent archive rebuilds succeed, and leave no partial file behind`() throws {
    let url = try fill()
    #expect(try sandbox.offread("mark", "--tag", "tag 1", url).status == 0)
    #expect(try sandbox.offread("search", "two").status == 0)
    let errors = sandbox.data + "/errors"
    try Data().write(to: URL(fileURLWithPath: errors))
    for _ in 0..<5 {
      let running = try (0..<4).map { _ in
        try Program.start(
          Program.offread, ["archive", "rebuild"], files: ["/dev/null", "/dev/null", errors],
          environment: ["OFFREAD_DATA_DIR": sandbox.data])
      }
      for process in running { #expect(Program.wait(for: process) == 0) }
      #expect(try String(contentsOfFile: errors, encoding: .utf8) == "")
      let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.data)
      #expect(!left.contains { $0.contains("rebuilding") || $0.contains("damaged") }, "\(left)")
      #expect(try sandbox.offread("list", "--tag", "tag 1").text.contains(url))
      #expect(try sandbox.offread("search", "two").text.contains(url))
    }
  }

  @Test func `a truncated journal is reported and repaired, and read by archive verify`()
    throws
  {
    let url = try fill()
    for number in 0..<5 {
      #expect(try sandbox.offread("mark", "--tag", "tag \(number)", url).status == 0)
    }
    #expect(try sandbox.offread("archive", "verify").text.contains("6 lines in 1 journal: nothing"))
    let directory = URL(fileURLWithPath: sandbox.data + "/library")
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: directory.path).first {
        $0.hasSuffix(".journal")
      })
    let file = directory.appendingPathComponent(name)
    let bytes = [UInt8](try Data(contentsOf: file))
    try Data(bytes.dropLast(150)).write(to: file)
    let run = try sandbox.offread("list", "--tag", "tag 4")
    #expect(
      run.text.contains(url) && run.errorText.contains("of \(name) w"), "\(run.errorText)")
    #expect(try sandbox.offread("list", "--tag", "tag 4").errorText.isEmpty)
    var damaged = [UInt8](try Data(contentsOf: file))
    damaged[200] ^= 1
    try Data(damaged).write(to: file)
    let verified = try sandbox.offread("archive", "verify")
    #expect(
      verified.status == 1 && verified.errorText.contains("\(name): "), "\(verified.errorText)")
  }

  @Test func `a removal from a file of another device is reported, and the file is unchanged`()
    throws
  {
    let url = try fill()
    let segment = try #require(try sandbox.segments().first)
    try FileManager.default.moveItem(
      at: segment,
      to: segment.deletingLastPathComponent().appendingPathComponent("from-wget.warc.gz"))
    let removal = try sandbox.offread("remove", url)
    #expect(removal.status == 0)
    #expect(removal.text.contains("3 of them in files that this device did not write"))
    #expect(removal.text.contains("from-wget.warc.gz") && removal.text.contains("hidden now"))
    #expect(try sandbox.offread("fetch", "--offline", url).status == 4)
  }

  @Test func `the archive is summarized, verified, compacted and its index rebuilt`() throws {
    let url = try fill()
    let summary = try sandbox.offread("archive", "info")
    #expect(summary.status == 0 && summary.text.contains("3 versions"), "\(summary.text)")
    let json = try sandbox.offread("archive", "info", "--json")
    let counts = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
    #expect(counts["versions"] as? Int == 3 && counts["keys"] as? Int == 1)
    #expect(try sandbox.offread("archive", "verify").status == 0)
    let plan = try sandbox.offread("archive", "compact", "--dry-run")
    #expect(plan.status == 0 && plan.text.contains("would free 0 B of segments"))
    #expect(try sandbox.offread("archive", "compact", "--quiet").output.isEmpty)
    let rebuilt = try sandbox.offread("archive", "rebuild")
    #expect(rebuilt.status == 0 && rebuilt.text == "the index contains 3 versions of 1 page\n")
    #expect(rebuilt.errorText.isEmpty)
    #expect(try sandbox.offread("fetch", "--offline", url).text == "two")

    let segment = try #require(try sandbox.segments().first)
    var bytes = [UInt8](try Data(contentsOf: segment))
    bytes[bytes.count - 20] ^= 0x40
    try Data(bytes).write(to: segment)
    let verified = try sandbox.offread("archive", "verify")
    #expect(verified.status == 1)
    #expect(verified.errorText.contains(segment.lastPathComponent), "\(verified.errorText)")
  }

  @Test func `damage persists until a good version is saved`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    let page = String(repeating: "<p>Of granite and pilots.</p>", count: 9)
    server.on("/page", .response([("Content-Type", "text/html")], text: page))
    let url = server.url + "/page"
    #expect(try sandbox.offread("save", url).status == 0)
    let segment = try #require(try sandbox.segments().first)
    var bytes = [UInt8](try Data(contentsOf: segment))
    for position in bytes.count - 60..<bytes.count - 40 { bytes[position] ^= 255 }
    try Data(bytes).write(to: segment)
    for _ in 0..<2 {
      let dump = try sandbox.offread("dump", "--offline", url)
      #expect(dump.status == 1 && dump.errorText.contains("a saved page is damaged"))
      let check = try sandbox.offread("check", url)
      #expect(check.status == 1 && check.text.contains("a saved page is damaged"))
      #expect(try sandbox.offread("list").text.contains("damaged"))
    }
    #expect(try sandbox.offread("save", url).status == 0)
    #expect(try sandbox.offread("dump", "--offline", url).text.contains("granite"))
    #expect(!(try sandbox.offread("list").text.contains("damaged")))
  }

  @Test func `Ctrl-C stops an operation, also while it waits, and leaves the archive intact`()
    throws
  {
    let url = try fill()
    let lock = open(sandbox.data + "/archive/.maintenance", O_RDWR | O_CREAT, 0o600)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX) == 0)
    let child = try Program.start(
      Program.offread, ["archive", "compact", "--data-dir", sandbox.data])
    #expect(isOpen(".maintenance", by: child))
    kill(child, SIGINT)
    #expect(Program.wait(for: child) == 130)
    #expect(flock(lock, LOCK_UN) == 0)
    #expect(try sandbox.offread("archive", "verify").status == 0)
    #expect(try sandbox.offread("fetch", "--offline", url).text == "two")
  }

  @Test func `if the archive cannot be read, pages are not reported as unsaved`() throws {
    let file = try sandbox.file("a file", "text")
    for arguments in [
      ["versions", server.url], ["remove", "--dry-run", server.url], ["archive", "info"],
      ["list"], ["check"], ["search", "text"], ["export", "--all", "--format", "json"],
      ["mark", "--read", server.url],
    ] {
      let run = try sandbox.offread(arguments + ["--data-dir", file])
      #expect(run.status == 1 && run.errorText.contains("cannot be read"), "\(run.errorText)")
      #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
    }
    let run = try sandbox.offread("remove", server.url, "--data-dir", file)
    #expect(run.status == 1 && run.errorText.contains("is not a directory"), "\(run.errorText)")
    server.on("/", .response([("Content-Type", "text/html")], text: "shown"))
    let save = try sandbox.offread("save", server.url + "/", "--data-dir", file)
    #expect(save.status == 1 && save.errorText.contains("is not a directory"), "\(save.errorText)")
    #expect(!(save.text + save.errorText).contains("queue"), "\(save.text)\(save.errorText)")
    let shown = try sandbox.offread("fetch", server.url + "/", "--data-dir", file)
    #expect(shown.status == 0 && shown.text == "shown")
    #expect(
      shown.errorText.contains(
        "\(file) is not a directory; choose another directory with --data-dir"))
  }

  /// Waits until a process has opened a file. Returns false if it does not, or ends before.
  private func isOpen(_ name: String, by child: pid_t) -> Bool {
    let directory = "/proc/\(child)/fd"
    for _ in 0..<30_000 {
      guard let numbers = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
        return false
      }
      let isOpen = numbers.contains {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\($0)")
        return path?.hasSuffix("/" + name) ?? false
      }
      if isOpen { return true }
      sched_yield()
    }
    return false
  }

  @Test func `limits of the settings are enforced`() throws {
    try sandbox.settings("[archive]\nmax_size = \"20 kB\"\n")
    server.onOthers { request in
      let text = String(repeating: request.target, count: 900)
      return .response([("Content-Type", "image/png")], text: text)
    }
    for number in 0..<8 {
      #expect(try sandbox.offread("fetch", server.url + "/\(number)1234").status == 0)
    }
    let bytes = try sandbox.segments().reduce(0) { try $0 + Data(contentsOf: $1).count }
    #expect(bytes <= 20_000)
    #expect(try sandbox.offread("fetch", "--offline", server.url + "/71234").status == 0)
    #expect(try sandbox.offread("fetch", "--offline", server.url + "/01234").status == 4)
  }

  @Test(arguments: [
    ["archive"], ["archive", "nosuch"], ["archive", "info", "--dry-run"], ["remove"],
    ["archive", "compact", "--json"], ["versions"], ["remove", "about:manual"],
  ])
  func `a usage error gives one clear line and exit code 2`(_ arguments: [String]) throws {
    let run = try sandbox.offread(arguments)
    #expect(run.status == 2 && run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
  }
}
