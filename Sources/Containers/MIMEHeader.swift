/// The header of a MIME message or part.
struct MIMEHeader {
  private struct Field {
    /// The name in lower case.
    let name: String
    /// The value without the line breaks of folded lines.
    var bytes: [UInt8]
    var value = ""
  }

  private var fields: [Field] = []
  /// The offset at which the content begins.
  let end: Int
  /// Type and subtype in lower case; empty if there is no `Content-Type`.
  private(set) var type = ""
  /// The boundary between the parts of a multipart message; nil if there is none or it is too long.
  /// If the header lacks it, it is read from the first line that is a boundary.
  private(set) var boundary: String?
  /// The number of lines that are not valid header lines.
  private var invalidLineCount = 0

  /// The maximum length of a header in bytes.
  private static let maxLength = 1 << 16

  /// Parses a header.
  /// - Parameters:
  ///   - bytes: the message or part.
  ///   - isLastLine: returns whether a line ends the header although there is no empty line before
  ///     it.
  init(_ bytes: ArraySlice<UInt8>, isLastLine: (ArraySlice<UInt8>) -> Bool = { _ in false }) {
    var position = bytes.startIndex
    while position < bytes.endIndex, position - bytes.startIndex < Self.maxLength {
      // A longer line is not a header line.
      let searchEnd = min(bytes.endIndex, position + Self.maxLength)
      let next = bytes[position..<searchEnd].firstIndex(of: 0x0A).map { $0 + 1 } ?? searchEnd
      var line = bytes[position..<next]
      if isLastLine(line) { break }
      while let last = line.last, last == 0x0A || last == 0x0D { line.removeLast() }
      position = next
      guard let first = line.first else { break }
      if first == 0x20 || first == 0x09, !fields.isEmpty {
        fields[fields.count - 1].bytes += [0x20] + Self.trimmed(line)
      } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
        // White space may precede the colon (RFC 5322 §4.5).
        let name = line[..<(line[..<colon].lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? colon)]
        fields.append(
          Field(
            name: Self.text(of: name).lowercased(),
            bytes: Array(Self.trimmed(line[(colon + 1)...]))))
        if !name.allSatisfy({ (33...126).contains($0) }) { invalidLineCount += 1 }
      } else {
        invalidLineCount += 1
      }
    }
    end = position
    for index in fields.indices {
      let value = Self.text(of: fields[index].bytes[...])
      let isStructured = Self.structuredFields.contains(fields[index].name)
      fields[index].value = isStructured ? Self.decodedWords(value) ?? value : value
    }
    let value = firstValue("content-type") ?? ""
    type = Self.trimmed(value.prefix { $0 != ";" }).lowercased()
    if let boundary = token("boundary") {
      self.boundary = (1...200).contains(boundary.utf8.count) ? boundary : nil
    } else if type.hasPrefix("multipart/") {
      boundary = Self.firstBoundary(in: bytes[end...].prefix(1 << 10), before: isLastLine)
    }
  }

  /// Returns the boundary in the first line that consists of two hyphens and a word and is followed
  /// by a field of a part, such as `Content-Type`; nil if the enclosing message has a boundary
  /// before such a line.
  private static func firstBoundary(
    in bytes: ArraySlice<UInt8>, before isOuterBoundary: (ArraySlice<UInt8>) -> Bool
  ) -> String? {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { $0.last == 0x0D ? $0.dropLast() : $0 }
    for (line, next) in zip(lines, lines.dropFirst()) {
      if isOuterBoundary(line) { return nil }
      guard line.starts(with: "--".utf8), (3...202).contains(line.count),
        line.allSatisfy({ (33...126).contains($0) })
      else { continue }
      let field = String(decoding: next.prefix("content-".utf8.count), as: UTF8.self)
      guard field.lowercased() == "content-" else { continue }
      return String(decoding: line.dropFirst(2), as: UTF8.self)
    }
    return nil
  }

  /// Returns bytes as text: UTF-8 (RFC 6532), or else windows-1252, in which old programs write
  /// names without encoding them.
  private static func text(of bytes: ArraySlice<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var scalars = String.UnicodeScalarView()
    scalars.append(
      contentsOf: bytes.lazy.map {
        (0x80...0x9F).contains($0) ? windows1252[Int($0) - 0x80] : Unicode.Scalar($0)
      })
    return String(scalars)
  }

  /// The fields with parameters, which some programs write as encoded words (RFC 2047) as a whole.
  private static let structuredFields: Set<String> = ["content-type", "content-disposition"]

  /// Returns the text of a value that consists only of encoded words; nil for other values.
  private static func decodedWords(_ value: String) -> String? {
    guard value.hasPrefix("=?"), value.hasSuffix("?=") else { return nil }
    var bytes: [UInt8] = []
    for word in value.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 }) {
      let parts = word.split(separator: UInt8(ascii: "?"), omittingEmptySubsequences: false)
      guard parts.count == 5, parts[0].elementsEqual("=".utf8), parts[4].elementsEqual("=".utf8)
      else { return nil }
      let content = Array(parts[3])
      switch String(decoding: parts[2], as: UTF8.self).lowercased() {
      case "b": bytes += TransferEncoding.base64(content[...])
      case "q":
        bytes += TransferEncoding.quotedPrintable(
          content.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }[...])
      default: return nil
      }
    }
    return text(of: bytes[...])
  }

  /// The characters of the bytes 0x80 to 0x9F in windows-1252.
  private static let windows1252 = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

  /// Returns whether bytes may begin with the header of a message: the first line is a header
  /// field, or a later line is the field `Content-Type`. Reads bytes instead of texts, because
  /// every file is tested.
  static func isPossible(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      while start < bytes.count {
        var end = start
        while end < bytes.count, bytes[end] != 0x0A { end += 1 }
        let line = bytes[start..<end]
        if start == 0, let colon = line.firstIndex(of: UInt8(ascii: ":")) {
          let space = line[..<colon].lastIndex { $0 != 0x20 && $0 != 0x09 }
          let name = line[...(space ?? colon)]
          if name.allSatisfy({ (33...126).contains($0) }) { return true }
        }
        // An empty line ends the header.
        if line.isEmpty || line.elementsEqual([0x0D]) { return false }
        if line.count >= typeField.count,
          zip(line, typeField).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
        {
          return true
        }
        start = end + 1
      }
      return false
    }
  }

  private static let typeField = Array("content-type:".utf8)

  /// Returns the value of the first field with a name in lower case.
  func firstValue(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  /// Whether every line is a valid header line.
  var hasOnlyValidLines: Bool { invalidLineCount == 0 }

  /// Whether there are several common fields of mail for each invalid line.
  var hasMostlyMailFields: Bool { mailFieldCount >= 3 && mailFieldCount >= invalidLineCount * 3 }

  /// The result of `shownFields` for the header of a mail; empty for a page that a browser saved.
  var mail: [(name: String, value: String)] {
    guard let sender = firstValue("from"), !sender.lowercased().hasPrefix("<saved by"),
      firstValue("snapshot-content-location") == nil, firstValue("content-location") == nil
    else { return [] }
    let isSent = ["to", "cc", "message-id", "received", "delivered-to"].contains {
      firstValue($0) != nil
    }
    guard isSent || type != "multipart/related" else { return [] }
    return shownFields()
  }

  /// Returns the fields From, Reply-To, To, Cc, Date and Subject that are present. Reply-To is left
  /// out if it is the sender. Values that are not UTF-8 have the given charset; nil stands for
  /// windows-1252.
  func shownFields(charset: String? = nil) -> [(name: String, value: String)] {
    ["From", "Reply-To", "To", "Cc", "Date", "Subject"].compactMap { name in
      fields.first { $0.name == name.lowercased() }.map { (name, Self.text(of: $0, charset)) }
    }.filter { $0.name != "Reply-To" || firstValue("reply-to") != firstValue("from") }
  }

  /// Returns the value of a field, as an encoded word (RFC 2047) if it is not UTF-8 but in
  /// ISO-2022-JP or in a known charset.
  private static func text(of field: Field, _ charset: String?) -> String {
    let bytes = field.bytes
    let isISO2022JP = zip(bytes, bytes.dropFirst()).contains { $0 == 0x1B && $1 == 0x24 }
    guard isISO2022JP || String(validating: bytes, as: UTF8.self) == nil,
      let charset = isISO2022JP ? "iso-2022-jp" : charset, !field.value.contains("=?")
    else { return field.value }
    return encodedWord(bytes, charset)
  }

  private static func encodedWord(_ bytes: [UInt8], _ charset: String) -> String {
    let digits = Array("0123456789ABCDEF")
    let text = bytes.map { "=\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
    return "=?\(charset)?Q?\(text)?="
  }

  /// The names of common fields of mail, without From.
  private static let mailFields = [
    "subject", "date", "to", "cc", "message-id", "received", "mime-version", "content-type",
    "return-path", "delivered-to",
  ]

  /// The number of different common fields of mail.
  var mailFieldCount: Int {
    (Self.mailFields + ["from"]).count { firstValue($0) != nil }
  }

  /// Whether this is the header of a mail with a single part. Other texts may also begin with
  /// "From:", so further fields are required.
  var isMailHeader: Bool {
    guard hasOnlyValidLines, !type.hasPrefix("multipart/"), !mail.isEmpty else { return false }
    return Self.mailFields.count { firstValue($0) != nil } >= 2
  }

  /// Whether this is the header of a page that a browser saved as a message without further parts.
  var isPageHeader: Bool {
    guard hasOnlyValidLines, type == "text/html" || type == "application/xhtml+xml",
      firstValue("mime-version") != nil
    else { return false }
    return firstValue("content-location") != nil || firstValue("snapshot-content-location") != nil
      || firstValue("from")?.lowercased().hasPrefix("<saved by") == true
  }

  /// Returns a parameter of `Content-Type` or of another field.
  /// - Parameters:
  ///   - name: the name of the parameter, in lower case.
  ///   - field: the name of the field, in lower case.
  ///   - isName: whether an unquoted value may contain spaces.
  /// - Returns: the value; nil if there is none. A value that has a charset or several parts (RFC
  ///   2231) is returned as an encoded word (RFC 2047).
  func parameter(
    _ name: String, of field: String = "content-type", isName: Bool = false
  ) -> String? {
    let all = parameters(of: field)
    if let value = Self.extended(name, of: all) { return value }
    guard let plain = all.first(where: { $0.name == name }) else { return nil }
    if Self.hasCharset(plain.value),
      let value = Self.extended(name, of: [(name + "*", plain.value, plain.isQuoted)])
    {
      return value
    }
    return isName || plain.isQuoted ? plain.value : String(plain.value.prefix { $0 != " " })
  }

  /// Returns a parameter of `Content-Type` whose value has only ASCII characters, also if it has
  /// several parts.
  func token(_ name: String) -> String? {
    Self.extendedValue(name, of: parameters(of: "content-type"))
      .map { String(decoding: $0.bytes, as: UTF8.self) } ?? parameter(name)
  }

  /// Returns whether a plain value has the form of one with a charset (RFC 2231), because a program
  /// omitted the asterisk after the name.
  private static func hasCharset(_ value: String) -> Bool {
    let markers = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    return markers.count == 3
      && ["utf-8", "us-ascii", "iso-8859-1", "windows-1252"].contains(markers[0].lowercased())
  }

  private typealias Parameter = (name: String, value: String, isQuoted: Bool)

  /// The maximum number of parameters of a field.
  private static let maxParameters = 200

  private func parameters(of field: String) -> [Parameter] {
    var result: [Parameter] = []
    var rest = Array((firstValue(field) ?? "").unicodeScalars)[...]
    rest = rest.drop { $0 != ";" }
    while rest.popFirst() != nil, result.count < Self.maxParameters {
      let key = rest.prefix { $0 != "=" && $0 != ";" }
      rest = rest.dropFirst(key.count)
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst().drop { $0 == " " }
      var value = String.UnicodeScalarView()
      let isQuoted = rest.first == "\""
      if isQuoted {
        rest = rest.dropFirst()
        while let scalar = rest.popFirst(), scalar != "\"" {
          value.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
        }
      } else {
        let plain = rest.prefix { $0 != ";" }
        value.append(contentsOf: plain)
        rest = rest.dropFirst(plain.count)
      }
      let written = Self.trimmed(String(String.UnicodeScalarView(key))[...]).lowercased()
      let text = String(value)
      result.append((written, isQuoted ? text : Self.trimmed(text[...]), isQuoted))
      rest = rest.drop { $0 != ";" }
    }
    return result
  }

  /// Returns a parameter value that has a charset or numbered parts (RFC 2231), in any order, as an
  /// encoded word; nil if there is no such value.
  private static func extended(_ name: String, of parameters: [Parameter]) -> String? {
    guard let (charset, bytes) = extendedValue(name, of: parameters) else { return nil }
    // Some programs divide encoded words into numbered parts.
    if bytes.starts(with: "=?".utf8) { return String(decoding: bytes, as: UTF8.self) }
    return encodedWord(bytes, charset)
  }

  /// Returns the charset and the bytes of a parameter value that has a charset or numbered parts.
  private static func extendedValue(
    _ name: String, of parameters: [Parameter]
  ) -> (charset: String, bytes: [UInt8])? {
    var parts: [(number: Int, value: String, isEncoded: Bool)] = []
    for parameter in parameters where parameter.name.hasPrefix(name + "*") {
      var marker = parameter.name.dropFirst(name.count + 1)
      let isEncoded = marker.isEmpty || marker.last == "*"
      if marker.last == "*" { marker = marker.dropLast() }
      guard let number = marker.isEmpty ? 0 : Int(marker), number >= 0 else { continue }
      parts.append((number, parameter.value, isEncoded))
    }
    parts.sort { $0.number < $1.number }
    guard let start = parts.first, start.number == 0 else { return nil }
    var charset = "utf-8"
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      // A missing part ends the value.
      guard part.number == index else { break }
      guard part.isEncoded else {
        bytes += part.value.utf8
        continue
      }
      var value = part.value[...]
      let markers = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
      if index == 0, markers.count == 3 {
        let label = markers[0].lowercased()
        if !label.isEmpty, label.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != 0x3F }) {
          charset = label
        }
        value = markers[2]
      }
      bytes += unescaped(value)
    }
    return (charset, bytes)
  }

  private static func unescaped(_ value: Substring) -> [UInt8] {
    let written = Array(value.utf8)
    var bytes: [UInt8] = []
    var position = 0
    while position < written.count {
      let digits = written[position...].dropFirst().prefix(2)
      if written[position] == UInt8(ascii: "%"), digits.count == 2,
        let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(byte)
        position += 3
      } else {
        bytes.append(written[position])
        position += 1
      }
    }
    return bytes
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func trimmed(_ text: Substring) -> String {
    var bytes = text.utf8[...]
    while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return String(Substring(bytes))
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
    let end = bytes.lastIndex { !isBlank($0) } ?? start - 1
    return bytes[start..<end + 1]
  }
}
