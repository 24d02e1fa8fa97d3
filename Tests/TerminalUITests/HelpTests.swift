@testable import Commands
import Configuration
import Saving
import Library
import ReaderMode
import Foundation
import Document
import OfflineCache
import Pages
import Rendering
import Testing

@testable import Terminal
@testable import TerminalUI

/// The help for keys is compared with their actual effect.
@Suite struct HelpTests {
  private static let now = Date(timeIntervalSince1970: 1_795_262_400)

  /// Returns a browser that shows a page, with an entry in every list.
  private static func browser(keys: [KeySetting] = []) -> Browser {
    var settings = Settings()
    settings.keys = keys
    var browser = Browser(
      startRequest: LoadRequest("https://a.test/"), settings: settings, themes: [],
      environment: .init(size: Size(columns: 80, rows: 24), now: now, timeZone: .gmt))
    _ = browser.update(.started)
    let html = """
      <title>A</title><h1>One</h1><p><a href=/b>b</a> <a href=/c>c</a></p><h2>Two</h2>
      <form><select name=s><option>x<option>y</select></form>
      """
    let page = Page(
      requestedURL: "https://a.test/", url: "https://a.test/",
      document: Document(
        bytes: Array(html.utf8), mediaType: "text/html", charset: "utf-8", url: "https://a.test/"),
      provenance: Provenance(source: .network), length: html.utf8.count)
    _ = browser.update(.load(LoadID(1), .loaded(page)))
    var row = LibraryContents.Row(key: "https://a.test/")
    (row.title, row.date, row.isQueued, row.reading) = ("A", now, true, (now, 40))
    _ = browser.openList(.search("a"))
    let hit = SearchIndex.Hit(
      key: "https://a.test/", title: "A", date: now, snippet: "a", matches: [])
    let passages = HighlightedPage(
      key: "https://a.test/", title: "A", isSaved: true,
      highlights: [PlacedHighlight(Highlight(id: "a", exact: "x"), nil)])
    let lists: [ListContents] = [
      .library(LibraryContents(rows: [row, row]), isComplete: true),
      .search([hit], terms: "a"), .highlights([passages]),
    ]
    for contents in lists { _ = browser.update(.listed(contents)) }
    browser.list = nil
    browser.reportError("nothing")
    _ = browser.download("https://a.test/f", nil, to: "f")
    browser.notices.dismiss()
    return browser
  }

  private static let kinds: [ListScreen.Kind] = [
    .library, .history, .queue, .search("a"), .highlights, .collection("a"), .feeds, .feed("a"),
    .unread,
    .outline,
    .links, .messages, .downloads, .information, .choices(0), .help(.screen(.page)), .tabs,
  ]

  @Test func `every kind of list has its screen`() {
    #expect(Set(Self.kinds.map(\.screen)).count == Self.kinds.count)
    let all = Self.kinds.reduce(Screens.page) { $0.union($1.screen) }
    #expect(all == .all)
  }

  @Test(arguments: kinds)
  func `help of a list lists the commands that work there, and others report that they do not`(
    kind: ListScreen.Kind
  ) {
    for command in Command.allCases {
      var browser = Self.browser()
      _ = browser.openList(kind)
      #expect(browser.list?.kind == kind)
      _ = browser.perform(command, count: nil)
      let isDenied = browser.notice?.text.contains("does nothing here") == true
      let isHelped = command.definition.help(on: kind.screen) != nil
      #expect(isDenied != isHelped, "\(command)")
      #expect(browser.notice?.text.contains("works in a list") != true, "\(command)")
    }
  }

  @Test func `help of pages excludes commands that work only in lists`() {
    let listOnly = Command.allCases.filter { $0.definition.help(on: .page) == nil }
    #expect(listOnly == [.feeds, .unread, .markAllRead, .remove, .sort])
    // On a page, the lists of feeds can be opened by the names of their commands.
    for command in listOnly where ![.feeds, .unread].contains(command) {
      var browser = Self.browser()
      _ = browser.perform(command, count: nil)
      #expect(browser.notice?.text.contains("works in a list") == true)
    }
  }

  @Test func `help shows the current key bindings`() throws {
    let setting = KeySetting(
      name: "next-link", texts: ["w"], valueText: "w", location: "config.toml:1")
    var browser = Self.browser(keys: [setting])
    _ = browser.update(.input(.key(Key(.function(1)))))
    let titles = try #require(browser.list).entries.map(\.title)
    #expect(titles.contains { $0.hasPrefix("w ") && $0.hasSuffix("next link or field") })
    #expect(!titles.contains { $0.hasPrefix("Tab") })
    #expect(titles.contains { $0.hasPrefix(":theme ") })
  }

  @Test(arguments: InputContexts.each)
  func `typing keys have one meaning each, and are not editing keys`(typing: InputContexts) {
    let rows = InputKey.allCases.filter { $0.definition.help(in: typing) != nil }
    #expect(rows.contains { $0 == .cancel })
    let keys = rows.flatMap(\.definition.keys)
    #expect(Set(keys).count == keys.count)
    guard !typing.isDisjoint(with: .lineInputs) else { return }
    for key in keys.compactMap({ Key($0) }) { #expect(LineEditor.Edit(key) == nil, "\(key)") }
  }

  @Test func `editing keys exist and have one meaning each`() {
    let names = LineEditor.Edit.allCases.flatMap(\.definition.keys)
    #expect(Set(names).count == names.count)
    for name in names { #expect(Key(name)?.description == name) }
  }
}

extension InputContexts {
  static let each: [InputContexts] = (0..<17).map { InputContexts(rawValue: 1 << $0) }
}
