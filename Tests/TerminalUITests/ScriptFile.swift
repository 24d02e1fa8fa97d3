import Saving
import Library
import ReaderMode
import Foundation
import Document
import Formats
import Layout
import OfflineCache
import Pages
import Reader
import Testing

@testable import TerminalUI

/// A UI script: pages, then input of the user and other events, and the expected screens.
///
///     size 60x12                       columns and rows; after `open`, a resize
///     set ascii|offline|mouse-off|width=N
///                                      settings, before `open`; `ScriptRun.set` has all of them;
///                                      `set queue` shows queue effects
///     page NAME URL [ATTRIBUTE...]     HTML lines up to a line with a single dot
///     open URL                         starts the browser
///     keys j Tab C-f                   keys by name
///     type words                       every character of the rest of the line
///     paste words                      a bracketed paste
///     click ROW COLUMN, wheel up|down  the mouse, counted from 0
///     clock SECONDS                    time passes
///     progress BYTES [TOTAL]           of the latest load
///     deliver began|loaded|newer|checked|failed NAME [LOAD]
///                                      for the latest load, or for the one with a number
///     screen                           followed by the expected rows, each after `|`
///     cursor                           followed by its row and column, counted from 0, after `@`
///     styles                           followed by the rows with one letter for the role of each
///                                      cell, each after `:`
///     effects                          followed by the effects since then, each after `>`
///
///     download NUMBER RECEIVED [TOTAL] | done PATH LENGTH TYPE | exists PATH | failed WORDS
///     enclosures NUMBER COUNT RECEIVED [TOTAL] | done FETCHED WAITING | failed URL | refused TEXT
///                                      a report about the enclosures of feeds
///     offer URL TYPE SIZE [NAME]       the latest load finds a file to save (`-`: unknown size)
///     completed TYPED [ADDRESS[|TITLE]...]
///                                      the result of a lookup of saved URLs
///     asking HOST                      a web archive is queried
///     lost [ended] ADDRESS...          pages open in a process that crashed or got a signal
///     settings LINE|LINE...            the settings file after editing
///     signal NUMBER                    a signal that ends the program
///     changed                          a change in the library
///     library complete|partial         the contents of a pending list (`set slow-lists`)
///     excess [SIZE MAXIMUM]            the size of pinned pages exceeds that of the archive
///     queued NUMBER, arrived URL...    reports about the queue
///     versions URL                     the saved versions of a page (`set slow-lists`)
///     drawn [...]                      the requested images, see `ScriptRun.draw`
///     edited CONTROL [TEXT]            the text of a control after editing, `|` for line ends
///     `told TEXT`, `fails TEXT`        the result of an effect; the failure of a pending list
///
/// Attributes of a page:
///
///     kept                      pinned
///     queued                    in the queue and not saved
///     read=PERCENT, tags=A,B    the reading progress and the tags in the library
///     unsaved                   not saved
///     file                      a local file
///     book                      a local or imported file in the library
///     from=FILE                 saved in a file that another device wrote
///     archive=HOST              from the web archive of this host
///     waits                     loaded only by `deliver`
///     fails                     cannot be loaded
///     version=ID                a saved version, the newest first
///     damaged                   a version that cannot be read
///     redirects=URL,URL         the redirects that led to the page
///     saved=REASON              a saved copy, shown for this reason
///     fresh                     within its freshness lifetime
///     date=ISO                  the date of the content
///     checked=ISO               the date of the last check
///     failure=REASON            the failure of the last check
///     older=N                   the number of older versions
///     asked=URL                 the requested URL
///     status=N                  the status code
///     notice=TEXT               a notice, with underscores for spaces
///     realm=TEXT                requires authentication; with underscores for spaces
///     attachment=TYPE           represents content that is not text
///     part                      a chapter of a book; the first one is its table of contents
///     feed=ID                   an item of the feed with this name, in the order of the pages
///     collection=ID             in a collection with this name, in the order of the pages
///     Cache-Status=TEXT, Content-Type=TEXT, Last-Modified=TEXT
///                               header fields, with underscores for spaces
struct ScriptFile {
  struct TestPage {
    var page: Page
    var waits = false
    var fails = false
    var isDamaged = false
    var isPart = false
    /// The collection that the page is in, or nil.
    var collection: String?
    /// The feed of which the page is an item, or nil.
    var feed: String?
    /// The library data of the page, or nil if there is none.
    var row: LibraryContents.Row?
  }

