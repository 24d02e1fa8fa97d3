import Foundation
import TestSupport
import Testing

/// What shells complete from the library.
@Suite struct CompletionTests {
  @Test("Addresses of saved pages complete, with and without their scheme")
  func addresses() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    for path in ["/alpha", "/alpine", "/beta"] {
      server.on(path, .response([("Content-Type", "text/html")], text: "<p>x"))
      #expect(try sandbox.offread("fetch", server.url + path).status == 0)
    }
    let host = String(server.url.dropFirst("http://".count))
    func completed(_ word: String) throws -> [String] {
      try sandbox.offread("complete", "--", word).text.split(separator: "\n").map(String.init)
    }
    #expect(try completed("\(server.url)/alp") == ["\(server.url)/alpha", "\(server.url)/alpine"])
    #expect(try completed("\(host)/b") == ["\(host)/beta"])
    #expect(try completed("").count == 3)
    #expect(try completed("nowhere").isEmpty)
    #expect(try Sandbox().offread("complete", "x").text.isEmpty)
    #expect(try completed("-x").isEmpty)

    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("completions/offread.bash").path
    let shell = try Program.run(
      "bash",
      [
        "-c",
        """
        PATH="$3:$PATH"; . "$1"; COMP_WORDS=(offread versions "$2"); COMP_CWORD=2
        COMP_WORDBREAKS=; _offread; printf '%s\\n' "${COMPREPLY[@]}"
        """, "bash", script, "\(server.url)/be",
        URL(fileURLWithPath: Program.offread).deletingLastPathComponent().path,
      ], environment: ["OFFREAD_DATA_DIR": sandbox.data])
    #expect(shell.text == "\(server.url)/beta\n", "\(shell.errorText)")
  }
}
