import DOM

/// The rules of a language prepared for the lexer: what each byte can begin, and at most
/// `maxSyntaxes` forms of comments and strings, whose delimiters are in one array.
final class LexicalRules: Sendable {
  /// The classes of each byte as bits of `ByteClass`.
  let byteClasses: [UInt8]
  /// The forms of comments and strings in the order in which they are tried, grouped by first byte.
  let syntaxes: [DelimitedSyntax]
  /// For every byte, the index in `syntaxes` of the first form that begins with it; the last
  /// element is the number of forms.
  private let firstSyntaxIndices: [UInt8]
  private let delimiterBytes: [UInt8]
  let keywords: KeywordTable
  /// The beginnings of lines that are a single token, such as the lines of a diff.
  let lineDelimiters: [([UInt8], CodeLexer.Token.Kind)]
  /// The byte after a key at the start of a line; nil in languages without such keys.
  let keyDelimiter: UInt8?
  let rawString: CodeLanguage.RawString?
  let traits: CodeLanguage.Traits

  /// The maximum number of forms of comments and strings of a language: each has a bit in
  /// `CodeLexer`.
  static let maxSyntaxes = 60

  /// The roles that a byte can have.
  enum ByteClass {
    static let word: UInt8 = 1
    /// A word can begin with the byte; digits excluded.
    static let beginsWord: UInt8 = 2
    static let digit: UInt8 = 4
    /// A comment or string can begin with the byte.
    static let beginsSyntax: UInt8 = 8
    /// The byte belongs to a tag, or begins a here-document.
    static let angleBracket: UInt8 = 16
    /// A line feed, in languages in which the start of a line matters.
    static let lineFeed: UInt8 = 32
  }

  /// A range of `delimiterBytes`.
  struct Delimiter {
    var start: UInt16
    var count: UInt16
  }

  /// A form of comments or strings.
  struct DelimitedSyntax {
    var kind: Kind
    var open: Delimiter
    var close: Delimiter
    /// The escape byte, or 0.
    var escape: UInt8 = 0
    var spansLines = false
    var allowsDoubledDelimiter = false
    /// Whether the form is recognized only where a word could begin.
    var needsWordStart = false

    enum Kind { case lineComment, blockComment, nestingComment, rawString, string, character }
  }

  init(
    lineComments: [[UInt8]], blocks: [CodeLanguage.BlockComment],
    strings: [CodeLanguage.StringDelimiters],
    rawString: CodeLanguage.RawString?, keywords: [[UInt8]], sigils: [UInt8], wordBytes: [UInt8],
    lineDelimiters: [([UInt8], CodeLexer.Token.Kind)], keyDelimiter: UInt8?,
    traits: CodeLanguage.Traits
  ) {
    let (all, markers) = Self.syntaxes(lineComments, blocks, strings, rawString, traits)
    var sorted: [DelimitedSyntax] = []
    var first: [UInt8] = []
    var classes = [UInt8](repeating: 0, count: 256)
    for byte in UInt8.min...UInt8.max {
      first.append(UInt8(sorted.count))
      sorted += all.filter { markers[Int($0.open.start)] == byte }
      classes[Int(byte)] = Self.wordClasses(of: byte, sigils: sigils, wordBytes: wordBytes)
      if sorted.count > first[Int(byte)] { classes[Int(byte)] |= ByteClass.beginsSyntax }
    }
    first.append(UInt8(sorted.count))
    if traits.contains(.markup) || traits.contains(.hereDocuments) {
      classes[Int(UInt8(ascii: "<"))] |= ByteClass.angleBracket
    }
    if traits.contains(.markup) { classes[Int(UInt8(ascii: ">"))] |= ByteClass.angleBracket }
    if traits.contains(.hereDocuments) || !lineDelimiters.isEmpty || keyDelimiter != nil {
      classes[Int(UInt8(ascii: "\n"))] |= ByteClass.lineFeed
    }
    self.byteClasses = classes
    syntaxes = sorted
    firstSyntaxIndices = first
    self.delimiterBytes = markers
    self.keywords = KeywordTable(keywords, ignoringCase: traits.contains(.caseInsensitive))
    self.lineDelimiters = lineDelimiters
    self.keyDelimiter = keyDelimiter
    self.rawString = rawString
    self.traits = traits
  }

