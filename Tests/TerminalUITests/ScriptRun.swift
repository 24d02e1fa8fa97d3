@testable import Commands
import Configuration
import Saving
import Feeds
import Library
import ReaderMode
import Document
import Foundation
import Images
import Layout
import OfflineCache
import Pages
import Profiles
import Reader
import Testing

@testable import Terminal
@testable import TerminalUI

/// Runs a script with `update` and `frame`, without a terminal.
struct ScriptRun {
  private let file: ScriptFile
  private var browser: Browser?
  private var size = Size(columns: 60, rows: 12)
  private var now = Date(timeIntervalSince1970: 1_795_262_400)  // 2026-11-21 12:00 UTC
  private var settings = Settings()
  private var options = LoadOptions()
  private var isASCII = false
  private var colors = 256
  private var isPrivate = false
  private var effects: [Effect] = []
  private var lastLoad = LoadID(0)
  private var showsPlaces = false
  private var showsCompletions = false
  private var showsQueue = false
  private var showsTabs = false
  private var answersLists = true
  /// The most recently requested images.
  private var images: [ImageQuery] = []
  /// The commands whose keys had a visible effect.
  private(set) var effective: Set<Command> = []
  /// The recorded reading positions, the latest last.
  private var places: [ReadingLog.Record] = []
  /// Persistent choices, including those of earlier runs of the program.
  private var choices = Choices()
  /// Whether the pages that were opened or marked are read, by URL.
  private var readPages: [String: Bool] = [:]
  /// The highlights by the URLs of their pages.
  private var highlights: [String: [Highlight]] = [:]

  init(_ file: ScriptFile) {
    self.file = file
  }

  /// Runs the script, and returns its text with the resulting screens.
  mutating func text() throws -> String {
    var lines: [String] = []
    for (source, step) in file.steps {
      lines += source
      switch step {
      case nil: break
      case .perform(let verb, let content): try perform(verb, content)
      case .expect(let kind, _): lines += try outcome(kind)
      }
    }
    return lines.joined(separator: "\n")
  }

