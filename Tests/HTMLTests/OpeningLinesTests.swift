import Document
import ReaderMode
import Testing

/// Lines between the title and the text of an article that repeat the metadata line.
@Suite struct OpeningLinesTests {
  private static let paragraph =
    "<p>"
    + String(
      repeating: "The mill stands at the bend of the river, and its wheel has turned for long. ",
      count: 5) + "</p>"

  private static func reader(_ opening: String, options: ReaderOptions = ReaderOptions()) -> String
  {
    let page = """
      <html lang=en><title>Mills of the valley</title><meta name=author content="Ada Miller">
      <meta property="article:published_time" content="2025-05-04T10:00:00Z">
      <body><article><h1>Mills of the valley</h1>\(opening)
      \(String(repeating: paragraph, count: 4))</article>
      """
    let document = Document(
      bytes: Array(page.utf8), mediaType: "text/html", view: .reader(options))
    return String(decoding: document.plainText, as: UTF8.self)
  }

  /// The opening lines that remain, without the metadata line of reader view.
  private static func opening(_ opening: String) -> String {
    let text = reader(opening)
    let lines = text.split(separator: "\n").dropFirst(2)
    return lines.prefix { !$0.hasPrefix("The mill stands") }.joined(separator: "\n")
  }

  @Test(arguments: [
    "<p>By Ada Miller</p>", "<p>By <a href=/ada>Ada Miller</a> | May 4, 2025</p>",
    "<div><span>Ada Miller</span> <time>4 May 2025</time></div>",
    "<p>Posted by</p><p>Ada Miller</p><p>Posted on</p><p>May 4th, 2025</p>",
    "<p>Mittwoch, 4. Mai 2025 um 12:00</p>", "<p>04/05/2025</p>", "<p>2025年5月4日</p>",
    "<p>1 min read</p>", "<h2>Mills of the valley</h2>", "<div>Mills of the valley</div>",
    "<h4>by Ada Miller</h4>", "<p>By Ada Miller, Senior Writer of the Valley Herald</p>",
    "<p>By Ada Miller in Oslo</p>", "<p>Von Ada Miller, Oslo | Stand: 4. Mai 2025, 12:00 Uhr</p>",
    "<dl><dt>Author</dt><dd>Ada Miller</dd><dt>Published</dt><dd>4 May 2025</dd></dl>",
    "<p>Posted <time datetime='2025-05-04T10:00:00Z'>2 days ago</time> by Ada Miller</p>",
    "<p class=published title='May 4, 2025'>vor 3 Stunden</p>",
    "<abbr class=published title='2025-05-04T12:00:00+02:00'>yesterday</abbr>",
  ])
  func `opening lines that repeat the metadata line are removed`(_ opening: String) {
    #expect(Self.opening(opening) == "")
  }

  @Test(
    arguments: [
      ("<p>Ada Miller won the prize of the valley</p>", "Ada Miller won the prize of the valley"),
      ("<p>Updated May 9, 2025</p>", "Updated May 9, 2025"), ("<p>90 min</p>", "90 min"),
      ("<p>By Brook Weaver</p>", "By Brook Weaver"), ("<p>12 millers</p>", "12 millers"),
      (
        "<p>By Ada Miller, photographs by Brook Weaver</p>",
        "By Ada Miller, photographs by Brook Weaver"
      ),
      (
        "<p>By Ada Miller, Writer | Photographs by Brook Weaver</p>",
        "By Ada Miller, Writer | Photographs by Brook Weaver"
      ),
      (
        "<p>By Ada Miller, a writer who still grinds at the old mill.</p>",
        "By Ada Miller, a writer who still grinds at the old mill."
      ),
      ("<p>Opened:</p><p>May 4, 2025</p>", "Opened:\nMay 4, 2025"),
      ("<p>Updated <time datetime=2025-05-09>2 days ago</time></p>", "Updated 2 days ago"),
      ("<time datetime=2025-05-04>Summer 1912</time>", "Summer 1912"),
      ("<p><time datetime=2025-05-04T14:05>14:05</time> Doors open", "14:05 Doors open"),
      ("<p><time datetime=2025-05-04T09:00>9 am</time> Doors open", "9 am Doors open"),
      ("<h2><time datetime=2025-05-04>Day 1</time></h2>", "Day 1"),
      ("<p>Opinion:</p><p>By Ada Miller</p>", "Opinion:"),
    ] as [(opening: String, left: String)])
  func `opening lines with other content are kept`(_ row: (opening: String, left: String)) {
    #expect(Self.opening(row.opening) == row.left)
  }

  @Test func `a value in a list of definitions stays with its label`() {
    let text = Self.opening("<dl><dt>Release date</dt><dd>4 May 2025</dd></dl>")
    #expect(text.contains("Release date") && text.contains("4 May 2025"))
  }

  @Test func `opening lines are kept if the metadata line is not shown`() {
    let text = Self.reader(
      "<p>By Ada Miller</p><p>May 4, 2025</p>", options: ReaderOptions(showsMetadata: false))
    #expect(text.contains("By Ada Miller") && text.contains("May 4, 2025"))
  }

  @Test func `a byline after the first paragraphs is kept`() {
    let text = Self.reader(Self.paragraph + Self.paragraph + "<p>By Ada Miller</p>")
    #expect(text.contains("By Ada Miller"))
  }
}
