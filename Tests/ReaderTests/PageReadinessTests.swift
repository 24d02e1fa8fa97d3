import Document
import Formats
import OfflineCache
import Testing

@testable import Pages
@testable import Saving

/// Whether a page can be read offline with the saved copies of its parts.
@Suite struct PageReadinessTests {
  private static let text = Array(repeating: "The ferry leaves at nine.", count: 20)
    .joined(separator: " ")

  /// A page, its saved parts, and the expected result. All are on http://a.example, except
  /// `//b.example/x`.
  struct Case: Sendable, CustomStringConvertible {
    var description: String
    var page: String
    var saved: [String: String]
    var verdict: Unreadiness?

    init(
      _ description: String, _ page: String, _ saved: [String: String] = [:],
      _ verdict: Unreadiness? = nil
    ) {
      (self.description, self.page) = (description, page)
      (self.saved, self.verdict) = (saved, verdict)
    }
  }

  private static let set = "<frameset><frame src=/toc><frame src=/body></frameset>"
  private static let shell = "<div id=app></div><script src=/app.js></script>"

  static let cases = [
    Case("a page with text", "<p>\(text)"),
    Case("a page of one line", "<p>Closed today."),
    Case("a list of links", (1...90).map { "<a href=/\($0)>Page \($0)</a> " }.joined()),
    Case("a page without text", "<body></body>", [:], .withoutText),
    Case("a page whose text scripts make", shell, [:], .withoutText),
    // Refreshes.
    Case(
      "a refresh to a page that is not saved", "<meta http-equiv=refresh content='0; url=/b'>",
      [:], .missingTarget("http://a.example/b")),
    Case(
      "a refresh to a page that is saved", "<meta http-equiv=refresh content='0; url=/b'>",
      ["/b": "<p>Text."]),
    Case(
      "a refresh with a line of text",
      "<meta http-equiv=refresh content='5; url=/b'><p>You are being redirected.", [:],
      .missingTarget("http://a.example/b")),
    Case(
      "a refresh to a page without text", "<meta http-equiv=refresh content='0; url=/b'>",
      ["/b": shell], .withoutText),
    Case(
      "a row of refreshes", "<meta http-equiv=refresh content='0; url=/b'>",
      ["/b": "<meta http-equiv=refresh content='0; url=/c'>", "/c": "<p>Text."]),
    Case(
      "a row of refreshes whose end is not saved",
      "<meta http-equiv=refresh content='0; url=/b'>",
      ["/b": "<meta http-equiv=refresh content='0; url=/c'>"],
      .missingTarget("http://a.example/c")),
    Case(
      "refreshes in a circle", "<meta http-equiv=refresh content='0; url=/b'>",
      ["/b": "<meta http-equiv=refresh content='0; url=/page'>"], .withoutText),
    Case(
      "a page that loads itself again",
      "<meta http-equiv=refresh content=60><meta http-equiv=refresh content='0; url=/page'><p>2:1"),
    Case(
      "a text that goes on after a while",
      "<meta http-equiv=refresh content='5; url=/b'><p>\(text)"),
    Case(
      "a picture that goes on to the next after a while",
      "<meta http-equiv=refresh content='5; url=/b'><img alt=Lake src=/1.jpg><p>Lake"),
    Case(
      "a short page that goes on after minutes",
      "<meta http-equiv=refresh content='300; url=/b'><p>Departures at nine."),
    // Framesets.
    Case("a frameset without its frames", set, [:], .missingFrame("http://a.example/toc")),
    Case(
      "a frameset without one of its frames", set, ["/toc": "<a href=/1>1</a>"],
      .missingFrame("http://a.example/body")),
    Case("a frameset with its frames", set, ["/toc": "<p>Contents", "/body": "<p>Chapter"]),
    Case(
      "a frameset with a notice for old browsers",
      set.replacing(
        "</frameset>", with: "<noframes>Get a browser with frames.</noframes></frameset>"),
      [:], .missingFrame("http://a.example/toc")),
    Case(
      "a frameset whose frames have no text", set, ["/toc": shell, "/body": shell], .withoutText),
    Case(
      "a frameset in a frameset", "<frameset><frame src=/inner></frameset>",
      ["/inner": set, "/toc": "<p>Contents"], .missingFrame("http://a.example/body")),
    Case(
      "a frameset of itself", "<frameset><frame src=/page><frame src=/b></frameset>",
      ["/b": "<frameset><frame src=/b></frameset>"], .withoutText),
    Case(
      "a frameset of another site", "<frameset><frame src=//b.example/x></frameset>", [:],
      .missingFrame("http://b.example/x")),
    Case(
      "a frameset with a frame of another site that is not saved",
      "<frameset><frame src=/body><frame src=//b.example/x></frameset>", ["/body": "<p>Chapter"]),
    // Frames within pages.
    Case(
      "a heading above a frame with the text", "<h1>Outer</h1><iframe src=/body></iframe>", [:],
      .missingFrame("http://a.example/body")),
    Case(
      "a heading above a frame that is saved", "<h1>Outer</h1><iframe src=/body></iframe>",
      ["/body": "<p>Chapter"]),
    Case(
      "a frame of another site in a page without text",
      shell + "<iframe src=//b.example/x></iframe>", [:], .missingFrame("http://b.example/x")),
    Case(
      "a heading above a frame of another site",
      "<h1>A film</h1><iframe src=//b.example/x></iframe>"
    ),
    Case("a text beside a frame", "<p>\(text)</p><iframe src=/body></iframe>"),
    // Consent.
    Case("a page that asks for consent", consent(""), [:], .asksForConsent),
    Case(
      "a page that asks for consent, in another language",
      "<title>Cookie-Einstellungen</title><h1>Ihre Einwilligung</h1><p>Wir verwenden Cookies.</p>"
        + "<form><button>Alle akzeptieren</button></form>", [:], .asksForConsent),
    Case("a text with a question for consent", consent("<p>\(text)")),
    Case(
      "a short page with a question for consent",
      "<title>Harbour</title><h1>Harbour</h1><p>The ferry to the island leaves at nine, at noon and"
        + " at six; on Sundays there is none in the morning.</p>"
        + "<div><p>We use cookies.</p><button>Accept</button></div>"),
    Case(
      "a short text on cookies",
      "<title>Cookies</title><p>Cookies are small files that a site leaves with its readers.</p>"
        + "<form><input type=search><button>Search</button></form>"),
  ]

