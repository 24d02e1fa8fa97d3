package import Document

/// The known author, date and reading time of a page, for finding lines of its text that only
/// repeat them.
package struct KnownByline {
  /// The words of each name, in lower case.
  private let names: [[Substring]]
  /// The words of all names.
  private let nameParts: Set<Substring>
  /// The date of the page; nil unless it is in ISO 8601 format.
  private let date: (year: Int, month: Int, days: ClosedRange<Int>)?
  private let readingMinutes: Int
  private let byline: String

  /// The maximum number of tokens in a line that can be a byline.
  private static let maxTokens = 24
  /// The maximum number of other words, such as "posted on", beside names, dates and times.
  private static let maxUnmatchedWords = 2

  /// Prepares the metadata of a page for comparison.
  package init(_ metadata: PageMetadata, readingMinutes: Int) {
    self.readingMinutes = readingMinutes
    byline = metadata.byline
    names = Self.names(in: metadata.byline)
    nameParts = Set(names.joined())
    date = Self.date(metadata.date)
  }

  /// Whether a line repeats known metadata and contains nothing else. A heading may name the author
  /// because the text is about that author.
  package func isRepeated(by line: String, isHeading: Bool = false) -> Bool {
    guard line.utf8.count <= 200 else { return false }
    let line = BylineText.withoutPlaces(in: line, of: byline)
    let tokens = Self.tokens(of: line)
    guard 1...Self.maxTokens ~= tokens.count else { return false }
    var isKnown = [Bool](repeating: false, count: tokens.count)
    let saysMinutes = markReadingTime(tokens, &isKnown)
    let saysDate = markDate(tokens, &isKnown)
    // A number that is not part of the metadata is other content.
    guard zip(tokens, isKnown).allSatisfy({ $0.numericValue == nil || $1 }) else { return false }
    let saysName = markNames(tokens, &isKnown)
    guard saysName || saysDate || saysMinutes else { return false }
    let free = isKnown.count { !$0 }
    if free == 0 { return true }
    // The line may add the profession of the author.
    if saysName, !isHeading, BylineText.addsProfession(line, to: byline) { return true }
    if "!?".contains(line.last ?? " ") || isHeading && !saysDate {
      return BylineText.names(ifBylineIs: line) != nil
    }
    // A name of a single word may be part of another person's name.
    if saysName, !saysDate, isKnown.count(where: \.self) < 2 {
      return BylineText.names(ifBylineIs: line).map { Self.tokens(of: $0).count == 1 } ?? false
    }
    return free <= Self.maxUnmatchedWords
  }

  /// Whether a line only introduces names or a date, such as "Written by:".
  package static func isBylineIntroduction(_ line: String) -> Bool {
    line.utf8.count <= 60 && (DateLine.isLabel(line) || isNameIntroduction(line))
  }

  /// Whether a short line only introduces names, such as "Written by:".
  static func isNameIntroduction(_ line: String) -> Bool {
    var lead = line.lowercased()[...]
    while let last = lead.last, last == ":" || last.isWhitespace { lead.removeLast() }
    return [String(lead), lead + ":"].contains { MetadataVocabulary.namePrefixes.contains($0) }
  }

  // MARK: Known metadata

  private static func names(in byline: String) -> [[Substring]] {
    var names: [[Substring]] = []
    for part in byline.lowercased().split(whereSeparator: { $0 == "," || $0 == ";" || $0 == "&" }) {
      var name: [Substring] = []
      for word in part.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
        if word == "and" || word == "und" || word == "et" {
          names.append(name)
          name = []
        } else {
          name.append(word)
        }
      }
      names.append(name)
    }
    return names.filter { !$0.isEmpty }
  }

  private static func date(_ date: String) -> (year: Int, month: Int, days: ClosedRange<Int>)? {
    let parts = date.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == 3, parts.count == 3, parts[0].count == 4, 1...12 ~= numbers[1],
      1...31 ~= numbers[2]
    else { return nil }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    // In the user's time zone it may have been the day before or after.
    return (year, month, date.utf8.count > 10 ? day - 1...day + 1 : day...day)
  }

  // MARK: Tokens of a line

  /// A run of letters or of digits.
  private struct Token: Equatable {
    var word: Substring
    /// The value of a number of at most four digits, -1 for longer numbers, nil for letters.
    var numericValue: Int?
    /// Whether the token is part of a time of day.
    var isTime = false

    static func == (left: Token, right: Token) -> Bool { left.word == right.word }
  }

  private static func tokens(of line: String) -> [Token] {
    let line = line.lowercased()
    var tokens: [Token] = []
    var index = line.startIndex
    while index < line.endIndex {
      let isNumber = line[index].isDigit
      guard isNumber || line[index].isLetter else {
        index = line.index(after: index)
        continue
      }
      let word = line[index...].prefix { isNumber ? $0.isDigit : $0.isLetter && !$0.isDigit }
      var token = Token(word: word)
      if isNumber {
        token.numericValue = word.count <= 4 ? Int(word) ?? -1 : -1
        if let last = tokens.last, last.numericValue != nil,
          line[last.word.endIndex..<index] == ":"
        {
          token.isTime = true
          tokens[tokens.count - 1].isTime = true
        }
      }
      tokens.append(token)
      index = word.endIndex
    }
    return tokens
  }

  private func markReadingTime(_ tokens: [Token], _ isMatched: inout [Bool]) -> Bool {
    var isFound = false
    for index in tokens.indices.dropLast() {
      guard let number = tokens[index].numericValue, !tokens[index].isTime, 1...90 ~= number,
        MetadataVocabulary.minutePrefixes.contains(where: tokens[index + 1].word.hasPrefix),
        number <= 2 * readingMinutes + 2, readingMinutes <= 2 * number + 2
      else { continue }
      (isMatched[index], isMatched[index + 1]) = (true, true)
      isFound = true
    }
    return isFound
  }

  private func markDate(_ tokens: [Token], _ isMatched: inout [Bool]) -> Bool {
    guard let date else { return false }
    var (hasYear, hasDay) = (false, false)
    var found: [Int] = []
    for (index, token) in tokens.enumerated() where !isMatched[index] {
      guard let number = token.numericValue else { continue }
      if number == date.year || number == date.year % 100 && tokens.count > 2 && hasDay {
        hasYear = true
      } else if date.days.contains(number) {
        hasDay = true
      } else if number != date.month, !token.isTime {
        return false
      }
      found.append(index)
    }
    guard hasYear, hasDay else { return false }
    // The name of the month is next to a number, and so is an ordinal suffix such as "th".
    var hasMonth = false
    for index in found {
      isMatched[index] = true
      for position in [index - 1, index + 1]
      where tokens.indices.contains(position) && !isMatched[position] {
        let word = tokens[position].word
        if position > index, word.count <= 2 {
          isMatched[position] = true
        } else if !hasMonth, word.count > 2, !nameParts.contains(word) {
          hasMonth = true
          isMatched[position] = true
        }
      }
    }
    return true
  }

  private func markNames(_ tokens: [Token], _ isMatched: inout [Bool]) -> Bool {
    var foundParts: Set<Substring> = []
    for (index, token) in tokens.enumerated() where nameParts.contains(token.word) {
      foundParts.insert(token.word)
      isMatched[index] = true
    }
    return names.contains { $0.allSatisfy(foundParts.contains) }
  }
}
