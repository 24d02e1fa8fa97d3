import Foundation
import TestSupport
import Testing

/// Forms filled in and submitted in a real terminal, to a real server.
@Suite struct FormFillingTests {
  private static let form = """
    <title>Form</title><h1>Sign up</h1><form action=/post method=post>
    <p>Name: <input name=name> <p>Password: <input type=password name=pw>
    <p><input type=checkbox name=news> News <p>Land <select name=land><option>Austria<option>Italy</select>
    <p>About <textarea name=about>old words</textarea> <p><button name=do value=it>Send</button></form>
    """

  @Test func `a form is filled in with keys, a list and the editor, submitted, and kept filled in`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/form", .response([("Content-Type", "text/html")], text: Self.form))
    server.on("/post", .response([("Content-Type", "text/html")], text: "<p>Thanks, got it."))
    // As with git, the value is a command line: quoted arguments, and a path with spaces.
    let editor = try sandbox.file("sed it", "#!/bin/sh\nexec sed \"$@\"\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: editor)
    let screen = try sandbox.reader(
      server.url + "/form",
      environment: ["EDITOR": "'\(editor)' -i -e \"s/old words/new words/\"", "VISUAL": ""])
    try screen.wait(for: "Password: [____")
    try screen.press("Tab", "Enter")
    try screen.wait("the prompt") { rows in
      rows.contains { $0.trimmingCharacters(in: .whitespaces) == "Name:" }
    }
    try screen.type("Ada 漢字")
    try screen.press("Tab")
    try screen.wait(for: "[Ada 漢字__")
    try screen.type("s3cret")
    try screen.press("Enter")
    try screen.wait(for: "Password: [••••••__")
    try screen.press("Tab", "Enter")
    try screen.wait(for: "[x] News")
    try screen.press("Tab", "Enter")
    try screen.wait(for: ">(*) Austria")
    try screen.press("j", "Enter")
    try screen.wait(for: "[Italy")
    try screen.press("Tab", "Enter")
    try screen.wait(for: "[new words")
    try screen.press("Tab")
    try screen.wait(for: "Send: sends")
    try screen.press("Enter")
    try screen.wait(for: "Thanks, got it.")
    let sent = try #require(server.requests(for: "/post").last)
    #expect(sent.method == "POST")
    #expect(
      String(decoding: sent.body, as: UTF8.self)
        == "name=Ada+%E6%BC%A2%E5%AD%97&pw=s3cret&news=on&land=Italy&about=new+words&do=it")
    try screen.press("r")
    try screen.wait(for: "Send the form again? (y/n)")
    try screen.press("n")
    try screen.press("B")
    try screen.wait(for: "[Italy")
    server.stop()
    try screen.press("Enter")
    try screen.wait(for: "not sent: connection refused")
    try screen.wait(for: "[Ada 漢字__")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    let names = try #require(FileManager.default.enumerator(atPath: sandbox.directory.path))
    for case let name as String in names {
      let path = sandbox.directory.appendingPathComponent(name).path
      let data = FileManager.default.contents(atPath: path)
      #expect(data?.range(of: Data("s3cret".utf8)) == nil, "\(name)")
      guard name.hasSuffix(".gz") else { continue }
      let records = try Program.run("gzip", ["-dc", path])
      #expect(records.status == 0 && records.text.contains("WARC/1.1"))
      #expect(!records.text.contains("s3cret"), "\(name)")
    }
  }

  @Test(arguments: [[], ["--no-sandbox"]])
  func `a text stays unchanged if the editor cannot be started, and the reason is shown`(
    options: [String]
  ) throws {
    let sandbox = try Sandbox()
    let form = try sandbox.file("form.html", "<form><textarea>old words</textarea></form>")
    let screen = try sandbox.reader(
      options + [form], environment: ["EDITOR": "no-such-editor", "VISUAL": ""])
    try screen.wait(for: "[old words")
    try screen.press("Tab", "Enter")
    try screen.wait(for: "the text is unchanged: the editor ended with exit code 127")
    try screen.wait(for: "[old words")
  }

  @Test func `offline a search form shows its saved response or is queued`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on(
      "/",
      .response(
        [("Content-Type", "text/html")], text: "<form action=/s><p>Search <input name=q></form>"))
    server.on("/s?q=one", .response([("Content-Type", "text/html")], text: "<p>All about one."))
    let screen = try sandbox.reader(server.url + "/", columns: 100)
    try screen.wait(for: "Search [")
    try screen.press("Tab", "Enter")
    try screen.wait("the prompt") { rows in
      rows.contains { $0.trimmingCharacters(in: .whitespaces) == "Search:" }
    }
    try screen.type("one\r")
    try screen.wait(for: "All about one.")
    server.stop()
    try screen.press("B")
    try screen.wait(for: "Search [one")
    try screen.press("Enter", "Enter")
    try screen.wait(for: "SAVED COPY")
    try screen.wait(for: "All about one.")
    try screen.press("B")
    try screen.wait(for: "Search [one")
    try screen.press("Enter")
    try screen.wait(for: "Search: one")
    try screen.press("C-u")
    try screen.type("two\r")
    try screen.wait(for: "It is queued")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    #expect(try sandbox.offread("list", "--queue").text.contains("/s?q=two"))
  }
}
