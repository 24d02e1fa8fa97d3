import Document
import ReaderMode
import Testing

/// Elements that sites place between the paragraphs of an article.
@Suite struct InterruptionsTests {
  private static let paragraphs = (1...8).map { number in
    """
    <p>In year \(number) of the survey the harbour was measured again, because the ice of the winter
    had moved the stones, and the pilots, who knew them, drew a new chart for the boats.</p>
    """
  }

  private static func text(around part: String) -> String {
    readerText(
      ofBody: """
        <nav><a href=/>Home</a> <a href=/news>News</a></nav>
        <article><h1>A chart of the harbour</h1>\(paragraphs[..<4].joined())\(part)
        \(paragraphs[4...].joined())</article><footer>Imprint</footer>
        """, title: "A chart of the harbour")
  }

  private static func isShown(_ words: String, in part: String) -> Bool {
    let text = text(around: part)
    #expect(text.contains("In year 1") && text.contains("In year 8"))
    return text.contains(words)
  }

  @Test(arguments: [
    "<p>Annonse</p>", "<p>Artikeln fortsätter under annonsen</p>",
    "<p>ADVERTISEMENT</p>", "<div>- Advertisement -</div>", "<p>Реклама</p>",
    "<div>スポンサーリンク</div>", "<p>Story continues below advertisement</p>",
    "<p>La suite après cette publicité</p>", "<p>Scroll to continue with content</p>",
  ])
  func `labels of advertisements are left out`(_ part: String) throws {
    let words = try #require(part.split(separator: ">").last?.split(separator: "<").first)
    #expect(!Self.isShown(String(words), in: part))
  }

  @Test func `links to other messages are left out around a message of a mailing list`() {
    let links = """
      <ul><li>Previous message: <a href=1.html>The old chart</a></li><li><b>Messages sorted by:</b>
      <a href=date.html>[ date ]</a> <a href=thread.html>[ thread ]</a></li></ul><hr>
      """
    let text = readerText(
      ofBody: """
        <h1>[boats] A chart</h1><b>Jane Doe</b> <i>Tue Mar  7 10:15:22 UTC 2006</i><p>\(links)
        <pre>Hello all,\n\nthe pilots have drawn a new chart, because the ice of the winter had moved
        the stones at the mouth of the harbour.\n\nPrevious message: none.</pre>\(links)
        """, title: "[boats] A chart")
    #expect(text.contains("drawn a new chart, because") && text.contains("message: none"))
    #expect(!text.contains("The old chart") && !text.contains("sorted by"))
  }

  @Test(
    arguments: [
      ("<div><p>Anzeige</p><p>A boat for you, says <a href=/b>the old mill</a>.</p></div>", false),
      (
        """
        <div class=partner><p>Sponsored</p><h4>The old mill</h4><p>A boat, with sails, for little.
        <a href=/b>See it</a></p></div>
        """, false
      ),
      ("<div><p>Sponsored</p><p>The town paid for the old mill for many years.</p></div>", true),
      ("<div><h3>Advertising</h3><p>It sold <a href=/b>the old mill</a> by that.</p></div>", true),
      (
        """
        <section><p>Advertisement</p><p>The last of the pilots left the harbour in that year, and <a
        href=/b>the old mill</a> was sold to the town, which keeps its charts in it today.</p></section>
        """, true
      ),
    ] as [(String, Bool)])
  func `a box with the label of an advertisement and a link is left out`(
    _ part: String, isShown: Bool
  ) {
    #expect(Self.isShown("old mill", in: part) == isShown)
  }

  @Test(arguments: [
    "<p><strong>Read more: <a href=/n>The old mill</a></strong></p>",
    "<p><a href=/n><b>READ MORE: The old mill</b></a></p>",
    "<p>SEE ALSO: <a href=/n>The old mill</a></p>",
    "<div><span>Also read</span> <a href=/n>The old mill</a></div>",
    "<p>Lire aussi : <a href=/n>The old mill</a></p>",
    "<p>Přečtěte si: <a href=/n>The old mill</a></p>",
    "<p>İlgili haber: <a href=/n>The old mill</a></p>",
    "<p>اقرأ أيضاً: <a href=/n>The old mill</a></p>",
    "<p>» Lesen Sie auch: <a href=/n>The old mill</a></p>",
    "<p>【関連記事】<a href=/n>The old mill</a></p>",
    "<p>Related: <a href=/m>A well</a>, <a href=/n>The old mill</a></p>",
  ])
  func `a label with a link to another article is left out`(_ part: String) {
    #expect(!Self.isShown("old mill", in: part))
  }

