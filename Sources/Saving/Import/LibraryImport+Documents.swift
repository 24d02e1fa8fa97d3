import Configuration
import LocalDocuments
import Pages
import Profiles
import Containers
import Exchange
import Feeds
import Foundation
import Library
import OfflineCache
import WACZ
import WARC

/// Imports files that contain captures, pages or lists.
extension LibraryImport {
  /// Imports the contents of a file: the records of a WACZ file, the parts of an MHTML file or of a
  /// `.webarchive` file under their URLs, the records, pages or lists in a ZIP archive, or a book.
  /// - Parameters:
  ///   - document: the file.
  ///   - tags: tags to add to the pages of lists.
  /// - Returns: the outcome.
  /// - Throws: `ReaderError.unreadableFile`, `ArchiveError`.
  func importContents(_ document: DocumentFile, tags: [String]) throws -> Outcome {
    do {
      switch document.form {
      case .captures(let archive):
        try rejectTags(tags, of: document.path, Self.untaggedArchive)
        let description = WACZDescription((try? archive.content(of: WACZDescription.path)) ?? [])
        var outcome =
          try description.isCollection
          ? importParts(of: archive, listedIn: description, document)
          : importRecords(of: archive, in: document, as: .wacz)
        outcome.collectionName = try recordCollection(
          of: outcome.listedPages, named: description.title, in: document)
        return outcome
      case .message(let message):
        try rejectTags(tags, of: document.path, Self.untaggedArchive)
        let outcome = try importParts(message, of: document)
        adoptPosition(inPageOf: message, in: document)
        return outcome
      case .files(let archive): return try importFiles(of: archive, in: document, tags: tags)
      case .book: return try importBook(document.path, type: EPUBPackage.mediaType, tags: tags)
      case .pdf: return try importBook(document.path, type: PDFText.mediaType, tags: tags)
      case .mail:
        throw ReaderError.unreadableFile(
          path: document.path, "is mail, not web pages; to read it: offread FILE")
      case .zim:
        throw ReaderError.unreadableFile(
          path: document.path,
          "is not imported; to read it: offread FILE; files named in [zim] of the settings are searched too"
        )
      }
    } catch let error as ContainerError {
      throw ReaderError.unreadableFile(path: document.path, error.description)
    }
  }

  // MARK: Records

  /// The reason why a WARC file is rejected, as a clause that continues a sentence about the file
  /// that contains it.
  private struct Refusal: Error, CustomStringConvertible {
    var description: String
  }

  /// Copies every WARC file of an archive into the library, unchanged, after verifying it.
  func importRecords(
    of archive: ZIPArchive, in document: DocumentFile, as format: ImportFormat
  ) throws -> Outcome {
    var outcome = Outcome(format: format)
    let lastRow = try profile.cache.archive.lastRow()
    let destination = try ArrivingFile(in: profile.locations.archive.path)
    var arrivals: [ArrivingFile.Outcome] = []
    var ids = CaptureIDs()
    let description = WACZDescription((try? archive.content(of: WACZDescription.path)) ?? [])
    if description.isDamaged, archive[WACZDescription.path] != nil {
      outcome.missingParts.append(
        "has a damaged \(WACZDescription.path): its files were imported without verifying digests")
    }
    for entry in archive.entries where Self.isWARCFile(entry) {
      do {
        arrivals.append(
          try copy(
            entry, of: archive, listedIn: description, to: destination, after: &ids, &outcome))
        outcome.pageCount += 1
      } catch let refusal as Refusal {
        outcome.refusalReasons.append(refusal.description)
      } catch let error as ContainerError {
        outcome.refusalReasons.append(error.description)
      }
    }
    let missingText = Self.message(missing: missingFiles(of: archive, listedIn: description))
    guard outcome.pageCount > 0 else {
      throw ReaderError.unreadableFile(
        path: document.path,
        outcome.refusalReasons.first ?? missingText ?? "contains no records of pages")
    }
    if let missingText { outcome.missingParts.append(missingText) }
    arrivals = try arrivals.map(restoringRemoved)
    outcome.wasImportedBefore = !arrivals.contains(where: \.isNew)
    outcome.unresolvedCount = try catchUp(after: arrivals, from: lastRow, outcome)
    outcome.hasNothingNew = try !hasReadableVersions(after: lastRow)
    listPages(of: archive, in: &outcome)
    return outcome
  }

