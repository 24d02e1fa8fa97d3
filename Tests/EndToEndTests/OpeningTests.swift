import Foundation
import TestSupport
import Testing

/// Binary content, in a real terminal with other programs.
@Suite struct OpeningTests {
  private static let image: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 1, 2]

  private func server() throws -> ScriptedServer {
    let server = try ScriptedServer()
    server.on(
      "/page",
      .response(
        [("Content-Type", "text/html")], text: "<title>T</title><p>See <a href=/a.png>it</a>"))
    server.on(
      "/a.png", .response([("Content-Type", "image/png")], body: Self.image))
    return server
  }

  @Test func `an image is saved, and opened by the program of mailcap, also offline`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try server()
    let mailcap = try sandbox.file(
      "mailcap",
      "image/png; false %s; test=false\n"
        + "image/png; echo size=$(wc -c < '%s') mode=$(ls -l %s | cut -c1-10) \\; read x;"
        + " needsterminal\n")
    let environment = ["MAILCAPS": mailcap, "XDG_RUNTIME_DIR": sandbox.directory.path]
    let screen = try sandbox.reader(server.url + "/page", environment: environment)
    try screen.wait(for: "See it")
    try screen.press("Tab", "Enter")
    try screen.wait(for: "image/png")
    try screen.press("Enter")
    try screen.wait(for: "size=11 mode=-rw-------")
    try screen.press("Enter")
    try screen.wait(for: "Another program can show it")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.directory.path)
    #expect(!left.contains { $0.hasPrefix("offread-") }, "\(left)")

    let offline = try sandbox.reader("--offline", server.url + "/a.png", environment: environment)
    try offline.wait(for: "SAVED COPY")
    try offline.press("Enter")
    try offline.wait(for: "size=11")
    try offline.press("Enter")
    try offline.wait(for: "Another program can show it")
    try offline.press("q")
    #expect(try offline.waitForExit() == 0)
  }

  @Test
  func `the configured program runs in the background, and without one there is advice`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try server()
    let copy = sandbox.directory.appendingPathComponent("copy").path
    try sandbox.settings(
      "[display]\nopener = \"cat %s > '\(copy).part'; readlink /proc/$$/fd/* > '\(copy).files';"
        + " mv '\(copy).part' '\(copy)'\"\n")
    let screen = try sandbox.reader(server.url + "/a.png", columns: 120)
    try screen.wait(for: "Another program can show it")
    try screen.press("Enter")
    try screen.wait(for: "opened a.png in cat")
    try screen.wait("the file passed to the program") { _ in
      FileManager.default.contents(atPath: copy).map(Array.init) == Self.image
    }
    #if canImport(Glibc)
      // The connections of the reader are not passed to the program.
      let files = try String(contentsOfFile: copy + ".files", encoding: .utf8)
      let others = files.split(separator: "\n").filter {
        $0 != "/dev/null" && $0 != copy + ".files"
      }
      #expect(files.contains("/dev/null") && others.isEmpty, "\(files)")
    #endif
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)

    try sandbox.settings("")
    let environment = ["MAILCAPS": "/none", "PATH": "/none"]
    let other = try sandbox.reader(
      server.url + "/a.png", columns: 160, environment: environment)
    try other.wait(for: "Another program can show it")
    try other.press("Enter")
    try other.wait(for: "no program opens")
    try other.press("q")
    #expect(try other.waitForExit() == 0)
  }

  @Test func `a mailcap test that does not end does not prevent quitting`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    let marker = sandbox.directory.appendingPathComponent("asked").path
    let mailcap = try sandbox.file(
      "mailcap", "image/png; false %s; test=echo > '\(marker)' \\; sleep 600\n")
    let screen = try sandbox.reader(
      server.url + "/a.png",
      environment: ["MAILCAPS": mailcap, "XDG_RUNTIME_DIR": sandbox.directory.path])
    try screen.wait(for: "Another program can show it")
    try screen.press("Enter")
    try screen.wait("the test to run") { _ in FileManager.default.fileExists(atPath: marker) }
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.directory.path)
    #expect(!left.contains { $0.hasPrefix("offread-") }, "\(left)")
  }

  @Test func `the displayed version is opened and written, even if the network has a newer one`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try server()
    let directory = sandbox.directory.path
    let copy = directory + "/copy"
    let first = Self.image + [3, 4, 5]
    for (number, body) in [first, Self.image].enumerated() {
      server.on("/a.png", .response([("Content-Type", "image/png")], body: body))
      let saving = try sandbox.offread(
        "fetch", "--mode", "network-only", "-o", "\(directory)/\(number).png", "\(server.url)/a.png"
      )
      #expect(saving.status == 0)
    }
    try sandbox.settings(
      "[display]\nopener = \"cat %s > '\(copy).part'; mv '\(copy).part' '\(copy)'\"\n")
    for options in [[], ["--offline"]] as [[String]] {
      let screen = try sandbox.reader(options + [server.url + "/a.png"], columns: 120)
      try screen.wait(for: "11 B")
      try screen.type("(")
      try screen.wait(for: "14 B")
      try screen.wait(for: "version 1 of")
      try screen.press("Enter")
      try screen.wait("the file passed to the program") { _ in
        FileManager.default.contents(atPath: copy).map(Array.init) == first
      }
      try FileManager.default.removeItem(atPath: copy)
      try screen.press("=")
      try screen.wait(for: "Digest")
      try screen.press("q", "D")
      try screen.wait(for: "Write to file:")
      try screen.press("C-u")
      try screen.type("\(directory)/old\(options.count).png\r")
      try screen.wait(for: "wrote")
      let written = FileManager.default.contents(atPath: "\(directory)/old\(options.count).png")
      #expect(written.map(Array.init) == first)
      try screen.press("q")
      #expect(try screen.waitForExit() == 0)
    }
  }

  @Test func `a binary response to a form is opened and written from memory`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    let copy = sandbox.directory.path + "/copy"
    server.on(
      "/form",
      .response(
        [("Content-Type", "text/html")],
        text: "<p>Ask <form action=/report method=post><input type=submit></form>"))
    server.on(
      "/report", .response([("Content-Type", "application/pdf")], body: Self.image))
    try sandbox.settings(
      "[display]\nopener = \"cat %s > '\(copy).part'; mv '\(copy).part' '\(copy)'\"\n")
    let screen = try sandbox.reader(server.url + "/form", columns: 120)
    try screen.wait(for: "Ask")
    try screen.press("Tab", "Enter")
    try screen.wait(for: "The file is not saved")
    server.stop()
    try screen.press("Enter")
    try screen.wait("the file passed to the program") { _ in
      FileManager.default.contents(atPath: copy).map(Array.init) == Self.image
    }
    try screen.press("D")
    try screen.wait(for: "Write to file:")
    try screen.press("C-u")
    try screen.type("\(copy).pdf\r")
    try screen.wait(for: "wrote")
    #expect(FileManager.default.contents(atPath: copy + ".pdf").map(Array.init) == Self.image)
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test
  func `downloads continue during reading, and quitting asks once and leaves no partial file`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try server()
    let gate = Gate()
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\nContent-Length: 400000\r\n\r\n"
    let part = [UInt8](repeating: 1, count: 200_000)
    server.on(
      "/slow.bin", ServerScript([.send(Array(head.utf8)), .send(part), .wait(gate), .close]))
    server.on(
      "/page",
      .response(
        [("Content-Type", "text/html")],
        text: "<p>See <a href=/a.png>it</a> <a href=/slow.bin>x</a>"))
    let directory = sandbox.directory.path
    let screen = try sandbox.reader(server.url + "/page", columns: 120)
    try screen.wait(for: "See it")
    for text in ["wrote", "writing"] {
      try screen.press("Tab", "D")
      try screen.wait(for: "Write to file:")
      try screen.press("C-u")
      try screen.type("\(directory)\r")
      try screen.wait(for: text)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory + "/a.png")) == Data(Self.image))
    try screen.press("P")
    try screen.wait(for: "done  11 B")
    try screen.wait(for: "of 400 kB")
    try screen.press("q")
    try screen.wait(for: "See it")
    try screen.press("q")
    try screen.wait(for: "1 download not complete")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    gate.open()
    let left = try FileManager.default.contentsOfDirectory(atPath: directory)
    #expect(!left.contains { $0.hasPrefix("slow.bin") }, "\(left)")
  }

  @Test
  func `displayed content is written despite its status, and a failed link is not`()
    throws
  {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on(
      "/a.png",
      .response(status: 404, [("Content-Type", "image/png")], body: Self.image))
    let directory = sandbox.directory.path
    let screen = try sandbox.reader(server.url + "/a.png", columns: 120)
    try screen.wait(for: "image/png")
    try screen.press("D")
    try screen.wait(for: "Write to file:")
    try screen.press("C-u")
    try screen.type("\(directory)/b.png\r")
    try screen.wait(for: "wrote \(directory)/b.png")
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory + "/b.png")) == Data(Self.image))
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }

  @Test func `o completes the URLs of saved pages`() throws {
    let sandbox = try Sandbox()
    let server = try server()
    let screen = try sandbox.reader(server.url + "/page", columns: 100)
    try screen.wait(for: "See it")
    try screen.press("o")
    try screen.type("127.0")
    try screen.wait(for: "\(server.url)/page")
    try screen.press("Tab")
    try screen.wait(for: "Open: \(server.url)/page")
    try screen.press("Enter")
    try screen.wait("the page") { rows in
      rows.contains { $0.contains("See it") } && !rows.contains { $0.contains("Open:") }
    }
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
  }
}
