import Feeds
package import Document
package import Formats
package import ReaderMode
import WARC

/// The decompressed content of a response or a file, known to be text.
package struct PageContent: Sendable, Equatable {
  /// The bytes of the page.
  package let bytes: [UInt8]
  /// The media type to parse the content as.
  package let mediaType: String
  /// The `charset` of `Content-Type`; nil if it has none.
  package let charset: String?
  /// Whether the compressed content is incomplete or damaged, so that the end of the page is
  /// missing.
  package var isTruncated: Bool
  /// The base URL of the links; nil for the URL of the page.
  package var base: String?
  /// The `Refresh` field of the response; nil for none.
  package var refresh: String?
  /// The URL of the next document in a series, from a `Link` field of the response; nil for none.
  package var nextURL: String?
  /// Markup around the content in the page view, which is not part of its source; nil for none.
  package var frame: PageFrame?
  /// The parameters of `format=flowed`; nil for text with fixed lines.
  let flow: FlowedFormat?
  /// Warnings to show with the page.
  package var warnings: [String] = []
  /// The style sheets that the page links to, concatenated, if they are available.
  package var styleSheet: [UInt8] = []

  /// The reason why content cannot be shown as a page.
  package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The content is not text; the value is its media type.
    case notText(mediaType: String)
    /// The decompressed content exceeds the size limit.
    case tooLarge

    package var description: String {
      switch self {
      case .notText(let mediaType): "it is not text (\(mediaType))"
      case .tooLarge: "it is too large"
      }
    }
  }

  /// Decompresses content and checks that it is text. Servers send compressed files with the media
  /// type of their content, or compress content twice.
  /// - Parameters:
  ///   - content: the bytes, with content codings already decoded.
  ///   - type: the declared media type.
  ///   - limit: maximum size in bytes after decompression.
  /// - Throws: `Problem` if the content cannot be shown.
  package init(
    _ content: consuming [UInt8], type: MediaType, limit: Int64
  ) throws(Problem) {
    var isTruncated = false
    let bytes = try Self.unpackedLayers(of: content, limit: limit, isTruncated: &isTruncated)
    let type = Self.compressedTypes.contains(type.essence) ? MediaType(nil) : type
    guard let mediaType = type.readableType(bytes) else {
      let isNamed = !type.isHTML && !type.isText && type.essence != MediaType.unknownEssence
      throw .notText(mediaType: isNamed ? type.essence : Self.binaryType(of: bytes))
    }
    self.bytes = bytes
    self.mediaType = mediaType
    charset = type.charset
    flow = type.flowedFormat
    self.isTruncated = isTruncated
  }

  /// Notices to show with the page.
  package var notices: [String] {
    let isDamaged =
      "the compressed page is truncated or damaged: the part that could be read is shown"
    return (isTruncated ? [isDamaged] : []) + warnings
  }

  /// Whether the content is a feed.
  package var isFeed: Bool { FeedFormat(of: bytes) != nil }

  /// Whether the content is an HTML page whose end seems to be missing.
  package var isCutOff: Bool { hasReaderView && PageEnd.isMissing(in: bytes) }

  /// The notice for a page whose end seems to be missing.
  package static let cutOffNotice = "the end of the page seems to be missing"

  /// Parses the content. A feed becomes a page of its items, whatever its media type is.
  /// - Parameters:
  ///   - url: the URL of the page, or an empty string.
  ///   - view: the view.
  /// - Returns: the document, with the detected encoding.
  package consuming func document(url: String, view: PageViewMode = .page) -> Document {
    let url = base ?? url
    if view != .source, FeedFormat(of: bytes) != nil,
      let feed = Feed(bytes, charset: charset, url: url)
    {
      return feed.document(url: url)
    }
    let shown = view == .source ? bytes : withRefresh(frame?.inserting(bytes) ?? bytes)
    var document = parsed(shown, url: url, view: view)
    if view != .source, let target = scriptTarget(of: document, shown) {
      let link = Markup.escapedLine(target)
      document = parsed(
        shown + "<p><a href=\"\(link)\">\(link)</a></p>".utf8, url: url, view: view)
    }
    if view != .source, document.nextURL.isEmpty, let nextURL { document.nextURL = nextURL }
    // A part of a book has no navigation before its main content that could be folded.
    if frame != nil { document.mainContentBlock = 0 }
    return document
  }

  private func parsed(_ bytes: [UInt8], url: String, view: PageViewMode) -> Document {
    Document(
      bytes: bytes, mediaType: mediaType, charset: charset, url: url, view: view,
      styleSheet: styleSheet, flowedFormat: flow)
  }

  /// Returns the page with the `Refresh` field of its response as a `<meta http-equiv=refresh>`
  /// element; unchanged if there is no such field, or if the page is not HTML or is UTF-16.
  private func withRefresh(_ page: [UInt8]) -> [UInt8] {
    guard let refresh, refresh.utf8.count <= 4096, acceptsMarkup(page) else { return page }
    let meta = "<meta http-equiv=\"refresh\" content=\"\(Markup.escapedLine(refresh))\">"
    let marker: [UInt8] = page.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : []
    return marker + meta.utf8 + page.dropFirst(marker.count)
  }

  /// Returns whether an element can be inserted into a page as ASCII bytes. The page must be HTML,
  /// and not in UTF-16.
  private func acceptsMarkup(_ page: [UInt8]) -> Bool {
    guard case .html = Document.kind(of: page, mediaType: mediaType) else { return false }
    return !page.prefix(512).contains(0) && !page.starts(with: [0xFE, 0xFF])
      && !page.starts(with: [0xFF, 0xFE])
  }

  /// Maximum number of bytes of text in a page that only redirects by a script.
  private static let maxRedirectTextLength = 100

  /// Returns the URL to which a script redirects from a page without links, images and more than a
  /// few words; nil for other pages.
  private func scriptTarget(of document: Document, _ page: [UInt8]) -> String? {
    guard document.links.isEmpty, document.images.isEmpty, acceptsMarkup(page),
      document.text.count(where: { $0 > 0x20 }) <= Self.maxRedirectTextLength
    else { return nil }
    return ScriptRedirect.target(in: page)
  }

  /// Length in bytes from which the first screens are shown before the whole content is parsed.
  package static let longLength = 1 << 20
  /// Number of bytes that are parsed for the first screens.
  private static let firstScreensLength = 1 << 17

  /// Parses the first screens of a long HTML page, which takes a few milliseconds.
  /// - Parameter url: the URL of the page, or an empty string.
  /// - Returns: the document of the beginning of the content; nil if the content is shorter or not
  ///   HTML, or if its beginning contains little text.
  package func firstScreens(url: String) -> Document? {
    guard bytes.count >= Self.longLength, hasReaderView else { return nil }
    let bytes = Array(bytes[..<Self.firstScreensLength])
    // An incomplete tag must not be shown as text.
    let end = bytes.lastIndex(of: UInt8(ascii: "<")) ?? bytes.count
    let document = Document(
      bytes: Array(bytes[..<end]), mediaType: mediaType, charset: charset, url: url)
    // Some pages start with a longer script.
    return document.text.count >= 2000 ? document : nil
  }

  /// Whether reader view can extract a main content, which is possible only for HTML pages.
  package var hasReaderView: Bool {
    switch Document.kind(of: bytes, mediaType: mediaType) {
    case .html, .xhtml: FeedFormat(of: bytes) == nil
    case .text, .binary: false
    }
  }

  /// Returns whether the source view differs from the page view, as it does for all text but plain
  /// text. `url` is the URL of the page.
  package func hasOtherSource(url: String) -> Bool {
    switch Document.kind(of: bytes, mediaType: mediaType) {
    case .html, .xhtml: true
    case .text:
      TextFormat(mediaType: mediaType, name: url) != .plain || flow != nil
        || FeedFormat(of: bytes) != nil
    case .binary: false
    }
  }

  // MARK: Compressed files

  /// The start of a gzip member (RFC 1952 §2.3.1), with the deflate method.
  private static let gzipSignature: [UInt8] = [0x1F, 0x8B, 0x08]
  /// The start of a Zstandard frame (RFC 8878 §3.1.1).
  private static let zstdSignature: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
  private static let maxLayers = 3
  /// The media types of compressed files.
  package static let compressedTypes: Set<String> = [
    "application/gzip", "application/x-gzip", "application/zstd", "application/x-zstd",
  ]

  /// Returns whether content is compressed as a whole with gzip or Zstandard.
  package static func isCompressed(_ content: [UInt8]) -> Bool {
    content.starts(with: gzipSignature) || content.starts(with: zstdSignature)
  }

  /// Decompresses content that is compressed as a whole with gzip or Zstandard, up to `maxLayers`
  /// times. Sets `isTruncated` if compressed data is incomplete or damaged.
  package static func unpackedLayers(
    of content: consuming [UInt8], limit: Int64, isTruncated: inout Bool
  ) throws(Problem) -> [UInt8] {
    var bytes = content
    for _ in 0..<maxLayers {
      if bytes.starts(with: gzipSignature) {
        bytes = try unpacked(bytes, limit: limit, isTruncated: &isTruncated)
      } else if bytes.starts(with: zstdSignature) {
        bytes = try unpackedFrames(bytes, limit: limit, isTruncated: &isTruncated)
      } else {
        break
      }
    }
    return bytes
  }

  /// Decompresses Zstandard frames up to the end or to an error, after which it sets `isTruncated`.
  private static func unpackedFrames(
    _ bytes: [UInt8], limit: Int64, isTruncated: inout Bool
  ) throws(Problem) -> [UInt8] {
    var result: [UInt8] = []
    let frames = ZstdFrames()
    do {
      try frames.decode(bytes) { chunk, _ in
        guard Int64(result.count + chunk.count) <= limit else { throw Problem.tooLarge }
        result += chunk
      }
      isTruncated = isTruncated || frames.isWithinFrame
    } catch let problem as Problem {
      throw problem
    } catch {
      // The part before the error is worth reading.
      isTruncated = true
    }
    guard !result.isEmpty else { throw .notText(mediaType: "application/zstd") }
    return result
  }

  /// Decompresses gzip members up to the end or to an error, after which it sets `isTruncated`.
  private static func unpacked(
    _ bytes: [UInt8], limit: Int64, isTruncated: inout Bool
  ) throws(Problem) -> [UInt8] {
    var result: [UInt8] = []
    let inflater = Inflater(format: .gzip)
    do {
      try inflater.inflate(bytes) { chunk in
        guard Int64(result.count + chunk.count) <= limit else { throw Problem.tooLarge }
        result += chunk
      }
    } catch let problem as Problem {
      throw problem
    } catch {
      // The part before the error is worth reading.
    }
    isTruncated = isTruncated || !inflater.hasAllBlocks
    guard !result.isEmpty else { throw .notText(mediaType: "application/gzip") }
    return result
  }

  // MARK: Binary content

  /// Detects the media type of binary content (MIME Sniffing standard §6); the unknown type if
  /// there is no match.
  private static func binaryType(of bytes: [UInt8]) -> String {
    if PDFText.isFormat(of: bytes) { return PDFText.mediaType }
    for (marker, type) in signatures where bytes.starts(with: marker.utf8) { return type }
    for (marker, type) in byteSignatures where bytes.starts(with: marker) { return type }
    return MediaType.unknownEssence
  }

  private static let signatures = [
    ("GIF8", "image/gif"), ("PK\u{3}\u{4}", "application/zip"),
    ("Rar!", "application/vnd.rar"), ("OggS", "application/ogg"), ("ID3", "audio/mpeg"),
    ("fLaC", "audio/flac"), ("wOFF", "font/woff"), ("wOF2", "font/woff2"),
    ("BZh", "application/x-bzip2"),
    ("\u{7F}ELF", "application/x-executable"), ("SQLite format 3", "application/vnd.sqlite3"),
    ("BM", "image/bmp"), ("7z", "application/x-7z-compressed"),
  ]
  private static let byteSignatures: [([UInt8], String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "application/x-xz"),
    ([0x28, 0xB5, 0x2F, 0xFD], "application/zstd"), ([0x1F, 0x8B], "application/gzip"),
    ([0x1A, 0x45, 0xDF, 0xA3], "video/webm"),
  ]
}
