import ReaderMode
import Configuration
import Document
import Foundation
import Library
import Pages
import Saving
import Terminal
import Testing

@testable import TerminalUI

/// The rows of lists whose texts do not fit.
@Suite struct ListRowTests {
  private static let now = Date(timeIntervalSince1970: 1_795_234_310)

  private static func row(_ name: String, tags: [String] = []) -> LibraryContents.Row {
    var row = LibraryContents.Row(key: "https://\(name).test/")
    (row.title, row.date, row.size, row.tags) = ("The page \(name)", now, 4000, tags)
    return row
  }

  private static func feed(_ name: String, tags: [String] = []) -> FeedStatus {
    var feed = FeedStatus(key: "https://\(name).test/feed", name: "The feed \(name)")
    (feed.counts.total, feed.counts.read, feed.tags) = (3, 1, tags)
    (feed.counts.date, feed.counts.size) = (now, 4000)
    return feed
  }

  /// Returns the rows of the screen with a list.
  private static func screen(
    _ kind: ListScreen.Kind, _ contents: ListContents, columns: Int, isLinear: Bool = false
  ) -> [String] {
    var settings = Settings()
    settings.isLinear = isLinear
    var browser = Browser(
      startRequest: LoadRequest("about:start"), settings: settings, themes: [],
      environment: .init(
        size: Size(columns: columns, rows: 14), now: now, timeZone: .gmt, isASCII: false))
    _ = browser.update(.started)
    _ = browser.openList(kind)
    _ = browser.update(.listed(contents))
    return browser.frame().textRows
  }

  private static let longTags = ["long distance", "reading for the ship", "harbours", "weather"]

  @Test(arguments: [40, 60, 80, 120])
  func `long tags of one feed hide no number of unread items`(columns: Int) throws {
    let rows = Self.screen(
      .feeds, .feeds([Self.feed("a", tags: Self.longTags), Self.feed("b")]), columns: columns)
    for name in ["a", "b"] {
      let row = try #require(rows.first { $0.contains("The feed \(name)") }, "\(rows)")
      #expect(row.contains("2 new of 3"), "\(rows)")
    }
    if columns >= 80 {
      #expect(rows.contains { $0.contains("2 new of 3  #long distance") }, "\(rows)")
    }
  }

  @Test(arguments: [60, 80, 120])
  func `a long note is truncated in its row only`(columns: Int) throws {
    var pages = [
      Self.row("a", tags: Self.longTags), Self.row("b", tags: ["fun"]), Self.row("c"),
    ]
    (pages[0].isPinned, pages[1].isPinned) = (true, true)
    pages[0].goneSince = Self.now
    let contents = ListContents.library(LibraryContents(rows: pages), isComplete: true)
    let rows = Self.screen(.library, contents, columns: columns)
    let first = try #require(rows.first { $0.contains("The page a") }, "\(rows)")
    #expect(first.contains("kept  gone") && first.contains("…"), "\(rows)")
    #expect(rows.contains { $0.contains("The page b") && $0.contains("kept  #fun") }, "\(rows)")
    #expect(rows.filter { $0.contains("just now") }.count == 3, "\(rows)")
    if columns >= 80 { #expect(rows.contains { $0.contains("c.test") }, "\(rows)") }
  }

  @Test func `a narrow list loses the size before the number of unread items`() {
    let rows = Self.screen(.feeds, .feeds([Self.feed("a")]), columns: 34)
    #expect(
      rows.contains { $0.contains("2 new of 3") && !$0.contains("4.0 kB") && !$0.contains(" kB") },
      "\(rows)")
    let wide = Self.screen(.feeds, .feeds([Self.feed("a")]), columns: 60)
    #expect(wide.contains { $0.contains("2 new of 3") && $0.contains(" kB") }, "\(wide)")
  }

  @Test func `an item without a page of its own has no host, and its feed no size`() {
    var feed = Self.feed("a")
    feed.counts.size = 0
    let feeds = Self.screen(.feeds, .feeds([feed]), columns: 80)
    #expect(
      feeds.contains { $0.contains("2 new of 3  just now") && !$0.contains(" B") }, "\(feeds)")
    var item = LibraryContents.Row(key: "feed-item://2b5b3539c9b9bc66c84480307c364107/")
    (item.title, item.date, item.size) = ("A note", Self.now, 700)
    let contents = ListContents.library(LibraryContents(rows: [item]), isComplete: true)
    let rows = Self.screen(.library, contents, columns: 80)
    #expect(rows.contains { $0.contains("A note") }, "\(rows)")
    #expect(!rows.contains { $0.contains("2b5b35") }, "\(rows)")
    #expect(rows.last?.contains("the text is part of its feed") == true, "\(rows)")
  }

  @Test func `a long note is last in linear mode`() {
    let rows = Self.screen(
      .feeds, .feeds([Self.feed("a", tags: Self.longTags)]), columns: 70, isLinear: true)
    #expect(rows.contains { $0.contains("The feed a  2 new of 3  just now") }, "\(rows)")
  }

  @Test func `a box of short choices has room for their notes`() throws {
    var browser = Browser(
      startRequest: LoadRequest("https://a.test/"), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: 60, rows: 14), now: Self.now, timeZone: .gmt))
    _ = browser.update(.started)
    let html = "<form><select name=a><option>one<option disabled>two<option>six</select></form>"
    let page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/",
      document: Document(bytes: Array(html.utf8)), provenance: Provenance(source: .network))
    _ = browser.update(.load(LoadID(1), .loaded(page)))
    for name in ["Tab", "Enter"] {
      _ = browser.update(.input(.key(try #require(Key(name)))))
    }
    let rows = browser.frame().textRows
    #expect(rows.contains { $0.contains("two") && $0.contains("not available") }, "\(rows)")
  }

  @Test func `an error of an earlier day is listed with its date`() {
    var browser = Browser(
      startRequest: LoadRequest("about:start"), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: 80, rows: 14), now: Self.now, timeZone: .gmt))
    browser.reportError("the first error")
    _ = browser.update(.clock(Self.now + 86_400))
    browser.reportError("the second error")
    #expect(
      browser.entries(for: ListScreen(.messages)).map(\.title) == [
        "04:11  the second error", "Sat 21 Nov 2026 04:11  the first error",
      ])
  }

  @Test func `the time of the next attempt has a day unless it is today`() {
    func text(after hours: Double) -> String {
      // The current time is Sat 21 Nov 2026 04:11.
      DateTexts.futureTimeText(Self.now + hours * 3600, now: Self.now, in: .gmt)
    }
    #expect(text(after: 1) == "at 05:11")
    #expect(text(after: 24) == "tomorrow at 04:11")
    #expect(text(after: 48) == "on Mon 23 Nov 2026 at 04:11")
  }
}
