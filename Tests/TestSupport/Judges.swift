public import Foundation

/// Independent Python programs that check the output of offread, for tests enabled by
/// `Effort.isWhole`. `scripts/test --all` installs them and sets `OFFREAD_PYTHON`. If a program is
/// missing, the test fails.
public enum Judges {
  private static func interpreter() throws -> String {
    guard let python = ProcessInfo.processInfo.environment["OFFREAD_PYTHON"] else {
      throw Failure(message: "OFFREAD_PYTHON is not set: run scripts/test --all")
    }
    return python
  }

  /// Runs a Python script.
  /// - Parameters:
  ///   - script: The script.
  ///   - arguments: The arguments of the script.
  ///   - input: The standard input of the script.
  /// - Returns: The finished process.
  /// - Throws: `Failure` or `Program.SpawnError` if the interpreter is missing.
  public static func python(
    _ script: String, _ arguments: [String] = [], input: Data? = nil
  ) throws -> Program {
    try Program.run(try interpreter(), ["-c", script] + arguments, input: input)
  }

  /// Runs a program that is installed next to the Python interpreter.
  /// - Parameters:
  ///   - name: The name of the program.
  ///   - arguments: The arguments of the program.
  /// - Returns: The finished process.
  /// - Throws: `Failure` or `Program.SpawnError` if the program is missing.
  public static func run(_ name: String, _ arguments: [String]) throws -> Program {
    let directory = URL(fileURLWithPath: try interpreter()).deletingLastPathComponent()
    return try Program.run(directory.appendingPathComponent(name).path, arguments)
  }
}

extension Judges {
  /// A response of pywb that replays a page of a collection.
  public struct Replay: Decodable {
    /// The status code.
    public var status: Int
    /// The content.
    public var content: String
    /// The target of a redirect, or nil.
    public var location: String?
  }

  /// Replays pages of a collection with pywb.
  ///
  /// The server listens on a free loopback port and is terminated before this returns.
  /// - Parameters:
  ///   - urls: The URLs of the pages.
  ///   - collection: A WACZ file, or a directory with `archive` and `indexes`.
  ///   - directory: An empty directory for the files that pywb writes.
  /// - Returns: The responses by URL.
  /// - Throws: `Program.SpawnError`, `Failure` and `DecodingError` if the server fails.
  public static func replay(
    _ urls: [String], of collection: String, in directory: URL
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
    let run = try python(script, [directory.path, collection] + urls)
    guard run.status == 0 else { throw Failure(message: run.errorText) }
    return try JSONDecoder().decode([String: Replay].self, from: run.output)
  }

  /// A failure of an independent program.
  public struct Failure: Error {
    /// The error message of the program.
    public var message: String
  }
}
