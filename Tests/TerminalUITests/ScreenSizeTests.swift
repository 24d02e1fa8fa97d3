@testable import Commands
@testable import Configuration
import ReaderMode
import Foundation
import Document
import Layout
import OfflineCache
import Pages
import Testing

@testable import Terminal
@testable import TerminalUI

/// Very large and very small screens: text stays readable, and nothing is displaced.
@Suite struct ScreenSizeTests {
  private static let html = """
    <title>A page</title><nav><a href=/n>nav</a></nav><main><h1>A page</h1>
    <p>\(String(repeating: "Words of a paragraph. ", count: 20))<a href=/b>a link</a></p>
    <table><tr><th>A<th>B<tr><td>1<td>2</table><form><input name=q></form></main>
    """

  private func browser(_ columns: Int, _ rows: Int) -> Browser {
    var browser = Browser(
      startRequest: LoadRequest("https://a.test/"), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: columns, rows: rows), now: Date(timeIntervalSince1970: 1_795_262_400),
        timeZone: .gmt))
    _ = browser.update(.started)
    let page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/",
      document: Document(
        bytes: Array(Self.html.utf8), mediaType: "text/html", charset: "utf-8",
        url: "https://a.test/"), provenance: Provenance(source: .network), length: 100)
    _ = browser.update(.load(LoadID(1), .loaded(page)))
    return browser
  }

  @Test func `at 500 by 200 the text column is centred and has the configured width`() {
    let rows = browser(500, 200).frame().textRows
    let text = rows.filter { $0.contains("Words of a paragraph") }
    #expect(text.count > 5)
    for row in text {
      #expect(row.prefix { $0 == " " }.count == 214 && row.count <= 214 + 72, "\(row)")
    }
    // The title and status line have the columns of the text.
    #expect(rows[0].drop { $0 == " " }.hasPrefix("a.test › A page"))
    #expect(rows[199].drop { $0 == " " }.hasPrefix("100%") && rows[199].contains("1 link"))
    #expect(rows[199].hasSuffix("H help"))
    for row in [rows[0], rows[199]] {
      #expect((213...214).contains(row.prefix { $0 == " " }.count) && row.count <= 214 + 72)
    }
  }

  @Test(arguments: [Command.help, .links, .outline, .information])
  func `at 500 by 200 the rows of lists are centred as a block`(command: Command) {
    var browser = browser(500, 200)
    _ = browser.perform(command, count: nil)
    let rows = browser.frame().textRows
    #expect(rows.count == 200 && browser.list?.topIndex == 0)
    // A block of 100 columns in the middle.
    for row in rows[1..<199] where !row.isEmpty {
      #expect(row.prefix { $0 == " " }.count >= 200 && row.count <= 300, "\(row)")
    }
    #expect(rows[199].count <= 300 && rows[0].count <= 300)
  }

  @Test func `at 500 by 200 a prompt shows a few suggestions above itself`() {
    var browser = browser(500, 200)
    _ = browser.perform(.command, count: nil)
    let rows = browser.frame().textRows
    #expect(rows[199].drop { $0 == " " } == ":")
    #expect(rows[191].drop { $0 == " " }.hasPrefix("line-down  "))
    #expect(rows[190].isEmpty)
  }

  @Test(arguments: [(8, " …: abc"), (16, " Search: abc")])
  func `on a tiny screen the text typed at a prompt is visible`(columns: Int, row: String) {
    var browser = browser(columns, 4)
    _ = browser.perform(.search, count: nil)
    for scalar in "abc".unicodeScalars { _ = browser.update(.input(.key(.character(scalar)))) }
    #expect(browser.frame().textRows[3] == row)
  }

  @Test(arguments: [(20, 5), (20, 3), (8, 4), (1, 1)] as [(Int, Int)])
  func `on a tiny screen the last row and the cursor are always visible`(columns: Int, rows: Int) {
    for command in [
      nil, Command.help, .links, .information, .command, .findForward, .hints, .markLines,
    ] {
      var browser = browser(columns, rows)
      if let command { _ = browser.perform(command, count: nil) }
      let frame = browser.frame()
      #expect(frame.textRows.count == rows)
      #expect(frame.textRows.allSatisfy { $0.count <= columns })
      if columns >= 8 {
        #expect(!frame.textRows[rows - 1].isEmpty, "\(String(describing: command))")
      }
    }
  }
}
