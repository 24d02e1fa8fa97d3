import DOM
import WARC

/// The format of an imported file, as detected from its content.
package enum ImportFormat: Sendable, Equatable {
  /// A list of pages or feeds.
  case list(ListFormat)
  /// A WARC file, which is not parsed as a list but copied into the archive (`LibraryImport`).
  case warc
  /// An ARC file (Internet Archive, ARC 1.0), the predecessor of WARC, which is not supported.
  case arc
  /// A ZIP archive, whose content determines the format.
  case zip
  /// A WACZ file: WARC records in a ZIP archive with an index.
  case wacz
  /// A page saved by a browser or SingleFile, with its URL in a comment.
  case savedPage
  /// Pages with their resources as a MIME message (MHTML), a `.webarchive` file or a MAFF file.
  case mhtml
  /// A directory of pages: a mirror of wget, the cache of offpunk.
  case directory
  /// A directory of web archives and saved pages.
  case archives
  /// An EPUB publication or a PDF document.
  case book
  /// A whole library in one file.
  case bundle

  /// Detects the format of a file; returns nil if it does not refer to pages. A gzip file counts as
  /// WARC unless its content is in another format.
  /// - Parameter bytes: The content, in any encoding.
  package init?(of bytes: [UInt8]) {
    if bytes.starts(with: MozillaLZ4.signature) {
      let content = Self.decompressed(bytes, limit: Self.prefixLength)
      self.init(ofText: Self.text(of: content))
      return
    }
    if bytes.starts(with: Self.gzipSignature) {
      let content = Self.decompressed(bytes, limit: Self.prefixLength)
      self =
        content.starts(with: "filedesc://".utf8)
        ? .arc
        : Self.isWARC(content)
          ? .warc : Self(ofText: Self.text(of: content)) ?? .warc
    } else if bytes.starts(with: "filedesc://".utf8) {
      self = .arc
    } else if Self.isWARC(bytes) || Self.isZstd(bytes) {
      self = .warc
    } else if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
      self = .zip
    } else if bytes.starts(with: BinaryPropertyList.signature) {
      self = .list(.propertyList)
    } else {
      // The first entries are sufficient; a truncated end does not matter.
      let text = Self.text(of: Array(bytes.prefix(Self.prefixLength)))
      self.init(ofText: text)
    }
  }

  /// Detects the format of a text; returns nil if it does not refer to pages.
  private init?(ofText text: [UInt8]) {
    guard let list = ListFormat(text) else { return nil }
    let start = String(decoding: text.drop { $0 <= 0x20 }.prefix(4096), as: UTF8.self)
    self = list.facts.evidence == .page && SavedPage(start) != nil ? .savedPage : .list(list)
  }

  /// Whether a file is compressed with zstd: it begins with a frame, or with a skippable frame that
  /// contains a dictionary.
  package static func isZstd(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) || bytes.starts(with: [0x5D, 0x2A, 0x4D, 0x18])
  }

  /// Whether a file begins with a record, perhaps after a byte-order mark or empty lines, which
  /// `WARCReader` skips.
  private static func isWARC(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    return start.drop { $0 == 0x0D || $0 == 0x0A }.starts(with: "WARC/".utf8)
  }

  /// The format of a list of pages or feeds; nil for other files.
  package var list: ListFormat? {
    if case .list(let format) = self { format } else { nil }
  }

  /// Whether the file is a list in a format that only programs for bookmarks, feeds and reading
  /// lists write.
  package var isExport: Bool { list?.facts.evidence == .export }

  /// The number of bytes at the beginning of a file from which its format is detected.
  package static let prefixLength = 1 << 18

  private static let gzipSignature: [UInt8] = [0x1F, 0x8B]
  /// The maximum uncompressed size of a list in bytes.
  private static let maxDecompressedSize = 256 << 20

  /// Decompresses a file if it is compressed with gzip or as a backup of Firefox. Truncated or
  /// damaged data is decompressed up to the error.
  /// - Parameters:
  ///   - bytes: The file.
  ///   - limit: The approximate number of bytes after which decompression stops.
  /// - Returns: The content.
  package static func decompressed(_ bytes: [UInt8], limit: Int = maxDecompressedSize) -> [UInt8] {
    if bytes.starts(with: MozillaLZ4.signature) {
      return MozillaLZ4.decompressed(bytes, limit: limit)
    }
    guard bytes.starts(with: gzipSignature) else { return bytes }
    struct EnoughRead: Error {}
    var result: [UInt8] = []
    // A truncated or damaged file yields the content before the error.
    try? Inflater(format: .gzip, keepsOutput: true).inflate(bytes) {
      result += $0
      if result.count >= limit { throw EnoughRead() }
    }
    return result
  }

  /// Returns the text of a file as UTF-8.
  static func text(of bytes: [UInt8]) -> [UInt8] {
    let isMarkup = bytes.prefix(1024).first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "<")
    return CharacterEncoding.detect(bytes, charset: nil, isMarkup: isMarkup).decode(bytes)
  }
}
