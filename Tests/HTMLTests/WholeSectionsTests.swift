import ReaderMode
import Document
import Testing

/// Parts that belong together in reader mode: names and descriptions, questions and answers,
/// sections of a text.
@Suite struct WholeSectionsTests {
  private static let sentence =
    "The mill stands at the bend of the river, and its wheel has turned since the old bridge fell, when "
    + "the farmers of the valley brought their corn by boat. "
  private static let paragraph = "<p>\(sentence)\(sentence)\(sentence)</p>"
  private static let shortSentence =
    "The mill stands at the bend of the river, and its wheel has turned since the old bridge fell, when "
    + "the farmers came."

  private static func reader(_ content: String, after: String = "") -> Document {
    let page =
      "<html lang=en><title>Mills</title><body><nav><a href=/>Home</a></nav><main><article><h1>Mills</h1>"
      + paragraph + paragraph + content + "</article>\(after)</main></body></html>"
    return Document(
      bytes: Array(page.utf8), mediaType: "text/html",
      view: .reader(
        ReaderOptions(
          keepsMedia: false, showsMetadata: false, keepsComments: false, foldsNavigation: false)))
  }

  @Test func `names are kept above their descriptions`() {
    let names = ["Oakmill", "Stonewheel", "Riverside", "Fourwinds"]
    let content = names.map {
      "<div><a href=/m/\($0)><span><h2>\($0)</h2></span></a><a href=/m/\($0)><div class=address>"
        + "12 Bridge Road</div></a></div>" + Self.paragraph
    }
    let text = Self.reader(content.joined()).content
    for name in names { #expect(text.contains(name), "\(name)") }
  }

  @Test func `cards that link elsewhere are removed after the end of a text`() {
    let cards = (1...5).map {
      "<div class=c><a href=/a\($0)><h3>Another mill \($0)</h3></a><p>It was built later, in the year "
        + "180\($0), and has a red roof. Its miller sells bread on Fridays.</p></div>"
    }
    let text = Self.reader("", after: "<div class=list>\(cards.joined())</div>").content
    #expect(
      text.contains("farmers") && !text.contains("Another mill") && !text.contains("red roof"))
  }

  @Test func `panels that a button opens are kept, with the text of the button`() {
    let panels = (1...3).map {
      "<div><a role=button aria-controls=c\($0) tabindex=0><span role=heading aria-level=3>Step \($0)"
        + "</span></a></div><div id=c\($0) style='display:none' role=region><p>Panel\($0) "
        + "\(Self.sentence)</p></div>"
    }
    let document = Self.reader(panels.joined())
    for number in 1...3 {
      #expect(document.content.contains("Step \(number)"))
      #expect(document.content.contains("Panel\(number)"))
    }
    #expect(document.readerFacts?.contentSource == .visiblePage)
  }

  @Test func `a panel is kept if its wrapper is hidden instead`() {
    let panels = (1...3).map {
      "<h2><button aria-controls=p\($0) aria-expanded=false>Question \($0)?</button></h2>"
        + "<div style='display:none'><div id=p\($0) role=region><p>Panel\($0) \(Self.sentence)</p></div></div>"
    }
    let text = Self.reader(panels.joined()).content
    for number in 1...3 {
      #expect(text.contains("Question \(number)?") && text.contains("Panel\(number)"))
    }
  }

  @Test func `a heading without content below it does not end a text`() {
    let text = Self.reader(
      "<h2>Wheels</h2>\(Self.paragraph)<h2>Read on</h2><h3>Mills nearby</h3>"
    ).content
    #expect(text.contains("Wheels") && !text.contains("Read on") && !text.contains("nearby"))
  }

  @Test func `consecutive headings of one level are a list`() {
    let text = Self.reader("<h2>Oakmill</h2><h2>Stonewheel</h2>").content
    #expect(text.contains("Oakmill") && text.contains("Stonewheel"))
  }

  @Test func `the end of a text may be in another element of its article`() {
    let parts = (1...8).map { "<h2>Part \($0)</h2>" + Self.paragraph + Self.paragraph }
    let questions = ["Is there an entrance fee?", "Who repairs the wheel?", "When is it open?"].map
    {
      "<div class=accordion-item><div class=head>\($0)</div><div><p>Yes, \(Self.sentence)</p></div></div>"
    }
    let text = Self.reader(
      "<div class=body><div class=field>\(parts.joined())</div><div class=share>Share this</div>"
        + "<div class='field sections'><h2>Questions of visitors</h2><div class=faq>"
        + questions.joined() + "</div></div></div>"
    ).content
    #expect(text.contains("Questions of visitors") && text.contains("Who repairs the wheel?"))
    #expect(!text.contains("Share this"))
  }

  @Test func `code is kept as one block, and below the paragraph that introduces it`() {
    let commands =
      "<pre>$ tar xf mill.tar.gz<div>$ cd mill</div><div>$ make</div><div>$ make install</div></pre>"
    let text = Self.reader(commands + Self.paragraph + "<pre><code>rm ./-rf</code></pre>").content
    for line in ["$ tar xf", "$ cd mill", "$ make", "$ make install", "rm ./-rf"] {
      #expect(text.contains(line), "\(line)")
    }
  }

