import Configuration
import Pages
import Profiles
import Exchange
import Foundation
import OfflineCache
import WARC

extension LibraryImport {
  /// Imports the pages of a directory. Pages whose request time is unknown get the dates of their
  /// files, because the content cannot be newer. If the directory is not a mirror of a site, the
  /// web archives and saved pages in it are imported instead.
  /// - Parameters:
  ///   - path: the directory.
  ///   - tags: tags to add to saved pages.
  /// - Returns: the outcome.
  /// - Throws: `ReaderError.unreadableFile`, or `ArchiveError`.
  func importDirectory(_ path: String, tags: [String]) throws -> Outcome {
    let tree = DirectoryTree(path)
    let unreadable = tree.unreadableDirectories.map { directory in
      let name =
        directory.path.isEmpty ? "" : "has \(NamedFiles.displayText(directory.path)), which "
      return "\(name)cannot be read: \(directory.reason)"
    }
    let pages = MirrorDirectory(tree)
    // A directory of web archives may be named after a host.
    if pages?.files.allSatisfy({ Self.isArchive($0.path) }) ?? true,
      var outcome = pages == nil
        ? try importFiles(in: tree, path, tags: tags)
        : try importArchives(in: tree, path, tags: tags)
    {
      outcome.refusalReasons += unreadable
      return outcome
    }
    guard let pages else {
      let reason =
        "is a directory without pages that can be imported, such as a mirror (HOST/PATH, as wget"
        + " --mirror and HTTrack write it), the cache of offpunk, web archives (WARC, WACZ, MHTML),"
        + " saved pages, shortcuts, lists that programs export, or Markdown files with the URLs of"
        + " their pages"
      throw ReaderError.unreadableFile(path: path, unreadable.first ?? reason)
    }
    try rejectTags(tags, of: path, "a mirror, whose pages are not tagged")
    var outcome = try importPages(pages, in: tree)
    outcome.refusalReasons += unreadable
    try importArchives(beside: pages, in: tree, path, &outcome)
    return outcome
  }

  /// Imports the files of a directory that is not a mirror; nil if it has none that can be used.
  private func importFiles(
    in tree: DirectoryTree, _ directory: String, tags: [String]
  ) throws -> Outcome? {
    var otherPaths = Set(tree.paths)
    let lists = try importExports(in: tree, directory, tags: tags, removingFrom: &otherPaths)
    let paths = lists == nil ? tree.paths : tree.paths.filter(otherPaths.contains)
    do {
      // Directories of other programs, such as ArchiveBox, contain several forms of a page, so
      // canonical URLs are used only if no page has a more reliable URL.
      let pages =
        try importArchives(in: tree, directory, tags: tags, paths: paths)
        ?? importArchives(in: tree, directory, tags: tags, paths: paths) {
          SavedPage(canonicalURLOf: $0)
        }
      return Outcome.combining([lists, pages].compactMap(\.self))
    } catch ReaderError.unreadableFile(_, let reason) where lists != nil {
      return lists?.adding([reason])
    }
  }

  /// Imports the lists that other programs export, such as those in an unpacked ZIP file, with the
  /// texts beside them; nil if there are none. Other lists must be imported by their own names,
  /// because any directory may contain them. The lists and texts are removed from `otherPaths`.
  private func importExports(
    in tree: DirectoryTree, _ directory: String, tags: [String],
    removingFrom otherPaths: inout Set<String>
  ) throws -> Outcome? {
    var outcomes: [Outcome] = []
    var countedKeys: Set<String> = []
    for name in tree.paths where Self.isList(name) {
      // Only lists are read as a whole: a directory may contain many large pages.
      let start = tree.prefix(of: name, upTo: ImportFormat.prefixLength)
      guard ImportFormat(of: start)?.isExport == true,
        let bytes = try? LocalFile.read("\(directory)/\(name)"), var list = ImportedList(bytes),
        list.isCertainlyList
      else { continue }
      otherPaths.remove(name)
      let parent = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
      list.readContents { path in
        // Each file is used as the text of only one page, however many entries name it.
        guard otherPaths.remove(parent + path) != nil else { return nil }
        return try? LocalFile.read("\(directory)/\(parent)\(path)")
      }
      outcomes.append(try importContents(list, tags: tags, counted: &countedKeys))
      try importTexts(of: list)
    }
    return Outcome.combining(outcomes)
  }