  enum Step {
    case perform(verb: String, text: String)
    case expect(kind: String, line: Int)
  }

  private(set) var pages: [String: TestPage] = [:]
  private(set) var order: [String] = []
  private(set) var steps: [(source: [String], step: Step?)] = []

  init(_ text: String) throws {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
    while let line = lines.popFirst() {
      let verb = String(line.prefix { $0 != " " })
      let content = String(line.dropFirst(verb.count + 1))
      switch verb {
      case "", "#": steps.append(([line], nil))
      case "page":
        var body: [String] = []
        while let next = lines.popFirst(), next != "." { body.append(next) }
        try addPage(content, html: body.joined(separator: "\n"))
        steps.append(([line] + body + ["."], nil))
      case "screen", "styles", "effects", "cursor":
        let marker = ["screen": "|", "styles": ":", "cursor": "@"][verb] ?? ">"
        while let next = lines.first, next.hasPrefix(marker) { lines.removeFirst() }
        steps.append(([line], .expect(kind: verb, line: steps.count)))
      default: steps.append(([line], .perform(verb: verb, text: content)))
      }
    }
    makeBook()
  }

  /// Links the parts of a book to each other.
  private mutating func makeBook() {
    let book = order.filter { pages[$0]?.isPart == true }
    let documents = book.compactMap { pages[$0]?.page }
    for (position, name) in book.enumerated() {
      pages[name]?.page.parts = PartList(
        title: documents[0].document.title, contentsURL: documents[0].url,
        parts: documents.dropFirst().map { .init(url: $0.url, title: $0.document.title) },
        index: position == 0 ? nil : position - 1)
    }
  }

  /// Returns whether a term occurs in a part of the book.
  func part(at url: DocumentAddress, contains terms: [String]) -> Bool {
    let document = order.lazy.compactMap { pages[$0]?.page }.first { $0.url == url }?.document
    return terms.contains { document?.offsets(of: $0, maxMatches: 1).isEmpty == false }
  }

