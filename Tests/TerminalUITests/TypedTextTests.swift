import Testing

@testable import Terminal
@testable import TerminalUI

/// File names and pasted text.
@Suite struct TypedTextTests {
  @Test(
    arguments: [
      ("https://a.test/.%20.bash_profile", "bash_profile"),
      ("https://a.test/%20.profile", "profile"), ("https://a.test/. . .x", "x"),
      ("https://a.test/.%C2%A0.x", "x"), ("https://a.test/~root", "root"),
      ("https://a.test/-rf", "rf"), ("https://a.test/a%2F..%2Fb", "a_.._b"),
      ("https://a.test/...", "page.html"), ("https://a.test/x.", "x"),
    ] as [(String, String)])
  func `the name of a file is never hidden`(_ url: String, _ name: String) {
    #expect(DownloadName.defaultName(url: url, mediaType: "") == name)
  }

  @Test func `a URL without a host has none in the title row`() {
    #expect(Browser.host(of: "http://") == nil && Browser.host(of: "http:///x") == nil)
    #expect(Browser.host(of: "http://a.test/x") == "a.test")
  }

  @Test func `a long file name keeps its extension`() {
    func name(_ text: String) -> String {
      DownloadName.defaultName(
        suggested: text, url: "https://a.test/", mediaType: "application/zip")
    }
    let long = String(repeating: "L", count: 300)
    #expect(name(long + ".bin") == String(repeating: "L", count: 176) + ".bin")
    #expect(name(long + ".tar.gz") == String(repeating: "L", count: 173) + ".tar.gz")
    #expect(name(long + "." + long) == String(repeating: "L", count: 180) + ".zip")
    #expect(name(String(repeating: "é", count: 300) + ".bin").utf8.count <= 180)
  }

  @Test(
    arguments: [
      ("https://a.test/", "text/html", "page.html"),
      ("https://a.test/", "application/pdf", "file.pdf"),
      ("https://a.test/a", "text/html", "a.html"), ("https://a.test/a", "application/pdf", "a.pdf"),
      ("https://a.test/a", "text/plain", "a"),
      ("https://a.test/a", "application/octet-stream", "a"),
      ("https://a.test", "x/unknown", "file.bin"),
      ("https://a.test/pdf/2401.01234", "application/pdf", "2401.01234.pdf"),
      ("https://a.test/get.php?id=5", "application/zip", "get.php.zip"),
      ("https://a.test/a.aspx", "text/html", "a.aspx.html"),
      ("https://a.test/a.php", "x/unknown", "a.php"), ("https://a.test/1.5", "x/unknown", "1.5"),
      ("https://a.test/a.jar", "application/zip", "a.jar"),
      ("https://a.test/a.php", "text/plain", "a.php"),
    ] as [(String, String, String)])
  func `a file without a name gets one of its type`(_ url: String, _ type: String, _ name: String) {
    #expect(DownloadName.defaultName(url: url, mediaType: type) == name)
  }

  @Test(
    arguments: [
      ("chart.zip", "chart.zip"), (".bashrc", "bashrc.zip"), ("a/b", "a_b.zip"), ("~", "get.zip"),
      ("", "get.zip"), ("-rf", "rf.zip"),
    ] as [(String, String)])
  func `a suggested name takes precedence over the name in the URL`(
    _ suggested: String, _ name: String
  ) {
    let url = "https://a.test/get?file=1"
    #expect(
      DownloadName.defaultName(suggested: suggested, url: url, mediaType: "application/zip") == name
    )
  }

  @Test(
    arguments: [
      ("a.zip", "a-2.zip"), ("a-2.zip", "a-3.zip"), ("a.tar.gz", "a-2.tar.gz"), ("a", "a-2"),
      ("b.c/a", "b.c/a-2"), (".x", ".x-2"), ("a-b.zip", "a-b-2.zip"), ("-2.zip", "-2-2.zip"),
      ("a-1999.zip", "a-1999-2.zip"),
    ] as [(String, String)])
  func `the next name has the next number before its extension`(_ name: String, _ next: String) {
    #expect(DownloadName.numberedPath(after: name) == next)
  }

  @Test func `a long name is truncated to a length that file systems support`() {
    let name = DownloadName.defaultName(
      url: "https://a.test/" + String(repeating: "🏔", count: 200), mediaType: "text/html")
    #expect((150...185).contains(name.utf8.count) && name.hasSuffix(".html"))
  }

  @Test func `the length of text entered by keys is limited, and the line stays editable`() {
    var editor = LineEditor(String(repeating: "a", count: Prompt.maxCharacters - 1))
    let prompt = Prompt(kind: .openURL, editor: editor)
    editor.insert("b")
    #expect(prompt.allowsEdit(for: editor))
    let full = Prompt(kind: .openURL, editor: editor)
    editor.insert("c")
    #expect(!full.allowsEdit(for: editor))
    var shorter = full.editor
    #expect(shorter.performEdit(Key(.backspace)) && full.allowsEdit(for: shorter))
  }

  @Test func `combining characters typed at the end join the preceding character`() {
    var editor = LineEditor("e")
    editor.insert("x")
    editor.insert("\u{301}")
    editor.insert("y")
    #expect(editor.characters == ["e", "x\u{301}", "y"] && editor.cursor == 3)
  }

  @Test(
    arguments: [
      ("http://a.test/long/\npath/x", "http://a.test/long/path/x"),
      ("http://a.test/long/\r\n    path/x", "http://a.test/long/path/x"),
      ("http://a.test/a\tb", "http://a.test/ab"), ("http://a.test/a b", "http://a.test/a b"),
      ("http://a.test/\r", "http://a.test/"), ("", ""),
    ] as [(String, String)])
  func `a pasted URL loses its line breaks, other text does not`(text: String, expected: String) {
    var prompt = Prompt(kind: .openURL, editor: LineEditor())
    prompt.insert(text)
    #expect(prompt.editor.text == expected)
    var search = Prompt(kind: .search, editor: LineEditor())
    search.insert("two\nwords\rmore")
    #expect(search.editor.text == "two words more")
  }

  @Test func `pasted text is inserted at once, up to the limit`() {
    var prompt = Prompt(kind: .openURL, editor: LineEditor("a"))
    prompt.insert(String(repeating: "漢", count: 100_000))
    #expect(prompt.editor.characters.count == 100_001)
    let field = Prompt.FormField(control: 0, label: "", isSecret: false, maxLength: 5)
    var limited = Prompt(kind: .formField(field), editor: LineEditor("ab"))
    limited.insert("c👩‍🚀d")
    #expect(limited.editor.text == "abc")
    limited.insert("de")
    #expect(limited.editor.text == "abcde")
  }
}
