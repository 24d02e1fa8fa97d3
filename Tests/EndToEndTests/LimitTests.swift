import Foundation
import TestSupport
import Testing

/// Limits of system resources, and unwritable output.
@Suite struct LimitTests {
  private let sandbox: Sandbox
  private let server: ScriptedServer

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
    server.on("/page", .response([("Content-Type", "text/html")], text: "<p>The page."))
  }

  private func shell(_ script: String, _ arguments: String...) throws -> Program {
    try Program.run(
      "sh", ["-c", script, Program.offread] + arguments,
      environment: ["OFFREAD_DATA_DIR": sandbox.data])
  }

  @Test func `too few open files give one message with advice`() throws {
    let url = server.url + "/page"
    let file = try sandbox.file("a.html", "<p>A file.")
    #expect(try sandbox.offread("save", url).status == 0)
    for command in [
      ["dump", file], ["dump", url], ["dump", "--offline", url], ["fetch", url], ["save", url],
      ["sync"], ["list"], [url],
    ] {
      let run = try Program.run(
        "sh", ["-c", "ulimit -n 10; exec \"$0\" \"$@\"", Program.offread] + command,
        environment: ["OFFREAD_DATA_DIR": sandbox.data])
      #expect(run.status == 1, "\(command): \(run.status)")
      let lines = run.errorText.split(separator: "\n")
      #expect(lines.count == 1 && lines[0].contains("ulimit -n 256"), "\(command): \(lines)")
    }
    // The advised limit is sufficient, and a soft limit is raised.
    for limit in ["ulimit -n 64", "ulimit -S -n 10"] {
      let run = try shell("\(limit); exec \"$0\" \"$@\"", "dump", url)
      #expect(run.status == 0 && run.text.contains("The page."), "\(run.errorText)")
    }
  }

  @Test func `with the advised limit many pages are saved at once`() throws {
    var urls: [String] = []
    for number in 0..<60 {
      server.on(
        "/\(number)",
        .response(
          [("Content-Type", "text/html")], text: "<p>Page \(number)<img alt=a src=/i\(number)>"))
      urls.append(server.url + "/\(number)")
    }
    let run = try Program.run(
      "sh",
      [
        "-c", "ulimit -n 64; exec \"$0\" \"$@\"", Program.offread, "save", "--delay", "0", "--jobs",
        "16",
      ] + urls,
      environment: ["OFFREAD_DATA_DIR": sandbox.data])
    #expect(run.status == 0 && run.text.contains("60 of 60"), "\(run.errorText)")
  }

  @Test func `an output that cannot be written is reported`() throws {
    let url = server.url + "/page"
    #expect(try sandbox.offread("save", url).status == 0)
    for command in [
      ["dump", "--offline", url], ["fetch", "--offline", url], ["list"], ["versions", url],
      ["check"], ["export", "--format", "markdown", url], ["bundle"], ["archive", "info"],
      ["config", "--print"], ["--help"], ["dump", "--help"], ["--version"],
    ] {
      let run = try Program.run(
        "sh", ["-c", "exec \"$0\" \"$@\" >/dev/full", Program.offread] + command,
        environment: ["OFFREAD_DATA_DIR": sandbox.data])
      #expect(!run.errorText.contains("Error("), "\(command): \(run.errorText)")
      #expect(run.status == 1 && run.errorText.contains("No space left"), "\(command)")
    }
  }

  @Test func `output to a closed descriptor fails`() throws {
    let url = server.url + "/page"
    #expect(try sandbox.offread("save", url).status == 0)
    for command in [["list"], ["check", "--json"], ["dump", "--offline", url]] {
      let run = try Program.run(
        "sh", ["-c", "exec \"$0\" \"$@\" >&-", Program.offread] + command,
        environment: ["OFFREAD_DATA_DIR": sandbox.data])
      #expect(run.status == 1 && run.errorText.contains("cannot be written"), "\(command)")
    }
    let unread = try shell("exec \"$0\" \"$@\" <&-", "dump", "-")
    #expect(unread.status != 0 && unread.text.isEmpty)
    // Without a descriptor for errors, only the exit status reports the failure.
    #expect(try shell("exec \"$0\" \"$@\" >&- 2>&-", "list").status == 1)
  }
}
