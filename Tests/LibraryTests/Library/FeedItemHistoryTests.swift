import Foundation
import Testing

@testable import Library

/// Recognition of feed items whose guids or links change.
@Suite struct FeedItemHistoryTests {
  private static func item(
    _ guid: String, _ page: String, day: Int? = nil, _ title: String = "T"
  ) -> FeedItemRecord {
    FeedItemRecord(
      identity: guid, page: page,
      date: day.map { Date(timeIntervalSince1970: Double($0) * 86_400) }, title: title)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var known: [FeedItemRecord]
    /// The other items currently in the feed.
    var others: [FeedItemRecord] = []
    var item: FeedItemRecord
    var isKnownPage: Bool
    /// The pages whose URLs differ insignificantly from that of the item.
    var variants: [String] = []
    /// The pages that are items of the feed in the library.
    var itemPages: [String] = []
    var verdict: FeedItemHistory.Verdict
  }

  /// An item without guid, link and date.
  private static func unnamed(_ text: String, _ title: String = "T") -> FeedItemRecord {
    var record = item(text, text, title)
    record.isIdentifiedByText = true
    return record
  }

  private static let old = item("g", "p", day: 1)

  static let rows = [
    Row(
      testDescription: "the same", known: [old], item: old, isKnownPage: true, verdict: .known),
    Row(
      testDescription: "another link", known: [old], item: item("g", "q", day: 1),
      isKnownPage: false, verdict: .moved(from: FeedItemRecord.digest(of: "p"))),
    Row(
      testDescription: "another link and date", known: [old], item: item("g", "q", day: 2),
      isKnownPage: false, verdict: .moved(from: FeedItemRecord.digest(of: "p"))),
    Row(
      testDescription: "a guid that is used again", known: [old],
      item: item("g", "q", day: 2, "other"), isKnownPage: false, verdict: .new),
    Row(
      testDescription: "a guid that is used again, without dates", known: [item("g", "p")],
      item: item("g", "q", "other"), isKnownPage: false, verdict: .new),
    Row(
      testDescription: "another link, without dates", known: [item("g", "p")],
      item: item("g", "q"), isKnownPage: false,
      verdict: .moved(from: FeedItemRecord.digest(of: "p"))),
    Row(
      testDescription: "nothing known", known: [old], item: item("h", "q"), isKnownPage: false,
      verdict: .new),
    Row(
      testDescription: "guid and link changed, title and date did not", known: [old],
      item: item("h", "q", day: 1), isKnownPage: false,
      verdict: .moved(from: FeedItemRecord.digest(of: "p"))),
    Row(
      testDescription: "a link that gains a slash", known: [item("p", "p")],
      item: item("p/", "p/"), isKnownPage: false, variants: ["q", "p"],
      verdict: .moved(from: FeedItemRecord.digest(of: "p"))),
    Row(
      testDescription: "a link that gains a slash beside the first", known: [item("p", "p")],
      others: [item("p", "p")], item: item("p/", "p/"), isKnownPage: false, variants: ["p"],
      verdict: .new),
    Row(
      testDescription: "a link that gains a slash, and another title", known: [item("p", "p")],
      item: item("p/", "p/", "other"), isKnownPage: false, variants: ["p"], verdict: .new),
    Row(
      testDescription: "a link that gains a slash, and another date",
      known: [item("p", "p", day: 1)], item: item("p/", "p/", day: 2), isKnownPage: false,
      variants: ["p"], verdict: .new),
    Row(
      testDescription: "a link that gains a slash, without titles", known: [item("p", "p", "")],
      item: item("p/", "p/", ""), isKnownPage: false, variants: ["p"], verdict: .new),
    Row(
      testDescription: "the same title and date beside the first", known: [old], others: [old],
      item: item("h", "q", day: 1), isKnownPage: false, verdict: .new),
    Row(
      testDescription: "a title and date of several", known: [old, item("i", "r", day: 1)],
      item: item("h", "q", day: 1), isKnownPage: false, verdict: .new),
    Row(
      testDescription: "guid and link changed again, of a saved page",
      known: [old, item("h", "p", day: 1)], item: item("i", "r", day: 1), isKnownPage: false,
      verdict: .moved(from: FeedItemRecord.digest(of: "p"))),
    Row(
      testDescription: "guid and link changed again, of a page that is not saved",
      known: [old, item("h", "q", day: 1)], item: item("i", "r", day: 1), isKnownPage: false,
      itemPages: ["q"], verdict: .moved(from: FeedItemRecord.digest(of: "q"))),
    Row(
      testDescription: "the same title and date beside an item that has moved",
      known: [old, item("h", "p", day: 1)], others: [item("h", "p", day: 1)],
      item: item("i", "r", day: 1), isKnownPage: false, itemPages: ["p"], verdict: .new),
    Row(
      testDescription: "a date without a title", known: [item("g", "p", day: 1, "")],
      item: item("h", "q", day: 1, ""), isKnownPage: false, verdict: .new),
    Row(
      testDescription: "the text of an item without guid, link and date changed",
      known: [unnamed("a"), unnamed("b", "other")], others: [unnamed("b", "other")],
      item: unnamed("c"), isKnownPage: false, verdict: .moved(from: FeedItemRecord.digest(of: "a"))),
    Row(
      testDescription: "the same title in a feed with other items", known: [unnamed("a")],
      item: unnamed("c"), isKnownPage: false, verdict: .new),
    Row(
      testDescription: "a title of several items without guid, link and date",
      known: [unnamed("a"), unnamed("d"), unnamed("b", "other")], others: [unnamed("b", "other")],
      item: unnamed("c"), isKnownPage: false, verdict: .new),
    Row(
      testDescription: "two items with the title of an item whose text may have changed",
      known: [unnamed("a"), unnamed("b", "other")],
      others: [unnamed("b", "other"), unnamed("d")], item: unnamed("c"), isKnownPage: false,
      verdict: .new),
    Row(
      testDescription: "the same title, without dates, and another guid",
      known: [item("g", "p"), item("h", "q", "other")], others: [item("h", "q", "other")],
      item: item("i", "r"), isKnownPage: false, verdict: .new),
    Row(
      testDescription: "an item of an earlier version", known: [], item: old, isKnownPage: true,
      verdict: .known),
    Row(
      testDescription: "two items of an earlier version with one link", known: [],
      others: [item("h", "p", day: 2)], item: old, isKnownPage: true, verdict: .known),
    Row(
      testDescription: "a changed guid", known: [old], item: item("h", "p", day: 1),
      isKnownPage: true, verdict: .known),
    Row(
      testDescription: "a changed guid and title", known: [old],
      item: item("h", "p", day: 1, "other"), isKnownPage: true, verdict: .known),
    Row(
      testDescription: "a further item with the link", known: [old], others: [old],
      item: item("h", "p", day: 2), isKnownPage: true, verdict: .newWithKnownLink),
    Row(
      testDescription: "an older item with the link", known: [item("g", "p", day: 3)],
      others: [item("g", "p", day: 3)], item: item("h", "p", day: 2), isKnownPage: true,
      verdict: .known),
    Row(
      testDescription: "a further item after the first has gone", known: [old],
      item: item("h", "p", day: 2, "other"), isKnownPage: true, verdict: .newWithKnownLink),
  ]

