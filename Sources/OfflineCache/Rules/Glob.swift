/// Matches texts with glob patterns: `*` matches any text including slashes, `?` matches one byte,
/// and every other byte matches itself.
package enum Glob {
  /// Returns whether a pattern matches a whole URL, or its path and query. Because `?` delimits the
  /// query, it matches only itself.
  package static func matches(_ pattern: String, url: String) -> Bool {
    matches(pattern.utf8, url.utf8, anyByte: nil)
  }

  /// Matches a whole text with a pattern.
  ///
  /// The time is at most proportional to the product of both lengths; no recursion is used.
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - text: The text.
  ///   - anyByte: The character that matches one byte; nil if there is none.
  /// - Returns: Whether it matches.
  package static func matches(
    _ pattern: some Collection<UInt8>, _ text: some Collection<UInt8>,
    anyByte: UInt8? = UInt8(ascii: "?")
  ) -> Bool {
    let (pattern, text) = (Array(pattern), Array(text))
    var (position, index) = (0, 0)
    // The position of the last star, and the text index at which a match after it is attempted.
    var star: (place: Int, index: Int)?
    while index < text.count {
      if position < pattern.count, pattern[position] == UInt8(ascii: "*") {
        star = (position, index)
        position += 1
      } else if position < pattern.count,
        pattern[position] == anyByte || pattern[position] == text[index]
      {
        position += 1
        index += 1
      } else if let last = star {
        star = (last.place, last.index + 1)
        (position, index) = (last.place + 1, last.index + 1)
      } else {
        return false
      }
    }
    return pattern[position...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
