import Document
import ReaderMode
import TestSupport
import Testing

@testable import Layout

/// Searches in steps find the same matches as a search of the whole page.
@Suite struct TextSearchTests {
  private static func layout(_ html: String, width: Int = 12) -> PageLayout {
    PageLayout(
      Document(bytes: Array(html.utf8), mediaType: "text/html", charset: "utf-8"),
      options: LayoutOptions(width: width))
  }

  private static let page = layout(
    """
    <h2>The Fox, aaaa aa aaaaa</h2>
    <p>and the fox met a Straße in Zu\u{308}rich, ZÜRICH; é e\u{301} ế E, where wordsgooveranend
    x̄yz İi \u{212A}k 漢字 ﬁ aa\u{300}a.<p>one aab aaab<pre>a  fox\ncode line that is long</pre>
    <ul><li>an item, well-known, of a list</ul>
    """)

  private static let texts = [
    "a", "aa", "aaa", "aab", "fox", "FOX", "fox m", "the", "the fox met a straße", "straße",
    "strasse", "ss", "zurich", "zürich", "ZÜ", "é", "e\u{301}", "e", "\u{301}", "i", "İ", "k", "漢",
    "漢字", "fi", "goover", "a  fox", "a ", " ", "item, ", "nowhere", "", "yz",
  ]

  private static func search(
    _ text: String, from line: Int = 0, bytes: Int, extending earlier: TextSearch? = nil,
    in layout: PageLayout = page
  ) -> TextSearch {
    var search = TextSearch(text, in: layout, from: line, extending: earlier)
    var steps = 0
    while !search.isComplete, steps < 100_000 {
      let (before, known) = (search.matches.count, search.matches.first)
      let inserted = search.advance(in: layout, maxBytes: bytes)
      #expect(search.matches.count >= before)
      // Matches inserted at the beginning are counted.
      if inserted > 0, let known {
        let position = search.matches.first { $0.byteRange == known.byteRange }
        #expect(position?.occurrenceNumber == known.occurrenceNumber + inserted)
      }
      steps += 1
    }
    return search
  }

  @Test(arguments: texts, [1, 60, 100_000])
  func `a search in steps from any line finds all matches in order`(text: String, bytes: Int) {
    let all = Self.page.matches(of: text)
    for line in [0, 1, 3, 7, Self.page.lines.count / 2, Self.page.lines.count, 1000] {
      let search = Self.search(text, from: line, bytes: bytes)
      #expect(search.isComplete && search.matches == all, "from line \(line)")
    }
  }

  @Test(arguments: texts)
  func `a text that is typed letter by letter finds the same as the whole text`(text: String) {
    var typed = ""
    var earlier: TextSearch?
    for letter in text.unicodeScalars {
      typed.unicodeScalars.append(letter)
      let search = Self.search(typed, from: 4, bytes: 50, extending: earlier)
      #expect(search.matches == Self.page.matches(of: typed), "\(typed)")
      earlier = search
    }
  }

  @Test(arguments: Seeds.all)
  func `random texts find the same in steps and when extended`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let letters = ["a", "b", "A", "\u{301}", "á", " ", "ß", "가", "ㄱ", "\u{212A}", "k", "x"]
    func text(_ count: Int) -> String {
      (0..<count).map { _ in letters[Int(random.next() % UInt64(letters.count))] }.joined()
    }
    for _ in 0..<Effort.rounds(100, part: 12) {
      let html = (0..<4).map { _ in "<p>" + text(60) }.joined()
      let layout = Self.layout(html, width: 20)
      let typed = Array(text(4).unicodeScalars)
      var earlier: TextSearch?
      for count in 1...max(1, typed.count) {
        var query = ""
        query.unicodeScalars += typed.prefix(count)
        let line = Int(random.next() % UInt64(max(1, layout.lines.count)))
        let search = Self.search(query, from: line, bytes: 30, extending: earlier, in: layout)
        try #require(search.matches == layout.matches(of: query), "\(query.debugDescription)")
        earlier = search
      }
    }
  }

  @Test func `an interrupted search does not limit the next one`() {
    var first = TextSearch("a", in: Self.page)
    _ = first.advance(in: Self.page, maxBytes: 1)
    #expect(!first.isComplete)
    let search = Self.search("aa", bytes: 1000, extending: first)
    #expect(search.matches == Self.page.matches(of: "aa"))
  }
}
