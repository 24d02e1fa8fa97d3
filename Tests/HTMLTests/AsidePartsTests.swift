import DOM
import Testing

@testable import Document
@testable import ReaderMode

/// Share lists and repeated menus, which are folded at any position of a page.
@Suite struct AsidePartsTests {
  private static let text = """
    <p>The harbour was surveyed in spring, when the ice had gone and the first boats came back, and two parties
    measured its depths with lead and line, as the rules of the river have it.</p>
    """

  private func document(_ body: String, view: PageViewMode = .page) -> Document {
    let html = "<!DOCTYPE html><title>Depths</title><body>\(body)</body>"
    let document = Document(bytes: Array(html.utf8), mediaType: "text/html", view: view)
    #expect(document.problems == [])
    return document
  }

  private func folds(_ kind: Document.BlockFold.Kind, _ body: String) -> [String] {
    let document = document("<h1>Depths</h1>\(Self.text)\(body)\(Self.text)\(Self.text)")
    return document.blockFolds.filter { $0.kind == kind }.map { part in
      part.blocks.map { document.text(of: document.blocks[Int($0)]) }.filter { !$0.isEmpty }
        .joined(separator: "|")
    }
  }

  private static let shareLists = [
    """
    <ul><li><a href='https://www.facebook.com/sharer.php?u=x'>Share on Facebook</a><li><a href='https://twitter.com/intent/tweet'>
    Tweet</a><li><a href='mailto:?subject=x'>Email</a></ul>
    """,
    "<div><button>Share on Facebook</button> <button>Tweet</button> <button>Print</button></div>",
    "<p><a href=#>Share</a> · <a href=#>Tweet</a> · <a href=#>Pin it</a> · <a href=#>Email</a></p>",
    "<div><h3>Share this:</h3><ul><li><a href='/p?share=facebook'>Facebook (Opens in new window)</a></ul></div>",
    "<div class=social-share><span>Facebook</span><span>12</span><span>WhatsApp</span></div>",
    "<div><a href='https://t.me/share/url?x' title='Telegram'><svg></svg></a><a href='https://wa.me/?text=x'></a></div>",
    "<p><button>Teilen</button></p><p><a href='https://x.com/intent/post'>X</a></p>",
  ]

