import Foundation

/// A rule that applies to single items, with its compiled regular expression.
package struct FeedFilter {
  package let rule: FeedRule
  /// The compiled `FeedRule.pattern`; nil if there is none.
  private let expression: Regex<AnyRegexOutput>?

  package init(_ rule: FeedRule) {
    self.rule = rule
    expression = rule.pattern.flatMap { try? FeedRule.expression($0) }
  }

  /// Returns whether an item matches.
  /// - Parameter text: Returns the text of a part of the item.
  /// - Returns: True if a part contains one of the words or matches the regular expression.
  package func matches(_ text: (FeedRule.Field) -> String) -> Bool {
    (rule.fields.isEmpty ? FeedRule.Field.allCases : rule.fields).contains { field in
      let text = text(field)
      guard !text.isEmpty else { return false }
      return rule.terms.contains { Self.contains($0, in: text) }
        || expression.map { text.firstMatch(of: $0) != nil } ?? false
    }
  }

  /// Returns whether a text contains a whole word, ignoring case and diacritics.
  private static func contains(_ word: String, in text: String) -> Bool {
    var rest = text[...]
    while let found = rest.range(
      of: word, options: [.caseInsensitive, .diacriticInsensitive])
    {
      let before =
        found.lowerBound > text.startIndex ? text[text.index(before: found.lowerBound)] : " "
      let after = found.upperBound < text.endIndex ? text[found.upperBound] : " "
      if !isWord(before), !isWord(after) { return true }
      rest = rest[text.index(after: found.lowerBound)...]
    }
    return false
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber
  }
}
