import Dates

/// Bylines in metadata, and roles of authors.
extension BylineText {
  /// Returns the names in a value of metadata that is a byline, such as `Posted by Jane Doe on May 4,
  /// 2026`; other values as they are, because a single word such as "Von" may be a part of a name.
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
