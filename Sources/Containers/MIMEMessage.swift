/// A message of MIME parts (RFC 2045, 2046, 2557), such as browsers save a page with all that it needs. It is
/// read however broken it is: one without an end has the parts that are there.
package struct MIMEMessage: Sendable {
  /// A part that holds no further parts.
  package struct Part: Sendable, Equatable {
    /// The value of `Content-Type`, or empty.
    package var type = ""
    /// The address that gave it (`Content-Location`), or empty.
    package var location = ""
    /// The name by which `cid:` addresses mean it (`Content-ID`), without its brackets, or empty.
    package var id = ""
    /// Whether the message ends within it.
    package var isCut = false
    /// The charset that it names, or nil.
    package var charset: String?
    /// The name of the file that it is (RFC 2183), as it is written, or empty.
    package var fileName = ""
    /// Whether it is to be shown apart from the message.
    package var isAttachment = false
    /// The group of forms of one content that it is one of (`multipart/alternative`), from 1 on; else 0.
    package var alternatives = 0
    /// Whether lines that end with a space go on (RFC 3676), and whether that space is none of the text.
    package var isFlowed = false
    package var dropsSpace = false
    /// Where its content is, and how it is encoded.
    fileprivate var body = 0..<0
    fileprivate var encoding = ""
  }

  /// The parts, in order.
  package private(set) var parts: [Part] = []
  /// The one with which reading begins: the index in `parts`.
  package private(set) var root = 0
  /// Whether the message ends in the middle, of a part or behind one.
  package private(set) var isCut = false
  /// Whether the parts that it should have could not be told apart, so that all of it is one text.
  package private(set) var isUndivided = false
  /// When it was made, as it says (RFC 5322), or empty.
  package private(set) var date = ""
  /// The address of the page that browsers write beside its parts, or empty.
  package private(set) var address = ""
  /// Who has written it to whom, when and about what, in names and values as they are written; empty where it is
  /// no mail but a page that a browser saved.
  package private(set) var mail: [(name: String, value: String)] = []

  private let bytes: [UInt8]

  /// Parts stand in one another at most so deep.
  private static let mostLevels = 8

  /// Reads a message, each of its lines once.
  /// - Parameters:
  ///   - bytes: the message.
  ///   - bounds: what is read of it at most.
  /// - Throws: `ContainerError.otherFormat` when it is neither mail nor has parts; or which bound it passes.
  package init(
    _ bytes: [UInt8], bounds: ContainerBounds = ContainerBounds()
  ) throws(ContainerError) {
    guard Int64(bytes.count) <= bounds.size else {
      throw .tooLarge(path: "", limit: bounds.size)
    }
    let head = MIMEHeader(bytes[...])
    guard head.type.hasPrefix("multipart/"), let boundary = head.boundary else {
      guard head.isOfMail else { throw .otherFormat }
      self.init(text: bytes)
      return
    }
    try self.init(bytes, head, boundary, bounds)
  }

  /// A message of several parts.
  private init(
    _ bytes: [UInt8], _ head: MIMEHeader, _ boundary: String, _ bounds: ContainerBounds
  ) throws(ContainerError) {
    self.bytes = bytes
    mail = head.mail
    address = head.first("snapshot-content-location") ?? head.first("content-location") ?? ""
    date = head.first("date") ?? ""
    try read(from: head.end, boundary, bounds)
    if parts.isEmpty {
      guard !mail.isEmpty, head.end < bytes.count else { throw .damaged("it has no parts") }
      isCut = false
      isUndivided = true
      var part = Part()
      part.type = "text/plain"
      part.body = head.end..<bytes.count
      parts = [part]
    }
    let start = head.parameter("start").map(Self.bare)
    let named = start.flatMap { start in parts.firstIndex { $0.id == start } }
    let page = parts.firstIndex { $0.type.lowercased().hasPrefix("text/html") }
    root = named ?? page ?? 0
  }

  /// A mail of one part.
  init(text bytes: [UInt8]) {
    self.bytes = bytes
    let head = MIMEHeader(bytes[...])
    mail = head.mail
    date = head.first("date") ?? ""
    var part = Part(head, alternatives: 0)
    part.body = head.end..<bytes.count
    parts = [part]
  }

  /// Whether bytes begin as a message of several parts does, or mail of one.
  package static func isBegun(by bytes: [UInt8]) -> Bool {
    let head = MIMEHeader(bytes.prefix(1 << 14))
    return head.type.hasPrefix("multipart/") && head.boundary != nil || head.isOfMail
  }

  /// The content of a part, its transfer encoding undone.
  package func content(of part: Part) -> [UInt8] {
    let body = bytes[part.body]
    return switch part.encoding {
    case "base64": TransferEncoding.base64(body)
    case "quoted-printable": TransferEncoding.quotedPrintable(body)
    default: Array(body)
    }
  }

  /// Reads the parts. What is open at a line is a stack of boundaries, and below them at most one part: a line that
  /// is the boundary of an outer level ends what is within it.
  private mutating func read(
    from start: Int, _ boundary: String, _ bounds: ContainerBounds
  ) throws(ContainerError) {
    var marks = [Array("--\(boundary)".utf8)]
    // The group of alternatives that each level is in.
    var groups = [MIMEHeader(bytes[...]).type == "multipart/alternative" ? 1 : 0]
    var groupCount = groups[0]
    var open: Part?
    var place = start
    while place < bytes.count {
      let end = Self.lineEnd(in: bytes, from: place)
      guard let (level, isLast) = Self.mark(in: bytes[place..<end], marks) else {
        place = end
        continue
      }
      let isWithin = level < marks.count - 1
      close(&open, at: Self.withoutBreak(bytes, open?.body.lowerBound ?? place, place), isWithin)
      marks.removeLast(marks.count - level - (isLast ? 0 : 1))
      groups.removeLast(groups.count - marks.count)
      if marks.isEmpty { return }
      place = end
      if isLast { continue }
      let head = MIMEHeader(bytes[end...]) { Self.mark(in: $0, marks) != nil }
      place = head.end
      guard head.type.hasPrefix("multipart/"), let boundary = head.boundary else {
        guard parts.count < bounds.entries else { throw .tooManyEntries(limit: bounds.entries) }
        open = Part(head, alternatives: groups.last ?? 0)
        continue
      }
      if marks.count < Self.mostLevels {
        marks.append(Array("--\(boundary)".utf8))
        let isGroup = head.type == "multipart/alternative"
        if isGroup { groupCount += 1 }
        groups.append(isGroup ? groupCount : groups.last ?? 0)
      }
    }
    close(&open, at: bytes.count, true)
    isCut = true
  }

  /// Ends the part that is open.
  /// - Parameters:
  ///   - open: the part; none from now on.
  ///   - end: where its content ends.
  ///   - isWithin: whether something ends around it without an end of its own.
  private mutating func close(_ open: inout Part?, at end: Int, _ isWithin: Bool) {
    if isWithin { isCut = true }
    guard var part = open else { return }
    part.body = part.body.lowerBound..<end
    part.isCut = isWithin
    parts.append(part)
    open = nil
  }

  private static func lineEnd(in bytes: [UInt8], from start: Int) -> Int {
    var place = start
    while place < bytes.count {
      if bytes[place] == 0x0A { return place + 1 }
      place += 1
    }
    return place
  }

  /// The outermost of some marks that a line is, and whether it ends all parts of its level; nil when it is none.
  private static func mark(
    in line: ArraySlice<UInt8>, _ marks: [[UInt8]]
  ) -> (level: Int, isLast: Bool)? {
    guard line.first == UInt8(ascii: "-") else { return nil }
    for (level, mark) in marks.enumerated() where line.starts(with: mark) {
      let rest = line.dropFirst(mark.count).filter { ![0x20, 0x09, 0x0D, 0x0A].contains($0) }
      if rest.isEmpty { return (level, false) }
      if rest.elementsEqual("--".utf8) { return (level, true) }
    }
    return nil
  }

  /// The line break before a mark belongs to the mark (RFC 2046, section 5.1.1).
  private static func withoutBreak(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int {
    var end = end
    if end > start, bytes[end - 1] == 0x0A { end -= 1 }
    if end > start, bytes[end - 1] == 0x0D { end -= 1 }
    return end
  }

  fileprivate static func bare(_ id: String) -> String {
    id.hasPrefix("<") && id.hasSuffix(">") && id.count > 1
      ? String(id.dropFirst().dropLast()) : id
  }
}

extension MIMEMessage.Part {
  /// A part that begins with a header.
  fileprivate init(_ head: MIMEHeader, alternatives: Int) {
    self.alternatives = alternatives
    charset = head.parameter("charset")
    fileName =
      head.parameter("filename", of: "content-disposition", isName: true)
      ?? head.parameter("name", isName: true) ?? ""
    isFlowed = head.parameter("format")?.lowercased() == "flowed"
    dropsSpace = head.parameter("delsp")?.lowercased() == "yes"
    isAttachment = (head.first("content-disposition") ?? "").lowercased().hasPrefix("attachment")
    type = head.first("content-type") ?? ""
    location = head.first("content-location") ?? ""
    id = MIMEMessage.bare(head.first("content-id") ?? "")
    encoding = (head.first("content-transfer-encoding") ?? "").lowercased()
    body = head.end..<head.end
  }
}