  private mutating func send(_ message: Message) throws {
    var browser = try #require(browser, "open comes first")
    let newEffects = browser.update(message)
    self.browser = browser
    effects += newEffects.filter { effect in
      if case .recordPosition = effect { return showsPlaces }
      if case .findCompletions = effect { return showsCompletions }
      switch effect {
      case .findVisitedLinks, .findHighlights, .findSequence: return false
      case .readTags: return !answersLists
      case .findLostTabs: return false
      case .saveTabs: return showsTabs
      case .fetchQueue, .countQueue, .retryQueue, .setOffline: return showsQueue
      default: break
      }
      return true
    }
    for case .storeChoice(let choice) in newEffects { choices.apply(choice) }
    for case .recordPosition(let record) in newEffects { places.append(record) }
    for case .findBookmark(let letter) in newEffects {
      try send(.foundBookmark(letter, places.last { $0.bookmark == letter }))
    }
    for case .loadList(let query) in newEffects where answersLists { try respond(query) }
    for case .load(let id, let request) in newEffects {
      lastLoad = id
      guard let event = file.response(to: request) else { continue }
      if case .loaded(let page) = event { readPages[page.url.text] = true }
      if case .loaded(let page) = event,
        let position = places.last(where: {
          $0.bookmark == nil && $0.url == Browser.positionKey(of: page)
        })
      {
        try send(.lastPosition(position))
      }
      try send(.load(id, event))
    }
    for case .changeView(let id, let page, let view) in newEffects {
      try send(.load(id, .loaded(page.read(as: view))))
    }
    for case .listVersions(let url) in newEffects where answersLists {
      try send(.versions(file.versions(of: url)))
    }
    for case .compare(let id, let old, let new) in newEffects where answersLists {
      try send(.compared(id, PageChanges(from: old, to: new)))
    }
    for case .findVisitedLinks(let number, let document, let urls) in newEffects {
      let readURLs = Set(
        places.map(\.url) + file.library.rows.filter { $0.reading != nil }.map(\.key))
      let links = document.linksToOtherPages(from: urls.map(\.text))
        .filter { readURLs.contains($0.url) }
      try send(.visitedLinksFound(pageNumber: number, Set(links.map(\.link))))
    }
    for case .findHighlights(let number, let document, let url) in newEffects {
      guard let pageHighlights = highlights[url.text] else { continue }
      try send(.highlights(pageNumber: number, PlacedHighlight.find(pageHighlights, in: document)))
    }
    for case .findSequence(let query) in newEffects {
      let url = query.urls[0]
      let (sequence, feed) = (
        query.isSequenceKnown ? nil : file.sequence(of: url), file.feed(of: url.text)
      )
      guard sequence != nil || feed != nil else { continue }
      try send(.sequence(pageNumber: query.pageNumber, sequence, feed: feed))
    }
    for case .planRemoval(let id) in newEffects where answersLists {
      let count = file.rows(ofCollection: id).count
      try send(
        .collectionRemoval(id, name: id.capitalized, removedPageCount: count - 1, keptPageCount: 1))
    }
    for case .readTags(let url) in newEffects where answersLists {
      let row = file.library.rows.first { $0.key == url }
      try send(.tags(row?.tags ?? [], of: url))
    }
    for case .searchParts(let search?) in newEffects {
      let part = search.parts.first { file.part(at: $0, contains: search.terms) }
      try send(.partsSearched(search, PartSearch.Result(part: part)))
    }
    for effect in newEffects { try change(effect) }
    for case .requestImages(let queries) in newEffects { images = queries }
    for case .findSavedLinks(let url, let targets) in newEffects {
      let rows = file.library.rows
      let savedDates = Dictionary(
        rows.compactMap { row in row.date.map { (row.key, $0) } },
        uniquingKeysWith: { first, _ in first }
      ).filter { targets.contains($0.key) }
      let queued = targets.filter { target in rows.contains { $0.key == target && $0.isQueued } }
      try send(.savedLinks(of: url, savedDates, queued: Set(queued)))
    }
  }

  /// Performs an effect that changes highlights or marks feed items as read, and reports it.
  private mutating func change(_ effect: Effect) throws {
    switch effect {
    case .highlightPassage(let range, let document, let note, let url, _, let date):
      var highlight = try #require(Highlight(range, of: document, date: date))
      highlight.note = note
      highlights[url, default: []].append(highlight)
      try send(.notice("highlight saved", isError: false))
    case .setHighlights(let changed, let url):
      let others = highlights[url, default: []].filter { old in
        !changed.contains { $0.id == old.id }
      }
      highlights[url] = others + changed
    case .removeHighlights(let names, let url):
      highlights[url]?.removeAll { names.contains($0.id) }
    case .markItems(.read(let feed)):
      let unread = file.items(of: feed, read: readPages).flatMap(\.rows)
        .filter { $0.unreadItemCount > 0 }.map(\.key)
      for page in unread { readPages[page] = true }
      try send(.markedRead(unread, count: unread.count, of: file.name(ofFeed: feed)))
    case .markItems(.unread(let pages)): for page in pages { readPages[page] = false }
    default: return
    }
    try send(.libraryChanged)
  }

  /// Presses a key, and records its command if it has a visible effect.
  private mutating func press(_ key: Key) throws {
    let command = try #require(browser, "open comes first").command(for: key)
    let before = (frame: browser?.frame(), effects: effects.count)
    try send(.input(.key(key)))
    if let command, browser?.frame() != before.frame || effects.count > before.effects {
      effective.insert(command)
    }
  }

