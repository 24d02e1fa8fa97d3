@testable import Profiles
@testable import Commands
import Configuration
import Saving
import Library
import ReaderMode
import Foundation
import Document
import Layout
import OfflineCache
import Pages
import TestSupport
import Testing

@testable import Terminal
@testable import TerminalUI

/// Random keys, sizes, pages and reports, after each of which the screen must be valid.
@Suite struct MonkeyTests {
  @Test(arguments: 1...4)
  func `no sequence of messages breaks the browser`(seed: UInt64) throws {
    var monkey = Monkey(seed: seed)
    for _ in 0..<Effort.rounds(25_000, part: 2_000) { try monkey.step() }
  }

  private struct Monkey {
    private var random: SplitMix64
    private var browser: Browser
    private var now = Date(timeIntervalSince1970: 1_795_262_400)
    private var running: [LoadID] = []
    private let pages: [Page]
    private var steps = 0
    /// The number of requested comparisons.
    private var comparisons = 0
    private let isLinear: Bool

    private static let keys: [Key] =
      Command.allCases.flatMap { Keymap().keys(of: $0) }
      + "0123456789asdfjkl漢é\u{301}".unicodeScalars.map { Key.character($0) }
      + ["Enter", "Enter", "Tab", "Tab", "Backspace", "C-w", "C-a", "Del", "Ins", "M-x", "F9"]
      .compactMap { Key($0) }

    init(seed: UInt64) {
      var random = SplitMix64(seed: seed)
      pages = (0..<6).map { Self.page($0, &random) }
      self.random = random
      var settings = Settings()
      settings.isLinear = seed == 3
      isLinear = settings.isLinear
      browser = Browser(
        startRequest: LoadRequest("https://a.test/0"), settings: settings, themes: [],
        environment: .init(
          size: Size(columns: 80, rows: 24), now: now, timeZone: .gmt, isASCII: seed == 2))
      handle(browser.update(.started))
    }

    private static func page(_ number: Int, _ random: inout SplitMix64) -> Page {
      var html = "<title>\u{202E}\u{1B}[31mPage \(number)</title>"
      if number % 2 == 0 { html += "<nav><a href=/n1>n1</a> <a href=/n2>n2</a></nav><main>" }
      if number % 3 == 1 {
        html += """
          <form method=post><input name=a maxlength=3> <input type=password name=p>
          <input type=radio name=r> <input type=radio name=r> <input type=checkbox>
          <select><option>漢字<option>b</select><select multiple><option>c</select>
          <textarea name=t></textarea> <button>Send</button> <input type=reset> <input type=file></form>
          <table><tr><th>A<th>B<tr><td><input value=\(number)><td><button>x</button></table>
          """
      }
      let tokens = [
        "漢字", "needle", "<a href=/\(number)>link</a>", "<a href='#x'>jump</a>", "e\u{301}", "🇨🇭",
        "👩‍🚀", "עברית", "<bdi>لا سلام</bdi> 12",
      ]
      for block in 0..<Int(random.next() % 60) {
        if block % 7 == 3 { html += "<h2 id=x>Heading \(block)</h2>" }
        html += "<p>"
        for _ in 0..<Int(random.next() % 50) {
          html += tokens[Int(random.next() % UInt64(tokens.count))] + " "
        }
      }
      let url = "https://a.test/\(number)"
      var provenance = Provenance(source: number == 3 ? .explanation : .network)
      if number > 3 {
        provenance = Provenance(
          source: .saved(.failure(.hostNotFound)),
          contentDate: Date(timeIntervalSince1970: 1_795_000_000),
          olderVersions: 2)
      }
      return Page(
        requestedURL: DocumentAddress(url), url: DocumentAddress(url),
        document: Document(
          bytes: Array(html.utf8), mediaType: "text/html", charset: "utf-8", url: url),
        provenance: provenance, length: html.utf8.count)
    }

    mutating func step() throws {
      steps += 1
      let message = nextMessage()
      handle(browser.update(message))
      try check(after: message)
    }

