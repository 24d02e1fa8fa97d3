import Configuration
import Saving
import ReaderMode
import Foundation
import Document
import Formats
import Layout
import Pages
import Testing

@testable import Terminal
@testable import TerminalUI

/// Pages of many screens, of which the first ones are shown before the rest is laid out.
@Suite struct LongPageTests {
  /// Kinds of long pages, each with at least 6000 numbered lines.
  enum Form: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case paragraphs, lines, table, cards, plainText

    var testDescription: String { rawValue }

    var page: Page {
      let url = "https://a.test/long"
      let bytes = Array(source.utf8)
      let document = Document(
        bytes: bytes, mediaType: self == .plainText ? "text/plain" : "text/html", charset: "utf-8",
        url: url)
      return Page(
        requestedURL: DocumentAddress(url), url: DocumentAddress(url),
        document: document, provenance: Provenance(source: .network))
    }

    private var source: String {
      let numbers = 0..<6000
      switch self {
      case .paragraphs:
        return "<h1>Top</h1>"
          + numbers.map {
            "<p id=p\($0)>Paragraph \($0) with <a href=/\($0)>a link</a>."
              + ($0 % 1000 == 999 ? "<h2>Heading \($0)</h2>" : "")
          }.joined()
      case .lines: return "<pre>" + numbers.map { "line \($0)\n" }.joined() + "</pre>"
      case .table:
        return "<table><tr><th>Number<th>Text"
          + numbers.map { "<tr><td>\($0)<td>Row \($0)" }.joined() + "</table>"
      case .cards:
        let header = (0..<30).map { "<th>Column\($0)" }.joined()
        return "<table><tr>\(header)"
          + numbers.prefix(1000).map { row in
            "<tr>" + (0..<30).map { "<td>Cell\(row * 30 + $0)" }.joined()
          }.joined() + "</table>"
      case .plainText: return numbers.map { "line \($0)\n" }.joined()
      }
    }
  }

  private func browser(_ page: Page) -> Browser {
    var browser = Browser(
      startRequest: LoadRequest(page.url), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0), timeZone: .gmt))
    for case .load(let id, _) in browser.update(.started) {
      _ = browser.update(.load(id, .loaded(page)))
    }
    return browser
  }

  private func press(_ keys: String, _ browser: inout Browser) throws {
    for name in keys.split(separator: " ") {
      _ = browser.update(.input(.key(try #require(Key(String(name))))))
    }
  }

  private func idle(_ browser: inout Browser) -> Int {
    var steps = 0
    while browser.hasIdleWork, steps < 10_000 {
      _ = browser.update(.idle)
      steps += 1
    }
    return steps
  }

  @Test(arguments: Form.allCases)
  func `the first screen is laid out from a part of the page, and the rest when idle`(
    form: Form
  ) throws {
    let page = form.page
    var browser = browser(page)
    let first = try #require(browser.view)
    let whole = PageLayout(page.document, options: first.options)
    #expect(whole.lines.count >= 6000)
    #expect(!first.isComplete)
    #expect(first.layout.lines.count < 4000)
    #expect(first.layout.lines[..<23] == whole.lines[..<23])
    let rows = browser.frame().textRows
    #expect(rows[23].contains("% laid out"))
    #expect(idle(&browser) > 1)
    #expect(browser.view?.layout == whole)
    #expect(Array(browser.frame().textRows[..<23]) == Array(rows[..<23]))
    #expect(!browser.frame().textRows[23].contains("laid out"))
  }

  @Test(arguments: Form.allCases)
  func `the end of the page is reached immediately`(form: Form) throws {
    var browser = browser(form.page)
    try press("G", &browser)
    let view = try #require(browser.view)
    #expect(view.isComplete)
    #expect(view.topLine == view.maxTopLine(height: browser.bodyHeight))
    #expect(browser.frame().textRows[23].drop { $0 == " " }.hasPrefix("100%"))
  }

  @Test func `the lines of all links are found together, and the list selects the one at the top`()
    throws
  {
    var browser = browser(Form.paragraphs.page)
    try press("G l", &browser)
    let view = try #require(browser.view)
    let lines = view.lines(ofTargetsOn: 0...)
    #expect(lines.count == 6000)
    for link in stride(from: Int32(0), to: 6000, by: 500) {
      #expect(lines[.link(link)] == view.line(of: .link(link)))
    }
    guard case .linkTarget(let target)? = browser.list?.selectedEntry?.target else {
      Issue.record("no link is selected")
      return
    }
    let line = try #require(lines[target])
    #expect(line <= view.topLine && view.topLine - line < 4)
  }

  @Test func `scrolling lays out the required part`() throws {
    var browser = browser(Form.paragraphs.page)
    let whole = PageLayout(try #require(browser.view).page.document, options: browser.view!.options)
    for _ in 0..<150 { try press("Space", &browser) }
    let view = try #require(browser.view)
    #expect(view.topLine == 150 * (browser.bodyHeight - 2))
    #expect(!view.isComplete)
    #expect(view.layout.lines[view.topLine] == whole.lines[view.topLine])
  }

  @Test func `a distant position is reached by a link, by finding, by a heading and by a line`()
    throws
  {
    let page = Form.paragraphs.page
    var browser = browser(page)
    try press("/", &browser)
    for scalar in "Paragraph 5500".unicodeScalars {
      _ = browser.update(.input(.key(.character(scalar))))
    }
    try press("Enter", &browser)
    #expect(browser.frame().textRows.contains { $0.contains("Paragraph 5500 with") })

    browser = self.browser(page)
    try press("3 }", &browser)
    #expect(browser.frame().textRows[browser.bodyRows.lowerBound].contains("Heading 2999"))

    browser = self.browser(page)
    try press("9 0 0 0 G", &browser)
    #expect(browser.view?.topLine == 8999)

    browser = self.browser(page)
    try press("5 0 %", &browser)
    #expect(browser.frame().textRows[23].drop { $0 == " " }.hasPrefix("50%"))

    browser = self.browser(page)
    let effects = try {
      try press("5 5 0 0", &browser)
      return browser.update(.input(.key(try #require(Key("Enter")))))
    }()
    guard case .load(_, let request)? = effects.first else {
      Issue.record("link 5500 was not followed: \(effects)")
      return
    }
    #expect(request.target == "https://a.test/5499")

    browser = self.browser(page)
    try press("S-Tab", &browser)
    #expect(browser.view?.focus == .link(5999))
  }

  @Test func `a distant position is kept after resizing, and after leaving and returning`() throws {
    var browser = browser(Form.paragraphs.page)
    try press("9 0 0 0 G", &browser)
    let row = browser.frame().textRows[browser.bodyRows.lowerBound]
    _ = browser.update(.resized(Size(columns: 50, rows: 30)))
    #expect(
      browser.frame().textRows[browser.bodyRows.lowerBound].trimmingPrefix(while: { $0 == " " })
        == row.trimmingPrefix(while: { $0 == " " }))
    #expect(browser.view?.isComplete == false)
    _ = browser.update(.resized(Size(columns: 80, rows: 24)))
    #expect(browser.frame().textRows[browser.bodyRows.lowerBound] == row)
    let short = Page(
      requestedURL: "https://a.test/short", url: "https://a.test/short",
      document: Document(bytes: Array("<p>Short".utf8), mediaType: "text/html"),
      provenance: Provenance(source: .network))
    try press("Tab", &browser)
    for case .load(let id, _) in browser.update(.input(.key(try #require(Key("Enter"))))) {
      _ = browser.update(.load(id, .loaded(short)))
    }
    // There is no pending work for a page that is not shown.
    #expect(browser.frame().textRows[browser.bodyRows.lowerBound].contains("Short"))
    #expect(!browser.hasIdleWork)
    try press("Left", &browser)
    #expect(browser.frame().textRows[browser.bodyRows.lowerBound] == row)
    #expect(browser.hasIdleWork)
  }
}

extension StringProtocol {
  fileprivate func trimmingPrefix(while predicate: (Character) -> Bool) -> SubSequence {
    drop(while: predicate)
  }
}
