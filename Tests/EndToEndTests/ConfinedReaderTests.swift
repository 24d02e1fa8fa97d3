import Foundation
import Pages
import Rendering
import Sandbox
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The reader with restricted access, and its launcher with access to everything else.
@Suite struct ConfinedReaderTests {
  private let sandbox: Sandbox
  private let home: String

  init() throws {
    sandbox = try Sandbox()
    home = sandbox.directory.resolvingSymlinksInPath().path + "/home"
    for directory in [".ssh", "docs", ".notes"] {
      try FileManager.default.createDirectory(
        atPath: "\(home)/\(directory)", withIntermediateDirectories: true)
    }
    try write("the secret key\n", ".ssh/id")
    try write("# mine\n", ".bashrc")
    try write("<title>A</title><h1>Page A</h1><a href=docs/b.html>next</a>", "a.html")
    try write("<title>B</title><h1>Page B</h1>", "docs/b.html")
    try write("<title>N</title><h1>Notes</h1><a href=more.html>next</a>", ".notes/n.html")
    try write("<title>M</title><h1>More notes</h1>", ".notes/more.html")
  }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(home)/\(name)"))
  }

  private func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: "\(home)/\(name)")
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private func reader(
    _ arguments: String..., environment: [String: String] = [:], inShell: Bool = false
  ) throws -> TmuxScreen {
    try reader(arguments, environment: environment, inShell: inShell)
  }

  private func reader(
    _ arguments: [String], environment: [String: String] = [:], inShell: Bool = false
  ) throws -> TmuxScreen {
    let variables = ["HOME": home, "XDG_RUNTIME_DIR": home].merging(environment) { $1 }
    return try sandbox.reader(arguments, columns: 120, environment: variables, inShell: inShell)
  }

  private func quit(_ screen: TmuxScreen) throws {
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: home)
    #expect(!names.contains { $0.hasPrefix("offread-") }, "\(names)")
  }

  #if os(Linux)
    @Test
    func `a compromised reader gets no secrets or programs, and cannot run commands by itself`()
      throws
    {
      guard Confinement.version != nil else { return }
      // A space would end the name in the variable.
      let library = FileManager.default.temporaryDirectory
        .appendingPathComponent("\(UUID().uuidString).so").path
      defer { unlink(library) }
      let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/TakenOverReader.c").path
      let made = try Program.run(
        "clang", ["-shared", "-fPIC", "-o", library, source, "-ldl"])
      #expect(made.status == 0, "\(made.errorText)")
      let results = sandbox.data + "/results"
      let screen = try reader(
        home + "/a.html", environment: ["LD_PRELOAD": library, "RESULTS": results])
      // The launcher asks the user.
      try screen.wait(for: "y: run it")
      try screen.press("n")
      try screen.wait("the end of the trials") { _ in
        (try? String(contentsOfFile: results, encoding: .utf8))?.contains("at its end") ?? false
      }
      let lines = try String(contentsOfFile: results, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 13)
      for line in lines.dropLast() {
        let isAllowed = line.hasPrefix("find the launcher")
        let isOfLater = line.hasPrefix("signal others") && (Confinement.version ?? 0) < 6
        let isOfCalls = line.hasPrefix("have a socket") && !CallFilter.isPossible
        guard !isOfLater, !isOfCalls else { continue }
        #expect(line.hasSuffix(isAllowed ? "done" : "refused"), "\(line)")
      }
      #expect(text(".bashrc") == "# mine\n")
      let names = try FileManager.default.contentsOfDirectory(atPath: home)
      #expect(Set(names).isDisjoint(with: ["made", "prepared", "typed"]), "\(names)")
      try screen.press("q")
      #expect(try screen.waitForExit() == 0)
    }

    private func processes(_ name: String) throws -> [pid_t] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
        .filter { id in
          guard (try? String(contentsOfFile: "/proc/\(id)/comm", encoding: .utf8)) == name + "\n",
            let line = FileManager.default.contents(atPath: "/proc/\(id)/cmdline")
          else { return false }
          return String(decoding: line, as: UTF8.self).contains(home)
        }
    }

    private func waitForEnd(of name: String) throws {
      let end = Date(timeIntervalSinceNow: 60)
      while try !processes(name).isEmpty, Date() < end { sched_yield() }
      #expect(try processes(name).isEmpty)
    }

    @Test func `the launcher ends with the reader, even if the reader is killed`() throws {
      guard Confinement.version != nil else { return }
      let screen = try reader(home + "/a.html", inShell: true)
      try screen.wait(for: "Page A")
      let (readers, launchers) = (try processes("offread"), try processes("offread-launch"))
      #expect(readers.count == 1 && launchers.count == 1)
      for reader in readers { kill(reader, SIGKILL) }
      try waitForEnd(of: "offread-launch")
      let names = try FileManager.default.contentsOfDirectory(atPath: home)
      #expect(!names.contains { $0.hasPrefix("offread-") }, "\(names)")
    }

    @Test func `a reader whose launcher was killed reports it and leaves nothing behind`() throws {
      guard Confinement.version != nil else { return }
      let screen = try reader(home + "/a.html")
      try screen.wait(for: "Page A")
      for launcher in try processes("offread-launch") { kill(launcher, SIGKILL) }
      let message = "a helper process ended; start offread again"
      try screen.press("E")
      try screen.wait(for: "not run: " + message)
      try screen.press("o")
      try screen.type("~/\r")
      try screen.wait("the directory") { rows in
        rows.contains { $0.contains("a helper process ended") && !$0.contains("not run") }
      }
      try quit(screen)
    }

    @Test func `a stopped editor ends with a killed reader`() throws {
      guard Confinement.version != nil else { return }
      let screen = try readerWithEditor([], "echo 'type here'\nread words\n")
      try screen.press("E")
      try screen.wait(for: "type here")
      try screen.press("C-z")
      try screen.wait(for: "topped")
      for reader in try processes("offread") { kill(reader, SIGKILL) }
      try waitForEnd(of: "offread-launch")
      let end = Date(timeIntervalSinceNow: 60)
      let editor = home + "/docs/own-editor"
      while try !processes("own-editor").isEmpty, Date() < end { sched_yield() }
      #expect(try processes("own-editor").isEmpty, "\(editor)")
    }
  #endif

  @Test func `files of the user open by name and by link, and hidden ones give advice`()
    throws
  {
    let screen = try reader(home + "/a.html")
    try screen.wait(for: "Page A")
    try screen.press("Tab", "Enter")
    try screen.wait(for: "Page B")
    // A file created later.
    try write("<h1>Page C</h1>", "c.html")
    for (typed, shown) in [("~/c.html", "Page C"), ("~/", "docs/"), ("~/docs", "b.html")] {
      try screen.press("o")
      try screen.type("\(typed)\r")
      try screen.wait(for: shown)
    }
    try screen.press("o")
    try screen.type("~/.ssh/id\r")
    try screen.wait(for: Confinement.version == nil ? "the secret key" : "--no-sandbox")
    try quit(screen)
    // A file named at startup can be read, with its directory.
    let notes = try reader(home + "/.notes/n.html")
    try notes.wait(for: "Notes")
    try notes.press("Tab", "Enter")
    try notes.wait(for: "More notes")
    try quit(notes)
    let free = try reader("--no-sandbox", home + "/a.html")
    try free.wait(for: "Page A")
    try free.press("o")
    try free.type("~/.ssh/id\r")
    try free.wait(for: "the secret key")
    try quit(free)
  }

  @Test(arguments: [[], ["--no-sandbox"]])
  func `devices and pipes can be opened neither by name nor by a link`(options: [String]) throws {
    #expect(mkfifo(home + "/docs/pipe", 0o600) == 0)
    try write("<h1>Page P</h1><a href=docs/pipe>next</a>", "p.html")
    let screen = try reader(options + [home + "/p.html"])
    try screen.wait(for: "Page P")
    for (path, kind) in [
      ("/dev/tty", "a device"), ("~/docs/pipe", "a pipe"), ("/dev/fd/0", "a dev"),
    ] {
      try screen.press("o")
      try screen.type("\(path)\r")
      try screen.wait(for: "is \(kind)")
      // The reader still receives all keys.
      try screen.press("B")
      try screen.wait(for: "Page P")
    }
    try screen.press("Tab", "Enter")
    try screen.wait(for: "is a pipe, and only files")
    try quit(screen)
  }

  @Test func `pages can be written to the home directory, but not to hidden files`() throws {
    let server = try ScriptedServer()
    server.on("/p", .response([("Content-Type", "text/html")], text: "<h1>Page</h1>"))
    let screen = try reader(server.url + "/p")
    try screen.wait(for: "Page")
    func save(_ name: String, _ content: String) throws {
      try screen.press("D")
      try screen.wait(for: "Write to file:")
      try screen.press("C-u")
      try screen.type("\(name)\r")
      try screen.wait(for: content)
    }
    try save("~/p.html", "wrote")
    #expect(text("p.html") == "<h1>Page</h1>")
    if Confinement.version != nil {
      try save("~/.profile", "hidden files, system files")
      #expect(text(".profile") == nil)
    }
    try quit(screen)
  }

  @Test func `an editor is started for pages, files and fields, also by the launcher`() throws {
    let server = try ScriptedServer()
    server.on(
      "/form",
      .response(
        [("Content-Type", "text/html")], text: "<p>Say <textarea name=t>old</textarea>"))
    try write(
      "#!/bin/sh\nsed 's/Page A/Changed page/; s/old/changed text/' \"$1\" > \"$1.new\"\n"
        + "mv \"$1.new\" \"$1\"\n",
      "docs/own-editor")
    chmod(home + "/docs/own-editor", 0o755)
    let screen = try reader(
      home + "/a.html",
      environment: ["VISUAL": "own-editor", "PATH": "\(home)/docs:/usr/bin:/bin"])
    try screen.wait(for: "Page A")
    try screen.press("E")
    try screen.wait(for: "Changed page")
    #expect(text("a.html")?.contains("Changed page") == true)
    try screen.press("o")
    try screen.type("\(server.url)/form\r")
    try screen.wait(for: "Say")
    try screen.press("Tab", "Enter")
    try screen.wait(for: "changed text")
    try quit(screen)
  }

  /// Starts a reader in a shell, with an editor that is a short script.
  private func readerWithEditor(_ options: [String], _ lines: String) throws -> TmuxScreen {
    try write("#!/bin/sh\n" + lines, "docs/own-editor")
    chmod(home + "/docs/own-editor", 0o755)
    let screen = try reader(
      options + [home + "/a.html"],
      environment: ["VISUAL": "own-editor", "PATH": "\(home)/docs:/usr/bin:/bin"], inShell: true)
    try screen.wait(for: "Page A")
    return screen
  }

  @Test(arguments: [[], ["--no-sandbox"]])
  func `a stopped editor returns the terminal to the shell, and resumes with its own modes`(
    options: [String]
  ) throws {
    let screen = try readerWithEditor(
      options,
      "stty -echo\nstty -g > \"$HOME/before\"\necho 'type here'\nread words\n"
        + "stty -g > \"$HOME/after\"\nstty echo\nprintf '<h1>%s</h1>' \"$words\" > \"$1\"\n")
    try screen.press("E")
    try screen.wait(for: "type here")
    for count in 1...2 {
      try screen.press("C-z")
      try screen.wait(for: "topped")
      // The shell reads lines with echo.
      try screen.type("clear; stty -a | grep -q -e '-echo ' || echo shell $((\(count) + 40))\r")
      try screen.wait(for: "shell \(count + 40)")
      try screen.type("fg\r")
      try screen.wait("the job") { rows in rows.contains { $0.contains("a.html") } }
    }
    try screen.type("Words typed\r")
    try screen.wait(for: "Words typed")
    #expect(text("after") == text("before") && text("after") != nil)
    // A shell command does the same.
    try screen.press("!")
    try screen.wait(for: "Shell:")
    try screen.type("printf 'cat %s\\n' starts; cat\r")
    if options.isEmpty, Confinement.version != nil {
      try screen.wait(for: "y: run it")
      try screen.press("y")
    }
    try screen.wait(for: "cat starts")
    try screen.press("C-z")
    try screen.wait(for: "topped")
    try screen.type("clear; echo shell $((50 + 1))\r")
    try screen.wait(for: "shell 51")
    try screen.type("fg\r")
    try screen.type("once more\r")
    try screen.wait("cat") { rows in rows.filter { $0.contains("once more") }.count == 2 }
    try screen.press("C-d")
    try screen.wait(for: "Enter: back to the page")
    try screen.press("Enter")
    try screen.wait(for: "Words typed")
    try screen.press("q")
    try screen.wait("the shell") { rows in !rows.contains { $0.contains("Words typed") } }
  }

  @Test func `a stopped and resumed reader, and a shell within it, control the terminal`()
    throws
  {
    let screen = try reader(home + "/a.html", inShell: true)
    try screen.wait(for: "Page A")
    try screen.press("C-z")
    try screen.wait(for: "topped")
    try screen.type("fg\r")
    try screen.wait(for: "Page A")
    try screen.press("!")
    try screen.wait(for: "Shell:")
    try screen.press("Enter")
    try screen.wait("the shell in it") { rows in !rows.contains { $0.contains("Page A") } }
    try screen.type("echo in the $((1 + 1))nd shell\r")
    try screen.wait(for: "in the 2nd shell")
    try screen.type("exit\r")
    try screen.wait(for: "Page A")
    try screen.press("q")
    try screen.wait("the shell") { rows in !rows.contains { $0.contains("Page A") } }
  }
}
