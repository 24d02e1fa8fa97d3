/// Session ids in URLs, which give a page many URLs: ASP.NET puts them into paths; Java, PHP, ASP
/// and ColdFusion into queries.
enum SessionNumber {
  private static let idLength = 24

  /// Returns a lower-case path without `/(24 letters or digits)/` or `/(s(24 letters or digits))/`
  /// before a name with `.aspx`.
  static func removed(fromPath path: [UInt8]) -> [UInt8] {
    guard path.contains(UInt8(ascii: "(")) else { return path }
    let rest = removed(path) { nestedGroups($0) }
    return removed(rest) { plainGroup($0) }
  }

  private static func removed(
    _ path: [UInt8], _ group: (ArraySlice<UInt8>) -> Int?
  ) -> [UInt8] {
    for slash in path.indices.reversed() where path[slash] == 0x2F {
      guard let end = group(path[(slash + 1)...]), isPage(path[end...]) else { continue }
      return Array(path[...slash] + path[end...])
    }
    return path
  }

  /// Matches `(s(…)f(…))/` at the start.
  /// - Returns: The index after it; nil if the text does not match.
  private static func nestedGroups(_ text: ArraySlice<UInt8>) -> Int? {
    guard text.first == UInt8(ascii: "(") else { return nil }
    var rest = text.dropFirst()
    var count = 0
    while let letter = rest.first, SURT.isLetter(letter), let end = group(rest.dropFirst()) {
      rest = rest[end...]
      count += 1
    }
    guard count > 0, rest.starts(with: [0x29, 0x2F]) else { return nil }
    return rest.startIndex + 2
  }

  /// Matches `(…)/` at the start and returns the index after it; nil if the text does not match.
  private static func plainGroup(_ text: ArraySlice<UInt8>) -> Int? {
    guard let end = group(text), end < text.endIndex, text[end] == 0x2F else { return nil }
    return end + 1
  }

  /// Matches `(24 letters or digits)` at the start and returns the index after it; nil if the text
  /// does not match.
  private static func group(_ text: ArraySlice<UInt8>) -> Int? {
    guard text.first == UInt8(ascii: "("), text.count >= idLength + 2,
      text.dropFirst().prefix(idLength).allSatisfy(isAlphanumeric),
      text[text.startIndex + idLength + 1] == UInt8(ascii: ")")
    else { return nil }
    return text.startIndex + idLength + 2
  }

  /// Whether the text contains `.aspx` after at least one character, and no question mark before
  /// it.
  private static func isPage(_ text: ArraySlice<UInt8>) -> Bool {
    let name = text.prefix { $0 != 0x3F }
    let ending = Array(".aspx".utf8)
    return name.indices.dropFirst().contains { name[$0...].starts(with: ending) }
  }

  /// Returns a query without session ids.
  static func removed(fromQuery query: [UInt8]) -> [UInt8] {
    guard query.contains(0x3D) else { return query }
    var result = query
    for (name, count) in [("jsessionid=", 32), ("phpsessid=", 32), ("sid=", 32)] {
      result = removed(result, name) { text in
        let value = text.prefix(count)
        return value.count == count && value.allSatisfy(isAlphanumeric) ? value.endIndex : nil
      }
    }
    result = removed(result, "aspsessionid") { text in
      let (kind, value) = (text.prefix(8), text.dropFirst(9).prefix(24))
      guard kind.count == 8, value.count == 24, kind.allSatisfy(SURT.isLetter),
        value.allSatisfy(SURT.isLetter), text[kind.endIndex] == 0x3D
      else { return nil }
      return value.endIndex
    }
    return removed(result, "cfid=") { text in
      let cfid = text.prefix { $0 != 0x26 }
      let name = Array("&cftoken=".utf8)
      let tokenParameter = text[cfid.endIndex...]
      guard !cfid.isEmpty, tokenParameter.count > name.count,
        SURT.lowercased(Array(tokenParameter.prefix(name.count))) == name
      else { return nil }
      let value = tokenParameter.dropFirst(name.count).prefix { $0 != 0x26 }
      return value.isEmpty ? nil : value.endIndex
    }
  }

  /// Removes the last occurrence of a name (regardless of case) with its value and the following
  /// `&`. `end` receives the text after the name, and returns the end of the value; nil if the text
  /// does not begin with a session id.
  private static func removed(
    _ query: [UInt8], _ name: String, _ end: (ArraySlice<UInt8>) -> Int?
  ) -> [UInt8] {
    let name = Array(name.utf8)
    guard query.count > name.count else { return query }
    for start in query.indices.reversed().dropFirst(name.count) {
      guard zip(query[start...], name).allSatisfy({ lowercased($0) == $1 }),
        let end = end(query[(start + name.count)...])
      else { continue }
      if end == query.endIndex { return Array(query[..<start]) }
      if query[end] == 0x26 { return Array(query[..<start] + query[(end + 1)...]) }
    }
    return query
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    SURT.isLetter(byte) || SURT.isDigit(byte)
  }
}
