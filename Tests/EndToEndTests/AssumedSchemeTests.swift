import Foundation
import TestSupport
import Testing

/// Addresses that were typed without a scheme, and saved pages whose URL differs in little.
@Suite struct AssumedSchemeTests {
  private static let text = "<h1>Plain</h1>" + String(repeating: "<p>words of the site", count: 40)

  /// A proxy before a network where nothing speaks TLS.
  private static func proxy() throws -> ScriptedServer {
    let proxy = try ScriptedServer()
    proxy.onOthers { request in
      request.method == "CONNECT"
        ? .response(status: 502, text: "")
        : .response([("Content-Type", "text/html")], text: text)
    }
    return proxy
  }

  @Test func `a host that speaks http only is read, and said to be`() throws {
    let sandbox = try Sandbox()
    let proxy = try Self.proxy()
    let ways = ["http_proxy": proxy.url, "https_proxy": proxy.url, "HTTPS_PROXY": proxy.url]
    for command in ["dump", "fetch"] {
      let run = try sandbox.offread([command, "plain.example/page"], environment: ways)
      #expect(run.status == 0 && run.text.contains("words of the site"), "\(run.errorText)")
      #expect(run.errorText.contains("not encrypted: http was used"), "\(run.errorText)")
      let typed = try sandbox.offread([command, "https://plain.example/page"], environment: ways)
      #expect(typed.status == 1, "\(typed.text)")
      #expect(
        typed.errorText.contains("http://plain.example/page is saved: offread \(command) "),
        "\(typed.errorText)")
      let offline = try sandbox.offread([command, "--offline", "plain.example/page"])
      #expect(offline.status == 0 && offline.text.contains("words of the site"))
      #expect(offline.errorText.contains("only the page of http is saved"))
    }
  }

  @Test func `the reader names the saved page and opens it by its link`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/docs/", .response([("Content-Type", "text/html")], text: Self.text))
    #expect(try sandbox.offread("dump", server.url + "/docs/").status == 0)
    server.stop()
    let screen = try sandbox.reader("--offline", server.url + "/docs")
    try screen.wait(for: "Saved is \(server.url)/docs/")
    try screen.press("Tab", "Enter")
    try screen.wait(for: "words of the site")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }
}
