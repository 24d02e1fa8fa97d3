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

    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("completions").path
    let programs = URL(fileURLWithPath: Program.offread).deletingLastPathComponent().path
    func shell(_ name: String, _ options: [String], _ word: String) throws -> [String] {
      let run = try Program.run(
        name, options + [folder, word],
        environment: [
          "OFFREAD_DATA_DIR": sandbox.data, "HOME": sandbox.folder.path,
          "PATH": "\(programs):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
        ])
      #expect(run.status == 0, "\(run.errorText)")
      return run.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let bash = """
      . "$0/offread.bash"; COMP_WORDS=(offread versions "$1"); COMP_CWORD=2
      COMP_WORDBREAKS=; _offread; printf '%s\\n' "${COMPREPLY[@]}"
      """
    #expect(try shell("bash", ["-c", bash], "\(server.url)/be") == ["\(server.url)/beta"])
    let fish = "source $argv[1]/offread.fish; complete -C \"offread versions $argv[2]\""
    #expect(
      try shell("fish", ["--no-config", "-c", fish], "\(server.url)/alp")
        == ["\(server.url)/alpha", "\(server.url)/alpine"])
    // zsh completes only in its line editor, which wants a terminal; a key shows what stands there then.
    let zsh = #"""
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "PS1=; fpath=(${(q)0} \$fpath); autoload -Uz compinit; compinit -u -D"
      zpty -w shell 'show() { print -r -- "<$BUFFER>"; exit }; zle -N show; bindkey "^X" show
      print REA''DY'
      while zpty -r shell out; do [[ $out == *READY* ]] && break; done
      zpty -w -n shell "offread versions $1"$'\t\x18'
      while zpty -r shell out; do [[ $out == *\<*\>* ]] && print -r -- ${${out##*\<}%%\>*}; done
      exit 0
      """#
    #expect(
      try shell("zsh", ["-f", "-c", zsh], "\(server.url)/be")
        == ["offread versions \(server.url)/beta"])
  }
}
