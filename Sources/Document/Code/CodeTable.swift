import DOM

/// The rules of a language prepared for the lexer: what each byte can begin, and at most
/// `maxForms` forms, whose delimiters are in one array.
final class CodeTable: Sendable {
  /// The classes of each byte as bits of `ByteClass`.
  let classes: [UInt8]
  /// The forms of comments and strings in the order in which they are tried, grouped by first byte.
  let forms: [Form]
  /// For every byte, the index of its first form; the last element is the number of forms.
  private let firstForms: [UInt8]
  private let delimiterBytes: [UInt8]
  let keywords: KeywordTable
  let lineDelimiters: [([UInt8], CodeLexer.Token.Kind)]
  let keyEnd: UInt8?
  let raw: CodeLanguage.RawString?
  let traits: CodeLanguage.Traits

  static let maxForms = 60

  /// The roles that a byte can have.
  enum ByteClass {
    static let word: UInt8 = 1
    /// A word can begin with the byte; digits excluded.
    static let beginsWord: UInt8 = 2
    static let digit: UInt8 = 4
    /// A comment or string can begin with the byte.
    static let opens: UInt8 = 8
    /// The byte belongs to a tag, or begins a here-document.
    static let angle: UInt8 = 16
    /// A line feed, in languages in which the start of a line matters.
    static let line: UInt8 = 32
  }

  /// A range of `delimiterBytes`.
  struct Delimiter {
    var start: UInt16
    var count: UInt16
  }

  /// A form of comments or strings.
  struct Form {
    var kind: Kind
    var open: Delimiter
    var close: Delimiter
    /// The escape byte, or 0.
    var escape: UInt8 = 0
    var spansLines = false
    var doubles = false
    /// Whether the form is recognized only where a word could begin.
    var isApart = false

    enum Kind { case lineComment, block, nesting, raw, string, character }
  }

  init(
    lineComments: [[UInt8]], blocks: [CodeLanguage.Block], strings: [CodeLanguage.Quote],
    raw: CodeLanguage.RawString?, keywords: [[UInt8]], sigils: [UInt8], wordBytes: [UInt8],
    lineMarks: [([UInt8], CodeLexer.Token.Kind)], keyEnd: UInt8?, traits: CodeLanguage.Traits
  ) {
    var markers: [UInt8] = []
    func marker(_ bytes: [UInt8]) -> Delimiter {
      markers += bytes
      return Delimiter(start: UInt16(markers.count - bytes.count), count: UInt16(bytes.count))
    }
    var all = blocks.map {
      Form(
        kind: $0.nests ? .nesting : .block, open: marker($0.open), close: marker($0.close),
        spansLines: true)
    }
    all += lineComments.map {
      Form(
        kind: .lineComment, open: marker($0), close: marker([]),
        isApart: $0 == [UInt8(ascii: "#")] && traits.contains(.commentsAtWordStart))
    }
    if let raw { all.append(Form(kind: .raw, open: marker([raw.first]), close: marker([]))) }
    all += strings.map {
      Form(
        kind: $0.isCharacter ? .character : .string, open: marker($0.open), close: marker($0.close),
        escape: $0.escape ?? 0, spansLines: $0.spansLines, doubles: $0.doubles)
    }
    var sorted: [Form] = []
    var first: [UInt8] = []
    var classes = [UInt8](repeating: 0, count: 256)
    for byte in UInt8.min...UInt8.max {
      first.append(UInt8(sorted.count))
      sorted += all.filter { markers[Int($0.open.start)] == byte }
      let isDigit = byte &- 0x30 < 10
      let isWord =
        (byte | 0x20) &- 0x61 < 26 || isDigit || byte == UInt8(ascii: "_") || byte >= 0x80
        || wordBytes.contains(byte)
      var found: UInt8 = isWord ? ByteClass.word : 0
      if isWord && !isDigit || sigils.contains(byte) { found |= ByteClass.beginsWord }
      if isDigit { found |= ByteClass.digit }
      if sorted.count > first[Int(byte)] { found |= ByteClass.opens }
      classes[Int(byte)] = found
    }
    first.append(UInt8(sorted.count))
    if traits.contains(.markup) || traits.contains(.hereDocuments) {
      classes[Int(UInt8(ascii: "<"))] |= ByteClass.angle
    }
    if traits.contains(.markup) { classes[Int(UInt8(ascii: ">"))] |= ByteClass.angle }
    if traits.contains(.hereDocuments) || !lineMarks.isEmpty || keyEnd != nil {
      classes[Int(UInt8(ascii: "\n"))] |= ByteClass.line
    }
    self.classes = classes
    forms = sorted
    firstForms = first
    self.delimiterBytes = markers
    self.keywords = KeywordTable(keywords, ignoringCase: traits.contains(.caseInsensitive))
    self.lineDelimiters = lineMarks
    self.keyEnd = keyEnd
    self.raw = raw
    self.traits = traits
  }

