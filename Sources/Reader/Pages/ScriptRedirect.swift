import DOM

/// Finds the URL to which the scripts of a page redirect.
enum ScriptRedirect {
  /// Maximum length in bytes of a page that only redirects, and of a URL.
  private static let maxPageLength = 1 << 16
  private static let maxTargetLength = 2048

  /// Returns the target of the first `location = "…"`, `location.href = "…"`,
  /// `location.replace("…")` or `location.assign("…")` in the script elements of a short page.
  /// - Parameter page: the page, in an encoding that contains ASCII.
  /// - Returns: the target as written; nil if there is none, or if it is not a single string.
  static func target(in page: [UInt8]) -> String? {
    guard page.count <= maxPageLength else { return nil }
    let lowercase = page.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    var isScript = false
    var index = 0
    while index < page.count {
      let rest = lowercase[index...]
      if rest.starts(with: "<script".utf8) {
        isScript = true
      } else if rest.starts(with: "</script".utf8) {
        isScript = false
      } else if isScript, page[index...].starts(with: "location".utf8),
        !page[..<index].suffix(1).contains(where: isNamePart)
      {
        index += "location".utf8.count
        if let target = assignedURL(after: page[index...]) { return target }
        continue
      }
      index += 1
    }
    return nil
  }

  /// Returns the URL that a statement assigns to `location`; nil for other statements. `statement`
  /// is the script after that word.
  private static func assignedURL(after statement: ArraySlice<UInt8>) -> String? {
    var rest = statement.drop { $0 <= 0x20 }
    var name = ""
    if rest.first == UInt8(ascii: ".") {
      let member = rest.dropFirst().prefix { isNamePart($0) }.prefix(16)
      name = String(decoding: member, as: UTF8.self)
      rest = rest.dropFirst(1 + member.count).drop { $0 <= 0x20 }
    }
    switch name {
    case "", "href": guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
    case "replace", "assign": guard rest.popFirst() == UInt8(ascii: "(") else { return nil }
    default: return nil
    }
    rest = rest.drop { $0 <= 0x20 }
    guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { return nil }
    let written = rest.prefix(maxTargetLength).prefix { $0 != quote }
    rest = rest.dropFirst(written.count)
    // A string that continues after this one is not the whole URL.
    guard rest.popFirst() == quote, rest.first(where: { $0 > 0x20 }) != UInt8(ascii: "+") else {
      return nil
    }
    let target = String(decoding: written, as: UTF8.self).replacing("\\/", with: "/")
    guard !target.isEmpty, !target.hasPrefix("#"), !target.contains("\\"), !target.runsScript
    else { return nil }
    return target
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
  }
}
