import Configuration
import Document
import Foundation
import OfflineCache
import Pages
import ReaderMode
import Terminal
import Testing

@testable import TerminalUI

/// The question whether to keep the cookies of a site, and keys that were typed before it was
/// shown.
@Suite struct CookieQuestionTests {
  private static func page(_ text: String = "text") -> Page {
    var page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/",
      document: Document(bytes: Array("<title>A</title><p>\(text)<p>\(text)".utf8)),
      provenance: Provenance(source: .network))
    page.cookieSite = "a.test"
    return page
  }

  private static func browser(_ page: Page = page()) -> Browser {
    var browser = Browser(
      startRequest: LoadRequest("https://a.test/"), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0), timeZone: .gmt))
    _ = browser.update(.started)
    _ = browser.update(.load(LoadID(1), .loaded(page)))
    return browser
  }

  /// Presses a key, and returns the choices that it makes.
  private static func press(_ letter: Unicode.Scalar, _ browser: inout Browser) -> [Effect] {
    browser.update(.input(.key(.character(letter)))).filter {
      if case .storeChoice = $0 { true } else { false }
    }
  }

  private static func isAsked(_ browser: Browser) -> Bool {
    if case .question = browser.layers.top { true } else { false }
  }

  @Test(arguments: ["y", "a", "n"] as [Unicode.Scalar])
  func `a key typed before the question is drawn applies to the page`(_ key: Unicode.Scalar) {
    var browser = Self.browser()
    let early = Self.press(key, &browser)
    #expect(early.isEmpty && Self.isAsked(browser))
    _ = browser.update(.clock(Date(timeIntervalSince1970: 1)))
    let late = Self.press(key, &browser)
    #expect(late.count == 1 && !Self.isAsked(browser))
  }

  /// Returns a browser that shows a page with a cookie, and the effects of sending its form.
  private static func sending(
    _ form: String, to action: String = "/in", choice: CookieChoice? = nil
  ) -> (browser: Browser, effects: [Effect]) {
    let html = "<title>A</title><form action='\(action)' \(form)><button>Go</button></form>"
    var page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/",
      document: Document(bytes: Array(html.utf8), url: "https://a.test/"),
      provenance: Provenance(source: .network))
    var cookies = ChainCookies()
    if let url = WebURL("https://a.test/") {
      _ = cookies.receive(
        ResponseHead(
          status: 200, reason: "", fields: FieldLines([FieldLines.Field("Set-Cookie", "t=1")])),
        from: url, now: Date(timeIntervalSince1970: 0))
    }
    page.formCookies = cookies
    var browser = browser(page)
    if let choice { browser.choices.apply(.cookies(choice, site: "a.test")) }
    let effects = browser.submit(form: 0, by: 0)
    return (browser, effects)
  }

  private static func isLoad(_ effect: Effect) -> Bool {
    if case .load = effect { true } else { false }
  }

  @Test(
    arguments: [("y", .session), ("a", .always), ("n", .never)] as [(Unicode.Scalar, CookieChoice)])
  func `sending a form of a page that set a cookie asks first, then sends it`(
    _ letter: Unicode.Scalar, _ choice: CookieChoice
  ) throws {
    var (browser, effects) = Self.sending("method=post")
    #expect(effects.isEmpty && Self.isAsked(browser))
    effects = browser.update(.input(.key(.character(letter))))
    let added = try #require(
      effects.firstIndex { if case .addCookies = $0 { true } else { false } })
    let chosen = try #require(
      effects.firstIndex(of: .storeChoice(.cookies(choice, site: "a.test"))))
    let sent = try #require(effects.firstIndex(where: Self.isLoad))
    #expect(added < chosen && chosen < sent && !Self.isAsked(browser))
  }

  @Test func `Escape neither sends the form nor decides about the cookies`() {
    var (browser, _) = Self.sending("method=post")
    let effects = browser.update(.input(.key(Key(.escape))))
    #expect(!effects.contains(where: Self.isLoad) && browser.choices.cookieChoices.isEmpty)
    #expect(browser.submit(form: 0, by: 0).isEmpty && Self.isAsked(browser))
  }

  @Test(
    arguments: [
      ("method=get", "/in", nil), ("method=post", "https://b.test/in", nil),
      ("method=post", "/in", CookieChoice.never), ("method=post", "/in", .session),
    ] as [(String, String, CookieChoice?)])
  func `a search form, a form to another site and a site with a choice ask nothing`(
    _ form: String, _ action: String, _ choice: CookieChoice?
  ) {
    let (browser, effects) = Self.sending(form, to: action, choice: choice)
    #expect(effects.contains(where: Self.isLoad) && !Self.isAsked(browser))
  }

  @Test func `after a search, the choice of never has to be confirmed`() {
    var browser = Self.browser()
    browser.pageSearch.setQuery("text", isForward: true)
    _ = browser.update(.clock(Date(timeIntervalSince1970: 1)))
    let first = Self.press("n", &browser)
    #expect(first.isEmpty && Self.isAsked(browser))
    var other = browser
    let second = Self.press("n", &browser)
    #expect(second == [.storeChoice(.cookies(.never, site: "a.test"))] && !Self.isAsked(browser))
    // Any other key closes the question without a choice.
    let move = Self.press("j", &other)
    #expect(move.isEmpty && !Self.isAsked(other))
  }

  @Test func `the whole question fits a narrow screen, whatever the length of the name`() {
    var browser = Self.browser()
    _ = browser.update(.resized(Size(columns: 50, rows: 20)))
    let tokens = browser.frame().textRows.suffix(2).flatMap { $0.split(separator: " ") }
    let rows = tokens.joined(separator: " ")
    #expect(rows.contains("y this time") && rows.contains("n never"), "\(rows)")
  }
}
