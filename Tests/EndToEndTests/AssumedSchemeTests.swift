import Foundation
import TestSupport
import Testing

/// URLs typed without a scheme, and saved pages with a similar URL.
@Suite struct AssumedSchemeTests {
  private static let text = "<h1>Plain</h1>" + String(repeating: "<p>words of the site", count: 40)

  /// Returns a proxy for a network where nothing supports TLS.
  private static func proxy() throws -> ScriptedServer {
    let proxy = try ScriptedServer()
    proxy.onOthers { request in
      request.method == "CONNECT"
        ? .response(status: 502, text: "")
        : .response([("Content-Type", "text/html")], text: text)
    }
    return proxy
  }

  @Test func `a page of an http-only host is shown with a notice`() throws {
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
      #expect(offline.errorText.contains("only the http version of this page is saved"))
    }
  }

  /// The URLs of the library, by `list --json`.
  private static func kept(in sandbox: Sandbox, _ option: String) throws -> String {
    try sandbox.offread("list", option, "--json").text
  }

  @Test func `a URL without a scheme is saved with the scheme that its host supports`() throws {
    let sandbox = try Sandbox()
    let proxy = try Self.proxy()
    let ways = ["http_proxy": proxy.url, "https_proxy": proxy.url, "HTTPS_PROXY": proxy.url]
    let saved = try sandbox.offread(
      ["save", "--delay", "0", "--tag", "trip", "plain.example/page"], environment: ways)
    #expect(saved.status == 0, "\(saved.text)\(saved.errorText)")
    let list = try Self.kept(in: sandbox, "--saved")
    #expect(list.contains("\"http://plain.example/page\"") && !list.contains("https://"), "\(list)")
    let typed = try sandbox.offread(
      ["save", "--delay", "0", "https://plain.example/other"], environment: ways)
    #expect(typed.status == 1 && !proxy.requests.contains { $0.target.hasSuffix("/other") })
  }

  @Test func `a page added without a scheme is fetched with the scheme that its host supports`()
    throws
  {
    let sandbox = try Sandbox()
    let proxy = try Self.proxy()
    let ways = ["http_proxy": proxy.url, "https_proxy": proxy.url, "HTTPS_PROXY": proxy.url]
    #expect(try sandbox.offread("add", "--tag", "trip", "plain.example/page").status == 0)
    #expect(try Self.kept(in: sandbox, "--queue").contains("plain.example/page"))
    let sync = try sandbox.offread(
      ["sync", "--accept", "plain.example/page"], environment: ways)
    #expect(sync.status == 0, "\(sync.text)\(sync.errorText)")
    let tagged = try sandbox.offread("list", "--tag", "trip", "--json").text
    #expect(tagged.contains("\"http://plain.example/page\""), "\(tagged)")
    #expect(!tagged.contains("https://plain.example"), "\(tagged)")
    #expect(try !Self.kept(in: sandbox, "--queue").contains("plain.example"))
  }

  @Test func `every command finds a page saved over http by its URL without a scheme`()
    throws
  {
    let sandbox = try Sandbox()
    let proxy = try Self.proxy()
    let ways = ["http_proxy": proxy.url, "https_proxy": proxy.url, "HTTPS_PROXY": proxy.url]
    let url = "http://plain.example:8080/page"
    #expect(
      try sandbox.offread(["save", "--delay", "0", url], environment: ways).status == 0)
    proxy.stop()
    for name in ["plain.example:8080/page", "ada:secret@plain.example:8080/page"] {
      for tokens in [
        ["check"], ["versions"], ["mark", "--tag", "a"], ["export", "--format", "json"],
        ["dump", "--offline"], ["fetch", "--offline"], ["remove", "--dry-run"], ["diff"],
        ["list", "--site"],
      ] where tokens[0] != "list" || name.hasPrefix("plain") {
        let run = try sandbox.offread(tokens + [name])
        let isFound =
          tokens[0] == "diff" ? run.errorText.contains("one version") : run.status == 0
        #expect(isFound, "\(tokens) \(name): \(run.text)\(run.errorText)")
        #expect(!run.text.contains("secret") && !run.errorText.contains("secret"))
      }
    }
  }

  @Test func `for a missing page, a saved page that differs only in a slash is suggested`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/docs/", .response([("Content-Type", "text/html")], text: Self.text))
    server.on(
      "/docs", .response(status: 404, [("Content-Type", "text/html")], text: "<p>not here"))
    #expect(try sandbox.offread("dump", server.url + "/docs/").status == 0)
    for command in ["dump", "fetch"] {
      let run = try sandbox.offread(command, server.url + "/docs")
      #expect(run.text.contains("not here"))
      #expect(
        run.errorText.contains("\(server.url)/docs/ is saved: offread \(command) --offline "),
        "\(run.errorText)")
    }
    for command in ["versions", "diff", "remove"] {
      let run = try sandbox.offread(command, server.url + "/docs/index.html")
      #expect(
        run.status == 1
          && run.errorText.contains("\(server.url)/docs/ is saved: offread \(command) "),
        "\(run.errorText)")
    }
    let screen = try sandbox.reader(server.url + "/docs")
    try screen.wait(for: "/docs/ is saved:")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test func `the reader suggests the saved page and opens it by its link`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/docs/", .response([("Content-Type", "text/html")], text: Self.text))
    #expect(try sandbox.offread("dump", server.url + "/docs/").status == 0)
    server.stop()
    let screen = try sandbox.reader("--offline", server.url + "/docs")
    try screen.wait(for: "A page with a similar URL is saved")
    try screen.press("Tab", "Enter")
    try screen.wait(for: "words of the site")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }
}
