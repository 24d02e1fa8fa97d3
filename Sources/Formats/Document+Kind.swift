package import Document
import DOM

extension Document {
  /// The kind of content of a file.
  package enum ContentKind: Sendable, Equatable {
    case html, xhtml, text
    /// Not text.
    case binary
  }

  /// Creates a document that consists of one preformatted block. `text` must be valid UTF-8, as
  /// `CharacterEncoding.decode` returns it.
  package init(plainText text: [UInt8]) {
    self = DocumentBuilder.build(plainText: text)
  }

  /// Returns the kind of content by its media type, or else by its bytes.
  package static func kind(of bytes: [UInt8], mediaType: String?) -> ContentKind {
    switch mediaType?.lowercased() {
    case "text/html": return .html
    case "application/xhtml+xml", "image/svg+xml", "application/vnd.wap.xhtml+xml":
      return .xhtml
    case let type? where type == "text/xml" || type == "application/xml":
      switch sniff(bytes) {
      case .xhtml: return .xhtml
      case .html: return isXHTML(bytes) ? .xhtml : .text
      case .text, .binary: return .text
      }
    case let type? where type.hasPrefix("text/") || TextFormat.isText(type): return .text
    default: return sniff(bytes)
    }
  }

  /// Detects the kind of content from its bytes.
  package static func sniff(_ bytes: [UInt8]) -> ContentKind {
    if PDFSignature.isPresent(in: bytes) { return .binary }
    let text = beginning(of: bytes)
    return text.markupKind ?? (text.contains(0) || isBinary(text) ? .binary : .text)
  }

  /// Returns whether XML that begins with a name of HTML is XHTML. Elements such as `article` are
  /// also those of other vocabularies (JATS, DocBook).
  private static func isXHTML(_ bytes: [UInt8]) -> Bool {
    let start = beginning(of: bytes).map(\.lowercased)
    return start.declaresPage || start.firstRange(of: "//www.w3.org/1999/xhtml".utf8) != nil
  }

  /// Returns the text at the beginning of content: in UTF-8 if it is UTF-16 or UTF-32, otherwise in
  /// its encoding.
  private static func beginning(of bytes: [UInt8]) -> [UInt8] {
    let start = Array(bytes.prefix(4096))
    return CharacterEncoding.wideEncoding(of: start)?.decode(start) ?? start
  }
}

extension Document {
  /// Returns whether a text begins with an XML declaration.
  static func hasXMLDeclaration(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    return start.starts(with: "<?xml".utf8) && start.dropFirst(5).first?.isWhiteSpace == true
  }

  /// Returns whether bytes declared as text are binary: they have the signature of a PDF or GIF
  /// file, or more than a twentieth of the first 4096 bytes are control characters that do not
  /// occur in text. UTF-16, UTF-32 and content that begins like a page are not binary.
  package static func isBinary(_ bytes: [UInt8]) -> Bool {
    if PDFSignature.isPresent(in: bytes)
      || ["GIF87a", "GIF89a"].contains(where: { bytes.starts(with: $0.utf8) })
    {
      return true
    }
    guard CharacterEncoding.wideEncoding(of: bytes) == nil else { return false }
    let start = Array(bytes.prefix(4096))
    // Content that begins like a page is a page, regardless of control characters.
    guard start.markupKind == nil else { return false }
    // NUL does not count, because truncated or broken text in UTF-16 or UTF-32 contains it.
    return start.count { $0 != 0 && $0.isBinaryDataByte } * 20 > start.count
  }
}

extension [UInt8] {
  /// Whether a text in lower case contains the root element or the document type of a page.
  fileprivate var declaresPage: Bool {
    let text = String(decoding: self, as: UTF8.self)
    return ["<html", "<svg", "<!doctype html", "<!doctype svg"].contains { text.contains($0) }
  }

  /// The kind of page that the bytes begin with; nil if they do not begin like a page. This is
  /// similar to the MIME Sniffing standard, section 7.1, but any HTML element is accepted.
  fileprivate var markupKind: Document.ContentKind? {
    var text = self[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    text = text.drop { $0.isWhiteSpace }
    guard text.first == UInt8(ascii: "<") else { return nil }
    let lowered = text.map(\.lowercased)
    if lowered.starts(with: "<?xml".utf8) { return lowered.declaresPage ? .xhtml : nil }
    if lowered.starts(with: "<!--".utf8) { return .html }
    if lowered.starts(with: "<!doctype".utf8) {
      return lowered.hasDoctypeName("html")
        ? .html : lowered.hasDoctypeName("svg") ? .xhtml : nil
    }
    let name = lowered.dropFirst().prefix { !($0.isWhiteSpace || $0 == 0x2F || $0 == 0x3E) }
    return name.withUnsafeBufferPointer { ElementName.named($0) } == .other ? nil : .html
  }

  /// Returns whether the name in a document type declaration begins with `name`. The bytes must
  /// begin with `<!doctype`, in lower case.
  private func hasDoctypeName(_ name: String) -> Bool {
    dropFirst("<!doctype".utf8.count).drop { $0.isWhiteSpace }.starts(with: name.utf8)
  }
}

extension UInt8 {
  /// Whether the byte does not occur in text ("binary data byte" in the MIME Sniffing standard).
  /// Backspaces are allowed, because text formatted for printers contains them.
  fileprivate var isBinaryDataByte: Bool {
    self < 0x08 || self == 0x0B || self >= 0x0E && self <= 0x1A || self >= 0x1C && self <= 0x1F
  }
}
