import DOM
import Dates

/// The dates in a line near the title of a page: of publication, and of the last change.
struct DateLine {
  /// The publication date, or a date without a label; nil for none.
  private(set) var publicationDate: WrittenDate?
  /// The date of the last change; nil for none.
  private(set) var changeDate: WrittenDate?

  /// The maximum length in bytes of a line with a date.
  private static let maxBytes = 200
  /// The maximum number of words of the line besides dates and their labels, and of a line that
  /// begins with a date and a time of day.
  static let maxOtherWordCount = 7, maxWordCountAfterTime = 12
  private static let maxDates = 4
  /// The years in which pages are published.
  private static let years = 1990...2099

  /// Creates a publication date.
  init(_ date: WrittenDate) { publicationDate = date }

  /// Reads a line; nil if it is not a line with a publication date, a date of change or both, and
  /// few other words. Up to two more dates may be those on which a manuscript was received and
  /// accepted. A date within a sentence counts only if the markup names it a date.
  init?(_ line: String, order: WrittenDate.DayMonthOrder, isMarkedUpAsDate: Bool) {
    guard line.utf8.count <= Self.maxBytes, line.contains(where: \.isNumber) else { return nil }
    let tokens = DateToken.tokens(of: line)
    let dates = DateScanner(tokens, order: order).dates
    if Self.isRevisionKeyword(line), let date = dates.first?.date, Self.years.contains(date.year) {
      changeDate = date
      return
    }
    guard 1...Self.maxDates ~= dates.count, !Self.arePeriodEnds(dates, tokens) else { return nil }
    var rest = 0
    var start = 0
    var isManuscript = false
    var beginsWithTime = false
    for date in dates {
      let label = Self.text(tokens[start..<date.tokenRange.lowerBound], of: line)
      guard let kind = Kind(label) else { return nil }
      rest += kind == .unstated ? Self.wordCount(tokens[start..<date.tokenRange.lowerBound]) : 0
      let isFirst = start == 0 && (date.tokenRange.lowerBound == 0 || kind != .unstated)
      beginsWithTime = beginsWithTime || isFirst && date.date.time != nil
      if !isMarkedUpAsDate, kind == .unstated, !(isFirst && beginsWithTime),
        Self.isBesideWords(tokens, date.tokenRange, of: line)
      {
        return nil
      }
      start = date.tokenRange.upperBound
      if Self.years.contains(date.date.year) {
        isManuscript = isManuscript || kind == .manuscript
        set(date.date, of: kind)
      }
    }
    rest += Self.wordCount(tokens[start...])
    let isSentence = !isMarkedUpAsDate && Self.isSentence(line, tokens, after: dates)
    let maxRest = beginsWithTime ? Self.maxWordCountAfterTime : Self.maxOtherWordCount
    guard publicationDate != nil || changeDate != nil, rest <= maxRest, !isSentence,
      dates.count <= 2 || isManuscript,
      Kind(Self.text(tokens[start...], of: line)) != nil
    else { return nil }
  }

  private mutating func set(_ date: WrittenDate, of kind: Kind) {
    switch kind {
    // A date of submission before it is not that of publication.
    case .manuscript: publicationDate = nil
    case .change: changeDate = changeDate ?? date
    case .publication, .unstated: publicationDate = publicationDate ?? date
    }
  }

  /// The kind of date that a label announces.
  enum Kind {
    case unstated, publication, change
    /// The receipt or acceptance of a manuscript.
    case manuscript

    /// Creates the kind of date that a label announces; returns nil for a label of another event,
    /// such as "Deadline:".
    init?(_ text: String) {
      let words = text.lowercased().split { !$0.isLetter }
      let last = words.suffix(3)
      if words.contains(where: { MetadataVocabulary.otherDateTerms.contains(String($0)) }) {
        return nil
      }
      if text.contains("©") { return nil }
      // Without a colon, a noun before another word belongs to that word.
      let hasColon = ":：".contains(text.last { !$0.isWhitespace } ?? " ")
      let nouns = hasColon ? last : words.filter { $0.count > 2 }.suffix(1)
      if last.contains(where: { MetadataVocabulary.manuscriptTerms.contains(String($0)) }) {
        self = .manuscript
      } else if Self.endsWithPublicationPhrase(words) {
        self = .publication
      } else if last.contains(where: { MetadataVocabulary.changeTerms.contains(String($0)) })
        || nouns.contains(where: { MetadataVocabulary.changeNouns.contains(String($0)) })
      {
        self = .change
      } else if last.contains(where: { MetadataVocabulary.publicationTerms.contains(String($0)) })
        || nouns.contains(where: { MetadataVocabulary.publicationNouns.contains(String($0)) })
        || words.prefix(1).contains(where: {
          MetadataVocabulary.initialPublicationTerms.contains(String($0))
        })
      {
        self = .publication
      } else {
        self = .unstated
      }
    }

