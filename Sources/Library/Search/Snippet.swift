import Layout

/// A piece of a text around the words that were looked for.
struct Snippet: Equatable {
  /// On one line, with `…` where something was left out.
  var text = ""
  /// Where the words are in it, in characters.
  var matches: [Range<Int>] = []

  /// About how many characters it has before the first word, and in all.
  private static let lead = 60
  private static let length = 200

  /// Takes the piece where the words first come.
  /// - Parameters:
  ///   - text: the text of a page.
  ///   - query: what was looked for.
  init(of text: String, _ query: SearchQuery) {
    let words = query.terms.filter { !$0.isExcluded }.map {
      (text: FoldedText($0.text), isWhole: !$0.isPrefix)
    }
    let folded = FoldedText(text)
    let first = words.compactMap {
      folded.range(of: $0.text, isWhole: $0.isWhole)?.lowerBound
    }.min()
    let center = first.map { text.character(at: $0) } ?? text.startIndex
    let start =
      text.index(center, offsetBy: -Self.lead, limitedBy: text.startIndex) ?? text.startIndex
    let end = text.index(start, offsetBy: Self.length, limitedBy: text.endIndex) ?? text.endIndex
    var piece = text[start..<end]
    if start > text.startIndex { piece = Self.fromWord(piece) }
    let line = piece.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    self.text =
      (piece.startIndex > text.startIndex ? "…" : "") + line + (end < text.endIndex ? "…" : "")
    let foldedLine = FoldedText(self.text)
    for word in words {
      var rest = 0
      while let range = foldedLine.range(of: word.text, from: rest, isWhole: word.isWhole) {
        let characters = self.text.characters(in: range)
        if !characters.isEmpty { matches.append(characters) }
        rest = range.upperBound
      }
    }
    matches = Self.merged(matches)
  }

  /// Without the rest of a word at the beginning.
  private static func fromWord(_ piece: Substring) -> Substring {
    guard let space = piece.prefix(lead / 2).firstIndex(where: \.isWhitespace) else { return piece }
    return piece[piece.index(after: space)...]
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

extension String {
  /// The index of the character that has a byte.
  fileprivate func character(at offset: Int) -> String.Index {
    guard offset < utf8.count else { return endIndex }
    var place = utf8.index(startIndex, offsetBy: offset)
    while place > startIndex, Index(place, within: self) == nil {
      place = utf8.index(before: place)
    }
    return place
  }

  /// Which characters some bytes are of.
  fileprivate func characters(in bytes: Range<Int>) -> Range<Int> {
    let lower = distance(from: startIndex, to: character(at: bytes.lowerBound))
    return lower..<max(lower, distance(from: startIndex, to: character(at: bytes.upperBound)))
  }
}
