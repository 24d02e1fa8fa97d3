import Foundation

/// An `openssl s_server` on the loopback interface that responds to every GET with a page if the
/// handshake succeeds. New certificates are generated for each server.
public final class TLSServer {
  /// The configuration of a server.
  public struct Manner: Sendable {
    /// The subject alternative name in its certificate.
    public var name = "IP:127.0.0.1"
    /// Whether it requires a client certificate.
    public var demandsCertificate = false
    /// Additional options of `openssl s_server`, such as the TLS versions.
    public var options: [String] = []

    /// Creates the configuration of a server that accepts all clients.
    public init() {}
  }

  /// The path of the CA certificate that signed the server and client certificates.
  public let authority: String
  /// The paths of a client certificate and its key.
  public let client: (certificate: String, key: String)
  /// The prefix of all URLs of the server, without a trailing slash.
  public let url: String
  private let directory: URL
  private let process: pid_t
  /// The output of the server, which stays open while it runs.
  private let output: Int32

  /// Generates the certificates and starts a server on a free port.
  /// - Parameter manner: The configuration.
  /// - Throws: `ScriptedServer.Failure` or `Program.SpawnError` if openssl is missing or fails.
  public init(_ manner: Manner = Manner()) throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let parent = directory
    func path(_ name: String) -> String { parent.appendingPathComponent(name).path }
    func make(_ name: String, _ options: [String]) throws {
      let run = try Program.run(
        "openssl",
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
          "2", "-subj", "/CN=\(name)", "-keyout", path(name + ".key"), "-out", path(name + ".pem"),
        ] + options)
      guard run.status == 0 else { throw ScriptedServer.Failure(message: run.errorText) }
    }
    try make("authority", [])
    let signed = ["-CA", path("authority.pem"), "-CAkey", path("authority.key")]
    try make("server", signed + ["-addext", "subjectAltName=" + manner.name])
    try make("client", signed)
    authority = path("authority.pem")
    client = (path("client.pem"), path("client.key"))
    output = try Self.pipe(path("output"))
    let demand = manner.demandsCertificate ? ["-Verify", "1", "-verify_return_error"] : []
    process = try Program.start(
      "openssl",
      [
        "s_server", "-accept", "127.0.0.1:0", "-www", "-cert", path("server.pem"), "-key",
        path("server.key"), "-CAfile", authority,
      ] + demand + manner.options,
      files: ["/dev/null", path("output"), "/dev/null"])
    url = "https://127.0.0.1:\(try Self.port(in: output))"
  }

  deinit {
    kill(process, SIGKILL)
    Program.wait(for: process)
    close(output)
    try? FileManager.default.removeItem(at: directory)
  }

  /// Creates a named pipe and opens it for reading before there is a writer.
  private static func pipe(_ path: String) throws -> Int32 {
    guard mkfifo(path, 0o600) == 0 else { throw ScriptedServer.Failure(message: "mkfifo \(errno)") }
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw ScriptedServer.Failure(message: "open \(errno)") }
    return descriptor
  }

  /// Waits for the output line with the port, or the end of the process.
  private static func port(in descriptor: Int32) throws -> Int {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      guard poll(&polled, 1, -1) > 0 || errno == EINTR else { break }
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      text += String(decoding: buffer[..<count], as: UTF8.self)
      for line in text.split(separator: "\n") where line.hasPrefix("ACCEPT ") {
        if text.hasSuffix("\n"), let port = line.split(separator: ":").last.flatMap({ Int($0) }) {
          return port
        }
      }
    }
    throw ScriptedServer.Failure(message: "openssl s_server ended: \(text)")
  }
}