  private func listPages(of archive: ZIPArchive, in outcome: inout Outcome) {
    do throws(ContainerError) {
      outcome.listedPages = try CapturePages.pages(in: archive).map(\.url)
    } catch {
      outcome.missingParts.append("has a damaged list of pages, so they are not a collection")
    }
  }

  /// Copies a WARC file of an archive, and adds the findings about its records to the outcome.
  private func copy(
    _ entry: ZIPArchive.Entry, of archive: ZIPArchive, listedIn description: WACZDescription,
    to destination: ArrivingFile, after ids: inout CaptureIDs, _ outcome: inout Outcome
  ) throws -> ArrivingFile.Outcome {
    let ending = entry.path.lowercased().hasSuffix(".gz") ? ".warc.gz" : ".warc"
    return try destination.store(ending: ending) { sink in
      try archive.read(entry, into: sink)
    } check: { file, digest in
      guard description.allows(entry.path, digest: Hexadecimal.text(digest)) else {
        throw Refusal(
          description:
            "has \(entry.path), which does not match the digest in its \(WACZDescription.path)")
      }
      guard try isWARC(file, 0..<file.status().size) else {
        throw Refusal(description: "has \(entry.path), which is not a WARC file")
      }
      outcome.add(try RecordFindings(file, after: &ids))
    }
  }

  /// Returns the paths of the WARC files that a description lists and the archive lacks.
  private func missingFiles(
    of archive: ZIPArchive, listedIn description: WACZDescription
  ) -> [String] {
    description.paths.filter { path in
      Self.hasWARCExtension(path) && archive[archive.path(matching: path)] == nil
    }
  }

  /// Returns the message about missing files, a clause that continues a sentence about the archive;
  /// nil if there are none.
  private static func message(missing paths: [String]) -> String? {
    guard let first = paths.first else { return nil }
    return paths.count == 1
      ? "lists \(first) in its \(WACZDescription.path), but does not contain it"
      : "lists \(paths.count) WARC files in its \(WACZDescription.path) that it does not contain,"
        + " such as \(first)"
  }

  static func isWARCFile(_ entry: ZIPArchive.Entry) -> Bool {
    !entry.isDirectory && hasWARCExtension(entry.path) && !ArchiveTree.isHidden(entry.path)
  }

  private static func hasWARCExtension(_ path: String) -> Bool {
    let path = path.lowercased()
    return path.hasSuffix(".warc.gz") || path.hasSuffix(".warc")
  }

  // MARK: Messages

  /// A part to write. The HTML of pages that contain frames is kept; other parts are decoded again
  /// when they are written.
  private typealias PartCapture = (url: WebURL, part: MIMEMessage.Part, page: [UInt8]?)

  /// Creates `resource` records for the complete parts of a message that have http(s) URLs, and for
  /// its page if only the boundary after it is missing. Their date is that of the message, or else
  /// the modification time of the file, because the content cannot be newer.
  private func importParts(_ message: MIMEMessage, of document: DocumentFile) throws -> Outcome {
    var outcome = Outcome(format: .mhtml)
    outcome.isTruncated = message.isTruncated
    outcome.refusalReasons = message.omittedParts
    if message.hasTooManyParts {
      outcome.missingParts.append("has too many parts: only the first ones were imported")
    }
    let modificationTime = try files.status(of: document.path)?.modificationTime ?? 0
    let fileDate = min(
      Date(timeIntervalSince1970: (Double(modificationTime) / 1e9).rounded(.down)), now)
    let date = DateText.parse(message.date).flatMap { $0 <= fileDate ? $0 : nil } ?? fileDate
    var digest = DigestBuilder(.sha256)
    var frames = EmbeddedFrames(message)
    var captures: [PartCapture] = []
    for (index, part) in message.parts.enumerated()
    where !part.isTruncated || index == message.rootIndex && message.endsWithEndTag(part) {
      let address = message.url(ofPart: index)
      guard let url = WebURL(address)?.withoutFragment.withoutCredentials, url.isWeb else {
        outcome.skippedCount += address.hasPrefix("cid:") ? 0 : 1
        continue
      }
      let page = frames.page(part)
      captures.append((url, part, page))
      digest.update("\(url)\n".utf8)
      digest.update(page ?? message.content(of: part))
    }
    guard !captures.isEmpty else {
      throw ReaderError.unreadableFile(
        path: document.path,
        message.isTruncated
          ? "is truncated, and no complete part of it has a web URL"
          : "has no web URL; to read it: offread FILE")
    }
    outcome.pageCount = captures.count { $0.part.type.lowercased().hasPrefix("text/html") }
    outcome.wasImportedBefore = try !storeParts(captures, of: message, digest, date: date).isNew
    return outcome
  }

