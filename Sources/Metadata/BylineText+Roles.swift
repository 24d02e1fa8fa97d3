import Dates

/// Bylines in metadata, and roles of authors.
extension BylineText {
  /// Returns the names in a value of metadata that is a byline, such as `Posted by Jane Doe on May
  /// 4, 2026`; other values as they are, because a single word such as "Von" may be a part of a
  /// name.
  static func names(inDeclared value: String) -> String {
    let rest = removingIntroduction(Substring(value))
    let introduction = value.dropLast(rest.count)
    let isIntroduced =
      introduction.contains(":") || introduction.split(separator: " ").count > 1
      || introduction.lowercased() == "by "
    let hasDate =
      value.contains(where: \.isDigit)
      && !DateScanner(DateToken.tokens(of: value), order: .monthFirst).dates.isEmpty
    guard isIntroduced || hasDate else { return value }
    return names(in: value) ?? (hasDate ? "" : String(rest))
  }

  /// Returns names without a role before them, such as "Staff Writer" or "our correspondent", and
  /// without one of several words after them: a single word may be the end of a longer role. At
  /// least two words remain.
  static func withoutRoles(_ names: String) -> String {
    let words = names.split(separator: " ")
    func isRole(_ word: Substring) -> Bool {
      MetadataVocabulary.roleModifiers.contains(word.lowercased())
        || namesOnlyRoles(String(word))
    }
    var rest = words[...]
    let before = words.prefix(while: isRole)
    if namesOnlyRoles(before.joined(separator: " ")) { rest = rest.dropFirst(before.count) }
    let after = rest.suffix(rest.reversed().prefix(while: isRole).count)
    let isNamed = rest.dropLast(after.count).last.map {
      !MetadataVocabulary.nameConnectives.contains($0.lowercased())
    }
    if after.count > 1, isNamed == true, after.contains(where: { isProfession($0) }) {
      rest = rest.dropLast(after.count)
    }
    guard rest.count > 1, rest.count < words.count, rest.first.map(startsLikeName) == true else {
      return names
    }
    return rest.joined(separator: " ")
  }

  /// Whether a text names only roles, such as "Staff Writer" and "Our correspondent".
  static func namesOnlyRoles(_ text: String) -> Bool {
    let words = text.lowercased().split { !$0.isLetter }.map(String.init)
    return words.contains { MetadataVocabulary.roleTerms.contains($0) || isProfession($0[...]) }
      && words.allSatisfy {
        MetadataVocabulary.roleTerms.contains($0) || MetadataVocabulary.roleModifiers.contains($0)
          || isProfession($0[...])
      }
  }
}