  @Test(arguments: [
    "<p>Read more about <a href=/n>the old mill</a> in the book of the town.</p>",
    "<p>Přečtěte si <a href=/n>the old mill</a></p>",
    "<p>Loe kasutusjuhendit <a href=/n>the old mill</a></p>",
    "<p>See also: <a href=/n>the old mill</a></p>", "<p>Related <a href=/n>the old mill</a></p>",
    "<p>Read more: <a href=#mill>the old mill</a></p>",
    "<p>Reply: We sold the old mill in spring, as is told in <a href=/n>our book</a> of it.</p>",
    "<p>Source: <a href=/n>the old mill</a></p>", "<p>Loading the old mill takes an hour.</p>",
    "<ul><li>Read more: <a href=/n>the old mill</a></li><li>Advertisement</li></ul>",
    "<p class=signup>A list of the old mill was signed by all of the pilots in spring.</p>",
    "<div class=newsletter><p>The old mill had a newsletter.</p></div>",
    "<div class=paywall><p>The owners met at <a href=/n>the old mill</a> to talk.</p></div>",
    """
    <section><p>The owners of the boats had met at the old mill to talk about the ice, because nobody
    else would listen to them.</p><p>They asked the council for a wall of stone.</p>
    <form><p>Sign up for our letter.</p><input type=email><button>Go</button></form></section>
    """,
    "<h2>Advertisement</h2><p>The board showed the old mill and the price of its flour.</p>",
  ])
  func `links and labels of the text stay`(_ part: String) {
    #expect(Self.isShown("old mill", in: part))
  }

  @Test(arguments: [
    """
    <div class=newsletter-signup><h3>Never miss a tide</h3><p>The coast in your inbox.</p>
    <form><input type=email><button>Go</button></form></div>
    """,
    """
    <div class=box><p>Never miss a tide: one letter each week.</p>
    <form><input type=email><button>Go</button></form></div>
    """,
    """
    <div class=embed-consent><p>Never miss a tide: here is a video of another site.</p>
    <label><input type=checkbox> I agree that it is shown</label></div>
    """,
    "<div class=donation-appeal><p>Never miss a tide. Give!</p><a href=/give>Donate</a></div>",
    """
    <section><p>The owners of the boats had met at the old mill to talk about the ice.</p>
    <form><p>Sign up now: never miss a tide.</p><p>Never miss a tide</p><input type=email>
    <button>Go</button></form></section>
    """,
  ])
  func `invitations are left out`(_ part: String) {
    #expect(!Self.isShown("Never miss a tide", in: part))
  }

  @Test(arguments: [
    "<p>Was this page helpful?</p>", "<p>Print this page | Back to top</p>",
    "<div>Click to tweet</div>",
  ])
  func `labels of the interface are left out`(_ part: String) {
    #expect(!Self.isShown("this page", in: part) && !Self.isShown("tweet", in: part))
  }

  @Test(arguments: [
    "<p><a href=#r>Jump to recipe</a></p>", "<p>Rate this recipe</p>",
    "<p><a href=#r>Zum Rezept</a></p>",
  ])
  func `controls of a recipe are left out`(_ part: String) {
    #expect(!Self.isShown("ecipe", in: part) && !Self.isShown("Rezept", in: part))
  }

  @Test(
    arguments: [
      ("<p><a href=/>Home</a> » <a href=/m>The old mill</a> » A chart of the harbour</p>", false),
      ("<p>You are here: <a href=/>Home</a> &gt; <a href=/m>The old mill</a></p>", false),
      ("<p><a href=https://example.org/>Home</a> › <a href=/m>The old mill</a></p>", false),
      ("<p><a href=/>Our town</a>/<a href=/m>the old mill</a> are places that we love.</p>", true),
      ("<p><a href=/p>Ports</a> » <a href=/m>The old mill</a></p>", true),
      ("<p><a href=https://a.example/>A well</a>, <a href=/m>the old mill</a></p>", true),
      (
        "<p><a href=https://a.example/>A well</a> / <a href=https://b.example/>the old mill</a></p>",
        true
      ),
    ] as [(String, Bool)])
  func `the path from the home page to the page is left out`(_ part: String, isShown: Bool) {
    let text = readerText(
      ofBody: """
        <main>\(part)<h1>A chart of the harbour</h1>\(Self.paragraphs.joined())</main>
        """, title: "A chart of the harbour")
    #expect(text.contains("In year 8") && text.contains("old mill") == isShown)
  }

