import Foundation
import TestSupport
import Testing

/// The messages about failures that the program detects itself.
@Suite struct FailureTextTests {
  /// The environment in which libcurl lacks a function.
  private static func withoutLibcurl(_ sandbox: Sandbox) throws -> [String: String] {
    let directory = URL(fileURLWithPath: sandbox.data).appendingPathComponent("lib")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let table = try String(
      contentsOf: root.appendingPathComponent("Sources/CLazyCurl/LazyCurl.c"), encoding: .utf8)
    let names = table.matches(of: /\bF\((curl_\w+)\)/).map { String($0.1) }
    #expect(names.contains("curl_multi_perform"))
    func write(_ name: String, _ text: String) throws -> String {
      let file = directory.appendingPathComponent(name)
      try Data(text.utf8).write(to: file)
      return file.path
    }
    // Foundation needs a handle.
    let source = names.filter { $0 != "curl_multi_perform" }
      .map { "static int \($0)_handle; void *\($0)(void) { return \(result(of: $0)); }\n" }
    let script = try write("versions", "CURL_OPENSSL_4 { global: curl_*; };\n")
    let library = directory.appendingPathComponent("libcurl.so.4").path
    let build = try Program.run(
      "clang",
      [
        "-w", "-shared", "-fPIC", "-Wl,-soname,libcurl.so.4", "-Wl,--version-script=\(script)",
        "-o", library, try write("stub.c", source.joined()),
      ])
    #expect(build.status == 0, "\(build.errorText)")
    return ["LD_LIBRARY_PATH": directory.path]
  }

  private static func result(of function: String) -> String {
    function == "curl_multi_init" ? "&\(function)_handle" : "0"
  }

  @Test func `without libcurl, the error names the library, and saved pages can be read`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/saved", .response([("Content-Type", "text/html")], text: "<p>Saved before"))
    _ = try sandbox.offread("dump", server.url + "/saved")
    let environment = try Self.withoutLibcurl(sandbox)
    let missing = try sandbox.offread("fetch", server.url + "/new", environment: environment)
    #expect(missing.status == 1 && missing.errorText.contains("is libcurl.so.4 installed?"))
    let saved = try sandbox.offread("dump", server.url + "/saved", environment: environment)
    #expect(saved.status == 0 && saved.text.contains("Saved before"))
    #expect(saved.errorText.contains("libcurl not usable"), "\(saved.errorText)")
    #expect(server.requests.count == 1)
  }

  @Test(
    arguments: [
      (
        407,
        "requires a user name and a password (put them into the URL of the proxy), and no copy is saved"
      ),
      (403, "(status 403) refused the request, and no copy is saved"),
      (502, "cannot reach the server, and no copy is saved"),
    ] as [(Int, String)])
  func `a proxy failure is reported with the proxy, without its password, and a hint`(
    status: Int, text: String
  ) throws {
    let sandbox = try Sandbox()
    let proxy = try ScriptedServer()
    proxy.onOthers { _ in .response(status: status, text: "no") }
    let address = proxy.url.replacingOccurrences(of: "http://", with: "http://me:sesame@")
    let run = try sandbox.offread(
      "fetch", "https://site.test/", environment: ["https_proxy": address, "no_proxy": "-"])
    #expect(run.status == 1 && run.errorText.contains("the proxy 127.0.0.1:\(proxy.port) "))
    #expect(run.errorText.contains(text), "\(run.errorText)")
    #expect(!run.errorText.contains("sesame"))
  }

  @Test(arguments: [
    (["--cacert", "/nonexistent/ca.pem"], "see --cacert"),
    (["--cert", "/nonexistent/me.pem"], "see --cert"),
  ])
  func `an unusable certificate file is named in the error`(
    arguments: [String], hint: String
  ) throws {
    let sandbox = try Sandbox()
    let server = try TLSServer()
    let run = try sandbox.offread(["fetch", server.url + "/"] + arguments)
    #expect(run.status == 1 && run.errorText.contains(arguments[1]), "\(run.errorText)")
    #expect(run.errorText.contains(hint) || run.errorText.contains("No such file"))
  }
}
