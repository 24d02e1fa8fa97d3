import Foundation
import TestSupport
import Testing

/// The version of the program, which is defined in one place.
@Suite struct SoftwareVersionTests {
  @Test
  func `the version is the same for users, servers and archives, and that of the last release`()
    throws
  {
    let sandbox = try Sandbox()
    let told = try sandbox.offread("--version").text
    let version = try #require(told.wholeMatch(of: /offread ([0-9]+\.[0-9]+\.[0-9]+)\n/)?.1)
    let server = try ScriptedServer()
    server.on("/", .response([("Content-Type", "text/html")], text: "<p>Some words to read."))
    _ = try sandbox.offread("fetch", server.url + "/")
    #expect(server.requests.last?["User-Agent"] == "offread/\(version) (+terminal reader)")
    let segment = try #require(try sandbox.segments().first)
    let records = try Program.run("/usr/bin/gzip", ["-dc", segment.path]).text
    #expect(records.contains("software: offread/\(version)\r\n"))
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let changes = try String(
      contentsOf: root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    #expect(changes.firstMatch(of: /\n## \[([0-9.]+)\]/)?.1 == version)
  }
}
