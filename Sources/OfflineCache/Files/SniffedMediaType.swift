/// Detects media types from content (MIME Sniffing standard §7.1, for resources of unknown type).
enum SniffedMediaType {
  /// The number of leading bytes that are examined.
  static let examinedLength = 1445

  /// Returns the media type detected from content.
  ///
  /// The algorithm differs from the standard in one respect: markup is also recognized after a
  /// UTF-8 byte-order mark, which occurs in the files of mirrors.
  /// - Parameter content: The beginning of the content.
  /// - Returns: A media type without parameters.
  static func detect(_ content: [UInt8]) -> String {
    let bytes = content.prefix(examinedLength)
    if let type = markup(
      bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes)
    {
      return type
    }
    if let row = signatures.first(where: { $0.matches(bytes) }) { return row.type }
    if isMP4(bytes) { return "video/mp4" }
    if isWebM(bytes) { return "video/webm" }
    return bytes.contains(where: isBinary) ? "application/octet-stream" : "text/plain"
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  // MARK: Markup

  /// The texts after `<` with which HTML content may begin; a space or `>` must follow. Comments
  /// are handled separately.
  private static let tags = [
    "!doctype html", "html", "head", "script", "iframe", "h1", "div", "font", "table", "a", "style",
    "title", "b", "body", "br", "p",
  ].map { Array($0.utf8) }

  private static func markup(_ bytes: ArraySlice<UInt8>) -> String? {
    let start = bytes.drop { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) }
    guard start.first == UInt8(ascii: "<") else { return nil }
    let rest = start.dropFirst()
    if rest.starts(with: "!--".utf8) { return "text/html" }
    if rest.starts(with: "?xml".utf8) { return "text/xml" }
    let isTag = tags.contains { tag in
      guard let end = rest.dropFirst(tag.count).first, end == 0x20 || end == 0x3E else {
        return false
      }
      return rest.prefix(tag.count).elementsEqual(tag) { byte, letter in
        ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == letter
      }
    }
    return isTag ? "text/html" : nil
  }

  // MARK: Signatures

  private struct Signature {
    /// The bytes of the signature; nil matches any byte.
    let bytes: [UInt8?]
    let type: String

    init(_ text: StaticString, _ type: String) {
      let written = text.withUTF8Buffer { Array($0) }
      bytes = written.map { $0 == UInt8(ascii: "?") ? nil : $0 }
      self.type = type
    }

    init(_ bytes: [UInt8], _ type: String) {
      (self.bytes, self.type) = (bytes, type)
    }

    func matches(_ content: ArraySlice<UInt8>) -> Bool {
      content.count >= bytes.count && zip(content, bytes).allSatisfy { $1 == nil || $0 == $1 }
    }
  }

  private static let signatures = [
    Signature("%PDF-", "application/pdf"), Signature("%!PS-Adobe-", "application/postscript"),
    Signature([0xFE, 0xFF], "text/plain"), Signature([0xFF, 0xFE], "text/plain"),
    Signature(byteOrderMark, "text/plain"),
    Signature([0, 0, 1, 0], "image/x-icon"), Signature([0, 0, 2, 0], "image/x-icon"),
    Signature("BM", "image/bmp"), Signature("GIF87a", "image/gif"),
    Signature("GIF89a", "image/gif"), Signature("RIFF????WEBPVP", "image/webp"),
    Signature([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
    Signature([0xFF, 0xD8, 0xFF], "image/jpeg"),
    Signature("FORM????AIFF", "audio/aiff"), Signature("ID3", "audio/mpeg"),
    Signature("OggS\0", "application/ogg"),
    Signature([0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6], "audio/midi"),
    Signature("RIFF????AVI ", "video/avi"), Signature("RIFF????WAVE", "audio/wave"),
    Signature([0x1F, 0x8B, 0x08], "application/x-gzip"),
    Signature([0x50, 0x4B, 0x03, 0x04], "application/zip"),
    Signature([0x52, 0x61, 0x72, 0x20, 0x1A, 0x07, 0], "application/x-rar-compressed"),
  ]

  /// Returns whether content is an MP4 file: an `ftyp` box with a brand that begins with `mp4`
  /// (§6.2.1).
  private static func isMP4(_ content: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(content)
    guard bytes.count >= 12 else { return false }
    let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard size >= 12, size <= bytes.count, size % 4 == 0, bytes[4..<8].elementsEqual("ftyp".utf8)
    else { return false }
    return stride(from: 8, to: size, by: 4).contains { position in
      // Bytes 12 to 15 are the minor version, not a brand.
      position != 12 && bytes[position...].starts(with: "mp4".utf8)
    }
  }

  /// Returns whether content is a WebM file: an EBML document of type `webm` (§6.2.2).
  private static func isWebM(_ content: ArraySlice<UInt8>) -> Bool {
    let bytes = Array(content)
    guard bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) else { return false }
    for position in 4..<max(4, min(bytes.count - 6, 38))
    where bytes[position] == 0x42 && bytes[position + 1] == 0x82 {
      // A variable-length integer of one to eight bytes, followed by zero padding.
      let length = bytes[position + 2].leadingZeroBitCount + 1
      let text = bytes.dropFirst(position + 2 + length).drop { $0 == 0 }
      if text.starts(with: "webm".utf8) { return true }
    }
    return false
  }

  /// Returns whether a byte is a binary data byte (§3), which does not occur in text.
  private static func isBinary(_ byte: UInt8) -> Bool {
    byte <= 0x08 || byte == 0x0B || (0x0E...0x1A).contains(byte) || (0x1C...0x1F).contains(byte)
  }
}
