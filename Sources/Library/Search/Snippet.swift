import Document
import Layout

/// An excerpt of a text that contains the search terms.
struct Snippet: Equatable {
  /// The excerpt on one line, with `…` for omitted text.
  var text = ""
  /// The ranges of the terms in the excerpt, as character offsets.
  var matches: [Range<Int>] = []

  /// The approximate number of characters shown before the first term.
  private static let leadLength = 60
  /// The approximate number of characters shown on each side of a term that is far from the other
  /// terms.
  private static let shortLeadLength = 24
  /// The approximate total number of characters of an excerpt.
  private static let totalLength = 200

  /// Extracts the passage of a page where the search terms are nearest to each other.
  /// - Parameters:
  ///   - document: The page.
  ///   - query: The search query.
  init(of document: Document, _ query: SearchQuery) {
    self.init(of: SearchedText(document, hidesNoteNumbers: true), query)
  }

  /// Extracts the passage of a text where the search terms are nearest to each other.
  /// - Parameters:
  ///   - text: The text.
  ///   - query: The search query.
  init(of text: String, _ query: SearchQuery) {
    self.init(of: SearchedText(text), query)
  }

  private init(of page: SearchedText, _ query: SearchQuery) {
    let terms = query.terms.filter { !$0.isExcluded }.flatMap(\.choices).map {
      TextPassage.Term(text: FoldedText($0.text), isWhole: !$0.isPrefix)
    }
    let passage = TextPassage(of: terms, in: page)?.terms ?? []
    text = Self.excerpt(of: page.text, around: passage)
    let folded = FoldedText(text)
    for term in terms {
      var rest = 0
      while let range = folded.range(of: term.text, from: rest, matchesWholeWords: term.isWhole) {
        let characters = text.characters(in: range)
        if !characters.isEmpty { matches.append(characters) }
        rest = range.upperBound
      }
    }
    matches = Self.merged(matches)
  }

  /// Returns excerpts of a text that contain all given ranges, on one line.
  private static func excerpt(of text: String, around positions: [Range<Int>]) -> String {
    let pieces = pieces(of: text, around: positions)
    var result = ""
    for (index, piece) in pieces.enumerated() {
      var own = text[piece]
      if piece.lowerBound > text.startIndex {
        own = fromWord(own, at: index == 0 ? leadLength / 2 : shortLeadLength / 2)
        result += index > 0 ? " … " : own.startIndex > text.startIndex ? "…" : ""
      }
      result += own.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    return result + (pieces.last.map { $0.upperBound < text.endIndex } == true ? "…" : "")
  }

  private static func pieces(
    of text: String, around positions: [Range<Int>]
  ) -> [Range<String.Index>] {
    func moved(_ index: String.Index, by count: Int) -> String.Index {
      let limit = count < 0 ? text.startIndex : text.endIndex
      return text.index(index, offsetBy: count, limitedBy: limit) ?? limit
    }
    let firstMatchStart =
      positions.first.map { text.character(at: $0.lowerBound) } ?? text.startIndex
    let start = moved(firstMatchStart, by: -leadLength)
    let singlePiece = start..<moved(start, by: totalLength)
    let lastMatchEnd = positions.last.map { text.character(at: $0.upperBound) } ?? firstMatchStart
    guard lastMatchEnd > singlePiece.upperBound else { return [singlePiece] }
    var pieces: [Range<String.Index>] = []
    for position in positions {
      let matchPiece =
        moved(
          text.character(at: position.lowerBound),
          by: pieces.isEmpty ? -leadLength : -shortLeadLength)..<moved(
          text.character(at: position.upperBound), by: shortLeadLength)
      if let lastPiece = pieces.last, matchPiece.lowerBound <= lastPiece.upperBound {
        pieces[pieces.count - 1] =
          lastPiece.lowerBound..<max(lastPiece.upperBound, matchPiece.upperBound)
      } else {
        pieces.append(matchPiece)
      }
    }
    return pieces
  }

  /// Returns the text without the incomplete word at its beginning.
  private static func fromWord(_ piece: Substring, at limit: Int) -> Substring {
    guard let space = piece.prefix(limit).firstIndex(where: \.isWhitespace) else { return piece }
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
  /// Returns the index of the character that contains the byte at a UTF-8 offset.
  fileprivate func character(at offset: Int) -> String.Index {
    guard offset < utf8.count else { return endIndex }
    var position = utf8.index(startIndex, offsetBy: offset)
    while position > startIndex, Index(position, within: self) == nil {
      position = utf8.index(before: position)
    }
    return position
  }

  /// Returns the range of characters that contain a range of UTF-8 offsets.
  fileprivate func characters(in bytes: Range<Int>) -> Range<Int> {
    let lower = distance(from: startIndex, to: character(at: bytes.lowerBound))
    return lower..<max(lower, distance(from: startIndex, to: character(at: bytes.upperBound)))
  }
}
