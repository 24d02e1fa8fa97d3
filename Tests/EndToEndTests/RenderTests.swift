import Foundation
import TestFiles
import TestSupport
import Testing

/// `save --render`, and what is shown of it. With a browser where everything is tried.
@Suite struct RenderTests {
  private let sandbox: Sandbox
  private let server: ScriptedServer

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
    let html = [("Content-Type", "text/html; charset=utf-8"), ("Set-Cookie", "id=person")]
    server.on(
      "/app",
      .response(
        html,
        text: "<title>App</title><div id=app></div><script src=/app.js></script>"))
    server.on(
      "/app.js",
      .response(
        [("Content-Type", "text/javascript")],
        text: """
          fetch("/words.json").then(r => r.json()).then(words => {
            document.getElementById("app").innerHTML =
              "<h1>" + words.title + "</h1><p>" + "A text that only scripts make. ".repeat(9);
          });
          """))
    server.on(
      "/words.json",
      .response([("Content-Type", "application/json")], text: #"{"title": "From data"}"#))
  }

  private var url: String { server.url + "/app" }

  private func save(_ arguments: String..., settings: String? = nil) throws -> Program {
    if let settings { try sandbox.settings(settings) }
    return try sandbox.offread(["save", "--delay", "0", "--render"] + arguments + [url])
  }

  @Test(.enabled(if: Effort.isWhole))
  func `text that scripts make is saved beside the page and read offline`() throws {
    #expect(try sandbox.offread("dump", url).errorText.contains("save --render"))
    let saved = try save()
    #expect(saved.status == 0, "\(saved.errorText)")
    #expect(saved.text.contains("\(url) rendered by chromium "))
    #expect(server.requests(for: "/app.js").allSatisfy { !"\($0)".contains("id=person") })
    server.stop()
    let shown = try sandbox.offread("dump", "--offline", url)
    #expect(shown.text.contains("From data"))
    #expect(shown.text.contains("A text that only scripts make."))
    #expect(shown.errorText.contains("rendered by chromium "))
    let bytes = try sandbox.offread("fetch", "--offline", url)
    #expect(bytes.text.hasPrefix("<title>App</title><div id=app></div><script"))
    #expect(try sandbox.offread("archive", "verify").status == 0)
    #expect(try sandbox.offread("archive", "rebuild").status == 0)
    #expect(try sandbox.offread("dump", "--offline", url).text.contains("From data"))
    #expect(!(try sandbox.offread("archive", "cdxj").text.contains("rendered:")))
    let found = try sandbox.offread("search", "\"only scripts make\"")
    #expect(found.text.contains(url) && found.text.contains("A text that only"))
    let collection = sandbox.folder.appendingPathComponent("x.wacz")
    let export = ["export", "--format", "wacz", "-o", collection.path, url]
    #expect(try sandbox.offread(export).status == 0)
    let pages = try ZIPContents.read([UInt8](Data(contentsOf: collection)))
      .first { $0.path == "pages/pages.jsonl" }?.bytes
    #expect(String(decoding: pages ?? [], as: UTF8.self).contains("A text that only scripts make."))
    let again = try save("--offline", "--json")
    #expect(again.status == 0, "\(again.errorText)")
    #expect(again.text.contains(#""browser" : "chromium "#))
    #expect(try sandbox.offread("remove", url).status == 0)
    #expect(try sandbox.offread("dump", "--offline", url).status == 4)
  }

  @Test(.enabled(if: Effort.isWhole))
  func `a sync renders again what was rendered, or tells of which day it is`() throws {
    #expect(try save().status == 0)
    func words(_ title: String) {
      server.on(
        "/words.json",
        .response([("Content-Type", "application/json")], text: "{\"title\": \"\(title)\"}"))
    }
    words("From later data")
    let again = try sandbox.offread("sync", "--delay", "0", url)
    #expect(again.status == 0, "\(again.errorText)")
    #expect(again.text.contains("\(url) rendered by chromium "), "\(again.text)")
    #expect(try sandbox.offread("dump", "--offline", url).text.contains("From later data"))
    words("From data never seen")
    try sandbox.settings("[render]\ncommand = \"no-such-chromium\"\n")
    let without = try sandbox.offread("sync", "--delay", "0", url)
    #expect(without.status == 0, "\(without.errorText)")
    let line = "\(url) not rendered again: no-such-chromium, which [render] names, is not there"
    #expect(without.text.contains(line), "\(without.text)")
    #expect(without.text.contains("; its rendering is of "))
    #expect(try sandbox.offread("sync", "--delay", "0", "--quiet", url).errorText.isEmpty)
    #expect(try sandbox.offread("dump", "--offline", url).text.contains("From later data"))
    server.stop()
    try sandbox.settings("")
    let offline = try sandbox.offread("sync", "--delay", "0", url)
    #expect(!offline.text.contains("rendered") && !offline.errorText.contains("rendered"))
  }

  @Test(.enabled(if: Effort.isWhole))
  func `a page on the screen is rendered, with a banner`() throws {
    let reader = try sandbox.reader(url)
    try reader.wait(for: ":render")
    try reader.type(":render")
    try reader.press("Enter")
    try reader.wait(for: "From data")
    try reader.wait(for: "rendered by chromium ")
    try reader.press("=")
    try reader.wait(for: "saved copy: rendered by chromium ")
    try reader.press("q", "q")
  }

  @Test(.enabled(if: Effort.isWhole))
  func `a browser that is none, and one that is killed, are told in a line`() throws {
    for (name, script) in [
      ("none", "#!/bin/sh\nexit 3\n"), ("killed", "#!/bin/sh\nkill -9 $$\n"),
      ("silent", "#!/bin/sh\nexec 3<&- 4>&-\n"),
    ] {
      let browser = try sandbox.file(name, script)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser)
      let run = try save("--quiet", settings: "[render]\ncommand = \"\(browser)\"\n")
      #expect(run.status == 1)
      #expect(
        run.errorText.contains("\noffread: \(url) not rendered: the browser does not start"),
        "\(run.errorText)")
      #expect(!run.errorText.contains("--render"), "\(run.errorText)")
    }
    #expect(try sandbox.offread("fetch", "--offline", url).text.contains("<div id=app>"))
  }

  @Test func `without a browser the page is saved, and a line names the package`() throws {
    let run = try save("--quiet", settings: "[render]\ncommand = \"no-such-chromium\"\n")
    #expect(run.status == 1)
    #expect(
      run.errorText
        == "offread: saved \(url) (65 B), but it has no text to read\n"
        + "offread: \(url) not rendered: no-such-chromium, which [render] names, is not there; the"
        + " package chromium has a browser for it\n")
    #expect(try sandbox.offread("fetch", "--offline", url).text.contains("<div id=app>"))
  }

  @Test func `no browser is run as root`() throws {
    guard geteuid() == 0 else { return }
    let run = try sandbox.offread(
      ["save", "--delay", "0", "--quiet", "--render", url],
      environment: ["OFFREAD_TEST_AS_ROOT": "0"])
    let isInstalled = Program.path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/chromium")
    }
    #expect(isInstalled || !Effort.isWhole)
    if isInstalled {
      #expect(run.errorText.contains("not rendered: no browser is run as root"))
    } else {
      #expect(run.errorText.contains("install the package chromium"))
    }
  }
}
