import Document
import DOM

/// Finds URLs in text without markup.
package enum PlainTextURLs {
  /// Returns the next `http:` or `https:` URL in a range of a text, without trailing punctuation
  /// that belongs to the sentence around it; nil if there is none.
  package static func nextURL(in bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    var index = range.lowerBound
    while let colon = bytes[index..<range.upperBound].firstIndex(of: UInt8(ascii: ":")) {
      index = colon + 1
      guard let start = startOfScheme(endingAt: colon, in: bytes, from: range.lowerBound),
        let end = endOfURL(of: bytes, after: colon, limit: range.upperBound)
      else { continue }
      return start..<end
    }
    return nil
  }

  /// Returns the next URL in a range of a text, as in `nextURL`, or the next host that begins a
  /// word with `www.`, with its path.
  /// - Returns: The range of the URL, and its target; nil if there is none.
  package static func nextLink(
    in bytes: [UInt8], _ range: Range<Int>
  ) -> (range: Range<Int>, target: String)? {
    let colon = UInt8(ascii: ":")
    var index = range.lowerBound
    while let next = bytes[index..<range.upperBound].firstIndex(where: {
      $0 == colon || $0.lowercased == UInt8(ascii: "w")
    }) {
      index = next + 1
      if bytes[next] == colon {
        guard let start = startOfScheme(endingAt: next, in: bytes, from: range.lowerBound),
          let end = endOfURL(of: bytes, after: next, limit: range.upperBound)
        else { continue }
        return (start..<end, String(decoding: bytes[start..<end], as: UTF8.self))
      }
      guard next == range.lowerBound || mayPrecedeHost(bytes[next - 1]),
        let end = endOfHost(of: bytes, startingAt: next, limit: range.upperBound)
      else { continue }
      return (next..<end, "http://" + String(decoding: bytes[next..<end], as: UTF8.self))
    }
    return nil
  }

  /// Returns whether a URL without a scheme may follow a byte.
  static func mayPrecedeHost(_ byte: UInt8) -> Bool {
    byte.isWhiteSpace || "*_~(<['\"".utf8.contains(byte)
  }

  /// Returns the end of the URL that begins at an index; nil if there is none.
  static func endOfURL(of bytes: [UInt8], startingAt start: Int, limit: Int) -> Int? {
    guard start + 8 < limit,
      let colon = bytes[start..<start + 6].firstIndex(of: UInt8(ascii: ":")),
      startOfScheme(endingAt: colon, in: bytes, from: start) == start
    else { return nil }
    return endOfURL(of: bytes, after: colon, limit: limit)
  }

  /// Returns the end of the URL without a scheme that begins at an index: `www.`, at least two more
  /// labels, and perhaps a path; nil if there is none.
  static func endOfHost(of bytes: [UInt8], startingAt start: Int, limit: Int) -> Int? {
    let hostStart = start + 4
    guard hostStart < limit, bytes.contains("www.", in: start..<hostStart) else { return nil }
    let name = bytes[hostStart..<limit].prefix {
      $0.isLetter || $0.isDigit || "-.".utf8.contains($0)
    }
    // A full stop at the end belongs to the sentence.
    guard let last = name.lastIndex(where: { $0 != UInt8(ascii: ".") }) else { return nil }
    let labels = name[...last].split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.count > 1, !labels.contains(where: \.isEmpty) else { return nil }
    return endOfURL(of: bytes, from: hostStart, limit: limit)
  }

  /// Returns the start of the scheme `http` or `https` that a colon ends; nil if it ends neither.
  private static func startOfScheme(endingAt colon: Int, in bytes: [UInt8], from first: Int) -> Int?
  {
    for name in ["https", "http"] as [StaticString] {
      let start = colon - name.utf8CodeUnitCount
      guard start >= first, bytes.contains(name, in: start..<colon) else { continue }
      let isWord = start > first && (bytes[start - 1].isLetter || bytes[start - 1].isDigit)
      return isWord ? nil : start
    }
    return nil
  }

  private static func endOfURL(of bytes: [UInt8], after colon: Int, limit: Int) -> Int? {
    let start = colon + 3
    guard start < limit, bytes[colon + 1] == UInt8(ascii: "/"),
      bytes[colon + 2] == UInt8(ascii: "/")
    else { return nil }
    return endOfURL(of: bytes, from: start, limit: limit)
  }

  /// Returns whether a quotation mark, dash or CJK punctuation, which end a URL, is at an index.
  private static func isPunctuation(in bytes: [UInt8], at index: Int, limit: Int) -> Bool {
    guard bytes[index] >= 0xE2, index + 1 < limit else { return false }
    return switch (bytes[index], bytes[index + 1]) {
    case (0xE2, 0x80), (0xE3, 0x80), (0xEF, 0xBC): true
    default: false
    }
  }

  /// Returns the end of the URL whose host begins at an index; nil if it has no characters.
  private static func endOfURL(of bytes: [UInt8], from start: Int, limit: Int) -> Int? {
    var end = start
    var (parenthesisDepth, bracketDepth) = (0, 0)
    var hasQuery = false
    scan: while end < limit, !bytes[end].endsURL {
      if isPunctuation(in: bytes, at: end, limit: limit) { break }
      switch bytes[end] {
      case UInt8(ascii: "("): parenthesisDepth += 1
      case UInt8(ascii: ")"): parenthesisDepth -= 1
      case UInt8(ascii: "?"): hasQuery = true
      case UInt8(ascii: "["):
        let isPart =
          hasQuery
          ? !isBeforeText(in: bytes, at: end, limit: limit)
          : end == start || isNamePart(in: bytes, at: end, limit: limit)
        guard isPart else { break scan }
        bracketDepth += 1
      case UInt8(ascii: "]"):
        // A bracket without the other one belongs to the text around the URL.
        guard bracketDepth > 0 else { break scan }
        bracketDepth -= 1
      default: break
      }
      end += 1
    }
    while end > start {
      switch bytes[end - 1] {
      case UInt8(ascii: ")") where parenthesisDepth < 0: parenthesisDepth += 1
      case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"),
        UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        break
      default: return end
      }
      end -= 1
    }
    return nil
  }

  /// Returns whether brackets in a path are part of a name, as in `file[1].pdf` or `[2020]_a.mp3`:
  /// the name continues directly after them. Otherwise they contain the text of a link, as in
  /// AsciiDoc, or the number of a note. Those at the start of a host or in a query belong to it.
  private static func isNamePart(in bytes: [UInt8], at start: Int, limit: Int) -> Bool {
    let content = bytes[start + 1..<limit].prefix(maxBracketedLength + 1)
      .prefix { !$0.endsURL && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }
    var rest = bytes[content.endIndex..<limit]
    guard !content.isEmpty, rest.popFirst() == UInt8(ascii: "]") else { return false }
    if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst() }
    return rest.first.map { $0.isLetter || $0.isDigit || "/_-%".utf8.contains($0) } ?? false
  }

  /// Returns whether the URL would end within the brackets that begin at an index of a query,
  /// because they contain a text with spaces, as in AsciiDoc.
  private static func isBeforeText(in bytes: [UInt8], at start: Int, limit: Int) -> Bool {
    let content = bytes[start + 1..<limit].prefix(maxBracketedLength + 1)
    guard let end = content.firstIndex(where: { $0.endsURL || $0 == UInt8(ascii: "]") }) else {
      return content.count <= maxBracketedLength
    }
    return bytes[end] != UInt8(ascii: "]")
  }

  /// The maximum length in bytes of the text in brackets that is part of a name or follows a query.
  private static let maxBracketedLength = 64
}

extension UInt8 {
  /// Whether the byte ends a URL in running text.
  fileprivate var endsURL: Bool {
    switch self {
    case 0...0x20, 0x7F: true
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "`"),
      UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "|"), UInt8(ascii: "\\"),
      UInt8(ascii: "^"):
      true
    default: false
    }
  }
}