  @Test func `links for editing are left out of headings`() {
    let edit = "<span class=mw-editsection>[<a href='/w?action=edit'>edit</a>]</span>"
    #expect(!Self.isShown("edit]", in: "<h2>History\(edit)</h2>"))
    #expect(Self.isShown("History [of edits]", in: "<h2>History [of edits]</h2>"))
  }

  @Test func `the offer of a subscription after the free beginning of a text is left out`() {
    let text = readerText(
      ofBody: """
        <article><h1>A chart of the harbour</h1>\(Self.paragraphs[..<2].joined())<div class=paywall>
        <h2>Continue with a subscription</h2><p>Subscribe now for one coin and read all of the
        charts on every ship, in every harbour.</p><ul><li>Cancel at any time</li></ul>
        <a href=/s>Subscribe</a></div></article><footer>Imprint</footer>
        """, title: "A chart of the harbour")
    #expect(text.contains("In year 2") && !text.contains("Cancel at any time"))
  }

  private static func text(before end: String) -> String {
    readerText(
      ofBody: """
        <nav><a href=/>Home</a> <a href=/news>News</a></nav>
        <article><h1>A chart of the harbour</h1>\(paragraphs.joined())\(end)</article>
        <footer>Imprint</footer>
        """, title: "A chart of the harbour")
  }

  @Test(arguments: [
    "<p><b>Read more:</b></p><ul><li><a href=/m>The old mill</a></li></ul>",
    "<p>Related posts about the old mill:</p>",
    "<p>Follow us on Instagram to see the old mill.</p>",
    "<p>Suivez-nous sur Instagram : the old mill.</p>",
    "<p>Subscribe to <a href=/letter>the letter of the old mill</a>.</p>",
    "<p>By registering, you agree to the <a href=/terms>terms of the old mill</a>.</p>",
    "<p>© 2026 Harbour Post, the old mill. All rights reserved.</p>",
    "<p>Alle Rechte vorbehalten. The old mill.</p>", "<p>無断転載を禁じます。 The old mill.</p>",
    "<p><b>مواضيع ذات صلة:</b> <a href=/m>The old mill</a></p>",
    "<p>Filed under: <a href=/m>The old mill</a>, <a href=/h>Harbours</a></p>",
    "<p>Posted in <a href=/m>the old mill</a> | 3 comments</p>",
    "<p>Posted in <a href=/m>the old mill</a> by Jane Doe</p>",
    "<p>This entry was posted on May 4, 2012 in <a href=/m>the old mill</a>.</p>",
    "<p>Dieser Beitrag wurde von Eva Ro unter <a rel=tag href=/m>the old mill</a> abgelegt.</p>",
    """
    <p>Posted by <a href=/u>Old mill</a> at <a href=/p>10:15 AM</a> <a href=#c>3 comments:</a></p>
    <p>Labels: <a href=/m>the old mill</a></p>
    """,
    "<p>← <a href=/m>The old mill</a> | <a href=/f>The ferry</a> →</p>",
    "<p>Posted on March 5, 2026 by <a href=/m>Old mill</a></p>",
    "<p>Libellés : <a href=/m>the old mill</a></p>",
    "<p>Eingestellt von Old mill um <a href=/p>10:15</a> <a href=/c>3 Kommentare:</a></p>",
    "<h3>About the author</h3><p>Jane Doe lives in the old mill, and writes about boats.</p>",
    "<p>About the author: Jane Doe lives in the old mill.</p>",
    "<h2>More from the port</h2><p><a href=/m>The old mill</a></p><p><a href=/f>The ferry</a></p>",
    "<p><b>Most read</b></p><p><a href=/m>The old mill</a></p>",
    "<p><a href=/t/m rel=tag>Old mill: the old mill</a> <a href=/t/s rel=tag>storms</a></p>",
    "<p><a href=/m>← Previous article: the old mill</a></p><p><a href=/f>Next article →</a></p>",
    "<p>Copyright 2026 Harbour Press. All rights reserved. The old mill may not be copied.</p>",
    "<div class=saboxplugin-wrap><p>Jane Doe lives in the old mill, and writes of boats.</p></div>",
    """
    <div class=author-box><p>Jane Doe lives in the old mill, from which she can see the harbour, and
    she has written about its boats for twenty years.</p></div>
    """,
  ])
  func `what follows the end of an article is left out`(_ end: String) {
    let text = Self.text(before: end)
    #expect(text.contains("In year 8") && !text.contains("old mill"))
    #expect(!text.contains("Read more"))
  }

