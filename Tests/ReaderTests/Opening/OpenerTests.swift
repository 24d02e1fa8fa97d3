import TestSupport
import Testing

@testable import Pages

/// The command that opens a file, from settings, mailcap files and the desktop.
struct OpenerTests {
  private static func command(
    _ mailcap: String, setting: String? = nil, path: String = "/tmp/x/a.pdf",
    type: String = "application/pdf", hasDesktop: Bool = false,
    passes: (String) -> Bool = { _ in true }
  ) -> Opener.Command? {
    Opener(setting: setting, mailcaps: [Mailcap(mailcap)], hasDesktop: hasDesktop)
      .command(path: path, mediaType: type, passes: passes)
  }

  @Test(
    arguments: [
      ("application/pdf; zathura %s", "zathura /tmp/x/a.pdf"),
      ("# comment\n\nAPPLICATION/PDF ; mupdf '%s' ; test=true", "mupdf '/tmp/x/a.pdf'"),
      ("application/pdf; cat", "{ cat\n} < /tmp/x/a.pdf"),
      ("application/pdf; head -c 9 \\; cat", "{ head -c 9 ; cat\n} < /tmp/x/a.pdf"),
      ("application/*; show %t %s", "show application/pdf /tmp/x/a.pdf"),
      ("application; show %s", "show /tmp/x/a.pdf"), ("*/*; show %s", "show /tmp/x/a.pdf"),
      ("application/pdf; a \\; b %s\\\n -c", "a ; b /tmp/x/a.pdf -c"),
      ("application/pdf; show %{charset} 100%% %s", "show  100% /tmp/x/a.pdf"),
      ("image/png; no %s\napplication/pdf; yes %s", "yes /tmp/x/a.pdf"),
      ("application/pdf; first %s\napplication/pdf; second %s", "first /tmp/x/a.pdf"),
      ("application/pdf\napplication/pdf;\n;x\napplication/pdf; ok %s", "ok /tmp/x/a.pdf"),
    ] as [(String, String)])
  func `the first matching entry is used`(_ mailcap: String, _ line: String) {
    #expect(Self.command(mailcap)?.line == line)
  }

  @Test(
    arguments: [
      ("firefox", nil, "firefox \"$U\"", "firefox"),
      ("chromium --app=%s:w3m", "zathura %s", "chromium --app=\"$U\" || w3m \"$U\"", "chromium"),
      ("/usr/bin/x '%s' \"%s\"", nil, "/usr/bin/x \"$U\" \"$U\"", "x"),
      ("", "open -a %s", "open -a \"$U\"", "open"), (" : ", nil, "xdg-open \"$U\"", "xdg-open"),
    ] as [(String, String?, String, String)])
  func `a URL is opened with BROWSER, opener or the desktop, and passed only in the environment`(
    _ browsers: String, _ setting: String?, _ line: String, _ program: String
  ) throws {
    let opener = Opener(setting: setting, mailcaps: [], hasDesktop: true)
    let command = try #require(opener.command(forURLIn: "U", browsers: browsers))
    #expect(command.line == line && command.program == program)
    let bare = Opener(setting: nil, mailcaps: [], hasDesktop: false)
    #expect(bare.command(forURLIn: "U", browsers: "") == nil)
  }

  @Test(
    arguments: [
      ("audio/mpeg", "mpv /tmp/x"), ("video/mp4", "mpv /tmp/x"), ("application/ogg", "mpv /tmp/x"),
      ("image/png", "view /tmp/x"), ("application/pdf", "view /tmp/x"),
    ] as [(String, String)])
  func `the player opens audio and video, and the opener other files`(
    _ type: String, _ line: String
  ) {
    let opener = Opener(setting: "view %s", player: "mpv", mailcaps: [], hasDesktop: true)
    #expect(opener.command(path: "/tmp/x", mediaType: type) { _ in true }?.line == line)
    let other = Opener(setting: nil, player: "mpv", mailcaps: [], hasDesktop: false)
    let isPlayed = line.hasPrefix("mpv")
    #expect((other.command(path: "/tmp/x", mediaType: type) { _ in true } != nil) == isPlayed)
  }

