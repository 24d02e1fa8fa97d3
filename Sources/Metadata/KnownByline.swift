package import Document

/// Who wrote a page, when, and how long it takes to read, as they are known: to find the lines of a text that
/// say these again and nothing else.
package struct KnownByline {
  /// The words of each name.
  private let names: [[Substring]]
  /// All words of names.
  private let nameWords: Set<Substring>
  /// Of a date of ISO 8601.
  private let date: (year: Int, month: Int, days: ClosedRange<Int>)?
  /// The words and numbers of another date.
  private let dateTokens: [Token]
  private let minutes: Int

  /// More words than a line has that says who wrote a text.
  private static let mostTokens = 24
  /// How many words may stand around names, dates and times, such as "posted on".
  private static let mostFree = 2

  /// - Parameters:
  ///   - metadata: What is known of a page.
  ///   - minutes: How long it takes to read.
  package init(_ metadata: PageMetadata, minutes: Int) {
    self.minutes = minutes
    names = Self.names(in: metadata.byline)
    nameWords = Set(names.joined())
    date = Self.date(metadata.date)
    dateTokens = date == nil ? Self.tokens(of: metadata.day) : []
  }

  /// Whether a line says what is known and nothing else.
  /// - Parameters:
  ///   - line: The line.
  ///   - isHeading: Whether it is a heading: the name of who wrote a text may be the matter of one.
  /// - Returns: Whether it can go.
  package func isSaid(by line: String, isHeading: Bool = false) -> Bool {
    guard line.utf8.count <= 200 else { return false }
    let tokens = Self.tokens(of: line)
    guard 1...Self.mostTokens ~= tokens.count else { return false }
    var isKnown = [Bool](repeating: false, count: tokens.count)
    let saysMinutes = findMinutes(tokens, &isKnown)
    let saysDate = findDate(tokens, &isKnown)
    // Any other number says something else.
    guard zip(tokens, isKnown).allSatisfy({ $0.number == nil || $1 }) else { return false }
    let saysName = findNames(tokens, &isKnown)
    guard saysName || saysDate || saysMinutes else { return false }
    let free = isKnown.count { !$0 }
    if free == 0 { return true }
    if "!?".contains(line.last ?? " ") || isHeading && !saysDate {
      return BylineText.names(ifBylineIs: line) != nil
    }
    // The only word of a name may be the beginning of another.
    if saysName, !saysDate, isKnown.count(where: \.self) < 2 {
      return BylineText.names(ifBylineIs: line).map { Self.tokens(of: $0).count == 1 } ?? false
    }
    return free <= Self.mostFree
  }

  /// Whether a line says that names or a date follow.
  package static func isLead(_ line: String) -> Bool {
    guard line.utf8.count <= 60 else { return false }
    var lead = line.lowercased()[...]
    while let last = lead.last, last == ":" || last.isWhitespace { lead.removeLast() }
    return [String(lead), lead + ":"].contains {
      MetadataVocabulary.beforeNames.contains($0) || MetadataVocabulary.beforeDates.contains($0)
    }
  }

  // MARK: What is known

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
    // Where the page is read it may have been the day before or after.
    return (year, month, date.utf8.count > 10 ? day - 1...day + 1 : day...day)
  }

  // MARK: What a line says

  /// A run of letters or of digits.
  private struct Token: Equatable {
    var word: Substring
    /// What digits say; -1 of those that are no part of a date.
    var number: Int?
    /// Whether it is a part of a time of day.
    var isTime = false

    static func == (left: Token, right: Token) -> Bool { left.word == right.word }
  }

  private static func tokens(of line: String) -> [Token] {
    let line = line.lowercased()
    var tokens: [Token] = []
    var index = line.startIndex
    while index < line.endIndex {
      let isNumber = line[index].isNumber
      guard isNumber || line[index].isLetter else {
        index = line.index(after: index)
        continue
      }
      let word = line[index...].prefix { isNumber ? $0.isNumber : $0.isLetter }
      var token = Token(word: word)
      if isNumber {
        token.number = word.count <= 4 ? Int(word) ?? -1 : -1
        if let last = tokens.last, last.number != nil,
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

  private func findMinutes(_ tokens: [Token], _ isKnown: inout [Bool]) -> Bool {
    var isFound = false
    for index in tokens.indices.dropLast() {
      guard let number = tokens[index].number, !tokens[index].isTime, 1...90 ~= number,
        MetadataVocabulary.minutes.contains(where: tokens[index + 1].word.hasPrefix),
        number <= 2 * minutes + 2, minutes <= 2 * number + 2
      else { continue }
      (isKnown[index], isKnown[index + 1]) = (true, true)
      isFound = true
    }
    return isFound
  }

  private func findDate(_ tokens: [Token], _ isKnown: inout [Bool]) -> Bool {
    guard let date else {
      guard !dateTokens.isEmpty, dateTokens.allSatisfy(tokens.contains) else { return false }
      for index in tokens.indices where dateTokens.contains(tokens[index]) { isKnown[index] = true }
      return true
    }
    var (hasYear, hasDay) = (false, false)
    var found: [Int] = []
    for (index, token) in tokens.enumerated() where !isKnown[index] {
      guard let number = token.number else { continue }
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
    // The name of the month stands beside a number, and so does what is appended to one.
    var hasMonth = false
    for index in found {
      isKnown[index] = true
      for place in [index - 1, index + 1] where tokens.indices.contains(place) && !isKnown[place] {
        let word = tokens[place].word
        if place > index, word.count <= 2 {
          isKnown[place] = true
        } else if !hasMonth, word.count > 2, !nameWords.contains(word) {
          hasMonth = true
          isKnown[place] = true
        }
      }
    }
    return true
  }

  private func findNames(_ tokens: [Token], _ isKnown: inout [Bool]) -> Bool {
    var said: Set<Substring> = []
    for (index, token) in tokens.enumerated() where nameWords.contains(token.word) {
      said.insert(token.word)
      isKnown[index] = true
    }
    return names.contains { $0.allSatisfy(said.contains) }
  }
}