  @Test(arguments: [
    "<p>Follow the path behind the old mill until the gate is in sight.</p>",
    "<p>Subscribers of the letter of the old mill paid for the chart, all of it.</p>",
    "<p>By registering with <a href=/m>the old mill</a>, the pilots got their bread.</p>",
    "<ol><li>Ask at the old mill for the key.</li><li>Subscribe to the letter.</li></ol>",
    "<p>Related to this was the old mill, of which nothing is left today.</p>",
    "<p>Subscribe to the topic, and the old mill sends each measurement to the harbour.</p>",
    "<p>Never miss the moment in which the old mill begins to turn.</p>",
    "<p>© 2026 by the old mill, under a licence of Creative Commons.</p>",
    "<p>Photo of the old mill © 2026 Jane Doe</p>",
    "<p>Of the old mill it was said that alle Rechte vorbehalten were.</p>",
    "<p>無断転載された写真の作者は the old mill を撮り続ける。</p>", "<p>版权所有者 of the old mill 表示遗憾。</p>",
    "<p>무단전재된 사진은 the old mill 입니다.</p>",
    "<p>© 2026 Jane Doe and the old mill, CC BY-SA 4.0</p>",
    "<p>Copyright (c) 2026 the old mill. All rights reserved. Permission is granted to copy it.</p>",
    "<p>Tag der <a href=/m>old mill</a></p>",
    """
    <p>Films of the pilots were shown by the town in its hall:</p><ul><li><a href=/s>The sea</a></li>
    <li><a href=/m>Back to the old mill</a></li></ul>
    """,
    "<ul><li>About the author: a box with the old mill below each of the posts.</li></ul>",
    "<p>About the author of the chart, who lived in the old mill, nothing else is known.</p>",
    "<h2>About the author</h2><p>She lived in the old mill.</p><h2>Sources</h2><p>The town.</p>",
    "<p>Posted in <a href=/m>the old mill</a>, the letter was read by all of the pilots.</p>",
    "<p>Dieser Beitrag wurde <a href=/m>in the old mill</a> vorgetragen und dort gedruckt.</p>",
    "<p>This entry was posted on the door of <a href=/m>the old mill</a>, where all read it.</p>",
    "<p>Posted by the guards at 10:15 PM, the notice was read in <a href=/m>the old mill</a>.</p>",
    "<p>Posted by <a href=/m>the old mill</a></p>",
    "<p>Labels of <a href=/m>the old mill</a></p>",
    "<h2>Boats of the port</h2><p><a href=/m>The old mill</a></p><p><a href=/f>The ferry</a></p>",
    "<p><b>More from the sea</b></p><p>The old mill got its water from it.</p>",
    "<p>Back to the old mill they went, and nobody saw them again in that year.</p>",
  ])
  func `the last lines of an article stay`(_ end: String) {
    #expect(Self.text(before: end).contains("old mill"))
  }

  @Test(
    arguments: [
      ("Posted in <a href=/p>Ports</a> by Jane Doe", "Jane Doe", ""),
      ("Posted by Jane Doe at <a href=/p>Thursday, March 05, 2026</a>", "Jane Doe", "2026-03-05"),
      ("Publicado por Jane Doe en <a href=/p>10:15</a>", "Jane Doe", ""),
      ("Posted in <a href=/p>Costa da Morte Galicia</a> by admin", "", ""),
      ("Posted in <a href=/p>Death by Chocolate, Cakes</a>", "", ""),
      ("Filed under: <a href=/p>Books by Jane Austen</a>", "", ""),
      ("Posted in <a href=/p>March 5, 2026</a>", "", ""),
      (
        "</p></article><h3><a href=/o>The mill</a></h3><p>Posted in <a href=/p>Mills</a> by Eva Ro",
        "", ""
      ),
      (
        "Posted in <a href=/p>Ports</a> on <a href=/x>March 5, 2026</a> by <a href=/a>Jane Doe</a>",
        "Jane Doe", "2026-03-05"
      ),
      (
        "This entry was posted on March 5, 2026 by Jane Doe and is filed under <a href=/p>Ports</a>.",
        "Jane Doe", "2026-03-05"
      ),
      (
        "Dieser Beitrag wurde am 5. März 2026 von Eva Ro unter <a rel=tag href=/p>Häfen</a> abgelegt.",
        "Eva Ro", "2026-03-05"
      ),
    ] as [(notice: String, name: String, date: String)])
  func `a notice below the text may name the author and the date`(
    _ row: (notice: String, name: String, date: String)
  ) throws {
    let html = """
      <title>A chart of the harbour</title><nav><a href=/>Home</a> <a href=/news>News</a></nav>
      <article><h1>A chart of the harbour</h1>\(Self.paragraphs.joined())<p>\(row.notice)</p></article>
      """
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", view: .reader(ReaderOptions()))
    let metadata = try #require(document.readerFacts).metadata
    #expect(metadata.byline == row.name && metadata.date == row.date)
  }

