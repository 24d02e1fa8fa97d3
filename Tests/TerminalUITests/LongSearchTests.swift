import Configuration
import Document
import Foundation
import Layout
import Pages
import ReaderMode
import Terminal
import Testing

@testable import TerminalUI

/// Finding on a page that is too long to be searched between two keys.
@Suite struct LongSearchTests {
  /// Lines of 100 letters; the word `needle` is on two of them, and `rare` on the last.
  private static let page: Page = {
    let line = String(repeating: "x", count: 99)
    let needles = [2000: "needle", 14_000: "needle", 14_999: "rare"]
    let lines = (0..<15_000).map { needles[$0] ?? line }
    let url = "https://a.test/long"
    return Page(
      requestedURL: DocumentAddress(url), url: DocumentAddress(url),
      document: Document(
        bytes: Array("<pre>\(lines.joined(separator: "\n"))</pre>".utf8), mediaType: "text/html",
        charset: "utf-8", url: url), provenance: Provenance(source: .network))
  }()

  /// The browser with the whole page on the screen.
  private static let opened: Browser = {
    var browser = Browser(
      startRequest: LoadRequest(page.url), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: 110, rows: 24), now: Date(timeIntervalSince1970: 0), timeZone: .gmt))
    _ = browser.update(.started)
    _ = browser.update(.load(LoadID(1), .loaded(page)))
    browser.view?.layOutRest()
    return browser
  }()

  private static func browser(typing text: String) -> Browser {
    var browser = opened
    type("/" + text, in: &browser)
    return browser
  }

  private static func type(_ text: String, in browser: inout Browser) {
    for letter in text.unicodeScalars { _ = browser.update(.input(.key(.character(letter)))) }
  }

  private static func finish(_ browser: inout Browser) {
    for _ in 0..<100 where browser.hasIdleWork { _ = browser.update(.idle) }
  }

  private static func lastRow(_ browser: Browser) -> String {
    browser.frame().textRows.last ?? ""
  }

  @Test func `the first match is shown at once, and counted while no key is pressed`() {
    var browser = Self.browser(typing: "needle")
    #expect(browser.hasIdleWork && browser.view?.topLine ?? 0 > 1900)
    #expect(Self.lastRow(browser).contains("searching…"))
    Self.finish(&browser)
    #expect(!browser.hasIdleWork && Self.lastRow(browser).contains("1 of 2"))
  }

  @Test func `a match further down is shown when the search reaches it`() {
    var browser = Self.browser(typing: "rare")
    #expect(browser.view?.topLine == 0)
    Self.finish(&browser)
    #expect(browser.view?.topLine ?? 0 > 14_900)
    #expect(Self.lastRow(browser).contains("1 of 1"))
  }

  @Test func `the next key stops the search`() {
    var browser = Self.browser(typing: "rar")
    Self.type("x", in: &browser)
    Self.finish(&browser)
    #expect(browser.view?.topLine == 0 && Self.lastRow(browser).contains("not found"))
    _ = browser.update(.input(.key(Key(.escape))))
    #expect(!browser.hasIdleWork && browser.pageSearch.pageMatches == nil)
  }

  @Test func `Enter completes the search`() {
    var browser = Self.browser(typing: "rare")
    _ = browser.update(.input(.key(Key(.enter))))
    #expect(!browser.hasIdleWork && browser.view?.topLine ?? 0 > 14_900)
    #expect(browser.pageSearch.ordinalText == "1 of 1")
    Self.type("n", in: &browser)
    #expect(browser.notice?.text == "1 of 1" || browser.notice?.text == "wrapped to the top")
  }

  @Test func `a search backwards is shown when the lines above it were searched`() {
    var browser = Self.opened
    Self.type("?needle", in: &browser)
    Self.finish(&browser)
    #expect(browser.view?.topLine ?? 0 > 13_900)
    #expect(browser.pageSearch.ordinalText == "2 of 2")
  }

  @Test func `another size of the screen keeps the search`() {
    var browser = Self.browser(typing: "needle")
    _ = browser.update(.resized(Size(columns: 60, rows: 20)))
    Self.finish(&browser)
    #expect(!browser.pageSearch.isSearching && browser.pageSearch.pageMatches?.occurrenceCount == 2)
  }

  @Test func `Enter finds a word after the size of the screen has changed during the search`() {
    var browser = Self.browser(typing: "rare")
    _ = browser.update(.resized(Size(columns: 100, rows: 30)))
    _ = browser.update(.input(.key(Key(.enter))))
    #expect(browser.pageSearch.ordinalText == "1 of 1" && browser.view?.topLine ?? 0 > 14_900)
    #expect(browser.notice?.text.contains("not found") != true)
  }
}