  @Test func `collapsible sections are kept together with similar ones`() {
    let text = Self.reader(
      "<details><summary>Who built it?</summary>\(Self.paragraph)</details>"
        + "<details><summary>Is it open?</summary><p>On Sundays.</p></details>"
        + "<details><summary>Where is it?</summary><p>At the bridge.</p></details>"
    ).content
    for line in ["Who built it?", "Is it open?", "On Sundays.", "Where is it?", "At the bridge."] {
      #expect(text.contains(line), "\(line)")
    }
  }

  @Test func `a quotation keeps its attribution`() {
    let text = Self.reader(
      "<blockquote><p>\(Self.sentence)</p><footer>— <cite>Ada Krag</cite>, 1881</footer></blockquote>"
        + Self.paragraph
    ).content
    #expect(text.contains("Ada Krag"))
  }

  @Test func `the short text of an embedded post is kept above its attribution`() {
    let posts =
      "<div class=post><time>10:00</time><h2>First</h2><p>\(Self.shortSentence)</p></div>"
      + "<div class=post><time>11:00</time><p>Short.</p></div>"
    let page =
      "<html lang=en><title>Mills</title><body><main><h1>Mills</h1>\(posts)<blockquote>"
      + "<p>Tweet text here</p>&mdash; Ada Krag (@ada) <a href=/1>March 5</a></blockquote>"
      + "<p>\(Self.shortSentence)</p></main></body></html>"
    let text = Document(
      bytes: Array(page.utf8), mediaType: "text/html", view: .reader(ReaderOptions())
    ).content
    #expect(text.contains("Ada Krag") && text.contains("Tweet text here"))
  }

  @Test func `a link to an embedded post is left out above its attribution`() {
    let text = Self.reader(
      "<blockquote class=instagram-media><a href=/1>View this post on Instagram</a>"
        + "<p><a href=/1>A post shared by Ada (@ada)</a></p></blockquote>" + Self.paragraph
    ).content
    #expect(text.contains("A post shared") && !text.contains("View this post"))
  }

  @Test func `placeholders for missing images are removed`() {
    let text = Self.reader(
      "<p>This slideshow requires JavaScript.</p>" + Self.paragraph
    ).content
    #expect(!text.contains("slideshow"))
  }

  @Test(arguments: ["div", "div class=button", "p"])
  func `no link of a long row is lost`(_ element: String) {
    let name = element.prefix { $0 != " " }
    let links = (1...40).map { "<\(element)><a href=/\($0)>Part \($0)</a></\(name)>" }
    let page = "<title>Parts</title><body><main>\(links.joined())</main>"
    let document = Document(
      bytes: Array(page.utf8), mediaType: "text/html", view: .reader(ReaderOptions()))
    #expect((1...40).allSatisfy { document.content.contains("Part \($0)") })
  }

  @Test func `a page with hardly any recognizable content is shown without its menus`() {
    let menu = (1...8).map { "<li><a href=/\($0)>Room \($0)</a>" }.joined()
    let parts = (1...60).map { "<div class=x\($0)><a href=/s\($0)>Mill number \($0)</a></div>" }
    let page =
      "<html><title>Rooms</title><body class='has-menu menu-open'><nav><ul>\(menu)</ul></nav>"
      + "<div class=skip>Skip to content</div><div>\(parts.joined())</div></body></html>"
    let text = Document(
      bytes: Array(page.utf8), mediaType: "text/html",
      view: .reader(ReaderOptions(foldsNavigation: false))
    ).content
    #expect(text.contains("Mill number 60") && !text.contains("Room 8"))
  }

  @Test(arguments: ["related-work", "comments-on-the-draft", "sponsors"])
  func `the heading of a text is kept whatever its element is named`(id: String) {
    let sectionText = "<p>\(Self.sentence)Nobody knows who built the second wheel.</p>"
    let text = Self.reader(
      "<section id=\(id)><h2>Heading of it</h2>\(sectionText)</section>" + Self.paragraph
    ).content
    #expect(text.contains("second wheel") && text.contains("Heading of it"))
  }

  @Test func `the heading of related links is not kept`() {
    let links = (1...4).map { "<li><a href=/a\($0)>Another mill \($0) in the hills</a></li>" }
    let text = Self.reader(
      "<section id=related><h2>Related work</h2><ul>\(links.joined())</ul></section>"
        + Self.paragraph
    ).content
    #expect(!text.contains("Related work") && !text.contains("Another mill"))
  }

  private static func manual(_ section: String, after: String) -> String {
    let text = (1...9).map {
      "<p>Rule \($0): the mill stands still when wind number \($0) blows from the hills at night.</p>"
    }
    return Self.reader("\(text.joined())\(section)\(after)").content
  }

  private static let nextSection =
    "<section id=wind><h2>Wind</h2><p>The wind turns the wheel, and the wheel turns the stone of it.</p></section>"

