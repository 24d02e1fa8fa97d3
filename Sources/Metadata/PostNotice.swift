import Dates

/// A line below a text in which a program for blogs states when, by whom and in which category the
/// text was posted, such as "This entry was posted on May 4, 2026 by Jane Doe in Ports." and
/// "Posted by Jane Doe at 10:15 AM".
package struct PostNotice {
  private let words: [Word]
  /// The word before the name of the author.
  private let by: String
  /// Whether the line begins with words that are common only in such lines.
  private let beginsUnambiguously: Bool
  /// Whether the line states who posted the text, and a date or time.
  private let isBylineWithTime: Bool

  private struct Word {
    let text: Substring
    let isLinked: Bool
  }

  /// Creates the notice of the parts of a line, which are links or the text between links; returns
  /// nil for a line that does not begin like one.
  package init?(_ parts: [(text: String, isLinked: Bool)]) {
    words = parts.flatMap { part in
      part.text.split(whereSeparator: \.isWhitespace).map {
        Word(text: $0, isLinked: part.isLinked)
      }
    }
    let key = PageTitle.comparisonKey(
      words.prefix(Self.maxPhraseWords).map(\.text).joined(separator: " "))
    func by(_ notices: [(beginning: String, by: String)]) -> String? {
      notices.first { key.hasPrefix($0.beginning + " ") }?.by
    }
    let unambiguous = by(MetadataVocabulary.unambiguousPostNotices)
    let byline = Self.isShortWithTime(words) ? by(MetadataVocabulary.postBylines) : nil
    guard let word = unambiguous ?? byline ?? by(MetadataVocabulary.postNotices) else { return nil }
    (self.by, beginsUnambiguously) = (word, unambiguous != nil)
    isBylineWithTime = byline != nil
  }

  private static let maxPhraseWords = 8

  /// Whether a line has a date or a time of day after a few words, and few others. A sentence ends
  /// with a full stop.
  private static func isShortWithTime(_ words: [Word]) -> Bool {
    guard words.count <= maxBylineWords, words.last?.text.last != ".",
      words.prefix(maxWordsBeforeTime).contains(where: { $0.text.contains(where: \.isNumber) })
    else { return false }
    let tokens = DateToken.tokens(of: words.map(\.text).joined(separator: " "))
    return !DateScanner(tokens, order: .monthFirst).dates.isEmpty
      || tokens.indices.dropFirst().dropLast().contains {
        tokens[$0].word == ":" && 1...2 ~= tokens[$0 - 1].digitCount
          && tokens[$0 + 1].digitCount == 2
      }
  }

  private static let maxBylineWords = 30, maxWordsBeforeTime = 9

  /// Whether the line is certainly such a notice: a byline with a time, or a line that has a date
  /// and begins with words that are common only in such lines.
  package var isUnambiguous: Bool {
    isBylineWithTime || beginsUnambiguously && !dates(order: .monthFirst).isEmpty
  }

  /// The name of at least two words after a word such as "by"; nil if there is none. That word is
  /// not in a link, such as one to a category "Books by Jane Austen".
  package var name: String? {
    words.indices.lazy.compactMap { index in
      !words[index].isLinked && words[index].text == by
        ? Self.name(at: words[(index + 1)...].map(\.text)) : nil
    }.first
  }

  private static func name(at words: [Substring]) -> String? {
    var name: [Substring] = []
    for word in words.prefix(maxNameWords) {
      let isConnective = MetadataVocabulary.nameConnectives.contains(word.lowercased())
      guard BylineText.startsLikeName(word) || isConnective && !name.isEmpty else { break }
      name.append(word)
      if word.count > 2, ".,;|".contains(word.last ?? " ") { break }
    }
    while let last = name.last, MetadataVocabulary.nameConnectives.contains(last.lowercased()) {
      name.removeLast()
    }
    return name.count > 1 ? BylineText.names(in: name.joined(separator: " ")) : nil
  }

  private static let maxNameWords = 5

  /// Returns the only date in the line; nil if there is none, or several.
  func date(order: WrittenDate.DayMonthOrder) -> WrittenDate? {
    let dates = dates(order: order)
    return dates.count == 1 && dates[0].date.year > 1990 ? dates[0].date : nil
  }

  /// Returns the dates in the line. A link, which may lead to a category, counts only after a word
  /// such as "on".
  private func dates(order: WrittenDate.DayMonthOrder) -> [WrittenDate.FoundDate] {
    var text = ""
    var isCounted = true
    var previous: Word?
    for word in words {
      if word.isLinked, previous?.isLinked != true {
        let introduction = previous?.text.lowercased() ?? ""
        isCounted = MetadataVocabulary.dateIntroductions.contains(introduction)
      }
      if !word.isLinked || isCounted { text += word.text + " " }
      previous = word
    }
    return DateScanner(DateToken.tokens(of: text), order: order).dates
  }
}
