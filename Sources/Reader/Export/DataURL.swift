import Foundation

/// Pictures within the text of a page (RFC 2397).
package enum DataURL {
  /// The media type of a picture that browsers show, by its first bytes; nil for anything else.
  package static func imageType(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: "GIF8".utf8) { return "image/gif" }
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      return "image/webp"
    }
    let isAVIF = bytes.dropFirst(4).starts(with: "ftypavif".utf8)
    return isAVIF ? "image/avif" : nil
  }

  /// A picture as a URL, or nil when it is none.
  package static func image(_ bytes: [UInt8]) -> String? {
    imageType(of: bytes).map { "data:\($0);base64,\(Data(bytes).base64EncodedString())" }
  }
}
