import Feeds
package import Document
package import Formats
package import ReaderMode
import WARC

/// The content of an answer or a file, made ready to be read: unpacked, and known to be text.
package struct PageContent: Sendable, Equatable {
  /// The bytes of the page.
  package let bytes: [UInt8]
  /// The media type as which they can be read.
  package let mediaType: String
  /// The `charset` of `Content-Type`, or nil.
  package let charset: String?
  /// The compressed content breaks off, or is damaged: there is more of the page than its bytes.
  package let isCut: Bool
  /// The address against which its links are resolved, where that is not its own.
  package var base: String?
  /// Where the answer says that the reader may go on to (`Refresh`), in the words of the field.
  package var refresh: String?
  /// What stands around it when it is shown, but not in its source.
  package var frame: PageFrame?
  /// The parameters of `format=flowed`; nil for text with fixed lines.
  let flow: LineFlow?
  /// Warnings to show with the page.
  var warnings: [String] = []
  /// The style sheets that it links to, where they are at hand, one after the other.
  package var styleSheet: [UInt8] = []

  /// Why content cannot be a page.
  package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
    /// It is no text but of this media type.
    case notText(mediaType: String)
    /// Unpacked it is larger than the limit.
    case tooLarge

    package var description: String {
      switch self {
      case .notText(let mediaType): "it is no text (\(mediaType))"
      case .tooLarge: "it is too large"
      }
    }
  }

  /// Looks at content, and unpacks what was compressed once too often: servers send compressed files
  /// under the type of what is in them, or compress what is compressed.
  /// - Parameters:
  ///   - content: the content as it came, its content codings undone.
  ///   - type: what is said of it.
  ///   - limit: the most bytes that it may have unpacked.
  /// - Throws: `Problem` when it is not to be read.
  package init(
    _ content: consuming [UInt8], type: MediaType, limit: Int64
  ) throws(Problem) {
    var isCut = false
    let bytes = try Self.unpackedLayers(of: content, limit: limit, isCut: &isCut)
    let isCompressed = type.essence == "application/gzip" || type.essence == "application/x-gzip"
    let type = isCompressed ? MediaType(nil) : type
    guard let mediaType = type.readable(bytes) else {
      let isNamed = !type.isHTML && !type.isText && type.essence != MediaType.unknown
      throw .notText(mediaType: isNamed ? type.essence : Self.binaryType(of: bytes))
    }
    self.bytes = bytes
    self.mediaType = mediaType
    charset = type.charset
    flow = type.flow
    self.isCut = isCut
  }

  /// What a person should hear of it.
  package var notices: [String] {
    let isDamaged =
      "the compressed page breaks off or is damaged: what could be read of it is shown"
    return (isCut ? [isDamaged] : []) + warnings
  }

  /// Whether it is a feed.
  package var isFeed: Bool { FeedFormat(of: bytes) != nil }

  /// The document of the content; a feed, whatever its media type, is made a page of its items.
  /// - Parameters:
  ///   - url: the address of the page, or empty.
  ///   - view: how it is read.
  /// - Returns: the document, with the encoding that was found.
  package consuming func document(url: String, view: ReadingView = .page) -> Document {
    let url = base ?? url
    if view != .source, FeedFormat(of: bytes) != nil,
      let feed = Feed(bytes, charset: charset, url: url)
    {
      return feed.document(url: url)
    }
    let shown = view == .source ? bytes : withRefresh(frame?.around(bytes) ?? bytes)
    var document = Document(
      bytes: shown, mediaType: mediaType, charset: charset, url: url, view: view,
      styleSheet: styleSheet, flow: flow)
    // Before a part of a reading stands nothing that could be folded away.
    if frame != nil { document.mainContent = 0 }
    return document
  }

  /// A page with what its answer says of going on, as if the page said it: the field is the header's form of
  /// `<meta http-equiv=refresh>`.
  private func withRefresh(_ page: [UInt8]) -> [UInt8] {
    guard let refresh, refresh.utf8.count <= 4096,
      case .html = Document.kind(of: page, mediaType: mediaType),
      // Markup of ASCII stands before it.
      !page.prefix(512).contains(0), !page.starts(with: [0xFE, 0xFF]),
      !page.starts(with: [0xFF, 0xFE])
    else { return page }
    let meta = "<meta http-equiv=\"refresh\" content=\"\(Markup.line(refresh))\">"
    let mark: [UInt8] = page.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : []
    return mark + meta.utf8 + page.dropFirst(mark.count)
  }

  /// Content from this length on, in bytes, is shown before all of it is read.
  static let longLength = 1 << 20
  /// How much of it makes more than the first screens, in bytes.
  private static let beginningLength = 1 << 17

  /// The document of the first screens of a long page of HTML, which takes some milliseconds; nil of
  /// every other content.
  /// - Parameter url: the address of the page, or empty.
  /// - Returns: the document of the beginning of the content.
  func beginning(url: String) -> Document? {
    guard bytes.count >= Self.longLength, hasReaderView else { return nil }
    let bytes = Array(bytes[..<Self.beginningLength])
    // A tag that is cut is no text.
    let end = bytes.lastIndex(of: UInt8(ascii: "<")) ?? bytes.count
    let document = Document(
      bytes: Array(bytes[..<end]), mediaType: mediaType, charset: charset, url: url)
    // Some begin with more script than that.
    return document.text.count >= 2000 ? document : nil
  }

  /// Whether there is a main content in it: only pages of HTML have one.
  package var hasReaderView: Bool {
    switch Document.kind(of: bytes, mediaType: mediaType) {
    case .html, .xhtml: FeedFormat(of: bytes) == nil
    case .text, .binary: false
    }
  }

  /// Whether its text is shown as something else than it is: not so with plain text.
  /// - Parameter url: the address of the page.
  /// - Returns: whether the source is another view.
  func hasOtherSource(url: String) -> Bool {
    switch Document.kind(of: bytes, mediaType: mediaType) {
    case .html, .xhtml: true
    case .text:
      TextFormat(mediaType: mediaType, name: url) != .plain || flow != nil
        || FeedFormat(of: bytes) != nil
    case .binary: false
    }
  }

  // MARK: gzip

  /// A member of deflated content (RFC 1952, section 2.3.1).
  private static let gzipMark: [UInt8] = [0x1F, 0x8B, 0x08]
  private static let mostLayers = 3

  /// Decompresses content that is compressed as a whole, such as a gzip file.
  static func unpackedLayers(
    of content: consuming [UInt8], limit: Int64, isCut: inout Bool
  ) throws(Problem) -> [UInt8] {
    var bytes = content
    for _ in 0..<mostLayers where bytes.starts(with: gzipMark) {
      bytes = try unpacked(bytes, limit: limit, isCut: &isCut)
    }
    return bytes
  }

  /// What gzip members hold, as far as they can be read.
  private static func unpacked(
    _ bytes: [UInt8], limit: Int64, isCut: inout Bool
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
      // A broken or cut stream: what came before is worth reading.
    }
    isCut = isCut || !inflater.isFinished
    guard !result.isEmpty else { throw .notText(mediaType: "application/gzip") }
    return result
  }

  // MARK: What is not text

  /// The type of bytes that are no text, as their beginning tells (MIME sniffing standard, section
  /// 6), or that of unknown bytes.
  private static func binaryType(of bytes: [UInt8]) -> String {
    for (mark, type) in marks where bytes.starts(with: mark.utf8) { return type }
    for (mark, type) in byteMarks where bytes.starts(with: mark) { return type }
    return MediaType.unknown
  }

  private static let marks = [
    ("%PDF-", "application/pdf"), ("GIF8", "image/gif"), ("PK\u{3}\u{4}", "application/zip"),
    ("Rar!", "application/vnd.rar"), ("OggS", "application/ogg"), ("ID3", "audio/mpeg"),
    ("fLaC", "audio/flac"), ("wOFF", "font/woff"), ("wOF2", "font/woff2"),
    ("BZh", "application/x-bzip2"),
    ("\u{7F}ELF", "application/x-executable"), ("SQLite format 3", "application/vnd.sqlite3"),
    ("BM", "image/bmp"), ("7z", "application/x-7z-compressed"),
  ]
  private static let byteMarks: [([UInt8], String)] = [
    ([0x89, 0x50, 0x4E, 0x47], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "application/x-xz"),
    ([0x28, 0xB5, 0x2F, 0xFD], "application/zstd"), ([0x1F, 0x8B], "application/gzip"),
    ([0x1A, 0x45, 0xDF, 0xA3], "video/webm"),
  ]
}