    /// Whether a label ends with a phrase such as "mis en ligne", perhaps before another word.
    private static func endsWithPublicationPhrase(_ words: [Substring]) -> Bool {
      let end = words.suffix(4).joined(separator: " ")
      return MetadataVocabulary.publicationPhrases.contains { end.contains($0) }
    }
  }

  /// Whether a line ends a sentence after its last date. A reading time such as "3 min." does not.
  private static func isSentence(
    _ line: String, _ tokens: [DateToken], after dates: [WrittenDate.FoundDate]
  ) -> Bool {
    guard let last = dates.last?.tokenRange else { return false }
    return last.upperBound < tokens.count && ".!?".contains(line.last ?? " ")
      && !isAloneAtEnd(last, tokens) && !endsWithMinutes(tokens[last.upperBound...])
  }

  /// Whether the last tokens are a number and an abbreviation of "minutes" with a full stop.
  private static func endsWithMinutes(_ tokens: ArraySlice<DateToken>) -> Bool {
    let end = Array(tokens.suffix(3))
    return end.count == 3 && end[0].digitCount > 0 && end[2].word == "."
      && MetadataVocabulary.minutePrefixes.contains(end[1].word)
  }

  /// Whether a line names a period, or more than two dates. Two dates with nothing between them are
  /// not a period.
  static func isPeriod(_ line: String, order: WrittenDate.DayMonthOrder) -> Bool {
    let tokens = DateToken.tokens(of: line)
    let dates = DateScanner(tokens, order: order).dates
    let areAdjacent =
      dates.count == 2 && dates[0].tokenRange.upperBound == dates[1].tokenRange.lowerBound
    return dates.count > 2 || !areAdjacent && arePeriodEnds(dates, tokens)
  }

  private static func text(_ tokens: ArraySlice<DateToken>, of line: String) -> String {
    guard let first = tokens.first, let last = tokens.last else { return "" }
    return String(line[first.range.lowerBound..<last.range.upperBound])
  }

  private static func wordCount(_ tokens: ArraySlice<DateToken>) -> Int {
    tokens.count { !$0.isPunctuation }
  }

  /// Whether a date at the start of a line or after a separator ends the line, apart from the full
  /// stop of an ordinal number or an abbreviation, as in `21. studenoga 2026.` and
  /// `21 ноября 2026 г.`. A comma, as in a byline, separates only dates with an abbreviation.
  private static func isAloneAtEnd(_ date: Range<Int>, _ tokens: [DateToken]) -> Bool {
    let isAtEnd = tokens[date.upperBound...].allSatisfy {
      $0.isPunctuation || MetadataVocabulary.yearAbbreviations.contains($0.word)
    }
    guard isAtEnd, let before = tokens[..<date.lowerBound].last else { return isAtEnd }
    let hasAbbreviation = tokens[date.upperBound...].contains {
      !$0.isPunctuation && $0.word.count == 1
    }
    return before.isPunctuation
      && (":：|｜•·".contains(before.word) || hasAbbreviation && before.word == ",")
  }

  /// Whether the dates are the ends of a period, such as "5–7 May 2026".
  private static func arePeriodEnds(_ dates: [WrittenDate.FoundDate], _ tokens: [DateToken]) -> Bool
  {
    func isDash(_ position: Int) -> Bool {
      tokens.indices.contains(position)
        && (["-", "–", "—", "~", "〜"].contains(tokens[position].word)
          || MetadataVocabulary.untilTerms.contains(tokens[position].word))
    }
    if let first = dates.first, isDash(first.tokenRange.lowerBound - 1),
      first.tokenRange.lowerBound > 1,
      tokens[first.tokenRange.lowerBound - 2].digitCount > 0
    {
      return true
    }
    guard dates.count == 2 else { return false }
    let between = dates[0].tokenRange.upperBound..<dates[1].tokenRange.lowerBound
    return between.count <= 1 && between.allSatisfy(isDash)
  }

