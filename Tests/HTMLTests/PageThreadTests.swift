import Metadata
import DOM
import Document
import Testing

@testable import ReaderMode

/// Threads that are kept whole, with the writers and dates of their posts.
@Suite struct PageThreadTests {
  private static let texts = [
    "The rope of the ferry is worn where it runs over the wheel, and it slips when it rains.",
    "Turn it.", "It is too short for that, so we would have to splice it first.", "True.",
  ]
  private static let names = ["lena", "jon", "lena", "mats77"]

  /// Returns the texts that are kept of a page.
  /// - Parameters:
  ///   - html: The page.
  ///   - kind: Its kind.
  ///   - isKept: Whether a text looks like content.
  /// - Returns: The texts; nil if the page has no thread.
  private func completed(
    _ html: String, of kind: PageKind = .linkList, where isKept: (String) -> Bool
  ) -> [String]? {
    let tree = DOMParser.parse(Array(html.utf8))
    let page = PageBlocks(tree)
    let texts = page.blocks.indices.map { page.text(of: $0, in: tree) }
    return PageThread(of: page, excluding: nil, in: tree)?
      .completing(texts.map(isKept), of: kind, in: tree)
      .map { zip(texts, $0).filter(\.1).map(\.0) }
  }

  /// The posts of a thread in several kinds of markup.
  private static func posts(_ post: (_ name: String, _ text: String) -> String) -> String {
    "<h1>The ferry</h1><div>" + zip(names, texts).map(post).joined() + "</div>"
  }

  private static let markup: [String] = [
    posts {
      "<table><tr><td><span class=age><a href=/t>2 days ago</a></span> "
        + "<a class=hnuser href=/u>\($0)</a><div class=said>\($1)</div><p><a href=/r>reply</a>"
        + "</table>"
    },
    // No classes for names and dates.
    posts {
      "<div><div><a href=/u>\($0)</a> <span>wrote </span><a href=#c><relative-time "
        + "datetime=2024-05-04T09:00:00Z>on May 4, 2024</relative-time></a></div>"
        + "<div><div class=md><p>\($1)</p></div></div></div>"
    },
    posts {
      "<div class=q><div><h3>\($0)</h3><span>May 4, 2024</span></div><div class=z>\($1)</div></div>"
    },
    posts {
      "<div><div><a href=/u>\($0)</a></div><span>•</span> "
        + "<time datetime=2024-05-04>1y ago</time></div><div class=md><p>\($1)</p></div>"
    },
    // The writer is named below the text.
    posts {
      "<div class=answer><div class=md><p>\($1)</p></div><div class=user-info><div>"
        + "answered <span class=time>May 4</span></div><div class=user-details><a href=/u>\($0)</a>"
        + "</div></div></div>"
    },
  ]

  @Test(arguments: markup)
  func `short posts and the names of all writers are kept with the first post`(_ page: String)
    throws
  {
    let keptTexts = try #require(completed(page) { $0.hasPrefix("The rope") })
    for text in Self.texts { #expect(keptTexts.contains(text), "\(text)") }
    for name in Set(Self.names) {
      let count = Self.names.count { $0 == name }
      #expect(
        keptTexts.count { $0.split(separator: " ").contains(Substring(name)) } == count, "\(name)")
    }
    #expect(!keptTexts.contains("reply"))
  }

  @Test func `quotations are kept with their posts`() throws {
    let page = Self.posts {
      "<div class=item><p><b class=author>\($0)</b> <time>May 4</time></p><div class=md>"
        + "<aside class=quote><div>ada:</div><blockquote><p>worn by \($0)</p></blockquote></aside>"
        + "<p>\($1)</p></div></div>"
    }
    let keptTexts = try #require(completed(page, of: .forum) { Self.texts.contains($0) })
    #expect(keptTexts.count { $0 == "ada:" } == 4)
    #expect(keptTexts.contains("worn by jon"))
  }

  @Test func `a quotation with its writer and date, or a sentence with a date, begins no post`()
    throws
  {
    let page = Self.posts {
      "<div class=item><p><b class=author>\($0)</b> <time>May 4</time></p><div class=md>"
        + "<blockquote><p><a href=/u>ada</a> wrote on <time>May 3</time></p></blockquote>"
        + "<p>\($1)</p><p>See <a href=/m>the manual</a> that we wrote on May 2, 2024.</p></div>"
        + "</div>"
    }
    let keptTexts = try #require(completed(page, of: .forum) { $0 == Self.texts[0] })
    #expect(keptTexts.count { $0 == "ada wrote on May 3" } == 4)
    #expect(keptTexts.count { $0.hasPrefix("See") } == 4)
    for text in Self.texts { #expect(keptTexts.contains(text), "\(text)") }
  }

  @Test func `other lines about the writer are not names`() {
    let page = Self.posts {
      "<div class=item><div class=author-pane><h3>\($0)</h3><ul><li>Member<li>12 posts</ul></div>"
        + "<p>Posted <time>May 4</time></p><div class=md><p>\($1)</p></div></div>"
    }
    let keptTexts = completed(page, of: .forum) { Self.texts.contains($0) }
    #expect(keptTexts?.contains("Member") != true)
    #expect(keptTexts?.contains("12 posts") != true)
  }

  @Test func `comments are not added to an article`() {
    let text = String(repeating: "The ferry crosses the river at dawn. ", count: 12)
    let article =
      "<article><p><b class=author>Ida</b> <time>May 3</time></p><p>\(text)</p></article>"
    let page = article + Self.markup[0]
    let isText: (String) -> Bool = { $0.hasPrefix("The ferry crosses") }
    #expect(completed(page, of: .article, where: isText) == nil)
    // One of four comments is kept by mistake.
    #expect(
      completed(page, of: .article) { isText($0) || $0 == "True." } == nil)
  }

