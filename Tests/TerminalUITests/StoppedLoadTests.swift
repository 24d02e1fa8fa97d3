import ReaderMode
import Configuration
import Document
import Foundation
import Layout
import OfflineCache
import Pages
import Testing

@testable import Terminal
@testable import TerminalUI

/// Pages of which only a part was received.
@Suite struct StoppedLoadTests {
  private static func page(_ html: String, isPartial: Bool = false, isArriving: Bool = false)
    -> Page
  {
    let url = "https://a.test/p"
    var page = Page(
      requestedURL: DocumentAddress(url), url: DocumentAddress(url),
      document: Document(bytes: Array(html.utf8), mediaType: "text/html", url: url),
      provenance: Provenance(source: .network))
    if isPartial || isArriving { page.provenance.rejection = .failure(.incomplete) }
    page.isArriving = isArriving
    return page
  }

  private func started() -> (browser: Browser, load: LoadID?) {
    var browser = Browser(
      startRequest: LoadRequest("https://a.test/p"), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0), timeZone: .gmt))
    var load: LoadID?
    for case .load(let id, _) in browser.update(.started) { load = id }
    return (browser, load)
  }

  private func press(_ name: String, _ browser: inout Browser) throws -> [Effect] {
    browser.update(.input(.key(try #require(Key(name)))))
  }

  private func text(_ browser: Browser) -> String {
    String(decoding: browser.view?.page.document.text ?? [], as: UTF8.self)
  }

  @Test func `Esc shows the part of the page that was received`() throws {
    let start = started()
    var browser = start.browser
    let id = try #require(start.load)
    #expect(try press("Esc", &browser).contains(.stopLoad(id)))
    #expect(browser.view == nil)
    _ = browser.update(.load(id, .loaded(Self.page("<p>One", isPartial: true))))
    #expect(text(browser) == "One")
    #expect(browser.frame().textRows.contains { $0.contains("NOT SAVED") })
    #expect(browser.awaitedRevalidationID == nil)
  }

  @Test func `a part that arrives after another load began is not shown`() throws {
    let start = started()
    var browser = start.browser
    let id = try #require(start.load)
    _ = try press("Esc", &browser)
    _ = try press("o", &browser)
    for name in ["b", ".", "t"] { _ = try press(name, &browser) }
    _ = try press("Enter", &browser)
    _ = browser.update(.load(id, .loaded(Self.page("<p>One", isPartial: true))))
    #expect(browser.view == nil)
  }

  @Test func `the rest of a page replaces its part unless the user has moved`() throws {
    let words = (0..<60).map { "<p>Line \($0)" }.joined()
    for hasMoved in [false, true] {
      let start = started()
      var browser = start.browser
      let id = try #require(start.load)
      _ = browser.update(.load(id, .loaded(Self.page(words, isArriving: true))))
      #expect(browser.awaitedRevalidationID == id)
      #expect(browser.frame().textRows.contains { $0.contains("the rest is loading") })
      if hasMoved { _ = try press("Space", &browser) }
      _ = browser.update(.load(id, .newer(Self.page(words + "<p>End"))))
      #expect(text(browser).hasSuffix("End") == !hasMoved)
      guard hasMoved else { continue }
      #expect(browser.frame().textRows.contains { $0.contains("newer version: r") })
      _ = try press("r", &browser)
      #expect(text(browser).hasSuffix("End"))
    }
  }

  @Test func `Esc stops loading the rest of a page, and the part stays`() throws {
    let start = started()
    var browser = start.browser
    let id = try #require(start.load)
    _ = browser.update(.load(id, .loaded(Self.page("<p>One", isArriving: true))))
    #expect(try press("Esc", &browser).contains(.cancelLoad(id)))
    #expect(text(browser) == "One" && browser.awaitedRevalidationID == nil)
    let rows = browser.frame().textRows
    #expect(rows.contains { $0.contains("r reloads it") }, "\(rows)")
    #expect(!rows.contains { $0.contains("the rest is loading") }, "\(rows)")
  }
}
