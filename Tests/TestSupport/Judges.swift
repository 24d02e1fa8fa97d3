public import Foundation

/// Programs of others in Python, as outside judges, for tests that `Effort.isWhole` enables: `scripts/test --all`
/// installs them and sets `OFFREAD_PYTHON`. One that is missing makes the test fail.
public enum Judges {
  private static func interpreter() throws -> String {
    guard let python = ProcessInfo.processInfo.environment["OFFREAD_PYTHON"] else {
      throw Failure(words: "OFFREAD_PYTHON is not set: run scripts/test --all")
    }
    return python
  }

  /// Runs a script of Python.
  /// - Parameters:
  ///   - script: the script.
  ///   - arguments: its arguments.
  ///   - input: its standard input.
  /// - Returns: the process once it has ended.
  /// - Throws: `Failure` or `Program.SpawnError` when it is missing.
  public static func python(
    _ script: String, _ arguments: [String] = [], input: Data? = nil
  ) throws -> Program {
    try Program.run(try interpreter(), ["-c", script] + arguments, input: input)
  }

  /// Runs a program that was installed beside that Python.
  /// - Parameters:
  ///   - name: the program.
  ///   - arguments: its arguments.
  /// - Returns: the process once it has ended.
  /// - Throws: `Failure` or `Program.SpawnError` when it is missing.
  public static func run(_ name: String, _ arguments: [String]) throws -> Program {
    let folder = URL(fileURLWithPath: try interpreter()).deletingLastPathComponent()
    return try Program.run(folder.appendingPathComponent(name).path, arguments)
  }
}

extension Judges {
  /// What pywb answers when it serves a collection.
  public struct Replay: Decodable {
    /// The status code.
    public var status: Int
    /// The content.
    public var content: String
    /// Where a redirect leads.
    public var location: String?
  }

  /// Has pywb serve a collection, and asks it for pages of it.
  ///
  /// The server listens on loopback, at a port that is free, and is ended before this returns.
  /// - Parameters:
  ///   - urls: the addresses of the pages.
  ///   - collection: a WACZ file to be taken over, or a folder with `archive` and `indexes`.
  ///   - folder: an empty folder for what pywb writes.
  /// - Returns: the answers, by address.
  /// - Throws: `Program.SpawnError`, `Failure`, and `DecodingError` when the server does not work.
  public static func replay(
    _ urls: [String], of collection: String, in folder: URL
  ) throws -> [String: Replay] {
    let script = """
      import json, os, socket, subprocess, sys, time, urllib.error, urllib.request
      folder, collection, *urls = sys.argv[1:]
      tools = os.path.dirname(sys.executable)
      def run(*words):
        subprocess.run([tools + "/wb-manager", *words], cwd=folder, check=True, stdout=2)
      if os.path.isdir(collection):
        os.makedirs(folder + "/collections")
        os.symlink(collection, folder + "/collections/c")
      else:
        run("init", "c")
        run("add", "--unpack-wacz", "c", collection)
      with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
      command = [tools + "/wayback", "-b", "127.0.0.1", "-p", str(port)]
      server = subprocess.Popen(command, cwd=folder, stdout=2)
      class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *arguments):
          return None
      opener = urllib.request.build_opener(Stay)
      answers = {}
      try:
        end = time.monotonic() + 120
        while True:
          try:
            socket.create_connection(("127.0.0.1", port), 5).close()
            break
          except OSError:
            if time.monotonic() > end or server.poll() is not None:
              sys.exit("pywb does not start")
            time.sleep(0.05)
        for url in urls:
          try:
            answer = opener.open(f"http://127.0.0.1:{port}/c/2026id_/{url}", timeout=60)
          except urllib.error.HTTPError as error:
            answer = error
          answers[url] = {
            "status": answer.status, "content": answer.read().decode("latin-1"),
            "location": answer.headers.get("Location")}
        print(json.dumps(answers))
      finally:
        server.terminate()
        server.wait()
      """
    let run = try python(script, [folder.path, collection] + urls)
    guard run.status == 0 else { throw Failure(words: run.errorText) }
    return try JSONDecoder().decode([String: Replay].self, from: run.output)
  }

  /// A judge that does not work.
  public struct Failure: Error {
    /// What it said.
    public var words: String
  }
}
