import Dates

/// A line below a text in which a program for blogs states when, by whom and in which category the
/// text was posted, such as "This entry was posted on May 4, 2026 by Jane Doe in Ports."
package struct PostNotice {
  private let line: String
  /// The word before the name of the author.
  private let by: String
  /// Whether the line begins with words that are common only in such lines.
  package let isUnambiguous: Bool

  /// Creates the notice; returns nil for a line that does not begin like one.
  package init?(_ line: String) {
    let key = PageTitle.comparisonKey(line.prefix(Self.maxPhraseLength))
    func by(_ notices: [(beginning: String, by: String)]) -> String? {
      notices.first { key.hasPrefix($0.beginning + " ") }?.by
    }
    let unambiguous = by(MetadataVocabulary.unambiguousPostNotices)
    guard let word = unambiguous ?? by(MetadataVocabulary.postNotices) else { return nil }
    (self.line, self.by, isUnambiguous) = (line, word, unambiguous != nil)
  }

  private static let maxPhraseLength = 60

  /// The name of at least two words after a word such as "by"; nil if there is none.
  package var name: String? {
    let words = line.split(separator: " ")
    return words.indices.lazy.compactMap { index in
      words[index] == by ? Self.name(at: words[(index + 1)...]) : nil
    }.first
  }

  private static func name(at words: ArraySlice<Substring>) -> String? {
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
    // What contains a comma is rather a list of categories, as in "Death by Chocolate, Cakes".
    guard name.count > 1, !name.dropLast().contains(where: { $0.last == "," }) else { return nil }
    return BylineText.names(in: name.joined(separator: " "))
  }

  private static let maxNameWords = 5

  /// Returns the only date in the line; nil if there is none, or several.
  func date(order: WrittenDate.DayMonthOrder) -> WrittenDate? {
    let dates = DateScanner(DateToken.tokens(of: line), order: order).dates
    return dates.count == 1 && dates[0].date.year > 1990 ? dates[0].date : nil
  }
}