  private mutating func addPage(_ text: String, html: String) throws {
    let parts = text.split(separator: " ").map(String.init)
    let name = parts[0]
    let url = parts[1]
    var attributes: [String: String] = [:]
    for part in parts.dropFirst(2) {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      attributes[pair[0]] = pair.count > 1 ? pair[1] : ""
    }
    let document = Document(
      bytes: Array(html.utf8), mediaType: "text/html", charset: "utf-8", url: url)
    var provenance = Provenance(source: .network)
    if let reason = attributes["saved"] {
      provenance.source = .saved(try #require(Self.reasons[reason], "reason \(reason)"))
    }
    if attributes["fresh"] != nil {
      if attributes["saved"] == nil { provenance.source = .fresh }
      provenance.isFresh = true
    }
    if attributes["file"] != nil { provenance.source = .file }
    if attributes["fails"] != nil, attributes["attachment"] == nil {
      provenance.source = .explanation
    }
    if let date = attributes["date"] { provenance.contentDate = try Date(date, strategy: .iso8601) }
    if let checked = attributes["checked"] {
      let failure = try attributes["failure"].map { try #require(Self.reasons[$0], "\($0)") }
      provenance.lastCheck = .init(
        date: try Date(checked, strategy: .iso8601), failure: failure)
    }
    provenance.importedFile = attributes["from"]
    provenance.archiveHost = attributes["archive"]
    provenance.olderVersions = Int(attributes["older"] ?? "") ?? 0
    var page = TestPage(
      page: Page(
        requestedURL: DocumentAddress(attributes["asked"] ?? url), url: DocumentAddress(url),
        document: document,
        provenance: provenance, length: html.utf8.count,
        status: attributes["status"].flatMap { Int($0) } ?? 200,
        signIn: try attributes["realm"].map {
          SignIn(url: try #require(WebURL(url)), realm: $0.replacingOccurrences(of: "_", with: " "))
        },
        content: try PageContent(
          Array(html.utf8), type: MediaType("text/html; charset=utf-8"), limit: 1 << 20),
        notices: attributes["notice"].map { [$0.replacingOccurrences(of: "_", with: " ")] } ?? []))
    if let type = attributes["attachment"] {
      var attachment = Attachment(url: url, mediaType: type, length: html.utf8.count)
      attachment.version = attributes["version"]
      if attributes["unsaved"] != nil { attachment.content = Array(html.utf8) }
      page.page.attachment = attachment
    }
    page.waits = attributes["waits"] != nil
    page.isPart = attributes["part"] != nil
    (page.collection, page.feed) = (attributes["collection"], attributes["feed"])
    page.fails = attributes["fails"] != nil
    page.isDamaged = attributes["damaged"] != nil
    page.page.loadTrace.version = attributes["version"]
    page.page.loadTrace.redirects = (attributes["redirects"] ?? "").split(separator: ",").map {
      LoadTrace.Redirect(url: DocumentAddress(String($0)), status: 301)
    }
    for name in ["Cache-Status", "Content-Type", "Last-Modified"] {
      let value = attributes[name]?.replacingOccurrences(of: "_", with: " ")
      if let value { page.page.loadTrace.fields[name] = value }
    }
    page.row = Self.row(of: page.page, attributes)
    pages[name] = page
    order.append(name)
  }

  private static func row(
    of page: Page, _ attributes: [String: String]
  ) -> LibraryContents.Row? {
    guard attributes["unsaved"] == nil, page.url.text.hasPrefix("http") || attributes["book"] != nil
    else { return nil }
    var row = LibraryContents.Row(key: page.url.text)
    row.isQueued = attributes["queued"] != nil
    row.title = page.document.title
    if !row.isQueued, !page.url.hasScheme("file") {
      row.date = page.provenance.contentDate ?? Date(timeIntervalSince1970: 1_795_200_000)
      row.size = Int64(page.length)
    }
    row.isPinned = attributes["kept"] != nil
    row.collections = attributes["collection"].map { [$0] } ?? []
    row.tags = attributes["tags"]?.split(separator: ",").map(String.init) ?? []
    row.reading = attributes["read"].flatMap { Int($0) }.map {
      (Date(timeIntervalSince1970: 1_795_250_000 + Double($0)), $0)
    }
    return row
  }

  /// The contents of the library, with no feeds.
  var library: LibraryContents {
    LibraryContents(rows: order.compactMap { pages[$0]?.row }, collections: collections)
  }

  /// Returns the contents of the library after some pages were marked as read or unread.
  func library(read: [String: Bool]) -> LibraryContents {
    var library = library
    library.unread = UnreadFeeds(feeds(read: read).filter { $0.counts.unread > 0 })
    return library
  }

  /// Returns the rows of the pages of a collection.
  func rows(ofCollection id: String) -> [LibraryContents.Row] {
    order.compactMap { name in
      pages[name].flatMap { page in page.collection == id ? page.row : nil }
    }
  }

  /// The collections of the pages.
  private var collections: [CollectionStatus] {
    var ids: [String] = []
    for id in order.compactMap({ pages[$0]?.collection }) where !ids.contains(id) { ids.append(id) }
    return ids.map { id in
      let rows = rows(ofCollection: id)
      var collection = PageCollection(
        id: id,
        record: PageCollection.Record(
          name: id.capitalized, start: rows.prefix(1).map(\.key), isPinned: true, saved: 0))
      collection.pages = rows.map(\.key)
      var counts = GroupCounts()
      counts.total = rows.count
      counts.read = rows.count { $0.reading != nil }
      counts.missing = rows.count { $0.date == nil }
      (counts.size, counts.date) = (rows.reduce(0) { $0 + $1.size }, rows.compactMap(\.date).max())
      return CollectionStatus(collection: collection, counts: counts)
    }
  }

  /// Returns the collection that a page is in, as a sequence; nil if there is none.
  func sequence(of url: DocumentAddress) -> ReadingSequence? {
    guard let page = order.lazy.compactMap({ pages[$0] }).first(where: { $0.page.url == url }),
      let id = page.collection
    else { return nil }
    let rows = rows(ofCollection: id)
    return ReadingSequence(
      .collection(id), name: id.capitalized,
      items: rows.map { ReadingSequence.Item(url: DocumentAddress($0.key), title: $0.title) },
      index: rows.firstIndex { $0.key == url.text } ?? 0)
  }

  /// Returns the versions of a page, in the order of the file.
  func versions(of url: DocumentAddress) -> PageVersions {
    let all = order.compactMap { pages[$0] }.filter { $0.page.url == url }
      .compactMap { found -> SavedVersion? in
        guard let id = found.page.loadTrace.version else { return nil }
        let page = found.page
        let date = page.provenance.contentDate ?? Date(timeIntervalSince1970: 1_795_200_000)
        return SavedVersion(
          response: StoredResponse(
            id: id, key: url.text, response: ResponseHead(status: page.status), requestTime: date,
            responseTime: date, contentDate: date, payloadDigest: "sha256:ABC",
            length: Int64(page.length)),
          isDamaged: found.isDamaged, segment: "here-20261121-1.warc.gz", offset: 812)
      }
    return PageVersions(
      url: url.text, all: all,
      freshness: all.map { FreshnessTerm(of: $0.response, now: $0.response.contentDate) })
  }

  /// Returns the saved pages that contain a text, as search results.
  func hits(_ content: String) -> [SearchIndex.Hit] {
    order.compactMap { name in
      guard let page = pages[name], let row = page.row, let date = row.date,
        let found = String(decoding: page.page.document.plainText, as: UTF8.self)
          .range(of: content, options: .caseInsensitive)
      else { return nil }
      let text = String(decoding: page.page.document.plainText, as: UTF8.self)
      let start = text.distance(from: text.startIndex, to: found.lowerBound)
      return SearchIndex.Hit(
        key: row.key, title: row.title, date: date,
        snippet: text.replacingOccurrences(of: "\n", with: " "),
        matches: [start..<start + content.count])
    }
  }

  private static let reasons: [String: SavedReason] = [
    "no-network": .failure(.noNetwork), "host-not-found": .failure(.hostNotFound),
    "refused": .failure(.connectionRefused), "unreachable": .failure(.hostUnreachable),
    "timed-out": .failure(.timedOut), "503": .status(503), "404": .status(404),
    "401": .status(401), "sign-in": .signInPage, "incomplete": .failure(.incomplete),
    "not-trusted": .failure(.notTrusted), "offline": .offlineMode, "waiting": .waiting,
    "requested": .requested, "rendered": .rendered(by: "chromium 156"),
  ]

  /// Returns the response to a request; nil if it waits for `deliver`, as do all requests to web
  /// archives and those for pages rendered in a browser.
  func response(to request: LoadRequest) -> LoadEvent? {
    guard request.mementoDate == nil, !request.isRendered else { return nil }
    let wanted = request.target.prefix { $0 != "#" }
    let found = order.compactMap { pages[$0] }.first {
      (request.options.copy == .latest
        || .id($0.page.loadTrace.version ?? "") == request.options.copy)
        && [$0.page.url, $0.page.requestedURL].contains { $0.withoutFragment.text == wanted }
    }
    guard var found else {
      return .failed(.notSaved(url: request.target), explanation: missing(request))
    }
    guard !found.waits else { return nil }
    if request.target.contains("#") { found.page.requestedURL = DocumentAddress(request.target) }
    // If the server redirected, the page is not the response to the content that was sent.
    if found.page.requestedURL == found.page.url { found.page.sentForm = request.content }
    return found.fails
      ? .failed(.notSaved(url: request.target), explanation: found.page) : .loaded(found.page)
  }

  private func missing(_ request: LoadRequest) -> Page {
    let html = "<title>no page</title><h1>No page</h1><p>Nothing is saved."
    return Page(
      requestedURL: DocumentAddress(request.target), url: DocumentAddress(request.target),
      document: Document(
        bytes: Array(html.utf8), mediaType: "text/html", charset: "utf-8", url: request.target),
      provenance: Provenance(source: .explanation))
  }
}
