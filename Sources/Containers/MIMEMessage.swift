/// A multipart MIME message (RFC 2045, 2046, 2557), such as a mail or a page that a browser saved
/// with its resources. Broken messages are parsed as well as possible: a truncated message has the
/// parts before its end.
package struct MIMEMessage: Sendable {
  /// A part that contains no further parts.
  package struct Part: Sendable, Equatable {
    /// The value of `Content-Type`; may be empty.
    package var type = ""
    /// The URL of the part (`Content-Location`); may be empty.
    package var location = ""
    /// The identifier for `cid:` URLs (`Content-ID`), without brackets; may be empty.
    package var id = ""
    /// Whether the message or an enclosing part ends before the end boundary of the part.
    package var isTruncated = false
    /// The charset parameter; nil if there is none.
    package var charset: String?
    /// The file name (RFC 2183), undecoded; may be empty.
    package var fileName = ""
    package var isAttachment = false
    /// The number of the `multipart/alternative` group that the part belongs to, from 1; otherwise
    /// 0.
    package var alternativesGroup = 0
    /// The number, from 1, of the `multipart/mixed` entity within the group that the part belongs
    /// to; 0 if there is none. The parts of such an entity together are one alternative.
    package var mixedEntityNumber = 0
    /// Whether lines that end with a space continue on the next line (`format=flowed`, RFC 3676).
    package var isFlowed = false
    /// Whether the space at the end of a continued line is removed (`delsp`, RFC 3676).
    package var dropsSpace = false
    /// The range of the encoded content in the message.
    fileprivate var body = 0..<0
    /// The transfer encoding in lower case; may be empty.
    fileprivate var encoding = ""
  }

  package private(set) var parts: [Part] = []
  /// The index in `parts` of the root part, which is shown first.
  package private(set) var rootIndex = 0
  /// Whether the message is truncated, within a part or after one.
  package private(set) var isTruncated = false
  /// Whether the message has more parts than the limit; only the first ones are in `parts`.
  package private(set) var hasTooManyParts = false
  /// Whether the parts could not be separated, so that all content is one text.
  package private(set) var isUndivided = false
  /// The value of `Date` (RFC 5322); may be empty.
  package private(set) var date = ""
  /// The URL of the page, which browsers write in the header; may be empty.
  package private(set) var pageURL = ""
  /// The value of `Content-Location` in the header, against which relative locations of parts are
  /// resolved (RFC 2557 §5); may be empty.
  package private(set) var location = ""
  /// If the page comes from a file of another format, the reasons why some of its parts are not in
  /// `parts`. Each is a clause that continues a sentence beginning with the name of the file.
  package private(set) var omittedParts: [String] = []
  /// The fields From, Reply-To, To, Cc, Date and Subject, undecoded; empty if the message is not a
  /// mail but a page that a browser saved.
  package private(set) var mail: [(name: String, value: String)] = []

  private let bytes: [UInt8]

  /// The maximum nesting level of parts. Parts that are nested deeper are left out.
  private static let maxDepth = 8

  /// Parses a message, reading each line once.
  /// - Parameters:
  ///   - bytes: the message.
  ///   - bounds: the limits.
  ///   - isMail: whether the message is known to be a mail, whatever its header fields.
  /// - Throws: `ContainerError.otherFormat` if it is neither a mail nor a saved page and has no
  ///   parts; `.tooLarge`.
  package init(
    _ bytes: [UInt8], bounds: ContainerBounds = ContainerBounds(), isMail: Bool = false
  ) throws(ContainerError) {
    guard Int64(bytes.count) <= bounds.maxSize else {
      throw .tooLarge(path: "", limit: bounds.maxSize)
    }
    let head = MIMEHeader(bytes[...])
    guard head.type.hasPrefix("multipart/"), let boundary = head.boundary else {
      guard isMail || head.isMailHeader || head.isPageHeader else { throw .otherFormat }
      self.init(text: bytes, isPage: !isMail && head.isPageHeader)
      return
    }
    try self.init(bytes, head, boundary, bounds, isMail ? head.shownFields() : head.mail)
  }

  /// Parses a multipart message.
  private init(
    _ bytes: [UInt8], _ head: MIMEHeader, _ boundary: String, _ bounds: ContainerBounds,
    _ mail: [(name: String, value: String)]
  ) throws(ContainerError) {
    self.bytes = bytes
    self.mail = mail
    readPageFields(of: head)
    date = head.firstValue("date") ?? ""
    read(from: head.end, boundary, bounds)
    if parts.isEmpty {
      guard !mail.isEmpty, head.end < bytes.count else { throw .damaged("it has no parts") }
      isTruncated = false
      isUndivided = true
      var part = Part()
      part.type = "text/plain"
      part.body = head.end..<bytes.count
      parts = [part]
    }
    if !mail.isEmpty {
      self.mail = head.shownFields(charset: charsetOfHeader)
      separateEncodedFiles()
    }
    let start = head.token("start").map(Self.withoutBrackets)
    let startPart = start.flatMap { start in parts.firstIndex { $0.id == start } }
    let page = parts.firstIndex { $0.type.lowercased().hasPrefix("text/html") }
    rootIndex = startPart ?? page ?? 0
  }

  /// Parses a mail or a saved page with a single part.
  init(text bytes: [UInt8], isPage: Bool = false) {
    self.bytes = bytes
    let head = MIMEHeader(bytes[...])
    date = head.firstValue("date") ?? ""
    var part = Part(head)
    part.body = head.end..<bytes.count
    parts = [part]
    if isPage {
      readPageFields(of: head)
    } else {
      mail = head.shownFields(charset: charsetOfHeader)
      separateEncodedFiles()
    }
  }

  /// The charset of the first text in an eight-bit charset other than UTF-8, which programs that do
  /// not encode the header also use there; nil if there is none.
  private var charsetOfHeader: String? {
    parts.lazy.compactMap(\.charset).first { charset in
      let name = charset.lowercased()
      return !["utf-8", "us-ascii", "utf-7"].contains(name) && !name.hasPrefix("iso-2022-")
        && charset.utf8.allSatisfy { (33...126).contains($0) && $0 != UInt8(ascii: "?") }
    }
  }

  /// Maximum number of files in one text that become parts.
  private static let maxEncodedFiles = 1000

  /// Removes files that are encoded with uuencode from the texts of the message, and makes each of
  /// them a part of its own.
  private mutating func separateEncodedFiles() {
    var separated: [Part] = []
    for part in parts {
      guard part.isSimpleText else {
        separated.append(part)
        continue
      }
      var rest = part
      var fileCount = 0
      while fileCount < Self.maxEncodedFiles,
        let file = UUEncoding.nextFile(in: bytes, rest.body)
      {
        var before = rest
        before.body = rest.body.lowerBound..<file.range.lowerBound
        if hasText(before) { separated.append(before) }
        separated.append(Part(encodedFile: file, in: bytes))
        rest.body = file.range.upperBound..<rest.body.upperBound
        fileCount += 1
      }
      if fileCount == 0 || hasText(rest) { separated.append(rest) }
    }
    parts = separated
  }

  /// Returns whether a part has characters other than white space.
  private func hasText(_ part: Part) -> Bool { bytes[part.body].contains { $0 > 0x20 } }

  /// Creates a message for a page that a file of another format contains.
  /// - Parameters:
  ///   - parts: the URL, media type and content of each part; the first is the page.
  ///   - date: the date of the page as text; may be empty.
  ///   - omittedParts: the reasons why other parts cannot be used; see the property.
  ///   - isTruncated: whether the end of the file is missing.
  ///   - truncatedPart: the index of the part whose end is missing; nil for none.
  package init(
    page parts: [(url: String, type: String, content: [UInt8])], date: String = "",
    omittedParts: [String] = [], isTruncated: Bool = false, truncatedPart: Int? = nil
  ) {
    var bytes: [UInt8] = []
    var messageParts: [Part] = []
    for (url, type, content) in parts {
      var part = Part()
      part.location = url
      part.type = type
      part.body = bytes.count..<bytes.count + content.count
      part.isTruncated = messageParts.count == truncatedPart
      bytes += content
      messageParts.append(part)
    }
    self.bytes = bytes
    self.isTruncated = isTruncated
    self.parts = messageParts
    self.date = date
    self.omittedParts = omittedParts
    pageURL = parts.first?.url ?? ""
  }

  /// Sets the URLs that browsers write in the header.
  private mutating func readPageFields(of head: MIMEHeader) {
    location = head.firstValue("content-location") ?? ""
    pageURL = head.firstValue("snapshot-content-location") ?? location
  }

  /// Returns whether bytes begin like a multipart message, a mail with a single part, or a page
  /// that a browser saved without resources.
  package static func isFormat(of bytes: [UInt8]) -> Bool {
    guard MIMEHeader.isPossible(bytes.prefix(1 << 14)) else { return false }
    let head = MIMEHeader(bytes.prefix(1 << 14))
    return head.type.hasPrefix("multipart/") && head.boundary != nil || head.isMailHeader
      || head.isPageHeader
  }

  /// Returns whether bytes begin with a header that has at least two common fields of mail, or more
  /// if some lines of the header are invalid. A file that is named like a mail (`.eml`) and has
  /// such a header is a mail.
  package static func hasMailFields(_ bytes: [UInt8]) -> Bool {
    let head = MIMEHeader(bytes.prefix(1 << 14))
    guard !head.type.hasPrefix("multipart/") else { return false }
    return head.hasOnlyValidLines ? head.mailFieldCount >= 2 : head.hasMostlyMailFields
  }

  /// Returns the number of bytes before the header of a message: those of a byte-order mark and of
  /// empty lines, which some programs write.
  package static func headerStart(in bytes: [UInt8]) -> Int {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = bytes.starts(with: mark) ? mark.count : 0
    let blank = bytes[start...].prefix(64).prefix { [0x0A, 0x0D, 0x20, 0x09].contains($0) }
    // White space at the start of a line of text is part of that line.
    return blank.lastIndex(of: 0x0A).map { $0 + 1 } ?? start
  }

  /// Returns the content of a part, without its transfer encoding.
  package func content(of part: Part) -> [UInt8] {
    let body = bytes[part.body]
    return switch part.encoding {
    case "base64" where part.type.isEmpty || part.type.lowercased().hasPrefix("text/"):
      TransferEncoding.base64Text(body)
    case "base64": TransferEncoding.base64(body)
    case "quoted-printable": TransferEncoding.quotedPrintable(body)
    case Part.encodedFileEncoding: UUEncoding.decoded(body)
    case "x-uuencode", "x-uue", "uuencode":
      UUEncoding.nextFile(in: bytes, part.body).map { UUEncoding.decoded(bytes[$0.content]) }
        ?? Array(body)
    default: Array(body)
    }
  }

  /// Returns whether a part is an HTML page that ends with its end tag, so that it is complete even
  /// if no boundary follows it.
  package func endsWithEndTag(_ part: Part) -> Bool {
    guard part.type.lowercased().hasPrefix("text/html") else { return false }
    let end = content(of: part).suffix(Self.maxEndLength).map { $0 | 0x20 }
    return end.contains("</html>".utf8)
  }

  /// The maximum number of bytes at the end of a page that are searched for its end tag, after
  /// which comments and scripts may follow.
  private static let maxEndLength = 4096

  /// The groups to which the parts at one nesting level belong.
  fileprivate struct Level {
    /// The number of the alternatives group; 0 if there is none.
    var group = 0
    /// The number of the `multipart/mixed` entity within the group; 0 if there is none.
    var mixedEntityNumber = 0
    /// Whether the parts are messages unless they declare another type (RFC 2046 §5.1.5).
    var isDigest = false
  }

  /// The stack of the open multipart entities.
  private struct Nesting {
    /// The delimiters of the open entities.
    private(set) var delimiters: [[UInt8]]
    private var levels = [Level()]
    private var (groupCount, mixedEntityCount) = (0, 0)

    /// The innermost level.
    var level: Level { levels.last ?? Level() }

    /// Creates a stack with the entity that is the message itself.
    init(_ type: String, boundary: String) {
      delimiters = [Array("--\(boundary)".utf8)]
      if type == "multipart/alternative" { groupCount = 1 }
      levels[0].group = groupCount
      levels[0].isDigest = type == "multipart/digest"
    }

    /// Closes all entities within a level, and also the entity of the level if its end boundary was
    /// read.
    mutating func close(downTo level: Int, isEndBoundary: Bool) {
      delimiters.removeLast(delimiters.count - level - (isEndBoundary ? 0 : 1))
      levels.removeLast(levels.count - delimiters.count)
    }

    /// Opens an entity within the innermost one, unless that is too deep.
    mutating func open(_ type: String, boundary: String) {
      guard delimiters.count < MIMEMessage.maxDepth else { return }
      delimiters.append(Array("--\(boundary)".utf8))
      var level = level
      if type == "multipart/alternative" {
        groupCount += 1
        level = Level(group: groupCount)
      } else if type == "multipart/mixed", level.group > 0, level.mixedEntityNumber == 0 {
        mixedEntityCount += 1
        level.mixedEntityNumber = mixedEntityCount
      }
      level.isDigest = type == "multipart/digest"
      levels.append(level)
    }
  }

  /// Reads the parts. The state is a stack of boundaries, and at most one open part: a boundary of
  /// an outer level ends everything within it.
  private mutating func read(
    from start: Int, _ boundary: String, _ bounds: ContainerBounds
  ) {
    var nesting = Nesting(MIMEHeader(bytes[...]).type, boundary: boundary)
    var open: Part?
    var position = start
    while position < bytes.count {
      let end = Self.lineEnd(in: bytes, from: position)
      guard let (level, isLast) = Self.boundary(in: bytes[position..<end], nesting.delimiters)
      else {
        position = end
        continue
      }
      let isWithin = level < nesting.delimiters.count - 1
      close(
        &open, at: Self.withoutBreak(bytes, open?.body.lowerBound ?? position, position),
        isWithin: isWithin)
      nesting.close(downTo: level, isEndBoundary: isLast)
      if nesting.delimiters.isEmpty { return }
      position = end
      if isLast { continue }
      let head = MIMEHeader(bytes[end...]) { Self.boundary(in: $0, nesting.delimiters) != nil }
      position = head.end
      guard head.type.hasPrefix("multipart/"), let boundary = head.boundary else {
        guard parts.count < bounds.maxEntries else {
          hasTooManyParts = true
          return
        }
        open = Part(head, in: nesting.level)
        continue
      }
      nesting.open(head.type, boundary: boundary)
    }
    close(&open, at: bytes.count, isWithin: true)
    isTruncated = true
  }

  /// Ends the open part.
  /// - Parameters:
  ///   - open: the part; nil afterwards.
  ///   - end: the end of its content.
  ///   - isWithin: whether an enclosing part ends without its own end boundary.
  private mutating func close(_ open: inout Part?, at end: Int, isWithin: Bool) {
    if isWithin { isTruncated = true }
    guard var part = open else { return }
    part.body = part.body.lowerBound..<end
    part.isTruncated = isWithin
    parts.append(part)
    open = nil
  }

  private static func lineEnd(in bytes: [UInt8], from start: Int) -> Int {
    var position = start
    while position < bytes.count {
      if bytes[position] == 0x0A { return position + 1 }
      position += 1
    }
    return position
  }

  /// Returns the level of the outermost boundary that a line matches, and whether it is the final
  /// boundary of that level; nil if the line is not a boundary.
  private static func boundary(
    in line: ArraySlice<UInt8>, _ delimiters: [[UInt8]]
  ) -> (level: Int, isLast: Bool)? {
    guard line.first == UInt8(ascii: "-") else { return nil }
    for (level, delimiter) in delimiters.enumerated() where line.starts(with: delimiter) {
      let rest = line.dropFirst(delimiter.count).filter { ![0x20, 0x09, 0x0D, 0x0A].contains($0) }
      if rest.isEmpty { return (level, false) }
      if rest.elementsEqual("--".utf8) { return (level, true) }
    }
    return nil
  }

  /// Returns the end of the content before a boundary. The line break before a boundary belongs to
  /// the boundary (RFC 2046 §5.1.1).
  private static func withoutBreak(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int {
    var end = end
    if end > start, bytes[end - 1] == 0x0A { end -= 1 }
    if end > start, bytes[end - 1] == 0x0D { end -= 1 }
    return end
  }

  fileprivate static func withoutBrackets(_ id: String) -> String {
    id.hasPrefix("<") && id.hasSuffix(">") && id.count > 1
      ? String(id.dropFirst().dropLast()) : id
  }
}

extension MIMEMessage.Part {
  /// Creates a part with a header.
  fileprivate init(_ head: MIMEHeader, in level: MIMEMessage.Level = MIMEMessage.Level()) {
    (alternativesGroup, mixedEntityNumber) = (level.group, level.mixedEntityNumber)
    charset = head.token("charset")
    fileName =
      head.parameter("filename", of: "content-disposition", isName: true)
      ?? head.parameter("name", isName: true) ?? ""
    isFlowed = head.token("format")?.lowercased() == "flowed"
    dropsSpace = head.token("delsp")?.lowercased() == "yes"
    isAttachment = (head.firstValue("content-disposition") ?? "").lowercased().hasPrefix(
      "attachment")
    let declaredType = head.firstValue("content-type") ?? (level.isDigest ? "message/rfc822" : "")
    type = Self.correctedType(declaredType, isFile: !fileName.isEmpty)
    location = head.firstValue("content-location") ?? ""
    id = MIMEMessage.withoutBrackets(head.firstValue("content-id") ?? "")
    // A comment or a semicolon may follow the encoding.
    encoding =
      (head.firstValue("content-transfer-encoding") ?? "").lowercased()
      .split { " \t;(\"".contains($0) }.first.map(String.init) ?? ""
    body = head.end..<head.end
  }

  /// The encoding of a part whose body has only the lines of a file encoded with uuencode.
  fileprivate static let encodedFileEncoding = "lines of uuencode"

  /// Creates a part for a file in a text.
  fileprivate init(encodedFile file: UUEncoding.File, in bytes: [UInt8]) {
    type = "application/octet-stream"
    fileName = String(decoding: bytes[file.name], as: UTF8.self)
    isAttachment = true
    body = file.content
    encoding = Self.encodedFileEncoding
  }

  /// Whether the part is plain text without a transfer encoding, and neither an attachment nor one
  /// of several alternatives.
  fileprivate var isSimpleText: Bool {
    !isAttachment && alternativesGroup == 0 && ["", "7bit", "8bit", "binary"].contains(encoding)
      && (type.isEmpty || type.lowercased().hasPrefix("text/plain"))
  }

  /// Returns the value of `Content-Type` with an invalid type of text replaced by a valid one. Any
  /// invalid type becomes plain text, the default (RFC 2045 §5.2), unless the part is a file with a
  /// name, which may have any content.
  private static func correctedType(_ value: String, isFile: Bool) -> String {
    let written = value.prefix { $0 != ";" }
    let type = written.lowercased().filter { !$0.isWhitespace }
    let correction: String
    switch type {
    case "html", "html/text": correction = "text/html"
    case "plain/text": correction = "text/plain"
    case _ where isFile || value.isEmpty || type.split(separator: "/").count > 1: return value
    default: correction = "text/plain"
    }
    return correction + value.dropFirst(written.count)
  }
}
