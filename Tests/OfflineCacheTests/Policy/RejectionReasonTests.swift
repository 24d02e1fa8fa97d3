import Foundation
import TestFiles
import TestSupport
import Testing

@testable import OfflineCache
@testable import WebArchive

/// Invented pages of common kinds.
enum Page {
  static let sentences = [
    "The harbour was closed for seven winters after the great storm of eighteen hundred and four.",
    "Fishermen moved their boats to the northern bay, where the water freezes late.",
    "Records from the lighthouse mention forty ships that asked for shelter in one night.",
    "A new mole was finished in spring, longer than the old one and built from granite.",
    "Merchants complained about the toll, yet traffic doubled within a single decade.",
    "Today the basin serves ferries, pilots and a small museum about navigation.",
    "Visitors find the entrance beside the market hall, open daily except on Mondays.",
    "The collection holds charts, sextants, chronometers and letters of several captains.",
  ]

  static let article =
    frame("The harbour", sentences.map { "<p>\($0)</p>" }.joined(separator: "\n"))

  static func frame(_ title: String, _ body: String) -> String {
    """
    <!DOCTYPE html><html lang="en"><head><title>\(title)</title>
    <style>body { margin: 0 } a > b { color: red }</style></head><body>
    <nav><a href="/">Home</a> <a href="/about">About</a> <a href="/contact">Contact</a></nav>
    <h1>\(title)</h1>\(body)</body></html>
    """
  }

  static let signIn = frame(
    "Sign in",
    """
    <form action="/session" method=post><label>E-mail <input name=user></label>
    <label>Password <INPUT TYPE = 'password' name=pw></label><button>Sign in</button></form>
    """)

  static let consent = frame(
    "Before you continue",
    """
    <p>We and our 812 partners use cookies. Do you agree?</p>
    <form action="/save"><button name=a value=1>Accept all</button>
    <button>Reject</button></form>
    """)

  static let hotel = """
    <html><head><title>Grand Hotel WiFi</title></head><body><h1>Welcome to our free WiFi</h1>
    <p>Please enter your room number.</p><form><input name=room><input type=submit value=Connect>
    </form></body></html>
    """

  static let shell = """
    <!doctype html><html><head><title>The harbour</title><script>window.x = "<p>text</p>";</script>
    </head><body><noscript>You need to enable JavaScript to run this app.</noscript>
    <div id="root"></div><script src="/main.js"></script></body></html>
    """
}

@Suite("Rejection of responses")
struct RejectionReasonTests {
  static let html = [("Content-Type", "text/html; charset=utf-8")]

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var url = "http://site.example.org/page"
    var fields = RejectionReasonTests.html
    var text: String
    var copy: String? = Page.article
    var copyFields = RejectionReasonTests.html
    var copyKey = "http://site.example.org/page"
    var isRedirected = false
    var isRepeated = false
    var isCloseDelimited = false
    let expected: RejectionReason?

