import ArgumentParser
import Foundation
import HTML
import OfflineCache
import Reader
import TerminalUI

/// `offread export`: saved pages as a book or as Markdown.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write saved pages as a book (EPUB) or as Markdown.")

  /// The forms in which pages are written.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    /// One book of all pages.
    case epub
    /// A file for each page, with what is known of it before the text.
    case markdown
  }

  @Argument(help: "http or https URLs.")
  var urls: [String] = []

  @Option(help: "epub or markdown.")
  var format: Format

  @Option(
    name: .customShort("o"), parsing: .unconditional,
    help: ArgumentHelp(
      "Write to a file; of several pages of Markdown, into a folder.", valueName: "file"))
  var output: String?

  @Option(name: .customLong("tag"), help: "The pages with this tag.")
  var tag: String?

  @Flag(name: .customLong("all"), help: "All kept pages.")
  var takesAll = false

  @Option(help: "The title of the book.")
  var title: String?

  @OptionGroup var arguments: ProfileArguments

  func validate() throws {
    let kinds = [!urls.isEmpty, tag != nil, takesAll].count { $0 }
    guard kinds == 1 else { throw ValidationError("give URLs, --tag or --all, one of the three") }
    if let tag, LibraryAttribute.tag(tag) == nil { throw ValidationError("--tag takes a word") }
    if format == .epub, output == nil, StandardOutput.isTerminal {
      throw ValidationError("a book is no text for a terminal; give -o FILE")
    }
  }

  mutating func run() throws {
    let urls = try PageList.urls(urls).map { SafeText.withoutCredentials($0) }
    let missing = try arguments.withProfile { [self] profile in
      let pages = try pages(urls, in: profile)
      guard !pages.isEmpty else {
        StandardOutput.complain("no page is kept that could be written")
        throw ExitCode(1)
      }
      do {
        switch format {
        case .epub: return try writeBook(pages, profile)
        case .markdown: return try writeMarkdown(pages, profile)
        }
      } catch let error as StandardOutput.WriteError {
        StandardOutput.complain("\(SafeText.line(output ?? "standard output")): \(error.words)")
        throw ExitCode(1)
      } catch ZIPError.tooLarge {
        StandardOutput.complain("a book is 4 GB at most; export fewer pages")
        throw ExitCode(1)
      }
    }
    if missing > 0 { throw ExitCode(1) }
  }

  private func pages(_ urls: [String], in profile: Profile) throws(ArchiveError) -> [String] {
    if !urls.isEmpty { return urls }
    let attribute: LibraryAttribute = tag.flatMap(LibraryAttribute.tag).map { .tag($0) } ?? .kept
    return try profile.library.pages(with: attribute).map(\.key)
  }

  /// - Returns: how many pages are not there.
  private func writeBook(_ pages: [String], _ profile: Profile) throws -> Int {
    let now = Date()
    var file = try ContentOutput(path: output)
    var book = EPUBBook(BookDescription(title: title ?? "", date: now, urls: pages))
    var archive = ZIPWriter(date: now)
    var missing = 0
    for entry in book.begin() { try archive.add(entry) { try file.write($0) } }
    for url in pages {
      guard let page = Self.page(url, in: profile) else {
        missing += 1
        continue
      }
      let images = Self.images(of: page.document, in: profile)
      for entry in book.add(BookPage(url: url, document: page.document, images: images)) {
        try archive.add(entry) { try file.write($0) }
      }
    }
    guard missing < pages.count else { return missing }
    for entry in book.finish() { try archive.add(entry) { try file.write($0) } }
    try archive.finish { try file.write($0) }
    try file.finish()
    return missing
  }

  /// - Returns: how many pages are not there.
  private func writeMarkdown(_ pages: [String], _ profile: Profile) throws -> Int {
    var missing = 0
    var names = ExportFileName()
    var isFolder: ObjCBool = false
    let isThere = output.map { FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder) }
    if pages.count > 1, let output, isThere == false {
      try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
      isFolder = true
    }
    if pages.count > 1, output != nil, !isFolder.boolValue {
      StandardOutput.complain("several pages need a folder: \(SafeText.line(output ?? "")) is none")
      throw ExitCode(1)
    }
    for url in pages {
      guard let page = Self.page(url, in: profile) else {
        missing += 1
        continue
      }
      let bytes = try Self.markdown(page, url, profile)
      let name = names.make(title: page.document.title, url: url, ending: ".md")
      let path = output.map { isFolder.boolValue ? "\($0)/\(name)" : $0 }
      var file = try ContentOutput(path: path)
      try file.write(bytes)
      try file.finish()
    }
    return missing
  }

  private static func markdown(
    _ page: Page, _ url: String, _ profile: Profile
  ) throws(ArchiveError) -> [UInt8] {
    let known = try profile.library.page(profile.cache.key(of: url) ?? url)
    var matter = FrontMatter(page.document, url: url)
    matter.saved = page.provenance.contentDate
    matter.tags = known.tags
    matter.note = known.note
    return matter.markdown(page.document, page.document.cleanTargets)
  }

  /// The saved page in reader mode, or nil, after telling that there is none.
  private static func page(_ url: String, in profile: Profile) -> Page? {
    var request = LoadRequest(url, view: .reader(ReaderOptions(showsMetadata: false)))
    request.options.mode = .cacheOnly
    let waiter = Waiter<Page?>()
    let loader = PageLoader(profile: profile)
    let load = loader.load(request) { event in
      switch event {
      case .loaded(let page): waiter.post(page)
      case .failed(let error, _):
        StandardOutput.complain(error.description)
        waiter.post(nil)
      case .progressed, .newer, .checked: break
      }
    }
    defer { withExtendedLifetime(load) {} }
    return waiter.next()
  }

  /// The saved images of a page by their URLs.
  private static func images(of document: Document, in profile: Profile) -> [String: [UInt8]] {
    let archive = profile.cache.archive
    var images: [String: [UInt8]] = [:]
    for image in document.images.indices {
      guard let url = document.url(ofImage: image), images[url] == nil,
        let key = profile.cache.key(of: url),
        let saved = try? archive.captures(of: key).first(where: \.isGood),
        saved.length <= imageLimit, let bytes = try? archive.body(of: saved).rest()
      else { continue }
      images[url] = bytes
    }
    return images
  }

  /// The longest image that goes into a book, in bytes.
  private static let imageLimit: Int64 = 20 << 20
}
