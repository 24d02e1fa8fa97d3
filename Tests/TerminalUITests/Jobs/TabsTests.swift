import Configuration
import Document
import Foundation
import Layout
import OfflineCache
import Pages
import ReaderMode
import Testing

@testable import Terminal
@testable import TerminalUI

@Suite struct TabsTests {
  /// Returns a tab in the background.
  private static func tab(_ name: String, sent: Bool = false, bytes: Int = 10) -> Tab {
    let url = DocumentAddress("https://a.test/\(name)")
    var page = Page(
      requestedURL: url, url: url,
      document: Document(bytes: Array("<title>\(name)</title><p>x".utf8)),
      provenance: Provenance(source: .network))
    if sent { page.sentForm = FormContent(mediaType: "text/plain", bytes: []) }
    page.attachment = Attachment(url: page.url.text, mediaType: "image/png", length: bytes)
    page.attachment?.content = [UInt8](repeating: 0, count: bytes)
    var tab = Tab()
    tab.view = PageView(page: page, options: .init(width: 80, textWidth: 70))
    return tab
  }

  private static func names(_ tabs: Tabs) -> [String] { tabs.backgroundTabs.map(\.title) }

  @Test func `pages opened in the background come after those opened earlier`() {
    var tabs = Tabs()
    for name in ["b", "c"] {
      var tab = Self.tab(name)
      tab.isSeen = false
      tabs.add(tab)
    }
    #expect(Self.names(tabs) == ["b", "c"] && tabs.currentIndex == 0 && tabs.count == 3)
    let shown = tabs.switchToTab(1, for: Self.tab("a"))
    #expect(shown.title == "c" && Self.names(tabs) == ["a", "b"] && tabs.currentIndex == 2)
    var tab = Self.tab("d")
    tab.isSeen = false
    tabs.add(tab)
    #expect(Self.names(tabs) == ["a", "b", "d"])
    #expect((0..<4).map { tabs.index(at: $0) } == [0, 1, nil, 2])
  }

  @Test func `closing a tab keeps the order of the others`() {
    var tabs = Tabs()
    for name in ["d", "c", "b"] { tabs.add(Self.tab(name)) }
    #expect(Self.names(tabs) == ["b", "c", "d"])
    _ = tabs.switchToTab(1, for: Self.tab("a"))
    #expect(Self.names(tabs) == ["a", "b", "d"] && tabs.currentIndex == 2)
    tabs.close(0)
    #expect(Self.names(tabs) == ["b", "d"] && tabs.currentIndex == 1 && tabs.index(at: 2) == 1)
  }

  @Test func `only the most recently shown pages stay in memory`() {
    var tabs = Tabs()
    for number in (1...12).reversed() { tabs.add(Self.tab("\(number)", sent: number == 1)) }
    var shown = Self.tab("0")
    for number in 1...12 {
      let index = tabs.index(at: number) ?? 0
      shown = tabs.switchToTab(index, for: shown)
      #expect(shown.title == "\(number)")
      if shown.unloadedEntry != nil { shown = Self.tab("\(number)", sent: number == 1) }
    }
    let kept = tabs.backgroundTabs.filter { $0.view != nil }.map(\.title)
    // Page 1 is the response to a form, which cannot be loaded again by its URL.
    #expect(kept == ["1", "4", "5", "6", "7", "8", "9", "10", "11"])
    #expect(tabs.backgroundTabs.allSatisfy { ($0.view == nil) == ($0.unloadedEntry != nil) })
    #expect(tabs.backgroundTabs.map(\.url) == (0...11).map { "https://a.test/\($0)" })
  }

  @Test func `offline mode repeats the loads of background tabs`() throws {
    let url = "https://a.test/"
    let page = Page(
      requestedURL: DocumentAddress(url), url: DocumentAddress(url),
      document: Document(
        bytes: Array("<p><a href=/b>b</a>".utf8), mediaType: "text/html", url: url),
      provenance: Provenance(source: .network))
    var browser = Browser(
      startRequest: LoadRequest(url), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0), timeZone: .gmt))
    _ = browser.update(.started)
    _ = browser.update(.load(LoadID(1), .loaded(page)))
    for name in ["Tab", "C-t"] { _ = browser.update(.input(.key(try #require(Key(name))))) }
    let first = try #require(browser.tabs.backgroundTabs.first?.loads.load)
    let effects = browser.update(.input(.key(.character("x"))))
    let second = try #require(browser.tabs.backgroundTabs.first?.loads.load)
    #expect(first.id != second.id && second.request.options.mode == .cacheOnly)
    #expect(effects.contains(.cancelLoad(first.id)))
    #expect(effects.contains(.load(second.id, second.request)))
    #expect(browser.loading.load == nil)
  }

  @Test func `offline mode stops reloads and revalidations`() throws {
    let url = "https://a.test/"
    let page = Page(
      requestedURL: DocumentAddress(url), url: DocumentAddress(url),
      document: Document(bytes: Array("<p>a".utf8), mediaType: "text/html", url: url),
      provenance: Provenance(source: .saved(.waiting)))
    var browser = Browser(
      startRequest: LoadRequest(url), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0), timeZone: .gmt))
    _ = browser.update(.started)
    _ = browser.update(.load(LoadID(1), .loaded(page)))
    let stopped = browser.update(.input(.key(.character("x"))))
    #expect(stopped.contains(.cancelLoad(LoadID(1))) && stopped.contains(.setOffline(true)))
    #expect(browser.provenance?.source == .saved(.offlineMode))
    _ = browser.update(.input(.key(.character("x"))))
    #expect(browser.provenance?.source == .saved(.abandoned))
    _ = browser.update(.input(.key(.character("r"))))
    let reload = try #require(browser.loading.load)
    let effects = browser.update(.input(.key(.character("x"))))
    #expect(effects.contains(.cancelLoad(reload.id)) && browser.loading.load == nil)
  }

  @Test func `large pages are dropped earlier`() {
    var tabs = Tabs()
    for name in ["c", "b"] { tabs.add(Self.tab(name, bytes: Tabs.maxMemory * 2 / 3)) }
    let shown = tabs.switchToTab(0, for: Self.tab("a", bytes: Tabs.maxMemory * 2 / 3))
    #expect(shown.title == "b")
    #expect(tabs.backgroundTabs.map { $0.view != nil } == [true, false])
  }
}