  /// Records that the file of a message is read as its imported page, and that the page was left at
  /// the position in the file, unless the user has read the page itself. Errors are ignored,
  /// because the page is imported.
  private func adoptPosition(inPageOf message: MIMEMessage, in document: DocumentFile) {
    let log = profile.readingLog
    guard
      let url = WebURL(message.url(ofPart: message.rootIndex))?.withoutFragment.withoutCredentials,
      url.isWeb, let key = profile.contentKey(of: document.url),
      var record = log.last(ofBook: key, part: nil), record.book?.url != url.description
    else { return }
    record.book?.url = url.description
    try? log.append(record)
    guard log.last(of: url.description) == nil else { return }
    (record.url, record.book) = (url.description, nil)
    try? log.append(record)
  }

  private func storeParts(
    _ captures: [PartCapture], of message: MIMEMessage, _ digest: DigestBuilder, date: Date
  ) throws -> ArrivingFile.Outcome {
    let description = "parts of a saved page; dates are those of the file"
    return try storeRecords(of: digest, description: description) { writer, sink in
      for (url, part, page) in captures {
        let record = WARCRecord(
          .resource, date: date, targetURI: url.description,
          contentType: part.type.isEmpty ? "application/octet-stream" : part.type)
        try writer.write(record, block: page ?? message.content(of: part), into: sink)
      }
    }
  }

  // MARK: Files

  /// The maximum length in bytes of a list in an archive.
  private static let maxListLength: Int64 = 64 << 20

  /// Imports the WARC records in an archive; if there are none, the pages of a MAFF file or of a
  /// mirror; otherwise, the lists that services export, and saved pages.
  private func importFiles(
    of archive: ZIPArchive, in document: DocumentFile, tags: [String]
  ) throws -> Outcome {
    if archive.entries.contains(where: Self.isWARCFile) {
      let outcome = try importRecords(of: archive, in: document, as: .zip)
      let others = try importArchives(in: archive, of: document, tags: tags)
      return others.outcomes.reduce(outcome) { $0.adding($1) }.adding(others.refusalReasons)
    }
    let mozillaArchive = MozillaArchive(archive)
    if let outcome = try importPages(of: mozillaArchive, in: document, tags: tags) {
      return outcome
    }
    if let outcome = try importMirror(of: archive, in: document) { return outcome }
    return try importLists(
      of: archive, in: document, tags: tags, refusalReasons: mozillaArchive.omittedPages)
  }

  /// Imports the pages of a MAFF file; nil if it has no pages that can be used.
  private func importPages(
    of archive: MozillaArchive, in document: DocumentFile, tags: [String]
  ) throws -> Outcome? {
    guard !archive.pages.isEmpty else { return nil }
    try rejectTags(tags, of: document.path, Self.untaggedArchive)
    let outcomes = try archive.pages.map { try importParts($0, of: document) }
    return Outcome.combining(outcomes)?.adding(archive.omittedPages)
  }

  /// Imports the web archives in a ZIP archive, except WARC files.
  /// - Parameters:
  ///   - archive: the ZIP archive.
  ///   - document: its file.
  ///   - tags: tags, which web archives cannot have.
  /// - Returns: the outcome for each imported web archive, and the reasons why others were not
  ///   imported.
  /// - Throws: `ArchiveError`.
  private func importArchives(
    in archive: ZIPArchive, of document: DocumentFile, tags: [String]
  ) throws -> (outcomes: [Outcome], refusalReasons: [String]) {
    var outcomes: [Outcome] = []
    var refusalReasons: [String] = []
    for entry in archive.entries where !entry.isDirectory && !Self.isWARCFile(entry) {
      guard Self.isArchive(entry.path), !ArchiveTree.isHidden(entry.path) else { continue }
      do {
        outcomes.append(try importArchive(entry.path, in: archive, of: document, tags: tags))
      } catch ReaderError.unreadableFile(_, let reason) {
        refusalReasons.append("has \(entry.path), which \(reason)")
      } catch let error as ContainerError {
        let reason = error.description
        refusalReasons.append(
          reason.contains(entry.path) ? reason : "has \(entry.path), which \(reason)")
      }
    }
    return (outcomes, refusalReasons)
  }

