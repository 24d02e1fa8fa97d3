import Foundation
import Sandbox
import TestSupport
import Testing

/// The reader and other programs, in a real terminal.
@Suite struct OutsideTests {
  private func page(_ sandbox: Sandbox) throws -> String {
    try sandbox.file("page.html", "<title>Log</title><h1>Log</h1><p>alpha beta<p>gamma")
  }

  @Test func `the text of a page is piped to a command, and the reader returns`() throws {
    let sandbox = try Sandbox()
    let page = try page(sandbox)
    let screen = try sandbox.reader(page)
    try screen.wait(for: "alpha beta")
    try screen.press("|")
    try screen.wait(for: "Pipe to:")
    try screen.type("sed -n s/gamma/delta/p\r")
    // Once per session, the launcher of a confined reader asks whether the user entered a command.
    if Confinement.version != nil {
      try screen.wait(for: "y: run it")
      try screen.press("y")
    }
    let rows = try screen.wait(for: "Enter: back to the page")
    #expect(rows.contains { $0.trimmingCharacters(in: .whitespaces) == "delta" })
    try screen.press("Enter")
    try screen.wait(for: "alpha beta")
    try screen.press("!")
    try screen.wait(for: "Shell:")
    try screen.type("echo at=$OFFREAD_URL\r")
    // Without a text of its own, this could find the output of the first command.
    try screen.wait(for: "at=file://")
    try screen.press("Enter")
    try screen.wait(for: "alpha beta")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test func `C-c after the output of a command returns to the page`() throws {
    let sandbox = try Sandbox()
    let screen = try sandbox.reader(try page(sandbox))
    try screen.wait(for: "alpha beta")
    try screen.press("!")
    try screen.wait(for: "Shell:")
    try screen.type("echo done\r")
    if Confinement.version != nil {
      try screen.wait(for: "y: run it")
      try screen.press("y")
    }
    try screen.wait(for: "Enter: back to the page")
    try screen.press("C-c")
    try screen.wait(for: "alpha beta")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test func `a signal ends the reader after the output of a command`() throws {
    let sandbox = try Sandbox()
    let screen = try sandbox.reader(try page(sandbox), inShell: true)
    try screen.wait(for: "alpha beta")
    try screen.press("!")
    try screen.wait(for: "Shell:")
    try screen.type("echo done\r")
    if Confinement.version != nil {
      try screen.wait(for: "y: run it")
      try screen.press("y")
    }
    try screen.wait(for: "Enter: back to the page")
    let reader = try screen.processID()
    kill(reader, SIGTERM)
    try screen.wait("the end of the process") { _ in kill(reader, 0) != 0 }
    try screen.type("echo code $?\r")
    try screen.wait("the exit code") { rows in rows.contains("code \(128 + SIGTERM)") }
  }

  @Test func `a page is written to a file, which is never replaced`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/log", .response([("Content-Type", "text/html")], text: "<h1>Log</h1><p>words"))
    let file = sandbox.directory.appendingPathComponent("copy.html").path
    let screen = try sandbox.reader(server.url + "/log", columns: 160)
    try screen.wait(for: "words")
    for text in ["wrote", "exists. Save as:"] {
      try screen.press("D")
      try screen.wait(for: "Write to file:")
      try screen.press("C-u")
      try screen.type("\(file)\r")
      try screen.wait(for: text)
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "<h1>Log</h1><p>words")
    let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.directory.path)
    #expect(!files.contains { $0.hasSuffix(".part") })
    try screen.press("C-c")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test
  func `configured keys apply, and an error in them is reported at startup`()
    throws
  {
    let sandbox = try Sandbox()
    try sandbox.settings("[keys]\npreset = \"less\"\nquit = \"Z\"\nnext-lin = \"x\"\n")
    let screen = try sandbox.reader(try page(sandbox), columns: 200)
    let rows = try screen.wait(for: "there is no command next-lin")
    #expect(rows.contains { $0.contains(":4: ") && $0.contains("did you mean next-link?") })
    try screen.press("h")
    try screen.wait(for: "one page down")
    try screen.press("Z", "Z")
    #expect(try screen.waitForExit() == 0)
  }
}
