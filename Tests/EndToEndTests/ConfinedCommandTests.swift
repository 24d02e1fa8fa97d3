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

#if os(Linux)
  /// Commands compromised by their input.
  @Suite struct ConfinedCommandTests {
    private let sandbox: Sandbox
    private let server: ScriptedServer
    private let library: String
    /// A terminal that is open in another program.
    private let terminal: (descriptor: Int32, name: String)
    private var output: String { sandbox.directory.path + "/output" }
    private var home: String { sandbox.directory.path + "/home" }

    init() throws {
      sandbox = try Sandbox()
      server = try ScriptedServer()
      let html = [("Content-Type", "text/html")]
      server.on(
        "/", .response(html, text: "<title>One</title><p>a page"),
        .response(html, text: "<title>One</title><p>a page that changed"))
      var (ours, theirs): (Int32, Int32) = (-1, -1)
      #expect(openpty(&ours, &theirs, nil, nil, nil) == 0)
      var name = [CChar](repeating: 0, count: 256)
      #expect(ttyname_r(theirs, &name, name.count) == 0)
      close(theirs)
      terminal = (ours, String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
      // A space would end the name in the variable.
      library =
        FileManager.default.temporaryDirectory
        .appendingPathComponent("\(UUID().uuidString).so").path
      let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures/TakenOverCommand.c").path
      let made = try Program.run("clang", ["-shared", "-fPIC", "-o", library, source])
      #expect(made.status == 0, "\(made.errorText)")
      for directory in [home + "/.ssh", output] {
        try FileManager.default.createDirectory(
          atPath: directory, withIntermediateDirectories: true)
      }
      for name in ["/.ssh/id", "/.bashrc"] {
        try Data("mine\n".utf8).write(to: URL(fileURLWithPath: home + name))
      }
    }

    /// Runs a compromised command, and returns its output and the operations that it could perform.
    private func trials(
      _ arguments: [String], in prefix: [String] = []
    ) throws -> (run: Program, done: Set<String>) {
      let results = sandbox.data + "/results"
      try? FileManager.default.removeItem(atPath: results)
      let tokens = prefix + [Program.offread] + arguments
      let run = try Program.run(
        tokens[0], Array(tokens.dropFirst()),
        environment: [
          "OFFREAD_DATA_DIR": sandbox.data, "HOME": home, "OUTPUT": output,
          "TERMINAL": terminal.name, "RESULTS": results, "LD_PRELOAD": library,
        ])
      let lines = try String(contentsOfFile: results, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 11, "\(arguments): \(lines)")
      return (
        run,
        Set(lines.filter { $0.hasSuffix(": done") }.map { String($0.dropLast(": done".count)) })
      )
    }

    private func clean() {
      unlink(library)
      close(terminal.descriptor)
    }

    private func save() throws {
      for arguments in [["save", "--delay", "0"], ["dump", "--mode", "network-only"]] {
        let run = try sandbox.offread(arguments + [server.url + "/"])
        #expect(run.status == 0, "\(run.errorText)")
      }
    }

    @Test func `a compromised command can access its own files, and no programs`() throws {
      guard Confinement.version != nil, CallFilter.isPossible else { return }
      defer { clean() }
      try save()
      let page = server.url + "/"
      let list = try sandbox.file("list.txt", page + "\n")
      let commands: [(arguments: [String], hasNetwork: Bool)] = [
        (["dump", page], true), (["fetch", "-o", output + "/page", page], true),
        (["save", "--delay", "0", page], true), (["sync", "--delay", "0"], true),
        (["import", list], false), (["list"], false), (["search", "page"], false),
        (["check"], false), (["versions", page], false), (["diff", page], false),
        (["export", "--format", "markdown", "--all", "-o", output + "/page.md"], false),
        (["export", "--format", "warc", "--all", "-o", output + "/pages.warc.gz"], false),
        (["export", "--format", "wacz", "--all", "-o", output + "/pages.wacz"], false),
        (["export", "--format", "epub", "--all", "-o", output + "/book.epub"], false),
        (["bundle", "-o", output + "/bundle.tar"], false), (["archive", "info"], false),
        (["archive", "verify"], false), (["archive", "compact"], false),
        (["archive", "rebuild"], false),
        (["archive", "cdxj", "--zipnum", "-o", output + "/index.idx"], false),
        (["mark", "--tag", "x", page], false), (["add", page + "b"], false),
        (["remove", page], false),
      ]
      for (arguments, hasNetwork) in commands {
        let (run, done) = try trials(arguments)
        #expect(run.status == 0, "\(arguments): \(run.errorText)")
        let expected: Set<String> = hasNetwork ? ["network"] : []
        #expect(done == expected, "\(arguments)")
      }
      // The requested output exists, and nothing else.
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: output).sorted() == [
          "book.epub", "bundle.tar", "index.cdx.gz", "index.idx", "index.loc", "page", "page.md",
          "pages.wacz", "pages.warc.gz",
        ])
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: home).sorted() == [".bashrc", ".ssh"])
    }

    @Test func `without the sandbox the same commands can do everything`() throws {
      defer { clean() }
      try save()
      for command in [["list"], ["dump"]] {
        let target = command == ["dump"] ? [server.url + "/"] : []
        #expect(try trials(command + ["--no-sandbox"] + target).done.count == 11, "\(command)")
      }
    }

    @Test
    func `without Landlock system calls are still restricted, and doctor reports it`()
      throws
    {
      guard CallFilter.isPossible else { return }
      defer { clean() }
      try save()
      let program = (Program.offread as NSString).deletingLastPathComponent + "/TakenOver"
      let prefix = [program, "--without-landlock"]
      let (_, done) = try trials(["list"], in: prefix)
      #expect(
        done == [
          "read a secret", "write settings of the shell", "make a file",
          "make a file beside the output", "open other terminals",
        ])
      let doctor = try Program.run(
        program, ["--without-landlock", Program.offread, "doctor"],
        environment: ["OFFREAD_DATA_DIR": sandbox.data])
      #expect(doctor.text.contains("no Landlock, seccomp"), "\(doctor.text)")
      #expect(doctor.text.contains("5.13"))
      // The reader has a launcher there, too.
      let page = try sandbox.file("page.html", "<title>T</title><h1>Page</h1>")
      let screen = try TmuxScreen(
        prefix + [Program.offread, page],
        environment: [
          "OFFREAD_DATA_DIR": sandbox.data, "HOME": home, "OUTPUT": output,
          "TERMINAL": terminal.name, "RESULTS": sandbox.data + "/reader", "LD_PRELOAD": library,
        ])
      try screen.wait(for: "Page")
      try screen.press("q")
      #expect(try screen.waitForExit() == 0)
      let lines = try String(contentsOfFile: sandbox.data + "/reader", encoding: .utf8)
      for name in ["start a program", "signal others", "local socket"] {
        #expect(lines.contains("\(name): refused"), "\(lines)")
      }
      #expect(lines.contains("read a secret: done"))
    }

    @Test(arguments: ["dir/new", "dir/old"])
    func `a killed load leaves an existing file intact, and no other file`(_ name: String)
      throws
    {
      defer { clean() }
      let directory = sandbox.directory.path + "/dir"
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try Data("old".utf8).write(to: URL(fileURLWithPath: directory + "/old"))
      let (gate, reached) = (Gate(), Gate())
      let head = ServerScript.head(
        status: 200, [("Content-Type", "text/plain"), ("Content-Length", "3000000")])
      let part = [UInt8](repeating: 0x61, count: 2_000_000)
      server.on(
        "/big", ServerScript([.send(head), .send(part), .open(reached), .wait(gate), .close]))
      let child = try Program.start(
        Program.offread,
        [
          "fetch", "--data-dir", sandbox.data, "-o", sandbox.directory.path + "/" + name,
          server.url + "/big",
        ])
      #expect(reached.wait(atMost: 60))
      kill(child, SIGKILL)
      #expect(Program.wait(for: child) == 128 + SIGKILL)
      gate.open()
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["old"])
      #expect(try String(contentsOfFile: directory + "/old", encoding: .utf8) == "old")
      // A failed load does the same.
      server.on(
        "/cut", .truncated([("Content-Type", "text/plain")], body: part, promised: 3_000_000))
      let run = try sandbox.offread("fetch", "-o", directory + "/old", server.url + "/cut")
      #expect(run.status != 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["old"])
      #expect(try String(contentsOfFile: directory + "/old", encoding: .utf8) == "old")
    }

    @Test func `constants of the program cannot be modified`() throws {
      defer { clean() }
      let (gate, reached) = (Gate(), Gate())
      server.on("/wait", ServerScript([.open(reached), .wait(gate), .close]))
      let child = try Program.start(
        Program.offread, ["fetch", "--data-dir", sandbox.data, server.url + "/wait"])
      defer {
        gate.open()
        _ = Program.wait(for: child)
      }
      #expect(reached.wait(atMost: 60))
      let maps = try String(contentsOfFile: "/proc/\(child)/maps", encoding: .utf8)
      let own = URL(fileURLWithPath: Program.offread).resolvingSymlinksInPath().path
      let writable = maps.split(separator: "\n").filter {
        $0.hasSuffix(" " + own) && $0.contains(" rw")
      }
      let sizes = writable.compactMap { line -> Int? in
        let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
        return ends.count == 2 ? ends[1] - ends[0] : nil
      }
      // Only variables are in writable memory.
      #expect(!sizes.isEmpty && sizes.reduce(0, +) < 400 << 10, "\(writable)")
    }

    @Test func `opening a search hit starts a reader that is confined itself`() throws {
      defer { clean() }
      try save()
      let run = try sandbox.offread("search", "--open", "1", "page")
      #expect(run.status == 0 && run.text.contains("a page"), "\(run.errorText)")
      let none = try sandbox.offread("search", "--open", "9", "page")
      #expect(none.status == 1 && none.errorText.contains("only 1 page"))
    }

    @Test func `a hit is opened with the colours that the settings choose`() throws {
      defer { clean() }
      let html = "<p>a harbour <a href=/x>link</a>"
      server.on("/link", .response([("Content-Type", "text/html")], text: html))
      #expect(try sandbox.offread("save", "--delay", "0", server.url + "/link").status == 0)
      try sandbox.settings("[display]\ncolor = \"never\"")
      let screen = try sandbox.reader(["search", "--open", "1", "harbour"])
      try screen.wait(for: "a harbour")
      #expect(try !screen.styledRows().joined().contains("\u{1B}[38;"))
      try screen.press("q")
      #expect(try screen.waitForExit() == 0)
    }

    @Test func `a hit is opened also if several threads read new pages`() throws {
      defer { clean() }
      let html = [("Content-Type", "text/html")]
      let urls = (1...8).map { "\(server.url)/\($0)" }
      for number in 1...8 {
        server.on("/\(number)", .response(html, text: "<title>\(number)</title><p>the härbour"))
      }
      let saved = try sandbox.offread(["save", "--delay", "0"] + urls)
      #expect(saved.status == 0, "\(saved.errorText)")
      for number in 1...8 {
        let run = try sandbox.offread("search", "--open", "\(number)", "harbour", "-xyz")
        #expect(run.status == 0 && run.text.contains("the härbour"), "\(run.errorText)")
        // Each run reads all pages again.
        for name in try FileManager.default.contentsOfDirectory(atPath: sandbox.data)
        where name.hasPrefix("search") {
          try FileManager.default.removeItem(atPath: "\(sandbox.data)/\(name)")
        }
      }
      let nothing = try sandbox.offread("search", "--open", "1", "nowhere")
      #expect(nothing.status == 1 && nothing.errorText.contains("nothing was found"))
    }
  }
#endif
