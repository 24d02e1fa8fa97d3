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
    /// The content, its transfer encoding undone.
    package var content: [UInt8] = []
    /// Whether the message ends within it.
    package var isCut = false
  }

  /// The parts, in order.
  package private(set) var parts: [Part] = []
  /// The one with which reading begins: the index in `parts`.
  package private(set) var root = 0
  /// Whether the message ends in the middle, of a part or behind one.
  package private(set) var isCut = false
  /// When it was made, as it says (RFC 5322), or empty.
  package private(set) var date = ""
  /// The address of the page that browsers write beside its parts, or empty.
  package private(set) var address = ""

  /// Parts stand in one another at most so deep.
  private static let mostLevels = 8

  /// Reads a message.
  /// - Parameters:
  ///   - bytes: the message.
  ///   - bounds: what is read of it at most.
  /// - Throws: `ContainerError.otherFormat` when it has no parts; or which bound it passes.
  package init(
    _ bytes: [UInt8], bounds: ContainerBounds = ContainerBounds()
  ) throws(ContainerError) {
    guard Int64(bytes.count) <= bounds.size else {
      throw .tooLarge(path: "", limit: bounds.size)
    }
    let head = MIMEHeader(bytes[...])
    guard head.type.hasPrefix("multipart/"), head.boundary != nil else { throw .otherFormat }
    address = head.first("snapshot-content-location") ?? head.first("content-location") ?? ""
    date = head.first("date") ?? ""
    try read(bytes[head.end...], of: head, level: 0, bounds)
    guard !parts.isEmpty else { throw .damaged("it has no parts") }
    let start = head.parameter("start").map(Self.bare)
    let named = start.flatMap { start in parts.firstIndex { $0.id == start } }
    let page = parts.firstIndex { $0.type.lowercased().hasPrefix("text/html") }
    root = named ?? page ?? 0
  }

  /// Whether bytes begin as a message of several parts does.
  package static func isBegun(by bytes: [UInt8]) -> Bool {
    let head = MIMEHeader(bytes.prefix(1 << 14))
    return head.type.hasPrefix("multipart/") && head.boundary != nil
  }

  private mutating func read(
    _ body: ArraySlice<UInt8>, of head: MIMEHeader, level: Int, _ bounds: ContainerBounds
  ) throws(ContainerError) {
    guard level < Self.mostLevels, let boundary = head.boundary else { return }
    let mark = Array("--\(boundary)".utf8)
    var start: Int?
    var place = body.startIndex
    var isEnded = false
    while place < body.endIndex {
      let end = body[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? body.endIndex
      let line = body[place..<end]
      if line.count >= mark.count, line.starts(with: mark), let rest = Self.rest(line, mark.count) {
        if let start {
          let end = Self.withoutBreak(body, start, place)
          try add(body[start..<end], isCut: false, level, bounds)
        }
        start = end
        if rest == "--" {
          isEnded = true
          break
        }
      }
      place = end
    }
    guard !isEnded else { return }
    isCut = true
    if let start { try add(body[start...], isCut: true, level, bounds) }
  }

  /// What follows the mark on its line: nothing, or `--` at the end of all parts; nil when it is another line.
  private static func rest(_ line: ArraySlice<UInt8>, _ count: Int) -> String? {
    let rest = line.dropFirst(count).filter { ![0x20, 0x09, 0x0D, 0x0A].contains($0) }
    return rest.isEmpty ? "" : rest.elementsEqual("--".utf8) ? "--" : nil
  }

  /// The line break before a mark belongs to the mark (RFC 2046, section 5.1.1).
  private static func withoutBreak(_ body: ArraySlice<UInt8>, _ start: Int, _ end: Int) -> Int {
    var end = end
    if end > start, body[end - 1] == 0x0A { end -= 1 }
    if end > start, body[end - 1] == 0x0D { end -= 1 }
    return end
  }

  private mutating func add(
    _ bytes: ArraySlice<UInt8>, isCut: Bool, _ level: Int, _ bounds: ContainerBounds
  ) throws(ContainerError) {
    let head = MIMEHeader(bytes)
    let body = bytes[head.end...]
    if head.type.hasPrefix("multipart/"), head.boundary != nil {
      return try read(body, of: head, level: level + 1, bounds)
    }
    guard parts.count < bounds.entries else { throw .tooManyEntries(limit: bounds.entries) }
    var part = Part(isCut: isCut)
    part.type = head.first("content-type") ?? ""
    part.location = head.first("content-location") ?? ""
    part.id = Self.bare(head.first("content-id") ?? "")
    switch (head.first("content-transfer-encoding") ?? "").lowercased() {
    case "base64": part.content = TransferEncoding.base64(body)
    case "quoted-printable": part.content = TransferEncoding.quotedPrintable(body)
    default: part.content = Array(body)
    }
    parts.append(part)
  }

  private static func bare(_ id: String) -> String {
    id.hasPrefix("<") && id.hasSuffix(">") && id.count > 1
      ? String(id.dropFirst().dropLast()) : id
  }
}

/// The lines before the content of a message or a part.
struct MIMEHeader {
  private var fields: [(name: String, value: String)] = []
  /// Where the content begins.
  let end: Int
  /// Type and subtype in lower case, or empty.
  private(set) var type = ""

  /// No header is longer, in bytes.
  private static let longest = 1 << 16

  init(_ bytes: ArraySlice<UInt8>) {
    var place = bytes.startIndex
    while place < bytes.endIndex, place - bytes.startIndex < Self.longest {
      let next = bytes[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.endIndex
      var line = bytes[place..<next]
      while let last = line.last, last == 0x0A || last == 0x0D { line.removeLast() }
      place = next
      guard let first = line.first else { break }
      let text = String(decoding: line, as: UTF8.self)
      if first == 0x20 || first == 0x09, !fields.isEmpty {
        fields[fields.count - 1].value += " " + Self.trimmed(text[...])
      } else if let colon = text.firstIndex(of: ":") {
        fields.append(
          (text[..<colon].lowercased(), Self.trimmed(text[text.index(after: colon)...])))
      }
    }
    end = place
    let value = first("content-type") ?? ""
    type = Self.trimmed(value.prefix { $0 != ";" }).lowercased()
  }

  /// The value of the first field with a name, which is given in lower case.
  func first(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// What separates the parts.
  var boundary: String? {
    parameter("boundary").flatMap { (1...200).contains($0.utf8.count) ? $0 : nil }
  }

  /// A parameter of the content type.
  func parameter(_ name: String) -> String? {
    var rest = Array((first("content-type") ?? "").unicodeScalars)[...]
    rest = rest.drop { $0 != ";" }
    while rest.popFirst() != nil {
      let key = rest.prefix { $0 != "=" && $0 != ";" }
      rest = rest.dropFirst(key.count)
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst().drop { $0 == " " }
      var value = String.UnicodeScalarView()
      if rest.first == "\"" {
        rest = rest.dropFirst()
        while let scalar = rest.popFirst(), scalar != "\"" {
          value.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
        }
      } else {
        let plain = rest.prefix { $0 != ";" && $0 != " " }
        value.append(contentsOf: plain)
        rest = rest.dropFirst(plain.count)
      }
      let written = Self.trimmed(String(String.UnicodeScalarView(key))[...]).lowercased()
      if written == name { return String(value) }
      rest = rest.drop { $0 != ";" }
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    var bytes = text.utf8[...]
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return String(Substring(bytes))
  }
}