  @Test(
    arguments: [("comments", "Comments"), ("menu", "2. Menu"), ("footer", "Footer")]
      as [(String, String)])
  func `a section of a manual is text whatever its id`(_ id: String, _ heading: String) {
    let sectionText =
      "<p>A line of this kind begins with a sign, and the miller skips it while he reads.</p>"
    let text = Self.manual(
      "<section id=\(id)><h2>\(heading)</h2>\(sectionText)</section>", after: Self.nextSection)
    #expect(text.contains("the miller skips it") && text.contains(heading))
  }

  @Test func `a section with a misleading id is text among similar sections`() {
    let rule = "<p>The mill stands still when a strong wind blows from the hills at night.</p>"
    let parts = ["File menu", "Edit menu", "Help menu"].map {
      "<section id=\($0.replacing(" ", with: "-"))><h3>\($0)</h3><p>The \($0) opens when you press it."
        + "</p></section>"
    }
    let menus = "<h2>Menus</h2><p>The mill has a menu in each window.</p>\(parts.joined())"
    let sections = [("start", "<h2>Start</h2>"), ("menus", menus), ("end", "<h2>End</h2>")].map {
      "<section id=\($0.0)>\($0.1)\(rule)\(rule)\(rule)</section>"
    }
    let text = Self.manual(sections.joined(), after: Self.nextSection)
    for part in ["menu in each window", "The File menu opens", "The Help menu opens"] {
      #expect(text.contains(part), "\(part)")
    }
  }

  private static let comment =
    "<div class=comment><h3>Jane</h3><p>I like the mill, and the miller skips it, too.</p></div>"

  @Test(arguments: [
    "<section id=comments><h2>Comments</h2><p>I like this mill, and the miller skips it, too.</p></section>",
    "<section id=comments class=comments><h2>Comments</h2><p>I like the mill; the miller skips it.</p></section>\(nextSection)",
    "<section id=comments><h2>Comments</h2>\(comment)\(comment)\(comment)</section>\(nextSection)",
  ])
  func `comments at the end or named by their class are not text`(section: String) {
    #expect(!Self.manual(section, after: "").contains("the miller skips it"))
  }

  @Test(arguments: [
    "<button>Is it deep?</button><div style='display:none'><p>It is.</p></div>",
    "<div><button aria-expanded=false>Depth of water</button></div><div>It is.</div>",
    "<div role=button tabindex=0>Depth of water</div><div hidden><p>It is.</p></div>",
  ])
  func `a button and the text below that it shows are kept together`(_ question: String) {
    let text = readerText(
      ofBody: """
        <main><h1>Questions</h1>
        <p>Here are questions that visitors ask us about the harbour when they come for the day.</p>
        <div class=accordion>\(question)<button>Is it cold?</button><div hidden><p>Yes.</p></div>
        </div></main>
        """, title: "Questions")
    for part in ["It is.", "Is it cold?", "Yes."] { #expect(text.contains(part), "\(part)") }
    #expect(text.contains("Is it deep?") || text.contains("Depth of water"))
  }

  @Test func `a question in a list of definitions is kept with its answer`() {
    let text = readerText(
      ofBody: """
        <main><h1>Questions</h1>
        <p>Here are questions that visitors ask us about the harbour when they come for the day.</p>
        <dl><dt><button>Is it deep?</button></dt><dd hidden>It is.</dd>
        <dt><button>Is it cold?</button></dt><dd hidden>Yes.</dd></dl></main>
        """, title: "Questions")
    for part in ["Is it deep?", "It is.", "Is it cold?", "Yes."] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func `short answers are kept below a long question`() {
    let text = readerText(
      ofBody: """
        <header>Answers</header><div id=question><h1>How deep is it?</h1><div class=post-text>
        <p>How deep is the harbour at low water, and why does the chart of the office say nothing?</p>
        <p>I have read the tables of the tides and the notices to sailors but found nothing.</p>
        </div></div><div id=answers><h2>2 Answers</h2>
        <div class="answer accepted-answer"><p>Use the <code>lead</code>.</p></div>
        <div class=answer><p>Ask Ole.</p><button>Share</button></div></div>
        <div id=sidebar><h4>Related</h4><ul><li><a href=/q/2>How wide is it?</a></li></ul></div>
        """, title: "How deep is it? - Answers")
    for part in ["low water", "2 Answers", "Use the lead.", "Ask Ole."] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(!text.contains("How wide") && !text.contains("Share"))
  }

  @Test(arguments: ["main", "div"])
  func `the button of a menu above the content is left out`(_ element: String) {
    let paragraphs = (1...6).map { number in
      "<p>The harbour was dredged in spring number \(number), and the boats came back in summer.</p>"
    }
    let text = readerText(
      ofBody: """
        <div><button aria-expanded=false>Menu</button></div>
        <\(element)><h1>Harbour news</h1>\(paragraphs.joined())</\(element)>
        """, title: "Harbour news")
    #expect(text.contains("spring number 5") && !text.contains("Menu"))
  }
}
