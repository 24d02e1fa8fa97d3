import Document
import OfflineCache

import Testing

@testable import Pages

@Suite struct AddressTests {
  @Test(
    arguments: [
      ("https://example.org/a?b#c", "https://example.org/a?b#c"),
      ("example.org", "https://example.org/"),
      ("  example.org/path ", "https://example.org/path"),
      ("exmaple", "http://exmaple/"),
      ("docs:80/x", "http://docs/x"), ("intranet/x", "http://intranet/x"),
      ("8kun", "http://8kun/"), ("a-b", "http://a-b/"), ("http://8/", "http://0.0.0.8/"),
      ("localhost:8080/x", "http://localhost:8080/x"),
      ("127.0.0.1:81", "http://127.0.0.1:81/"),
      ("[::1]:8080/", "http://[::1]:8080/"),
      ("http://[::1]:8080/a", "http://[::1]:8080/a"),
      ("example.org:8443/x", "https://example.org:8443/x"),
      ("point.md/", "https://point.md/"), ("https://nope.html", "https://nope.html/"),
      ("nope.html:80", "http://nope.html/"), (".html", "http://.html/"),
      ("192.168.0.1/status", "http://192.168.0.1/status"), ("nas.local", "http://nas.local/"),
      ("https:/example.org/x", "https://example.org/x"),
      ("user@example.org/", "https://user@example.org/"),
      ("user:word@example.org", "https://user:word@example.org/"),
      ("example.org/@user", "https://example.org/@user"),
      ("<http://a.test/x>", "http://a.test/x"), (" <URL: https://a.test/>", "https://a.test/"),
      ("<a.test/x >", "https://a.test/x"), ("view-source:https://a.test/", "https://a.test/"),
      ("https%3A%2F%2Fa.test%2Fx%3Fy%3D1", "https://a.test/x?y=1"),
      ("http:%2F%2Fa.test/", "http://a.test/"), ("http://%61.test/%2F", "http://a.test/%2F"),
      ("about:reader?url=https%3A%2F%2Fa.test%2Fx%2520y", "https://a.test/x%20y"),
      ("read://https_a.test/?url=https%3A%2F%2Fa.test%2Fx", "https://a.test/x"),
      (
        "chrome-distiller://0_1/?title=T&url=https%3A%2F%2Fa.test%2Fx", "https://a.test/x"
      ),
      ("\u{200B}http://a.test/x", "http://a.test/x"),
      ("https://a.test/x\u{A0}", "https://a.test/x"),
      ("https://a.test/x\u{AD}\u{FEFF}", "https://a.test/x"),
      ("“https://a.test/x”", "https://a.test/x"), ("'https://a.test/x' ", "https://a.test/x"),
      ("(https://a.test/x_(y))", "https://a.test/x_(y)"),
      ("https://a.test/x_(y)", "https://a.test/x_(y)"),
      ("https://a.test/'x'", "https://a.test/'x'"),
      ("http://https://a.test/x", "https://a.test/x"),
      ("https://a.test/http://b.test/", "https://a.test/http://b.test/"),
      ("itpc://a.test/rss", "https://a.test/rss"),
      ("feed:https://a.test/rss", "https://a.test/rss"),
      ("FEED://a.test/rss", "https://a.test/rss"),
      // A character of `PathText` for a single byte.
      ("http://a.test/caf\u{EFE9}", "http://a.test/caf%E9"),
      ("a.test/\u{EFE9}?\u{EF80}", "https://a.test/%E9?%80"),
    ] as [(String, String)])
  func `typed text becomes a web URL`(_ typed: String, _ url: String) throws {
    let expected = Address.web(try #require(WebURL(url)))
    let names = ["page.html", "example.org/", "a.test/", "docs/"]
    #expect(try Address(typed: typed, exists: names.contains) == expected)
    #expect(expected.url.text == url)
  }

  @Test(
    arguments: [
      ("example.org", true), ("  example.org/a", true), ("localhost:8080/x", true),
      ("http://example.org", false), ("HTTPS://example.org", false), ("https:example.org", false),
      ("example.org:443/x", false), ("user:word@example.org", false),
      ("<http://a.test>", false), ("<a.test>", true), ("feed://a.test", true),
    ] as [(String, Bool)])
  func `the scheme of typed text is assumed if it has none`(
    _ typed: String, _ isAssumed: Bool
  ) {
    #expect(Address.assumesScheme(typed) == isAssumed)
  }

  @Test(
    arguments: [
      ("/etc/motd", Address.file("/etc/motd")),
      ("./page.html", .file("./page.html")),
      ("page.html", .file("page.html")),
      ("file:///tmp/a%20b.html", .file("/tmp/a b.html")),
      ("file:///tmp/\u{EFE9}.html", .file("/tmp/\u{EFE9}.html")),
      ("./\u{EFE9}", .file("./\u{EFE9}")), ("-", .standardInput),
      ("docs/missing.html", .file("docs/missing.html")), ("docs/sub/", .file("docs/sub/")),
    ] as [(String, Address)])
  func `typed text can be a file or another kind of address`(_ typed: String, _ expected: Address)
    throws
  {
    #expect(try Address(typed: typed, exists: ["page.html", "docs/"].contains) == expected)
  }

  @Test(
    arguments: [
      ("page.html#part", "page.html", "#part"), ("./page.html#a/b", "./page.html", "#a/b"),
      ("/page.html#part", "/page.html", "#part"), ("page.html", "page.html", ""),
      ("a#b.html", "a#b.html", ""), ("a#b.html#part", "a#b.html", "#part"),
      ("./none.html#part", "./none.html#part", ""),
      ("file:///page.html#part", "/page.html", "#part"),
    ] as [(String, String, String)])
  func `the name of a file may have a fragment`(
    _ typed: String, _ path: String, _ fragment: String
  ) throws {
    let names: Set = ["page.html", "./page.html", "/page.html", "a#b.html"]
    #expect(try Address(typed: typed, exists: { names.contains($0) }) == .file(path))
    #expect(Address.fragment(ofTyped: typed, path: path) == fragment)
  }

  @Test func `a host may have a fragment if there is no such file`() throws {
    let url = try #require(WebURL("https://a.test/#part"))
    #expect(try Address(typed: "a.test#part", exists: { $0 == "a" }) == .web(url))
  }

  @Test(
    arguments: [
      ("a:b.html", .file("a:b.html")), ("mailto:b", .file("mailto:b")),
      ("Re: x/y.txt", .file("Re: x/y.txt")), ("localhost:8080", .file("localhost:8080")),
      ("about:manual", .builtIn(WebURL("about:manual")!)),
      ("https:page", .web(WebURL("https://page/")!)),
    ] as [(String, Address)])
  func `an existing file whose name has a colon is not a URL of another scheme`(
    _ typed: String, _ expected: Address
  ) throws {
    #expect(try Address(typed: typed, exists: { _ in true }) == expected)
  }

  @Test(arguments: ["about:manual", "ABOUT:Manual"])
  func `typed text can be the URL of a built-in page`(_ typed: String) throws {
    let expected = Address.builtIn(try #require(WebURL("about:manual")))
    #expect(try Address(typed: typed, exists: { _ in false }) == expected)
  }

  @Test(
    arguments: [
      ("", ReaderError.invalidURL("")),
      ("two words", .invalidURL("two words")),
      ("nope.html", .noFile("nope.html", exists: false)),
      ("Notes of May.TXT", .noFile("Notes of May.TXT", exists: false)),
      ("gopher://example.org/", .unsupportedScheme("gopher")),
      ("ftp://example.org/", .unsupportedScheme("ftp")),
      ("htps://example.org/", .invalidURL("htps://example.org/")),
      ("https//example.org", .invalidURL("https//example.org")),
      ("javascript:alert(1)", .unsupportedScheme("javascript")),
      ("javascript:1", .unsupportedScheme("javascript")),
      ("tel:112", .unsupportedScheme("tel")), ("tel:5551234567", .unsupportedScheme("tel")),
      ("file://elsewhere/tmp/x", .invalidURL("file://elsewhere/tmp/x")),
      ("user@example.org", .invalidURL("user@example.org")),
      ("@name", .invalidURL("@name")),
      ("--items", .invalidURL("--items")), ("-x", .invalidURL("-x")), ("8", .invalidURL("8")),
      ("a@example.org?subject=x", .invalidURL("a@example.org?subject=x")),
      ("http:///x", .invalidURL("http:///x")),
      ("HTTPS:\\\\\\x/y", .invalidURL("HTTPS:\\\\\\x/y")),
    ] as [(String, ReaderError)])
  func `invalid addresses are rejected with a reason`(
    _ typed: String, _ expected: ReaderError
  ) {
    #expect(throws: expected) { try Address(typed: typed, exists: { _ in false }) }
  }

  @Test func `the message about a mail address names the URL with a user name`() {
    let text = ReaderError.invalidURL("me@example.org").description
    #expect(text.contains("mail address") && text.contains("https://me@example.org/"))
  }

  @Test(arguments: ["file:///etc/passwd", "about:manual", "FILE:/etc/passwd"])
  func `a link in a web page cannot lead to files or built-in pages`(_ target: String) {
    #expect(throws: ReaderError.self) {
      try Address(link: target, from: "https://example.org/")
    }
  }

  @Test func `links are resolved against the URL of their page`() throws {
    let page: DocumentAddress = "https://example.org/a/b"
    #expect(try Address(link: "c?d", from: page).url == "https://example.org/a/c?d")
    #expect(try Address(link: "//other.example/", from: page).url == "https://other.example/")
    #expect(try Address(link: "about:manual", from: "about:offread").url == "about:manual")
    #expect(try Address(link: "b.html", from: "file:///a/c.html") == .file("/a/b.html"))
  }

  @Test func `credentials in a URL are never shown`() {
    let url = "https://user:secret@example.org/p@q"
    #expect(SafeText.withoutCredentials(url) == "https://example.org/p@q")
    let text = ReaderError.notSaved(url: url).description
    #expect(!text.contains("secret") && text.contains("example.org"))
  }

  @Test(
    arguments: [
      ("https:/user:secret@a.test/x", "https:/a.test/x"),
      ("http:\\\\user:secret@a.test\\p@q", "http:\\\\a.test\\p@q"),
      ("HTTP:user:secret@a.test", "HTTP:a.test"), ("http:///u:secret@a.test/", "http:///a.test/"),
      ("https://us@er:secret@a.test:8/", "https://a.test:8/"), ("user:secret@a.test/", "a.test/"),
      ("mailto:name@a.test", "mailto:name@a.test"), ("me@home.html", "me@home.html"),
      ("https://a.test/p@q?r@s#t@u", "https://a.test/p@q?r@s#t@u"),
      ("https://archive.test/2020/http://u@h/", "https://archive.test/2020/http://u@h/"),
      ("http:", "http:"), ("http://", "http://"), ("", ""), ("a: b@c", "a: b@c"),
    ] as [(String, String)])
  func `credentials are hidden in any form of a URL`(_ url: String, _ expected: String) {
    #expect(SafeText.withoutCredentials(url) == expected)
  }

  @Test func `credentials are removed from every URL in a text`() {
    let text = "from=http://u:s1@a.test/ to 'https://u:s2@b.test/x' and me@c.test"
    #expect(
      SafeText.withoutCredentials(inText: text)
        == "from=http://a.test/ to 'https://b.test/x' and me@c.test")
  }