    init(
      _ testDescription: String, _ text: String, _ expected: RejectionReason?,
      _ configure: (inout Row) -> Void = { _ in }
    ) {
      self.testDescription = testDescription
      self.text = text
      self.expected = expected
      configure(&self)
    }
  }

  static func judge(_ row: Row) -> RejectionReason? {
    var response = ResponseHead(
      status: 200, fields: FieldLines(row.fields.map { .init($0.0, $0.1) }))
    response.isCloseDelimited = row.isCloseDelimited
    let bytes = Array(row.text.utf8)
    var reply = CandidateResponse(
      response: response, url: Sample.url(row.url),
      beginning: Array(bytes.prefix(RejectionReason.examinedLength)), length: Int64(bytes.count))
    reply.isRedirected = row.isRedirected
    reply.isRepeated = row.isRepeated
    let copy = row.copy.map { text in
      StoredResponse(
        id: "copy", key: row.copyKey,
        response: ResponseHead(
          status: 200, fields: FieldLines(row.copyFields.map { .init($0.0, $0.1) })),
        requestTime: Sample.now, responseTime: Sample.now, contentDate: Sample.now,
        length: Int64(text.utf8.count))
    }
    return RejectionReason.validate(reply, replacing: copy) {
      row.copy.map { PageTraits(Array($0.utf8)) }
    }
  }

  static let rejectedRows: [Row] = [
    .init("a sign-in page where an article was", Page.signIn, .signInPage),
    .init("the same by https is the site's own", Page.signIn, .loginWall) {
      $0.url = "https://site.example.org/page"
    },
    .init("the same behind a redirect", Page.signIn, .loginWall) { $0.isRedirected = true },
    .init(
      "a sign-in page that asks for the name first",
      Page.frame("Sign in", "<form><input type=email name=login><button>Next</button></form>"),
      .loginWall
    ) {
      $0.url = "https://site.example.org/login?next=/page"
      $0.isRedirected = true
    },
    .init(
      "a long sign-in page named so by its address",
      Page.signIn + String(repeating: "<p>Benefits for members include discounts.</p>", count: 40),
      .loginWall
    ) {
      $0.url = "https://site.example.org/account/login"
      $0.isRedirected = true
    },
    .init(
      "the beginning of an article before a sign-in form",
      Page.frame("The harbour", "<p>\(Page.sentences[0])</p>")
        + "<p>Sign in to read on.</p><form><input type=password></form>", .signInPage),
    .init("a consent page", Page.consent, .consentPage),
    .init("a consent page behind a redirect", Page.consent, .consentPage) {
      $0.url = "https://site.example.org/consent"
      $0.isRedirected = true
    },
    .init(
      "a consent page in another language",
      "<h1>Datenschutz</h1><p>Bitte stimmen Sie der Nutzung zu.</p>"
        + "<form><button>Einwilligung geben</button></form>", .consentPage),
    .init("a hotel's welcome page without a password", Page.hotel, .signInPage),
    .init(
      "a hotel's welcome page, a link only",
      "<h1>Hotspot</h1><p>You are nearly online.</p><a href=/go>Connect</a>", .signInPage),
    .init("a gateway's mark", "<!-- <WISPAccessGatewayParam/> --> " + Page.article, .signInPage),
    .init("a gateway's mark without a copy", "<WISPAccessGatewayParam>", .signInPage) {
      $0.copy = nil
    },
    .init(
      "a refresh to a router",
      "<meta http-equiv='Refresh' content='0; URL=http://192.168.1.1/login'>", .signInPage
    ) {
      $0.copy = nil
    },
    .init(
      "a refresh to a local name",
      "<html><META content=\"1;url='http://portal.lan/'\" http-equiv=refresh>hello", .signInPage
    ) {
      $0.copy = nil
    },
    .init(
      "a refresh to IPv6 inside", "<meta http-equiv=refresh content='0;http://[fe80::1]/'>",
      .signInPage
    ) { $0.copy = nil },
    .init("nothing at all", "", .nearlyEmpty),
    .init("markup without text", "<html><script>go()</script><body></body></html>", .nearlyEmpty),
    .init("an empty frame of a script", Page.shell, .nearlyEmpty),
    .init("styles only", "<p>\n</p><style>p{color:red;margin:0;padding:0}</style>", .nearlyEmpty),
    .init(
      "no-break spaces", "<p>&nbsp;&#160;</p>" + String(repeating: "&nbsp;", count: 60),
      .nearlyEmpty),
    .init("a torn tag", "<script", .nearlyEmpty),
    .init("a lone bracket", "<", .nearlyEmpty),
    .init("nothing where a feed was", "", .nearlyEmpty) {
      $0.fields = [("Content-Type", "application/rss+xml")]
      $0.copyFields = $0.fields
    },
    .init("a form where an image was", Page.signIn, .signInPage) {
      $0.copyFields = [("Content-Type", "image/png")]
    },
    .init("a remark where an article was", "OK", .nearlyEmpty) {
      $0.fields = [("Content-Type", "text/plain")]
    },
    .init("an error in JSON where an article was", #"{"error":"rate limited"}"#, .nearlyEmpty) {
      $0.fields = [("Content-Type", "application/json")]
    },
    .init("a dot of a picture where an article was", "GIF89a", .nearlyEmpty) {
      $0.fields = [("Content-Type", "image/gif")]
    },
    .init("hardly a byte where a long file was", "GIF89a", .nearlyEmpty) {
      $0.fields = [("Content-Type", "image/gif")]
      $0.copyFields = [("Content-Type", "image/png")]
    },
    .init("a page where an image was", Page.frame("Hello", "<p>Accept our terms.</p>"), .otherKind)
    {
      $0.copyFields = [("Content-Type", "image/png")]
    },
    .init("a page where a document was", Page.article, .otherKind) {
      $0.copyFields = [("Content-Type", "application/pdf")]
    },
    .init(
      "an error of an API where a feed was",
      #"{"error":"\#(String(repeating: "not signed in ", count: 80))"}"#, .otherKind
    ) {
      $0.fields = [("Content-Type", "application/json")]
      $0.copyFields = [("Content-Type", "application/rss+xml")]
    },
    .init(
      "data where an article was",
      #"{"component":"\#(String(repeating: "Views Login ", count: 80))"}"#, .otherKind
    ) {
      $0.url = "https://site.example.org/page"
      $0.fields = [("Content-Type", "application/json")]
    },
    .init("a page where a feed was", Page.article, .otherKind) {
      $0.copyFields = [("Content-Type", "application/atom+xml; charset=utf-8")]
    },
    .init("a hotel's page where a text was", Page.hotel, .signInPage) {
      $0.copyFields = [("Content-Type", "text/plain")]
    },
    .init(
      "a frame with a page of the network", #"<iframe src="http://192.168.4.1/portal"></iframe>"#,
      .signInPage),
    .init(
      "a frameset with a page of the network",
      "<frameset><frame src='http://10.0.0.1/login'></frameset>", .signInPage),
    .init(
      "a form that goes to the network",
      Page.article + "<form action=http://192.168.1.1/go><input name=x></form>", .signInPage),
    .init(
      "a script that goes to the network",
      Page.article + #"<script>window.location.href = "http://172.16.0.1/hotspot";</script>"#,
      .signInPage),
    .init(
      "the same by a call", "<p>Hello</p><script>location.replace('http://10.1.2.3/')</script>",
      .signInPage),
    .init(
      "a sign-in form with long terms",
      Page.signIn + String(repeating: "<p>Guests obey lawful usage policies.</p>", count: 200),
      .signInPage),
    .init("a picture where an article was", String(repeating: "GIF89a", count: 900), .otherKind) {
      $0.fields = [("Content-Type", "image/gif")]
    },
    .init("an empty page where a text was", "<html></html>", .nearlyEmpty) {
      $0.copyFields = [("Content-Type", "text/plain")]
    },
    .init(
      "a remark in a page where a long text was", "<p>We are back on Monday, thank you.</p>",
      .nearlyEmpty
    ) {
      $0.copyFields = [("Content-Type", "text/plain")]
    },
    .init(
      "an error where a text was", Page.frame("Under maintenance", "<p>Soon back.</p>"), .otherKind
    ) {
      $0.copyFields = [("Content-Type", "text/plain")]
    },
    .init(
      "an error page with the status of a page",
      "<title>404 Not Found</title><h1>Page not found</h1>"
        + "<p>Sorry, the page you are looking for does not exist.</p>", .errorPage),
    .init(
      "a check of who asks",
      "<title>Just a moment...</title><h1>Is the connection secure?</h1>"
        + "<p>Enable JavaScript and cookies to continue.</p>", .errorPage),
    .init(
      "an error page in another language",
      Page.frame("Страница не найдена", "<p>Запрошенная страница не существует.</p>"), .errorPage),
    .init("white space where a short page was", "  \n\n ", .nearlyEmpty) {
      $0.copy = "<p>Ferries leave at nine, at noon and at six.</p>"
    },
    .init("an empty body where a short page was", "<body></body>", .nearlyEmpty) {
      $0.copy = "<p>Ferries leave at nine, at noon and at six.</p>"
    },
    .init(
      "a page that asks for consent to go on",
      "<title>Before you continue</title><h1>We value your privacy</h1>"
        + "<p>We and our partners store cookies on your device.</p>"
        + "<button>Reject all</button><button>Accept all</button>", .consentPage),
    .init(
      "what other sites answer", Page.frame("Hello", "<p>Your plan has ended. Call us.</p>"),
      .repeatedAnswer
    ) { $0.isRepeated = true },
    .init(
      "the same without a copy",
      Page.frame("Hello", "<p>Your plan has ended. Please call the operator.</p>"),
      .repeatedAnswer
    ) {
      $0.isRepeated = true
      $0.copy = nil
    },
  ]

  private static let loginBox = "<form action=/login><button>Log in</button></form>"

  static func paragraphs(_ text: String, _ count: Int) -> String {
    (1...count).map { "<p>\(text) \($0).</p>" }.joined()
  }

  static let acceptedRows: [Row] = [
    .init("a shorter answer in JSON", "[]", nil) {
      $0.fields = [("Content-Type", "application/json")]
      $0.copyFields = $0.fields
      $0.copy = #"[{"name":"harbour"}]"#
    },
    .init("a page where a text was", Page.article, nil) {
      $0.copyFields = [("Content-Type", "text/plain")]
    },
    .init(
      "an article about an error, titled so",
      Page.frame(
        "Error correction",
        Page.sentences.prefix(5).map { "<p>\($0)</p>" }.joined()), nil),
    .init(
      "a page titled as an error that was one before",
      "<title>404</title><p>Nothing at all is here now, and nothing of it will come back.</p>",
      nil
    ) {
      $0.copy = Page.frame("404", paragraphs("The famous area code of Atlanta", 40))
    },
    .init("a frame within the site", Page.article + "<iframe src=/map></iframe>", nil),
    .init(
      "a script that goes elsewhere in public",
      Page.article + "<script>if (old) location = 'https://site.example.org/new'</script>",
      nil),

    .init("a first visit to a sign-in page", Page.signIn, nil) { $0.copy = nil },
    .init("a first visit to an empty page", "", nil) { $0.copy = nil },
    .init("a first visit to a consent page", Page.consent, nil) { $0.copy = nil },
    .init("the same article", Page.article, nil),
    .init(
      "an article that lost a paragraph",
      Page.frame("The harbour", Page.sentences.dropLast().map { "<p>\($0)</p>" }.joined()), nil),
    .init(
      "a short notice where an article was",
      Page.frame("The harbour", "<p>This article was withdrawn by its author in May.</p>"), nil),
    .init(
      "a redesign with a sign-in form at its top",
      "<header><form><input name=user><input type=password></form><button>Log in</button></header>"
        + "<main>" + Page.sentences.map { "<section><p>\($0)</p></section>" }.joined() + "</main>",
      nil),
    .init(
      "a shorter redesign with a sign-in form, most of its words the same",
      "<form><input type=password></form>"
        + Page.sentences.prefix(6).map { $0.replacingOccurrences(of: "the ", with: "") }.joined(),
      nil),
    .init(
      "another front page as long, with a sign-in link and a search form",
      Page.frame(
        "News",
        "<a href=/login>Log in</a><form action=/search><input name=q></form>"
          + String(
            repeating: "<p>Parliament votes about railways and bridges today.</p>", count: 12)),
      nil),
    .init("a sign-in page that changed", Page.frame("Sign in to the library", Page.signIn), nil) {
      $0.copy = Page.signIn
    },
    .init(
      "a forum that always had a sign-in form, with fewer threads",
      Page.frame("Forum", "<form><input type=password></form><p>Thread one about harbours</p>"), nil
    ) {
      $0.copy = Page.frame(
        "Forum",
        "<form><input type=password></form>"
          + (1...30).map { "<p>Thread \($0) about harbours</p>" }.joined())
    },
    .init(
      "a short page of a site that asks to sign in on every page",
      Page.frame("Pilots", loginBox + paragraphs("Pilots board vessels near buoys", 30)), nil
    ) {
      $0.copy = Page.frame("The harbour", loginBox + paragraphs("Granite blocks were shipped", 200))
    },
    .init(
      "a page of more text than any form has, with a new sign-in form",
      Page.frame(
        "Pilots",
        "<form><input type=password></form>" + paragraphs("Pilots board vessels near buoys", 200)),
      nil
    ) {
      $0.copy = Page.frame("The harbour", paragraphs("Granite blocks were shipped", 700))
    },
    .init(
      "a long page about cookies with a search form",
      Page.frame(
        "Pilots",
        "<form><input name=q></form>" + paragraphs("Bakers cut cookies from cold dough", 110)), nil
    ) {
      $0.copy = Page.frame("The harbour", paragraphs("Granite blocks were shipped", 400))
    },
    .init(
      "a short page of a site that speaks of its network on every page",
      Page.frame("Rooms", "<form>WiFi</form>" + paragraphs("Every room looks upon the lake", 30)),
      nil
    ) {
      $0.copy = Page.frame(
        "Hotel", "<form>WiFi</form>" + paragraphs("Granite blocks were shipped", 200))
    },
    .init(
      "an article with a cookie banner",
      "<div id=cookie-consent><button>Accept cookies</button></div>" + Page.article, nil),
    .init(
      "an article about cookies, shorter than before",
      Page.frame(
        "Cookies",
        Page.sentences.prefix(4).map { "<p>\($0)</p>" }.joined()
          + "<p>Cookies are small files.</p>"), nil),
    .init(
      "an article about hotspots",
      Page.frame(
        "WiFi", String(repeating: "<p>A hotspot shares the network of a cafe.</p>", count: 20)), nil
    ),
    .init(
      "an article that shows a gateway's mark as text",
      "<pre>&lt;WISPAccessGatewayParam&gt;</pre>" + Page.article, nil),
    .init("a page of pictures", "<html><body><img src=a.jpg><img src=b.jpg></body></html>", nil),
    .init("a page of frames", "<frameset><frame src=a><frame src=b></frameset>", nil),
    .init("a drawing", "<svg><path d='M0 0'/></svg>", nil),
    .init("a short page that was short before", "<p>ok</p>", nil) { $0.copy = "<p>yes</p>" },
    .init(
      "a page of scripts longer than what is looked at",
      "<script>" + String(repeating: "x", count: RejectionReason.examinedLength) + "</script>text",
      nil),
    .init(
      "a refresh within the site", "<meta http-equiv=refresh content='5; url=/new'>" + Page.article,
      nil),
    .init(
      "a refresh to another public site",
      "<meta http-equiv=refresh content='0;url=https://example.com/'>" + Page.article, nil),
    .init(
      "a router's own page that refreshes itself",
      "<meta http-equiv=refresh content='0;url=http://192.168.1.1/login'>" + Page.article, nil
    ) {
      $0.url = "http://192.168.1.1/"
    },
    .init(
      "an intranet page that refreshes to another host inside",
      "<meta http-equiv=refresh content='0;url=http://10.0.0.7/'>" + Page.article, nil
    ) {
      $0.url = "http://wiki.corp/"
    },
    .init("the article as JSON", "[\"" + Page.sentences.joined(separator: "\",\"") + "\"]", nil) {
      $0.fields = [("Content-Type", "application/json")]
    },
    .init("empty pages that are alike", "<html><body></body></html>", nil) {
      $0.isRepeated = true
      $0.copy = nil
    },
    .init(
      "an article of ideographs that was edited",
      "<p>" + String(repeating: "港口在大风暴之后关闭了七个冬天渔民把船移到北湾", count: 6) + "登录</p><form></form>",
      nil
    ) {
      $0.copy = "<p>" + String(repeating: "港口在大风暴之后关闭了七个冬天渔民把船移到北湾", count: 20) + "</p>"
    },
  ]

  @Test(arguments: rejectedRows)
  func `a response that is not a new version is rejected`(_ row: Row) {
    #expect(Self.judge(row) == row.expected)
  }

  @Test(arguments: acceptedRows)
  func `new versions, redesigns and first visits are accepted`(_ row: Row) {
    #expect(Self.judge(row) == nil)
  }

  @Test func `an article whose copy cannot be read is compared by length`() {
    let copy = Sample.stored(200, Self.html)
    func judge(_ text: String) -> RejectionReason? {
      let bytes = Array(text.utf8)
      let response = CandidateResponse(
        response: Sample.response(200, Self.html), url: Sample.url("http://h/"), beginning: bytes,
        length: Int64(bytes.count))
      return RejectionReason.validate(response, replacing: copy) { nil }
    }
    #expect(judge(Page.signIn) == .signInPage)
    #expect(judge(Page.shell) == .nearlyEmpty)
    #expect(judge(String(repeating: Page.signIn, count: 20)) == nil)
  }

  struct Head: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let url: String
    let status: Int
    let fields: [(String, String)]
    let copy: StoredResponse?
    let expected: RejectionReason?

    init(
      _ testDescription: String, _ status: Int = 302, to location: String? = nil,
      from url: String = "http://site.example.org/page", fields: [(String, String)] = [],
      copy: StoredResponse? = Sample.stored(), _ expected: RejectionReason?
    ) {
      self.testDescription = testDescription
      self.url = url
      self.status = status
      self.fields = fields + (location.map { [("Location", $0)] } ?? [])
      self.copy = copy
      self.expected = expected
    }
  }

  static func moved(to location: String, from key: String) -> StoredResponse {
    var stored = Sample.stored(301, [("Location", location)])
    stored.key = key
    return stored
  }

  static let heads: [Head] = [
    Head("511", 511, copy: nil, .signInPage),
    Head("another site", to: "http://portal.example.com/", .foreignRedirect),
    Head("another site, for good", 301, to: "http://portal.example.com/", .foreignRedirect),
    Head(
      "another site by https", to: "https://x.example/", from: "https://a.example.org/", .movedAway),
    Head("another site without a copy", to: "http://portal.example.com/", copy: nil, nil),
    Head("an address inside without a copy", to: "http://10.1.1.1/x", copy: nil, .signInPage),
    Head("link-local", to: "http://169.254.169.254/", copy: nil, .signInPage),
    Head("loopback", to: "http://127.0.0.1:8080/", copy: nil, .signInPage),
    Head("a name inside", to: "https://wifi.local/", copy: nil, .signInPage),
    Head("from inside to inside", to: "http://10.0.0.2/", from: "http://10.0.0.1/", copy: nil, nil),
    Head("within the site", 301, to: "/new", nil), Head("to its front", to: "/", .frontPage),
    Head("to its front by https", 301, to: "https://site.example.org", .frontPage),
    Head("to the front without a copy", to: "/", copy: nil, nil),
    Head("from a name of the front", to: "/", from: "http://a.example/index.html", nil),
    Head("from a language's front", to: "/", from: "http://a.example/de/", nil),
    Head("to www", to: "http://www.site.example.org/", nil),
    Head("to https", 301, to: "https://site.example.org/page", nil),
    Head("to a part of it", to: "http://en.site.example.org/", nil),
    Head("to a sister", to: "http://news.example.org/", nil),
    Head(
      "to a sister in a country", to: "http://news.bbc.co.uk/", from: "http://www.bbc.co.uk/", nil),
    Head(
      "to another name in a country", to: "http://portal.co.uk/", from: "http://www.bbc.co.uk/",
      .foreignRedirect),
    Head(
      "to the mobile pages", to: "https://en.m.wiki.example/", from: "https://en.wiki.example/", nil
    ),
    Head(
      "to another address", to: "http://93.184.216.34/", from: "http://8.8.8.8/",
      .foreignRedirect),
    Head(
      "a redirect to https that turns to another site", to: "http://portal.example.com/",
      copy: moved(to: "https://site.example.org/page", from: "http://site.example.org/page"),
      .foreignRedirect),
    Head(
      "a short link that leads elsewhere now", to: "https://b.example.net/",
      from: "https://short.example/x",
      copy: moved(to: "https://a.example.com/", from: "https://short.example/x"), nil),
    Head(
      "a Refresh field to a router", 200, fields: [("Refresh", "0; url=http://192.168.0.1/")],
      copy: nil, .signInPage),
    Head("a Refresh field within the site", 200, fields: [("Refresh", "30; url=/page")], nil),
    Head("204 where a page was", 204, .nearlyEmpty),
    Head("205 where a page was", 205, .nearlyEmpty),
    Head("204 where nothing was", 204, copy: nil, nil), Head("404", 404, nil),
    Head("300 for a page", 300, .errorPage), Head("300 for nothing", 300, copy: nil, nil),
    Head("200", 200, nil),
    Head("a redirect to what is no URL", to: "http://[::1/", nil),
  ]

  @Test(arguments: heads)
  func `responses are judged by their header`(_ row: Head) {
    let response = ResponseHead(
      status: row.status, fields: FieldLines(row.fields.map { .init($0.0, $0.1) }))
    #expect(
      RejectionReason.validate(response, for: WebRequest(url: row.url).url, replacing: row.copy)
        == row.expected)
  }

  @Test(arguments: Seeds.all)
  func `page markers are computed for random input without failure`(_ seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let pieces = [
      "<", ">", "\"", "'", "=", "<input type=", "password", "<meta http-equiv=refresh content=",
      "0;url=", "<!--", "-->", "&nbsp;", "&", "</script", "<script>", "<title>", "\u{0}", "é", "港",
    ]
    for _ in 0..<500 {
      let text = (0..<30).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      let traits = PageTraits(Array(text.utf8))
      #expect(traits.textLength <= text.utf8.count)
      #expect(traits.sharedFraction(of: traits) == (traits.vocabulary.isEmpty ? 0 : 1))
      let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(PageTraits(bytes).textLength <= 200)
    }
  }
}

extension Sample {
  /// Returns a URL for a test. For an invalid URL, it has no host.
  static func url(_ text: String) -> WebURL {
    WebURL(text) ?? WebURL(scheme: "http", host: nil, path: text)
  }
}
