import Configuration
import Document
import Foundation
import OfflineCache
import Reader
import ReaderMode
import Terminal
import Testing

@testable import TerminalUI

/// The question whether to keep the cookies of a site, and keys that were typed before it was shown.
@Suite struct CookieQuestionTests {
  private static func page(_ text: String = "text") -> Page {
    var page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/",
      document: Document(bytes: Array("<title>A</title><p>\(text)<p>\(text)".utf8)),
      provenance: Provenance(source: .network))
    page.cookieSite = "a.test"
    return page
  }

  private static func browser() -> Browser {
    var browser = Browser(
      start: LoadRequest("https://a.test/"), settings: Settings(), themes: [],
      surroundings: .init(
        size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0), timeZone: .gmt))
    _ = browser.update(.started)
    _ = browser.update(.load(LoadID(1), .loaded(page())))
    return browser
  }

  /// Presses a key, and returns the choices that it makes.
  private static func press(_ letter: Unicode.Scalar, _ browser: inout Browser) -> [Effect] {
    browser.update(.input(.key(.character(letter)))).filter {
      if case .choose = $0 { true } else { false }
    }
  }

  private static func isAsked(_ browser: Browser) -> Bool {
    if case .question = browser.mode { true } else { false }
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

  @Test func `after a search, the choice of never has to be confirmed`() {
    var browser = Self.browser()
    browser.finding.take("text", isForward: true)
    _ = browser.update(.clock(Date(timeIntervalSince1970: 1)))
    let first = Self.press("n", &browser)
    #expect(first.isEmpty && Self.isAsked(browser))
    var other = browser
    let second = Self.press("n", &browser)
    #expect(second == [.choose(.cookies(.never, site: "a.test"))] && !Self.isAsked(browser))
    // Any other key closes the question without a choice.
    let move = Self.press("j", &other)
    #expect(move.isEmpty && !Self.isAsked(other))
  }

  @Test func `the whole question fits a narrow screen, whatever the length of the name`() {
    var browser = Self.browser()
    _ = browser.update(.resized(Size(columns: 50, rows: 20)))
    let words = browser.frame().rows.suffix(2).flatMap { $0.split(separator: " ") }
    let rows = words.joined(separator: " ")
    #expect(rows.contains("y this time") && rows.contains("n never"), "\(rows)")
  }
}