  @Test(arguments: rows)
  func `an item is recognized by its guid, then by its link`(_ row: Row) {
    let history = FeedItemHistory(
      row.known, current: row.others + [row.item],
      itemPages: Set(row.itemPages.map(FeedItemRecord.digest(of:))))
    let variants = row.variants.map(FeedItemRecord.digest(of:))
    #expect(
      history.verdict(on: row.item, isKnownPage: row.isKnownPage, variants: variants)
        == row.verdict)
  }

  @Test(
    arguments: [
      (
        "http://a.test/one",
        [
          "http://a.test/one/", "http://www.a.test/one", "http://www.a.test/one/",
          "https://a.test/one", "https://a.test/one/", "https://www.a.test/one",
          "https://www.a.test/one/",
        ]
      ),
      (
        "https://www.a.test:8443/b/",
        ["https://www.a.test:8443/b", "https://a.test:8443/b/", "https://a.test:8443/b"]
      ),
      (
        "https://www.a.test/?p=1",
        ["https://a.test/?p=1", "http://www.a.test/?p=1", "http://a.test/?p=1"]
      ),
      ("feed-item://0123456789abcdef0123456789abcdef/", []), ("no url", []),
    ] as [(String, [String])])
  func `URLs that differ in a slash, www. or the scheme are variants of each other`(
    _ page: String, _ variants: [String]
  ) {
    #expect(PageLibrary.variants(ofPage: page) == variants.map(FeedItemRecord.digest(of:)))
  }

  @Test func `a record is unchanged after encoding and decoding, and nothing else is decoded`()
    throws
  {
    for record in [Self.item("g", "p", day: -3), Self.item("", "", "ü")] {
      #expect(FeedItemRecord(identity: record.identity, value: record.value) == record)
      let attribute = LibraryAttribute.feedItem(record.identity)
      #expect(LibraryAttribute(text: attribute.text) == attribute)
    }
    let digest = FeedItemRecord.digest(of: "x")
    for value in ["", "1", "1 2 3", "- \(digest)", "- \(digest) \(digest.uppercased())"] {
      #expect(FeedItemRecord(identity: digest, value: value) == nil, "\(value)")
    }
    #expect(LibraryAttribute(text: "guid:x") == nil)
  }
}
