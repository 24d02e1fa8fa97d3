import Dispatch
package import Foundation
package import Document
import Formats
package import ReaderMode
package import OfflineCache
import Synchronization

/// Looks for words in the pages that are saved.
///
/// The index follows the archive: before each search it takes what was saved since. Every method
/// blocks and may be called from any thread; several processes may use the same index at once.
package final class SearchIndex: Sendable {
  private let path: URL
  private let cache: HTTPCache
  private let library: PageLibrary
  private let reading: Reading
  private let note: @Sendable (String) -> Void
  private let state = Mutex(State())

  private struct State {
    var store: SearchStore?
    /// The file that it is in, as it was when it was opened.
    var file: OpenFile.Status?
  }

  /// Makes documents of a version that is saved and gives each under its key: one, of a book one
  /// for each of its parts, or only that of a key; of so many bytes at most; throws when it is no
  /// text.
  package typealias Reading =
    @Sendable (
      _ stored: StoredResponse, _ key: String?, _ view: ReadingView, _ limit: Int64,
      _ take: (String, Document) -> Void
    ) throws -> Void

  /// Names an index; nothing is opened yet.
  /// - Parameters:
  ///   - path: the file it is in.
  ///   - cache: whose pages are looked for.
  ///   - library: what a person wrote about them.
  ///   - reading: how a version is read.
  ///   - note: told what has happened to the index that a person should hear of.
  package init(
    path: URL, cache: HTTPCache, library: PageLibrary, reading: @escaping Reading,
    note: @escaping @Sendable (String) -> Void
  ) {
    self.path = path
    self.cache = cache
    self.library = library
    self.reading = reading
    self.note = note
  }

  /// The version of the tables in its database.
  package static let databaseVersion = SearchStore.schemaVersion

  /// How far the catching up is: rows of the archive's index.
  package struct Progress: Sendable {
    /// Rows that were looked at, and those there are.
    package var done: Int64
    package var total: Int64
  }

  /// Takes what was saved since the last time.
  /// - Parameter progress: told how far it is; false stops it, and the next time goes on.
  /// - Throws: `ArchiveError`; `.stopped` when it was stopped.
  package func catchUp(progress: (Progress) -> Bool = { _ in true }) throws(ArchiveError) {
    // What is there is searched.
    guard !isReadOnly else { return }
    try healing(progress) {
      try follow(progress)
      // What was replaced takes more room than what is there: built again, it has the latest only.
      let (pages, stale) = try using { store in try store.counts() }
      guard stale > 1000, stale > pages else { return }
      try using { store in try store.clear() }
      try follow(progress)
    }
  }

  /// Builds the index again, where there is one; the old one is put aside and not opened.
  /// - Parameter progress: told how far it is; false stops it, and the next search goes on.
  /// - Throws: `ArchiveError`; `.stopped` when it was stopped.
  package func rebuild(progress: (Progress) -> Bool) throws(ArchiveError) {
    guard try LocalFileSystem().status(of: path.path) != nil else { return }
    close()
    do {
      try RebuildableDatabase.replace(path.path)
    } catch {
      throw ErrorWords.archiveError(error, of: "the search index")
    }
    try catchUp(progress: progress)
  }

  private func follow(_ progress: (Progress) -> Bool) throws {
    let archive = cache.archive
    let last = try archive.lastRow()
    var done = try using { store in try store.progress() }
    if done.row > 0 {
      // Rows begin anew when the archive's index was built again; then each is looked at once more.
      let known = try archive.readVersions(after: done.row - 1, limit: 1).first
      if known?.row != done.row || known?.stored.id != done.record { done = SearchStore.Progress() }
    }
    var entries: [SearchStore.Entry] = []
    var size = 0
    func write() throws {
      let (taken, reached) = (entries, done)
      try using { store in try store.take(taken, reached) }
      (entries, size) = ([], 0)
    }
    while true {
      let isWanted = progress(Progress(done: done.row, total: last))
      let versions = isWanted ? try archive.readVersions(after: done.row, limit: Self.batch) : []
      guard let end = versions.last else {
        entries += try entriesTriedAgain()
        if !entries.isEmpty { try write() }
        guard isWanted else { throw ArchiveError.stopped }
        return
      }
      done = SearchStore.Progress(row: end.row, record: end.stored.id)
      let ids = versions.map(\.stored.id)
      let known = try using { store in try store.contains(ids) }
      let new = try sources(
        of: versions.map(\.stored).filter { !known.contains($0.id) && Self.isWanted($0) })
      let read = self.entries(of: new)
      entries += read
      size += read.reduce(0) { $0 + $1.text.utf8.count + $1.rest.utf8.count }
      if size >= Self.pieceSize { try write() }
    }
  }

  /// The entries of pages that another version of the program could not read, which are behind
  /// already.
  private func entriesTriedAgain() throws -> [SearchStore.Entry] {
    let sources = try PageWatch.triedAgain.compactMap { try source(of: $0) }
    guard !sources.isEmpty else { return [] }
    let known = try using { store in try store.contains(sources.map(\.record)) }
    return entries(of: sources.filter { Self.isWanted($0.stored) && !known.contains($0.record) })
  }

  /// What the text of a page is taken from.
  private struct Source {
    /// The version of the page.
    var stored: StoredResponse
    /// What a browser has made of it last, or nil.
    var rendered: StoredResponse?

    /// The ids of both.
    var record: String {
      ([stored] + (rendered.map { [$0] } ?? [])).map(\.id).joined(separator: " ")
    }
  }

  /// The pages of some versions as they are now, each once, without those that the index has: where
  /// a version is not the latest good one, that comes by itself.
  private func sources(of versions: [StoredResponse]) throws -> [Source] {
    var sources: [Source] = []
    var seen: Set<String> = []
    let ids = Set(versions.map(\.id))
    for version in versions {
      let key = RenderedPage.page(of: version.key) ?? version.key
      guard !seen.contains(key), let source = try source(of: key),
        ids.contains(source.stored.id) || source.rendered.map({ ids.contains($0.id) }) ?? false
      else { continue }
      seen.insert(key)
      sources.append(source)
    }
    let records = sources.filter { $0.rendered != nil }.map(\.record)
    let known = records.isEmpty ? [] : try using { store in try store.contains(records) }
    return sources.filter { !known.contains($0.record) }
  }

  private func source(of key: String) throws(ArchiveError) -> Source? {
    guard let stored = try cache.archive.captures(of: key).first(where: \.isGood) else {
      return nil
    }
    let rendered = try cache.archive.known(of: RenderedPage.key(of: key)).first {
      Self.isWanted($0)
    }
    return Source(stored: stored, rendered: rendered)
  }

  /// One page that was found.
  package struct Hit: Sendable, Equatable {
    /// The page: its cache key.
    package var key: String
    /// Its title, or empty.
    package var title: String
    /// When its content is from.
    package var date: Date
    /// A piece of the text with the words, or its beginning.
    package var snippet: String
    /// Where the words are in the snippet, in characters.
    package var matches: [Range<Int>]
    /// The name of the file that it is in; empty for a page of the web.
    package var file: String

    /// Makes a hit; see the members.
    package init(
      key: String, title: String, date: Date, snippet: String, matches: [Range<Int>],
      file: String = ""
    ) {
      self.key = key
      self.title = title
      self.date = date
      self.snippet = snippet
      self.matches = matches
      self.file = file
    }

    /// The URL that opens the page at the position where the search terms are nearest to each
    /// other.
    package var address: String {
      let characters = Array(snippet)
      return TextFragment.url(key, terms: matches.map { String(characters[$0]) })
    }
  }

  /// Looks for pages.
  /// - Parameters:
  ///   - query: what is looked for.
  ///   - limit: the most that are given.
  /// - Returns: the pages, the best first.
  /// - Throws: `ArchiveError`.
  package func search(_ query: SearchQuery, limit: Int) throws(ArchiveError) -> [Hit] {
    try healing { try found(query, limit: limit) }
  }

  private func found(_ query: SearchQuery, limit: Int) throws -> [Hit] {
    var keys: Set<String>?
    let own = try AnnotationSearch(library)
    for tag in query.tags {
      let pages = try own.pages(tagged: tag)
      // A book has its tags for all its parts.
      let tagged = try using { store in try store.withParts(pages) }
      keys = keys.map { $0.intersection(tagged) } ?? tagged
    }
    let wanted = keys
    let ids = try using { store in try store.matches(query, own, among: wanted, atLeast: limit) }
    // What waits to be removed is hidden.
    let hidden = Set(try library.keys(with: .removed))
    var found: [(SearchStore.Page, Source)] = []
    var rest = ids[...]
    while found.count < limit, !rest.isEmpty {
      let next = rest.prefix(limit - found.count)
      rest = rest.dropFirst(next.count)
      for page in try using({ store in try store.pages(next) }) {
        let key = BookAddress.key(of: page.key)
        // What was removed meanwhile, here or on another machine, is not found.
        guard !hidden.contains(key), let source = try source(of: key) else { continue }
        found.append((page, source))
      }
    }
    return hits(found, query)
  }

  /// The pages that were saved last, as far as the index follows the archive.
  /// - Parameter limit: the most that are given.
  /// - Returns: their keys, titles and dates, the newest first.
  /// - Throws: `ArchiveError`.
  package func recent(
    limit: Int
  ) throws(ArchiveError) -> [(key: String, title: String, date: Date)] {
    try healing { try using { store in try store.latest(limit) } }.map { page in
      (page.key, page.title, Date(timeIntervalSince1970: Double(page.date) / 1000))
    }
  }

  /// The saved pages whose titles or addresses have words that begin as some text does, as far as
  /// the index follows the archive.
  /// - Parameters:
  ///   - typed: words, or parts of an address.
  ///   - limit: the most that are given.
  /// - Returns: their keys and titles, the newest first.
  /// - Throws: `ArchiveError`.
  package func completions(
    of typed: String, limit: Int
  ) throws(ArchiveError) -> [(key: String, title: String)] {
    try healing { try using { store in try store.completions(of: typed, limit: limit) } }
  }

  /// The titles of saved pages, as far as the index follows the archive.
  /// - Throws: `ArchiveError`.
  package func titles(of keys: [String]) throws(ArchiveError) -> [String: String] {
    try healing { try using { store in try store.titles(of: keys) } }
  }

  /// Takes pages out, words and all; to be called while the archive still has them.
  /// - Throws: `ArchiveError`.
  package func remove(_ keys: [String]) throws(ArchiveError) {
    try RebuildableDatabase.removeDamaged(path.path)
    try healing { try take(out: keys) }
  }

  private func take(out keys: [String]) throws {
    guard try LocalFileSystem().status(of: path.path) != nil else { return }
    // Words of versions that were replaced cannot be told from those of others.
    let hasOld = try using { store in try store.counts().stale > 0 }
    var texts: [SearchStore.Entry] = []
    var isEmpty = true
    for key in keys {
      let pages = try using { store in try store.pages(of: key) }
      guard let page = pages.first else { continue }
      guard !hasOld, let source = try source(of: key), source.record == page.record
      else { return try using { store in try store.clear() } }
      let entries = entries(of: source)
      guard Set(entries.map(\.page)) == Set(pages) else {
        return try using { store in try store.clear() }
      }
      texts += entries
      isEmpty = false
      guard texts.count >= Self.batch else { continue }
      try using { store in try store.remove(texts) }
      texts = []
    }
    guard !isEmpty else { return }
    try using { store in
      try store.remove(texts)
      try store.settle()
    }
  }

  /// Whether nothing is written, also not here.
  private var isReadOnly: Bool { cache.configuration.isReadOnly }

  /// Closes the index.
  package func close() {
    let store = state.withLock { state in
      defer { state.store = nil }
      return state.store
    }
    store?.close()
  }

  // MARK: The text of pages

  private static let batch = 128
  /// About how many bytes of text are taken into the index together.
  private static let pieceSize = 4 << 20
  /// Pages longer than this, in bytes, are looked for by the beginning of their text.
  private static let readLimit: Int64 = 20 << 20
  private static let textLimit = 4 << 20

  /// Whether a version is that of a page: what pages are made of is not looked for.
  private static func isWanted(_ stored: StoredResponse) -> Bool {
    guard (200..<300).contains(stored.response.status), stored.length > 0,
      stored.length <= readLimit || BookAddress(stored.key) != nil,
      !stored.key.hasSuffix("/robots.txt")
    else { return false }
    let type = MediaType(stored.response.fields["Content-Type"])
    let programs = ["text/css", "text/javascript", "application/javascript", "application/json"]
    return !programs.contains(type.essence)
      && !["image/", "audio/", "video/", "font/"].contains { type.essence.hasPrefix($0) }
  }

  private func entries(of sources: [Source]) -> [SearchStore.Entry] {
    let entries = Mutex([[SearchStore.Entry]](repeating: [], count: sources.count))
    DispatchQueue.concurrentPerform(iterations: sources.count) { index in
      let found = self.entries(of: sources[index])
      entries.withLock { $0[index] = found }
    }
    return entries.withLock { $0 }.flatMap(\.self)
  }

  /// What the index has of a page: nothing of what is no text, of a book its contents and each of
  /// its parts.
  private func entries(of source: Source) -> [SearchStore.Entry] {
    PageWatch.process(source.stored.key) { watchedEntries(of: source) } ?? []
  }

  private func watchedEntries(of source: Source) -> [SearchStore.Entry] {
    var entries: [SearchStore.Entry] = []
    let view = ReadingView.reader(
      ReaderOptions(
        keepsMedia: false, showsMetadata: false, offersNextPage: false, gathersFacts: false,
        foldsNavigation: false))
    read(source, as: view) { key, document in
      let page = SearchStore.Page(
        key: key, record: source.record,
        site: BookAddress(key) == nil ? WebURL(key)?.host ?? "" : "", title: document.title,
        date: Int64((source.stored.contentDate.timeIntervalSince1970 * 1000).rounded()))
      let text = document.plainText.prefix(Self.textLimit)
      entries.append(SearchStore.Entry(page: page, text: String(decoding: text, as: UTF8.self)))
    }
    // The parts of a book are content as they are.
    if entries.count == 1, BookAddress(entries[0].page.key) == nil {
      read(source, as: .page) { _, document in
        entries[0].rest = SearchText.rest(of: document.plainText, beside: entries[0].text)
      }
    }
    return entries
  }

  /// Reads a page. Where a browser has made more text of it than it has itself, that is its text.
  private func read(
    _ source: Source, only key: String? = nil, as view: ReadingView,
    take: (String, Document) -> Void
  ) {
    guard let rendered = source.rendered else {
      try? reading(source.stored, key, view, Self.readLimit, take)
      return
    }
    var best: Document?
    for stored in [source.stored, rendered] {
      try? reading(stored, nil, view, Self.readLimit) { _, document in
        guard let known = best else { return best = document }
        if document.text.count > known.text.count { best = document }
      }
    }
    if let best { take(source.stored.key, best) }
  }

  private func hits(_ found: [(SearchStore.Page, Source)], _ query: SearchQuery) -> [Hit] {
    let hits = Mutex([Hit?](repeating: nil, count: found.count))
    DispatchQueue.concurrentPerform(iterations: found.count) { index in
      let (page, source) = found[index]
      var snippet = Snippet(of: "", query)
      _ = PageWatch.process(source.stored.key) {
        read(source, only: page.key, as: .page) { _, document in
          snippet = Snippet(of: document, query)
        }
      }
      let hit = Hit(
        key: page.key, title: page.title,
        date: Date(timeIntervalSince1970: Double(page.date) / 1000), snippet: snippet.text,
        matches: snippet.matches)
      hits.withLock { $0[index] = hit }
    }
    return hits.withLock { $0 }.compactMap(\.self)
  }

  // MARK: The file

  /// Does something with the index. When that is found to be damaged, it is built again from the
  /// archive, once, and then it is done again.
  private func healing<Value>(
    _ progress: (Progress) -> Bool = { _ in true }, _ work: () throws -> Value
  ) throws(ArchiveError) -> Value {
    do {
      do {
        return try work()
      } catch is DatabaseDamage {
        try putAside()
        try follow(progress)
        return try work()
      }
    } catch let error as ArchiveError {
      throw error
    } catch is DatabaseDamage {
      throw .unreadable("the search index is damaged")
    } catch {
      throw ErrorWords.archiveError(error, of: "the search index")
    }
  }

  private func putAside() throws {
    try state.withLock { state in
      state.store?.close()
      state.store = nil
      let damaged = state.file
      if try open(&state, insteadOf: damaged) {
        note("the search index was built again: it was damaged")
      }
    }
  }

  private func using<Value: Sendable>(_ use: (SearchStore) throws -> Value) throws -> Value {
    try state.withLock { state in
      if state.store == nil { try open(&state) }
      guard let store = state.store else { throw DatabaseDamage() }
      return try use(store)
    }
  }

  /// Opens the store in its file; in memory when there can be none.
  /// - Returns: whether a damaged file was put aside.
  @discardableResult
  private func open(_ state: inout State, insteadOf damaged: OpenFile.Status? = nil) throws -> Bool
  {
    if isReadOnly {
      // Without a log of changes nobody writes to it.
      let log = try LocalFileSystem().status(of: path.path + "-wal")
      let access: RebuildableDatabase.Access = (log?.size ?? 0) > 0 ? .watching : .asItIs
      state.store = try (try? SearchStore(path: path.path, access)) ?? SearchStore(path: nil)
      return false
    }
    // Who only looks makes no folder where none is.
    if try LocalFileSystem().status(of: cache.configuration.location.archive.path) != nil {
      do {
        let (store, found) = try RebuildableDatabase.opening(path.path, insteadOf: damaged) {
          state.file = $0
          return try SearchStore(path: path.path)
        }
        state.store = store
        return found == .damaged
      } catch let damage as DatabaseDamage {
        throw damage
      } catch {
        // There can be no file.
      }
    }
    state.store = try SearchStore(path: nil)
    return false
  }
}
