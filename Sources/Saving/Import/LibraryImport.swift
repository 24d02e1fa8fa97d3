import Reader
import Configuration
import LocalDocuments
import Pages
package import Profiles
import Feeds
package import Exchange
import Library
package import Foundation
import OfflineCache
import WARC

/// Imports files of other programs, and bundles, into a library.
package struct LibraryImport {
  /// The outcome of an import.
  package struct Outcome: Sendable, Equatable {
    /// The format of the file.
    package var format: ImportFormat
    /// The URL of a book, or empty.
    package var address = ""
    /// The number of imported pages, or of WARC files in a WACZ file, ZIP archive or bundle.
    package var pageCount = 0
    /// The number of web archives that were imported in addition to the pages of a mirror.
    package var archiveCount = 0
    /// The number of pages that are queued.
    package var queuedCount = 0
    /// The number of journals of a bundle that were added to the library or extended.
    package var journalCount = 0
    /// The number of feeds that are followed since the import.
    package var feedCount = 0
    /// The reasons why contained files were rejected, each a clause that continues a sentence
    /// beginning with the name of the imported file.
    package var refusalReasons: [String] = []
    /// Messages about damaged descriptions and about files that a collection lists and that were
    /// not found. Each is a clause that continues a sentence beginning with the name of the
    /// imported file.
    package var missingParts: [String] = []
    /// The URLs of the pages that WACZ files list, in order.
    var listedPages: [String] = []
    /// The name of the collection that was recorded for these pages, or nil.
    package var collectionName: String?
    /// The number of ignored entries: those without an http(s) URL, and unexpected ones in a
    /// bundle.
    package var skippedCount = 0
    /// Whether a list has more entries than are read.
    package var hasFurtherEntries = false
    /// The number of books and ZIP archives in a directory or ZIP archive, which are imported only
    /// by their own names.
    package var separateFileCount = 0
    /// The first ignored lines of a plain-text list.
    package var skippedLines: [LinkLines.Line] = []
    /// The number of list entries whose user name or password was not stored.
    package var credentialCount = 0
    /// Whether at least one page of a mirror contains the time at which it was requested.
    package var hasRequestDates = false
    /// Whether the same contents were imported before.
    package var wasImportedBefore = false
    /// Whether the file contains no readable record that the archive lacks.
    package var hasNothingNew = false
    /// Whether the file is truncated; the complete parts before that point were imported.
    package var isTruncated = false
    /// The number of damaged parts of WARC files.
    package var damagedCount = 0
    /// The first damaged records, each with the reason.
    package var damagedRecords: [String] = []
    /// The number of complete records that cannot be read.
    package var unreadableCount = 0
    /// The first complete records that cannot be read, each with the reason.
    package var unreadableRecords: [String] = []
    /// Whether a WARC file has captures without an id, or with that of another capture.
    var hasSharedIDs = false
    /// The number of records that refer to the content of a record that is not in the archive.
    package var unresolvedCount = 0
    /// The number of pages in a bundle that were removed after the bundle was written and remain
    /// removed.
    package var removedCount = 0
    /// The number of pages in a bundle that were removed after the bundle was written and have been
    /// restored.
    package var restoredCount = 0
    /// The changes by unknown devices in a bundle, which were not applied; nil if there are none.
    package var changes: BundleChanges?

    /// Adds the unreadable parts of a WARC file to the outcome.
    mutating func add(_ findings: RecordFindings) {
      isTruncated = isTruncated || findings.isTruncated
      hasSharedIDs = hasSharedIDs || findings.hasSharedIDs
      damagedCount += findings.damaged
      unreadableCount += findings.unreadable
      let rest = max(0, RecordFindings.maxExamples - unreadableRecords.count)
      unreadableRecords += findings.examples.prefix(rest)
      let others = max(0, RecordFindings.maxExamples - damagedRecords.count)
      damagedRecords += findings.damagedRecords.prefix(others)
    }
  }

  let profile: Profile
  /// Whether importing a bundle restores pages that were removed after the bundle was written.
  let restoresRemoved: Bool
  /// Whether changes by unknown devices in a bundle are applied.
  let appliesChanges: Bool
  let now: Date
  let files = NamedFiles()
  /// The number of bytes that are copied at once.
  static let copyBlockSize = 1 << 20

  /// Prepares an import.
  /// - Parameters:
  ///   - profile: the profile to import into.
  ///   - restoresRemoved: whether importing a bundle restores pages that were removed after the
  ///     bundle was written; otherwise they remain removed, because the removal is later.
  ///   - appliesChanges: whether changes by unknown devices in a bundle are applied; otherwise they
  ///     are only reported.
  ///   - now: the current time.
  package init(
    into profile: Profile, restoresRemoved: Bool = false, appliesChanges: Bool = false,
    now: Date = Date()
  ) {
    self.profile = profile
    self.restoresRemoved = restoresRemoved
    self.appliesChanges = appliesChanges
    self.now = now
  }

  /// Imports a file or directory.
  ///
  /// The pages of a list are pinned, and queued if they are not saved. A WARC file is copied into
  /// the archive, which makes all of its pages readable. The same is done with the WARC files of a
  /// WACZ file, the parts of an MHTML file, and the files of a mirror or of a mirror in a ZIP
  /// archive. A book is archived unchanged. A bundle is merged with the library, except for changes
  /// by unknown devices.
  /// - Parameters:
  ///   - path: the file or directory; `-` for standard input.
  ///   - tags: tags to add to the pages of lists.
  /// - Returns: the outcome.
  /// - Throws: `ReaderError.unreadableFile`, or `ArchiveError`.
  package func run(_ path: String, tags: [String] = []) throws -> Outcome {
    let name = path == "-" ? path : URL(fileURLWithPath: path).absoluteString
    if let outcome = try PageWatch.process(name, { try importContents(path, tags: tags) }) {
      return outcome
    }
    throw ReaderError.unreadableFile(
      path: path, "offread has crashed on it")
  }

  /// Rejects a file that is not a bundle if the options include some that apply only to bundles.
  private func rejectBundleOptions(_ path: String) throws {
    guard restoresRemoved || appliesChanges else { return }
    throw ReaderError.unreadableFile(
      path: path,
      "is not a bundle; leave out --\(restoresRemoved ? "with-removed" : "with-changes")")
  }

  /// Rejects a file of a kind whose pages cannot be tagged, if tags are given.
  /// - Parameters:
  ///   - tags: the tags.
  ///   - path: the path of the file.
  ///   - kind: the kind of the file.
  /// - Throws: `ReaderError.unreadableFile`.
  func rejectTags(_ tags: [String], of path: String, _ kind: String) throws {
    guard !tags.isEmpty else { return }
    throw ReaderError.unreadableFile(path: path, "is \(kind); leave out --tag")
  }

  /// The kind of a web archive for `rejectTags`.
  static let untaggedArchive = "a web archive, whose pages are not tagged"

  func importContents(_ path: String, tags: [String]) throws -> Outcome {
    let isStream = try isStream(path)
    if isStream {
      try rejectBundleOptions(path)
    } else if let outcome = try importIdentifiedFile(path, tags: tags) {
      return outcome
    }
    let content = try path == "-" ? LocalFile.readStandardInput() : LocalFile.read(path)
    guard !content.isEmpty else { throw ReaderError.unreadableFile(path: path, "is empty") }
    let bytes = ImportFormat.decompressed(content)
    if let archive = HTTPArchive(bytes) {
      try rejectTags(tags, of: path, Self.untaggedArchive)
      return try importResponses(of: archive, in: path)
    }
    if let page = SavedPage(bytes) ?? SavedPage(canonicalURLOf: bytes) {
      return try importPage(page, bytes, of: path, tags: tags)
    }
    guard !SavedPage.declaresHomePage(bytes) else {
      throw ReaderError.unreadableFile(path: path, Self.homePageText)
    }
    guard let list = ImportedList(bytes) else {
      throw ReaderError.unreadableFile(
        path: path,
        isStream
          ? "is not a list of pages; web archives and books can only be imported from files"
          : "has an unknown format; offread help import lists the formats")
    }
    let outcome = try importSitemaps(
      of: list, beside: path, importContents(list, tags: tags), tags: tags)
    try importTexts(of: list)
    guard outcome.pageCount > 0 || outcome.feedCount > 0 || !outcome.refusalReasons.isEmpty else {
      throw ReaderError.unreadableFile(
        path: path,
        list.format == .page
          ? "is HTML or XML, but not a known list or saved page, and has no web URLs"
          : "has no web URLs")
    }
    return outcome
  }

  /// Imports a directory, or a file whose first bytes identify a bundle, WARC file, PDF file or
  /// archive; nil for other files.
  private func importIdentifiedFile(_ path: String, tags: [String]) throws -> Outcome? {
    if try files.status(of: path).map({ $0.mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }) == true {
      return try importDirectory(path, tags: tags)
    }
    if let bundle = try bundle(path) {
      try rejectTags(tags, of: path, "a bundle, whose pages have tags of their own")
      return try merge(bundle)
    }
    try rejectBundleOptions(path)
    if try isWARC(path) {
      try rejectTags(tags, of: path, Self.untaggedArchive)
      return try copy(path)
    }
    if try isPDF(path) { return try importBook(path, type: PDFText.mediaType, tags: tags) }
    return try DocumentFile.open(path, recovering: false).map {
      try importContents($0, tags: tags)
    }
  }

  /// The reason why a page cannot be imported if it declares a wrong URL.
  private static let homePageText =
    "is an article, but the only URL in it is that of a home page; to read it: offread FILE"

  /// Whether a path is that of standard input, a pipe or a device, which can be read only once,
  /// from the start.
  private func isStream(_ path: String) throws(ArchiveError) -> Bool {
    guard path != "-" else { return true }
    guard let status = try files.status(of: path) else { return false }
    return !status.isFile && status.mode & UInt32(S_IFMT) != UInt32(S_IFDIR)
  }

  /// Returns the changes by unknown devices in a bundle; nil for other files, and when there are
  /// none.
  /// - Throws: `ArchiveError`.
  package func unknownChanges(in path: String) throws -> BundleChanges? {
    guard try !isStream(path), let bundle = try bundle(path) else { return nil }
    return try merge(bundle, isDryRun: true).changes
  }

  func importContents(_ list: ImportedList, tags: [String]) throws(ArchiveError) -> Outcome {
    var counted: Set<String> = []
    return try importContents(list, tags: tags, counted: &counted)
  }

  /// Imports one of several lists; `counted` contains the keys of the pages counted so far in all
  /// lists.
  func importContents(
    _ list: ImportedList, tags: [String], counted: inout Set<String>
  ) throws(ArchiveError) -> Outcome {
    let cache = profile.cache
    var outcome = Outcome(format: .list(list.format))
    (outcome.skippedCount, outcome.skippedLines) = (list.skippedCount, list.skippedLines)
    outcome.credentialCount = list.credentialCount
    outcome.hasFurtherEntries = list.hasFurtherEntries
    // The library lists pages in the order in which they are recorded.
    let pages = list.linksByDate.compactMap { link in cache.key(of: link.url).map { ($0, link) } }
    let savedKeys = cache.savedPages(among: pages.map(\.0))
    var changes: [LibraryChange] = []
    for (key, link) in pages {
      changes.append(LibraryChange(key, .pinned, PinnedDate.value(since: link.date)))
      changes += LibraryChange.address(link.url, of: key)
      if !link.title.isEmpty { changes.append(LibraryChange(key, .title, link.title)) }
      if !link.note.isEmpty { changes.append(LibraryChange(key, .note, link.note)) }
      if link.isArchived { changes.append(LibraryChange(key, .archived, "1")) }
      let starTags = link.isStarred ? ["starred"] : []
      changes += Self.taggingChanges(of: key, link.tags + starTags + tags)
      // URLs that differ only in tracking parameters denote the same page.
      guard counted.insert(key).inserted else { continue }
      outcome.pageCount += 1
      guard !savedKeys.contains(key) else { continue }
      changes.append(LibraryChange(key, .queued, ""))
      outcome.queuedCount += 1
    }
    for feed in list.feeds {
      guard let url = feed.feedURL, let key = cache.key(of: url) else { continue }
      changes.append(LibraryChange(key, .feed, ""))
      changes += LibraryChange.address(url, of: key)
      if !feed.title.isEmpty { changes.append(LibraryChange(key, .title, feed.title)) }
      changes += Self.taggingChanges(of: key, feed.tags + tags)
      outcome.feedCount += 1
    }
    try profile.library.record(changes)
    return outcome
  }

  private static func taggingChanges(of key: String, _ tags: [String]) -> [LibraryChange] {
    Set(tags.flatMap(LibraryAttribute.tags)).sorted().map { LibraryChange(key, .tag($0), "1") }
  }

  // MARK: Sitemaps

  /// The maximum number of sitemaps that are imported from one sitemap index; the others are
  /// reported.
  private static let maxParts = 1000

  /// Imports the sitemaps that a sitemap index names if they are in the same directory; the others
  /// are reported.
  private func importSitemaps(
    of list: ImportedList, beside path: String, _ indexOutcome: Outcome, tags: [String]
  ) throws -> Outcome {
    var outcome = indexOutcome
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var missingURLs: [String] = []
    var unusableSitemaps: [String] = []
    for (index, url) in list.sitemaps.enumerated() {
      let name = WebURL(url)?.path.split(separator: "/").last.map(String.init) ?? ""
      var nestedSitemap: ImportedList?
      if path != "-", index < Self.maxParts, !name.isEmpty, !name.hasPrefix(".") {
        do throws(ReaderError) {
          nestedSitemap = try sitemap(at: directory + name)
        } catch {
          unusableSitemaps.append("\(url), which cannot be imported (\(error.description))")
          continue
        }
      }
      guard let nestedSitemap else {
        missingURLs.append(url)
        continue
      }
      outcome = outcome.adding(try importContents(nestedSitemap, tags: tags))
      // Only one level of nested indexes is read.
      missingURLs += nestedSitemap.sitemaps
    }
    func report(_ parts: [String], _ advice: String) {
      guard let first = parts.first else { return }
      let others = parts.count > 1 ? " and \(parts.count - 1) more" : ""
      outcome.refusalReasons.append("refers to \(first)\(others)\(advice)")
    }
    report(
      missingURLs, ", which is not in the same directory: download it there, and import again")
    report(unusableSitemaps, "")
    return outcome
  }

  /// Reads a sitemap that a sitemap index names.
  /// - Returns: The sitemap; nil if there is no such file.
  /// - Throws: `ReaderError.unreadableFile` if the file cannot be read or is not a sitemap.
  private func sitemap(at path: String) throws(ReaderError) -> ImportedList? {
    do throws(ArchiveError) {
      guard try files.status(of: path)?.isFile ?? false else { return nil }
    } catch {
      throw ReaderError.unreadableFile(path: path, error.reason)
    }
    guard let list = ImportedList(try LocalFile.read(path)), list.format == .sitemap else {
      throw ReaderError.unreadableFile(path: path, "is not a sitemap")
    }
    return list
  }

  // MARK: WARC

  private func isWARC(_ path: String) throws -> Bool {
    guard let file = try files.openForReading(path) else {
      throw ReaderError.unreadableFile(path: path, "does not exist")
    }
    guard try file.status().isFile else { return false }
    let format = ImportFormat(of: try file.bytes(at: 0, count: 4096))
    guard format != .arc else {
      throw ReaderError.unreadableFile(
        path: path,
        "is an ARC file, the format before WARC; convert it: warcio recompress FILE NAME.warc.gz")
    }
    guard format == .warc else { return false }
    if ImportFormat.isZstd(try file.bytes(at: 0, count: 4)) { return true }
    let reader = WARCReader(verifiesDigests: false) { try file.read(at: $0, into: $1) }
    // Damage before the first record is reported with the result of the import.
    while let entry = try? reader.next() {
      if case .record = entry { return true }
    }
    // Lists and saved pages may be compressed, too.
    let content = ImportFormat.decompressed(try file.bytes(at: 0, count: 4096))
    guard content.starts(with: "WARC/".utf8) else { return false }
    throw ReaderError.unreadableFile(path: path, "is a WARC file without a readable record")
  }

  /// Opens a bundle; returns nil for any other file.
  private func bundle(_ path: String) throws -> OpenFile? {
    guard let file = try files.openForReading(path), try file.status().isFile,
      let header = TarHeader(try file.bytes(at: 0, count: TarHeader.blockSize)),
      header.name == LibraryBundle.manifestName
    else { return nil }
    return file
  }

  /// Copies a WARC file into the archive under a name derived from its content, so that the same
  /// file is stored only once.
  private func copy(_ path: String) throws -> Outcome {
    var outcome = Outcome(format: .warc)
    guard let source = try files.openForReading(path) else {
      throw ReaderError.unreadableFile(path: path, "does not exist")
    }
    if ImportFormat.isZstd(try source.bytes(at: 0, count: 4)) {
      return try copyZstd(source, of: path)
    }
    let last = try profile.cache.archive.lastRow()
    let isPacked = try source.bytes(at: 0, count: 1) == [0x1F]
    let arrivingFile = try ArrivingFile(in: profile.locations.archive.path)
    let storeOutcome = try restoringRemoved(
      arrivingFile.store(
        source, 0..<(try source.status().size), as: nil, ending: isPacked ? ".warc.gz" : ".warc"))
    outcome.wasImportedBefore = !storeOutcome.isNew
    outcome.add(try RecordFindings(source))
    outcome.unresolvedCount = try catchUp(after: [storeOutcome], from: last, outcome)
    outcome.hasNothingNew = try !hasReadableVersions(after: last)
    return outcome
  }

  /// Returns whether the archive's index has a version after a row, and the version may be shown.
  /// Error responses and parts of pages do not count.
  func hasReadableVersions(after row: Int64) throws(ArchiveError) -> Bool {
    try !profile.cache.archive.readVersions(after: row, limit: 1).isEmpty
  }

  /// Reads new segments into the index, and discards notices of damage in them, because the outcome
  /// reports the damage with the name of the imported file. New versions that look like error pages
  /// do not hide earlier versions.
  /// - Parameters:
  ///   - arrivals: the new segments.
  ///   - last: the last row of the index before the new segments are read.
  ///   - outcome: the outcome with the findings about the segments.
  /// - Returns: the number of new records that refer to the content of a record that is not in the
  ///   archive.
  /// - Throws: `ArchiveError`.
  func catchUp(
    after arrivals: [ArrivingFile.Outcome], from last: Int64, _ outcome: Outcome
  ) throws -> Int {
    let archive = profile.cache.archive
    var arrivals = arrivals
    if outcome.hasSharedIDs { arrivals += try separatingCaptures(of: arrivals) }
    try archive.catchUp()
    var unresolved = 0
    for case .added(let name) in arrivals {
      archive.discardNotices(ofDamageIn: name)
      unresolved += try archive.unresolvedCount(in: name)
    }
    var row = last
    // The hash values of the keys examined so far. Each key is examined once, because each call
    // examines all its versions.
    var examined: Set<Int> = []
    while case let versions = try archive.readVersions(after: row, limit: 500),
      let end = versions.last
    {
      row = end.row
      for key in Set(versions.map(\.stored.key)).sorted()
      where examined.insert(key.hashValue).inserted {
        profile.cache.distrustImportedErrors(of: key)
      }
    }
    return unresolved
  }
}
