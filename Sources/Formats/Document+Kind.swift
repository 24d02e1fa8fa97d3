package import Document
import DOM

extension Document {
  /// What the bytes of a file are.
  package enum ContentKind: Sendable, Equatable {
    case html, xhtml, text
    /// Nothing that can be read as text.
    case binary
  }

  /// A document of one preformatted block; `text` is valid UTF-8, as `CharacterEncoding.decode`
  /// returns it.
  package init(plainText text: [UInt8]) {
    self = DocumentBuilder.build(plainText: text)
  }

  /// What a media type says, or else what the bytes look like.
  package static func kind(of bytes: [UInt8], mediaType: String?) -> ContentKind {
    switch mediaType?.lowercased() {
    case "text/html": return .html
    case "application/xhtml+xml", "image/svg+xml": return .xhtml
    case let type? where type == "text/xml" || type == "application/xml":
      let kind = sniff(bytes)
      return kind == .html || kind == .xhtml ? .xhtml : .text
    case let type? where type.hasPrefix("text/") || TextFormat.isText(type): return .text
    default: return sniff(bytes)
    }
  }

  /// What bytes without a media type look like.
  package static func sniff(_ bytes: [UInt8]) -> ContentKind {
    let start = Array(bytes.prefix(4096))
    let text = CharacterEncoding.utf16(of: start)?.decode(start) ?? start
    return text.looksLikeMarkup ?? (text.contains(0) || isBinary(text) ? .binary : .text)
  }
}

extension Document {
  /// Whether bytes that are said to be text are something else: they begin as a PDF file or an image
  /// does, or have many bytes that text does not hold.
  package static func isBinary(_ bytes: [UInt8]) -> Bool {
    if ["%PDF-", "GIF87a", "GIF89a"].contains(where: { bytes.starts(with: $0.utf8) }) {
      return true
    }
    guard CharacterEncoding.utf16(of: bytes) == nil else { return false }
    let start = Array(bytes.prefix(4096))
    // What begins as a page is one, however many control characters it has.
    guard start.looksLikeMarkup == nil else { return false }
    // NUL is left out: text in UTF-16 and UTF-32 that is cut or broken has it.
    return start.count { $0 != 0 && $0.isBinary } * 20 > start.count
  }
}

extension [UInt8] {
  /// The beginning of a page tells HTML from other text (MIME sniffing standard, section 7.1); here
  /// any element of HTML does.
  fileprivate var looksLikeMarkup: Document.ContentKind? {
    var text = self[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    text = text.drop { $0.isWhiteSpace }
    guard text.first == UInt8(ascii: "<") else { return nil }
    let lowered = text.map(\.lowercased)
    if lowered.starts(with: "<?xml".utf8) {
      let start = String(decoding: lowered, as: UTF8.self)
      return ["<html", "<svg", "<!doctype html", "<!doctype svg"].contains { start.contains($0) }
        ? .xhtml : nil
    }
    if lowered.starts(with: "<!--".utf8) { return .html }
    if lowered.starts(with: "<!doctype".utf8) {
      return lowered.beginsDocumentType("html")
        ? .html : lowered.beginsDocumentType("svg") ? .xhtml : nil
    }
    let name = lowered.dropFirst().prefix { !($0.isWhiteSpace || $0 == 0x2F || $0 == 0x3E) }
    return name.withUnsafeBufferPointer { ElementName.named($0) } == .other ? nil : .html
  }

  /// Whether the document type that comes first has a name.
  private func beginsDocumentType(_ name: String) -> Bool {
    dropFirst("<!doctype".utf8.count).drop { $0.isWhiteSpace }.starts(with: name.utf8)
  }
}

extension UInt8 {
  /// A byte that text does not hold (MIME sniffing standard, "binary data byte"). Backspaces are in texts
  /// for printers, such as manuals.
  fileprivate var isBinary: Bool {
    self < 0x08 || self == 0x0B || self >= 0x0E && self <= 0x1A || self >= 0x1C && self <= 0x1F
  }
}
