import Foundation
import TestSupport
import Testing

/// Pages whose text is on other pages, read offline.
@Suite struct FrameTests {
  private let sandbox: Sandbox
  private let server: ScriptedServer

  init() throws {
    sandbox = try Sandbox()
    server = try ScriptedServer()
  }

  private func put(_ path: String, _ html: String) {
    server.on(path, .response([("Content-Type", "text/html; charset=utf-8")], text: html))
  }

  private func save(_ paths: String...) throws -> Program {
    try sandbox.offread(["save", "--delay", "0"] + paths.map { server.url + $0 })
  }

  private func dump(_ path: String, _ options: String...) throws -> Program {
    try sandbox.offread(["dump", "--offline"] + options + [server.url + path])
  }

  @Test func `a page that refreshes to another one shows that one offline`() throws {
    put("/old", "<title>Moved</title><meta http-equiv=refresh content='0; url=/new'>")
    put("/new", "<title>New</title><p>The text of the new page, <a href=next>and a link</a>.")
    let saved = try save("/old")
    #expect(saved.status == 0, "\(saved.text)")
    #expect(saved.text.contains("1 of 1 page ready"))
    #expect(saved.text.contains("1 frame or redirect target saved with the pages that need them"))
    server.stop()
    let shown = try dump("/old")
    #expect(shown.text.contains("The text of the new page"), "\(shown.text)")
    #expect(
      shown.errorText.contains("\(server.url)/old redirects to this page"), "\(shown.errorText)")
    #expect(try dump("/old", "--format", "links").text.contains(server.url + "/next"))
    #expect(try sandbox.offread("check", server.url + "/old").status == 0)
  }

  @Test func `the frames of a frameset are available offline as links`() throws {
    put("/set", "<frameset><frame src=/toc name=toc><frame src=/body name=body></frameset>")
    put("/toc", "<p>Contents.")
    put("/body", "<p>The text of the chapter.")
    #expect(try save("/set").status == 0)
    server.stop()
    #expect(try dump("/set", "--format", "links").text.contains(server.url + "/body"))
    #expect(try dump("/body").text.contains("The text of the chapter."))
  }

  @Test func `a page without its frame is not ready, with the reason and advice`() throws {
    put("/set", "<frameset><frame src=/body name=body></frameset>")
    let saved = try save("/set")
    #expect(saved.status == 1)
    #expect(saved.text.contains("0 of 1 page ready to be read offline"), "\(saved.text)")
    #expect(saved.text.contains("its frame \(server.url)/body is not saved; to request it again"))
    let check = try sandbox.offread("check")
    #expect(check.status == 1)
    #expect(check.text.contains("unready  \(server.url)/set"), "\(check.text)")
    #expect(check.text.contains("is not saved; to request it again: offread save "))
  }

  @Test func `no report counts a page without text as ready`() throws {
    put("/app", "<div id=app></div><script src=/app.js></script>")
    put(
      "/consent",
      "<title>Before you continue</title><p>We use cookies.<form><button>Accept</button></form>")
    let saved = try save("/app", "/consent")
    #expect(saved.status == 1)
    #expect(saved.text.contains("0 of 2 pages ready"))
    #expect(!saved.text.contains("1 page ready"))
    #expect(saved.text.contains("1 page saved without text to read; --render"))
    #expect(saved.text.contains("1 page saved that only asks for consent"), "\(saved.text)")
    #expect(
      saved.text.contains("it only asks for consent; to answer the consent question: offread "))
    #expect(try sandbox.offread("check").text.contains("0 of 2 pages can be read"))
  }
}
