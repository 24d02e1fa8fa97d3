import Foundation
import TestSupport
import Testing

/// `--private`: saved pages are read, and nothing is written.
@Suite struct PrivateTests {
  /// Returns every file below a directory with its size and modification time.
  private static func traces(_ directory: String) -> [String: String] {
    var found: [String: String] = [:]
    for name in (FileManager.default.enumerator(atPath: directory)?.allObjects ?? []) {
      guard let name = name as? String else { continue }
      var status = stat()
      lstat(directory + "/" + name, &status)
      found[name] =
        "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(status.st_ino)"
    }
    return found
  }

  private static func server() throws -> ScriptedServer {
    let server = try ScriptedServer()
    server.on("/saved", .response([("Set-Cookie", "a=1")], text: "from before"))
    let large = "<p>" + String(repeating: "new words ", count: 200_000)
    server.on(
      "/new", .response([("Set-Cookie", "a=2"), ("Content-Type", "text/html")], text: large))
    return server
  }

  @Test func `a private session saves nothing and reads saved pages`() throws {
    let sandbox = try Sandbox()
    let server = try Self.server()
    try sandbox.settings("[identity]\ncookies = true\n")
    _ = try sandbox.offread("save", "--quiet", server.url + "/saved")
    let before = Self.traces(sandbox.directory.path)
    #expect(before.keys.contains { $0.hasSuffix(".warc.gz") })
    let new = try sandbox.offread("fetch", "-i", "--private", server.url + "/new")
    #expect(new.status == 0 && new.errorText.isEmpty && new.output.count > 2_000_000)
    #expect(new.text.contains("Cache-Status: offread; fwd=uri-miss; fwd-status=200\r\n"))
    let dumped = try sandbox.offread("dump", "--private", server.url + "/new")
    #expect(dumped.status == 0 && dumped.errorText.isEmpty)
    server.stop()
    let saved = try sandbox.offread("--private", server.url + "/saved")
    #expect(saved.text == "from before\n")
    #expect(try sandbox.offread("dump", "--private", server.url + "/new").status == 1)
    #expect(Self.traces(sandbox.directory.path) == before)
  }

  @Test func `a private session creates nothing where there is nothing`() throws {
    let sandbox = try Sandbox()
    let server = try Self.server()
    #expect(try sandbox.offread("dump", "--private", server.url + "/new").status == 0)
    #expect(!FileManager.default.fileExists(atPath: sandbox.data))
    let log = sandbox.directory.appendingPathComponent("log").path
    let logged = try sandbox.offread("dump", "--private", "--log", log, server.url + "/new")
    #expect(logged.status == 2 && logged.errorText.contains("cannot be used together"))
    #expect(!FileManager.default.fileExists(atPath: log))
  }

  @Test func `a private session at the terminal leaves no position, history or queue`() throws {
    let sandbox = try Sandbox()
    let server = try Self.server()
    _ = try sandbox.offread("save", "--quiet", server.url + "/saved")
    let before = Self.traces(sandbox.directory.path)
    let screen = try sandbox.reader("--private", server.url + "/saved")
    try screen.wait(for: "from before")
    try screen.press("a")
    try screen.wait(for: "a private session changes nothing")
    try screen.press("E")
    try screen.wait(for: "a private session does not write a file for an editor")
    try screen.press("q")
    #expect(try screen.waitForExit() == 0)
    #expect(Self.traces(sandbox.directory.path) == before)
  }

  /// Returns the system calls of a run that create or modify a file, except for the terminal and
  /// special files.
  private static func writes(_ arguments: [String], _ sandbox: Sandbox) throws -> [String] {
    let log = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: log) }
    let calls =
      "open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,link,"
      + "linkat,symlink,symlinkat,mknod,mknodat,truncate,chmod,fchmodat,utimensat"
    let run = try Program.run(
      "strace", ["-f", "-qq", "-e", "trace=" + calls, "-o", log.path, Program.offread] + arguments,
      environment: ["OFFREAD_DATA_DIR": sandbox.data])
    #expect(run.status == 0, "\(run.errorText)")
    let lines = String(decoding: try Data(contentsOf: log), as: UTF8.self).split(separator: "\n")
    #expect(lines.count > 10)
    return lines.map(String.init).filter { line in
      let opens = line.contains(" open(") || line.contains(" openat(")
      let reads = !["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].contains { line.contains($0) }
      let isDevice = ["\"/dev/null\"", "\"/dev/tty\""].contains { line.contains($0) }
      let isCall =
        line.contains("(") && !line.contains("<... ") && !line.contains("---")
        && !line.contains("+++")
      return isCall && !(opens && (reads || isDevice))
    }
  }

  @Test func `no system call creates or modifies a file`() throws {
    let sandbox = try Sandbox()
    let server = try Self.server()
    _ = try sandbox.offread("save", "--quiet", server.url + "/saved")
    for path in ["/new", "/saved"] {
      for command in ["dump", "fetch"] {
        let writes = try Self.writes([command, "--private", server.url + path], sandbox)
        #expect(writes == [], "\(command) \(path)")
      }
    }
    // Verifies that the test can fail.
    #expect(try !Self.writes(["dump", server.url + "/new"], sandbox).isEmpty)
  }
}