  @Test func `articles with titles are not posts`() {
    let titles = ["Wheels", "Ropes and chains", "Splicing", "The end"]
    let items = zip(titles, Self.texts).map {
      "<div class=item><h2><a href=/a>\($0)</a></h2><p><b class=author>Ida</b> "
        + "<time>May 4</time></p><div class=md><p>\($1)</p></div></div>"
    }
    #expect(completed("<div>\(items.joined())</div>") { $0.hasPrefix("The rope") } == nil)
  }

  @Test(arguments: ["aside", "nav", "footer"])
  func `posts beside the main content are no thread`(_ element: String) {
    let page = "<main><p>\(Self.texts[0])</p></main><\(element)>\(Self.markup[1])</\(element)>"
    #expect(completed(page) { $0.hasPrefix("The rope") } == nil)
  }

  @Test func `writer and date of the first post are those of a thread without metadata`() throws {
    for (markup, date) in zip(Self.markup[1...2], ["2024-05-04T09:00:00Z", "May 4, 2024"]) {
      let tree = DOMParser.parse(Array(markup.utf8))
      let page = PageBlocks(tree)
      let thread = try #require(PageThread(of: page, excluding: nil, in: tree))
      let isKept = page.blocks.indices.map { Self.texts.contains(page.text(of: $0, in: tree)) }
      let byline = try #require(thread.openingByline(isKept, in: tree))
      #expect(byline.name == "lena")
      #expect(byline.date == date)
    }
  }

  @Test func `the first comment on a link is not the opening post`() throws {
    let link = "<p><a href=/x>The ferry</a> (example.org)</p>"
    let markup = Self.markup[1].replacing("<h1>The ferry</h1>", with: link)
    let tree = DOMParser.parse(Array(markup.utf8))
    let page = PageBlocks(tree)
    let thread = try #require(PageThread(of: page, excluding: nil, in: tree))
    let isKept = page.blocks.indices.map { Self.texts.contains(page.text(of: $0, in: tree)) }
    #expect(thread.openingByline(isKept, in: tree) == nil)
  }

  @Test func `text before the posts has no writer`() throws {
    let tree = DOMParser.parse(
      Array("<p>A long introduction to the ferry.</p>\(Self.markup[1])".utf8))
    let page = PageBlocks(tree)
    let thread = try #require(PageThread(of: page, excluding: nil, in: tree))
    let isKept = [Bool](repeating: true, count: page.blocks.count)
    #expect(thread.openingByline(isKept, in: tree) == nil)
  }

  @Test func `a short reply in an element named like that of a kept comment is kept`() {
    let html = """
      <section><article class="comment first"><p class=comment__author>Ole</p><div class=body>
      <p>It looks good from the road, all of it.</p></div><p>Edited by Ole.</p></article>
      <div class=indented><article class="comment by-author"><p class=comment__author>karla</p>
      <div class=text><p>Thank you.</p></div></article></div></section>
      <div class=box><p class=author>nobody</p><p>Not a comment.</p></div>
      """
    let tree = DOMParser.parse(Array(html.utf8))
    let page = PageBlocks(tree)
    let texts = page.blocks.indices.map { page.text(of: $0, in: tree) }
    let keptFlags = page.withItemParts(texts.map { $0.hasPrefix("It looks") }, of: .forum)
    #expect(
      zip(texts, keptFlags).filter(\.1).map(\.0) == [
        "Ole", "It looks good from the road, all of it.", "karla", "Thank you.",
      ])
  }

  @Test func `an index of messages is shown whole`() {
    func message(_ number: Int, _ subject: String, _ replies: String = "") -> String {
      "<LI><A HREF=\(number).html>[Boats] \(subject)\n</A><A NAME=\(number)>&nbsp;</A>\n"
        + "<I>Writer \(number)\n</I>\(replies.isEmpty ? "" : "<UL>\(replies)</UL>")"
    }
    let subject = "Rope of the ferry"
    let html = """
      <title>The Boats May 2011 Archive by thread</title><h1>May 2011 Archives by thread</h1>
      <ul><li> <b>Messages sorted by:</b> <a href=subject.html>[ subject ]</a></ul>
      <p><b>Starting:</b> <i>Sun May 1 10:00:00 CET 2011</i><br>
      <b>Ending:</b> <i>Tue May 31 10:00:00 CET 2011</i><br><b>Messages:</b> 4<p>
      <ul>\(message(1, subject, message(2, subject, message(3, subject))))\(message(4, "Oars"))</ul>
      """
    let url = "https://lists.example.org/pipermail/boats/2011-May/thread.html"
    let text = Document(
      tree: ContentModel.select(DOMParser.parse(Array(html.utf8)), url: url).tree, url: url
    ).content
    for number in 1...4 { #expect(text.contains("Writer \(number)")) }
  }
}
