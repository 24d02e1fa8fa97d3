import Testing

@testable import DOM
@testable import Document
@testable import ReaderMode

/// The block at which reading of a page begins.
@Suite struct ReadingStartTests {
  private static let text = "<p>\((1...30).map { "word\($0)" }.joined(separator: " "))</p>"
  private static let label = "<p>A few words of <a href=x>a menu</a></p>"

  /// The text of the block at which the main content of a page begins.
  private static func start(_ page: String) -> String? {
    let document = Document(bytes: Array(page.utf8), mediaType: "text/html")
    #expect(document.problems == [])
    guard document.mainContentBlock > 0 else { return nil }
    return document.blocks[document.mainContentBlock...].first { !$0.runs.isEmpty }
      .map { document.text(of: $0) }
  }

  @Test(
    arguments: [
      // The heading with the text of the title, at any level used for page headings.
      (
        "<title>How to sail | Site</title>\(label)<h2>How to sail</h2>\(text)\(text)", "How to sail"
      ),
      (
        "<title>How to sail it’s easy</title>\(label)<h3>How to sail, it's easy</h3>",
        "How to sail, it's easy"
      ),
      ("<title>航海の始め方 - 海</title>\(label)<h2>航海の始め方</h2>\(text)", "航海の始め方"),
      // Reading begins neither at the name of the site above the heading, nor at a similar heading
      // below the text.
      (
        "<title>How to sail a boat at night - Sailing at night</title><h1>Sailing at night</h1>\(label)"
          + "<h1>How to sail a boat at night</h1>\(text)<h1>How to sail a boat at night</h1>\(text)",
        "How to sail a boat at night"
      ),
      // The main element of the page contains more than the text.
      (
        "<title>How to sail</title>\(label)<main>\(label)<ul><li>Home</ul><h1>How to sail</h1>\(text)</main>",
        "How to sail"
      ),
      (
        "<title>x</title>\(label)<main>\(label)<h1>Another name</h1>\(text)\(text)</main>",
        "Another name"
      ),
      // There is no such heading, so reading begins at the first text, or at the heading above it.
      ("<title>x</title>\(label)\(label)\(text)\(text)\(text)", "word1"),
      ("\(label)\(label)<h2>Story</h2>\(label)\(text)\(text)\(text)\(text)\(text)", "Story"),
      // A line with the text of the title, not marked as a heading, after texts beside the content.
      (
        "<title>How to sail a boat | Site</title>\(label)\(text)\(label)<p><b>How to sail a boat</b></p>"
          + "\(label)\(text)\(text)",
        "How to sail a boat"
      ),
      // The name of the site below the text is not a title.
      (
        "<title>Sail, the magazine of boats</title>\(label)\(text)<p>© Sail, the magazine of boats</p>",
        "word1"
      ),
      // A heading near the end, below long menus, with text below it.
      (
        "<title>How to sail</title>" + String(repeating: label, count: 60)
          + "<h3>How to sail</h3>\(text)",
        "How to sail"
      ),
    ] as [(String, String)])
  func `reading begins at the heading, or else at the first text`(page: String, prefix: String) {
    #expect(Self.start(page)?.hasPrefix(prefix) == true)
  }

  @Test(arguments: [
    "", "<title>Home page</title>", "\(label)\(label)\(label)", "<h2>Other</h2>\(label)\(text)",
    // A single text among labels is not the main text, and the end of a page is not a beginning.
    "\(label)\(text)" + String(repeating: label, count: 40),
    String(repeating: label, count: 40) + text + text,
    "<title>How to sail</title>" + String(repeating: label, count: 60) + "<h3>How to sail</h3>",
    "<title>How to sail</title>\(text)\(text)" + String(repeating: label, count: 60)
      + "<h3>How to sail</h3>\(text)",
    // A link to the page is not a title.
    "<title>How to sail a boat</title>\(label)<p><a href=x>How to sail a boat</a></p>\(text)",
    // Neither is a line above comments below the text.
    "<title>How to sail a boat</title>\(text)\(text)\(text)<p>Share How to sail a boat</p>\(text)",
  ])
  func `reading begins at the top of a page without evidence of its main content`(page: String) {
    #expect(Self.start(page) == nil)
  }

  @Test func `the heading of the content is never folded`() {
    let page =
      "<title>How to sail</title>\(Self.label)<h1>How to sail</h1>\(Self.label)\(Self.label)"
      + "<main>\(Self.text)<h2>First</h2>\(Self.text)</main>"
    #expect(Self.start(page) == "How to sail")
  }
}