  /// Imports the web archives beside the directories of a mirror, such as the WARC file that wget
  /// writes. Those that cannot be imported are reported.
  private func importArchives(
    beside pages: MirrorDirectory, in tree: DirectoryTree, _ directory: String,
    _ outcome: inout Outcome
  ) throws {
    let mirrored = Set(pages.files.map(\.path))
    let paths = tree.paths.filter { Self.isArchive($0) && !mirrored.contains($0) }
    guard !paths.isEmpty else { return }
    outcome.skippedCount = max(0, outcome.skippedCount - paths.count)
    do {
      guard let archives = try importArchives(in: tree, directory, tags: [], paths: paths) else {
        return
      }
      let pageCount = outcome.pageCount
      outcome = outcome.adding(archives)
      (outcome.pageCount, outcome.archiveCount) = (pageCount, archives.pageCount)
    } catch ReaderError.unreadableFile(_, let reason) {
      outcome.refusalReasons.append(reason)
    }
  }

  /// The file name extensions of web archives.
  private static let archiveExtensions = [
    ".warc", ".warc.gz", ".warc.zst", ".wacz", ".mhtml", ".mht", ".webarchive", ".maff", ".har",
  ]

  static func isArchive(_ name: String) -> Bool {
    archiveExtensions.contains { name.lowercased().hasSuffix($0) }
  }

  /// The file name extensions of shortcuts to a page.
  static let shortcutExtensions = [".url", ".webloc", ".desktop"]

  private static func isShortcut(_ name: String) -> Bool {
    shortcutExtensions.contains { name.lowercased().hasSuffix($0) }
  }

  /// Imports the web archives, saved pages, shortcuts and pages as Markdown in a directory; nil if
  /// there are none. Files that cannot be imported are reported; pages without their URL, and files
  /// that must be imported by their own names, are counted.
  /// - Parameters:
  ///   - tree: the files.
  ///   - directory: the directory.
  ///   - tags: tags to add to saved pages.
  ///   - paths: the files that are examined; nil for all.
  ///   - detect: detects a saved page by its content.
  /// - Returns: the combined outcome.
  /// - Throws: `ReaderError.unreadableFile`, or `ArchiveError`.
  private func importArchives(
    in tree: DirectoryTree, _ directory: String, tags: [String], paths: [String]? = nil,
    detect: ([UInt8]) -> SavedPage? = { SavedPage($0) }
  ) throws -> Outcome? {
    var outcomes: [Outcome] = []
    var refusalReasons: [String] = []
    var countedKeys: Set<String> = []
    var skippedCount = 0
    // Frames of pages are not pages of the user.
    let resources = SavedPage.resources(among: tree.paths)
    let names = (paths ?? tree.paths).filter { !resources.contains($0) }
    for name in names {
      do {
        if let outcome = try importFile(
          name, in: directory, tags: tags, counted: &countedKeys, detect)
        {
          outcomes.append(outcome)
        } else if FileMediaType.byName(name) == "text/html" {
          skippedCount += 1
        }
      } catch ReaderError.unreadableFile(_, let reason) {
        refusalReasons.append("has \(NamedFiles.displayText(name)), which \(reason)")
      }
    }
    guard var outcome = Outcome.combining(outcomes) else {
      guard let reason = refusalReasons.first else { return nil }
      throw ReaderError.unreadableFile(path: directory, reason)
    }
    if outcome.queuedCount > 0, let list = outcomes.first(where: { $0.format.list != nil }) {
      outcome.format = list.format
    } else if outcomes.contains(where: { $0.format != .list(.note) }) {
      outcome.format = .archives
      outcome.pageCount = outcomes.count
    }
    outcome.refusalReasons += refusalReasons
    if outcome.format.list == nil { outcome.skippedCount += skippedCount }
    outcome.separateFileCount = names.count(where: Self.isSeparateFile)
    return outcome
  }

