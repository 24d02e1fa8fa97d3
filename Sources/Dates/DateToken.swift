/// A number, a word or another character of a line that may contain a date.
package struct DateToken: Sendable, Equatable {
  /// The value of a number of at most 14 digits; nil for other tokens.
  package private(set) var number: Int?
  /// The number of digits of a number; 0 for other tokens.
  package private(set) var digitCount = 0
  /// The word in lower case, or the character; empty for numbers.
  package private(set) var word = ""
  /// Whether the token is neither a number nor a word.
  package private(set) var isPunctuation = false
  /// Whether white space precedes the token.
  package private(set) var followsWhiteSpace = false
  /// The range of the token in the line.
  package private(set) var range: Range<String.Index>

  /// Splits a line into tokens. A Chinese, Japanese or Korean character of a date is a token of its
  /// own.
  package static func tokens(of line: String) -> [DateToken] {
    var tokens: [DateToken] = []
    var index = line.startIndex
    var isSpaced = false
    while index < line.endIndex, tokens.count < maxTokens {
      let first = line[index]
      if first.isWhitespace {
        isSpaced = true
        index = line.index(after: index)
        continue
      }
      var token = DateToken(range: index..<index)
      token.followsWhiteSpace = isSpaced
      isSpaced = false
      index = token.read(line, from: index)
      token.range = token.range.lowerBound..<index
      tokens.append(token)
    }
    return tokens
  }

  private static let maxTokens = 80

  private init(range: Range<String.Index>) { self.range = range }

  /// Reads the token that begins at an index, and returns its end.
  private mutating func read(_ line: String, from start: String.Index) -> String.Index {
    if Self.digitValue(line[start]) != nil {
      let run = line[start...].prefix { Self.digitValue($0) != nil }
      digitCount = run.count
      number = digitCount > 14 ? nil : run.reduce(0) { $0 * 10 + (Self.digitValue($1) ?? 0) }
      return run.endIndex
    }
    if let numeral = Self.chineseNumeral(line[start...]) {
      (number, digitCount) = (numeral.value, numeral.digitCount)
      return numeral.end
    }
    guard line[start].isLetter else {
      (word, isPunctuation) = (String(line[start]), true)
      return line.index(after: start)
    }
    let isUnit = DateVocabulary.cjkDateCharacters.contains(line[start])
    let run =
      isUnit
      ? line[start...].prefix(1)
      : line[start...].prefix { $0.isLetter && !DateVocabulary.cjkDateCharacters.contains($0) }
    var end = run.endIndex
    if let abbreviation = Self.thaiAbbreviation(run, in: line) { end = abbreviation }
    word = line[start..<end].lowercased()
    return end
  }

  /// Returns the end of a Thai abbreviation with a dot inside, such as `มี.ค`, that begins with a
  /// run of letters; nil for other words.
  private static func thaiAbbreviation(_ run: Substring, in line: String) -> String.Index? {
    func isThai(_ character: Character?) -> Bool {
      character?.unicodeScalars.first.map(Self.isThai) ?? false
    }
    guard run.endIndex < line.endIndex, line[run.endIndex] == ".", isThai(run.first) else {
      return nil
    }
    let rest = line[line.index(after: run.endIndex)...].prefix(while: isThai)
    return rest.isEmpty ? nil : rest.endIndex
  }

  /// Returns whether a scalar belongs to the Thai script.
  static func isThai(_ scalar: Unicode.Scalar) -> Bool { (0x0E00...0x0E7F).contains(scalar.value) }

  /// Returns the number that Chinese numerals at the beginning of a text denote if a unit of dates
  /// such as `年` follows: digit by digit as in `二〇二四`, or with tens as in `二十三`; otherwise nil.
  private static func chineseNumeral(
    _ text: Substring
  ) -> (value: Int, digitCount: Int, end: String.Index)? {
    guard text.first?.isASCII == false else { return nil }
    let run = text.prefix { chineseDigits[$0] != nil || $0 == "十" }
    guard (1...4).contains(run.count), run.endIndex < text.endIndex,
      "年月日号號".contains(text[run.endIndex])
    else { return nil }
    let parts = run.split(separator: "十", omittingEmptySubsequences: false).map {
      (text: $0, value: $0.reduce(0) { $0 * 10 + (chineseDigits[$1] ?? 0) })
    }
    guard parts.count > 1 else { return (parts[0].value, run.count, run.endIndex) }
    guard parts.count == 2, parts.allSatisfy({ $0.text.count < 2 }) else { return nil }
    let tens = parts[0].text.isEmpty ? 1 : parts[0].value
    return (tens * 10 + parts[1].value, 2, run.endIndex)
  }

  private static let chineseDigits: [Character: Int] = [
    "〇": 0, "○": 0, "零": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8,
    "九": 9,
  ]

  /// Returns the value of a decimal digit of any script; nil for other characters.
  private static func digitValue(_ character: Character) -> Int? {
    guard let scalar = character.unicodeScalars.first else { return nil }
    if scalar.isASCII {
      return (0x30...0x39).contains(scalar.value) ? Int(scalar.value) - 0x30 : nil
    }
    guard scalar.properties.numericType == .decimal else { return nil }
    return character.wholeNumberValue
  }
}