  /// Returns the indices of the forms that begin with a byte.
  func forms(beginningWith byte: UInt8) -> Range<Int> {
    Int(firstForms[Int(byte)])..<Int(firstForms[Int(byte) + 1])
  }

  /// Returns whether a byte belongs to a word.
  func isWord(_ byte: UInt8) -> Bool { classes[Int(byte)] & ByteClass.word != 0 }

  /// Whether the start of a line can be a token.
  var readsLines: Bool { !lineDelimiters.isEmpty || keyEnd != nil }

  /// Returns whether a delimiter is at an offset.
  func has(_ marker: Delimiter, at offset: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
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

/// A hash table (open addressing) of words of at most sixteen bytes.
struct KeywordTable: Sendable {
  private var slots: [PackedWord]
  /// For every first byte, the lengths of its words as bits.
  private var lengths = [UInt32](repeating: 0, count: 256)
  private let ignoresCase: Bool

  /// Creates a table of words; longer ones are ignored.
  init(_ words: [[UInt8]], ignoringCase: Bool) {
    ignoresCase = ignoringCase
    var size = 8
    while size < words.count * 2 { size *= 2 }
    slots = Array(repeating: PackedWord(), count: size)
    for bytes in words where !bytes.isEmpty && bytes.count <= PackedWord.maxLength {
      let word = bytes.withUnsafeBufferPointer {
        PackedWord($0, bytes.indices, ignoringCase: ignoringCase)
      }
      var slot = word.slot(of: size)
      while slots[slot] != PackedWord(), slots[slot] != word { slot = (slot + 1) & (size - 1) }
      slots[slot] = word
      lengths[Int(bytes[0].folded(ignoringCase))] |= 1 << UInt32(bytes.count)
    }
  }

  /// Returns whether a nonempty range of a text is one of the words.
  func contains(_ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard range.count <= PackedWord.maxLength,
      lengths[Int(text[range.lowerBound].folded(ignoresCase))] & 1 << UInt32(range.count) != 0
    else { return false }
    let word = PackedWord(text, range, ignoringCase: ignoresCase)
    var slot = word.slot(of: slots.count)
    while slots[slot] != PackedWord() {
      if slots[slot] == word { return true }
      slot = (slot + 1) & (slots.count - 1)
    }
    return false
  }
}

/// A word of at most sixteen bytes, packed into an integer.
private struct PackedWord: Equatable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  static let maxLength = 16

  /// Creates an empty word, which marks a free slot.
  init() {}

  init(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, ignoringCase: Bool) {
    for index in range {
      high = high << 8 | low >> 56
      low = low << 8 | UInt64(text[index].folded(ignoringCase))
    }
  }

  /// Returns the first slot to probe in a table whose size is a power of two.
  func slot(of count: Int) -> Int {
    let mixed = (low ^ high &* 0x9E37_79B9_7F4A_7C15) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 40) & (count - 1)
  }
}

extension UInt8 {
  fileprivate func folded(_ ignoringCase: Bool) -> UInt8 {
    ignoringCase && self &- 0x41 < 26 ? self | 0x20 : self
  }
}