  /// Returns the forms of comments and strings, and their delimiters one after another.
  private static func syntaxes(
    _ lineComments: [[UInt8]], _ blocks: [CodeLanguage.BlockComment],
    _ strings: [CodeLanguage.StringDelimiters], _ rawString: CodeLanguage.RawString?,
    _ traits: CodeLanguage.Traits
  ) -> (syntaxes: [DelimitedSyntax], delimiterBytes: [UInt8]) {
    var markers: [UInt8] = []
    func marker(_ bytes: [UInt8]) -> Delimiter {
      markers += bytes
      return Delimiter(start: UInt16(markers.count - bytes.count), count: UInt16(bytes.count))
    }
    var all = blocks.map {
      DelimitedSyntax(
        kind: $0.allowsNesting ? .nestingComment : .blockComment, open: marker($0.open),
        close: marker($0.close),
        spansLines: true)
    }
    all += lineComments.map {
      DelimitedSyntax(
        kind: .lineComment, open: marker($0), close: marker([]),
        needsWordStart: $0 == [UInt8(ascii: "#")] && traits.contains(.commentsAtWordStart))
    }
    if let rawString {
      all.append(
        DelimitedSyntax(kind: .rawString, open: marker([rawString.firstByte]), close: marker([])))
    }
    all += strings.map {
      DelimitedSyntax(
        kind: $0.isCharacter ? .character : .string, open: marker($0.open), close: marker($0.close),
        escape: $0.escape ?? 0, spansLines: $0.spansLines,
        allowsDoubledDelimiter: $0.allowsDoubledDelimiter)
    }
    return (all, markers)
  }

  /// Returns the classes of a byte in words.
  private static func wordClasses(of byte: UInt8, sigils: [UInt8], wordBytes: [UInt8]) -> UInt8 {
    let isDigit = byte &- 0x30 < 10
    let isWord =
      (byte | 0x20) &- 0x61 < 26 || isDigit || byte == UInt8(ascii: "_") || byte >= 0x80
      || wordBytes.contains(byte)
    var found: UInt8 = isWord ? ByteClass.word : 0
    if isWord && !isDigit || sigils.contains(byte) { found |= ByteClass.beginsWord }
    if isDigit { found |= ByteClass.digit }
    return found
  }

  /// Returns the indices of the forms that begin with a byte.
  func syntaxIndices(beginningWith byte: UInt8) -> Range<Int> {
    Int(firstSyntaxIndices[Int(byte)])..<Int(firstSyntaxIndices[Int(byte) + 1])
  }

  /// Returns whether a byte belongs to a word.
  func isWord(_ byte: UInt8) -> Bool { byteClasses[Int(byte)] & ByteClass.word != 0 }

  /// Whether the start of a line can be a token.
  var hasLineTokens: Bool { !lineDelimiters.isEmpty || keyDelimiter != nil }

  /// Returns whether a delimiter is at an offset.
  func hasDelimiter(_ marker: Delimiter, at offset: Int, in text: UnsafeBufferPointer<UInt8>)
    -> Bool
  {
    guard marker.count > 0, offset + Int(marker.count) <= text.count else { return false }
    for index in 0..<Int(marker.count)
    where text[offset + index] != delimiterBytes[Int(marker.start) + index] {
      return false
    }
    return true
  }

  /// Returns the bytes of a delimiter.
  func bytes(_ marker: Delimiter) -> ArraySlice<UInt8> {
    delimiterBytes[Int(marker.start)..<Int(marker.start + marker.count)]
  }
}
