extension Highlight {
  /// The maximum length in bytes of the quoted start of a passage in the fragment of a URL.
  private static let maxStartLength = 120
  /// The maximum length in bytes of the quoted end of a passage in the fragment of a URL. The end
  /// is quoted if the passage is longer than its quoted start.
  private static let maxEndLength = 40
  /// The length in bytes below which a passage of one or two words may occur more than once on a
  /// page, so that the surrounding text is added to the URL.
  private static let shortLength = 32
  /// The maximum length in bytes of the surrounding text on each side in a URL.
  private static let maxURLContextLength = 32

  /// Returns a URL that opens a page at the highlight, in offread and in browsers that support text
  /// fragments.
  /// - Parameter url: The URL of the page, without a fragment.
  /// - Returns: The URL with a text fragment.
  package func address(on url: String) -> String {
    let isShort = exact.utf8.count < Self.shortLength && exact.count { $0 == " " } < 2
    let start = exact.firstWords(atMost: Self.maxStartLength)
    // The end is searched for after the start and must not overlap it.
    let rest = exact.drop { $0 == " " }.dropFirst(start.count)
    return TextFragment.url(
      url, from: start, to: String(rest).lastWords(atMost: Self.maxEndLength),
      prefix: isShort ? prefix.lastWords(atMost: Self.maxURLContextLength) : "",
      suffix: isShort ? suffix.firstWords(atMost: Self.maxURLContextLength) : "")
  }
}

extension String {
  /// Returns the first whole words up to a length in bytes, without spaces at either end. If the
  /// first word is longer, its first characters are returned.
  fileprivate func firstWords(atMost length: Int) -> String {
    let text = drop { $0 == " " }
    var length = length
    let start = text.prefix {
      length -= $0.utf8.count
      return length >= 0
    }
    let isWhole = start.endIndex == text.endIndex || text[start.endIndex] == " "
    let end = isWhole ? start.endIndex : start.lastIndex(of: " ") ?? start.endIndex
    return String(text[..<end].reversed().drop { $0 == " " }.reversed())
  }

  /// Returns the last whole words; see `firstWords(atMost:)`.
  fileprivate func lastWords(atMost length: Int) -> String {
    String(String(reversed()).firstWords(atMost: length).reversed())
  }
}