  /// Whether words are directly beside an unlabelled date, as in a sentence: neither punctuation,
  /// nor a byline, nor a place or name before a comma and a word such as "on" separates them.
  private static func isBesideWords(
    _ tokens: [DateToken], _ date: Range<Int>, of line: String
  ) -> Bool {
    var end = date.upperBound
    if end < tokens.count, MetadataVocabulary.yearAbbreviations.contains(tokens[end].word) {
      end += 1
    }
    if end < tokens.count, !tokens[end].isPunctuation,
      !MetadataVocabulary.bylineTerms.contains(tokens[end].word)
    {
      let rest = text(tokens[end...], of: line)
      if BylineText.names(ifBylineIs: rest) == nil, Kind(rest) == .unstated { return true }
    }
    guard let before = tokens[..<date.lowerBound].last, !before.isPunctuation else { return false }
    let start = tokens[..<date.lowerBound].lastIndex {
      $0.isPunctuation && "|•·–—".contains($0.word)
    }
    let words = tokens[(start.map { $0 + 1 } ?? 0)..<date.lowerBound]
    if words.count <= 5, let first = words.first,
      first.word.count <= 2 || MetadataVocabulary.bylineTerms.contains(first.word)
        || MetadataVocabulary.publicationTerms.contains(first.word)
    {
      return false
    }
    let isIntroduced = words.last.map { MetadataVocabulary.dateIntroductions.contains($0.word) }
    let names = isIntroduced == true ? words.dropLast() : words
    // Before a comma, only a place or a name is not a sentence.
    if names.last?.word == "," {
      return !text(names.dropLast(), of: line).split { !$0.isLetter }
        .allSatisfy(BylineText.isPartOfName)
    }
    return !names.isEmpty && BylineText.names(ifBylineIs: text(names, of: line)) == nil
  }
}

extension DateLine {
  /// Whether a line only announces a publication date, such as "Posted on:".
  static func isLabel(_ line: String) -> Bool {
    let words = line.lowercased().split { !$0.isLetter }
    return words.contains { MetadataVocabulary.publicationTerms.contains(String($0)) }
      && words.allSatisfy {
        $0.count <= 2 || $0 == "first" || MetadataVocabulary.publicationTerms.contains(String($0))
      }
  }

  /// Whether a line is a keyword that a version control system replaces, such as
  /// `$Date: 2001/05/04 10:15:00 $`.
  private static func isRevisionKeyword(_ line: String) -> Bool {
    guard line.first == "$", line.last == "$", let colon = line.firstIndex(of: ":") else {
      return false
    }
    return MetadataVocabulary.revisionKeywords.contains(line[..<colon].dropFirst().lowercased())
  }

  /// Whether a line consists of the date of publication or change of the text and of its label,
  /// such as "Published:". The date on which a work was released is rather that of the subject of
  /// the text.
  static func isLabeledDateOnly(_ line: String) -> Bool {
    if isRevisionKeyword(line) { return true }
    func isLabel(_ text: some StringProtocol) -> Bool {
      let kind = Kind(String(text))
      return kind == .publication || kind == .change
    }
    return (isLabel(line) || isLabel(line.prefix { !$0.isNumber }))
      && wordsBesideDates(in: line).allSatisfy { term in
        !MetadataVocabulary.releaseTerms.contains(term)
          && (term.count <= 2 || BylineText.announcesText(term[...])
            || MetadataVocabulary.changeNouns.contains(term)
            || MetadataVocabulary.publicationNouns.contains(term))
      }
  }