  @Test(
    arguments: [
      ("Related links", true), ("Zobacz też", true), ("Related posts", false),
    ] as [(heading: String, isShown: Bool)])
  func `links below a heading at the end stay unless the heading names other articles`(
    _ row: (heading: String, isShown: Bool)
  ) {
    let text = Self.text(
      before: """
        <h2>\(row.heading)</h2><ul>
        <li><a href=https://x.example/a>The history of the old mill, and of the people who worked in
        it.</a></li>
        <li><a href=https://x.example/b>A map of all valleys of the hills, drawn after the great
        survey.</a></li></ul>
        """)
    #expect(text.contains("In year 8") && text.contains("old mill") == row.isShown)
  }

  @Test(
    arguments: [
      ("<h2>Sources</h2>", true), ("<h3>References</h3>", true), ("<p><b>Quellen:</b></p>", true),
      ("<h2>Further reading</h2>", true), ("<h2>External links</h2>", true),
      ("<h2>Resources</h2>", true), ("<section><h2>Useful links</h2>", true),
      ("<p>What was written about it can be read here:</p>", true), ("<h2>Popular</h2>", false),
      ("<p>Read more stories of the port:</p>", false),
    ] as [(label: String, isShown: Bool)])
  func `the sources of a text stay although they are links`(
    _ row: (label: String, isShown: Bool)
  ) {
    let text = Self.text(
      before: """
        \(row.label)<ol><li><a href=https://x.example/a>Report on the old mill, 1912</a></li>
        <li><a href=https://x.example/b>Letters of the keeper</a></li></ol>
        """)
    #expect(text.contains("In year 8") && text.contains("old mill, 1912") == row.isShown)
    #expect(text.contains("Letters of the keeper") == row.isShown)
  }

  @Test func `the label of tags that are left out is left out, too`() {
    let text = readerText(
      ofBody: """
        <nav><a href=/>Home</a></nav><article><h1>A chart of the harbour</h1>
        <div class=body>\(Self.paragraphs[..<3].joined())</div><div class='field field-tags'>
        <div class=label>Tags</div><div class=items><div><a href=/t/1>old mill</a></div></div></div>
        </article><footer>Imprint</footer>
        """, title: "A chart of the harbour")
    #expect(text.contains("In year 3") && !text.contains("Tags") && !text.contains("old mill"))
  }

  @Test func `links to other articles are left out if only they were kept, without their label`() {
    let sections = Self.paragraphs.map { "<section class=block><div>\($0)</div></section>" }
    let text = readerText(
      ofBody: """
        <nav><a href=/>Home</a></nav><article><h1>A chart of the harbour</h1>\(sections.joined())
        <section class='block block-teasers'><h2>More stories</h2>
        <div><a href=/m><h3>Old mill</h3></a></div><div><a href=/f><h3>The ferry</h3></a></div>
        </section></article><footer>Imprint</footer>
        """, title: "A chart of the harbour")
    #expect(text.contains("In year 8") && !text.contains("Old mill") && !text.contains("ferry"))
  }

  @Test func `a page of links keeps them`() {
    let links = (1...9).map { "<p>Read more: <a href=/\($0)>Chart number \($0)</a></p>" }.joined()
    let text = readerText(
      ofBody: "<article><h1>Charts</h1><p>The charts of the harbour.</p>\(links)</article>",
      title: "Charts")
    #expect(text.contains("Chart number 9"))
  }
}