  /// Imports a web archive, saved page, shortcut or page as Markdown; nil for any other file.
  private func importFile(
    _ name: String, in directory: String, tags: [String], counted: inout Set<String>,
    _ detect: ([UInt8]) -> SavedPage?
  ) throws -> Outcome? {
    let path = "\(directory)/\(name)"
    if Self.isArchive(name) { return try importContents(path, tags: tags) }
    if FileMediaType.byName(name) == "text/html" {
      let bytes = try LocalFile.read(path)
      return try detect(bytes).map { try importPage($0, bytes, of: path, tags: tags) }
    }
    guard Self.isShortcut(name) || name.lowercased().hasSuffix(".md"),
      let list = ImportedList(try LocalFile.read(path)),
      list.format == .note || Self.isShortcut(name) && list.isCertainlyList
    else { return nil }
    let outcome = try importContents(list, tags: tags, counted: &counted)
    try importTexts(of: list)
    return outcome
  }

  /// Returns whether a file is a book or a ZIP archive, which is imported only by its own name.
  static func isSeparateFile(_ name: String) -> Bool {
    guard !isArchive(name), !ArchiveTree.isHidden(name), let type = FileMediaType.byName(name)
    else { return false }
    return ["application/epub+zip", "application/pdf", "application/zip"].contains(type)
  }

  /// Imports the pages of a mirrored site from a file tree.
  func importPages(_ pages: MirrorDirectory, in tree: some FileTree) throws -> Outcome {
    var outcome = Outcome(format: .directory)
    outcome.skippedCount = pages.skippedCount
    // The name of the segment is derived from the files, so that importing them again changes
    // nothing.
    var digest = DigestBuilder(.sha256)
    var found: [MirrorDirectory.File] = []
    for page in pages.files {
      guard let file = try tree.open(page.path), file.size > 0 else { continue }
      found.append(page)
      let urls = ([page.url] + page.alternativeURLs).joined(separator: " ")
      digest.update("\(urls) \(file.fingerprint)\n".utf8)
    }
    outcome.pageCount = found.count
    outcome.hasRequestDates = found.contains { $0.date != nil }
    let description = "files of a folder; dates are those of HTTrack or of the files"
    outcome.wasImportedBefore =
      try !storeRecords(of: digest, description: description) { writer, sink in
        for page in found {
          guard let file = try tree.open(page.path) else { continue }
          try write(page, file, writer, sink)
        }
      }.isNew
    return outcome
  }

  private func write(
    _ page: MirrorDirectory.File, _ file: TreeFile, _ writer: WARCWriter,
    _ sink: ([UInt8]) throws -> Void
  ) throws {
    let prefix = try file.bytes(0, 1024)
    let fileName = page.path.split(separator: "/").last?.prefix { $0 != "?" } ?? ""
    let urlFileName = page.url.prefix { $0 != "?" }.split(separator: "/").last ?? ""
    let type =
      FileMediaType.byName(String(fileName))
      ?? FileMediaType.of(name: String(urlFileName), beginning: prefix)
    let requestDate = page.date.flatMap { $0 <= now ? $0 : nil }
    let date = min(requestDate ?? file.date, now)
    let record = WARCRecord(.resource, date: date, targetURI: page.url, contentType: type)
    try writer.write(
      record, blockLength: file.size,
      block: { offset in
        let bytes = try file.bytes(offset, Int(min(Int64(Self.copyBlockSize), file.size - offset)))
        return bytes.isEmpty ? nil : bytes
      }, into: sink)
    // The same page is stored under its other URLs as `revisit` records without content.
    for url in page.alternativeURLs {
      var revisit = WARCRecord(.revisit, date: date, targetURI: url)
      revisit.fields.append("WARC-Profile", WARCRecord.identicalPayload)
      if let id = record.fields["WARC-Record-ID"] { revisit.fields.append("WARC-Refers-To", id) }
      revisit.fields.append("WARC-Refers-To-Target-URI", page.url)
      if let date = record.fields["WARC-Date"] {
        revisit.fields.append("WARC-Refers-To-Date", date)
      }
      try writer.write(revisit, block: [], into: sink)
    }
  }
}
