import Configuration
import Document
import Foundation
import Layout
import Library
import Pages
import ReaderMode
import Saving
import Terminal
import Testing

@testable import TerminalUI

/// All comparisons of page URLs treat two spellings of a URL as equal.
@Suite struct PageKeyTests {
  private static let plain = "https://a.test/~ada/%C3%A9"
  private static let other = "https://a.test/%7Eada/%c3%a9"

  private static func record(_ url: String) -> ReadingLog.Record {
    let document = Document(bytes: Array(String(repeating: "<p>words of it", count: 20).utf8))
    return ReadingLog.Record(
      url: url, title: "", date: Date(timeIntervalSince1970: 0), percent: 40,
      anchor: TextAnchor(at: 40, in: document, blocks: 2))
  }

  private static func page(_ url: String, _ html: String = "<title>Ada</title><p id=x>text") -> Page
  {
    Page(
      requestedURL: DocumentAddress(url), url: DocumentAddress(url),
      document: Document(bytes: Array(html.utf8)),
      provenance: Provenance(source: .network))
  }

  private static func browser(_ start: String) -> Browser {
    var browser = Browser(
      startRequest: LoadRequest(start), settings: Settings(), themes: [],
      environment: .init(
        size: Size(columns: 80, rows: 24), now: Date(timeIntervalSince1970: 0), timeZone: .gmt))
    _ = browser.update(.started)
    return browser
  }

  @Test func `two spellings of a URL are the same page, and fragments are ignored`() {
    #expect(Self.plain.isSamePage(as: Self.other))
    #expect("https://a.test/%7E#x".isSamePage(as: "https://a.test/~"))
    #expect(!"https://a.test/%2F".isSamePage(as: "https://a.test//"))
    #expect(!"https://a.test/a".isSamePage(as: "https://a.test/A"))
    #expect(!"https://a.test/?a=%26".isSamePage(as: "https://a.test/?a=&"))
  }

  @Test func `reading positions are found under either spelling`() {
    var positions = ReadingPositions(now: Date(timeIntervalSince1970: 0))
    let isFirst = positions.write(Self.record(Self.plain))
    let isNew = positions.write(Self.record(Self.other))
    #expect(
      isFirst && !isNew
        && positions.isLastRecorded(Self.other, Self.record(Self.other).anchor.offset))
    positions.storeLeftPosition(Self.record(Self.plain))
    #expect(positions.opensBelowTop(Self.other, hasFragment: false))
    guard case .left? = positions.consumeInitialPosition(of: Self.other, hasFragment: false) else {
      Issue.record("the place was not found")
      return
    }
    positions.setDestination(to: Self.record(Self.plain))
    guard case .destination? = positions.consumeInitialPosition(of: Self.other, hasFragment: true)
    else {
      Issue.record("the destination was not found")
      return
    }
  }

  @Test func `saved versions are found under either spelling`() {
    var versions = Versions()
    let list = PageVersions(url: Self.plain, all: [])
    let steps = [
      versions.store(list, of: DocumentAddress(Self.other)), versions.store(list, of: nil),
    ]
    #expect(steps == [0, nil])
    #expect(
      versions.knownVersions(of: DocumentAddress(Self.other)) != nil
        && versions.knownVersions(of: "https://a.test/") == nil)
  }

  @Test func `a removed page is listed again when it is opened under another spelling`() {
    var lists = ListData()
    lists.remove(page: Self.plain, title: "A")
    lists.unhide(page: Self.other)
    let row = LibraryContents.Row(key: Self.plain)
    _ = lists.store(.library(LibraryContents(rows: [row]), isComplete: true), for: nil)
    #expect(lists.visiblePages.count == 1)
    lists.remove(page: Self.other, title: "A")
    #expect(lists.visiblePages.isEmpty)
  }

  @Test func `a link to a fragment of the page is recognized under either spelling`() {
    var browser = Self.browser(Self.plain)
    let page = Self.page(Self.plain)
    _ = browser.update(.load(LoadID(1), .loaded(page)))
    #expect(browser.samePageFragment(of: Self.other + "#x", on: page) == "x")
    #expect(browser.samePageFragment(of: "https://a.test/~adam#x", on: page) == nil)
  }

  @Test func `a page of the last session that is already open is not opened again`() {
    var browser = Self.browser(Self.plain)
    _ = browser.update(.load(LoadID(1), .loaded(Self.page(Self.plain))))
    let step = SavedTabs.Step(url: Self.other, title: "", anchor: nil, isReader: false)
    let saved = SavedTabs(tabs: [.init(past: [], page: step)], shownIndex: 0)
    _ = browser.update(.lostTabs([saved]))
    #expect(browser.tabs.count == 1)
  }

  @Test func `a bookmark on the page under its other spelling does not load it again`() {
    var browser = Self.browser(Self.plain)
    _ = browser.update(.load(LoadID(1), .loaded(Self.page(Self.plain))))
    let effects = browser.update(.foundBookmark("a", Self.record(Self.other)))
    #expect(!effects.contains { if case .load = $0 { true } else { false } })
  }
}
