@testable import Profiles
@testable import Sandbox
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import Library

/// The command of a hook in a process.
@Suite struct HookProcessTests {
  private final class Directory {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("offread hook \(UUID().uuidString.prefix(8))")

    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a shell script, and returns settings that call it.
    func hook(_ script: String, _ words: [String] = [], timeout: Double = 30) throws -> HookSettings
    {
      let file = url.appendingPathComponent("hook")
      try ShellScript.write(script, to: file.path)
      var settings = HookSettings()
      settings.readCommand = HookCommand(words: [file.path] + words)
      settings.timeout = timeout
      return settings
    }

    func content(_ name: String) -> String {
      let data = FileManager.default.contents(atPath: url.appendingPathComponent(name).path)
      return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }

  private let directory: Directory
  private static let url = "https://a.example/b"

  init() throws {
    directory = try Directory()
  }

  private func run(
    _ settings: HookSettings, title: String = "T", isStopped: () -> Bool = { false }
  ) -> HookCall.Outcome {
    HookProcess.run(settings, url: Self.url, title: title, isStopped: isStopped)
  }

  @Test func `the command receives arguments as they are, and no input`() throws {
    let out = directory.url.appendingPathComponent("out").path
    let settings = try directory.hook(
      "while read -r line; do printf in; done >'\(out)'\n"
        + "for word in \"$@\"; do printf '<%s>' \"$word\" >>'\(out)'; done",
      ["$HOME", "{title}", "a b", "{url}"])
    let title = "-rf $(touch x) `id` '\"\n\u{1B}[2J; rm"
    #expect(run(settings, title: title) == .succeeded)
    #expect(
      directory.content("out")
        == "<$HOME>< -rf $(touch x) `id` '\" [2J; rm><a b><\(Self.url)>")
  }

  @Test func `the status and the last line of the output are the reason of a failure`() throws {
    let silent = run(try directory.hook("exit 3"))
    #expect(silent == .failed("exit status 3"))
    let settings = try directory.hook(
      "echo first; printf 'no \\033[31mway to https://me:pw@a.example/\\n\\n' >&2; exit 22")
    guard case .failed(let reason) = run(settings) else {
      Issue.record("it succeeded")
      return
    }
    #expect(reason.hasPrefix("exit status 22: no "))
    #expect(reason.hasSuffix("way to https://a.example/"))
    #expect(!reason.unicodeScalars.contains { $0.properties.generalCategory == .control })
    let killed = run(try directory.hook("kill -9 $$"))
    #expect(killed == .failed("killed by signal 9"))
  }

  @Test func `endless output is dropped, and does not stop the command`() throws {
    let settings = try directory.hook(
      "i=0; while [ $i -lt 3000 ]; do echo \"line $i of a long, long output\"; i=$((i+1)); done\n"
        + "exit 4")
    #expect(run(settings) == .failed("exit status 4: line 2999 of a long, long output"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a command that takes too long is killed with the processes that it started`() throws {
    let settings = try directory.hook("(while :; do :; done) & while :; do :; done", timeout: 1)
    #expect(run(settings) == .failed("took longer than 1 s"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a command that closes its output or leaves a process behind is waited for by its own end`()
    throws
  {
    let closed = run(try directory.hook("exec >/dev/null 2>&1; exit 5"))
    #expect(closed == .failed("exit status 5"))
    // The process that stays has the output open, and ends when the directory is removed.
    let settings = try directory.hook(
      "(while [ -d '\(directory.url.path)' ]; do :; done) & exit 0")
    #expect(run(settings) == .succeeded)
  }

  @Test(.timeLimit(.minutes(1)))
  func `the end of offread kills the command`() throws {
    var polls = 0
    let outcome = run(try directory.hook("while :; do :; done")) {
      polls += 1
      return polls > 3
    }
    #expect(outcome == .interrupted)
  }

  @Test func `a missing program and a URL of another kind are failures`() throws {
    var settings = HookSettings()
    #expect(run(settings) == .failed("no command is set"))
    settings.readCommand = HookCommand(line: "/no/such/program")
    guard case .failed(let reason) = run(settings) else {
      Issue.record("it succeeded")
      return
    }
    #expect(reason.hasPrefix("cannot be started: "))
    let file = HookProcess.run(
      try directory.hook("exit 0"), url: "file:///etc/passwd", title: "", isStopped: { false })
    guard case .failed = file else {
      Issue.record("\(file)")
      return
    }
  }

  @Test func `secrets in the environment are not passed on`() {
    let variables = HookProcess.variables([
      "HOME": "/h", "PATH": "/p", "LC_TIME": "de", "https_proxy": "x", "XDG_RUNTIME_DIR": "/r",
      "AWS_SECRET_ACCESS_KEY": "s", "GITHUB_TOKEN": "t", "LD_PRELOAD": "l", "OFFREAD_DATA_DIR": "d",
      "BASH_ENV": "b",
    ])
    #expect(
      variables.keys.sorted() == ["HOME", "LC_TIME", "PATH", "XDG_RUNTIME_DIR", "https_proxy"])
  }
}
