import HTTPCaching

/// A cache key whose path and query are divided into text and characters that are written either
/// literally or percent-encoded.
///
/// These characters have no meaning of their own in nearly all URLs, so that servers have one page
/// for both spellings (`/wiki/Gale_(film)`, `/wiki/Gale_%28film%29`). RFC 3986 §2.2 leaves this to
/// the server: the spellings are different keys, and each request is sent as it is written.
struct KeySpelling {
  private enum Part {
    case text(ArraySlice<UInt8>)
    /// A character, the index of its group, and whether it is in the query.
    case character(UInt8, group: Int, isInQuery: Bool)
  }

  private var parts: [Part] = []
  /// The different characters; both parentheses count as one.
  private var groups: [UInt8] = []

  /// The maximum number of groups of which all combinations are spellings.
  private static let maxCombinedGroups = 3

  /// Returns the other spellings of a key, at most eight. Equal characters are spelled alike. If
  /// there are many different ones, all of them are.
  static func others(of key: String) -> [String] {
    let spelling = KeySpelling(Array(key.utf8))
    let count = spelling.groups.count
    guard count > 0 else { return [] }
    let allEncoded = 1 << count - 1
    let masks = count <= maxCombinedGroups ? Array(0...allEncoded) : [0, allEncoded]
    return masks.map(spelling.text).filter { $0 != key }
  }

  private init(_ key: [UInt8]) {
    guard let path = Self.pathStart(in: key) else { return }
    var isInQuery = false
    var textStart = 0
    var index = path
    while index < key.count {
      let escaped = Self.escapedCharacter(at: index, in: key)
      var character = escaped ?? key[index]
      if isInQuery, character == UInt8(ascii: "+"), escaped == nil { character = 0x20 }
      let width = escaped == nil ? 1 : 3
      if Self.isNeutral(character, isInQuery: isInQuery) {
        parts += [
          .text(key[textStart..<index]),
          .character(character, group: group(of: character), isInQuery: isInQuery),
        ]
        textStart = index + width
      } else if escaped == nil, character == UInt8(ascii: "?") {
        isInQuery = true
      }
      index += width
    }
    parts.append(.text(key[textStart...]))
  }

  /// Returns the index of the path in an absolute URL with an authority; nil for other URLs.
  private static func pathStart(in key: [UInt8]) -> Int? {
    guard let colon = key.firstIndex(of: UInt8(ascii: ":")),
      key[(colon + 1)...].starts(with: "//".utf8)
    else { return nil }
    return key[(colon + 3)...].firstIndex(of: UInt8(ascii: "/"))
  }

  /// Returns the percent-encoded octet at an index; nil if there is no escape.
  private static func escapedCharacter(at index: Int, in key: [UInt8]) -> UInt8? {
    guard key[index] == UInt8(ascii: "%"), index + 2 < key.count,
      let high = PercentEncoding.digit(key[index + 1]),
      let low = PercentEncoding.digit(key[index + 2])
    else { return nil }
    return high << 4 | low
  }

  /// Whether both spellings of a character have the same meaning. In queries, this excludes
  /// the delimiters of forms, and includes the space, which forms write as `+`.
  private static func isNeutral(_ character: UInt8, isInQuery: Bool) -> Bool {
    (isInQuery ? neutralInQuery : neutralInPath).contains(character)
  }

  private static let neutralInPath = Array("!$&'()*+,:=@|".utf8)
  private static let neutralInQuery = Array(" !$'()*,/:?@[]`{|}".utf8)

  private mutating func group(of character: UInt8) -> Int {
    let name = character == UInt8(ascii: ")") ? UInt8(ascii: "(") : character
    if let index = groups.firstIndex(of: name) { return index }
    groups.append(name)
    return groups.count - 1
  }

  /// Returns the spelling in which the groups of a bit mask are percent-encoded. A space in the
  /// query is `%20` or `+`.
  private func text(encoding mask: Int) -> String {
    var output: [UInt8] = []
    for part in parts {
      switch part {
      case .text(let text): output += text
      case .character(let character, let group, let isInQuery):
        if mask & 1 << group != 0 {
          output += PercentEncoding.encoded([character]) { _ in true }
        } else {
          output.append(isInQuery && character == 0x20 ? UInt8(ascii: "+") : character)
        }
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