  @Test(arguments: shareLists)
  func `a share list is folded in the full view and omitted from reader view`(list: String) {
    let foldTexts = folds(.share, list)
    #expect(foldTexts.count == 1 && foldTexts.first?.hasPrefix("Share this:") == false)
    let body = "<article><h1>Depths</h1>\(Self.text)\(list)\(Self.text)\(Self.text)</article>"
    let reader = document(body, view: .reader(ReaderOptions()))
    let shownText = String(decoding: reader.plainText, as: UTF8.self)
    #expect(
      !shownText.contains("Facebook") && !shownText.contains("Tweet")
        && !shownText.contains("Teilen"))
    #expect(shownText.contains("lead and line"))
  }

  @Test(arguments: [
    "<ul><li><a href=#share>Share</a><li><a href=#print>Print</a><li><a href=#email>Email</a></ul>",
    "<ul><li>Facebook<li>Twitter<li>WhatsApp</ul>", "<p><a href=/share>Share</a></p>",
    "<p><a href='https://www.facebook.com/harbour'>Facebook</a> <a href='https://x.com/harbour'>X</a></p>",
    "<p>Please <a href=#>share</a> the link or <a href=#>tweet</a> it.</p>",
    "<ul><li><a href=/share.html>Share</a><li><a href=/print.html>Print</a></ul>",
    "<p><button>Share</button> <button>Reply</button></p>",
    "<div><a href='https://x.com/intent/post'>Tweet</a> <button>Share</button><img src=a.png alt='A map'></div>",
  ])
  func `lists with other content are not folded`(list: String) {
    #expect(folds(.share, list).isEmpty)
  }

  @Test func `a share list in a layout table cell is folded, and its buttons are counted`() {
    let cell = "<table><tr><td>\(Self.text)\(Self.shareLists[1])\(Self.text)</td></tr></table>"
    #expect(folds(.share, cell).count == 1)
    let page = document(cell)
    #expect(page.blockFolds.map { page.summary(ofBlocks: $0.blocks) } == ["3 fields"])
    let reader = document("<h1>Depths</h1>" + cell, view: .reader(ReaderOptions()))
    #expect(!String(decoding: reader.plainText, as: UTF8.self).contains("Tweet"))
  }

  @Test func `a page that consists only of a share list is shown`() {
    #expect(document(Self.shareLists[0]).blockFolds.isEmpty)
  }

  private static let menu = ["News", "Sport", "Weather", "Tides", "Boats"]
    .map { "<li><a href=/\($0)>\($0)</a></li>" }.joined()

  @Test func `a menu that repeats an earlier one is folded`() {
    let first = "<nav><ul>\(Self.menu)</ul></nav>"
    for second in [
      "<div class='mobile-menu'><button>Close</button><ul>\(Self.menu)</ul></div>",
      "<nav id=x><ul>\(Self.menu)<li><a href=/log>Log in</a></ul></nav>",
      "<div class=page-nav-wrapper><p>The harbour lies at the river below the town, and the town is above it.</p>"
        + "<nav><ul>\(Self.menu)</ul></nav></div>",
    ] {
      let foldTexts = folds(.repeatedMenu, first + Self.text + second)
      #expect(foldTexts.count == 1 && foldTexts.first?.contains("News|Sport") == true)
    }
  }

  @Test(arguments: [
    "<nav><ul><li><a href=/a>Alpha</a><li><a href=/b>Beta</a><li><a href=/c>Gamma</a></ul></nav>",
    "<nav><a href=/1 rel=prev>Previous</a> <a href=/2>Up</a> <a href=/3>Home</a> <a href=/4>Next</a></nav>",
    "<nav class=pagination><a href=/1>1</a> <a href=/2>2</a> <a href=/3>3</a> <a href=/4>4</a></nav>",
    "<ul>\(menu)</ul>",
  ])
  func `short lists, pagination and plain lists are not folded`(list: String) {
    #expect(folds(.repeatedMenu, list + Self.text + list).isEmpty)
  }

  @Test func `a menu is not folded if the first one is hidden`() {
    let hidden = "<nav style='display: none'><ul>\(Self.menu)</ul></nav>"
    #expect(folds(.repeatedMenu, hidden + Self.text + "<nav><ul>\(Self.menu)</ul></nav>").isEmpty)
  }

  @Test func `nested menus are processed in linear time`() {
    let deep = String(repeating: "<div class=menu>", count: 3000)
    let page = document(Self.text + deep + "<a href=/a>word</a>")
    #expect(page.blockFolds.filter { $0.kind == .repeatedMenu }.isEmpty)
  }

  @Test(
    arguments: [
      ("<p>&#xF015; Home &#xE801;</p>", "Home"), ("<p><i class='fa'>&#xF2BD;</i>Ann</p>", "Ann"),
      ("<p><i class='icon'>arrow_forward</i>Next</p>", "Next"),
      ("<p><span class='x-icon' aria-hidden=true>home</span> Start</p>", "Start"),
      ("<p><i class=icon>home</i> Start</p>", "Start"),
      ("<p><button>&#xF002;</button>Find</p>", "Find"),
      ("<form><button aria-label=Search>&#xF002;</button></form>", "[Search]"),
      ("<p><a href=/h title=Home>&#xF015;</a></p>", "Home"),
      ("<p><code>&#xF015;</code></p>", "\u{F015}"), ("<p>漢&#xE000;字</p>", "漢\u{E000}字"),
      ("<p>The <span class=icon>icon</span> of a boat</p>", "The icon of a boat"),
      ("<style>.a::before { content: '\\F015' }</style><p class=a>Home</p>", "Home"),
    ] as [(String, String)])
  func `glyphs and names of icon fonts are not shown`(html: String, text: String) {
    #expect(document(html).plainText == Array(text.utf8) + [0x0A])
  }

  @Test(
    arguments: [
      ("<p><i class='fa icon-tip' title=Tip></i> Dry it.</p>", "Tip Dry it."),
      ("<p><i class='fa icon-tip' aria-label=Tip title=T></i> Dry it.</p>", "Tip Dry it."),
      ("<p><span class='icon-lock' title='Locked topic'></span> News</p>", "Locked topic News"),
      ("<p><i class='fa fa-check-square-o'></i> done</p>", "[x] done"),
      ("<p><i class='fa fa-square-o'></i> open</p>", "[ ] open"),
      // Icons that need no text.
      ("<p><i class='fa fa-user' title=Author></i> Author: Ann</p>", "Author: Ann"),
      ("<p><i class='fa fa-info' title='A long text with an explanation'></i> Price</p>", "Price"),
      ("<p><i class=x title=Tip></i> Dry it.</p>", "Dry it."),
      ("<p><i class='fa fa-square'></i> Dry it.</p>", "Dry it."),
      ("<p>Dry it. <i class='fa fa-check-square-o'></i></p>", "Dry it."),
      ("<p><button><i class='fa fa-x' title=Close></i></button>Dry it.</p>", "Dry it."),
      ("<p><i class='fa fa-check'></i> Dry it.</p>", "Dry it."),
    ] as [(String, String)])
  func `an icon is shown by its title or its fixed meaning`(html: String, text: String) {
    #expect(document(html).plainText == Array(text.utf8) + [0x0A])
  }

  @Test func `an icon that is all of a table cell is shown as a sign`() {
    let cell = "<td><i class='fas fa-check'></i><td><span class='bi bi-x-lg'></span>"
    let row = "<tr><th>Stove\(cell)<td><i class='fa fa-star'></i>"
    let text = String(
      decoding: document("<table><tr><th>A<th>B<th>C<th>D\(row)\(row)</table>").plainText,
      as: UTF8.self)
    #expect(text.count { $0 == "✓" } == 2 && text.count { $0 == "✗" } == 2)
  }

  @Test(
    arguments: [
      ("The harbour at night", "The harbour at night.", false),
      ("A photo of the harbour", "The harbour", false),
      ("Harbour at night with boats", "The harbour at night, with boats. Photo: Jane Doe", false),
      ("Depths by month as bars", "Figure 1: The harbour", true),
    ] as [(String, String, Bool)])
  func `the alternative text of an image is omitted if the caption contains it`(
    alternative: String, caption: String, isShown: Bool
  ) {
    for figure in [
      "<figure><img src=a.jpg alt='\(alternative)'><figcaption>\(caption)</figcaption></figure>",
      "<figure><figcaption>\(caption)</figcaption><img src=a.jpg alt='\(alternative)'></figure>",
      "<div class=wp-caption><img src=a.jpg alt='\(alternative)'><p class=wp-caption-text>\(caption)</p></div>",
    ] {
      let shownText = String(decoding: document(figure).plainText, as: UTF8.self)
      #expect(shownText.contains(caption) && shownText.contains(alternative + "\n") == isShown)
    }
  }

  @Test func `reader view keeps the heading of a page whose title is the site name`() {
    let menu = "<nav><ul>\(Self.menu)</ul></nav>"
    let text = Self.text + Self.text + Self.text + Self.text
    for head in [
      "\(menu)<h1>How we measured</h1>", "<header>\(menu)<h1>How we measured</h1></header>",
      "<h1><a href=/>Depths</a></h1>\(menu)<div class=top><h1>How we measured</h1></div>",
    ] {
      let reader = document(head + "<div>\(text)</div>", view: .reader(ReaderOptions()))
      let shownText = String(decoding: reader.plainText, as: UTF8.self)
      #expect(shownText.ranges(of: "How we measured").count == 1)
    }
    let same = document(
      menu + "<h1>The depths</h1><div>\(text)</div>", view: .reader(ReaderOptions()))
    #expect(same.blocks.count { $0.kind == .heading(level: 1) } == 1)
  }

  @Test func `a heading that repeats the title with other spaces is shown once`() {
    let html =
      "<title>Vue.js 入門 - Depths</title><article><h1>Vue.js入門</h1>\(Self.text)\(Self.text)"
    let reader = Document(
      bytes: Array(html.utf8), mediaType: "text/html", view: .reader(ReaderOptions()))
    #expect(String(decoding: reader.plainText, as: UTF8.self).ranges(of: "入門").count == 1)
  }

  @Test func `a heading with a line above the title is shown once`() {
    let heading = "<h1><div class=kicker>Report</div><div>The lead and the line</div></h1>"
    let html =
      "<title>The lead and the line - Depths</title><article>\(heading)\(Self.text)\(Self.text)"
    let reader = Document(
      bytes: Array(html.utf8), mediaType: "text/html", view: .reader(ReaderOptions()))
    let text = String(decoding: reader.plainText, as: UTF8.self)
    #expect(text.ranges(of: "The lead and the line").count == 1)
  }

  @Test func `the heading of the first of several parts is kept if the title ends with it`() {
    let title = "How two parties measured the depths of a harbour and a far lake"
    let lake = "<h1>\(title)</h1><h1>A far lake</h1>\(Self.text)\(Self.text)"
    let others = "<h1>Boats and lines</h1>\(Self.text)\(Self.text)"
    let text = readerText(ofBody: "<article>\(lake)\(others)</article>", title: title)
    #expect(text.contains("\nA far lake\n"))
  }

  @Test func `reader view keeps the heading directly above a table`() {
    let rows = (0..<8).map { "<tr><td>F\($0)<td>0\($0):00<td>0\($0):40" }.joined()
    let table = "<table><tr><th>Ferry<th>Departs<th>Arrives</tr>\(rows)</table>"
    let menu = "<nav><ul>\(Self.menu)</ul></nav>"
    let page = "\(menu)<main><h1>Timetable</h1>\(table)</main>"
    let reader = document(page, view: .reader(ReaderOptions()))
    #expect(String(decoding: reader.plainText, as: UTF8.self).contains("Timetable\n"))
  }

  @Test func `an image with a size that is alone in a paragraph is kept`() {
    let images = [
      "<p><img src=0f3a.png width=120>", "<p><a2><img src=0f3b.png width=90 height=80>",
    ]
    let body = images.joined(separator: Self.text) + Self.text
    for view in [PageViewMode.page, .reader(ReaderOptions())] {
      #expect(document(Self.text + body, view: view).images.count == 2)
    }
    let empty = "<p><img src=0f3a.png alt='' width=640 height=480></p>"
    let reader = document(
      Self.text + empty + Self.text, view: .reader(ReaderOptions()))
    #expect(reader.images.count == 1)
    #expect(document(Self.text + "<p>A <img src=0f3a.png width=40></p>").images.isEmpty)
  }

  @Test func `a frame that is a part of the file is named by its number`() {
    let page = document(
      "<iframe src='cid:frame-1@x'></iframe><iframe src='cid:2' title=Tides></iframe>")
    #expect(page.plainText == Array("frame 1\nTides\n".utf8))
  }

  @Test func `the pages of a document are found by their fragment IDs`() {
    let page = document("<p>One</p><p id=page-2>Two</p><p id=page-4>x</p><p id=page-3>Three</p>")
    #expect(page.pageStarts.map(\.number) == [2, 3])
    let second = page.pageStarts[0].offset
    #expect(page.pageOffset(1, from: 0) == second && page.pageOffset(-1, from: second) == 0)
    #expect(page.pageOffset(-1, from: 0) == nil && page.pageOffset(2, from: second) == nil)
  }
}
