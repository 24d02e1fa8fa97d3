import Document

/// The media type of a response, and how to read its content.
package struct MediaType: Sendable, Equatable {
  /// Type and subtype in lower case ("text/html"), without parameters.
  package var essence: String
  /// The `charset` parameter; nil if there is none.
  package var charset: String?
  /// The parameters of `format=flowed` (RFC 3676); nil for text with fixed lines.
  package var flowedFormat: FlowedFormat?

  /// Parses a `Content-Type` field value (RFC 9110, section 8.3.1). If it is missing, invalid or
  /// states that the type is unknown, the essence is `unknownEssence`.
  package init(_ field: String?) {
    let parts = (field ?? "").split(separator: ";", omittingEmptySubsequences: false)
    let name = Self.trimmed(parts.first ?? "").lowercased()
    essence =
      Self.isSpecified(name) && !Self.fileTypes.contains(name) ? name : Self.unknownEssence
    var values: [String: String] = [:]
    for parameter in parts.dropFirst() {
      let pair = parameter.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { continue }
      let name = Self.trimmed(pair[0]).lowercased()
      let value = Self.trimmed(pair[1]).filter { $0 != "\"" && $0 != "'" }
      if values[name] == nil { values[name] = value.lowercased() }
    }
    charset = values["charset"].flatMap { $0.isEmpty ? nil : $0 }
    if essence == "text/plain", values["format"] == "flowed" {
      flowedFormat = FlowedFormat(deletesTrailingSpace: values["delsp"] == "yes")
    }
  }

  /// Creates the media type of a local file from its file name extension, ignoring `.gz` and
  /// `.zst`;
  /// `unknownEssence` if the extension is not known.
  package init(forFileName name: String) {
    let stem = Self.nameOfContent(inFileNamed: name.lowercased())
    let isHTML = stem.hasSuffix(".html") || stem.hasSuffix(".htm")
    self.init(isHTML ? "text/html" : TextFormat.mediaType(ofFile: stem))
  }

  /// Returns a file name without the extension of a compressed file, `.gz` or `.zst`.
  package static func nameOfContent(inFileNamed name: String) -> String {
    let ending = [".gz", ".zst"].first { name.lowercased().hasSuffix($0) } ?? ""
    return String(name.dropLast(ending.count))
  }

  /// The media type of content without a declared type.
  package static let unknownEssence = "application/octet-stream"

  /// Returns whether a `Content-Type` field value is invalid or states that the type is unknown
  /// (MIME Sniffing standard §7).
  package static func isUnspecified(_ field: String) -> Bool {
    !isSpecified(trimmed(field.prefix { $0 != ";" }).lowercased())
  }

  /// Returns whether a name in lower case consists of a type and a subtype (MIME Sniffing standard
  /// §4.4) and is not one of `unspecifiedTypes`.
  private static func isSpecified(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.count == 2 && !unspecifiedTypes.contains(name)
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isTokenByte) }
  }

  /// Returns whether a byte may be part of a token (RFC 9110 §5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: tokenMarks.contains(byte)
    }
  }

  private static let tokenMarks = Array("!#$%&'*+-.^_`|~".utf8)

  /// The names of unknown types, and those that servers give to HTML but that are not registered:
  /// the content shows whether it is HTML.
  private static let unspecifiedTypes: Set<String> = [
    "unknown/unknown", "application/unknown", "*/*",
    "application/html", "application/x-html", "application/xhtml", "html/text", "text/htm",
    "text/x-html", "text/xhtml", "text/xhtml+xml",
  ]

  /// The names of types that mean only that the content is a file: object stores send
  /// `binary/octet-stream`, and scripts send the others so that browsers do not display the file.
  private static let fileTypes: Set<String> = [
    "binary/octet-stream", "application/download", "application/force-download",
    "application/octet", "application/octetstream", "application/save", "application/x-download",
    "application/x-force-download", "application/x-octet-stream", "application/x-octetstream",
  ]

  /// Whether the type is HTML or XHTML.
  package var isHTML: Bool {
    essence == "text/html" || essence == "application/xhtml+xml"
  }

  /// Whether the type is text: `text/*`, or a structured format that is text.
  package var isText: Bool {
    essence.hasPrefix("text/") || TextFormat.isText(essence) || Self.textTypes.contains(essence)
  }

  /// Returns the media type as which the content can be read: HTML, or a text format; nil if it is
  /// neither. Content of unknown type is sniffed, and content that is declared as text is checked.
  package func readableType(_ bytes: [UInt8]) -> String? {
    if isHTML || isText { return Document.isBinary(bytes) ? nil : essence }
    guard essence == Self.unknownEssence else { return nil }
    switch Document.sniff(bytes) {
    case .html: return "text/html"
    case .xhtml: return "application/xhtml+xml"
    case .text:
      if Document.isJSON(bytes) { return "application/json" }
      return Document.hasXMLDeclaration(bytes) ? "application/xml" : "text/plain"
    case .binary: return nil
    }
  }

  /// Media types of texts that are neither `text/*` nor in a structured format, such as programs.
  private static let textTypes: Set<String> = [
    "application/atom", "application/ecmascript", "application/graphql", "application/javascript",
    "application/pgp-keys", "application/pgp-signature", "application/plain", "application/rss",
    "application/rtf",
    "application/sql", "application/text", "application/toml", "application/txt",
    "application/typescript", "application/x-bibtex", "application/x-csh", "application/x-diff",
    "application/x-httpd-php", "application/x-javascript", "application/x-latex",
    "application/x-lisp", "application/x-patch", "application/x-perl", "application/x-php",
    "application/x-python", "application/x-python-code", "application/x-rss", "application/x-ruby",
    "application/x-sh",
    "application/x-shellscript", "application/x-subrip", "application/x-tex",
    "application/x-texinfo", "application/x-troff", "application/x-troff-man",
    "application/x-typescript", "application/x-xml", "application/x-yaml", "application/yaml",
    "message/http",
    "message/rfc822",
  ]

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
