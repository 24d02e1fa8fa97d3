import Foundation
import TestSupport
import Testing

/// `offread doctor`: diagnostics for bug reports.
@Suite struct DoctorTests {
  private static let utf8 = ["LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]

  @Test func `doctor reports the setup without private data`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/private", .response([("Content-Type", "text/html")], text: "<p>text"))
    _ = try sandbox.offread("save", "--quiet", server.url + "/private")
    let proxies = ["https_proxy": "http://user:word@proxy.corp.test:3128", "no_proxy": "127.0.0.1"]
    let run = try sandbox.offread("doctor", environment: Self.utf8.merging(proxies) { $1 })
    for text in [
      "program\n", "terminal\n", "locale\n", "network\n", "directories\n", "free space",
      "xterm-256color", "256",
      "https_proxy", "with a user name", "version", "none held",
      "libunistring  ", "FriBidi  ", "Nettle  ", "PNG, JPEG, GIF, WebP, AVIF",
      "pdftotext", "chromium", "bwrap", "offread-zim",
    ] {
      #expect(run.text.contains(text), "\(text)")
    }
    let host = ProcessInfo.processInfo.hostName
    for text in ["corp", ":word", sandbox.directory.path, "127.0.0.1", "private", host] {
      #expect(!run.text.contains(text), "\(text)")
    }
    // Only the request of `save` was sent.
    #expect(server.requests(for: "/private").count == 1)
  }

  @Test func `a URL is requested once, and problems are reported with advice`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/", .response(text: "x"))
    let url = server.url + "/"
    let well = try sandbox.offread("doctor", url, environment: Self.utf8)
    #expect(well.text.contains("status 200"))
    #expect(server.requests.count == 1 && server.requests.first?.method == "HEAD")
    #expect(!FileManager.default.fileExists(atPath: sandbox.data))
    server.stop()
    let refused = try sandbox.offread("doctor", "--json", url, environment: Self.utf8)
    #expect(refused.status == 1)
    let report = try #require(
      try JSONSerialization.jsonObject(with: refused.output) as? [String: Any])
    #expect(report["version"] as? Int == 1)
    let findings = try #require(report["findings"] as? [[String: Any]])
    let address = try #require(findings.first { $0["name"] as? String == "the address" })
    #expect(address["value"] as? String == "does not respond: the connection was refused")
    #expect((address["advice"] as? String)?.isEmpty == false)
    let plain = try sandbox.offread("doctor", environment: ["LC_ALL": "C", "TERM": "nosuch"])
    #expect(plain.status == 1 && plain.text.contains("! TERM") && plain.text.contains("LANG"))
  }

  @Test func `damage in directories is found without modifying anything`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/", .response([("Content-Type", "text/html")], text: "<p>text"))
    _ = try sandbox.offread("save", "--quiet", server.url + "/")
    let index = sandbox.data + "/index.sqlite"
    try Data("no database".utf8).write(to: URL(fileURLWithPath: index))
    chmod(sandbox.data + "/archive", 0o755)
    let run = try sandbox.offread("doctor", environment: Self.utf8)
    #expect(run.status == 1)
    #expect(run.text.contains("damaged") && run.text.contains("chmod 700"))
    #expect(try String(contentsOfFile: index, encoding: .utf8) == "no database")
  }

  @Test func `each missing optional program is reported with the affected feature`() throws {
    let sandbox = try Sandbox()
    let none = try sandbox.offread(
      "doctor", environment: Self.utf8.merging(["PATH": "/nonexistent"]) { $1 })
    for text in [
      "PDF files are not shown as text (package poppler-utils)", "(package chromium)",
      "(package bubblewrap)", "ZIM files cannot be read (package offread-zim)",
    ] {
      #expect(none.text.contains("not found: ") && none.text.contains(text), "\(text)")
    }
    try FileManager.default.createDirectory(
      at: sandbox.directory.appendingPathComponent("bin"), withIntermediateDirectories: true)
    for name in ["pdftotext", "bwrap"] {
      let program = try sandbox.file("bin/" + name, "#!/bin/sh\n")
      chmod(program, 0o755)
    }
    let some = try sandbox.offread(
      "doctor",
      environment: Self.utf8.merging(["PATH": sandbox.directory.path + "/bin"]) { $1 })
    #expect(!some.text.contains("poppler-utils") && !some.text.contains("package bubblewrap"))
    #expect(some.text.contains("package offread-zim"))
    // All of them are optional.
    #expect(some.status == none.status)
  }
}