  private static func consent(_ more: String) -> String {
    "<title>Before you continue</title><h1>Before you continue</h1>"
      + "<p>We and our 812 partners use cookies. Do you agree?</p><form action=/save>"
      + "<button>Accept all</button><button>Reject</button></form>" + more
  }

  private static func home() throws -> WebURL { try #require(WebURL("http://a.example/")) }

  private func needs(_ page: String, _ url: String) throws -> PageNeeds {
    let content = try PageContent(
      Array("<!DOCTYPE html>\(page)".utf8), type: MediaType("text/html"), limit: 1 << 20)
    return PageNeeds(content.document(url: url), url: try #require(WebURL(url)))
  }

  @Test(arguments: cases)
  func `a page is ready if its text is saved`(_ row: Case) throws {
    var saved: [String: PageNeeds] = [:]
    for (path, page) in row.saved {
      let url = "http://a.example" + path
      saved[url] = try needs(page, url)
    }
    let url = "http://a.example/page"
    let verdict = try needs(row.page, url)
      .unreadiness(of: try #require(WebURL(url))) { saved[$0.description] }
    #expect(verdict == row.verdict)
  }

  @Test func `rendered text counts as text`() throws {
    let url = try Self.home()
    var needs = PageNeeds()
    needs.textAmount = .none
    #expect(needs.unreadiness(of: url) { _ in nil } == .withoutText)
    needs.hasRendering = true
    #expect(needs.unreadiness(of: url) { _ in nil } == nil)
  }

  @Test func `an empty page is not one whose text scripts create`() throws {
    let url = try #require(WebURL("http://a.example/page"))
    let rows: [(String, Unreadiness)] = [
      ("", .empty), ("\n \n", .empty), ("<body></body>", .withoutText),
    ]
    for (content, verdict) in rows {
      let links = try #require(
        PageLinks(Array(content.utf8), type: "text/html", url: url, limit: 1 << 20))
      #expect(links.pageNeeds.unreadiness(of: url) { _ in nil } == verdict)
    }
  }

  @Test func `nested frames are examined up to a limit`() throws {
    let url = try Self.home()
    var wide = PageNeeds()
    wide.textAmount = .none
    wide.frames = (0..<20).compactMap { url.resolve("\($0)").map { PageNeeds.Frame($0) } }
    var count = 0
    let verdict = wide.unreadiness(of: url) { _ in
      count += 1
      return wide
    }
    #expect(verdict == .withoutText && count == PageNeeds.maxParts)
  }

  @Test func `the parts fetched with a page are those that decide on its readiness`() throws {
    func parts(_ page: String) throws -> [String] {
      try needs(page, "http://a.example/page").parts.map(\.description)
    }
    #expect(try parts(Self.set) == ["http://a.example/toc", "http://a.example/body"])
    let film = "<p>\(Self.text)</p><iframe src=//b.example/x></iframe><iframe src=/c#d></iframe>"
    #expect(try parts(film) == ["http://a.example/c"])
    #expect(
      try parts("<meta http-equiv=refresh content='0;/b'>" + Self.set) == ["http://a.example/b"])
  }
}
