import Formats

/// The web URLs in running text.
enum TextURLs {
  /// Returns the URLs in a line of text, in order, without the punctuation around them. Targets of
  /// links and images in Markdown, and URLs within other addresses, are left out.
  static func all(in line: String) -> [String] {
    let bytes = Array(line.utf8)
    var urls: [String] = []
    var index = 0
    while let range = PlainTextURLs.nextURL(in: bytes, index..<bytes.count) {
      if !isWithinAddress(range.lowerBound, bytes) {
        urls.append(String(decoding: bytes[range], as: UTF8.self))
      }
      index = range.upperBound
    }
    return urls
  }

  /// Whether the text before an index belongs to a link in Markdown or to another address.
  private static func isWithinAddress(_ index: Int, _ bytes: [UInt8]) -> Bool {
    bytes[..<index].suffix(2).elementsEqual("](".utf8)
      || bytes[..<index].last.map { "=/?&#%".utf8.contains($0) } ?? false
  }
}
