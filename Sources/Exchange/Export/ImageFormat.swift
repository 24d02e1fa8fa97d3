import Document
import Formats

/// An image format that can be embedded in a page or a book.
package enum ImageFormat: String, Sendable, Equatable, CaseIterable {
  case png, jpeg, gif, webp, avif, svg

  /// Detects the format of an image by its first bytes; returns nil for anything else.
  package init?(of bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: "GIF8".utf8) {
      self = .gif
    } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if Self.isAVIF(bytes) {
      self = .avif
    } else if SVGSanitizer.isSVG(bytes) {
      self = .svg
    } else {
      return nil
    }
  }

  package var mediaType: String { self == .svg ? "image/svg+xml" : "image/\(rawValue)" }

  /// The file extension without its dot.
  package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

  /// Whether the format is a core media type of EPUB 3.2 (§2.2), which every reading system
  /// supports. WebP is a core media type only since 3.3.
  package var isEPUBCoreType: Bool { self != .avif && self != .webp }

  /// Whether the major brand of a file (ISO/IEC 14496-12 §4.3), or a compatible one, is that of
  /// AVIF.
  private static func isAVIF(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 16, bytes[4..<8].elementsEqual("ftyp".utf8) else { return false }
    let size = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let end = min(size, bytes.count, 256)
    return stride(from: 8, to: end - 3, by: 4).contains { position in
      position != 12
        && ["avif", "avis"].contains { bytes[position..<position + 4].elementsEqual($0.utf8) }
    }
  }
}
