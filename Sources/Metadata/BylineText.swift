/// Extracts the names from a byline such as `By Jane Doe, City Hall Reporter | Updated May 4`.
enum BylineText {
  /// The exclusive maximum length of the names, in characters.
  private static let maxNamesLength = 100

  /// Returns a line that is known to be a byline without introductory phrases and dates; nil if
  /// nothing is left, or too much to be names.
  static func names(in line: String) -> String? {
    if let name = openingName(in: line) ?? reporterName(in: line) { return name }
    var parts: [String] = []
    var isAfterIntroduction = false
    for part in partsOutsideParentheses(of: line) {
      for piece in String(part).split(separator: " - ") where !namesOtherRole(piece) {
        // A single word after names is a place.
        if isAfterIntroduction, !parts.isEmpty, !trimmed(piece).contains(" ") { continue }
        let labeled = removingIntroduction(withoutAuthorLabel(trimmed(piece)))
        let names = withoutNote(withoutAccount(withoutDate(withoutOtherRole(labeled))))
        // After a label with a colon, a given name may follow a comma: "Author: Doe Roe, Jane".
        let introduction = trimmed(piece).dropLast(labeled.count)
        let isIntroduced = !introduction.isEmpty && !introduction.contains(":")
        isAfterIntroduction = isAfterIntroduction || !introduction.isEmpty
        let kept = withoutRoles(withoutProfession(isIntroduced ? withoutPlaces(names) : names))
        let isAuthorLabel = MetadataVocabulary.authorLabels.contains(kept.lowercased())
        if parts.isEmpty, isAuthorLabel || namesOnlyRoles(kept) { continue }
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

  /// Returns the parts of a line between separators. The slash in "Jane Doe (she/her)" is not one.
  private static func partsOutsideParentheses(of line: String) -> [Substring] {
    var isInParentheses = false
    return line.split { character in
      if character == "(" || character == ")" { isInParentheses = character == "(" }
      return !isInParentheses && isSeparator(character)
    }
  }

  /// Returns the text after a label such as `Auteur :` or `Автор`; all of it if there is none.
  private static func withoutAuthorLabel(_ text: Substring) -> Substring {
    func isMarker(_ character: Character) -> Bool { ":：=".contains(character) }
    let label = text.prefix { !$0.isWhitespace && !isMarker($0) }
    guard MetadataVocabulary.authorLabels.contains(label.lowercased()) else { return text }
    let rest = text.dropFirst(label.count).drop(while: \.isWhitespace)
    let names = trimmed(rest.drop { $0.isWhitespace || isMarker($0) })
    // A colon after the next word belongs to a longer label.
    let isLongerLabel = names.prefix { !$0.isWhitespace }.contains(where: isMarker)
    // Without a sign, the label may be a part of a name, as in "Authors Guild".
    let isPartOfName =
      !names.contains(" ") && label.utf8.allSatisfy { $0 < 0x80 }
      && !rest.prefix(1).contains(where: isMarker)
    return names.isEmpty || isLongerLabel || isPartOfName ? text : names
  }

  /// Returns the names in a byline, or the name with which a sentence of a biography begins, as in
  /// `Jane Doe is a writer who lives in Rome.`; nil if there are none.
  static func names(inBylineOrBiography line: String) -> String? {
    let rest = removingIntroduction(Substring(line))
    let words = rest.split(separator: " ")
    let otherWordCount = words.count { $0.first?.isLowercase == true && !isPartOfName($0) }
    guard line.last == ".", otherWordCount >= minSentenceWordCount,
      !line.contains(where: isSeparator)
    else { return names(in: line) }
    var name = words.prefix { isPartOfName($0) }
    while let last = name.last, !startsLikeName(last) { name.removeLast() }
    guard name.count > 1 else { return nil }
    return names(in: name.joined(separator: " "))
  }

  /// The minimum number of words other than names that make up a sentence.
  private static let minSentenceWordCount = 3

  /// Returns the names in an arbitrary line if it is a byline and nothing else: an introductory
  /// word such as "by", followed by capitalized names; nil otherwise.
  static func names(ifBylineIs line: String) -> String? {
    guard line.utf8.count <= 160 else { return nil }
    if let name = openingName(in: line) ?? labeledName(in: line) ?? reporterName(in: line) {
      return name
    }
    let rest = removingIntroduction(Substring(line), isMarkedUp: false)
    guard rest.count < line.count, let names = names(in: line) else { return nil }
    let words = names.split { $0 == " " || $0 == "," }
    guard 1...12 ~= words.count, startsLikeName(words[0]) else { return nil }
    // Without upper and lower case, only the length distinguishes names from a sentence.
    if names.lowercased() == names.uppercased(), words.count > maxNameWords { return nil }
    return words.allSatisfy {
      isPartOfName($0) || MetadataVocabulary.agencyNames.contains(String($0))
    } ? names : nil
  }

  /// Returns the names after a date and a word such as "by" in a line with a date, as in
  /// `Posted on March 5, 2024 by Jane Doe in Ports`.
  /// - Parameters:
  ///   - line: The line.
  ///   - allowsOtherWords: Whether words about another task than writing and publishing may precede
  ///     the names, as in `March 5, 2024: restored by Jane Doe`.
  /// - Returns: The names; nil if there are none, or if they are those of a person with another
  ///   task, as in `March 5, 2024 | Photo by Jane Doe`.
  static func names(afterDateIn line: String, allowsOtherWords: Bool = true) -> String? {
    let words = line.split(separator: " ")
    guard let digit = words.firstIndex(where: { $0.contains(where: \.isDigit) }),
      let by = words[digit...].firstIndex(where: {
        let word = $0.lowercased()
        return MetadataVocabulary.namePrefixes.contains(word)
          || MetadataVocabulary.namePrefixes.contains(word.trimmingCharacters(":"))
      }),
      !words[digit..<by].indices.contains(where: {
        namesOtherRole(words[$0...by].joined(separator: " ")[...])
      }),
      allowsOtherWords || words[..<by].allSatisfy({ announcesText($0) })
    else { return nil }
    var names: [Substring] = []
    for word in words[(by + 1)...] {
      let isConnective = MetadataVocabulary.nameConnectives.contains(word.lowercased())
      guard startsLikeName(word) || isConnective && !names.isEmpty else { break }
      names.append(word)
    }
    while let last = names.last, MetadataVocabulary.nameConnectives.contains(last.lowercased()) {
      names.removeLast()
    }
    guard 1...maxWordsAfterDate ~= names.count else { return nil }
    return self.names(in: names.joined(separator: " "))
  }

  private static let maxWordsAfterDate = 9

  /// Whether a word is part of a date, or one such as "written", "published" or "updated".
  static func announcesText(_ word: Substring) -> Bool {
    let word = word.lowercased().trimmingCharacters(",.:()|•·–—-")
    return word.isEmpty || word.contains(where: \.isDigit) || announcesDate(word)
      || MetadataVocabulary.monthTerms.contains(word)
      || MetadataVocabulary.authorshipTerms.contains(word)
      || MetadataVocabulary.pageTerms.contains(word)
      || MetadataVocabulary.initialPublicationTerms.contains(word)
  }

  /// Whether a line begins with words before the name of a publisher, such as "Published by".
  static func beginsLikePublisher(_ line: String) -> Bool {
    let lower = line.prefix(24).lowercased()
    return MetadataVocabulary.publisherPrefixes.contains { lower.hasPrefix($0 + " ") }
  }

  /// Whether a line may be below a byline in the same paragraph, unlike a line of verse: it has a
  /// number or a profession, or names a person with another task.
  static func mayFollowByline(_ line: String) -> Bool {
    line.contains(where: \.isDigit) || namesOtherRole(line[...])
      || line.split { !$0.isLetter }.contains { isProfession($0) }
  }

  /// Returns the text of a link to the page of an author if it is a name and not part of a
  /// sentence; nil otherwise.
  static func name(_ name: String, linkedIn line: String) -> String? {
    let words = name.split(separator: " ")
    guard 1...maxNameWords ~= words.count, words.allSatisfy({ isPartOfName($0) }),
      !isLabel(name), !namesOtherRole(line[...]), let last = line.last, !".!?:…".contains(last),
      line == name || line.contains(where: \.isDigit)
    else { return nil }
    return names(in: name)
  }

  /// Returns the name of a further author in a line below the first one: a line that is marked up
  /// like it or begins with a word such as "and", and is a name; nil otherwise.
  static func furtherName(in line: String, isMarkedUpAlike: Bool) -> String? {
    var words = line.split(separator: " ")
    let isConnected = words.first.map { conjunctions.contains($0.lowercased()) } ?? false
    if isConnected { words.removeFirst() }
    guard isConnected || isMarkedUpAlike, 2...maxNameWords ~= words.count,
      words.allSatisfy({ isPartOfName($0) && !isProfession($0) })
    else { return nil }
    return names(in: words.joined(separator: " "))
  }

  private static let conjunctions: Set<String> = ["and", "&", "und", "et", "y", "e", "en"]
  private static let maxNameWords = 5

  /// Whether a word may be part of a name: it is capitalized, or a word such as "van".
  static func isPartOfName(_ word: Substring) -> Bool {
    startsLikeName(word) || MetadataVocabulary.nameConnectives.contains(word.lowercased())
  }

  /// Returns the name after a Chinese or Japanese label anywhere in a line, such as
  /// `来源：海港报 作者：王小明`; nil if there is none.
  private static func labeledName(in line: String) -> String? {
    // Fast path: only few lines have a label.
    guard !line.utf8.allSatisfy({ $0 < 0x80 }),
      let label = MetadataVocabulary.nameLabels.lazy.compactMap({ line.firstRange(of: $0) }).first
    else { return nil }
    return ideographicName(in: line[label.upperBound...])
  }

  /// Returns the name after a Chinese or Japanese label at the start of a line, such as
  /// `文/王小明 编辑/李四` or `取材・文＝山田 花子`; nil if there is none. A label consists of tasks with a
  /// dot after each, the last one also with another sign or a space.
  private static func openingName(in line: String) -> String? {
    // Fast path: only few lines begin with a label.
    guard let first = line.first, !first.isASCII else { return nil }
    var (rest, tasks, sign) = (line[...], [String](), Character("・"))
    while sign == "・",
      let task = MetadataVocabulary.bylineTasks.first(where: { rest.hasPrefix($0) })
    {
      let spaced = rest.dropFirst(task.count)
      let next = spaced.drop(while: \.isWhitespace)
      let hasSign = next.first.map { "・/／|｜＝=：:".contains($0) } ?? false
      guard hasSign || spaced.first?.isWhitespace == true else { break }
      tasks.append(task)
      (sign, rest) = hasSign ? (next[next.startIndex], next.dropFirst()) : (" ", next)
    }
    let isLabel = tasks.count > 1 || tasks.first == "文" && !sign.isWhitespace
    guard isLabel, tasks.contains(where: { MetadataVocabulary.writingTasks.contains($0) }) else {
      return nil
    }
    return ideographicName(in: rest)
  }

  /// Returns the Chinese or Japanese name that a text begins with; nil if there is none. A space
  /// may separate a short family name from the given name.
  private static func ideographicName(in text: Substring) -> String? {
    let words = text.split(maxSplits: 2, whereSeparator: \.isWhitespace)
    guard let word = words.first else { return nil }
    let name = word.prefix { !isSeparator($0) && $0 != "／" }
    guard isIdeographicName(name) else { return nil }
    let hasGivenName =
      words.count == 2 && name == word && name.count <= maxFamilyNameLength
      && words[1].count <= maxFamilyNameLength && isIdeographicName(words[1])
    return hasGivenName ? "\(name) \(words[1])" : String(name)
  }

  private static func isIdeographicName(_ name: Substring) -> Bool {
    2...maxLabeledNameLength ~= name.count
      && name.allSatisfy { $0.isLetter && !$0.isASCII || "・·".contains($0) }
  }

  /// The maximum length of a name after a label, in characters.
  private static let maxLabeledNameLength = 12
  /// The maximum length of a family or given name that a space separates, in characters.
  private static let maxFamilyNameLength = 2

  /// Returns the name of a reporter in a Chinese or Korean line; nil if there is none.
  private static func reporterName(in line: String) -> String? {
    chineseReporterName(in: line) ?? koreanReporterName(in: line)
  }

  /// Returns the name after the Chinese word for "reporter", in a word of its own, such as
  /// `本报记者 王小明`, or before a slash, such as `記者王小明／台北報導`; nil if there is none.
  private static func chineseReporterName(in line: String) -> String? {
    for term in MetadataVocabulary.chineseReporterTerms where line.contains(term) {
      let words = line.split(whereSeparator: \.isWhitespace)
      for (index, word) in words.enumerated() {
        let label = word.drop { !$0.isLetter }
        if label == term || label.first == "本" && label.hasSuffix(term), index + 1 < words.count {
          let name = words[index + 1].prefix(while: \.isLetter)
          if 2...4 ~= name.count, name.allSatisfy({ isHan($0) }) { return String(name) }
        } else if word.hasPrefix(term), let slash = word.firstIndex(where: { "/／".contains($0) }) {
          // `記者会見／` is a press conference.
          let name = word[..<slash].dropFirst(term.count)
          if name.count == 3, name.allSatisfy({ isHan($0) }) { return String(name) }
        }
      }
    }
    return nil
  }

  /// Whether a character is one of the unified Chinese ideographs, in which Chinese names are
  /// written.
  private static func isHan(_ character: Character) -> Bool {
    character.unicodeScalars.first.map { (0x4E00...0x9FFF).contains($0.value) } ?? false
  }

  /// Returns the names before the Korean word for "reporter", such as `홍길동 기자`, if a line ends
  /// there, or an e-mail address, a date or the label of one follows; nil if there are none.
  private static func koreanReporterName(in line: String) -> String? {
    guard line.utf8.count <= 160,
      let term = MetadataVocabulary.koreanReporterTerms.first(where: { line.contains($0) })
    else { return nil }
    let words = line.split(whereSeparator: \.isWhitespace).map {
      String($0).trimmingCharacters("[](){}<>=,")
    }
    guard
      let index = words.firstIndex(where: {
        $0 == term || $0.hasPrefix(term) && announcesDate(String($0.dropFirst(term.count)))
      }), index > 0
    else { return nil }
    if words[index] == term, index + 1 < words.count {
      let next = words[index + 1]
      let endsNames =
        next.contains("@") || next.contains(where: \.isDigit) || announcesDate(next)
        || !(next.first?.isLetter ?? false)
      guard endsNames else { return nil }
    }
    let names = words[index - 1]
    let areNames = names.split(separator: "·").allSatisfy {
      2...4 ~= $0.count && $0.allSatisfy { $0.isLetter && !$0.isASCII }
    }
    return areNames && !names.isEmpty ? names : nil
  }

  /// Whether a line consists of an introductory phrase of two words, such as "posted by", a name,
  /// and perhaps a date.
  static func isByline(_ line: String, of name: String) -> Bool {
    guard line.utf8.count <= 160, !name.isEmpty else { return false }
    let rest = removingIntroduction(Substring(line))
    return rest.hasPrefix(name) && line.dropLast(rest.count).split(separator: " ").count > 1
      && names(in: line) == name
  }

  /// Whether a line consists of an introductory word such as "by", the given names, and a
  /// profession after a comma. Sentences about a person, and lines that also name a person with
  /// another task, contain more than that.
  static func addsProfession(_ line: String, to names: String) -> Bool {
    let rest = String(removingIntroduction(Substring(line)))
    return rest.count < line.count && rest != names && withoutProfession(rest) == names
      && !rest.contains(" - ") && !rest.contains(where: isSeparator)
      && !".!?".contains(rest.last ?? " ")
      && !rest.split(separator: ",").contains { namesOtherRole($0) }
  }

  /// Joins several names into one line.
  /// - Returns: The distinct names separated by commas, or by semicolons if one of them contains a
  ///   comma; nil for an empty list.
  static func joined(_ names: [String]) -> String? {
    var seen: Set<String> = []
    let names = names.map {
      let name = Self.names(inDeclared: withoutMailAddress($0))
      // After a second comma, another author may follow. "Doe, Jane (Editor)" is one name.
      let parts = name.split(separator: ",")
      let mayHaveProfession = parts.count == 2 && parts[0].contains(" ") && !parts[1].contains("(")
      return mayHaveProfession ? withoutProfession(name) : name
    }.filter { !$0.isEmpty && seen.insert($0).inserted }
    if names.isEmpty { return nil }
    let hasComma = names.count > 1 && names.contains { $0.contains(",") }
    return names.joined(separator: hasComma ? "; " : ", ")
  }

  private static func validatedNames(_ parts: [String]) -> String? {
    let names = withoutFullStop(parts.joined(separator: " - "))
    let isOne = 1..<maxNamesLength ~= names.count && names.contains(where: \.isLetter)
    let isIntroduction = MetadataVocabulary.namePrefixes.contains(names.lowercased())
    return isOne && !isLabel(names) && !isIntroduction ? names : nil
  }

  /// Returns names without a full stop at their end, unless it ends an initial or an abbreviation
  /// such as "Jr." and "Ph.D.".
  private static func withoutFullStop(_ names: String) -> String {
    guard names.last == ".", let word = names.dropLast().split(separator: " ").last,
      word.count > 2, word.allSatisfy(\.isLetter), word.last?.isLowercase == true,
      !MetadataVocabulary.nameAbbreviations.contains(word.lowercased())
    else { return names }
    return String(names.dropLast())
  }

  /// Whether a text is a label of other information, such as "Reading time", names a role, or is a
  /// placeholder that a template left.
  static func isLabel(_ text: String) -> Bool {
    MetadataVocabulary.bylinePhrasesWithoutName.contains(text.lowercased())
      || namesOnlyRoles(text) || ["{{", "{%", "${", "[object "].contains { text.contains($0) }
  }

  /// Whether a text names a person with another task, such as "Edited by Jane Doe".
  private static func namesOtherRole(_ text: Substring) -> Bool {
    let lower = text.prefix(32).lowercased().drop { !$0.isLetter }
    return MetadataVocabulary.otherRolePhrases.contains { lower.hasPrefix($0) }
  }

  /// Returns the text before a phrase that names a person with another task: "Jane Doe" of "Jane
  /// Doe, with photographs by John Roe".
  private static func withoutOtherRole(_ text: Substring) -> Substring {
    guard text.utf8.count <= 160 else { return text }
    for index in text.indices.dropFirst()
    where text[index] == " " && namesOtherRole(text[index...]) {
      var words = text[..<index].split(separator: " ")
      while let last = words.last, MetadataVocabulary.nameConnectives.contains(last.lowercased()) {
        words.removeLast()
      }
      return trimmed(text[..<(words.last?.endIndex ?? index)])
    }
    return text
  }

  /// Returns the names before a note in parentheses, such as the name of an agency.
  private static func withoutNote(_ text: String) -> String {
    guard text.last == ")", let open = text.lastIndex(of: "("),
      case let names = trimmed(text[..<open]), names.contains(" ")
    else { return text }
    return String(names)
  }

  /// Returns the names without the places and agencies after them: "Jane Doe and John Roe" of "Jane
  /// Doe in London and John Roe, Associated Press".
  private static func withoutPlaces(_ text: String) -> String {
    var kept: [String] = []
    var isInPlace = false
    for word in text.split(separator: " ") {
      if conjunctions.contains(word.lowercased()) {
        isInPlace = false
      } else if MetadataVocabulary.placePrepositions.contains(word.lowercased()), kept.count > 1 {
        isInPlace = true
        continue
      }
      guard isInPlace else {
        kept.append(String(word))
        continue
      }
      // Any other word belongs to a sentence.
      guard startsLikeName(word) else { return text }
      if word.last == "," {
        isInPlace = false
        kept[kept.count - 1] += ","
      }
    }
    let parts = trimmed(kept.joined(separator: " ")[...]).split(separator: ",")
    guard parts.count > 1, let last = parts.last.map({ trimmed($0) }),
      parts[0].contains(" "),
      !last.contains(" ") && isPlaceOrAgency(last)
        || startsLikeName(last) && hasConjunction(parts[0])
    else { return parts.joined(separator: ",") }
    return parts.dropLast().joined(separator: ",")
  }

  /// Removes the introductory word and the places from a line that begins with such a word, the
  /// given names and their places; other lines are returned as they are.
  static func withoutPlaces(in line: String, of names: String) -> String {
    let end = line.firstIndex(where: isSeparator) ?? line.endIndex
    let first = trimmed(line[..<end])
    let rest = removingIntroduction(first)
    guard rest.count < first.count, rest != names, withoutPlaces(String(rest)) == names else {
      return line
    }
    return names + " " + line[end...]
  }

  private static func hasConjunction(_ names: Substring) -> Bool {
    names.split(separator: " ").contains { conjunctions.contains($0.lowercased()) }
  }

  /// Whether a single word after a name and a comma is the name of a place or agency and not an
  /// academic degree or a generation, such as "MD", "PsyD" or "Jr.".
  private static func isPlaceOrAgency(_ word: Substring) -> Bool {
    let isMixedCase =
      word.dropFirst().contains(where: \.isUppercase) && word.contains(where: \.isLowercase)
    return word.allSatisfy(\.isLetter) && !isMixedCase
      && (word.count > 3 || word.allSatisfy(\.isLowercase))
  }

  /// Returns the names before a comma and a profession: "Jane Doe" of "Jane Doe, Senior Reporter".
  /// Further names may follow: "Jane Doe, Reporter, and John Roe, Editor".
  private static func withoutProfession(_ text: String) -> String {
    func namesProfession(_ part: Substring) -> Bool {
      part.split { !$0.isLetter }.contains { isProfession($0) }
    }
    let parts = text.split(separator: ",")
    guard parts.count > 1, let end = parts.dropFirst().firstIndex(where: namesProfession) else {
      return text
    }
    var names = parts[..<end].joined(separator: ",")
    for (index, part) in parts.enumerated().dropFirst(end) {
      let words = part.split(separator: " ")
      guard let start = words.firstIndex(where: { conjunctions.contains($0.lowercased()) }),
        start == 0 || index + 1 < parts.count && namesProfession(parts[index + 1]),
        case let name = words[(start + 1)...], 2...maxNameWords ~= name.count,
        name.allSatisfy({ isPartOfName($0) && !isProfession($0) })
      else { continue }
      names += " " + words[start...].joined(separator: " ")
    }
    return names
  }

  static func isProfession(_ word: Substring) -> Bool {
    MetadataVocabulary.professions.contains(word.lowercased())
  }

  private static func isSeparator(_ character: Character) -> Bool {
    switch character {
    case "|", "｜", "•", "·", "–", "—", "/", "»": true
    default: false
    }
  }

  /// Whether a word begins with a capital letter, perhaps after an article as in `d'Arc` and
  /// `al-Masri`, or with a letter without case.
  static func startsLikeName(_ word: Substring) -> Bool {
    guard let first = word.first else { return false }
    if first.isLowercase, let mark = word.prefix(4).firstIndex(where: { "'’-".contains($0) }) {
      return word[mark...].dropFirst().first?.isUppercase == true
    }
    return first.isUppercase || first.isLetter && !first.isLowercase
  }

  static func trimmed(_ text: Substring) -> Substring {
    var text = text
    let markers: Set<Character> = [",", ":", ";", "(", "-"]
    while let last = text.last, last.isWhitespace || markers.contains(last) { text.removeLast() }
    return text.drop { $0.isWhitespace || markers.contains($0) }
  }

  static func removingIntroduction(_ text: Substring, isMarkedUp: Bool = true)
    -> Substring
  {
    if let names = namesAfterTasks(in: text, isMarkedUp: isMarkedUp) { return names }
    let lower = text.prefix(24).lowercased()
    for lead in MetadataVocabulary.namePrefixes where lower.hasPrefix(lead) {
      let rest = text.dropFirst(lead.count)
      let endsItself = lead.last.map { !$0.isLetter } ?? false
      guard endsItself || rest.first == ":" || rest.first?.isWhitespace == true else { continue }
      let names = trimmed(rest)
      if lead != "by", !lead.contains(" "), !endsItself, isRestOfName(names, after: lead) {
        continue
      }
      return names
    }
    return text
  }

  /// Returns the names after a label of tasks, one of which is writing, such as `Text:` or
  /// `Words and photos by`; nil if there are none. Because such a label also announces other
  /// things, such as the passage of a sermon, two capitalized words must follow.
  private static func namesAfterTasks(in text: Substring, isMarkedUp: Bool) -> Substring? {
    var (tasks, end): ([String], String.Index?) = ([], nil)
    for word in text.prefix(maxTaskLabelLength).split(whereSeparator: \.isWhitespace) {
      let task = word.prefix { $0 != ":" }.lowercased()
      if MetadataVocabulary.tasks.contains(task) {
        tasks.append(task)
      } else if tasks.isEmpty || !task.isEmpty && !conjunctions.contains(task) {
        if !tasks.isEmpty, MetadataVocabulary.namePrefixes.contains(task) { end = word.endIndex }
        break
      }
      if let colon = word.firstIndex(of: ":") {
        end = word.index(after: colon)
        break
      }
    }
    let writing =
      isMarkedUp || tasks.count > 1
      ? MetadataVocabulary.writingTerms : MetadataVocabulary.textTerms
    guard let end, tasks.contains(where: { writing.contains($0) }),
      case let names = trimmed(text[end...]),
      case let words = names.split(separator: " ").prefix(2),
      words.count == 2, words.allSatisfy({ startsLikeName($0) })
    else { return nil }
    return names
  }

  /// The maximum length of a label of tasks, in characters.
  private static let maxTaskLabelLength = 40

  /// Whether a word such as "Da" or "Von" before a text may be a part of a name: a single word that
  /// may be one follows, or follows a given name of that form.
  private static func isRestOfName(_ text: Substring, after lead: String) -> Bool {
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count > 1 else { return !isLabel(String(text)) }
    // Before a comma or "and", "Oleh" is a Ukrainian given name.
    return lead == "oleh" && (words[0].last == "," || conjunctions.contains(words[1].lowercased()))
  }

  /// Returns the text without a date at the end and without the words between the names and the
  /// date.
  private static func withoutDate(_ text: Substring) -> String {
    guard let digit = text.firstIndex(where: \.isDigit) else { return String(text) }
    if let account = accountName(in: text) { return account }
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
      guard
        word.isEmpty || isMonth || announcesDate(word) || conjunctions.contains(String(last))
      else { break }
      wasMonth = wasMonth || isMonth
      words.removeLast()
    }
    return String(trimmed(Substring(words.joined(separator: " "))))
  }

  static func announcesDate(_ word: String) -> Bool {
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