  /// Imports a web archive in a ZIP archive.
  private func importArchive(
    _ path: String, in archive: ZIPArchive, of document: DocumentFile, tags: [String]
  ) throws -> Outcome {
    try rejectTags(tags, of: path, Self.untaggedArchive)
    let name = path.lowercased()
    var outcome: Outcome?
    if name.hasSuffix(".wacz") {
      outcome = try importRecords(of: Self.open(path, in: archive), in: document, as: .wacz)
    } else if name.hasSuffix(".maff") {
      let pages = MozillaArchive(try Self.open(path, in: archive))
      outcome = try importPages(of: pages, in: document, tags: tags)
    } else if !name.hasSuffix(".zst") {
      let bytes = try archive.content(of: path)
      if let responses = HTTPArchive(bytes) {
        outcome = try importResponses(of: responses, in: path)
      } else if let message = try DocumentFile.page(in: bytes, named: path) {
        outcome = try importParts(message, of: document)
      }
    }
    guard let outcome else {
      throw ReaderError.unreadableFile(
        path: path, "cannot be imported from a ZIP archive: unpack it, and import the file")
    }
    return outcome
  }

  /// Imports the lists, the saved pages and the web archives in an archive. `otherReasons` are the
  /// reasons why pages in another format could not be imported; the reasons why files cannot be
  /// read are added to them.
  private func importLists(
    of archive: ZIPArchive, in document: DocumentFile, tags: [String],
    refusalReasons otherReasons: [String]
  ) throws -> Outcome {
    var lists: Outcome?
    let webArchives = try importArchives(in: archive, of: document, tags: tags)
    var pages = Outcome.combining(webArchives.outcomes)
    pages?.pageCount = webArchives.outcomes.count
    var files = ListFiles(
      archive: archive, refusalReasons: otherReasons + webArchives.refusalReasons)
    var countedKeys: Set<String> = []
    var otherPages: [ZIPArchive.Entry] = []
    let resources = SavedPage.resources(among: archive.entries.map(\.path))
    for entry in archive.entries
    where !entry.isDirectory && Self.isList(entry.path) && !resources.contains(entry.path) {
      guard let bytes = files.content(of: entry) else { continue }
      if let page = SavedPage(bytes) {
        let outcome = try importPage(page, bytes, of: document.path, tags: tags)
        pages = pages?.adding(outcome) ?? outcome
      } else if var list = ImportedList(bytes), list.isCertainlyList {
        files.readContents(of: &list, at: entry.path)
        let outcome = try importContents(list, tags: tags, counted: &countedKeys)
        try importTexts(of: list)
        lists = lists?.adding(outcome) ?? outcome
      } else if FileMediaType.byName(entry.path) == "text/html" {
        otherPages.append(entry)
      }
    }
    otherPages.removeAll { files.usedPaths.contains($0.path) }
    pages = try pages ?? importPages(withCanonicalURLs: &otherPages, of: document, tags, &files)
    pages?.format = .archives
    pages?.skippedCount += lists == nil ? otherPages.count : 0
    pages?.separateFileCount = archive.entries.count { Self.isSeparateFile($0.path) }
    guard var outcome = Outcome.combining([lists, pages].compactMap(\.self)) else {
      throw ReaderError.unreadableFile(
        path: document.path, files.refusalReasons.first ?? Self.emptyArchiveText)
    }
    outcome.refusalReasons += files.refusalReasons
    return outcome
  }

  /// The files of an archive that are read as lists, as pages or as texts of listed pages.
  private struct ListFiles {
    let archive: ZIPArchive
    /// The reasons why contained files were rejected, one for each file.
    private(set) var refusalReasons: [String]
    /// The paths of the files that are texts of listed pages.
    private(set) var usedPaths: Set<String> = []
    private var reportedPaths: Set<String> = []

    init(archive: ZIPArchive, refusalReasons: [String]) {
      (self.archive, self.refusalReasons) = (archive, refusalReasons)
    }

