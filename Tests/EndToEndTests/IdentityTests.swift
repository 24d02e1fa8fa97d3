import Foundation
import TestSupport
import Testing

/// As whom the program asks: cookies and passwords from its options.
@Suite struct IdentityTests {
  /// A server that greets whoever the cookie names.
  private static func greeting() throws -> ScriptedServer {
    let server = try ScriptedServer()
    server.onOthers { request in
      .response([("Set-Cookie", "next=1")], text: "hello \(request["Cookie"] ?? "nobody")")
    }
    return server
  }

  @Test("Cookies of a file are sent, the file stays as it is, and what came is its owner's alone")
  func cookieFile() throws {
    let sandbox = try Sandbox()
    let server = try Self.greeting()
    let url = server.url + "/page"
    let text = "127.0.0.1\tFALSE\t/\tFALSE\t0\tuser\tsecret-1\r\ngarbage\r\n"
    let cookies = try sandbox.file("my cookies.txt", text)
    let first = try sandbox.offread("fetch", "--cookies", cookies, url)
    #expect(first.text == "hello user=secret-1" && first.status == 0)
    #expect(first.errorText.contains("line 2 is no cookie and is left out"))
    #expect(!first.errorText.contains("garbage"))
    server.stop()
    #expect(try sandbox.offread("fetch", url).status != 0)
    #expect(try sandbox.offread("fetch", "--offline", url).status == 4)
    let again = try sandbox.offread("fetch", "--offline", "--cookies", cookies, url)
    #expect(again.text == "hello user=secret-1")
    #expect(try String(contentsOfFile: cookies, encoding: .utf8) == text)
    for segment in try sandbox.segments() {
      let records = try Program.run("/usr/bin/gzip", ["-dc", segment.path]).output
      #expect(records.range(of: Data("Cookie: user".utf8)) == nil)
    }
  }

  @Test("Without the option no cookie is sent, whatever answers set")
  func offByDefault() throws {
    let sandbox = try Sandbox()
    let server = try Self.greeting()
    for path in ["/1", "/2"] {
      #expect(try sandbox.offread("fetch", server.url + path).text == "hello nobody")
    }
  }

  @Test("A cookie file that cannot be read ends the command before anything is asked")
  func unreadable() throws {
    let sandbox = try Sandbox()
    let server = try Self.greeting()
    for command in ["fetch", "dump"] {
      let run = try sandbox.offread(command, "--cookies", "/nonexistent", server.url + "/")
      #expect(run.status == 1 && run.errorText.contains("/nonexistent: there is no such file"))
      #expect(run.output.isEmpty)
    }
    #expect(server.requests.isEmpty)
  }
}