    private mutating func nextMessage() -> Message {
      switch random.next() % 49 {
      case 48 where browser.tabs.count < 12:
        let step = SavedTabs.Step(
          url: "https://a.test/\(random.next() % 6)", title: "\u{1B}[31m\u{202E}",
          anchor: random.next() % 2 == 0
            ? nil : TextAnchor(at: 9, in: pages[Int(random.next() % 6)].document, blocks: 2),
          isReader: false)
        return .lostTabs([SavedTabs(tabs: [.init(past: [step], page: step)], shownIndex: 5)])
      case 47: return .input(.mouse(.init(.click, row: 0, column: 3)))
      case 46:
        return .download(
          DownloadID(Int(random.next() % 8)),
          [
            .progressed(received: 10, expected: Int(random.next() % 20)), .failed("\u{1B}[31mno"),
            .done(path: "/tmp/\u{202E}x", length: 5, mediaType: "image/png"),
          ][Int(random.next() % 3)])
      case 45:
        return .completionsFound(
          ["a", "h", ""][Int(random.next() % 3)],
          [.init(url: "https://a.test/\u{1B}", title: "\u{1B}[31m\u{202E}")])
      case 44: return .shellCommandReady(ShellCommand(line: "true"))
      case 40: return .listed(contents())
      case 42: return .versions(versions())
      case 43: return .compared(ComparisonID(comparisons + Int(random.next() % 2)), changes())
      case 41: return .notice("done", isError: random.next() % 2 == 0)
      case 0:
        return .resized(
          Size(columns: Int(random.next() % 140), rows: Int(random.next() % 50)))
      case 1:
        now += Double(random.next() % 5000) / 10
        return .clock(now)
      case 2: return .input(.paste("漢 pasted\u{1B}[0m\n"))
      case 3:
        let action: InputEvent.Mouse.Action =
          [.click, .wheelUp, .wheelDown][Int(random.next() % 3)]
        return .input(
          .mouse(.init(action, row: Int(random.next() % 60), column: Int(random.next() % 150))))
      case 4...8: return report()
      case 9 where random.next() % 2 == 0:
        return .tags(["tag\u{1B}", "漢字"], of: "https://a.test/4")
      case 9:
        return .savedLinks(
          of: "https://a.test/4", ["https://a.test/1": now], queued: ["https://a.test/2"])
      default: return .input(.key(Self.keys[Int(random.next() % UInt64(Self.keys.count))]))
      }
    }

    /// Returns some saved versions of the displayed page, or of another one.
    private mutating func versions() -> PageVersions {
      let url = browser.view?.page.url.text ?? "https://a.test/1"
      let all = (0..<Int(random.next() % 5)).map { number in
        let date = now - Double(number) * 86_400
        return SavedVersion(
          response: StoredResponse(
            id: "\(number)", key: url,
            response: ResponseHead(status: random.next() % 4 == 0 ? 503 : 200), requestTime: date,
            responseTime: date, contentDate: date),
          isDamaged: random.next() % 8 == 0, segment: "a\u{1B}.warc.gz", offset: 0)
      }
      return PageVersions(url: random.next() % 8 == 0 ? "https://b.test/" : url, all: all)
    }

    /// Returns the differences between the displayed page and a random page.
    private mutating func changes() -> PageChanges? {
      guard let page = browser.view?.page else { return nil }
      return PageChanges(
        from: pages[Int(random.next() % UInt64(pages.count))].document, to: page.document)
    }

