/// Extracts the names from a byline such as `By Jane Doe, City Hall Reporter | Updated May 4`.
enum BylineText {
  /// The exclusive maximum length of the names, in characters.
  private static let maxNamesLength = 100

  /// Returns the names in a line that is known to be a byline.
  /// - Parameter line: The byline.
  /// - Returns: The line without introductory phrases and dates; nil if nothing is left, or too
  ///   much to be names.
  static func names(in line: String) -> String? {
    var parts: [String] = []
    for part in line.split(whereSeparator: isSeparator) {
      for piece in String(part).split(separator: " - ") {
        let kept = withoutAccount(withoutDate(removingIntroduction(trimmed(piece))))
        if kept.isEmpty {
          // A date, or the text after it, ends the names.
          guard parts.isEmpty else { return validatedNames(parts) }
          continue
        }
        parts.append(kept)
      }
      if !parts.isEmpty { break }
    }
    return validatedNames(parts)
  }

  /// Returns the names in an arbitrary line if it is a byline and nothing else: an introductory
  /// word such as "by", followed by capitalized names; nil otherwise.
  static func names(ifBylineIs line: String) -> String? {
    guard line.utf8.count <= 160 else { return nil }
    if let name = labelledName(in: line) { return name }
    let rest = removingIntroduction(Substring(line))
    guard rest.count < line.count, let names = names(in: line) else { return nil }
    let words = names.split { $0 == " " || $0 == "," }
    guard 1...12 ~= words.count, startsLikeName(words[0]) else { return nil }
    return words.allSatisfy {
      startsLikeName($0) || MetadataVocabulary.nameConnectives.contains($0.lowercased())
    } ? names : nil
  }

  /// Returns the name after a Chinese or Japanese label anywhere in a line, such as
  /// `来源：海港报 作者：王小明`; nil if there is none.
  private static func labelledName(in line: String) -> String? {
    // Fast path: only few lines have a label.
    guard !line.utf8.allSatisfy({ $0 < 0x80 }),
      let label = MetadataVocabulary.nameLabels.lazy.compactMap({ line.firstRange(of: $0) }).first
    else { return nil }
    let name = line[label.upperBound...].drop(while: \.isWhitespace).prefix {
      !$0.isWhitespace && !isSeparator($0)
    }
    let isName = name.allSatisfy { $0.isLetter && !$0.isASCII || "・·".contains($0) }
    return isName && 2...maxLabelledNameLength ~= name.count ? String(name) : nil
  }

  /// The maximum length of a name after a label, in characters.
  private static let maxLabelledNameLength = 12

  /// Whether a line consists of an introductory phrase of two words, such as "posted by", a name,
  /// and perhaps a date.
  static func isByline(_ line: String, of name: String) -> Bool {
    guard line.utf8.count <= 160, !name.isEmpty else { return false }
    let rest = removingIntroduction(Substring(line))
    return rest.hasPrefix(name) && line.dropLast(rest.count).split(separator: " ").count > 1
      && names(in: line) == name
  }

  /// Joins several names into one line.
  /// - Returns: The distinct names separated by commas, or by semicolons if one of them contains a
  ///   comma; nil for an empty list.
  static func joined(_ names: [String]) -> String? {
    var seen: Set<String> = []
    let names = names.map {
      $0.lowercased().hasPrefix("by ") ? String($0.dropFirst(3)) : $0
    }.filter { !$0.isEmpty && seen.insert($0).inserted }
    if names.isEmpty { return nil }
    let hasComma = names.count > 1 && names.contains { $0.contains(",") }
    return names.joined(separator: hasComma ? "; " : ", ")
  }

  private static func validatedNames(_ parts: [String]) -> String? {
    let names = parts.joined(separator: " - ")
    let isOne = 1..<maxNamesLength ~= names.count && names.contains(where: \.isLetter)
    let isIntroduction = MetadataVocabulary.namePrefixes.contains(names.lowercased())
    return isOne && !isLabel(names) && !isIntroduction ? names : nil
  }

  /// Whether a text is a label of other information, such as "Reading time".
  static func isLabel(_ text: String) -> Bool {
    MetadataVocabulary.bylinePhrasesWithoutName.contains(text.lowercased())
  }

  private static func isSeparator(_ character: Character) -> Bool {
    switch character {
    case "|", "｜", "•", "·", "–", "—", "/", "»": true
    default: false
    }
  }

  private static func startsLikeName(_ word: Substring) -> Bool {
    guard let first = word.first else { return false }
    return first.isUppercase || first.isLetter && !first.isLowercase
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    let markers: Set<Character> = [",", ":", ";", "("]
    while let last = text.last, last.isWhitespace || markers.contains(last) { text.removeLast() }
    return text.drop { $0.isWhitespace || markers.contains($0) }
  }

  private static func removingIntroduction(_ text: Substring) -> Substring {
    let lower = text.prefix(24).lowercased()
    for lead in MetadataVocabulary.namePrefixes where lower.hasPrefix(lead) {
      let rest = text.dropFirst(lead.count)
      let endsItself = lead.last.map { !$0.isLetter } ?? false
      guard endsItself || rest.first == ":" || rest.first?.isWhitespace == true else { continue }
      let names = trimmed(rest)
      // "Da" and "Von" may also be part of a name.
      let isOneWord = !lead.contains(" ")
      if lead != "by", isOneWord, !endsItself, !names.contains(where: \.isWhitespace) { continue }
      return names
    }
    return text
  }

  /// Returns a name without the accounts after it, such as `@jdoe`; an account alone is kept.
  private static func withoutAccount(_ text: String) -> String {
    guard text.contains("@") else { return text }
    let names = text.split(separator: " ").filter { !$0.hasPrefix("@") || $0 == "@" }
    return names.isEmpty ? text : names.joined(separator: " ")
  }

  /// Returns the text without a date at the end and without the words between the names and the
  /// date.
  private static func withoutDate(_ text: Substring) -> String {
    guard let digit = text.firstIndex(where: \.isNumber) else { return String(text) }
    var words = text[..<digit].split(separator: " ")
    // A word that contains a digit is not a name, unless a date follows the name without a space.
    if digit > text.startIndex, text[text.index(before: digit)] != " ",
      let last = words.last, last.count < 3 || !last.allSatisfy(\.isLetter)
    {
      words.removeLast()
    }
    var wasMonth = false
    while let last = words.last {
      let word = last.lowercased().trimmingCharacters(",.:(")
      let isMonth = !wasMonth && MetadataVocabulary.monthTerms.contains(word)
      guard word.isEmpty || isMonth || announcesDate(word) else { break }
      wasMonth = wasMonth || isMonth
      words.removeLast()
    }
    return String(trimmed(Substring(words.joined(separator: " "))))
  }

  private static func announcesDate(_ word: String) -> Bool {
    MetadataVocabulary.dateIntroductions.contains(word)
      || MetadataVocabulary.publicationTerms.contains(word)
      || MetadataVocabulary.changeTerms.contains(word)
  }
}

extension String {
  fileprivate func trimmingCharacters(_ markers: String) -> String {
    String(drop { markers.contains($0) }.reversed().drop { markers.contains($0) }.reversed())
  }
}
