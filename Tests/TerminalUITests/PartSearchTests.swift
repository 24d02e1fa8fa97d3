import Configuration
import Document
import Foundation
import OfflineCache
import Pages
import ReaderMode
import Terminal
import Testing

@testable import TerminalUI

/// Finding a text in the chapters of a book, while the user presses keys and other events occur.
@Suite struct PartSearchTests {
  private static func page(_ index: Int) -> Page {
    let names = ["one", "two", "three"]
    let url = "file:///b.epub/\(names[index])"
    var page = Page(
      requestedURL: DocumentAddress(url), url: DocumentAddress(url),
      document: Document(
        bytes: Array("<h1>\(names[index])</h1><p>whale".utf8), mediaType: "text/html", url: url),
      provenance: Provenance(source: .file))
    page.parts = PartList(
      title: "Book", contentsURL: "file:///b.epub",
      parts: names.map { .init(url: DocumentAddress("file:///b.epub/\($0)"), title: $0) },
      index: index)
    return page
  }

  /// A browser that waits for the result of a search for `whale` after the first chapter.
  private static func searching() throws -> (browser: Browser, search: PartSearch) {
    var browser = Browser(
      startRequest: LoadRequest(page(0).url), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0), timeZone: .gmt))
    _ = browser.update(.started)
    _ = browser.update(.load(LoadID(1), .loaded(page(0))))
    var searches: [PartSearch] = []
    for key in "/whale\rn".unicodeScalars {
      let effects = browser.update(
        .input(.key(key == "\r" ? Key(.enter) : .character(key))))
      for case .searchParts(let search?) in effects { searches.append(search) }
    }
    #expect(searches.count == 1)
    let search = try #require(searches.first)
    #expect(search.parts == ["file:///b.epub/two", "file:///b.epub/three"])
    #expect(browser.notice?.text == "searching the book…")
    return (browser, search)
  }

  private static func press(_ name: String, _ browser: inout Browser) throws -> [Effect] {
    browser.update(.input(.key(try #require(Key(name)))))
  }

  /// Reports that the text is in the third chapter, and returns whether that is loaded.
  private static func isLoaded(_ search: PartSearch, _ browser: inout Browser) -> Bool {
    let effects = browser.update(
      .partsSearched(search, PartSearch.Result(part: "file:///b.epub/three")))
    return effects.contains { if case .load = $0 { true } else { false } }
  }

  @Test func `the chapter is opened at the match`() throws {
    let start = try Self.searching()
    var browser = start.browser
    #expect(Self.isLoaded(start.search, &browser))
    #expect(!Self.isLoaded(start.search, &browser), "the result was handled before")
    _ = browser.update(.load(LoadID(2), .loaded(Self.page(2))))
    #expect(browser.pageSearch.ordinalText == "1 of 1" && browser.notice?.text == "1 of 1")
    #expect(browser.view?.page.parts?.index == 2)
  }

  @Test func `a second key does not search twice`() throws {
    let start = try Self.searching()
    var browser = start.browser
    let effects = try Self.press("n", &browser)
    #expect(!effects.contains { if case .searchParts = $0 { true } else { false } })
    #expect(Self.isLoaded(start.search, &browser))
  }

  @Test func `C-c stops the search`() throws {
    let start = try Self.searching()
    var browser = start.browser
    let effects = try Self.press("C-c", &browser)
    #expect(effects.contains(.searchParts(nil)))
    #expect(browser.notice?.text == "stopped searching the book")
    #expect(!Self.isLoaded(start.search, &browser))
    #expect(browser.pageSearch.ordinalText == "1 of 1", "the matches of this chapter stay")
  }

  @Test func `opening another page stops the search`() throws {
    var browser = try Self.searching().browser
    _ = try Self.press(";", &browser)
    let effects = browser.update(.load(LoadID(2), .loaded(Self.page(1))))
    #expect(effects.contains(.searchParts(nil)))
    #expect(browser.pageSearch.partSearch == nil)
  }

  @Test(arguments: ["s", ":", "/"])
  func `the result does not interrupt what the user has begun since`(key: String) throws {
    let start = try Self.searching()
    var browser = start.browser
    _ = try Self.press(key, &browser)
    #expect(!Self.isLoaded(start.search, &browser))
  }

  @Test func `the result of another page or text is ignored`() throws {
    let start = try Self.searching()
    var browser = start.browser
    var other = start.search
    other.query = "herring"
    #expect(!Self.isLoaded(other, &browser))
    other = start.search
    other.pageNumber += 1
    #expect(!Self.isLoaded(other, &browser))
    #expect(Self.isLoaded(start.search, &browser))
  }

  @Test func `parts that could not be read are counted`() throws {
    let start = try Self.searching()
    var browser = start.browser
    let absent = PartSearch.Result(part: nil, unreadablePartCount: 2)
    _ = browser.update(.partsSearched(start.search, absent))
    #expect(browser.notice?.text == "wrapped to the top · 2 parts could not be searched")
    #expect(browser.notice?.isError == true)

    browser = start.browser
    let found = PartSearch.Result(part: "file:///b.epub/three", unreadablePartCount: 1)
    _ = browser.update(.partsSearched(start.search, found))
    _ = browser.update(.load(LoadID(2), .loaded(Self.page(2))))
    #expect(browser.notice?.text == "1 of 1 · 1 part could not be searched")
  }

  @Test func `a chapter that cannot be opened is explained`() throws {
    let start = try Self.searching()
    var browser = start.browser
    #expect(Self.isLoaded(start.search, &browser))
    var explanation = Self.page(2)
    explanation.provenance.source = .explanation
    _ = browser.update(
      .load(LoadID(2), .failed(.invalidURL("file:///b.epub/three"), explanation: explanation)))
    #expect(browser.view?.page.provenance.source == .explanation)
    #expect(browser.notice?.text.contains("of 1") != true)
  }
}
