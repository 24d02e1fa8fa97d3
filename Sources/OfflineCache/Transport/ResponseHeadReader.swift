/// A parser for response heads that receives them line by line. It tolerates 1xx responses and
/// invalid bytes.
struct ResponseHeadReader {
  private var response: ResponseHead?
  private var isDone = false
  /// Whether white space precedes the colon wherever a field occurs, by its name in lower case.
  private var isSpaced: [String: Bool] = [:]

  /// Whether a status line was parsed.
  var hasBegun: Bool { response != nil }

  /// Returns whether the response has a field that libcurl does not recognize, because white space
  /// precedes its colon. The name is in lower case.
  func hasUnrecognizedField(_ name: String) -> Bool { isSpaced[name] ?? false }

  /// Parses the next line, with or without its line end.
  /// - Returns: The final response if this line completes its head, otherwise nil; always nil for
  ///   trailers.
  mutating func parse(_ line: UnsafeRawBufferPointer) -> ResponseHead? {
    guard !isDone else { return nil }
    var bytes = line[...]
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes = bytes.dropLast() }
    if bytes.isEmpty {
      // After a 1xx response, another head follows.
      guard let response, response.status >= 200 else {
        self.response = nil
        isSpaced = [:]
        return nil
      }
      isDone = true
      return response
    }
    guard response != nil else {
      response = Self.statusLine(bytes)
      return nil
    }
    addField(bytes)
    return nil
  }

  private static func statusLine(_ bytes: Slice<UnsafeRawBufferPointer>) -> ResponseHead? {
    // The status line of SHOUTcast servers begins with "ICY".
    guard bytes.starts(with: "HTTP/".utf8) || bytes.starts(with: "ICY ".utf8),
      let space = bytes.firstIndex(of: 0x20)
    else { return nil }
    let rest = bytes[(space + 1)...].drop { $0 == 0x20 }
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard let status = Int(String(decoding: digits, as: UTF8.self)), (100...999).contains(status)
    else { return nil }
    let reason = rest[digits.endIndex...].drop { $0 == 0x20 }
    return ResponseHead(status: status, reason: FieldLines.text(reason))
  }

  private mutating func addField(_ bytes: Slice<UnsafeRawBufferPointer>) {
    guard var response else { return }
    // The response is moved out of the property, so that appending does not copy it.
    self.response = nil
    defer { self.response = response }
    if bytes.first == 0x20 || bytes.first == 0x09 {
      // RFC 9112 §5.2: a folded line continues the previous field, whose first line may be empty.
      var lines = response.fields.lines
      guard let last = lines.popLast() else { return }
      let parts = [last.value, FieldLines.text(Self.trimmed(bytes), of: last.name)]
        .filter { !$0.isEmpty }
      lines.append(FieldLines.Field(last.name, parts.joined(separator: " ")))
      response.fields = FieldLines(lines)
    } else if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
      let trimmedName = Self.trimmed(bytes[..<colon])
      let name = FieldLines.text(trimmedName)
      guard !name.isEmpty else { return }
      let key = name.lowercased()
      isSpaced[key] = isSpaced[key, default: true] && trimmedName.endIndex < colon
      response.fields.append(
        name, FieldLines.text(Self.trimmed(bytes[(colon + 1)...]), of: name))
    }
  }

  private static func trimmed(
    _ bytes: Slice<UnsafeRawBufferPointer>
  ) -> Slice<UnsafeRawBufferPointer> {
    var bytes = bytes
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes = bytes.dropFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes = bytes.dropLast() }
    return bytes
  }
}