  private mutating func respond(_ query: ListQuery) throws {
    switch query {
    case .library: try send(.listed(.library(file.library(read: readPages), isComplete: true)))
    case .search(let text): try send(.listed(.search(file.hits(text), terms: text)))
    case .feeds: try send(.listed(.feeds(file.feeds(read: readPages))))
    case .items(let feed):
      try send(.listed(.items(of: feed, file.items(of: feed, read: readPages))))
    case .collection(let id):
      try send(.listed(.collection(id, file.rows(ofCollection: id))))
    case .highlights:
      let pages = highlights.sorted { $0.key < $1.key }.filter { !$0.value.isEmpty }
      try send(
        .listed(
          .highlights(
            pages.map { url, kept in
              let page = file.pages[url]
              return HighlightedPage(
                key: url, title: page?.page.document.title ?? "", isSaved: page != nil,
                highlights: page.map { PlacedHighlight.find(kept, in: $0.page.document) }
                  ?? kept.map { PlacedHighlight($0, nil) })
            })))
    }
  }

  private mutating func perform(_ verb: String, _ argument: String) throws {
    let parts = argument.split(separator: " ").map(String.init)
    switch verb {
    case "size":
      let numbers = argument.split(separator: "x").compactMap { Int($0) }
      size = Size(columns: numbers[0], rows: numbers[1])
      if browser != nil { try send(.resized(size)) }
    case "set": try set(argument)
    case "open":
      let environment = Browser.Environment(
        size: size, now: now, timeZone: try #require(TimeZone(secondsFromGMT: 0)), isASCII: isASCII,
        colorCount: colors,
        choices: choices, isPrivate: isPrivate)
      browser = Browser(
        startRequest: argument == "library" ? nil : LoadRequest(argument, options: options),
        settings: settings,
        themes: [
          Theme(name: "default-dark", appearances: [:]), Theme(name: "second", appearances: [:]),
        ],
        environment: environment)
      try send(.started)
    case "keys":
      for name in parts { try press(try #require(Key(name), "key \(name)")) }
    case "type":
      let isCommand =
        if case .prompt(let prompt)? = browser?.layers.top { prompt.kind == .commandLine } else {
          false
        }
      // A command without a key can only be run by its name.
      if isCommand, let commandLine = CommandLine(argument),
        commandLine.command.definition.keys.isEmpty
      {
        effective.insert(commandLine.command)
      }
      for scalar in argument.unicodeScalars { try send(.input(.key(.character(scalar)))) }
    case "paste": try send(.input(.paste(argument)))
    case "click":
      let position = parts.compactMap { Int($0) }
      try send(.input(.mouse(.init(.click, row: position[0], column: position[1]))))
    case "wheel":
      try send(.input(.mouse(.init(argument == "up" ? .wheelUp : .wheelDown, row: 3, column: 3))))
    case "clock":
      now += try #require(Double(argument))
      try send(.clock(now))
    case "progress":
      let numbers = parts.compactMap { Int($0) }
      try send(
        .load(
          lastLoad,
          .progressed(received: numbers[0], expected: numbers.count > 1 ? numbers[1] : nil)))
    case "offer":
      // `offer URL TYPE SIZE [NAME]`: the latest load finds a file; `-` for an unknown size.
      let offer = FileOffer(
        url: parts[0], name: parts.count > 3 ? parts[3] : "", mediaType: parts[1],
        length: Int(parts[2]))
      try send(.load(lastLoad, .offered(offer)))
    case "asking": try send(.load(lastLoad, .asking(host: argument)))
    case "queued": try send(.queue(.waiting(try #require(Int(argument)))))
    case "arrived": try send(.queue(.arrived(Set(parts))))
    case "library":
      try send(
        .listed(.library(file.library(read: readPages), isComplete: argument == "complete")))
    case "excess":
      let sizes = parts.compactMap { Int64($0) }
      let excess = sizes.count < 2 ? nil : PinnedSize.Excess(size: sizes[0], maxSize: sizes[1])
      try send(.listed(.pinnedExcess(excess)))
    case "versions": try send(.versions(file.versions(of: DocumentAddress(argument))))
    case "download": try download(parts)
    case "enclosures": try send(.enclosures(try ScriptFile.enclosureEvent(parts)))
    case "completed":
      // `completed TYPED [ADDRESS[|TITLE]...]`, with underscores for blanks in typed text and
      // titles.
      let pages = parts.dropFirst().map { part in
        let columns = part.split(separator: "|").map(String.init)
        return SavedAddresses.Match(
          url: columns[0], title: columns.dropFirst().joined().replacing("_", with: " "))
      }
      try send(.completionsFound(parts[0].replacing("_", with: " "), pages))
    case "lost":
      // `lost [ended] URL...`: pages that were open in a process that crashed, or that a signal
      // ended.
      let isEnded = parts.first == "ended"
      try send(
        .lostTabs([
          SavedTabs(
            tabs: parts.dropFirst(isEnded ? 1 : 0).map {
              .init(past: [], page: .init(url: $0, title: "", anchor: nil, isReader: false))
            }, shownIndex: 0, wasEndedBySignal: isEnded ? true : nil)
        ]))
    case "settings":
      // `settings LINE|LINE...`: the settings file after editing.
      try send(
        .settingsRead(
          SettingsFile.parse(
            argument.replacing("|", with: "\n"), name: "config.toml",
            directory: URL(fileURLWithPath: "/")
          )))
    case "signal": try send(.terminated(signal: try #require(Int32(argument))))
    case "changed": try send(.libraryChanged)
    case "drawn": try draw(argument)
    case "told": try send(.notice(argument, isError: false))
    case "fails": try send(.listed(.failed(argument)))
    case "edited":
      let text = argument.dropFirst(parts[0].count + 1).replacing("|", with: "\n").utf8
      let result = parts.count > 1 ? EditedText.text(Array(text)) : .failed(127)
      try send(.edited(result, control: try #require(Int32(parts[0]))))
    case "deliver":
      try deliver(
        parts[0], name: parts[1],
        of: parts.count > 2 ? LoadID(try #require(Int(parts[2]))) : lastLoad)
    default: throw ScriptError(description: "no such step: \(verb)")
    }
  }

  /// `drawn [WIDTHxHEIGHT [COLUMNSxROWS]]` or `drawn REASON`: delivers the requested images as
  /// blocks of the reserved size, but of at most COLUMNSxROWS cells. WIDTHxHEIGHT is the size in
  /// pixels of the image files. Any other text is the reason why the images could not be loaded.
  private mutating func draw(_ text: String) throws {
    let asked = images
    images = []
    let parts = text.split(separator: " ")
    let sizes = parts.prefix(2).map { $0.split(separator: "x").compactMap { Int($0) } }
    let size = sizes.first ?? []
    let cells = parts.count == 2 ? sizes[1] : []
    let source = size.count == 2 ? ImageSize(width: size[0], height: size[1]) : nil
    for query in asked {
      var box = query.request.maxSizeInCells
      if cells.count == 2 {
        box = ImageSize(width: min(box.width, cells[0]), height: min(box.height, cells[1]))
      }
      let symbols = (0..<box.width * box.height).map { index in
        ImageSymbol(index % box.width == 0 ? "▌" : "▀", ImageColors(foreground: 0xFF0000))
      }
      let image = DecodedImage(sourceSize: source ?? box, cells: box, content: .symbols(symbols))
      let isDrawn = text.isEmpty || source != nil
      try send(.drawn(query, isDrawn ? .drawn(image) : .failed(text)))
    }
  }

  /// `download NUMBER RECEIVED [EXPECTED]`, `download NUMBER done PATH LENGTH TYPE`,
  /// `download NUMBER exists PATH` or `download NUMBER failed WORDS`: reports about a download.
  private mutating func download(_ parts: [String]) throws {
    let id = DownloadID(try #require(Int(parts[0])))
    let event: DownloadEvent
    switch parts[1] {
    case "done":
      event = .done(path: parts[2], length: try #require(Int(parts[3])), mediaType: parts[4])
    case "exists": event = .exists(path: parts[2])
    case "failed": event = .failed(parts.dropFirst(2).joined(separator: " "))
    default:
      event = .progressed(
        received: try #require(Int(parts[1])), expected: parts.count > 2 ? Int(parts[2]) : nil)
    }
    try send(.download(id, event))
  }

  private mutating func set(_ tokens: String) throws {
    switch tokens {
    case "ascii": isASCII = true
    case "private": isPrivate = true
    case "offline": options.mode = .cacheOnly
    case "images": settings.images = .symbols
    case let tokens where tokens.hasPrefix("colors="):
      colors = try #require(Int(tokens.dropFirst(7)))
    case "mouse-off": settings.usesMouse = false
    case "linear": settings.isLinear = true
    case "places": showsPlaces = true
    case "completions": showsCompletions = true
    case "queue": showsQueue = true
    case "tabs": showsTabs = true
    case "slow-lists": answersLists = false
    case "ambiguous-wide": settings.ambiguousWidth = 2
    case "bidi=terminal": settings.bidi = .terminal
    case let tokens where tokens.hasPrefix("remote="):
      settings.remotes.append(RemoteArchive(timeMap: String(tokens.dropFirst(7))))
    case "reader":
      var preference = ReadingPreference()
      preference.view = .reader
      settings.readingPreferences.append(preference)
    case let tokens where tokens.hasPrefix("theme="): settings.theme = String(tokens.dropFirst(6))
    case let tokens where tokens.hasPrefix("key "):
      // `set key KEY COMMAND...`: a line of [keys].
      let parts = tokens.split(separator: " ", maxSplits: 2).map(String.init)
      settings.keys.append(
        KeySetting(
          name: parts[2], texts: [parts[1]], valueText: parts[1], location: "config.toml:1"))
    default:
      guard tokens.hasPrefix("width="), let width = Int(tokens.dropFirst(6)) else {
        throw ScriptError(description: "no such setting: \(tokens)")
      }
      settings.textWidth = width
    }
  }

  private mutating func deliver(_ event: String, name: String, of id: LoadID) throws {
    let page = try #require(file.pages[name], "page \(name)").page
    switch event {
    case "began": try send(.load(id, .began(page)))
    case "loaded": try send(.load(id, .loaded(page)))
    case "newer": try send(.load(id, .newer(page)))
    case "checked": try send(.load(id, .checked(page.provenance)))
    case "failed":
      let error = ReaderError.unreachable(url: page.url.text, TransportFailure(.timedOut))
      try send(.load(id, .failed(error, explanation: page)))
    default: throw ScriptError(description: "no such report: \(event)")
    }
  }

  private mutating func outcome(_ kind: String) throws -> [String] {
    switch kind {
    case "screen": return try #require(browser).frame().textRows.map { "|" + $0 }
    case "cursor":
      let frame = try #require(browser).frame()
      let column = frame.cursor.column
      return [
        "@ \(frame.cursor.row) \(column): \(frame.textRows[frame.cursor.row].dropFirst(column))"
      ]
    case "styles": return try styles().map { ":" + $0 }
    default:
      defer { effects = [] }
      return effects.map { "> " + Self.text($0) }
    }
  }

  private func styles() throws -> [String] {
    let frame = try #require(browser).frame()
    return (0..<frame.size.rows).map { row in
      var line = ""
      for column in 0..<frame.size.columns {
        let cell = frame[row, column]
        line += Self.letters[cell.style.role] ?? (cell.text == " " ? " " : ".")
      }
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }
  }

  private static let letters: [Role: String] = [
    .heading: "H", .link: "L", .focus: "F", .match: "m", .currentMatch: "M", .title: "T",
    .banner: "B", .visited: "V", .button: "b", .accent: "A", .status: "S", .prompt: "P",
    .notice: "N", .error: "E", .dim: "d", .highlight: "h",
  ]

  private static func text(_ effect: Effect) -> String {
    switch effect {
    case .load(let id, let request):
      var text = "load \(id.number) \(request.target)"
      if case .link(let page) = request.origin { text += " from \(page)" }
      if case .reader = request.view { text += " reader" }
      if let content = request.content {
        text += " post \(content.mediaType) \(String(decoding: content.bytes, as: UTF8.self))"
      }
      if let date = request.mementoDate { text += " memento=\(date.ISO8601Format())" }
      if request.isRendered { text += " rendered" }
      if request.options.isReload { text += " reload" }
      if request.options.fallbackDelay > 2 {
        text += " patience=\(Int(request.options.fallbackDelay))"
      }
      if request.options.copy != .latest { text += " copy=\(request.options.copy)" }
      if request.options.mode != .networkFirst { text += " \(request.options.mode.rawValue)" }
      return text
    case .changeView(let id, let page, let view):
      return
        "read \(id.number) \(page.url) \(view == .page ? "whole" : view == .source ? "source" : "reader")"
    case .listVersions(let url): return "list versions of \(url)"
    case .compare(let id, let old, let new):
      return "compare \(id.number): \(old.text.count) and \(new.text.count) bytes"
    case .cancelLoad(let id): return "cancel \(id.number)"
    case .stopLoad(let id): return "stop \(id.number)"
    case .searchParts(nil): return "stop searching parts"
    case .searchParts(let search?):
      return "search \(search.parts.count) parts for \(search.terms.joined(separator: " "))"
    case .findVisitedLinks(let number, _, _): return "look up visited links of page \(number)"
    case .findSavedLinks(_, let urls): return "look up \(urls.count) links"
    case .signIn(let credentials, let question):
      return
        "sign in \(credentials.user):\(credentials.password) at \(question.url) (\(question.realm))"
    case .addCookies(_, let site): return "add cookies of \(site)"
    case .loadList(.library): return "list the library"
    case .findHighlights(let number, _, _): return "look up highlights of page \(number)"
    case .highlightPassage(let range, _, let note, let url, let title, _):
      return "keep \(range) of \(url) \(title): \(note)"
    case .setHighlights(let highlights, let url):
      return "set \(highlights.map { "\($0.exact): \($0.note)" }) of \(url)"
    case .removeHighlights(let names, let url): return "remove \(names.count) highlights of \(url)"
    case .loadList(.highlights): return "list the highlights"
    case .loadList(.collection(let id)): return "list the collection \(id)"
    case .findSequence(let query):
      return
        "look up the \(query.isSequenceKnown ? "feed" : "sequence") of \(query.urls.map(\.text))"
    case .loadList(.feeds): return "list the feeds"
    case .loadList(.items(let feed)): return "list the items of \(feed ?? "all feeds")"
    case .markItems(.read(let feed)): return "mark the items of \(feed) as read"
    case .markItems(.unread(let pages)): return "mark as unread \(pages.joined(separator: " "))"
    case .planRemoval(let id): return "count the pages of \(id)"
    case .setCollection(let id, let isRemoved):
      return "\(isRemoved ? "remove" : "restore") the collection \(id)"
    case .loadList(.search(let phrase)): return "search \(phrase)"
    case .togglePin(let url, let title, let isFeed):
      return "keep \(isFeed ? "the feed " : "")\(url) \(title)"
    case .readTags(let url): return "read the tags of \(url)"
    case .setTags(let url, let phrase, let isAdding):
      return "\(isAdding ? "add tags to" : "tag") \(url) \(phrase)"
    case .enqueue(let urls, let page):
      return "queue \(urls.map(\.text).joined(separator: " ")) from \(page?.text ?? "")"
    case .fetchQueue: return "fetch the queue"
    case .countQueue: return "count the queue"
    case .retryQueue: return "retry the queue"
    case .setOffline(let isOffline): return isOffline ? "pause the queue" : "go on with the queue"
    case .removePages(let urls): return "remove \(urls.joined(separator: " "))"
    case .restorePages(let urls): return "restore \(urls.joined(separator: " "))"
    case .download(let download):
      var text = "download \(download.id.number) \(download.url) to \(download.path)"
      if download.options.copy != .latest { text += " copy=\(download.options.copy)" }
      if let content = download.content { text += " of \(content.count) bytes" }
      return text
    case .cancelDownload(let id): return "cancel download \(id.number)"
    case .enclosures(.fetch(let feed, let items, _)):
      return "fetch the enclosures of \((items + [feed ?? "all feeds"]).joined(separator: " "))"
    case .enclosures(.stop): return "stop fetching enclosures"
    case .openAttachment(let attachment):
      var text = "open \(attachment.mediaType) \(attachment.url)"
      if let version = attachment.version { text += " version=\(version)" }
      if let content = attachment.content { text += " of \(content.count) bytes" }
      return text
    case .openInOtherProgram(let url): return "open outside \(url)"
    case .findCompletions(let typed, _): return "complete \(typed)"
    case .runShellCommand(let command):
      switch command.input {
      case .terminal: return "run \(command.line)"
      case .text(let text): return "pipe \(text.count) bytes to \(command.line)"
      case .file(let text): return "run \(command.line) FILE of \(text.count) bytes"
      case .fileName(let path): return "run \(command.line) \(Opener.quoted(path))"
      }
    case .editControlText(let text, let control):
      let lines = String(decoding: text, as: UTF8.self).replacing("\n", with: "|")
      return "edit \(control): \(lines)"
    case .recordPosition(let record):
      return "remember \(record.url) \(record.percent)%"
        + (record.bookmark.map { " mark \($0)" } ?? "")
    case .storeChoice(.theme(let name, let old)):
      return "choose theme \(name ?? "of the settings") instead of \(old ?? "none")"
    case .storeChoice(.view(let view, let site)):
      return "choose view \(view?.rawValue ?? "of the settings") for \(site)"
    case .storeChoice(.comments(let isOpen, let site)):
      return "choose comments of \(site): \(isOpen ? "shown" : "folded")"
    case .storeChoice(.cookies(let choice, let site)):
      return "choose cookies of \(site): \(choice?.rawValue ?? "asked again")"
    case .findLostTabs: return "recall open pages"
    case .saveTabs(let saved):
      let tabs = saved.map { saved in
        saved.tabs.map { ($0.past + [$0.page]).map(\.url).joined(separator: " < ") }
      }
      return "save tabs \(tabs.map { $0.joined(separator: " | ") } ?? "none")"
        + (saved?.wasEndedBySignal == true ? " of a session that has ended" : "")
    case .editSettings: return "edit the settings"
    case .setMouseReporting(let isTaken): return isTaken ? "take the mouse" : "leave the mouse"
    case .findBookmark(let letter): return "recall mark \(letter)"
    case .writeClipboard(let text): return "clipboard \(text.replacing("\n", with: "⏎"))"
    case .queryGraphics: return "ask for graphics"
    case .requestImages(let queries):
      return
        "draw \(queries.map { "\($0.source.url) \($0.request.arguments.joined(separator: " "))" })"
    case .redraw: return "redraw"
    case .suspend: return "suspend"
    case .quit(let code, let phrase):
      return "quit \(code)" + (phrase.isEmpty ? "" : ": \(phrase.replacing("\n", with: "⏎"))")
    }
  }
}

extension Browser {
  /// Returns the command that a key runs now, or nil if keys are typed as characters.
  fileprivate func command(for key: Key) -> Command? {
    layers.topInput == nil && list?.isFiltering != true
      ? keymap.binding(of: key, on: list?.kind.screen ?? .page)?.command : nil
  }
}

struct ScriptError: Error, CustomStringConvertible {
  var description: String
}
