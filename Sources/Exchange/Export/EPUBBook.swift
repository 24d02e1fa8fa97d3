import Feeds
import DOM
import Foundation
import Document
import Formats
import ReaderMode
import OfflineCache
import WARC

/// An EPUB 3.3 book, created page by page: each call returns the files that come next in the ZIP
/// archive. Only names are kept in memory.
package struct EPUBBook: Sendable {
  private let metadata: BookMetadata
  /// The files of the pages by the cache keys of their URLs.
  private let files: [String: String]
  private var pages: [Chapter] = []
  /// The files of the images by URL; nil for unsupported images.
  private var images: [String: String?] = [:]
  /// The files of the images, with their media types.
  private var imageTypes: [(file: String, mediaType: String)] = []
  /// The IDs in the files of the added pages.
  private var ids: [String: FragmentIDs] = [:]
  /// The fragment names to which links of the added pages lead in pages that are not added yet, by
  /// the files of these pages.
  private var referencedNames: [String: Set<String>] = [:]

  /// What the navigation and the package document need to know of a page.
  private struct Chapter {
    var file: String
    var title: String
    var locale: Locale
    var metadata: PageMetadata
  }

  /// The language and the direction of a page or of the book.
  private struct Locale {
    /// The BCP 47 tag; `und` if it is unknown.
    var language: String
    /// The direction that the page declares; nil if it declares none.
    var direction: Document.Direction?

    /// The attribute `dir` with the white space before it; empty without a direction.
    var directionAttribute: String { direction.map { " dir=\"\($0.rawValue)\"" } ?? "" }
  }

  /// Begins a book.
  package init(_ metadata: BookMetadata) {
    self.metadata = metadata
    var files: [String: String] = [:]
    for (index, url) in metadata.urls.enumerated() {
      let key = CacheKey.make(url) ?? url
      if files[key] == nil { files[key] = Self.fileName(index) }
    }
    for (url, target) in metadata.redirects {
      let key = CacheKey.make(url) ?? url
      if files[key] == nil { files[key] = files[CacheKey.make(target) ?? target] }
    }
    self.files = files
  }

  /// Returns the first files of the archive.
  /// - Returns: The files, in order; the first one must come first in the archive.
  package func begin() -> [ZIPEntry] {
    [
      ZIPEntry(path: "mimetype", bytes: Array(EPUBPackage.mediaType.utf8), isStored: true),
      ZIPEntry(path: "META-INF/container.xml", bytes: Array(Self.container.utf8)),
      ZIPEntry(path: "EPUB/style.css", bytes: Array(Self.style.utf8)),
    ]
  }

  /// Adds the next page.
  /// - Parameter page: The page. Pages must be in the order of `BookMetadata.urls`; unreadable
  ///   ones may be left out.
  /// - Returns: The images of the page, and the page itself.
  package mutating func add(_ page: BookPage) -> [ZIPEntry] {
    var entries: [ZIPEntry] = []
    for image in page.document.images.indices {
      let embedded = page.document.embeddedURL(ofImage: image)
      guard let url = embedded ?? page.document.url(ofImage: image), images[url] == nil else {
        continue
      }
      // A later page may have the bytes of an image that are missing in this page.
      guard let bytes = page.images[url] ?? embedded.flatMap({ DataURL.bytes(of: $0) }) else {
        continue
      }
      guard let exportedImage = ExportedImage(bytes), exportedImage.format.isEPUBCoreType else {
        images[url] = .some(nil)
        continue
      }
      let file = "images/\(imageTypes.count + 1).\(exportedImage.format.fileExtension)"
      images[url] = file
      imageTypes.append((file, exportedImage.format.mediaType))
      entries.append(
        ZIPEntry(
          path: "EPUB/" + file, bytes: exportedImage.bytes, isStored: exportedImage.format != .svg))
    }
    let file =
      files[CacheKey.make(page.url) ?? page.url] ?? Self.fileName(files.count + pages.count)
    let title = page.document.title.isEmpty ? page.url : page.document.title
    let locale = Locale(
      language: Self.language(page.document.language), direction: page.document.direction)
    guard !pages.contains(where: { $0.file == file }) else { return entries }
    pages.append(
      Chapter(file: file, title: title, locale: locale, metadata: Self.metadata(of: page)))
    var pageIDs = FragmentIDs(page.document)
    pageIDs.addIDs((referencedNames.removeValue(forKey: file) ?? []).sorted())
    ids[file] = pageIDs
    let links = self.links(of: page.document, in: file)
    let bytes = text(of: page, title, locale, links: links, ids: pageIDs.targets)
    entries.append(ZIPEntry(path: "EPUB/" + file, bytes: bytes))
    return entries
  }

  /// Returns the last files of the archive: navigation and package document.
  /// - Returns: The files, in order.
  package func finish() -> [ZIPEntry] {
    [
      ZIPEntry(path: "EPUB/nav.xhtml", bytes: Array(contents.utf8)),
      ZIPEntry(path: "EPUB/content.opf", bytes: Array(package.utf8)),
    ]
  }

  // MARK: Pages

  /// Returns the targets of the links of a page by their indices. All fragments lead to IDs that
  /// the book contains.
  private mutating func links(of document: Document, in file: String) -> [String?] {
    document.links.indices.map { index -> String? in
      let target = document.links[index].target
      if target.hasPrefix("#") {
        return ids[file]?.id(of: String(target.dropFirst())).map { "#" + $0 }
      }
      guard let url = document.url(ofLink: index) else { return nil }
      guard let key = CacheKey.make(url), let linked = files[key] else {
        return Self.conformingURL(url)
      }
      guard let fragment = FragmentIDs.fragment(of: url), let id = self.id(of: fragment, in: linked)
      else {
        return linked
      }
      return linked + "#" + id
    }
  }

  /// Returns the ID to which a fragment leads in a file of the book; nil if the file has no such
  /// ID. The file may be written later.
  private mutating func id(of fragment: String, in file: String) -> String? {
    if let known = ids[file] { return known.id(of: fragment) }
    guard let name = FragmentIDs.anchorName(of: fragment), let id = FragmentIDs.id(forName: name)
    else {
      return nil
    }
    referencedNames[file, default: []].insert(name)
    return id
  }

  private func text(
    of page: BookPage, _ title: String, _ locale: Locale, links: [String?],
    ids: [FragmentIDs.Target]
  ) -> [UInt8] {
    let document = page.document
    var targets = ExportTargets(
      linkURL: { links[$0] },
      imageURL: { [images] index in
        (document.embeddedURL(ofImage: index) ?? document.url(ofImage: index))
          .flatMap { images[$0] ?? nil }
      })
    targets.idTargets = ids
    var text = Array(Self.head(title: title, locale).utf8)
    text += "<body>\n".utf8
    let startsWithTitle = document.blocks.first.map {
      $0.kind == .heading(level: 1) && document.text(of: $0).oneLine == document.title
    }
    if startsWithTitle != true { text += "<h1>\(title.escapedForXML)</h1>\n".utf8 }
    text += document.semanticXHTML(targets)
    text += "<hr/>\n<p class=\"source\">\(Self.attribution(page))</p>\n</body>\n</html>\n".utf8
    return text
  }

  /// Returns the metadata that a page declares; empty if the content is not of reader view.
  private static func metadata(of page: BookPage) -> PageMetadata {
    page.document.readerFacts?.metadata ?? PageMetadata()
  }

  /// Returns the author, date, site and URL of a page.
  private static func attribution(_ page: BookPage) -> String {
    let metadata = metadata(of: page)
    let date = DateText.parse(metadata.date).map(DateText.formatted) ?? metadata.date
    let facts = [metadata.byline, date, metadata.siteName].filter { !$0.isEmpty }.map(
      \.escapedForXML)
    guard let url = conformingURL(page.url) else { return facts.joined(separator: " · ") }
    let link = "<a href=\"\(url.escapedForXML)\">\(page.url.escapedForXML)</a>"
    return (facts + [link]).joined(separator: " · ")
  }

  /// Returns a URL that conforms to RFC 3986, which is stricter than browsers; nil for schemes that
  /// books do not link to.
  static func conformingURL(_ url: String) -> String? {
    guard ["http:", "https:", "mailto:"].contains(where: { url.hasPrefix($0) }) else { return nil }
    let parts = url.utf8.split(
      separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)
    let isAllowedUnescaped = { (byte: UInt8) in
      byte > 0x20 && byte < 0x7F && !"\"<>\\^`{|}#".utf8.contains(byte)
    }
    // Brackets are only allowed around an IPv6 address.
    let hostEnd = url.utf8.dropFirst(8).firstIndex { $0 == UInt8(ascii: "/") } ?? url.utf8.endIndex
    var result = ""
    for (number, part) in parts.enumerated() {
      if number > 0 { result += "#" }
      var index = part.startIndex
      while index < part.endIndex {
        let byte = part[index]
        let isBracket = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
        let isLonePercent =
          byte == UInt8(ascii: "%")
          && (part[index...].dropFirst().prefix(2).count { Self.isHexadecimal($0) } < 2)
        if isAllowedUnescaped(byte), !isLonePercent, !isBracket || index < hostEnd {
          result.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
          result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        index = part.index(after: index)
      }
    }
    return result
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }

  // MARK: Files

  private static func fileName(_ index: Int) -> String {
    let digits = String(index + 1)
    return "page-" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
      + ".xhtml"
  }

  private static func head(title: String, _ locale: Locale) -> String {
    let language = locale.language
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE html>
      <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" \
      lang="\(language)" xml:lang="\(language)"\(locale.directionAttribute)>
      <head>
      <meta charset="UTF-8"/>
      <title>\(title.escapedForXML)</title>
      <link rel="stylesheet" type="text/css" href="style.css"/>
      </head>

      """
  }

  /// The language of most pages of the book, and the direction if most pages are written from right
  /// to left.
  private var locale: Locale {
    var counts: [String: Int] = [:]
    for page in pages where page.locale.language != "und" {
      counts[page.locale.language, default: 0] += 1
    }
    let language = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? "und"
    let rightToLeftCount = pages.count { $0.locale.direction == .rightToLeft }
    return Locale(
      language: language, direction: rightToLeftCount * 2 > pages.count ? .rightToLeft : nil)
  }

  private var title: String {
    let firstTitle = pages.first?.title ?? "Saved pages"
    if !metadata.title.isEmpty { return metadata.title }
    return pages.count > 1 ? "\(firstTitle) and \(pages.count - 1) more" : firstTitle
  }

  private var contents: String {
    let pageItems = pages.map { "<li><a href=\"\($0.file)\">\($0.title.escapedForXML)</a></li>\n" }
    let listContent = pageItems.isEmpty ? "<li><span>No pages</span></li>\n" : pageItems.joined()
    return Self.head(title: title, locale) + """
      <body>
      <nav epub:type="toc" id="toc">
      <h1>\(title.escapedForXML)</h1>
      <ol>
      \(listContent)</ol>
      </nav>
      </body>
      </html>

      """
  }

  /// The authors of the pages, each once, and the date of publication of a single page.
  private var authorAndDateElements: String {
    var authors: Set<String> = []
    var elements = ""
    for author in pages.map(\.metadata.byline) where !author.isEmpty {
      guard authors.insert(author).inserted else { continue }
      elements += "<dc:creator>\(author.escapedForXML)</dc:creator>\n"
    }
    if pages.count == 1, !pages[0].metadata.day.isEmpty {
      elements += "<dc:date>\(pages[0].metadata.day.escapedForXML)</dc:date>\n"
    }
    return elements
  }

  private var package: String {
    let date = Date(timeIntervalSince1970: metadata.date.timeIntervalSince1970.rounded(.down))
    let locale = locale
    let language = locale.language
    let progression =
      locale.direction == .rightToLeft ? " page-progression-direction=\"rtl\"" : ""
    var manifest = ""
    var spineItems = ""
    for (index, page) in pages.enumerated() {
      manifest +=
        "<item id=\"p\(index + 1)\" href=\"\(page.file)\" media-type=\"application/xhtml+xml\"/>\n"
      spineItems += "<itemref idref=\"p\(index + 1)\"/>\n"
    }
    for (index, image) in imageTypes.enumerated() {
      manifest +=
        "<item id=\"i\(index + 1)\" href=\"\(image.file)\" media-type=\"\(image.mediaType)\"/>\n"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" \
      xml:lang="\(language)">
      <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
      <dc:identifier id="id">urn:uuid:\(identifier)</dc:identifier>
      <dc:title>\(title.escapedForXML)</dc:title>
      <dc:language>\(language)</dc:language>
      \(authorAndDateElements)<meta property="dcterms:modified">\(WARCDate.text(date))</meta>
      </metadata>
      <manifest>
      <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
      <item id="style" href="style.css" media-type="text/css"/>
      \(manifest)</manifest>
      <spine\(progression)>
      <itemref idref="nav"/>
      \(spineItems)</spine>
      </package>

      """
  }

  /// A UUID (version 8) derived from the title and the URLs of the pages (FNV-1a, twice), so that
  /// it is equal for equal books.
  private var identifier: String {
    var hashes: [UInt64] = [0xCBF2_9CE4_8422_2325, 0x8422_2325_CBF2_9CE4]
    for byte in (metadata.title + "\n" + metadata.urls.joined(separator: "\n")).utf8 {
      for index in 0...1 { hashes[index] = (hashes[index] ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    hashes[0] = hashes[0] & ~0xF000 | 0x8000
    hashes[1] = hashes[1] & ~(3 << 62) | 2 << 62
    let digits = hashes.map { hash in
      let text = String(hash, radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined()
    var parts: [Substring] = []
    var rest = digits[...]
    for count in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts.joined(separator: "-")
  }

  /// Returns a well-formed language tag (BCP 47), or "und" for an unknown language.
  private static func language(_ tag: String) -> String {
    let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
    let isWellFormed = parts.enumerated().allSatisfy { index, part in
      (index == 0 ? 2...3 : 1...8).contains(part.utf8.count)
        && part.utf8.allSatisfy { byte in
          (0x61...0x7A).contains(byte | 0x20) || index > 0 && (0x30...0x39).contains(byte)
        }
    }
    return isWellFormed ? tag : "und"
  }

  private static let container = """
    <?xml version="1.0" encoding="UTF-8"?>
    <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
    <rootfiles>
    <rootfile full-path="EPUB/content.opf" media-type="application/oebps-package+xml"/>
    </rootfiles>
    </container>

    """

  private static let style = """
    img { max-width: 100%; height: auto; }
    pre { white-space: pre-wrap; font-size: 0.85em; }
    table { border-collapse: collapse; }
    th, td { border: 1px solid; padding: 0.2em 0.4em; vertical-align: top; }
    blockquote { margin-left: 1em; padding-left: 0.6em; border-left: 2px solid; }
    .source { font-size: 0.85em; }

    """
}
