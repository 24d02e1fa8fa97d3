import Configuration
import Document
import Formats
import Foundation
import Pages
import ReaderMode
import Testing

@testable import Terminal
@testable import TerminalUI

/// Keys that switch to another view of the page, pressed while that view is being created.
@Suite struct ViewSwitchTests {
  private static func browser() throws -> Browser {
    let url = "https://a.test/p"
    let html = Array("<title>Page</title><p>Words".utf8)
    let page = Page(
      requestedURL: DocumentAddress(url), url: DocumentAddress(url),
      document: Document(bytes: html, mediaType: "text/html", url: url),
      provenance: Provenance(source: .network),
      content: try PageContent(html, type: MediaType("text/html"), limit: 1 << 20))
    var browser = Browser(
      startRequest: LoadRequest(url), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0), timeZone: .gmt))
    _ = browser.update(.started)
    _ = browser.update(.load(LoadID(1), .loaded(page)))
    return browser
  }

  /// Presses a key, and returns the views that are requested.
  private func press(_ name: String, _ browser: inout Browser) throws -> [PageViewMode] {
    var views: [PageViewMode] = []
    for case .changeView(_, _, let view) in browser.update(.input(.key(try #require(Key(name))))) {
      views.append(view)
    }
    return views
  }

  @Test(arguments: ["v", "\\"])
  func `a second press returns to the view on the screen`(name: String) throws {
    var browser = try Self.browser()
    #expect(try press(name, &browser).count == 1)
    #expect(try press(name, &browser).isEmpty)
    #expect(browser.loading.load == nil)
    #expect(try press(name, &browser).count == 1)
  }

  @Test func `another view replaces the one that is being created`() throws {
    var browser = try Self.browser()
    _ = try press("v", &browser)
    #expect(try press("\\", &browser) == [.source])
  }
}
