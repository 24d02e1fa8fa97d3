import Foundation
import TestSupport
import Testing

/// A fresh page whose server cannot be reached.
@Suite struct FreshCopyTests {
  private static let fields = [("Content-Type", "text/html"), ("Cache-Control", "max-age=86400")]
  private static let page = "<title>Tides</title><h1>Tides</h1><p>High at <a href=/b>six</a>."

  @Test func `offline state is visible on standard error, in the title and in the banner`() throws {
    let server = try ScriptedServer()
    server.on("/a", .response(Self.fields, text: Self.page))
    server.on("/b", .response(Self.fields, text: "<h1>Six</h1>"))
    let sandbox = try Sandbox()
    let url = server.url + "/a"
    #expect(try sandbox.offread("dump", url).errorText.isEmpty)

    // No request was sent.
    let fresh = try sandbox.offread("dump", "--fail-stale", url)
    #expect(fresh.status == 0)
    #expect(fresh.errorText.contains("saved copy, just now: still fresh, no request was sent"))
    for command in ["dump", "fetch"] {
      let offline = try sandbox.offread(command, "--offline", url)
      #expect(offline.status == 0 && offline.text.contains("High at"))
      #expect(offline.errorText.contains("saved copy, just now: offline mode"))
    }
    #expect(try sandbox.offread("dump", "--offline", "--fail-stale", url).status == 0)

    let screen = try sandbox.reader(url)
    let first = try screen.wait(for: "High at")
    #expect(first[0].hasSuffix("saved just now"))
    #expect(!first.contains { $0.contains("SAVED COPY") })
    // After the server stops, the next page reports it, and this one becomes a saved copy, too.
    server.stop()
    try screen.press("Tab", "Enter")
    try screen.wait(for: "No copy of this page is saved")
    try screen.press("Left")
    let rows = try screen.wait(for: "◷ six")
    #expect(rows[0].hasSuffix("offline ●"))
    #expect(rows[1].drop { $0 == " " }.hasPrefix("▌SAVED COPY  just now · connection refused"))
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }
}