  @Test func `text for one line has no control characters`() {
    let hostile = "a\u{1B}[31mb\u{7}\u{9B}c\u{202E}d\n\te\u{7F}"
    let line = SafeText.line(hostile)
    #expect(line == "a\u{FFFD}[31mb\u{FFFD}\u{FFFD}cd e\u{FFFD}")
  }

  @Test func `only URLs of schemes that offread handles can be shown by it`() {
    for url in ["http://a.example/", "HTTPS://a.example", "file:///a", "about:manual", "book://0/"]
    {
      #expect(Address.isReadable(url), "\(url)")
    }
    for url in ["mailto:a@b.example", "gemini://a", "javascript:x", "cid:1", "data:,x", "a", ""] {
      #expect(!Address.isReadable(url), "\(url)")
    }
    #expect(Address.isReadable("cid:1", from: "file:///a.mhtml"))
    #expect(Address.isReadable("cid:1", from: "book://0/"))
    #expect(!Address.isReadable("cid:1", from: "https://a.example/"))
    #expect(!Address.isReadable("mid:1", from: "file:///a.mhtml"))
  }

  @Test(
    arguments: [
      ("/a/./b", "/a/b"), ("/a//b", "/a/b"), ("/a/c/../b", "/a/b"), ("/../a", "/a"), ("/a/", "/a/"),
      ("/a/.", "/a/"), ("/", "/"), ("/a/b/..", "/a/"),
    ] as [(String, String)])
  func `a file has the same URL however its path is written`(path: String, expected: String) {
    #expect(Address.fileURL(path: path) == "file://" + expected)
  }
}
