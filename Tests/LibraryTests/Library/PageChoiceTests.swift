@testable import Saving
@testable import Library
import OfflineCache
import Testing

@Suite struct PageChoiceTests {
  private func page(_ key: String) -> LibraryPage { LibraryPage(key: key) }

  /// Returns the key of a URL: the URL without its fragment and tracking parameters.
  private func key(_ url: String) -> String? {
    WebURL(url)?.withoutFragment.withoutTracking.description
  }

  @Test func `named pages come first, then tagged ones, without duplicates`() throws {
    let choice = try PageChoice(
      named: ["https://a.test/1#x", "https://a.test/1", "https://a.test/2?utm_source=x&id=3"],
      tagged: [
        ("sea", [page("https://a.test/3"), page("https://a.test/1")]),
        ("Ship", [page("https://a.test/3"), page("https://a.test/4")]),
      ], key: key)
    #expect(
      choice.urls == [
        "https://a.test/1#x", "https://a.test/2?id=3", "https://a.test/3", "https://a.test/4",
      ])
  }

  @Test func `nothing is chosen if a tag is empty or unused`() throws {
    #expect(throws: PageChoice.Problem.unknownTag("sae")) {
      try PageChoice(
        named: ["https://a.test/1"], tagged: [("sea", [page("https://a.test/3")]), ("sae", [])],
        key: key)
    }
    for tag in ["", " ", ",", "\n"] {
      #expect(throws: PageChoice.Problem.emptyTag) {
        try PageChoice(named: [], tagged: [(tag, [page("https://a.test/3")])], key: key)
      }
    }
    let hostile = PageChoice.Problem.unknownTag("a\u{1B}[2J")
    #expect(hostile.description == "no page has the tag a\u{FFFD}[2J")
  }

  @Test(
    arguments: [
      ("https://a.test/p?id=1&utm_source=x", "https://a.test/p?id=1", "https://a.test/p?id=1"),
      ("https://a.test/p?fbclid=1&gclid=2", "https://a.test/p", "https://a.test/p"),
      // The key of another rule: only tracking parameters are removed from the requested URL.
      ("https://a.test/P?b=1&a=2&utm_id=1", "https://a.test/p?a=2&b=1", "https://a.test/P?b=1&a=2"),
      // If tracking parameters select another page, they are part of the URL.
      ("https://a.test/p?gclid=1", "https://a.test/p?gclid=1", "https://a.test/p?gclid=1"),
      ("https://a.test/p?id=utm_x", "https://a.test/p?id=utm_x", "https://a.test/p?id=utm_x"),
      ("https://a.test/p?utm_source=x#part", "https://a.test/p", "https://a.test/p#part"),
      ("no address", "no address", "no address"), ("", "https://a.test/", ""),
    ] as [(String, String, String)])
  func `a page is listed under its URL without tracking parameters`(
    _ url: String, _ key: String, _ listed: String
  ) {
    #expect(LibraryPage.address(url, of: key) == listed)
  }
}
