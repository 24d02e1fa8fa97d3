import Dispatch
package import Foundation
package import Document
import Formats
package import ReaderMode
package import OfflineCache
import Synchronization

/// Full-text search in the saved pages.
///
/// The index is derived from the archive: `catchUp` adds the versions that were saved since its
/// last call. All methods block and may be called from any thread. Several processes may use the
/// same index at once.
package final class SearchIndex: Sendable {
  private let path: URL
  private let cache: HTTPCache
  private let library: PageLibrary
  private let readPages: PageReader
  private let report: @Sendable (String) -> Void
  private let state = Mutex(State())
  /// The number of pages that could not be indexed completely since the last report because the
  /// archive could not read them, and the reason for one of them.
  private let unreadable = Mutex<(count: Int, reason: String)>((0, ""))

  private struct State {
    var store: SearchStore?
    /// The identity of the index file when it was opened; nil if no file is open.
    var file: OpenFile.Status?
  }

  /// Builds the documents of a saved version, and passes each to `receive` with its key. A book has
  /// one document for each part; any other page has one. If `key` is not nil, only the document
  /// with that key is built. At most `limit` bytes are read. Throws if the version is not text.
  package typealias PageReader =
    @Sendable (
      _ stored: StoredResponse, _ key: String?, _ view: PageViewMode, _ limit: Int64,
      _ receive: (String, Document) -> Void
    ) throws -> Void

  /// Creates an index without opening the file.
  /// - Parameters:
  ///   - path: The file of the index.
  ///   - cache: The cache whose pages are searched.
  ///   - library: The library with the annotations of the user.
  ///   - readPages: Builds the documents of a version.
  ///   - note: Receives messages about the index for the user.
  package init(
    path: URL, cache: HTTPCache, library: PageLibrary, readPages: @escaping PageReader,
    note: @escaping @Sendable (String) -> Void
  ) {
    self.path = path
    self.cache = cache
    self.library = library
    self.readPages = readPages
    self.report = note
  }

  /// The version of the database schema.
  package static let databaseVersion = SearchStore.schemaVersion

  /// The progress of `catchUp`, in rows of the archive's index.
  package struct Progress: Sendable {
    /// The number of the last row processed.
    package var done: Int64
    /// The number of the last row of the archive's index.
    package var total: Int64
  }

  /// Adds the versions that were saved since the last call. Does nothing in a read-only process. If
  /// most entries of the index belong to replaced pages, the index is rebuilt without them.
  /// - Parameter progress: Receives the progress; returning false stops the operation, which the
  ///   next call continues.
  /// - Throws: `ArchiveError`; `.stopped` if `progress` returned false.
  package func catchUp(progress: (Progress) -> Bool = { _ in true }) throws(ArchiveError) {
    // A read-only process searches the existing index.
    guard !isReadOnly else { return }
    defer { reportUnreadable() }
    try rebuildingIfDamaged(progress) {
      try addNewVersions(progress)
      // If replaced pages outnumber current ones, the index is rebuilt without them.
      let (pages, replaced) = try using { store in try store.counts() }
      guard replaced > 1000, replaced > pages else { return }
      try using { store in try store.clear() }
      try addNewVersions(progress)
    }
  }

  /// Rebuilds an existing index; the old file is removed without being opened.
  /// - Parameter progress: Receives the progress; returning false stops the operation, which the
  ///   next search continues.
  /// - Throws: `ArchiveError`; `.stopped` if `progress` returned false.
  package func rebuild(progress: (Progress) -> Bool) throws(ArchiveError) {
    guard try LocalFileSystem().status(of: path.path) != nil else { return }
    close()
    do {
      try RebuildableDatabase.replace(path.path)
    } catch {
      throw ErrorMessage.archiveError(error, of: "the search index")
    }
    try catchUp(progress: progress)
  }

  /// Returns the position up to which versions were indexed. After the archive's index was rebuilt,
  /// its row numbers start again, so all rows must be processed once more.
  private func lastPosition() throws -> SearchStore.Progress {
    let position = try using { store in try store.progress() }
    guard position.row > 0 else { return position }
    let version = try cache.archive.readVersions(after: position.row - 1, limit: 1).first
    return version?.row == position.row && version?.stored.id == position.record
      ? position : SearchStore.Progress()
  }

  private func addNewVersions(_ progress: (Progress) -> Bool) throws {
    let archive = cache.archive
    let lastRow = try archive.lastRow()
    var position = try lastPosition()
    var entries: [SearchStore.Entry] = []
    var entriesSize = 0
    func write() throws {
      let (taken, reached) = (entries, position)
      try using { store in try store.add(taken, reached) }
      (entries, entriesSize) = ([], 0)
    }
    while true {
      let isWanted = progress(Progress(done: position.row, total: lastRow))
      let versions =
        isWanted ? try archive.readVersions(after: position.row, limit: Self.maxBatchedPages) : []
      guard let end = versions.last else {
        entries += try entriesToRetry()
        if !entries.isEmpty { try write() }
        guard isWanted else { throw ArchiveError.stopped }
        return
      }
      position = SearchStore.Progress(row: end.row, record: end.stored.id)
      let ids = versions.map(\.stored.id)
      let indexedRecords = try using { store in try store.indexedRecords(ids) }
      let newSources = try sources(
        of: versions.map(\.stored).filter { !indexedRecords.contains($0.id) && Self.isWanted($0) })
      let newEntries = self.entries(of: newSources)
      entries += newEntries
      entriesSize += newEntries.reduce(0) {
        $0 + $1.text.utf8.count + $1.textOutsideContent.utf8.count
      }
      if entriesSize >= Self.pieceSize { try write() }
    }
  }

  /// Returns the entries of pages that another version of offread excluded after crashes. Their
  /// rows have already been processed, so the pages would not be read again otherwise.
  private func entriesToRetry() throws -> [SearchStore.Entry] {
    let sources = try PageWatch.retriedPages.compactMap { try source(of: $0) }
    guard !sources.isEmpty else { return [] }
    let indexedRecords = try using { store in try store.indexedRecords(sources.map(\.record)) }
    return entries(
      of: sources.filter { Self.isWanted($0.stored) && !indexedRecords.contains($0.record) })
  }

  /// The saved versions from which the text of a page is extracted.
  private struct Source {
    /// The version of the page.
    var stored: StoredResponse
    /// The latest version rendered by a browser; nil if there is none.
    var rendered: StoredResponse?

    /// The ids of the versions, separated by a space.
    var record: String {
      ([stored] + (rendered.map { [$0] } ?? [])).map(\.id).joined(separator: " ")
    }
  }

  /// Returns the current sources of the pages to which the given versions belong, each page once,
  /// unless these sources are already indexed. An outdated version is skipped, because the latest
  /// version of its page has a row of its own.
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
    let indexedRecords =
      records.isEmpty ? [] : try using { store in try store.indexedRecords(records) }
    return sources.filter { !indexedRecords.contains($0.record) }
  }

  private func source(of key: String) throws(ArchiveError) -> Source? {
    guard let stored = try cache.archive.captures(of: key).first(where: \.isGood) else {
      return nil
    }
    let rendered = try cache.archive.indexedVersions(of: RenderedPage.key(of: key)).first {
      Self.isWanted($0)
    }
    return Source(stored: stored, rendered: rendered)
  }

  /// A search result.
  package struct Hit: Sendable, Equatable {
    /// The cache key of the page.
    package var key: String
    /// The title, or empty.
    package var title: String
    /// The date of the content.
    package var date: Date
    /// An excerpt of the text that contains the terms, or the beginning of the text.
    package var snippet: String
    /// The ranges of the terms in the snippet, as character offsets.
    package var matches: [Range<Int>]
    /// The name of the file that contains the page; empty for a web page.
    package var file: String

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
    package var url: String {
      let characters = Array(snippet)
      return TextFragment.url(key, terms: matches.map { String(characters[$0]) })
    }
  }

  /// Searches for pages.
  /// - Parameters:
  ///   - query: The query.
  ///   - limit: The maximum number of results.
  /// - Returns: The results, best first.
  /// - Throws: `ArchiveError`.
  package func search(_ query: SearchQuery, limit: Int) throws(ArchiveError) -> [Hit] {
    try rebuildingIfDamaged { try findHits(query, limit: limit) }
  }

  private func findHits(_ query: SearchQuery, limit: Int) throws -> [Hit] {
    var keys: Set<String>?
    let annotations = try AnnotationSearch(library, cache)
    for tag in query.tags {
      let pages = try annotations.pages(tagged: tag)
      // The tags of a book also apply to the parts of the book.
      let taggedKeys = try using { store in try store.withParts(pages) }
      keys = keys.map { $0.intersection(taggedKeys) } ?? taggedKeys
    }
    let wantedKeys = keys
    var excludedKeys: Set<String> = []
    for tag in query.excludedTags {
      let pages = try annotations.pages(tagged: tag)
      excludedKeys.formUnion(try using { store in try store.withParts(pages) })
    }
    let count = limit + excludedKeys.count
    let ids = try using { store in
      try store.matches(query, annotations, among: wantedKeys, atLeast: count)
    }
    // Pages with a pending removal are hidden.
    let removedKeys = Set(try library.keys(with: .removed))
    var foundPages: [(SearchStore.Page, Source)] = []
    var remainingIDs = ids[...]
    while foundPages.count < limit, !remainingIDs.isEmpty {
      let nextIDs = remainingIDs.prefix(limit - foundPages.count)
      remainingIDs = remainingIDs.dropFirst(nextIDs.count)
      for page in try using({ store in try store.pages(nextIDs) }) {
        let key = BookAddress.key(of: page.key)
        // Pages that were removed in the meantime, even on other devices, are skipped.
        guard !removedKeys.contains(key), !excludedKeys.contains(page.key),
          let source = try source(of: key)
        else { continue }
        foundPages.append((page, source))
      }
    }
    return hits(foundPages, query)
  }

  /// Returns the most recently saved pages. Pages that are not indexed yet are missing.
  /// - Parameter limit: The maximum number of pages.
  /// - Returns: The keys, titles and dates of the pages, newest first.
  /// - Throws: `ArchiveError`.
  package func recent(
    limit: Int
  ) throws(ArchiveError) -> [(key: String, title: String, date: Date)] {
    try rebuildingIfDamaged { try using { store in try store.latest(limit) } }.map { page in
      (page.key, page.title, Date(timeIntervalSince1970: Double(page.date) / 1000))
    }
  }

  /// Returns the saved pages whose titles or URLs have words with the given prefixes; prefixes of
  /// one or two letters must be whole words. Pages that are not indexed yet are missing.
  /// - Parameters:
  ///   - typed: Words, or portions of a URL, as the user typed them.
  ///   - limit: The maximum number of pages.
  /// - Returns: The keys and titles of the pages, newest first.
  /// - Throws: `ArchiveError`.
  package func completions(
    of typed: String, limit: Int
  ) throws(ArchiveError) -> [(key: String, title: String)] {
    try rebuildingIfDamaged {
      try using { store in try store.completions(of: typed, limit: limit) }
    }
  }

  /// Returns the titles of saved pages by key. Pages that are not indexed yet are missing.
  /// - Throws: `ArchiveError`.
  package func titles(of keys: [String]) throws(ArchiveError) -> [String: String] {
    try rebuildingIfDamaged { try using { store in try store.titles(of: keys) } }
  }

  /// Removes pages and their words from the index. If the words cannot be removed individually, the
  /// whole index is cleared, to be rebuilt later. Call this method before the archive removes the
  /// pages.
  /// - Throws: `ArchiveError`.
  package func remove(_ keys: [String]) throws(ArchiveError) {
    try RebuildableDatabase.removeDamaged(path.path)
    try rebuildingIfDamaged { try removeEntries(of: keys) }
  }

  private func removeEntries(of keys: [String]) throws {
    guard try LocalFileSystem().status(of: path.path) != nil else { return }
    // The words of replaced versions cannot be removed individually, because their text is gone.
    let hasReplacedVersions = try using { store in try store.counts().replaced > 0 }
    var removedEntries: [SearchStore.Entry] = []
    var isEmpty = true
    for key in keys {
      let pages = try using { store in try store.pages(of: key) }
      guard let page = pages.first else { continue }
      guard !hasReplacedVersions, let source = try source(of: key), source.record == page.record
      else { return try using { store in try store.clear() } }
      let entries = entries(of: source)
      guard Set(entries.map(\.page)) == Set(pages) else {
        return try using { store in try store.clear() }
      }
      removedEntries += entries
      isEmpty = false
      guard removedEntries.count >= Self.maxBatchedPages else { continue }
      try using { store in try store.remove(removedEntries) }
      removedEntries = []
    }
    guard !isEmpty else { return }
    try using { store in
      try store.remove(removedEntries)
      try store.flushRemovals()
    }
  }

  /// Whether this process must not write to the index.
  private var isReadOnly: Bool { cache.configuration.isReadOnly }

  package func close() {
    let store = state.withLock { state in
      defer { state.store = nil }
      return state.store
    }
    store?.close()
  }

  // MARK: The text of pages

  private static let maxBatchedPages = 128
  /// The approximate number of bytes of text that are added to the index in one transaction.
  private static let pieceSize = 4 << 20
  /// The maximum number of bytes that are read from a saved page.
  private static let maxReadLength: Int64 = 20 << 20
  /// The maximum number of bytes of a page's text that are indexed.
  private static let maxTextLength = 4 << 20

  /// Returns whether a version is to be indexed: it must be a page rather than a resource of a
  /// page, and neither empty nor too long.
  private static func isWanted(_ stored: StoredResponse) -> Bool {
    guard ResponseHead.pageStatuses.contains(stored.response.status), stored.length > 0,
      stored.length <= maxReadLength || BookAddress(stored.key) != nil,
      !stored.key.hasSuffix("/robots.txt")
    else { return false }
    let type = MediaType(stored.response.fields["Content-Type"])
    let programs = ["text/css", "text/javascript", "application/javascript"]
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

  /// Returns the index entries of a page. A book has entries for its table of contents and for each
  /// of its parts. The result is empty if the page is not text, or is excluded after crashes.
  private func entries(of source: Source) -> [SearchStore.Entry] {
    PageWatch.process(source.stored.key) { entriesUnderWatch(of: source) } ?? []
  }

  private func entriesUnderWatch(of source: Source) -> [SearchStore.Entry] {
    var entries: [SearchStore.Entry] = []
    let view = PageViewMode.reader(
      ReaderOptions(
        keepsMedia: false, showsMetadata: false, offersNextPage: false, keepsComments: false,
        gathersFacts: false, foldsNavigation: false))
    var error = read(source, as: view) { key, document in
      let page = SearchStore.Page(
        key: key, record: source.record,
        site: BookAddress(key) == nil ? WebURL(key)?.host ?? "" : "", title: document.title,
        date: Int64((source.stored.contentDate.timeIntervalSince1970 * 1000).rounded()))
      let text = document.searchableText.prefix(Self.maxTextLength)
      entries.append(SearchStore.Entry(page: page, text: String(decoding: text, as: UTF8.self)))
    }
    // Parts of a book have no boilerplate to separate from the content.
    if entries.count == 1, BookAddress(entries[0].page.key) == nil {
      let other = read(source, as: .page) { _, document in
        entries[0].textOutsideContent = SearchText.linesOutsideContent(
          of: document.searchableText, beside: entries[0].text)
      }
      error = error ?? other
    }
    if let error { unreadable.withLock { $0 = ($0.count + 1, error.reason) } }
    return entries
  }

  /// Reads the documents of a page. If a browser rendered more text than the page itself has, the
  /// rendered version is used.
  /// - Returns: The error with which the archive could not read the page; nil if there is none.
  private func read(
    _ source: Source, only key: String? = nil, as view: PageViewMode,
    receive: (String, Document) -> Void
  ) -> ArchiveError? {
    guard let rendered = source.rendered else {
      return readVersion(source.stored, only: key, as: view, receive: receive)
    }
    var best: Document?
    var error: ArchiveError?
    for stored in [source.stored, rendered] {
      let other = readVersion(stored, as: view) { _, document in
        guard let known = best else { return best = document }
        if document.text.count > known.text.count { best = document }
      }
      error = error ?? other
    }
    guard let best else { return error }
    receive(source.stored.key, best)
    return nil
  }

  /// Reads the documents of a version; a version that is not text has none.
  /// - Returns: The error with which the archive could not read the version; nil if there is none.
  private func readVersion(
    _ stored: StoredResponse, only key: String? = nil, as view: PageViewMode,
    receive: (String, Document) -> Void
  ) -> ArchiveError? {
    do {
      try readPages(stored, key, view, Self.maxReadLength, receive)
      return nil
    } catch let error as ArchiveError {
      switch error {
      // The archive itself reports damage; a version that is not found was removed in the meantime.
      case .damaged, .notFound: return nil
      case .unwritable, .noFolder, .full, .limitExceeded, .unreadable, .cookies, .credentials,
        .stopped:
        return error
      }
    } catch {
      return nil
    }
  }

  /// Reports how many pages could not be read since the last report.
  private func reportUnreadable() {
    let (count, reason) = unreadable.withLock { found in
      defer { found = (0, "") }
      return found
    }
    guard count > 0 else { return }
    let pages = CountFormatter.countText(count, "page")
    report("search does not find \(pages) that cannot be read: \(reason)")
  }

  private func hits(_ found: [(SearchStore.Page, Source)], _ query: SearchQuery) -> [Hit] {
    let hits = Mutex([Hit?](repeating: nil, count: found.count))
    DispatchQueue.concurrentPerform(iterations: found.count) { index in
      let (page, source) = found[index]
      var snippet = Snippet(of: "", query)
      // If the page cannot be read, the hit has no snippet.
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

  /// Performs an operation on the index. If the index is damaged, it is rebuilt from the archive
  /// once, and the operation is repeated.
  private func rebuildingIfDamaged<Value>(
    _ progress: (Progress) -> Bool = { _ in true }, _ work: () throws -> Value
  ) throws(ArchiveError) -> Value {
    do {
      do {
        return try work()
      } catch is DatabaseDamage {
        try setAside()
        try addNewVersions(progress)
        return try work()
      }
    } catch let error as ArchiveError {
      throw error
    } catch is DatabaseDamage {
      throw .unreadable("the search index is damaged")
    } catch {
      throw ErrorMessage.archiveError(error, of: "the search index")
    }
  }

  private func setAside() throws {
    try state.withLock { state in
      state.store?.close()
      state.store = nil
      let damagedFile = state.file
      if try open(&state, insteadOf: damagedFile) {
        report("the search index was damaged and has been rebuilt")
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

  /// Opens the index file. If no file can be used, opens an in-memory index.
  /// - Returns: Whether a damaged file was set aside.
  @discardableResult
  private func open(_ state: inout State, insteadOf damaged: OpenFile.Status? = nil) throws -> Bool
  {
    if isReadOnly {
      // If there is no write-ahead log, no process is writing to the file.
      let writeAheadLog = try LocalFileSystem().status(of: path.path + "-wal")
      let access: RebuildableDatabase.Access =
        (writeAheadLog?.size ?? 0) > 0 ? .observing : .immutable
      state.store = try (try? SearchStore(path: path.path, access)) ?? SearchStore(path: nil)
      return false
    }
    // A process that only searches does not create the directory.
    if try LocalFileSystem().status(of: cache.configuration.location.archive.path) != nil {
      do {
        let (store, openResult) = try RebuildableDatabase.opening(path.path, insteadOf: damaged) {
          state.file = $0
          return try SearchStore(path: path.path)
        }
        state.store = store
        return openResult == .damaged
      } catch let damage as DatabaseDamage {
        throw damage
      } catch {
        // No file can be used; the index is in memory.
      }
    }
    state.store = try SearchStore(path: nil)
    return false
  }
}
