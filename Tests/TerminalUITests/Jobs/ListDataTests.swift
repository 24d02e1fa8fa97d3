@testable import Commands
import Configuration
import Document
import Foundation
import OfflineCache
import Saving
import Library
import Pages
import ReaderMode
import Terminal
import Testing

@testable import TerminalUI

@Suite struct ListsTests {
  private static func contents(_ urls: String...) -> ListContents {
    .library(LibraryContents(rows: urls.map { LibraryContents.Row(key: $0) }), isComplete: true)
  }

  @Test func `steps back lead through the list to the earlier page, also if that was dropped`() {
    var browser = Browser(
      startRequest: LoadRequest("https://a.test/"), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0), timeZone: .gmt))
    _ = browser.update(.started)
    func page(_ url: String) -> Page {
      Page(
        requestedURL: DocumentAddress(url), url: DocumentAddress(url),
        document: Document(bytes: Array("<p>text".utf8)),
        provenance: Provenance(source: .network))
    }
    _ = browser.update(.load(LoadID(1), .loaded(page("https://a.test/"))))
    _ = browser.load(LoadRequest("https://b.test/"), purpose: .newEntry)
    _ = browser.update(.load(LoadID(2), .loaded(page("https://b.test/"))))
    browser.opening.list = ListScreen(.library)
    browser.history.dropFarthestPages(beyond: 0)
    let first = browser.moveInHistory(by: -1)
    #expect(first == [.loadList(.library)] && browser.list?.kind == .library)
    browser.list = nil
    let second = browser.moveInHistory(by: -1)
    #expect(browser.list == nil)
    let isLoaded = second.contains { effect in
      if case .load(_, let request) = effect { request.target == "https://a.test/" } else { false }
    }
    #expect(isLoaded, "\(second)")
  }

  @Test func `the library shows since when a page has been gone, in addition to its copy`() {
    let now = Date(timeIntervalSince1970: 1_795_234_310)
    var browser = Browser(
      startRequest: LoadRequest("about:start"), settings: Settings(), themes: [],
      environment: .init(size: Size(columns: 100, rows: 24), now: now, timeZone: .gmt))
    _ = browser.update(.started)
    _ = browser.openList(.library)
    var rows = ["https://a.test/", "https://b.test/"].map { LibraryContents.Row(key: $0) }
    for index in rows.indices {
      (rows[index].title, rows[index].date, rows[index].isPinned) = ("Title", now, true)
    }
    rows[1].goneSince = Date(timeIntervalSince1970: 1_794_700_800)
    _ = browser.update(.listed(.library(LibraryContents(rows: rows), isComplete: true)))
    let entries = browser.entries(for: ListScreen(.library)).filter { !$0.isHeading }
    #expect(entries.map { $0.details[.extraText] } == ["kept", "kept"])
    #expect(entries.map(\.note) == ["", "gone since Sun 15 Nov 2026"])
    #expect(entries.allSatisfy { $0.details[.age]?.isEmpty == false })
  }

  @Test func `a command that has no effect on a highlight names the list of highlights`() throws {
    let now = Date(timeIntervalSince1970: 0)
    var browser = Browser(
      startRequest: LoadRequest("https://a.test/"), settings: Settings(), themes: [],
      environment: .init(size: Size(columns: 80, rows: 24), now: now, timeZone: .gmt))
    _ = browser.update(.started)
    let document = Document(bytes: Array("<p>Words of a page".utf8))
    let page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/", document: document,
      provenance: Provenance(source: .network))
    _ = browser.update(.load(LoadID(1), .loaded(page)))
    func message(about command: Command) -> String? {
      _ = browser.perform(command, onPage: nil, argument: nil)
      return browser.notices.current?.text
    }
    #expect(message(about: .follow) == "no link is selected; Tab selects one")
    #expect(message(about: .remove) == "remove works in a list; s opens the library")
    let highlight = try #require(Highlight(0..<5, of: document, date: now))
    _ = browser.update(
      .highlights(
        pageNumber: browser.opening.pageNumber, PlacedHighlight.find([highlight], in: document)))
    #expect(
      message(about: .follow) == "no link is selected; Tab selects one, \" lists the highlights")
    #expect(message(about: .remove) == "remove works in a list; \" lists the highlights")
  }

  @Test func `a queued page that arrives is offered where the screen explains its absence`() {
    var browser = Browser(
      startRequest: LoadRequest("https://a.test/"), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0), timeZone: .gmt))
    _ = browser.update(.started)
    func page(_ source: Provenance.Source) -> Page {
      Page(
        requestedURL: "https://a.test/", url: "https://a.test/",
        document: Document(bytes: Array("<p>text".utf8)), provenance: Provenance(source: source))
    }
    var banner: [String] { browser.bannerRows.joined().map(\.text) }
    let error = ReaderError.notSaved(url: "https://a.test/")
    _ = browser.update(.load(LoadID(1), .failed(error, explanation: page(.explanation))))
    _ = browser.update(.queue(.arrived(["https://b.test/"])))
    #expect(browser.notices.current?.text == "1 queued page arrived" && banner == [])
    _ = browser.update(.queue(.arrived(["https://a.test/", "https://b.test/"])))
    #expect(browser.notices.current?.text == "2 queued pages arrived; r shows this page")
    #expect(banner == ["the page is saved now: r shows it"])
    let load = browser.reload()
    #expect(load.contains { if case .load = $0 { true } else { false } }, "\(load)")
    _ = browser.update(.load(LoadID(2), .loaded(page(.network))))
    #expect(banner == [])
  }

  @Test func `Enter in an empty list that is being loaded opens the first entry that arrives`() {
    var rows = ["https://a.test/", "https://b.test/"].map { LibraryContents.Row(key: $0) }
    for index in rows.indices {
      (rows[index].date, rows[index].isPinned) = (Date(timeIntervalSince1970: 0), true)
    }
    let complete = ListContents.library(LibraryContents(rows: rows), isComplete: true)
    let partial = ListContents.library(LibraryContents(rows: []), isComplete: false)
    let cases: [(keys: [Command], contents: [ListContents], isOpened: Bool)] = [
      ([.follow], [complete], true), ([.follow], [partial, complete], true),
      ([.follow, .lineDown], [complete], false), ([.lineDown, .follow], [complete], true),
      ([], [complete], false), ([.follow], [.failed("broken"), complete], false),
      ([.follow], [.library(LibraryContents(rows: []), isComplete: true), complete], false),
    ]
    for (keys, contents, isOpened) in cases {
      var browser = Browser(
        startRequest: LoadRequest("about:start"), settings: Settings(), themes: [],
        environment: .init(
          size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0), timeZone: .gmt))
      _ = browser.update(.started)
      _ = browser.openList(.library)
      for command in keys {
        guard let list = browser.list else { break }
        #expect(browser.perform(command, in: list, count: nil, argument: nil) == [])
      }
      let effects = contents.flatMap { browser.update(.listed($0)) }
      let isLoad = effects.contains { if case .load = $0 { true } else { false } }
      #expect(isLoad == isOpened, "\(keys): \(effects)")
    }
  }

  @Test func `a removed page is not listed, until it is restored or opened`() {
    var lists = ListData()
    _ = lists.store(Self.contents("a", "b", "c"), for: nil)
    lists.remove(page: "a", title: "A")
    lists.remove(page: "b", title: "B")
    #expect(lists.visiblePages.map(\.key) == ["c"])
    lists.unhide(page: "a")
    let undone = [lists.undo(), lists.undo(), lists.undo()]
    #expect(undone == [.page("b", title: "B"), .page("a", title: "A"), nil])
    #expect(lists.visiblePages.map(\.key) == ["a", "b", "c"])
  }

  @Test func `undo selects the feed whose items were marked as read`() throws {
    var browser = Browser(
      startRequest: LoadRequest("about:start"), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0), timeZone: .gmt))
    func feeds(unread: [Int]) -> Message {
      .listed(
        .feeds(
          zip(["a", "b"], unread).map { name, count in
            var feed = FeedStatus(key: "https://\(name).test/feed", name: name)
            (feed.counts.total, feed.counts.read) = (3, 3 - count)
            return feed
          }))
    }
    _ = browser.update(.started)
    _ = browser.openList(.feeds)
    _ = browser.update(feeds(unread: [2, 2]))
    let feed = FeedName(key: "https://a.test/feed", name: "a")
    _ = browser.update(.markedRead(["https://a.test/1"], count: 2, of: feed))
    _ = browser.update(feeds(unread: [0, 2]))
    _ = browser.update(.input(.key(try #require(Key("g")))))
    #expect(browser.list?.selectedEntry?.target == .feed("https://b.test/feed"))
    let effects = browser.undo()
    #expect(effects == [.markItems(.unread(["https://a.test/1"]))])
    #expect(browser.list?.selectedEntry?.target == .feed("https://a.test/feed"))
  }

  @Test func `a removed highlight disappears, and its page with the last highlight`() {
    var lists = ListData()
    let (first, second) = (Highlight(id: "1", exact: "x"), Highlight(id: "2", exact: "y"))
    let page = HighlightedPage(
      key: "a", title: "", isSaved: true,
      highlights: [PlacedHighlight(first, nil), PlacedHighlight(second, nil)])
    let isShown = lists.store(.highlights([page]), for: .highlights)
    #expect(isShown)
    lists.remove([first], of: "a")
    #expect(lists.visibleHighlightedPages.map(\.highlights.count) == [1])
    lists.remove([second], of: "a")
    #expect(lists.visibleHighlightedPages.isEmpty)
    let last = lists.undo()
    #expect(last == .highlights([second], of: "a"))
  }

  @Test func `only requested results are added to a list`() {
    var lists = ListData()
    lists.beginSearch("new")
    let found: [ListContents] = [
      Self.contents("a"), .search([], terms: "old"), .search([], terms: "new"), .failed("broken"),
    ]
    let isShown = found.map { lists.store($0, for: .search("new")) }
    #expect(isShown == [false, false, true, true])
    #expect(lists.searchTerms == "new")
    #expect(found.map(\.isPartial) == [false, false, false, false])
    #expect(ListContents.library(LibraryContents(rows: []), isComplete: false).isPartial)
  }
}
