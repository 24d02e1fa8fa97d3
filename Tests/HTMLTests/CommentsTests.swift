import Document
import ReaderMode
import Testing

/// Comments of readers below a text in reader view.
@Suite struct CommentsTests {
  private static let text = String(
    repeating: "<p>The bridge was built of stone, and it has stood in the river for a century.</p>",
    count: 8)

  private static func comment(_ number: Int, replies: String = "") -> String {
    """
    <li class="comment depth-1" id=comment-\(number)><div class=comment-body>
    <p class=comment-author>Reader \(number)</p><p class=comment-meta><time>5 May 2024</time></p>
    <p>Remark number \(number): I crossed this bridge as a child, and it was already old then.</p>
    <a class=comment-reply-link href=#r>Reply</a></div>\(replies)</li>
    """
  }

  private static func document(
    _ html: String, _ options: ReaderOptions = ReaderOptions()
  ) -> Document {
    Document(bytes: Array(html.utf8), mediaType: "text/html", view: .reader(options))
  }

  private static func page(_ comments: String, text: String = text) -> String {
    """
    <title>The old bridge</title><article><h1>The old bridge</h1><div class=entry-content>\(text)\
    </div></article>\(comments)<footer>About us</footer>
    """
  }

  private static let list = """
    <div id=comments class=comments-area><h2>3 Comments</h2><ol class=commentlist>\(comment(1))\
    \(comment(2, replies: "<ul class=children>\(comment(3))</ul>"))</ol>
    <div id=respond class=comment-respond><h3>Leave a Reply</h3><form><label>Name<input></label>
    <button>Post Comment</button></form></div></div>
    """

  private static func comments(of document: Document) -> (count: Int, text: String)? {
    for part in document.blockFolds {
      guard case .comments(let count) = part.kind else { continue }
      let blocks = document.blocks[Int(part.blocks.lowerBound)..<Int(part.blocks.upperBound)]
      return (count, blocks.map { document.text(of: $0) }.joined(separator: "\n"))
    }
    return nil
  }

  @Test(arguments: [
    "comments-enabled", "comments-disabled", "comments-allowed", "comments-open", "no-comments",
    "post-with-comments",
  ])
  func `a class name about the state of comments does not make a text a comment`(
    _ name: String
  ) throws {
    let page = Self.page(Self.list, text: "<div class=\(name)>\(Self.text)</div>")
    let document = Self.document(page)
    #expect(try #require(Self.comments(of: document)).count == 3)
    let plain = try #require(Self.document(Self.page("")).readerFacts).wordCount
    #expect(try #require(document.readerFacts).wordCount == plain)
  }

  @Test func `comments below a text are in one fold, which states their number`() throws {
    let document = Self.document(Self.page(Self.list))
    let comments = try #require(Self.comments(of: document))
    #expect(comments.count == 3)
    for number in 1...3 { #expect(comments.text.contains("Remark number \(number)")) }
    #expect(comments.text.contains("Reader 3") && comments.text.contains("5 May 2024"))
    #expect(!comments.text.contains("Post Comment") && !comments.text.contains("bridge was built"))
    let text = try #require(document.readerFacts).wordCount
    let plain = try #require(Self.document(Self.page("")).readerFacts).wordCount
    #expect(text == plain)
  }

  @Test func `comments are left out if the option does not keep them`() {
    let document = Self.document(Self.page(Self.list), ReaderOptions(keepsComments: false))
    let text = String(decoding: document.plainText, as: UTF8.self)
    #expect(text.contains("bridge was built") && !text.contains("Remark number"))
    #expect(document.blockFolds.isEmpty)
  }

  @Test(arguments: [
    "<div class=comments><div class=comment><b>Ann</b><p>A very good text about this bridge.</p></div></div>",
    "<section id=comments><article class=comment><p>Ann, 5 May</p><p>A good text, I think.</p></article></section>",
    "<dl id=comments-block><dt class=comment-author>Ann said</dt><dd class=comment-body>A good text.</dd></dl>",
    "<div class=post-comments><ul><li class=comment_item>Ann: A good text about it.</li></ul></div>",
    "<div id=commentList><div class=userComment>Ann: A good text about this bridge.</div></div>",
  ])
  func `comments are found by the names of their elements`(_ html: String) throws {
    let document = Self.document(Self.page(html))
    #expect(try #require(Self.comments(of: document)).count == 1)
  }

  @Test(arguments: [
    "<p class=comments-link><a href=#c>24 Comments</a></p>",
    "<div id=comments><p class=nocomments>Comments are closed.</p></div>",
    "<div id=comments><form><p>Leave a comment below this text, please</p><textarea></textarea></form></div>",
    "",
  ])
  func `a page without comments has no fold for them`(_ html: String) {
    #expect(Self.comments(of: Self.document(Self.page(html))) == nil)
  }

  @Test func `the class of a page with comments does not make its text a comment`() {
    let html = """
      <title>The old bridge</title><body class="single comments-open"><div class="post has-comments">
      <h1>The old bridge</h1>\(Self.text)</div></body>
      """
    let document = Self.document(html)
    #expect(String(decoding: document.plainText, as: UTF8.self).contains("bridge was built"))
    #expect(Self.comments(of: document) == nil)
  }

  @Test func `an element named as a comment in a list item belongs to the item`() {
    let items = (1...6).map {
      """
      <li class=work><h3>Work number \($0)</h3><div class=list-comments>Remarks: \($0) pages, with \
      figures and a table of all the bridges of the valley.</div></li>
      """
    }
    let html = Self.page("", text: Self.text + "<ul>\(items.joined())</ul>")
    #expect(Self.comments(of: Self.document(html)) == nil)
  }

  @Test func `the id of a section about comments does not make it a comment`() {
    let section = "<section id=respond-to-review-comments><h2>Respond</h2>\(Self.text)</section>"
    #expect(Self.comments(of: Self.document(Self.page("", text: Self.text + section))) == nil)
  }

  @Test func `a page that consists of comments shows them as its text`() {
    let html = """
      <title>Comments on the bridge</title><h1>Comments on the bridge</h1><ol class=comments>
      \((1...9).map { Self.comment($0) }.joined())</ol>
      """
    let document = Self.document(html)
    #expect(String(decoding: document.plainText, as: UTF8.self).contains("Remark number 9"))
    #expect(Self.comments(of: document) == nil)
  }

  @Test func `a comment longer than the text does not replace it`() throws {
    let long = String(
      repeating: "This comment goes on, and on, and on, about its own bridge. ", count: 60)
    let list = "<ol id=comments><li class=comment><p>Ann</p><p>\(long)</p></li></ol>"
    let document = Self.document(Self.page(list, text: Self.text))
    let text = String(decoding: document.plainText, as: UTF8.self)
    #expect(text.contains("bridge was built"))
    #expect(try #require(Self.comments(of: document)).text.contains("goes on"))
  }

  @Test func `posts that microdata call comments are the text of a forum`() {
    let posts = (1...6).map {
      "<div class=topic-post itemprop=comment itemscope><span class=creator>user\($0)</span>"
        + "<div class=post><p>Post \($0) says that the pump needs a new valve, and tells how to"
        + " put it in without breaking the old pipe or flooding the cellar.</p></div></div>"
    }
    let html =
      "<title>The pump</title><main><h1>The pump</h1>\(posts.joined())</main>"
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html",
      view: .reader(ReaderOptions(keepsComments: false)))
    let text = String(decoding: document.plainText, as: UTF8.self)
    #expect(text.contains("Post 1 says") && text.contains("Post 6 says"))
  }
}
