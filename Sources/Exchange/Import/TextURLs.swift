/// The web URLs in running text.
enum TextURLs {
  /// The maximum number of URLs in a line.
  private static let maxCount = 10_000

  /// Returns the URLs in a line of text, in order, without the punctuation around them. Targets of
  /// links and images in Markdown are left out.
  static func all(in line: String) -> [String] {
    guard line.utf8.contains(UInt8(ascii: "h")), line.contains("://") else { return [] }
    let scalars = Array(line.unicodeScalars)
    var urls: [String] = []
    var index = 0
    while index < scalars.count, urls.count < maxCount {
      guard let length = schemeLength(scalars[index...]), mayStart(at: index, scalars) else {
        index += 1
        continue
      }
      let end = scalars[index...].firstIndex { endings.contains($0) } ?? scalars.endIndex
      let url = withoutPunctuation(scalars[index..<end])
      if url.count > length {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: url)
        urls.append(String(text))
      }
      index = max(end, index + length)
    }
    return urls
  }

  private static let schemes = ["http://", "https://"].map { Array($0.unicodeScalars) }

  private static func schemeLength(_ text: ArraySlice<Unicode.Scalar>) -> Int? {
    guard text.first == "h" else { return nil }
    return schemes.first { text.starts(with: $0) }?.count
  }

  private static let openings: Set<Unicode.Scalar> = [
    " ", "\"", "'", "(", "<", "[", "{", ",", ";", ":", "|", ">", "*", "“", "‘", "„", "«", "‹", "「",
    "『", "（", "【", "、", "，", "：",
  ]
  private static let endings: Set<Unicode.Scalar> = [
    " ", "\"", "<", ">", "“", "”", "’", "»", "›", "「", "」", "』", "）", "】", "、", "。", "，", "；",
  ]
  private static let punctuation: Set<Unicode.Scalar> = [".", ",", ";", ":", "!", "?", "'", "*"]
  private static let brackets: [Unicode.Scalar: Unicode.Scalar] = [")": "(", "]": "[", "}": "{"]

  /// Whether a URL may begin at an index: not in a word or another URL, nor after `](`.
  private static func mayStart(at index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
    guard index > 0 else { return true }
    if index > 1, scalars[index - 1] == "(", scalars[index - 2] == "]" { return false }
    return openings.contains(scalars[index - 1])
  }

  /// Removes punctuation marks, and brackets that are not opened in the URL, at its end.
  private static func withoutPunctuation(
    _ url: ArraySlice<Unicode.Scalar>
  ) -> ArraySlice<Unicode.Scalar> {
    var url = url
    // The number of closing minus opening brackets of each kind.
    var excess: [Unicode.Scalar: Int] = [:]
    for scalar in url {
      for (closing, opening) in brackets where scalar == closing || scalar == opening {
        excess[closing, default: 0] += scalar == closing ? 1 : -1
      }
    }
    while let last = url.last {
      if let count = excess[last], count > 0 {
        excess[last] = count - 1
      } else if !punctuation.contains(last) {
        break
      }
      url = url.dropLast()
    }
    return url
  }
}
