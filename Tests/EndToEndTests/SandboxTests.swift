import Foundation
import Sandbox
import TestSupport
import Testing

/// Commands that read untrusted input can access only what they need.
@Suite struct SandboxTests {
  /// A compromised decoder: the program that should extract the text of a PDF file reads a key
  /// instead.
  @Test func `a compromised decoder cannot read the user's keys`() throws {
    let sandbox = try Sandbox()
    let home = sandbox.directory.path + "/home"
    for directory in [home + "/.ssh", sandbox.directory.path + "/bin"] {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }
    try Data("the secret key\n".utf8).write(to: URL(fileURLWithPath: home + "/.ssh/id"))
    let tool = sandbox.directory.path + "/bin/pdftotext"
    let script = "#!/bin/sh\ncat '\(home)/.ssh/id' || echo nothing to be had\n"
    try Data(script.utf8).write(to: URL(fileURLWithPath: tool))
    chmod(tool, 0o755)
    let file = try sandbox.file("a.pdf", "%PDF-1.4 \u{1}")
    let path = sandbox.directory.path + "/bin:" + Program.path
    func dump(_ options: String...) throws -> String {
      try sandbox.offread(
        ["dump"] + options + [file], environment: ["HOME": home, "PATH": path]
      ).text
    }
    #expect(try dump("--no-sandbox").contains("the secret key"))
    // A kernel without Landlock does not restrict files, as doctor reports.
    #expect(try dump().contains("nothing to be had") == (Confinement.version != nil))
    let doctor = try sandbox.offread("doctor", "--json").text
    #expect(doctor.contains("Landlock \(Confinement.version ?? 0)") == (Confinement.version != nil))
  }

  @Test func `every command works confined, with every kind of input`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/", .response([("Content-Type", "text/html")], text: "<p>a page <a href=/b>b</a>"))
    server.on("/b", .response([("Content-Type", "text/html")], text: "<p>another page"))
    let page = try sandbox.file("page.html", "<p>in a file")
    let list = try sandbox.file("list.txt", server.url + "/b\n")
    let output = sandbox.directory.path + "/out"
    let log = sandbox.directory.path + "/log/log"
    func run(_ arguments: String..., input: String? = nil) throws -> String {
      let run = try sandbox.offread(arguments, input: input.map { Data($0.utf8) })
      #expect(
        run.status == 0 && !run.errorText.contains("denied"), "\(arguments): \(run.errorText)")
      return run.text
    }
    #expect(try run("dump", page) == "in a file\n")
    #expect(try run("dump", "-", input: "<p>from a pipe") == "from a pipe\n")
    #expect(!FileManager.default.fileExists(atPath: sandbox.data))
    #expect(try run("dump", "--log", log, server.url + "/").contains("a page"))
    #expect(try String(contentsOfFile: log, encoding: .utf8).contains("/"))
    #expect(try run("dump", "--offline", server.url + "/").contains("a page"))
    #expect(try run("dump", "about:manual").contains("offread"))
    _ = try run("fetch", "-o", output, server.url + "/b")
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "<p>another page")
    #expect(try run("fetch", "--private", server.url + "/b") == "<p>another page")
    _ = try run("save", "--depth", "1", server.url + "/")
    _ = try run("save", "--from", list)
    _ = try run("import", list)
    _ = try run("sync")
    let bundle = sandbox.directory.path + "/bundle.tar"
    _ = try run("bundle", "-o", bundle)
    let segment = try #require(try sandbox.segments().first).path
    let other = try Sandbox()
    for file in [bundle, segment, list] {
      let imported = try other.offread("import", file)
      #expect(imported.status == 0, "\(file): \(imported.errorText)")
    }
    #expect(try other.offread("dump", "--offline", server.url + "/").text.contains("a page"))
  }
}
