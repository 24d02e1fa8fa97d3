import Foundation

/// A piece of a text around the words that were looked for.
struct Snippet: Equatable {
  /// On one line, with `…` where something was left out.
  var text = ""
  /// Where the words are in it, in characters.
  var matches: [Range<Int>] = []

  /// About how many characters it has before the first word, and in all.
  private static let lead = 60
  private static let length = 200
  private static let folding: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]

  /// Takes the piece where the words first come.
  /// - Parameters:
  ///   - text: the text of a page.
  ///   - query: what was looked for.
  init(of text: String, _ query: SearchQuery) {
    let words = query.terms.filter { !$0.isExcluded }.map(\.text)
    let first = words.compactMap { Self.find($0, in: text)?.lowerBound }.min()
    let center = first ?? text.startIndex
    let start =
      text.index(center, offsetBy: -Self.lead, limitedBy: text.startIndex) ?? text.startIndex
    let end = text.index(start, offsetBy: Self.length, limitedBy: text.endIndex) ?? text.endIndex
    var piece = text[start..<end]
    if start > text.startIndex { piece = Self.fromWord(piece) }
    let line = piece.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    self.text =
      (piece.startIndex > text.startIndex ? "…" : "") + line + (end < text.endIndex ? "…" : "")
    for word in words {
      var rest = self.text.startIndex..<self.text.endIndex
      while let range = Self.find(word, in: self.text, rest) {
        let lower = self.text.distance(from: self.text.startIndex, to: range.lowerBound)
        let upper = self.text.distance(from: self.text.startIndex, to: range.upperBound)
        if lower < upper { matches.append(lower..<upper) }
        rest = range.upperBound..<self.text.endIndex
      }
    }
    matches = Self.merged(matches)
  }

  /// Without the rest of a word at the beginning.
  private static func fromWord(_ piece: Substring) -> Substring {
    guard let space = piece.prefix(lead / 2).firstIndex(where: \.isWhitespace) else { return piece }
    return piece[piece.index(after: space)...]
  }

  /// Finds words that begin where a word does, any white space between them.
  static func find(
    _ words: String, in text: String, _ range: Range<String.Index>? = nil
  ) -> Range<String.Index>? {
    var rest = range ?? text.startIndex..<text.endIndex
    while let found = text.range(of: words, options: folding, range: rest) {
      let isUnspaced = words.unicodeScalars.first.map(SearchText.isUnspaced) ?? false
      let isStart =
        found.lowerBound == text.startIndex
        || !(text[text.index(before: found.lowerBound)].isLetter
          || text[text.index(before: found.lowerBound)].isNumber)
      if isUnspaced || isStart { return found }
      rest = found.upperBound..<rest.upperBound
    }
    return nil
  }

  private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound <= last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
