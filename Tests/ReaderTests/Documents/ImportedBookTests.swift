@testable import LocalDocuments
@testable import Saving
import Dispatch
import Document
import Feeds
import Foundation
import Library
import OfflineCache
import ReaderMode
import Synchronization
import TestNetwork
import TestSupport
import Testing
import WARC

@testable import Pages
@testable import Profiles
@testable import Reader
@testable import Rendering

/// Books stored in the library.
@Suite final class ImportedBookTests {
  private let files: TestProfile
  private let network = SiteNetwork()
  private static let date = Date(timeIntervalSince1970: 1_700_000_000)

  init() throws {
    files = try TestProfile()
    try FileManager.default.createDirectory(at: files.directory, withIntermediateDirectories: true)
  }

  private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let url = files.directory.appendingPathComponent(name)
    try Data(bytes).write(to: url)
    return url.path
  }

  private func using<Value>(_ work: (Profile) throws -> Value) rethrows -> Value {
    let profile = files.open(network)
    defer { profile.close() }
    return try work(profile)
  }

  /// Imports the test book, whose file is deleted afterwards.
  /// - Returns: The URL of the book.
  @discardableResult
  private func importBook(_ book: TestBook = TestBook(), tags: [String] = []) throws -> String {
    let path = try write("a.epub", book.bytes)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try using { profile in
      try LibraryImport(into: profile, now: Self.date).run(path, tags: tags).address
    }
  }

  private func load(_ request: LoadRequest) -> (page: Page?, error: ReaderError?) {
    using { profile in
      let end = DispatchSemaphore(value: 0)
      let result = Mutex<(page: Page?, error: ReaderError?)>((nil, nil))
      let load = PageLoader(profile: profile, keepsContent: true).load(request) { event in
        switch event {
        case .loaded(let page): result.withLock { $0 = (page, nil) }
        case .failed(let error, _): result.withLock { $0 = (nil, error) }
        case .progressed, .asking, .offered, .began, .newer, .checked: return
        }
        end.signal()
      }
      end.wait()
      withExtendedLifetime(load) {}
      return result.withLock { $0 }
    }
  }

  private func hits(_ text: String) throws -> [SearchIndex.Hit] {
    try using { profile in
      try profile.search.catchUp()
      return try profile.search.search(SearchQuery(text, timeZone: .current), limit: 9)
    }
  }

  @Test func `an imported book is read by its URL after its file is deleted`() throws {
    let url = try importBook()
    let contents = try #require(load(LoadRequest(url)).page)
    #expect(contents.url.text == url && contents.document.title == "The Book")
    #expect(contents.provenance.source == .saved(.imported))
    #expect(contents.provenance.contentDate == Self.date && !contents.provenance.isFresh)
    let one = url + "OEBPS/text/one.xhtml"
    let first = try #require(load(LoadRequest(one, origin: .link(from: DocumentAddress(url)))).page)
    #expect(first.document.title == "One & first – The Book")
    #expect(first.parts?.url(1)?.text == url + "OEBPS/text/two.xhtml")
    let links = first.document.links.indices.compactMap { first.document.url(ofLink: $0) }
    #expect(links.contains(url + "OEBPS/text/two.xhtml#z"))
    // No path leads out of the book.
    #expect(links.contains(url + "etc/passwd"))
    #expect(network.requests.isEmpty)
  }

  @Test func `parts are read without links to other parts, from a file and from the library`()
    throws
  {
    let url = try importBook()
    let path = try write("b.epub", TestBook().bytes)
    try using { profile in
      let loader = PageLoader(profile: profile)
      for book in [url, Address.fileURL(path: path) + "/"] {
        let page = try loader.part(
          at: DocumentAddress(book + "OEBPS/text/two.xhtml"), options: LoadOptions())
        let text = String(decoding: page.document.plainText, as: UTF8.self)
        #expect(text.contains("Words of two.") && !text.contains("first"))
      }
      for invalid in ["https://a.test/", "file:///no/such.epub/one.xhtml", "", "book://0/one"] {
        #expect(throws: ReaderError.self) {
          try loader.part(at: DocumentAddress(invalid), options: LoadOptions())
        }
      }
    }
    #expect(network.requests.isEmpty)
  }

  @Test func `a part that cannot be read is an error, not a page that explains it`() throws {
    var book = TestBook()
    book.files.removeAll { $0.path == "OEBPS/text/one.xhtml" }
    let url = try importBook(book)
    let path = try write("b.epub", book.bytes)
    try using { profile in
      let loader = PageLoader(profile: profile)
      for book in [url, Address.fileURL(path: path) + "/"] {
        #expect(throws: ReaderError.self) {
          try loader.part(
            at: DocumentAddress(book + "OEBPS/text/one.xhtml"), options: LoadOptions())
        }
        _ = try loader.part(
          at: DocumentAddress(book + "OEBPS/text/two.xhtml"), options: LoadOptions())
      }
      let parts = ["one", "two"].map { url + "OEBPS/text/\($0).xhtml" }
      let saved = parts.map { profile.savedDocument(of: $0, as: .page, limit: 1 << 20) }
      #expect(saved[0] == nil && saved[1] != nil)
    }
  }

  @Test func `a book has the same URL on every device, and is stored once`() throws {
    let url = try importBook()
    #expect(try importBook() == url)
    let bytes = TestBook().bytes
    let digest = Hexadecimal.text(DigestBuilder.bytes(of: bytes, .sha256))
    #expect(url == "book://\(digest.prefix(32))/")
    try using { profile in
      let saved = try profile.cache.archive.captures(of: url)
      #expect(saved.count == 1 && saved[0].importedFile == nil)
      #expect(try profile.cache.archive.body(of: saved[0]).rest() == bytes)
      #expect(try profile.cache.archive.record(of: saved[0])?.kind == .resource)
      #expect(try profile.cache.archive.recordedCaptures(after: 0, limit: 9) == nil)
    }
  }

  @Test func `an imported book is a pinned page with title and tags, which no sync requests`()
    throws
  {
    let url = try importBook(tags: ["sea"])
    try using { profile in
      let page = try profile.library.page(url)
      #expect(page.pinnedDate != nil && page.title == "The Book" && page.tags == ["sea"])
      let plan = try SyncPlan(of: profile, now: Self.date + 1e8)
      #expect(plan.isEmpty && plan.notDueCount == 0)
      try profile.search.catchUp()
      let rows = try LibraryContents(of: profile).rows
      #expect(rows.map(\.key) == [url] && rows[0].title == "The Book")
      #expect(rows[0].date == Self.date && rows[0].isPinned && rows[0].size > 0)
    }
  }

  @Test func `a search finds the part that contains the words`() throws {
    let url = try importBook(tags: ["sea"])
    for text in ["\"words of two\"", "tag:sea \"of two\"", "words two"] {
      let hits = try hits(text)
      #expect(hits.map(\.key) == [url + "OEBPS/text/two.xhtml"], "\(text)")
      #expect(hits.first?.snippet.contains("Words of two.") == true)
    }
    #expect(try hits("bea").map(\.key) == [url])
    let hit = try #require(try hits("words two").first)
    #expect(hit.date == Self.date && hit.title == "Two – The Book")
    #expect(load(LoadRequest(hit.url)).page?.url.text == hit.url)
  }

  @Test func `a removed book is in no file, and can be imported again`() throws {
    let url = try importBook()
    let part = url + "OEBPS/text/two.xhtml"
    try using { profile in
      try profile.search.catchUp()
      let document = try #require(
        profile.savedDocument(of: part, as: .page, limit: 1 << 20))
      try profile.readingLog.append(
        ReadingLog.Record(
          url: part, title: "Two", date: Self.date, percent: 50,
          anchor: TextAnchor(at: 0, in: document, blocks: 1)))
      let passage = try #require(
        Highlight(0..<UInt32(document.text.count), of: document, date: Self.date))
      try profile.library.record([LibraryChange(part, .highlight(passage.id), passage.value)])
      let page = HighlightedPage(try profile.library.page(part), in: profile)
      #expect(page.isSaved && page.highlights.first?.range != nil)
      // The URL of a part works, too.
      let outcome = try PageRemoval(from: profile).remove(part)
      #expect(outcome.removal.key == url && outcome.removal.versions == 1 && outcome.wasInLibrary)
      #expect(profile.readingLog.recent(limit: 9).isEmpty)
      #expect(try profile.library.highlightedPages().isEmpty)
      #expect(try LibraryContents(of: profile).rows.isEmpty)
    }
    #expect(try hits("words").isEmpty)
    #expect(load(LoadRequest(url)).page == nil)
    for name in try FileManager.default.subpathsOfDirectory(atPath: files.directory.path) {
      let bytes = try? Data(contentsOf: files.directory.appendingPathComponent(name))
      #expect(bytes?.range(of: Data("Words of".utf8)) == nil, "\(name)")
    }
    #expect(try importBook() == url)
    #expect(load(LoadRequest(part)).page != nil)
  }

  @Test func `a hidden book is neither listed nor found, and can be restored`() throws {
    let url = try importBook()
    _ = try hits("words")
    let part = url + "OEBPS/text/one.xhtml"
    #expect(try using { try PageRemoval(from: $0).hide([part]) } == [])
    #expect(try hits("words").isEmpty)
    #expect(try using { try LibraryContents(of: $0).rows }.isEmpty)
    #expect(try importBook() == url)
    #expect(try hits("words").count == 2)
  }

  @Test func `a bundle carries a book to another device`() throws {
    let url = try importBook(tags: ["sea"])
    var bytes: [UInt8] = []
    try using { _ = try LibraryBundle(of: $0).write(now: Date()) { bytes += $0 } }
    let other = try TestProfile(device: "other-1")
    try FileManager.default.createDirectory(at: other.directory, withIntermediateDirectories: true)
    let path = other.directory.appendingPathComponent("b.tar").path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let profile = other.open(network)
    defer { profile.close() }
    _ = try LibraryImport(into: profile, appliesChanges: true).run(path)
    #expect(try profile.library.page(url).tags == ["sea"])
    #expect(try profile.book(url).file.url.text == url)
    #expect(try profile.book(url).stored.contentDate == Self.date)
  }

  @Test func `an imported record with the URL of a book is not accepted as a book`() throws {
    let key = "book://" + String(repeating: "0", count: 32) + "/"
    let path = try write("x.warc", [])
    var bytes: [UInt8] = []
    var record = WARCRecord(
      .resource, date: Self.date, targetURI: key, contentType: "application/epub+zip")
    record.fields.append("Offread-Key", key)
    try WARCWriter(compression: .none).write(record, block: TestBook().bytes) { bytes += $0 }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    _ = try using { try LibraryImport(into: $0).run(path) }
    let text = load(LoadRequest(key)).error?.description
    #expect(text?.contains("does not match the digest in its URL") == true)
    #expect(try hits("words").isEmpty)
  }

  @Test(arguments: [
    "http://a.test/", "file:///a", "about:manual", "book://ffffffffffffffffffffffffffffffff/",
  ])
  func `only the pages of a book can link to it`(_ page: String) throws {
    let page = DocumentAddress(page)
    let url = try importBook()
    #expect(throws: ReaderError.forbiddenTarget(url)) { try Address(link: url, from: page) }
    #expect(throws: ReaderError.self) {
      try Address(link: "file:///etc/passwd", from: DocumentAddress(url))
    }
  }

  @Test(arguments: ["book:x", "book://x/", "book://", "book:///a", "book://0/OEBPS"])
  func `an invalid digest is not a book URL`(_ text: String) {
    #expect(BookAddress(text) == nil)
    #expect(throws: ReaderError.invalidURL(text)) { try Address(typed: text) }
  }

  @Test func `an unreadable file is not stored`() throws {
    var book = TestBook()
    book.files.removeAll { $0.path.hasSuffix(".opf") }
    #expect(throws: ReaderError.self) { try importBook(book) }
    #expect(try using { try $0.library.pages(with: .pinned) }.isEmpty)
  }
}