    private mutating func contents() -> ListContents {
      if random.next() % 4 == 0 { return .failed("broken\u{1B}[31m") }
      if random.next() % 4 == 0 {
        let highlight = Highlight(id: "a", exact: "漢\u{1B}字 \u{202E}x", note: "n\u{1B}[31m")
        return .highlights([
          HighlightedPage(
            key: "https://a.test/1", title: "\u{1B}]0;x", isSaved: random.next() % 2 == 0,
            highlights: [
              PlacedHighlight(highlight, nil),
              PlacedHighlight(Highlight(id: "b", exact: "word"), 3..<9),
            ])
        ])
      }
      if random.next() % 2 == 0, case .search(let text)? = browser.list?.kind {
        return .search(
          [
            .init(
              key: "https://a.test/1", title: "漢\u{1B}字", date: now, snippet: "e\u{301} 漢字",
              matches: [1..<9])
          ], terms: text)
      }
      let rows = (0..<Int(random.next() % 60)).map { number in
        var row = LibraryContents.Row(key: "https://a.test/\(number)")
        row.title = ["", "漢字 \(number)", "\u{202E}title"][number % 3]
        row.isQueued = random.next() % 3 == 0
        row.isPinned = random.next() % 3 == 0
        row.date = row.isQueued ? nil : now
        row.size = Int64(random.next() % 100_000)
        row.tags = number % 5 == 0 ? ["tag\u{1B}"] : []
        row.reading = random.next() % 3 == 0 ? (now, Int(random.next() % 101)) : nil
        return row
      }
      return .library(LibraryContents(rows: rows), isComplete: random.next() % 2 == 0)
    }

    private mutating func report() -> Message {
      let page = pages[Int(random.next() % UInt64(pages.count))]
      let id = running.randomElement(using: &random) ?? LoadID(0)
      switch random.next() % 7 {
      case 6: return .load(id, .began(page))
      case 0: return .load(id, .progressed(received: 5000, expected: nil))
      case 1: return .load(id, .failed(.notSaved(url: page.url.text), explanation: page))
      case 2: return .load(id, .newer(page))
      case 3: return .load(id, .checked(page.provenance))
      default: return .load(id, .loaded(page))
      }
    }

    private mutating func handle(_ effects: [Effect]) {
      for effect in effects {
        if case .load(let id, _) = effect { running.append(id) }
        if case .compare(let id, _, _) = effect { comparisons = id.number }
      }
      if running.count > 8 { running.removeFirst() }
    }

    private func check(after message: Message) throws {
      if let view = browser.view {
        try #require(
          (0...view.maxTopLine(height: browser.bodyHeight)).contains(view.topLine), "\(message)")
        let cursor = view.visibleCursorLine(height: browser.bodyHeight)
        try #require(cursor == 0 || view.layout.lines.indices.contains(cursor), "\(message)")
        if let focus = view.focus { try #require(view.line(of: focus) != nil, "\(message)") }
      }
      if let list = browser.list {
        try #require(
          list.shownIndices.isEmpty || list.shownIndices.indices.contains(list.selectedIndex),
          "\(message)")
        try #require(list.shownIndices.isEmpty || list.selectedEntry != nil, "\(message)")
        let positions = list.visibleEntries(viewport: browser.listViewport)
        try #require(
          list.shownIndices.isEmpty || positions.contains { $0.index == list.selectedIndex },
          "\(message)")
      }
      if let find = browser.pageSearch.pageMatches, let current = find.currentOccurrence {
        try #require((0..<max(1, find.occurrenceCount)).contains(current))
      }
      // Drawing takes most of the time, and errors on a screen persist for a while.
      if steps % 4 == 0 { try check(browser.frame(), isThorough: steps % 40 == 0) }
    }

    private func check(_ frame: Frame, isThorough: Bool) throws {
      try #require(frame.size == browser.size)
      try #require(frame.cells.count == frame.size.columns * frame.size.rows)
      try #require((0..<frame.size.rows).contains(frame.cursor.row))
      try #require((0..<frame.size.columns).contains(frame.cursor.column))
      if browser.layers.topInput == nil, browser.notice == nil, browser.list?.isFiltering != true,
        frame.size.columns >= 4, !isLinear
      {
        let status = try #require(frame.textRows.last)
        try #require(status.drop { $0 == " " }.prefix(4).contains("%"), "\(status)")
      }
      guard isThorough else { return }
      expectWholeCells(frame)
      for cell in frame.cells {
        try #require(cell.text.unicodeScalars.allSatisfy { Frame.isSafe($0) })
      }
    }
  }
}