  @Test func `names and types are quoted for the shell`() {
    let path = "/tmp/it's $(rm) `x`;/a b"
    let quoted = "'/tmp/it'\\''s $(rm) `x`;/a b'"
    for pattern in ["%s", "'%s'", "\"%s\""] {
      #expect(Self.command("*/*; show \(pattern)", path: path)?.line == "show \(quoted)")
    }
    #expect(Self.command("", setting: "show %s", path: path)?.line == "show \(quoted)")
    #expect(Self.command("", path: path, hasDesktop: true)?.line == "xdg-open \(quoted)")
    let type = "image/$(x)"
    #expect(
      Self.command("*/*; show %t %s", type: type)?.line
        == "show application/octet-stream /tmp/x/a.pdf")
  }

  @Test func `an entry whose test fails is skipped, and the test may refer to the file`() {
    let mailcap = "application/pdf; x %s; test=test -n \"$DISPLAY\" %s\napplication/pdf; y %s"
    var asked: [String] = []
    let command = Self.command(mailcap) { line in
      asked.append(line)
      return false
    }
    #expect(command?.line == "y /tmp/x/a.pdf")
    #expect(asked == ["test -n \"$DISPLAY\" /tmp/x/a.pdf"])
  }

  @Test func `an entry may require the terminal`() {
    let terminal = Self.command("application/pdf; fbi %s; needsterminal; description=x")
    #expect(terminal == Opener.Command(line: "fbi /tmp/x/a.pdf", of: "fbi", needsTerminal: true))
    #expect(Self.command("application/pdf; cat")?.program == "cat")
    let copious = Self.command("application/pdf; pdftotext %s -; copiousoutput")
    #expect(copious?.isCopious == true && copious?.needsTerminal == true)
    #expect(copious?.program == "pdftotext")
  }

  @Test func `the setting has the highest and the desktop the lowest precedence`() {
    let mailcap = "application/pdf; x %s"
    #expect(Self.command(mailcap, setting: "mine")?.line == "mine /tmp/x/a.pdf")
    #expect(Self.command(mailcap, hasDesktop: true)?.line == "x /tmp/x/a.pdf")
    #expect(Self.command("", hasDesktop: true)?.line == "xdg-open /tmp/x/a.pdf")
    #expect(Self.command("image/*; x") == nil)
  }

  @Test func `mailcap files are those in MAILCAPS or of RFC 1524`() {
    #expect(Mailcap.paths(["MAILCAPS": "/a:/b", "HOME": "/h"]) == ["/a", "/b"])
    #expect(Mailcap.paths(["HOME": "/h"]).prefix(2) == ["/h/.mailcap", "/etc/mailcap"])
  }

  @Test func `lines of a mailcap file may end with CR LF`() {
    let text = "a/b; one; test=x\\\n y\n# c\nd/e; two\n"
    let mailcap = Mailcap(text)
    #expect(mailcap.entries.map(\.command) == ["one", "two"])
    #expect(Mailcap(text.replacing("\n", with: "\r\n")) == mailcap)
  }

  @Test(arguments: 1...20) func `a malformed entry is ignored or quoted safely`(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let parts = [
      ";", "\\", "\n", "=", "%", "%s", "%{", "a/b", "test", "*", "\"", " ", "é", "\r", "#",
    ]
    let text = (0..<200).map { _ in parts[Int(random.next() % UInt64(parts.count))] }.joined()
    for entry in Mailcap(text + "\na/b; ok %s").entries {
      #expect(!entry.type.isEmpty && !entry.command.isEmpty)
    }
    #expect(Self.command(text, type: "a/b", hasDesktop: true) != nil)
  }
}