  /// Returns the words of a line, in lower case, except those of dates.
  private static func wordsBesideDates(in line: String) -> [String] {
    let tokens = DateToken.tokens(of: line)
    var (parts, start): ([Substring], String.Index) = ([], line.startIndex)
    for date in DateScanner(tokens, order: .monthFirst).dates.map(\.tokenRange) {
      parts.append(line[start..<tokens[date.lowerBound].range.lowerBound])
      start = tokens[date.upperBound - 1].range.upperBound
    }
    return (parts + [line[start...]]).flatMap { $0.lowercased().split { !$0.isLetter } }
      .map(String.init)
  }

  /// Returns the date in the path of a URL such as `/2026/11/21/title`, `/2026-11-21-title` or
  /// `/20261121/title`, as many blogs have it; nil without one, or if nothing follows it, as in
  /// the list of all posts of a day, or if the path is one of events, products or versions.
  static func date(inPathOf url: String) -> WrittenDate? {
    let parts = url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    for (index, part) in parts.enumerated() {
      if MetadataVocabulary.otherDatePaths.contains(part.lowercased()) { return nil }
      if let date = date(atStartOf: parts[index...]) { return date }
    }
    return nil
  }

  /// Returns the date with which the parts of a path begin; nil without one, or if nothing
  /// follows it. In `/2026/11/21-tips-for-you`, the number is not a day.
  private static func date(atStartOf parts: ArraySlice<Substring>) -> WrittenDate? {
    guard let first = parts.first, first.utf8.first?.isDigit == true else { return nil }
    let numbers = first.split(separator: "-", maxSplits: 3, omittingEmptySubsequences: false)
    switch numbers.count {
    case 1 where first.utf8.count == 8 && parts.count > 1:
      return date(of: [first.prefix(4), first.dropFirst(4).prefix(2), first.suffix(2)])
    case 1 where parts.count > 3: return date(of: Array(parts.prefix(3)), minDayDigits: 1)
    case 2 where parts.count > 2:
      return date(of: [numbers[0], numbers[1], parts[parts.startIndex + 1]])
    case 3 where parts.count > 1, 4: return date(of: Array(numbers.prefix(3)))
    default: return nil
    }
  }

  /// Creates the date of a year, a month and a day in a path; returns nil for other texts.
  private static func date(of numbers: [Substring], minDayDigits: Int = 2) -> WrittenDate? {
    guard numbers.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }), numbers[0].utf8.count == 4,
      numbers.dropFirst().allSatisfy({ minDayDigits...2 ~= $0.utf8.count }),
      let year = Int(numbers[0]), let month = Int(numbers[1]), let day = Int(numbers[2]),
      years.contains(year)
    else { return nil }
    return WrittenDate(year: year, month: month, day: day)
  }

  /// Returns the date of a value that is declared to be one, such as that of a `meta` element, in
  /// any format or in seconds or milliseconds since 1970; nil for the beginning of 1970, which
  /// stands for a missing time, and for years after 2099.
  static func parseDeclared(_ value: String?, order: WrittenDate.DayMonthOrder) -> WrittenDate? {
    guard let value else { return nil }
    if let date = WrittenDate(secondsSince1970: value) { return date }
    if let date = WrittenDate.parse(value, order: order) {
      return isPlaceholder(date) || date.year > years.upperBound ? nil : date
    }
    let line = DateLine(value, order: order, isMarkedUpAsDate: true)
    return line?.publicationDate ?? line?.changeDate
  }

  /// Returns the publication date in the value of an attribute such as `datetime` with additions
  /// like the name of the zone in `2026-11-21 10:15:00 +0000 UTC`; nil for a date of change, and
  /// for a period such as `2026-11-21/P2D`.
  static func soleDate(in value: String) -> WrittenDate? {
    guard value.utf8.count <= maxBytes else { return nil }
    let tokens = DateToken.tokens(of: value)
    let dates = DateScanner(tokens, order: .monthFirst).dates
    guard dates.count == 1, let end = dates.first?.tokenRange.upperBound,
      end == tokens.count || tokens[end].word != "/"
    else { return nil }
    return DateLine(value, order: .monthFirst, isMarkedUpAsDate: true)?.publicationDate
  }

  /// Whether a date is the first day of 1970, which programs write for a missing date.
  static func isPlaceholder(_ date: WrittenDate) -> Bool {
    date.year == 1970 && date.month ?? 1 == 1 && date.day ?? 1 == 1
  }
}
