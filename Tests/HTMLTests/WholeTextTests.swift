import Document
import ReaderMode
import Testing

/// Texts of which a page shows only a part, and posts that are shorter than the content around
/// them.
@Suite struct WholeTextTests {
  private static func sentence(_ number: Int) -> String {
    "Sentence \(number) of the story tells how the keeper of the lighthouse counted the ships."
  }

  private static func sentences(_ range: ClosedRange<Int>) -> String {
    range.map { sentence($0) }.joined(separator: " ")
  }

  private static func page(_ body: String, shown: String, after: String = "") -> String {
    """
    <title>The lighthouse</title><script type="application/ld+json">{"@type": "NewsArticle",
    "headline": "The lighthouse", "articleBody": "\(body)"}</script>
    <article><h1>The lighthouse</h1><p>\(shown)</p></article>\(after)
    """
  }

  private static func text(_ html: String, _ options: ReaderOptions = ReaderOptions()) -> String {
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", view: .reader(options))
    return String(decoding: document.plainText, as: UTF8.self)
  }

  @Test func `the data of a page continue the text that it shows`() {
    let shownSentences = Self.sentences(1...5)
    let text = Self.text(Self.page(Self.sentences(1...40), shown: shownSentences))
    #expect(text.contains(Self.sentence(1)) && text.contains(Self.sentence(40)))
    let document = Document(
      bytes: Array(Self.page(Self.sentences(1...40), shown: shownSentences).utf8),
      mediaType: "text/html",
      view: .reader(ReaderOptions()))
    #expect(document.readerFacts?.contentSource == .structuredData(.articleBody))
    #expect(document.readerFacts?.notice != nil)
  }

  @Test func `a text in the data that begins otherwise is not used`() {
    let otherText = (1...40).map { "Another \($0) thing entirely happens in these words here." }
      .joined(separator: " ")
    #expect(!Self.text(Self.page(otherText, shown: Self.sentences(1...5))).contains("Another 40"))
  }

  @Test func `a text in the data that contains comments is not used`() {
    let remark = "I have been to this lighthouse myself last year and it was closed."
    let comments =
      "<div id=comments><div class=comment><p>Ann</p><p>\(remark)</p></div></div>"
    let body = Self.sentences(1...20) + " " + remark + " " + Self.sentences(21...30)
    let html = Self.page(body, shown: Self.sentences(1...5), after: comments)
    #expect(!Self.text(html).contains(Self.sentence(20)))
    let replies = (1...9).map { "Ann \($0) says it is closed. Reply" }.joined(separator: " ")
    let unseen = Self.page(Self.sentences(1...9) + " " + replies, shown: Self.sentences(1...5))
    #expect(!Self.text(unseen).contains("says it is closed"))
  }

  @Test func `a page that shows its whole text keeps it`() {
    let text = Self.text(Self.page(Self.sentences(1...12), shown: Self.sentences(1...12)))
    #expect(text.split(separator: Self.sentence(12), omittingEmptySubsequences: false).count == 2)
  }

  private static let archive =
    "<ul class=sidebar>"
    + (1...60).map { "<li><a href=/p/\($0)>An older post number \($0)</a> from the archive</li>" }
    .joined() + "</ul>"

  @Test(arguments: [
    "<article><h1>Rain</h1><p>It rained all day, and the river rose a little.</p></article>",
    "<div class=post><h2>Rain</h2><div class=entry-content><p>It rained all day, and the river rose a little.</p></div></div>",
    "<article class=hentry><header><h1>Rain</h1></header><div>It rained all day, and the river rose a little.</div></article>",
  ])
  func `a post of a dozen words is shown without the list of posts around it`(_ post: String) {
    let text = Self.text("<title>Rain</title>\(post)\(Self.archive)")
    #expect(text.contains("It rained all day"))
    #expect(!text.contains("An older post"))
  }

  @Test func `the sections below the introduction of an article are its text`() {
    let sections = (1...6).map {
      "<div class=block><h2>Section \($0)</h2><p>\(Self.sentences($0 * 10...$0 * 10 + 7))</p></div>"
    }
    let text = Self.text(
      "<title>Rain</title><article><h1>Rain</h1><p>Do you want to know why it rains so often?</p>"
        + "</article><div>\(sections.joined())</div>")
    #expect(text.contains(Self.sentence(12)) && text.contains(Self.sentence(67)))
  }

  @Test func `the title is not repeated where the caller shows it`() {
    let story = Self.sentences(1...12)
    let html =
      "<title>The lighthouse</title><article><h1>The lighthouse</h1><p>\(story)</p></article>"
    let options = ReaderOptions(showsTitle: false, showsMetadata: false)
    let lines = Self.text(html, options).split(separator: "\n")
    #expect(!lines.contains("The lighthouse"))
    #expect(lines.contains { $0.contains("Sentence 12") })
  }
}
