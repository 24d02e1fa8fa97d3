/// Patterns as shells write them: `*` stands for any text, also with slashes, `?` for one octet,
/// everything else for itself.
package enum Glob {
  /// Whether all of a text is what a pattern describes.
  ///
  /// Takes time in proportion to the product of both lengths at most, and no stack.
  package static func matches(
    _ pattern: some Collection<UInt8>, _ text: some Collection<UInt8>
  ) -> Bool {
    let (pattern, text) = (Array(pattern), Array(text))
    var (place, index) = (0, 0)
    // The latest star, and where the text after it is tried to begin.
    var star: (place: Int, index: Int)?
    while index < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place, index)
        place += 1
      } else if place < pattern.count,
        pattern[place] == UInt8(ascii: "?") || pattern[place] == text[index]
      {
        place += 1
        index += 1
      } else if let last = star {
        star = (last.place, last.index + 1)
        (place, index) = (last.place + 1, last.index + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
