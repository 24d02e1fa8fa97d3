extension Highlight {
  /// The maximum length in bytes of the start of a passage in the fragment of a URL.
  private static let maxStartLength = 120
  /// The maximum length in bytes of the end of a passage that is longer than its start, in the
  /// fragment of a URL.
  private static let maxEndLength = 40
  /// The length in bytes below which a passage of one or two words may occur more than once, so
  /// that the text around it is part of the URL.
  private static let shortLength = 32
  /// The maximum length in bytes of the text on each side in a URL.
  private static let maxURLContextLength = 32

  /// Returns a URL that opens a page at the highlight, in offread and in browsers that support text
  /// fragments.
  /// - Parameter url: The URL of the page, without a fragment.
  /// - Returns: The URL with a text fragment.
  package func address(on url: String) -> String {
    let isShort = exact.utf8.count < Self.shortLength && exact.count { $0 == " " } < 2
    let start = exact.firstWords(atMost: Self.maxStartLength)
    // The end is searched for after the start, and must not overlap it.
    let rest = exact.drop { $0 == " " }.dropFirst(start.count)
    return TextFragment.url(
      url, from: start, to: String(rest).lastWords(atMost: Self.maxEndLength),
      prefix: isShort ? prefix.lastWords(atMost: Self.maxURLContextLength) : "",
      suffix: isShort ? suffix.firstWords(atMost: Self.maxURLContextLength) : "")
  }
}

extension String {
  /// Returns the first whole words, without spaces at either end, up to a length in bytes; if the
  /// first word is longer, its first characters.
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

  /// Returns the last whole words, like `firstWords`.
  fileprivate func lastWords(atMost length: Int) -> String {
    String(String(reversed()).firstWords(atMost: length).reversed())
  }
}
