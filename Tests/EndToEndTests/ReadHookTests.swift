import Foundation
import TestSupport
import Testing

/// The command of `[hooks]`, which is called for items of feeds that were read.
@Suite struct ReadHookTests {
  let sandbox: Sandbox
  let server: ScriptedServer
  private let calls: String

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
    calls = sandbox.directory.appendingPathComponent("calls").path
    let titles = ["First", "Second's $(id)", "Third"]
    let items = titles.enumerated().map { number, title in
      "<item><title>\(title)</title><link>\(server.url)/\(number + 1)</link></item>"
    }
    server.on(
      "/feed",
      .response(
        [("Content-Type", "application/rss+xml")],
        text: "<rss><channel><title>List</title>\(items.joined())</channel></rss>"))
    for (number, title) in titles.enumerated() {
      server.on(
        "/\(number + 1)",
        .response(
          [("Content-Type", "text/html")],
          text: "<title>\(title)</title><p>The words of page \(number + 1)."))
    }
  }

  /// Makes a script the hook, which first appends its arguments to a file, and follows the feed.
  private func follow(_ script: String = "exit 0") throws {
    let hook = try sandbox.file(
      "hook", "#!/bin/sh\nprintf '%s\\n' \"$*\" >>'\(calls)'\n\(script)\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook)
    try sandbox.settings("[hooks]\nread = [\"\(hook)\", \"{url}\", \"{title}\"]\n")
    let run = try sandbox.offread("save", "--delay", "0", "--feed", server.url + "/feed")
    #expect(run.status == 0, "\(run.errorText)")
  }

  private func mark(_ numbers: Int..., as state: String = "--read") throws {
    let run = try sandbox.offread(["mark", state] + numbers.map { "\(server.url)/\($0)" })
    #expect(run.status == 0, "\(run.errorText)")
  }

  private func called() -> [String] {
    let data = FileManager.default.contents(atPath: calls) ?? Data()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test(arguments: [[], ["--no-sandbox"]])
  func `sync calls the hook for items that were read, once`(_ options: [String]) throws {
    try follow()
    try mark(1, 2)
    #expect(called() == [])
    let waiting = try sandbox.offread("sync", "--dry-run")
    #expect(waiting.text.contains("2 calls of the read hook waiting\n"))
    let run = try sandbox.offread(["sync"] + options)
    #expect(run.status == 0 && run.text.contains("calls of the read hook: 2 succeeded\n"))
    #expect(
      called() == ["\(server.url)/1 First", "\(server.url)/2 Second's $(id)"], "\(called())")
    let again = try sandbox.offread(["sync"] + options)
    #expect(!again.text.contains("hook") && called().count == 2)
  }

  @Test func `failures are reported by sync, check and doctor, and can be discarded`() throws {
    try follow("echo 'no such bookmark' >&2; exit 4")
    try mark(3)
    let run = try sandbox.offread("sync", "--quiet")
    #expect(run.status == 0)
    let line = "\(server.url)/3 not marked as read at its service: exit status 4: no such bookmark"
    #expect(run.errorText == "offread: \(line)\n")
    // The next call comes after a pause, and the same failure gets no second line.
    let again = try sandbox.offread("sync", "--quiet")
    #expect(again.status == 0 && again.errorText.isEmpty && called().count == 1)
    let text = try sandbox.offread("sync")
    #expect(text.text.contains("1 call of the read hook waiting, 1 after failures\n"))
    let report = try sandbox.offread("sync", "--json")
    #expect(report.text.contains("\"reason\" : \"exit status 4: no such bookmark\""))
    let check = try sandbox.offread("check", server.url + "/1")
    #expect(check.status == 0)
    #expect(check.text.hasSuffix("the read hook failed: exit status 4: no such bookmark\n"))
    let doctor = try sandbox.offread("doctor")
    #expect(doctor.text.contains("1 waiting, 1 of them failed"))
    #expect(!doctor.text.contains("no such bookmark"))
    let discarded = try sandbox.offread("sync", "--discard-calls")
    #expect(discarded.text.hasPrefix("discarded \(server.url)/3\n"))
    #expect(try !sandbox.offread("sync").text.contains("hook"))
  }

  @Test func `without a network nothing is called, and chosen pages call nothing`() throws {
    try follow()
    try mark(1)
    _ = try sandbox.offread("sync", server.url + "/feed")
    #expect(called() == [])
    server.stop()
    _ = try sandbox.offread("add", server.url + "/missing")
    let run = try sandbox.offread("sync", "--connect-timeout", "2")
    #expect(called() == [] && run.text.contains("1 call of the read hook waiting\n"))
  }

  @Test func `a call during which offread is killed is made again`() throws {
    try follow("[ -e '\(calls).go' ] || kill -9 $PPID; exit 0")
    try mark(1)
    // The hook kills the launcher; the call counts neither as a failure nor as done.
    let killed = try sandbox.offread("sync")
    // Without a sandbox there is no launcher, and sync itself is killed.
    #expect(
      killed.status != 0 || killed.text.contains("1 call of the read hook waiting\n"),
      "\(killed.text)")
    _ = try sandbox.file("calls.go", "")
    let run = try sandbox.offread("sync")
    #expect(run.text.contains("calls of the read hook: 1 succeeded\n"), "\(run.text)")
    #expect(called().count == 2)
  }

  @Test func `an item that is marked unread again has no call`() throws {
    try follow()
    try mark(1)
    try mark(1, as: "--unread")
    #expect(try !sandbox.offread("sync").text.contains("hook"))
    #expect(called() == [])
  }

  @Test func `the reader calls the hook while it runs, but not in a private session`() throws {
    try follow()
    let hidden = try sandbox.reader("--private", server.url + "/2")
    try hidden.wait(for: "The words of page 2.")
    try hidden.type("q")
    let open = try sandbox.reader(server.url + "/1")
    try open.wait(for: "The words of page 1.")
    let limit = Date().addingTimeInterval(60)
    while called().isEmpty, Date() < limit { sched_yield() }
    #expect(called() == ["\(server.url)/1 First"])
    try open.type("q")
  }

  @Test func `options of sync that cannot be used together are refused`() throws {
    for options in [["--dry-run"], ["--json"], ["https://a.example/"]] {
      let run = try sandbox.offread(["sync", "--discard-calls"] + options)
      #expect(run.status == 2 && run.errorText.contains("--discard-calls cannot be used"))
    }
  }
}
