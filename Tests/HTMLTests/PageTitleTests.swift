import Document
import Foundation
import ReaderMode
import TestSupport
import Testing

/// The titles that reader mode assigns to pages.
@Suite struct PageTitleTests {
  private static let text = String(
    repeating: "<p>A text, with commas, which is long enough, so that it counts as one.</p>",
    count: 12)

  private static func title(_ html: String, url: String = "") throws -> String {
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: url, view: .reader(ReaderOptions()))
    let title = try #require(document.readerFacts).metadata.title
    #expect(document.title == title)
    return title
  }

  @Test(
    arguments: [
      ("Council approves bridge • River Times", "Council approves bridge"),
      ("Council approves bridge · River Times", "Council approves bridge"),
      ("Council approves bridge| River Times", "Council approves bridge"),
      ("Council approves bridge – News – River Times", "Council approves bridge"),
      ("River Times: Council approves bridge", "Council approves bridge"),
      ("River Times » News » Council approves bridge", "Council approves bridge"),
      ("Council approves bridge｜川新聞", "Council approves bridge"),
      ("COUNCIL APPROVES BRIDGE | River Times", "Council approves bridge"),
      ("Council approves bridge", "Council approves bridge"),
      ("bridge_v2.docx", "Council approves bridge"), ("bridge.html", "Council approves bridge"),
      ("Untitled Document", "Council approves bridge"), ("", "Council approves bridge"),
      ("Home | River Times", "Council approves bridge"),
      ("What the council wants - River Times", "Council approves bridge"),
      ("What the council wants to do: printers", "What the council wants to do: printers"),
    ] as [(page: String, title: String)])
  func `the name of the site is removed from the title`(_ row: (page: String, title: String)) throws
  {
    let html = """
      <title>\(row.page)</title><h1 class=site-title><a href="/">River Times</a></h1>
      <article><h1>Council approves bridge ¶</h1>\(Self.text)</article>
      """
    #expect(try Self.title(html) == row.title)
  }

  @Test(
    arguments: [
      ("Hill Notes » Blog Archive » The gate", "<h2><a href=/g>The gate</a></h2>"),
      ("Hill Notes :: View topic - The gate", "<h1>Hill Notes</h1>"),
      ("Hill Notes • Thema anzeigen - The gate", "<h2>The gate</h2>"),
      ("View topic - The gate", "<h1>Hill Notes</h1>"),
      ("The gate | Blog Archive | Hill Notes", "<h1>The gate</h1>"),
      ("The gate - View topic - Hill Notes", "<h1>The gate</h1>"),
    ] as [(title: String, heading: String)])
  func `the name of a kind of page is not a part of the title`(
    _ row: (title: String, heading: String)
  ) throws {
    #expect(try Self.title("<title>\(row.title)</title>\(row.heading)\(Self.text)") == "The gate")
  }

  @Test func `words that a heading joins are apart in the title`() throws {
    let heading = "<h1><span>Council</span><span>approves the old bridge</span></h1>"
    let html = "<title>Council approves the old bridge - River Times</title>\(heading)\(Self.text)"
    #expect(try Self.title(html) == "Council approves the old bridge")
    let small = "<h1>Council approves bridge<small>It is of stone</small></h1>"
    #expect(try Self.title(small + Self.text) == "Council approves bridge It is of stone")
  }

  @Test(
    arguments: [
      ("<h1><a href='/'>Hill Notes</a></h1>", "Hill Notes: The gate", "The gate"),
      ("<h1 id=logo>Hill Notes</h1>", "Hill Notes — The gate", "The gate"),
      ("<h1><a href='/'>Hill Notes</a></h1>", "The gate: a report", "The gate: a report"),
      ("<h1>Hill Notes</h1>", "Hill Notes — The gate", "Hill Notes"),
      (
        "<h1><a href='/'>Hill Notes</a></h1><h2>The gate at night</h2>",
        "Hill Notes » Blog Archive » The gate at night", "The gate at night"
      ),
      (
        "<h1><a href='/'>Hill Notes</a></h1><h2>The gate</h2>", "The gate :: Hill Notes", "The gate"
      ),
      ("<h2>The gate at night</h2>", "The gate at night :: Hills", "The gate at night"),
      ("<h2>The gate</h2>", "The gate ::before night", "The gate ::before night"),
      ("<h2>Comments</h2>", "report.pdf", "report.pdf"),
      ("", "The gate | The gate", "The gate"), ("", "The gate - The gate - Hills", "The gate"),
      ("", "C - C++", "C - C++"), ("", "0 - 0", "0 - 0"),
      ("<h2>Comments</h2>", "Home / News / The gate", "The gate"),
      ("<h2>Comments</h2>", "Home / News / 2", "Home / News / 2"),
      // The subject of a patch, unlike the title of a page after the name of the site.
      ("", "[PATCH] gate: close the latch at night", "[PATCH] gate: close the latch at night"),
      ("", "gate: close the latch at night", "gate: close the latch at night"),
      ("", "Gate News: close the latch at night", "close the latch at night"),
    ] as [(String, String, String)])
  func `the title is what the logo and the heading leave of it`(
    _ heading: String, _ page: String, _ title: String
  ) throws {
    #expect(try Self.title("<title>\(page)</title>\(heading)\(Self.text)") == title)
  }

  @Test(
    arguments: [
      ("北桥获准重建_本地新闻_川报网", "北桥获准重建"), ("川报网_北桥获准重建", "北桥获准重建"),
      ("北桥将在三年内重建-川报网", "北桥将在三年内重建"), ("北橋を再建へ：川报网", "北橋を再建へ"),
      ("北桥-南桥公路开通", "北桥-南桥公路开通"), ("橋：川と町", "橋：川と町"),
      ("用 list_of_bridges 编程", "用 list_of_bridges 编程"),
      ("Fish &amp;amp; bridges", "Fish & bridges"),
    ] as [(String, String)])
  func `titles of pages without headings end at the name of the site in any script`(
    _ page: String, _ title: String
  ) throws {
    let html = "<title>\(page)</title><meta property=og:site_name content=川报网>\(Self.text)"
    #expect(try Self.title(html) == title)
  }

  @Test func `a URL is not the name of a site`() throws {
    for (meta, name) in [("https://example.org", ""), ("Fish &amp;amp; Bridges", "Fish & Bridges")]
    {
      let html = "<title>T</title><meta property=og:site_name content='\(meta)'>\(Self.text)"
      let document = Document(
        bytes: Array(html.utf8), mediaType: "text/html", view: .reader(ReaderOptions()))
      #expect(document.readerFacts?.metadata.siteName == name)
    }
  }

  @Test func `a heading is the title if several other parts follow it in the page title`() throws {
    let title =
      "The gates of Hill : Holm, Ida, 1850-1911 : Borrowing, Downloading, Listening : Collections"
    let head = "<title>\(title)</title><meta property=og:title content='\(title)'>"
    #expect(try Self.title(head + "<h1>The gates of Hill</h1>\(Self.text)") == "The gates of Hill")
    #expect(try Self.title(head + "<h1>The gates</h1>\(Self.text)") == title)
  }

  @Test(arguments: [true, false])
  func `the name of the site comes from its metadata or its URL`(isArticle: Bool) throws {
    let kind = isArticle ? Self.text : "<p>$ 12.00 <button>Add to cart</button><p>Made of wood."
    func title(_ stated: String, _ more: String = "", url: String = "") throws -> String {
      try Self.title("<meta property=og:title content='\(stated)'>\(more)\(kind)", url: url)
    }
    let stated = "Council approves the bridge"
    #expect(try title(stated + " - River Times") == stated + " - River Times")
    for name in ["og:site_name", "application-name", "twitter:site"] {
      let nameElement = "<meta name='\(name)' content='River Times'>"
      #expect(try title(stated + " - River Times", nameElement) == stated)
      #expect(try title("RIVER TIMES » " + stated + " – River Times", nameElement) == stated)
      // A title is never removed entirely.
      #expect(try title("River Times", nameElement) == "River Times")
      #expect(try title("River Times - River Times", nameElement) == "River Times")
    }
    for name in ["Rivertimes", "River-Times.example", "RÍVER TIMES", "News", "News Rivertimes"] {
      let url = "https://www.news.rivertimes.example/2026/bridge"
      #expect(try title(stated + " – " + name, url: url) == stated)
      #expect(try title(stated + " – " + name, "<link rel=canonical href='\(url)'>") == stated)
      #expect(
        try title(stated + " – " + name, "<meta property=og:url content='\(url)'>") == stated)
    }
    #expect(
      try title(stated + " – example", url: "https://rivertimes.example/2026/")
        == stated + " – example")
  }

  @Test(
    arguments: [
      // Longer, shorter, or with other words.
      ("Council approves bridge", "Council approves bridge: what it costs", nil),
      ("Why the council approves a bridge now", "Council approves bridge", nil),
      ("Bridge approved by the council in 2026", "Council approves bridge", nil),
      // Dissimilar, or one word of many.
      ("Council approves bridge", "Health and science", "Council approves bridge"),
      (
        "The council approves a bridge over the river in the north of the town", "Council",
        "The council approves a bridge over the river in the north of the town"
      ),
      // Easier to read.
      ("Council approves bridge", "COUNCIL APPROVES BRIDGE", "Council approves bridge"),
      ("The council approves bridge", "COUNCIL APPROVES BRIDGE", "The council approves bridge"),
      ("Council approves bridge", "Council approves bridge#", "Council approves bridge"),
      ("A first course in C#", "First course in C#", "First course in C#"),
      ("A first course in Go", "First course in Go #", "First course in Go"),
      ("Council approves bridge", "Council approves bridge?", "Council approves bridge?"),
      ("橋の建設を市議会が承認_政治", "市議会が橋の建設を承認", nil),
      ("橋の建設を市議会が承認｜政治", "特集", "橋の建設を市議会が承認"),
      ("Conseil : le pont est approuvé", "Le pont est approuvé", nil),
      // Titles written for search engines.
      ("Council approves bridge | Costs and dates", "x", "Council approves bridge"),
      ("The value |x| of a number", "x", "The value |x| of a number"),
      ("Bridges | Costs and dates", "x", "Bridges | Costs and dates"),
    ] as [(stated: String, heading: String, title: String?)])
  func `the heading of the text is the title if it resembles the declared one`(
    _ row: (stated: String, heading: String, title: String?)
  ) throws {
    let html = """
      <meta property=og:title content="\(row.stated)"><h1>\(row.heading)</h1>\(Self.text)
      """
    #expect(try Self.title(html) == row.title ?? row.heading)
  }

  @Test func `of several headings the one most similar to the declared title is chosen`() throws {
    let html = """
      <title>Council approves bridge over river | River Times</title><h1>The river today</h1>
      <h1>The council approves the bridge</h1>\(Self.text)<h1>More of the bridge</h1>
      """
    #expect(try Self.title(html) == "The council approves the bridge")
  }

  @Test func `a heading that names a book does not replace the title of a chapter`() throws {
    let headings = "<h1>The Builder's Book</h1>\(Self.text)<h2>How bridges stand</h2>"
    let title = "<title>How bridges stand - The Builder's Book</title>"
    #expect(try Self.title(title + headings) == "How bridges stand")
    let stated = "<meta property=og:title content='How bridges stand'>"
    #expect(try Self.title(stated + headings) == "How bridges stand")
    // A title of a few letters is not treated as a chapter.
    let manual = "<title>Fee - bridge-users Manual</title><h2>Fee</h2>\(Self.text)"
    #expect(try Self.title(manual) == "Fee - bridge-users Manual")
  }

  @Test func `neither buttons, dates nor text for screen readers is part of the title`() throws {
    let html = """
      <title>How bridges stand and fall</title>
      <h1><b class=sr-only>Post:</b> <time>Dec 18</time> How bridges
      stand&nbsp;<button>Copy</button></h1>\(Self.text)
      """
    #expect(try Self.title(html) == "How bridges stand")
  }

  @Test(arguments: ["", "<p>News</p>"])
  func `a heading with text for screen readers is shown once`(_ line: String) {
    let heading = "<h1>The old lock<span class=sr-only> (opens in a new tab)</span></h1>"
    let text = readerText(
      ofBody: "<article>\(line)\(heading)\(Self.text)</article>", title: "The old lock | Hills")
    #expect(text.components(separatedBy: "The old lock").count == 2)
  }

  @Test(
    arguments: [
      ("Bridges<sup>1</sup> stand again", "Bridges stand again"),
      ("Bridges stand again<a href=#n1><sup>[1]</sup></a>", "Bridges stand again"),
      ("Bridges stand again<sup><a href=#n1>a</a></sup>", "Bridges stand again"),
      ("Bridges stand again<sup>*</sup>", "Bridges stand again"),
      ("The 21<sup>st</sup> bridge stands again", "The 21st bridge stands again"),
      ("Bridges per km<sup>2</sup> stand", "Bridges per km2 stand"),
    ] as [(heading: String, title: String)])
  func `references to notes in a heading are not part of the title`(
    _ row: (heading: String, title: String)
  ) throws {
    let html = "<title>\(row.title) - River Times</title><h1>\(row.heading)</h1>\(Self.text)"
    #expect(try Self.title(html) == row.title)
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: "", view: .reader(ReaderOptions()))
    let text = String(decoding: document.plainText, as: UTF8.self)
    #expect(text.components(separatedBy: "tand").count == 2)
  }

  @Test(
    arguments: [
      ("<span>Harbour</span><span>The bridge of stone stands</span>", "Harbour The bridge"),
      ("<a href=/b><strong>In the north</strong><em>Bridges</em></a>", "In the north Bridges"),
      ("<span>You</span><span>Bridge</span>", "YouBridge"),
      ("<b>T</b><span>He bridge of stone</span>", "THe bridge"),
      ("<span>The br</span><span>idge of stone</span>", "The bridge"),
    ] as [(heading: String, text: String)])
  func `the parts of a heading are separated`(_ row: (heading: String, text: String)) {
    let document = Document(
      bytes: Array(
        "<title>Stones</title><h1>Stones</h1>\(Self.text)<h2>\(row.heading)</h2>\(Self.text)".utf8
      ), mediaType: "text/html", url: "", view: .reader(ReaderOptions()))
    #expect(String(decoding: document.plainText, as: UTF8.self).contains(row.text))
  }

  @Test(
    arguments: [
      ("<span>Stone</span><span>Bridges stand again</span>", "Bridges stand again"),
      ("<span><a href=/s>Stone</a> <b>Bridges stand again</b></span>", "Bridges stand again"),
      ("<span>Stone</span> <span>Bridges stand again</span>", "Stone Bridges stand again"),
      ("<span>Stone</span><span>Bridges stand again</span>", "Stone Bridges stand again"),
    ] as [(heading: String, title: String)])
  func `a kicker in a heading is not part of a title without it`(
    _ row: (heading: String, title: String)
  ) throws {
    let html = "<title>\(row.title) - River Times</title><h1>\(row.heading)</h1>\(Self.text)"
    #expect(try Self.title(html) == row.title)
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: "", view: .reader(ReaderOptions()))
    let text = String(decoding: document.plainText, as: UTF8.self)
    #expect(text.components(separatedBy: "tand again").count == 2)
  }

  @Test func `a sentence at the start of a heading is no kicker`() {
    let html = """
      <title>Bridges of the town stand again</title>
      <h1><span>Rain falls for five days</span> <span>Bridges of the town stand again</span></h1>
      \(Self.text)
      """
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: "", view: .reader(ReaderOptions()))
    #expect(String(decoding: document.plainText, as: UTF8.self).contains("Rain falls"))
  }

  @Test func `parts of a word that the page has elsewhere are not separated`() {
    let html = """
      <title>Stones</title><h1>Stones</h1>\(Self.text)
      <h2><span>Old River</span><span>Boat House</span></h2>
      <p>The RiverBoat, with all its oars, lies in the shade of the trees.</p>\(Self.text)
      """
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: "", view: .reader(ReaderOptions()))
    #expect(String(decoding: document.plainText, as: UTF8.self).contains("Old RiverBoat House"))
  }

  @Test func `soft hyphens are not part of the title`() {
    let html = """
      <title>The harbour wall - River Times</title>
      <h1>The har&shy;bour wall</h1>\(Self.text)
      """
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: "", view: .reader(ReaderOptions()))
    #expect(document.title == "The harbour wall")
    let text = String(decoding: document.plainText, as: UTF8.self)
    #expect(text.components(separatedBy: "bour wall").count == 2)
  }

  @Test(arguments: ["", "<h1></h1>", "<h1><img src=logo.png></h1>"])
  func `a heading of level 2 is the title of a page that is named like its site`(_ heading: String)
    throws
  {
    let html = """
      <title>River Times</title><meta property=og:site_name content='River Times'>
      <header>\(heading)</header><article><h2>Council approves bridge</h2>\(Self.text)</article>
      """
    #expect(try Self.title(html, url: "https://river.test/2026/a") == "Council approves bridge")
  }

  @Test func `the heading of a page with another title is shown once`() {
    let html = "<title>River Times</title><h1>Bridges stand</h1><p>The text about it.</p>"
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", url: "", view: .reader(ReaderOptions()))
    let text = String(decoding: document.plainText, as: UTF8.self)
    #expect(text.components(separatedBy: "Bridges stand").count == 2)
  }

  @Test func `the title of a site's front page keeps the site name, as its headings are slogans`()
    throws
  {
    let url = "https://rivertimes.example/"
    let body = "<h1>All about the river</h1>\(Self.text)"
    func title(_ title: String) throws -> String {
      try Self.title("<title>\(title)</title>\(body)", url: url)
    }
    #expect(
      try title("River Times: All about the river") == "River Times: All about the river")
    #expect(try title("All about the river - River Times") == "All about the river")
    #expect(try title("River Times") == "River Times")
    #expect(try title("Home - The River") == "The River")
    #expect(try title("Home") == "Home")
    #expect(
      try Self.title("<title>River Times: All about the river</title>\(body)", url: url + "a")
        == "All about the river")
  }

  @Test(arguments: ["River Times", "Home", "-"])
  func `a declared title without information is ignored`(stated: String) throws {
    let html = """
      <title>Bridges and their builders</title><meta property=og:site_name content="River Times">
      <meta property=og:title content="\(stated)">\(Self.text)
      """
    #expect(try Self.title(html) == "Bridges and their builders")
  }

  @Test(arguments: [
    "|", "| |", " - ", "::", "a|", "|a", "://", "http://", "\u{FFFD} | \u{FEFF}", "«»", "¶", "#",
    String(repeating: "a | ", count: 200), String(repeating: "https://a.b.c.", count: 50),
  ])
  func `malformed titles and URLs do not crash the parser`(_ text: String) throws {
    for url in ["", "https://example.org/a", text] {
      let html = """
        <title>\(text)</title><link rel=canonical href="\(text)"><meta name=og:url content="\(text)">
        <meta name=og:site_name content="\(text)"><meta name=og:title content="\(text)">
        <h1>\(text)</h1><h2>\(text)</h2>\(Self.text)
        """
      #expect(try Self.title(html, url: url).utf8.count <= text.utf8.count)
    }
  }

  @Test(arguments: ["|", "-", "–", "/", "»", ">", "•", "·", "｜"])
  func `separators with only spaces between them count as one`(separator: String) throws {
    for separators in ["\(separator) \(separator)", "\(separator) | \(separator) -"] {
      let title = "What the council wants to do \(separators) Rivers of the world"
      let page = "<title>\(title)</title>\(Self.text)"
      #expect(try Self.title(page) == "What the council wants to do")
      let short = "A b c \(separators) Site"
      let foundTitle = try Self.title("<title>\(short)</title><p>Some text.")
      #expect(["A b c", short].contains(foundTitle))
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `separators in any order and number leave a part of the title`(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let pieces = ["|", "-", "–", "/", "»", ":", "：", "•", "｜", " ", " ", " ", "a", "Site", "b c"]
    for _ in 0..<300 {
      let count = Int.random(in: 0..<12, using: &random)
      let title = (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined()
      let html = "<title>\(title)</title><meta property=og:site_name content=Site>"
      let heading = "<h1>Bridges of the town</h1><p>Some text."
      let foundTitle = try Self.title(html + heading)
      let whole = title.split(separator: " ").joined(separator: " ")
      #expect(
        !foundTitle.isEmpty && whole.contains(foundTitle) || foundTitle == "Bridges of the town",
        "seed \(seed): \(title): \(foundTitle)")
    }
  }

  @Test(
    arguments: [
      ("<meta property=og:site_name content='River Times'>", "", "River Times"),
      ("", "<a href=/>River Times</a>", "River Times"),
      ("", "<a href='https://river.test/'>River Times</a>", "River Times"),
    ] as [(String, String, String)])
  func `the heading is the title of a page that is named like its site`(
    _ head: String, _ link: String, _ title: String
  ) throws {
    let html = """
      <title>\(title)</title>\(head)<header>\(link)</header>
      <article><h1>Council<br>approves bridge</h1>\(Self.text)</article>
      """
    #expect(try Self.title(html, url: "https://river.test/2026/a") == "Council approves bridge")
  }

  @Test(
    arguments: [
      ("<a href='https://other.test/'>River Times</a>", "https://river.test/2026/a"),
      ("<a href=/>Home</a>", "https://river.test/2026/a"),
      ("<a href=/>River Times</a>", "https://river.test/"),
    ] as [(String, String)])
  func `a title is kept unless a link to the home page shows that it names the site`(
    _ link: String, _ url: String
  ) throws {
    let html = """
      <title>River Times</title><header>\(link)</header>
      <article><h1>Council approves bridge</h1>\(Self.text)</article>
      """
    #expect(try Self.title(html, url: url) == "River Times")
  }
}
