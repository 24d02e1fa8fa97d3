/// The kind of a response's content, which is compared with the kind that the URL indicates, or
/// with that of the saved copy.
enum ContentKind: Sendable, Equatable {
  case page, text, json, xml, pdf, image, audio, video, archive

  /// Creates the kind of a lowercase media type without parameters; nil for ambiguous types.
  init?(mediaType: String) {
    switch mediaType {
    case "text/html", "application/xhtml+xml": self = .page
    case "application/json", "text/json": self = .json
    case "text/xml", "application/xml": self = .xml
    case "application/pdf", "application/x-pdf": self = .pdf
    case "application/zip", "application/gzip", "application/epub+zip": self = .archive
    case _ where mediaType.hasSuffix("+json"): self = .json
    case _ where mediaType.hasPrefix("image/"): self = .image
    case _ where mediaType.hasSuffix("+xml"): self = .xml
    case _ where mediaType.hasPrefix("audio/"): self = .audio
    case _ where mediaType.hasPrefix("video/"): self = .video
    case _ where mediaType.hasPrefix("text/"): self = .text
    default: return nil
    }
  }

  /// Returns whether a response without a declared length may be a stream that never ends, such as
  /// a log, a radio station or a camera. A response with a validator, or one to be saved as a file,
  /// has an end. Programs that forbid caching state the time of the response as `Last-Modified`.
  static func mayHaveNoEnd(_ response: ResponseHead) -> Bool {
    let fields = response.fields
    let type = fields["Content-Type"]?.lowercased() ?? ""
    if type.hasPrefix("multipart/") { return true }
    if fields["ETag"] != nil { return false }
    if let modified = fields["Last-Modified"], modified != fields["Date"] { return false }
    if fields["Content-Disposition"]?.lowercased().hasPrefix("attachment") ?? false { return false }
    let name = type.prefix { $0 != ";" && $0 != " " }
    switch ContentKind(mediaType: String(name)) {
    case .page, .text, .json, .xml, .image, .audio, .video: return true
    case .pdf, .archive, nil: return false
    }
  }

  /// Returns whether a response without a declared length is certainly a stream that never ends:
  /// events (HTML §9.2), the images of a camera, or a radio station of an Icecast or SHOUTcast
  /// server, which describes it in fields such as `icy-name`.
  static func hasNoEnd(_ response: ResponseHead) -> Bool {
    let type = RejectionReason.mediaType(response)
    return type == "text/event-stream" || type == "multipart/x-mixed-replace"
      || response.fields.lines.contains { $0.name.lowercased().hasPrefix("icy-") }
  }

  /// Creates the kind that the extension of a URL path indicates; nil if it indicates none.
  init?(path: String) {
    guard let name = path.lowercased().split(separator: "/").last, !name.contains(":"),
      let dot = name.lastIndex(of: "."),
      let kind = Self.byExtension[name[name.index(after: dot)...]]
    else { return nil }
    self = kind
  }

  private static let byExtension: [Substring: ContentKind] = [
    "html": .page, "htm": .page, "xhtml": .page, "shtml": .page, "txt": .text, "json": .json,
    "xml": .xml, "rss": .xml, "atom": .xml, "pdf": .pdf, "png": .image, "jpg": .image,
    "jpeg": .image, "gif": .image, "webp": .image, "svg": .image, "mp3": .audio, "ogg": .audio,
    "mp4": .video, "webm": .video, "zip": .archive, "gz": .archive, "epub": .archive,
  ]

  /// Creates the kind determined by the first bytes of the content; nil if they determine no kind.
  init?(bytes: [UInt8]) {
    let signatures: [(String, ContentKind)] = [
      ("%PDF-", .pdf), ("GIF8", .image), ("PK\u{3}\u{4}", .archive),
    ]
    if let known = signatures.first(where: { bytes.starts(with: $0.0.utf8) }) {
      self = known.1
    } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
      || bytes.starts(with: [0xFF, 0xD8, 0xFF])
    {
      self = .image
    } else {
      let start = Self.withoutProlog(bytes.prefix(2048)).prefix(16).map(ByteCase.lower)
      guard start.starts(with: "<!doctype html".utf8) || start.starts(with: "<html".utf8) else {
        return nil
      }
      self = .page
    }
  }

  /// Returns markup without the XML declaration, comments and white space at its beginning. XHTML
  /// may be declared as XML.
  private static func withoutProlog(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while true {
      rest = rest.drop { $0 <= 0x20 || $0 >= 0x80 }
      let isComment = rest.starts(with: "<!--".utf8)
      guard isComment || rest.starts(with: "<?".utf8) else { return rest }
      let end: [UInt8] = isComment ? [0x2D, 0x2D, 0x3E] : [0x3F, 0x3E]
      guard let range = rest.dropFirst(2).firstRange(of: end) else { return rest }
      rest = rest[range.upperBound...]
    }
  }

  /// Creates the kind of a response, determined by its first bytes or else by its media type.
  init?(_ response: ResponseHead, _ bytes: [UInt8]) {
    if let shown = ContentKind(bytes: bytes) {
      self = shown
    } else if let said = ContentKind(mediaType: RejectionReason.mediaType(response)) {
      self = said
    } else {
      return nil
    }
  }

  /// Whether content of this kind has text that can be compared.
  var isTextual: Bool { [.page, .text, .json, .xml].contains(self) }

  /// Returns whether a correct response may have this kind if `expected` is the expected kind. The
  /// kinds may differ, because many servers declare JSON and XML as text.
  func agrees(with expected: ContentKind) -> Bool {
    switch (self, expected) {
    case (.text, .json), (.text, .xml): true
    default: self == expected
    }
  }
}
