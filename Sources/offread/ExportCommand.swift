import Library
import DOM
import Exchange
import Feeds
import ArgumentParser
import Foundation
import Document
import Formats
import ReaderMode
import OfflineCache
import Pages
import Profiles
import Session
import TerminalUI

/// `offread export`: writes saved pages for other programs.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write saved pages as a book, as files or as a web archive.")

  /// The output formats.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    /// The saved responses with images (WARC).
    case warc
    /// Like `warc`, with an index and a list of the pages (WACZ).
    case wacz
    /// One book with all pages (EPUB).
    case epub
    /// A Markdown file for each page, with metadata before the text.
    case markdown
    /// An HTML file for each page, with embedded images.
    case html
    /// An array of objects with the text and the metadata of each page.
    case json
    /// A list of feeds and pages (OPML 2.0).
    case opml

    /// The extension of a page's file; nil if all pages go into one file.
    var fileExtension: String? {
      switch self {
      case .markdown: ".md"
      case .html: ".html"
      case .warc, .wacz, .epub, .json, .opml: nil
      }
    }
  }

  @OptionGroup var selection: PageSelection

  @Option(help: "Output format: warc, wacz, epub, markdown, html, json or opml.")
  var format: Format

  @Option(
    name: .customShort("o"), parsing: .unconditional,
    help: ArgumentHelp(
      "Write to a file; for several pages in Markdown or HTML, to a directory.", valueName: "file"))
  var output: String?

  @Flag(name: .customLong("all"), help: "Export all kept pages.")
  var exportsAllKept = false

  @Flag(help: "With markdown: write only the highlights, of all pages into one file.")
  var highlights = false

  @Flag(
    name: .customLong("with-comments"), help: "Include the comments of readers below the texts.")
  var keepsComments = false

  @Option(help: ArgumentHelp("Title of the book or web archive.", valueName: "title"))
  var title: String?

  @Flag(help: "Replace existing files.")
  var force = false

  @OptionGroup var arguments: ProfileArguments

  mutating func validate() throws {
    output = try ContentOutput.path(ofArgument: output)
    // A list of all feeds needs no selection of pages.
    guard selection.isEmpty == exportsAllKept || format == .opml && selection.isEmpty else {
      throw ValidationError(
        exportsAllKept
          ? "--all excludes URLs, --from, --collection and --tag"
          : "give URLs, --from, --collection, --tag or --all")
    }
    guard !highlights || format == .markdown else {
      throw ValidationError("--highlights requires --format markdown")
    }
    if keepsComments, highlights {
      throw ValidationError("--with-comments and --highlights cannot be used together")
    }
    if keepsComments, [.warc, .wacz, .opml].contains(format) {
      throw ValidationError(
        "--with-comments requires --format epub, markdown, html or json, not \(format.rawValue)")
    }
    if title != nil, ![.wacz, .epub, .opml].contains(format) {
      throw ValidationError(
        "--title requires --format epub, wacz or opml, not \(format.rawValue)")
    }
    if force, output == nil { throw ValidationError("--force requires -o") }
    if [.epub, .warc, .wacz].contains(format), output == nil, StandardOutput.isTerminal {
      throw ValidationError("\(format.rawValue) cannot be written to a terminal; give -o FILE")
    }
  }

  mutating func run() throws {
    var count = 0
    var needs = selection.needs
    needs.outputs = outputs
    let (missing, isWhole) = try arguments.withProfile(needs) { [self] profile -> (Int, Bool) in
      ProfileArguments.watchPages(of: profile)
      let (pages, isWhole) = try pages(in: profile)
      let command = try withCollectionTitle(in: profile)
      count = pages.count
      guard !pages.isEmpty || format == .opml else {
        StandardOutput.printError("there are no kept pages to export")
        throw ExitCode(1)
      }
      do {
        if highlights { return (try writeHighlights(pages, profile), isWhole) }
        switch format {
        case .warc: return (try writeRecords(pages, profile), isWhole)
        case .wacz: return (try command.writeCollection(pages, profile), isWhole)
        case .epub: return (try command.writeBook(pages, profile), isWhole)
        case .markdown, .html: return (try writeFiles(pages, profile), isWhole)
        case .json: return (try writeJSON(pages, profile), isWhole)
        case .opml: return (try command.writeOPML(pages, profile), isWhole)
        }
      } catch let error as StandardOutput.WriteError {
        StandardOutput.printError("\(ContentOutput.displayName(of: output)): \(error.message)")
        throw ExitCode(1)
      } catch ZIPError.tooLarge {
        StandardOutput.printError("a book cannot be larger than 4 GB; export fewer pages")
        throw ExitCode(1)
      }
    }
    try printSummary(count - missing, of: count)
    if missing > 0 || !isWhole { throw ExitCode(1) }
  }

  /// Returns the command with the name of the collection as the title, if one is exported and no
  /// title is given.
  private func withCollectionTitle(in profile: Profile) throws -> Self {
    let collections = try selection.selectedCollections(in: profile)
    guard title == nil, collections.count == 1, let collection = collections.first else {
      return self
    }
    var command = self
    command.title = collection.name
    return command
  }

  /// The files that the command may write: the output file, and for formats with a file for each
  /// page the files in a directory.
  private var outputs: [OutputGrant] {
    guard let output else { return [] }
    let file = OutputGrant(output, replacesExisting: force)
    guard let fileExtension = format.fileExtension, !highlights else { return [file] }
    return [file, OutputGrant(output, suffix: fileExtension, replacesExisting: force)]
  }

  /// Prints the output and the number of pages: `book.epub: 4 of 6 pages`.
  private func printSummary(_ writtenCount: Int, of count: Int) throws {
    guard let output, format != .opml, !highlights, writtenCount > 0 else { return }
    let pages = CountFormatter.countText(count, "page")
    let text = writtenCount < count ? "\(writtenCount) of \(pages)" : pages
    try StandardOutput.write(Array("\(LocalFile.displayName(output)): \(text)\n".utf8))
  }

  /// Returns the URLs of the selected pages, and whether every line of a list named a page.
  private func pages(in profile: Profile) throws -> ([String], Bool) {
    if selection.isEmpty, !exportsAllKept { return ([], true) }
    // Only WARC can contain the files of imported books.
    let allowsBooks = format == .warc
    if exportsAllKept {
      let keys = try profile.library.pages(with: .pinned).map(\.key)
      return (keys.filter { allowsBooks || BookAddress($0) == nil }, true)
    }
    let pages = try selection.pages(in: profile, allowsBooks: allowsBooks)
    return (pages.urls.map { SafeText.withoutCredentials($0) }, pages.isListComplete)
  }

  /// Writes an OPML list of the selected pages. Without a selection, the list contains all feeds,
  /// and with `--all` the kept pages too.
  /// - Returns: 0, because the list needs no saved pages.
  /// - Throws: an exit code, `StandardOutput.WriteError` or `ArchiveError`.
  private func writeOPML(_ pages: [String], _ profile: Profile) throws -> Int {
    var entries = try selection.isEmpty ? profile.library.pages(with: .feed) : []
    entries += try profile.library.pages(pages.map { profile.cache.key(of: $0) ?? $0 })
    guard !entries.isEmpty else {
      StandardOutput.printError(
        "there are no feeds to export; --all exports kept pages too")
      throw ExitCode(1)
    }
    let saved = profile.cache.savedPages(among: entries.map(\.key))
    for index in entries.indices where entries[index].title.isEmpty {
      guard saved.contains(entries[index].key) else { continue }
      entries[index].title = Self.savedPage(entries[index].url, in: profile)?.document.title ?? ""
    }
    for index in entries.indices {
      entries[index].url = SafeText.withoutCredentials(entries[index].url)
    }
    var file = try ContentOutput(path: output)
    try file.write(OPML(title: title ?? "offread", entries).bytes())
    try file.finish()
    return 0
  }

  /// Writes an EPUB book.
  /// - Returns: the number of pages that are missing.
  private func writeBook(_ pages: [String], _ profile: Profile) throws -> Int {
    let now = Date()
    var file = try ContentOutput(path: output)
    // Links to pages that are not saved lead to the web.
    let savedKeys = profile.cache.savedPages(among: pages.compactMap { profile.cache.key(of: $0) })
    let urls = pages.filter { profile.cache.key(of: $0).map(savedKeys.contains) ?? false }
    var description = BookMetadata(title: title ?? "", date: now, urls: urls)
    description.redirects = try redirects(to: urls, in: profile)
    var book = EPUBBook(description)
    var archive = ZIPWriter(date: now)
    var imageFiles = BookImages()
    var missingCount = 0
    let keys = Self.keys(of: pages, in: profile)
    for entry in book.begin() { try archive.add(entry) { try file.write($0) } }
    for url in pages {
      let isLoaded = try withPage(url, of: keys, in: profile) { page in
        let images = imageFiles.convertedForBook(Self.images(of: page.document, in: profile))
        for entry in book.add(BookPage(url: url, document: page.document, images: images)) {
          try archive.add(entry) { try file.write($0) }
        }
      }
      if !isLoaded { missingCount += 1 }
    }
    for line in imageFiles.problems { StandardOutput.printError(line) }
    guard missingCount < pages.count else { return missingCount }
    for entry in book.finish() { try archive.add(entry) { try file.write($0) } }
    try archive.finish { try file.write($0) }
    try file.finish()
    return missingCount
  }

  /// Returns the URLs to which exported pages redirect, and the URLs in the selected collections
  /// that redirect to exported pages.
  /// - Parameters:
  ///   - urls: The URLs of the exported pages.
  ///   - profile: The profile with the library.
  /// - Returns: The URL of the exported page for each of these URLs, by its cache key.
  /// - Throws: An exit code, or `ArchiveError`.
  func redirects(to urls: [String], in profile: Profile) throws -> [String: String] {
    let cache = profile.cache
    var redirects: [String: String] = [:]
    for url in urls {
      guard let key = cache.key(of: url), let target = cache.page(of: key)?.key, target != key,
        redirects[target] == nil
      else { continue }
      redirects[target] = url
    }
    for collection in try selection.selectedCollections(in: profile) {
      for key in try profile.library.redirects(to: collection.id) where redirects[key] == nil {
        guard let target = cache.page(of: key)?.key else { continue }
        redirects[key] = redirects[target] ?? target
      }
    }
    return redirects
  }

  /// Writes the highlights of the pages that have any.
  /// - Returns: 0, because highlights need no saved pages.
  private func writeHighlights(_ pages: [String], _ profile: Profile) throws -> Int {
    let all = try pages.map { url in
      let page = try profile.library.page(profile.cache.key(of: url) ?? url)
      return (highlights: page.highlights, title: page.title, url: page.url)
    }.filter { !$0.highlights.isEmpty }
    guard !all.isEmpty else {
      StandardOutput.printError("these pages have no highlights")
      return 0
    }
    var file = try ContentOutput(path: output)
    try file.write(HighlightText.pages(all))
    try file.finish()
    return 0
  }

  /// Writes all pages as a JSON array.
  /// - Returns: the number of pages that are missing.
  private func writeJSON(_ pages: [String], _ profile: Profile) throws -> Int {
    var missing = 0
    let keys = Self.keys(of: pages, in: profile)
    var file = try ContentOutput(path: output)
    try file.write(Array("[".utf8))
    var separator = "\n"
    for url in pages {
      let isLoaded = try withPage(url, of: keys, in: profile) { page in
        let entry = Entry(
          try Self.frontMatter(page, url, profile),
          markdown: page.document.markdown(page.document.exportTargets))
        let text = try JSONText.encode(entry).dropLast()
        try file.write(Array("\(separator)\(text)".utf8))
        separator = ",\n"
      }
      if !isLoaded { missing += 1 }
    }
    try file.write(Array("\n]\n".utf8))
    guard missing < pages.count else { return missing }
    try file.finish()
    return missing
  }

  /// A page in JSON output.
  private struct Entry: Encodable {
    var url: String
    var title: String
    var author: String?
    var site: String?
    var published: Date?
    var language: String?
    var saved: Date?
    var tags: [String]
    var archived: Bool?
    var note: String?
    var highlights: [Passage]?
    var markdown: String

    private enum CodingKeys: String, CodingKey {
      case url = "url"
      case title = "title"
      case author = "author"
      case site = "site"
      case published = "published"
      case language = "language"
      case saved = "saved"
      case tags = "tags"
      case archived = "archived"
      case note = "note"
      case highlights = "highlights"
      case markdown = "markdown"
    }

    /// A highlight.
    struct Passage: Encodable {
      var text: String
      var note: String?

      private enum CodingKeys: String, CodingKey {
        case text = "text"
        case note = "note"
      }
    }

    init(_ matter: FrontMatter, markdown: [UInt8]) {
      func text(_ text: String) -> String? { text.isEmpty ? nil : text }
      (url, title, tags, saved) = (matter.url, matter.title, matter.tags, matter.savedDate)
      (author, site, note) = (text(matter.author), text(matter.site), text(matter.note))
      (published, language) = (matter.publicationDate, text(matter.language))
      archived = matter.isArchived ? true : nil
      let passages = matter.highlights.map { Passage(text: $0.exact, note: text($0.note)) }
      highlights = passages.isEmpty ? nil : passages
      self.markdown = String(decoding: markdown, as: UTF8.self)
    }
  }
}
