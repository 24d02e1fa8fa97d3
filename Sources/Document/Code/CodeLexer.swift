/// Finds comments, strings, numbers and keywords in code, from its beginning to its end, in linear time.
///
/// What is not closed ends with its line, and from then on nothing of its form goes past a line: so one
/// form costs one vain search at most, and cut code does not turn into one long string.
package struct CodeLexer: Sendable {
  /// A part of code that has a look of its own.
  package struct Token: Sendable, Equatable {
    /// Bytes of the text.
    package var range: Range<Int>
    /// What it is.
    package var kind: Kind

    /// What a part of code can be.
    package enum Kind: Sendable, Equatable, CaseIterable {
      case comment, string, number, keyword
    }
  }

  let language: CodeLanguage
  /// Where the next token is looked for, and the byte past the last one.
  private var position: Int
  private let start: Int
  private let end: Int
  /// Forms of which the rest has no end, as bits in the order of the table; raw strings come last.
  private var unclosed: UInt64 = 0
  private var isInTag = false
  /// The word that ends the text that begins with the next line.
  private var hereWord: Range<Int>?

  package init(_ language: CodeLanguage, _ range: Range<Int>) {
    self.language = language
    position = range.lowerBound
    start = range.lowerBound
    end = range.upperBound
  }

  /// The next token; nil when there is none.
  package mutating func next(in text: [UInt8]) -> Token? {
    while position < end {
      let begin = position
      if let token = token(in: text) { return token }
      if position == begin { position += 1 }
    }
    return nil
  }

  /// The token at the position; nil where there is none. Words without a look are passed over.
  private mutating func token(in text: [UInt8]) -> Token? {
    let byte = text[position]
    if byte == .lineFeed {
      position += 1
      return hereText(in: text)
    }
    if !language.lineMarks.isEmpty || language.keyEnd != nil, isLineStart(in: text),
      let token = lineToken(in: text)
    {
      return token
    }
    // Most of what is no letter is a blank.
    guard byte > .space else { return nil }
    let opens = language.opens[Int(byte)]
    if opens, let token = comment(in: text) { return token }
    if language.traits.contains(.markup), let token = tagToken(in: text) { return token }
    guard !language.traits.contains(.markup) || isInTag else { return nil }
    if byte == UInt8(ascii: "<"), language.traits.contains(.hereTexts),
      has([byte, byte], at: position, in: text)
    {
      noteHereWord(in: text)
      position += 2
      return nil
    }
    if opens, let token = string(in: text) { return token }
    if byte.isDigit { return number(in: text) }
    return language.isWord(byte) || language.sigils.contains(byte) ? word(in: text) : nil
  }

  private mutating func take(_ kind: Token.Kind, upTo stop: Int) -> Token {
    let begin = position
    position = min(max(stop, begin + 1), end)
    return Token(range: begin..<position, kind: kind)
  }

  // MARK: Places

  private func has(_ mark: [UInt8], at offset: Int, in text: [UInt8]) -> Bool {
    guard !mark.isEmpty, offset + mark.count <= end else { return false }
    for index in mark.indices where text[offset + index] != mark[index] { return false }
    return true
  }

  private func isLineStart(in text: [UInt8]) -> Bool {
    position == start || text[position - 1] == .lineFeed
  }

  /// Whether nothing that belongs to a word stands before the position.
  private func isApart(in text: [UInt8]) -> Bool {
    guard position > start else { return true }
    let before = text[position - 1]
    return before <= .space || before == UInt8(ascii: ";") || before == UInt8(ascii: "(")
  }

  private func lineEnd(in text: [UInt8], from offset: Int) -> Int {
    text[min(offset, end)..<end].firstIndex(of: .lineFeed) ?? end
  }

  // MARK: Comments and strings

  private mutating func comment(in text: [UInt8]) -> Token? {
    for (index, form) in language.blockComments.enumerated()
    where has(form.open, at: position, in: text) {
      let from = position + form.open.count
      if form.nests {
        return take(.comment, upTo: close(form, 1 << UInt64(index), from, in: text))
      }
      return take(
        .comment, upTo: close(form.close, nil, false, true, 1 << UInt64(index), from, in: text))
    }
    for mark in language.lineComments where has(mark, at: position, in: text) {
      if mark == [UInt8(ascii: "#")], !isApart(in: text), language.traits.contains(.apartComments) {
        continue
      }
      return take(.comment, upTo: lineEnd(in: text, from: position))
    }
    return nil
  }

  /// The end of a comment in which others may stand.
  private mutating func close(
    _ form: CodeLanguage.Block, _ bit: UInt64, _ from: Int, in text: [UInt8]
  ) -> Int {
    var depth = 1
    var offset = from
    let stop = unclosed & bit == 0 ? end : lineEnd(in: text, from: from)
    while offset < stop {
      if has(form.close, at: offset, in: text) {
        depth -= 1
        offset += form.close.count
        if depth == 0 { return offset }
      } else if has(form.open, at: offset, in: text) {
        depth += 1
        offset += form.open.count
      } else {
        offset += 1
      }
    }
    unclosed |= bit
    return lineEnd(in: text, from: from)
  }

  private mutating func string(in text: [UInt8]) -> Token? {
    if let token = rawString(in: text) { return token }
    for (index, form) in language.strings.enumerated() where has(form.open, at: position, in: text)
    {
      let from = position + form.open.count
      if form.isCharacter {
        guard let stop = character(form, from, in: text) else { continue }
        return take(.string, upTo: stop)
      }
      let stop = close(
        form.close, form.escape, form.doubles, form.spansLines, 1 << UInt64(index + 16), from,
        in: text)
      if language.traits.contains(.keysAreStrings), isKey(at: stop, in: text) {
        return take(.keyword, upTo: stop)
      }
      return take(.string, upTo: stop)
    }
    return nil
  }

  /// Where a string ends: behind its mark, or with its line.
  private mutating func close(
    _ mark: [UInt8], _ escape: UInt8?, _ doubles: Bool, _ spansLines: Bool, _ bit: UInt64,
    _ from: Int, in text: [UInt8]
  ) -> Int {
    let isLong = spansLines && unclosed & bit == 0
    var offset = from
    while offset < end {
      let byte = text[offset]
      if byte == .lineFeed, !isLong { return offset }
      if byte == escape, let escape, escape != mark.first {
        offset += offset + 1 < end && (text[offset + 1] != .lineFeed || isLong) ? 2 : 1
      } else if byte == mark[0], has(mark, at: offset, in: text) {
        offset += mark.count
        guard doubles, has(mark, at: offset, in: text) else { return offset }
        offset += mark.count
      } else {
        offset += 1
      }
    }
    if isLong { unclosed |= bit }
    return spansLines ? lineEnd(in: text, from: from) : end
  }

  /// The end of a character between quotation marks; nil for a mark that means something else, such as a
  /// lifetime of Rust.
  private func character(_ form: CodeLanguage.Quote, _ from: Int, in text: [UInt8]) -> Int? {
    if position > start, language.isWord(text[position - 1]) { return nil }
    guard from < end, text[from] != .lineFeed, text[from] != form.open[0] else { return nil }
    if text[from] == form.escape {
      let limit = min(from + 12, end)
      var offset = from + 2
      while offset < limit, text[offset] != .lineFeed {
        if has(form.close, at: offset, in: text) { return offset + form.close.count }
        offset += 1
      }
      return nil
    }
    var offset = from + 1
    while offset < end, text[offset] & 0xC0 == 0x80 { offset += 1 }
    return has(form.close, at: offset, in: text) ? offset + form.close.count : nil
  }

  /// A string whose own beginning says how it ends.
  private mutating func rawString(in text: [UInt8]) -> Token? {
    guard let raw = language.raw, text[position] == raw.first,
      position == start || !language.isWord(text[position - 1]),
      let (length, mark, kind) = raw.opening(in: text, position..<end)
    else { return nil }
    return take(kind, upTo: close(mark, nil, false, true, 1 << 63, position + length, in: text))
  }

  // MARK: Text up to a word

  /// Notes `<<WORD`, whose text begins with the next line.
  private mutating func noteHereWord(in text: [UInt8]) {
    var offset = position + 2
    let mark = UInt8(ascii: "<")
    guard unclosed & 1 << 62 == 0 else { return }
    if language.traits.contains(.threeForHere) {
      guard offset < end, text[offset] == mark else { return }
      offset += 1
    } else if offset < end, text[offset] == mark {
      return
    }
    while offset < end, offset < position + 8,
      text[offset] == UInt8(ascii: "-") || text[offset] == UInt8(ascii: "~")
        || text[offset] == UInt8(ascii: "'") || text[offset] == UInt8(ascii: "\"")
    {
      offset += 1
    }
    guard offset < end, text[offset].isLetter || text[offset] == UInt8(ascii: "_") else { return }
    var stop = offset
    while stop < end, stop < offset + 64,
      text[stop].isLetter || text[stop].isDigit || text[stop] == UInt8(ascii: "_")
    {
      stop += 1
    }
    hereWord = offset..<stop
  }

  /// The text that a word ends, behind the line that named it.
  private mutating func hereText(in text: [UInt8]) -> Token? {
    guard let word = hereWord else { return nil }
    hereWord = nil
    var line = position
    while line < end {
      let stop = lineEnd(in: text, from: line)
      var first = line
      while first < stop, text[first] == .space || text[first] == .tab { first += 1 }
      let last = first + word.count
      if last <= stop, text[first..<last] == text[word],
        last == stop || !language.isWord(text[last])
      {
        return take(.string, upTo: last)
      }
      line = stop + 1
    }
    unclosed |= 1 << 62
    return nil
  }

  // MARK: Lines, tags, words, numbers

  /// What the beginning of a line tells: a line of a difference, a key.
  private mutating func lineToken(in text: [UInt8]) -> Token? {
    for (mark, kind) in language.lineMarks where has(mark, at: position, in: text) {
      return take(kind, upTo: lineEnd(in: text, from: position))
    }
    guard let keyEnd = language.keyEnd else { return nil }
    var offset = position
    while offset < end, text[offset] == .space || text[offset] == UInt8(ascii: "-") { offset += 1 }
    let begin = offset
    while offset < end,
      language.isWord(text[offset]) || text[offset] == UInt8(ascii: "-")
        || text[offset] == UInt8(ascii: ".")
    {
      offset += 1
    }
    let stop = offset
    while offset < end, text[offset] == .space { offset += 1 }
    guard stop > begin, offset < end, text[offset] == keyEnd else { return nil }
    position = begin
    return take(.keyword, upTo: stop)
  }

  /// Whether a string is the name of a value.
  private func isKey(at stop: Int, in text: [UInt8]) -> Bool {
    var offset = stop
    while offset < end, offset < stop + 8, text[offset] == .space { offset += 1 }
    return offset < end && text[offset] == UInt8(ascii: ":")
  }

  /// The name of a tag, and where it begins and ends.
  private mutating func tagToken(in text: [UInt8]) -> Token? {
    let byte = text[position]
    if byte == UInt8(ascii: ">") { isInTag = false }
    guard byte == UInt8(ascii: "<") else { return nil }
    var offset = position + 1
    while offset < end, offset < position + 3,
      text[offset] == UInt8(ascii: "/") || text[offset] == UInt8(ascii: "?")
        || text[offset] == UInt8(ascii: "!")
    {
      offset += 1
    }
    guard offset < end, text[offset].isLetter else { return nil }
    while offset < end, language.isWord(text[offset]) || text[offset] == UInt8(ascii: ":") {
      offset += 1
    }
    isInTag = true
    return take(.keyword, upTo: offset)
  }

  private mutating func number(in text: [UInt8]) -> Token? {
    var offset = position
    let isHexadecimal = has(Array("0x".utf8), at: position, in: text)
    while offset < end {
      let byte = text[offset]
      if byte.isDigit || byte.isLetter || byte == UInt8(ascii: "_") {
        offset += 1
      } else if byte == UInt8(ascii: "."), offset + 1 < end, text[offset + 1].isDigit {
        offset += 1
      } else if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"), !isHexadecimal,
        text[offset - 1] | 0x20 == UInt8(ascii: "e"), offset + 1 < end, text[offset + 1].isDigit
      {
        offset += 1
      } else {
        break
      }
    }
    return take(.number, upTo: offset)
  }

  private mutating func word(in text: [UInt8]) -> Token? {
    var offset = position + 1
    while offset < end, language.isWord(text[offset]) { offset += 1 }
    let begin = position
    if let word = PackedWord(
      text[begin..<offset], ignoringCase: language.traits.contains(.anyCase)),
      language.keywords.contains(word)
    {
      return take(.keyword, upTo: offset)
    }
    position = offset
    return nil
  }
}

extension UInt8 {
  fileprivate static let lineFeed = UInt8(ascii: "\n")
  fileprivate static let tab = UInt8(ascii: "\t")
  fileprivate static let space = UInt8(ascii: " ")
  fileprivate var isDigit: Bool { self &- 0x30 < 10 }
  fileprivate var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
}
