import Foundation
import TestSupport
import Testing

/// Shell completion from the library.
@Suite struct CompletionTests {
  @Test func `URLs of saved pages are completed with and without their scheme`() throws {
    let (sandbox, url) = try library()
    let host = String(url.dropFirst("http://".count))
    func completed(_ word: String) throws -> [String] {
      try sandbox.offread("complete", "--", "versions", word).text.split(separator: "\n").map(
        String.init)
    }
    #expect(try completed("\(url)/alp") == ["\(url)/alpha", "\(url)/alpine"])
    #expect(try completed("\(host)/b") == ["\(host)/beta"])
    #expect(try completed("").count == 3)
    #expect(try completed("nowhere").isEmpty)
    #expect(try Sandbox().offread("complete", "--", "versions", "x").text.isEmpty)
    #expect(try completed("-x").isEmpty)
  }

  @Test func `the versions of a page are completed after its URL`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    for text in ["<p>one", "<p>two"] {
      server.on("/page", .response([("Content-Type", "text/html")], text: text))
      #expect(try sandbox.offread("fetch", server.url + "/page").status == 0)
    }
    let table = try sandbox.offread("versions", server.url + "/page").text
    let ids = table.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != " " }) }
    #expect(ids.count == 2)
    func completed(_ words: String...) throws -> [String] {
      try sandbox.offread(["complete", "--"] + words).text.split(separator: "\n").map(String.init)
    }
    let url = server.url + "/page"
    #expect(try completed("diff", url, "") == ids)
    #expect(try completed("diff", url, ids[1], String(ids[0].prefix(6))) == [ids[0]])
    #expect(try completed("dump", url, "--copy", "") == ["latest", "previous"] + ids)
    #expect(try completed("dump", url, "--copy=" + ids[0].prefix(7)) == ["--copy=" + ids[0]])
    #expect(try completed("dump", "--copy", "", url, "").isEmpty)
    #expect(try completed("diff", url + "x", "").isEmpty)
  }

  @Test func `the names of collections are completed, also to add pages to one`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/page", .response([("Content-Type", "text/html")], text: "<p>one"))
    let save = try sandbox.offread("save", "--quiet", "--as", "Trips", server.url + "/page")
    #expect(save.status == 0, "\(save.errorText)")
    for tokens in [["save", "--as", "T"], ["list", "--collection", "T"]] {
      #expect(try sandbox.offread(["complete", "--"] + tokens).text == "Trips\n")
    }
  }

  /// Returns the completions of a shell with the scripts of this repository.
  private func shell(
    _ name: String, _ options: [String], _ word: String, in sandbox: Sandbox
  ) throws -> [String] {
    let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("completions").path
    let programs = URL(fileURLWithPath: Program.offread).deletingLastPathComponent().path
    let run = try Program.run(
      name, options + [directory, word],
      environment: [
        "OFFREAD_DATA_DIR": sandbox.data, "HOME": sandbox.directory.path,
        "PATH": "\(programs):\(Program.path)",
      ])
    #expect(run.status == 0, "\(run.errorText)")
    return run.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Returns a library with pages of a server, and the URL of the server.
  private func library(
    _ paths: [String] = ["/alpha", "/alpine", "/beta"]
  ) throws -> (sandbox: Sandbox, url: String) {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    for path in paths {
      server.on(path, .response([("Content-Type", "text/html")], text: "<p>x"))
      #expect(try sandbox.offread("fetch", server.url + path).status == 0)
    }
    return (sandbox, server.url)
  }

  @Test func `bash completes URLs, options and values`() throws {
    let (sandbox, url) = try library()
    let bash = """
      . "$0/offread.bash"; COMP_LINE="offread versions $1"; COMP_POINT=${#COMP_LINE}
      _offread; printf '%s\\n' "${COMPREPLY[@]}"
      """
    // Readline keeps the text before the last colon.
    let port = try #require(url.split(separator: ":").last)
    #expect(try shell("bash", ["-c", bash], "\(url)/be", in: sandbox) == ["\(port)/beta"])
    #expect(try shell("bash", ["-c", bash], "--form", in: sandbox) == [])
    let command = bash.replacingOccurrences(of: "versions", with: "dump")
    #expect(try shell("bash", ["-c", command], "--form", in: sandbox) == ["--format"])
    #expect(try shell("bash", ["-c", command], "--format=o", in: sandbox) == ["outline"])
    // The line contains the words as they are quoted for the shell.
    #expect(try sandbox.offread("mark", "--tag", "to read & do", "\(url)/beta").status == 0)
    let tags = bash.replacingOccurrences(of: "versions", with: "list --tag")
    for typed in ["to", #"to\ r"#, #"to\ "#] {
      #expect(try shell("bash", ["-c", tags], typed, in: sandbox) == [#"to\ read\ \&\ do"#])
    }
  }

  @Test func `bash completes words in quotation marks, and after escaped characters`() throws {
    let (sandbox, url) = try library(["/a?x=1&y=2", "/a?x=1&z"])
    #expect(try sandbox.offread("mark", "--tag", #"to "read" $1"#, "\(url)/a?x=1&z").status == 0)
    #expect(try sandbox.offread("mark", "--tag", "'90s", "\(url)/a?x=1&z").status == 0)
    let list = sandbox.directory.appendingPathComponent("pages of a trip.txt").path
    try Data().write(to: URL(fileURLWithPath: list))
    let bash = """
      . "$0/offread.bash"; COMP_LINE="offread $1"; COMP_POINT=${#COMP_LINE}
      _offread 2>/dev/null; printf '%s\\n' "${COMPREPLY[@]}"
      """
    // Readline keeps the text before the quotation mark, or else before the last equals sign.
    let rows = [
      ("dump \"\(url)/a?x=1&", ["\(url)/a?x=1&y=2", "\(url)/a?x=1&z"]),
      ("dump '\(url)/a?x=1&y", ["\(url)/a?x=1&y=2"]),
      (#"dump \#(url)/a?x=1\&"#, [#"1\&y=2"#, #"1\&z"#]),
      (#"list --tag "to \"r"#, [#"to \"read\" \$1"#]),
      (#"list --tag "'9"#, ["'90s"]),
      (#"list --tag="to"#, [#"to \"read\" \$1"#]),
      (#"list --tag 'to "read" $1' --unr"#, ["--unread"]),
      ("save --from=\(list.dropLast(14).replacingOccurrences(of: " ", with: #"\ "#))", [list]),
      ("save --from \"\(list.dropLast(9))", [list]),
    ]
    for (typed, expected) in rows {
      #expect(try shell("bash", ["-c", bash], typed, in: sandbox) == expected, "\(typed)")
    }
  }

  @Test(.enabled(if: Effort.isWhole)) func `zsh and fish complete URLs`() throws {
    let (sandbox, url) = try library()
    let fish = "source $argv[1]/offread.fish; complete -C \"offread versions $argv[2]\""
    for quotationMark in ["", "\"", "'"] {
      #expect(
        try shell("fish", ["--no-config", "-c", fish], "\(quotationMark)\(url)/alp", in: sandbox)
          == ["\(url)/alpha", "\(url)/alpine"])
    }
    // zsh completes only in its line editor, which needs a terminal. A key shows the resulting
    // line.
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
      try shell("zsh", ["-f", "-c", zsh], "\(url)/be", in: sandbox)
        == ["offread versions \(url)/beta"])
  }

  @Test(
    arguments: [
      (["dump", "--form"], ["--format"]), (["dump", "--format", "o"], ["outline"]),
      (["dump", "--format=ou"], ["--format=outline"]),
      (["--offline", "ver"], ["versions", ":files"]),
      (["versions", "--js"], ["--json"]), (["dump", "--width", ""], []),
      (["archive", "ver"], ["verify"]), (["archive", "verify", ""], []),
      (["fetch", "-X", "P"], ["POST", "PUT"]), (["fetch", "--data", "-"], []),
      (["dump", "--", "--format", "o"], []), (["dump", "--reader", "--read"], []),
      (["import", "x"], [":files"]), (["import", "a", "x"], [":files"]),
      (["list", "--data-dir", ""], [":folders"]),
      (["dump", "about:o"], ["about:offread", ":files"]),
      (["--copy", "p"], ["previous"]), (["save", "--from", "x"], [":files"]),
      (["search", "a"], []),
      ([""], nil), ([], nil), (["--"], nil), (["dump", "--=", "--format"], nil),
    ] as [([String], [String]?)])
  func `completions at a position are what the parser accepts there`(
    _ typed: [String], _ expected: [String]?
  ) throws {
    let run = try Sandbox().offread(["complete", "--"] + typed)
    #expect(run.status == 0 && run.errorText.isEmpty)
    let tokens = run.text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    if let expected { #expect(tokens == expected) } else { #expect(!tokens.isEmpty) }
  }

  @Test func `tags are completed, also with a given data directory`() throws {
    let sandbox = try Sandbox()
    let server = try ScriptedServer()
    server.on("/x", .response([("Content-Type", "text/html")], text: "<p>x"))
    #expect(
      try sandbox.offread("save", "--tag", "sea", "--tag", "summer", server.url + "/x").status == 0)
    #expect(try sandbox.offread("complete", "--", "list", "--tag", "s").text == "sea\nsummer\n")
    #expect(try sandbox.offread("complete", "--", "list", "--tag", "su").text == "summer\n")
    let other = try Sandbox()
    #expect(
      try other.offread("complete", "--", "list", "--data-dir", sandbox.data, "--tag", "su").text
        == "summer\n")
  }
}
