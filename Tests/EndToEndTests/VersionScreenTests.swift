import Foundation
import TestSupport
import Testing

/// Saved versions of a page in a real terminal.
@Suite struct VersionScreenTests {
  private static let html = [("Content-Type", "text/html; charset=utf-8")]

  /// Returns a profile with three versions of a page, and their server.
  private static func saved() throws -> (Sandbox, ScriptedServer) {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    for word in ["first", "second", "third"] {
      server.on(
        "/page",
        .response(
          html, text: "<title>Log</title><h1>Log</h1><p>The \(word) wording.<p>The same.<p>\(word)")
      )
      let saving = try sandbox.offread(
        "fetch", "--mode", "network-only", "\(server.url)/page")
      #expect(saving.status == 0)
    }
    return (sandbox, server)
  }

  @Test func `keys step through the versions and show what changed`() throws {
    let (sandbox, server) = try Self.saved()
    server.stop()
    let screen = try sandbox.reader(server.url + "/page")
    try screen.wait(for: "The third wording")
    try screen.type("(")
    let second = try screen.wait(for: "2 changes from")
    #expect(second.contains { $0.contains("The second wording") && $0.contains("≠") })
    #expect(second[1].contains("SAVED COPY"))
    #expect(second[1...2].contains { $0.contains("version 2 of 3") })
    try screen.type("(")
    try screen.wait("the first version") { rows in
      rows.contains { $0.contains("The first wording") } && rows.contains { $0.contains("1 of 3") }
    }
    try screen.type("c")
    try screen.wait(for: "change 1 of 2")
    try screen.type("(")
    try screen.wait(for: "no older version is saved")
    try screen.type("))")
    try screen.wait(for: "The third wording")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test func `page information lists the versions and opens them`() throws {
    let (sandbox, server) = try Self.saved()
    server.on("/old", .redirect(301, to: "/page"))
    let screen = try sandbox.reader(server.url + "/old")
    try screen.wait(for: "The third wording")
    try screen.type("=")
    let rows = try screen.wait(for: "Digest")
    for text in [
      "301: \(server.url)/old", "text/html; charset=utf-8", "by Content-Type",
      "offread; fwd=stale", "sha256:", "3 of 3", "the network, just now",
    ] {
      #expect(rows.contains { $0.contains(text) }, "\(text) in\n\(rows.joined(separator: "\n"))")
    }
    try screen.type("/shown")
    try screen.wait(for: "1 of 25")
    try screen.press("Escape")
    try screen.wait(for: "Digest")
    try screen.type("G")
    try screen.wait(for: "100%")
    try screen.press("Enter")
    try screen.wait(for: "The first wording")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }
}