    mutating func content(of file: ZIPArchive.Entry) -> [UInt8]? {
      do throws(ContainerError) {
        guard file.size <= maxListLength else {
          throw .tooLarge(path: file.path, limit: maxListLength)
        }
        return try archive.content(of: file.path)
      } catch {
        if reportedPaths.insert(file.path).inserted { refusalReasons.append(error.description) }
        return nil
      }
    }

    /// Reads the texts of the pages in a list. Each file is used as the text of only one page,
    /// however many entries name it.
    mutating func readContents(of list: inout ImportedList, at listPath: String) {
      let directory = listPath.lastIndex(of: "/").map { String(listPath[...$0]) } ?? ""
      list.readContents { path in
        guard let file = archive[directory + path], usedPaths.insert(file.path).inserted else {
          return nil
        }
        return content(of: file)
      }
    }
  }

  /// Imports the pages of a ZIP archive that only declare a canonical URL, and removes them from
  /// `entries`. As in directories, such URLs are used only if no page has a more reliable one.
  private func importPages(
    withCanonicalURLs entries: inout [ZIPArchive.Entry], of document: DocumentFile,
    _ tags: [String], _ files: inout ListFiles
  ) throws -> Outcome? {
    var outcomes: [Outcome] = []
    try entries.removeAll { entry in
      guard let bytes = files.content(of: entry), let page = SavedPage(canonicalURLOf: bytes)
      else { return false }
      outcomes.append(try importPage(page, bytes, of: document.path, tags: tags))
      return true
    }
    return Outcome.combining(outcomes)
  }

  private static let emptyArchiveText =
    "has no records, no list of pages, no saved pages, and no pages whose path is their URL"
    + " (HOST/PATH); offread FILE lists its contents"

  /// Imports the pages of a mirror; nil if the archive is not a mirror.
  private func importMirror(of archive: ZIPArchive, in document: DocumentFile) throws -> Outcome? {
    let modified = try files.status(of: document.path)?.modificationTime ?? 0
    let tree = ArchiveTree(
      archive, name: (document.name as NSString).deletingPathExtension,
      date: Date(timeIntervalSince1970: (Double(modified) / 1e9).rounded(.down)))
    guard let pages = MirrorDirectory(tree), pages.hasPages else { return nil }
    return try importPages(pages, in: tree)
  }

  private static let listExtensions = [
    ".html", ".htm", ".csv", ".json", ".jsonl", ".opml", ".txt", ".xml", ".md",
  ]

  static func isList(_ path: String) -> Bool {
    let name = path.lowercased()
    return listExtensions.contains { name.hasSuffix($0) }
      || shortcutExtensions.contains { name.hasSuffix($0) }
  }
}

extension LibraryImport.Outcome {
  /// Returns the outcome with further reasons why contained files were rejected.
  func adding(_ reasons: [String]) -> Self {
    var result = self
    result.refusalReasons += reasons
    return result
  }

  /// Returns the combined outcome of importing several lists or archives; nil if there are none.
  static func combining(_ outcomes: [Self]) -> Self? {
    outcomes.first.map { outcomes.dropFirst().reduce($0) { $0.adding($1) } }
  }

  /// Returns the combined outcome of importing two lists or two archives.
  func adding(_ other: Self) -> Self {
    var sum = self
    sum.refusalReasons += other.refusalReasons
    sum.missingParts += other.missingParts
    sum.listedPages += other.listedPages
    sum.wasImportedBefore = wasImportedBefore && other.wasImportedBefore
    sum.hasNothingNew = hasNothingNew && other.hasNothingNew
    sum.isTruncated = isTruncated || other.isTruncated
    sum.damagedCount += other.damagedCount
    sum.unreadableCount += other.unreadableCount
    sum.unresolvedCount += other.unresolvedCount
    let maxExamples = RecordFindings.maxExamples
    sum.damagedRecords = Array((damagedRecords + other.damagedRecords).prefix(maxExamples))
    sum.unreadableRecords = Array((unreadableRecords + other.unreadableRecords).prefix(maxExamples))
    sum.pageCount += other.pageCount
    sum.queuedCount += other.queuedCount
    sum.feedCount += other.feedCount
    sum.skippedCount += other.skippedCount
    sum.hasFurtherEntries = hasFurtherEntries || other.hasFurtherEntries
    sum.separateFileCount += other.separateFileCount
    sum.credentialCount += other.credentialCount
    sum.skippedLines += other.skippedLines
    return sum
  }
}
