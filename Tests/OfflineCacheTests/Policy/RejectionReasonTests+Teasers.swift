import Testing

@testable import OfflineCache

/// Beginnings of articles that only subscribers can read in full.
extension RejectionReasonTests {
  private static let full = Page.frame("The harbour", repeated(Page.sentences, 3))
  private static let notice =
    "<p>This text is for subscribers only. Subscribe to continue reading.</p>"
  private static let shop = "<p><a href=/shop>Offers for readers and for libraries</a></p>"

  private static func repeated(_ sentences: [String], _ count: Int) -> String {
    (0..<count).map { _ in sentences.map { "<p>\($0)</p>" }.joined() }.joined()
  }

  private static func beginning(_ count: Int, _ notice: String) -> String {
    Page.frame("The harbour", repeated(Array(Page.sentences.prefix(count)), 1) + notice)
  }

  static let teasers: [Row] = [
    Row("a paragraph and a notice", beginning(1, notice), .loginWall),
    Row("several paragraphs and a notice", beginning(6, notice + shop), .loginWall),
    Row("a notice in German", beginning(2, "<p>Jetzt weiterlesen mit dem Abo.</p>"), .loginWall),
    Row("a notice in French", beginning(2, "<p>Article réservé aux abonnés</p>"), .loginWall),
    Row("a notice in Japanese", beginning(2, "<p>この記事は会員限定です。</p>"), .loginWall),
    Row(
      "another title",
      Page.frame("The harbour | Offer", repeated(Array(Page.sentences.prefix(5)), 1) + notice),
      .loginWall),
  ]

  static let noTeasers: [Row] = [
    Row("the whole article with a notice", full + notice, nil) { $0.copy = full },
    Row("a shorter version without a notice", beginning(2, ""), nil) { $0.copy = full },
    Row("a shorter version of a page that had a notice, too", beginning(2, notice), nil) {
      $0.copy = full + notice
    },
    Row(
      "another article with a notice",
      Page.frame(
        "Bridges", paragraphs("Engineers compare wooden arches and iron girders", 10) + notice),
      nil
    ) { $0.copy = full },
    Row(
      "an article about subscribing under the same title",
      Page.frame(
        "The harbour",
        paragraphs("Why newspapers ask visitors everywhere to subscribe to read online", 12)), nil
    ) { $0.copy = full },
    Row("a short page that stays short", Page.frame("The harbour", notice), nil) {
      $0.copy = Page.frame("The harbour", "<p>\(Page.sentences[0])</p>")
    },
    Row("a first visit to a teaser", beginning(1, notice), nil) { $0.copy = nil },
    Row("a front page with the beginning of its first post", beginning(5, notice), nil) {
      $0.url = "https://site.example.org/"
      $0.copy = full
    },
    Row(
      "a list of posts that now has their beginnings",
      beginning(5, "<p><a href=/1>Read the full story</a></p>"), nil
    ) { $0.copy = full },
    Row(
      "a list of events of which most are over",
      beginning(5, "<p>The annual meeting is for members only.</p>"), nil
    ) { $0.copy = full },
    Row("a part that was not at the beginning", beginning(6, notice), nil) {
      $0.copy = Page.frame(
        "The harbour",
        paragraphs("Engineers compare wooden arches with iron girders", 25)
          + repeated(Page.sentences, 1))
    },
  ]

  @Test(arguments: teasers)
  func `the beginning of an article for subscribers does not replace the article`(_ row: Row) {
    var row = row
    row.url = "https://site.example.org/page"
    row.copy = Self.full
    #expect(Self.judge(row) == row.expected)
  }

  @Test(arguments: noTeasers)
  func `a page is no teaser unless it is the beginning of the old one`(_ row: Row) {
    var row = row
    if row.url.hasPrefix("http:") { row.url = "https://site.example.org/page" }
    #expect(Self.judge(row) == nil)
  }
}
