import DOM

/// A lexer for comments, strings, numbers and keywords in source code that takes linear time.
///
/// A token without a closing delimiter ends with its line. After that, tokens with the same
/// delimiter are not continued across lines, so each delimiter causes at most one failed search,
/// and truncated code does not become one long string.
package struct CodeLexer: Sendable {
  /// A highlighted part of source code.
  package struct Token: Sendable, Equatable {
    /// The range of bytes in the text.
    package var range: Range<Int>
    package var kind: Kind

    package enum Kind: Sendable, Equatable, CaseIterable {
      case comment, string, number, keyword
    }
  }

  private let rules: LexicalRules
  /// The offset at which the search for the next token begins.
  private var position: Int
  /// The offset at which the code begins.
  private let codeStart: Int
  /// The offset after the code.
  private let codeEnd: Int
  /// The kinds of comments and strings for which no closing delimiter follows, as bits in the order
  /// of `LexicalRules.syntaxes`; the highest bits are for raw strings and here-documents.
  private var unclosedSyntaxBits: UInt64 = 0
  private var isInTag = false
  /// The delimiter of the here-document that begins on the next line; nil for none.
  private var hereDocumentDelimiter: Range<Int>?
  /// The number of bytes examined, counted each time (for tests).
  private(set) var examinedCount = 0

  private static let rawStringBit: UInt64 = 1 << 63
  private static let hereDocumentBit: UInt64 = 1 << 62

  private typealias Text = UnsafeBufferPointer<UInt8>
  private typealias Class = LexicalRules.ByteClass

  package init(_ language: CodeLanguage, _ range: Range<Int>) {
    rules = language.lexicalRules
    position = range.lowerBound
    codeStart = range.lowerBound
    codeEnd = range.upperBound
  }

  /// Returns the next token; nil at the end.
  package mutating func next(in text: [UInt8]) -> Token? {
    let table = rules
    return table.byteClasses.withUnsafeBufferPointer { classes in
      text.withUnsafeBufferPointer { next(in: Text(rebasing: $0[..<codeEnd]), classes) }
    }
  }

  private mutating func next(in text: Text, _ classes: UnsafeBufferPointer<UInt8>) -> Token? {
    let startPosition = position
    defer { examinedCount += position - startPosition }
    if position == codeStart, position < codeEnd, rules.hasLineTokens,
      let token = lineToken(in: text)
    {
      return token
    }
    let needsTag = rules.traits.contains(.markup)
    var offset = position
    while offset < codeEnd {
      let byteClasses = classes[Int(text[offset])]
      // Most bytes outside words are spaces.
      if byteClasses == 0 {
        offset += 1
      } else if byteClasses == Class.word | Class.beginsWord, !needsTag {
        let wordStart = offset
        repeat {
          offset += 1
        } while offset < codeEnd && classes[Int(text[offset])] & Class.word != 0
        if rules.keywords.contains(wordStart..<offset, in: text) {
          position = offset
          return Token(range: wordStart..<offset, kind: .keyword)
        }
      } else {
        position = offset
        if let token = token(byteClasses, in: text) { return token }
        offset = max(position, offset + 1)
      }
    }
    position = codeEnd
    return nil
  }

  /// Returns the token at the position, whose byte has the given class; nil if there is none. Words
  /// without a highlight are skipped.
  private mutating func token(_ byteClasses: UInt8, in text: Text) -> Token? {
    if byteClasses & Class.lineFeed != 0 { return tokenAtLineStart(in: text) }
    if byteClasses & Class.beginsSyntax != 0, let token = commentOrString(in: text) { return token }
    if byteClasses & Class.angleBracket != 0, let token = tokenAtAngleBracket(in: text) {
      return token
    }
    guard isInTag || !rules.traits.contains(.markup) else { return nil }
    if byteClasses & Class.digit != 0 { return numberToken(in: text) }
    return byteClasses & Class.beginsWord != 0 ? keywordToken(in: text) : nil
  }

  /// Returns the token at the start of the line after the line feed at the position, if any.
  private mutating func tokenAtLineStart(in text: Text) -> Token? {
    position += 1
    if let token = hereDocument(in: text) { return token }
    return rules.hasLineTokens && position < codeEnd ? lineToken(in: text) : nil
  }

  /// Handles `<` and `>`: returns a tag, or records the delimiter of a here-document and returns
  /// nil.
  private mutating func tokenAtAngleBracket(in text: Text) -> Token? {
    if rules.traits.contains(.markup) { return tagToken(in: text) }
    if position + 1 < codeEnd, text[position + 1] == text[position] {
      recordHereDelimiter(in: text)
      position += 2
    }
    return nil
  }

  private mutating func makeToken(_ kind: Token.Kind, upTo stop: Int) -> Token {
    let begin = position
    position = min(max(stop, begin + 1), codeEnd)
    return Token(range: begin..<position, kind: kind)
  }

  // MARK: Positions

  /// Returns whether the preceding byte is white space or punctuation after which a word can begin.
  private func isAtWordStart(in text: Text) -> Bool {
    guard position > codeStart else { return true }
    let before = text[position - 1]
    return before <= .space || before == UInt8(ascii: ";") || before == UInt8(ascii: "(")
  }

  private mutating func lineEnd(in text: Text, from offset: Int) -> Int {
    let stop = text.firstIndex(of: .lineFeed, from: min(offset, codeEnd))
    examinedCount += max(0, stop - offset)
    return stop
  }

  // MARK: Comments and strings

  /// Returns the comment or string that begins at the position; nil if there is none.
  private mutating func commentOrString(in text: Text) -> Token? {
    for index in rules.syntaxIndices(beginningWith: text[position]) {
      let syntax = rules.syntaxes[index]
      guard rules.hasDelimiter(syntax.open, at: position, in: text) else { continue }
      let contentStart = position + Int(syntax.open.count)
      let syntaxBit: UInt64 = 1 << UInt64(index)
      switch syntax.kind {
      case .lineComment:
        if syntax.needsWordStart, !isAtWordStart(in: text) { continue }
        return makeToken(.comment, upTo: lineEnd(in: text, from: position))
      case .blockComment:
        return makeToken(.comment, upTo: endOfDelimited(syntax, syntaxBit, contentStart, in: text))
      case .nestingComment:
        return makeToken(
          .comment, upTo: endOfNestingComment(syntax, syntaxBit, contentStart, in: text))
      case .rawString: if let token = rawString(in: text) { return token }
      case .character, .string:
        guard isInTag || !rules.traits.contains(.markup) else { continue }
        if syntax.kind == .character {
          guard let stop = endOfCharacterLiteral(syntax, contentStart, in: text) else { continue }
          return makeToken(.string, upTo: stop)
        }
        let stop = endOfDelimited(syntax, syntaxBit, contentStart, in: text)
        let isKey = rules.traits.contains(.keysAreStrings) && isKey(at: stop, in: text)
        return makeToken(isKey ? .keyword : .string, upTo: stop)
      }
    }
    return nil
  }

  /// Returns the end of a comment that may contain nested comments.
  private mutating func endOfNestingComment(
    _ syntax: LexicalRules.DelimitedSyntax, _ syntaxBit: UInt64, _ contentStart: Int, in text: Text
  ) -> Int {
    var depth = 1
    var offset = contentStart
    let stop = unclosedSyntaxBits & syntaxBit == 0 ? codeEnd : lineEnd(in: text, from: contentStart)
    defer { examinedCount += offset - contentStart }
    while offset < stop {
      if rules.hasDelimiter(syntax.close, at: offset, in: text) {
        depth -= 1
        offset += Int(syntax.close.count)
        if depth == 0 { return offset }
      } else if rules.hasDelimiter(syntax.open, at: offset, in: text) {
        depth += 1
        offset += Int(syntax.open.count)
      } else {
        offset += 1
      }
    }
    unclosedSyntaxBits |= syntaxBit
    return lineEnd(in: text, from: contentStart)
  }

  private mutating func endOfDelimited(
    _ syntax: LexicalRules.DelimitedSyntax, _ syntaxBit: UInt64, _ contentStart: Int, in text: Text
  ) -> Int {
    endOfDelimited(
      rules.bytes(syntax.close), syntax.escape, syntax.allowsDoubledDelimiter, syntax.spansLines,
      syntaxBit, contentStart, in: text)
  }

  /// Returns the end of a comment or string: after its closing delimiter, or at the end of the
  /// line.
  private mutating func endOfDelimited(
    _ marker: ArraySlice<UInt8>, _ escape: UInt8, _ allowsDoubledDelimiter: Bool,
    _ spansLines: Bool,
    _ syntaxBit: UInt64,
    _ contentStart: Int, in text: Text
  ) -> Int {
    marker.withUnsafeBufferPointer { marker in
      let continuesOnNextLine = spansLines && unclosedSyntaxBits & syntaxBit == 0
      let firstMarkerByte = marker[0]
      // A delimiter that is its own escape is escaped by doubling.
      let escape = escape == firstMarkerByte ? 0 : escape
      var offset = contentStart
      defer { examinedCount += offset - contentStart }
      while offset < codeEnd {
        let byte = text[offset]
        if byte == firstMarkerByte, text.hasDelimiter(marker, at: offset) {
          offset += marker.count
          guard allowsDoubledDelimiter, text.hasDelimiter(marker, at: offset) else { return offset }
          offset += marker.count
        } else if byte == .lineFeed, !continuesOnNextLine {
          return offset
        } else if byte == escape, escape != 0 {
          offset +=
            offset + 1 < codeEnd && (text[offset + 1] != .lineFeed || continuesOnNextLine) ? 2 : 1
        } else {
          offset += 1
        }
      }
      if continuesOnNextLine { unclosedSyntaxBits |= syntaxBit }
      return spansLines ? lineEnd(in: text, from: contentStart) : codeEnd
    }
  }

  /// Returns the end of a character literal; nil if the quotation mark has another meaning, such as
  /// a lifetime in Rust.
  private func endOfCharacterLiteral(
    _ syntax: LexicalRules.DelimitedSyntax, _ contentStart: Int, in text: Text
  ) -> Int? {
    if position > codeStart, rules.isWord(text[position - 1]) { return nil }
    guard contentStart < codeEnd, text[contentStart] != .lineFeed,
      text[contentStart] != text[contentStart - 1]
    else { return nil }
    if syntax.escape != 0, text[contentStart] == syntax.escape {
      let limit = min(contentStart + 12, codeEnd)
      var offset = contentStart + 2
      while offset < limit, text[offset] != .lineFeed {
        if rules.hasDelimiter(syntax.close, at: offset, in: text) {
          return offset + Int(syntax.close.count)
        }
        offset += 1
      }
      return nil
    }
    var offset = contentStart + 1
    while offset < codeEnd, text[offset] & 0xC0 == 0x80 { offset += 1 }
    return rules.hasDelimiter(syntax.close, at: offset, in: text)
      ? offset + Int(syntax.close.count) : nil
  }

  /// Returns the raw string at the position, if any.
  private mutating func rawString(in text: Text) -> Token? {
    guard let raw = rules.rawString, position == codeStart || !rules.isWord(text[position - 1]),
      let (length, marker, kind) = raw.openingDelimiter(in: text, position..<codeEnd)
    else { return nil }
    let from = position + length
    return makeToken(
      kind, upTo: endOfDelimited(marker[...], 0, false, true, Self.rawStringBit, from, in: text))
  }

  // MARK: Here-documents

  /// Records the delimiter of a here-document (`<<WORD`), which begins on the next line.
  private mutating func recordHereDelimiter(in text: Text) {
    var offset = position + 2
    let marker = UInt8(ascii: "<")
    guard unclosedSyntaxBits & Self.hereDocumentBit == 0 else { return }
    if rules.traits.contains(.tripleAngleHereDocuments) {
      guard offset < codeEnd, text[offset] == marker else { return }
      offset += 1
    } else if offset < codeEnd, text[offset] == marker {
      return
    }
    while offset < codeEnd, offset < position + 8,
      text[offset] == UInt8(ascii: "-") || text[offset] == UInt8(ascii: "~")
        || text[offset] == UInt8(ascii: "'") || text[offset] == UInt8(ascii: "\"")
    {
      offset += 1
    }
    guard offset < codeEnd, text[offset].isLetter || text[offset] == UInt8(ascii: "_") else {
      return
    }
    var stop = offset
    while stop < codeEnd, stop < offset + 64,
      text[stop].isLetter || text[stop].isDigit || text[stop] == UInt8(ascii: "_")
    {
      stop += 1
    }
    hereDocumentDelimiter = offset..<stop
  }

  /// Returns the here-document that begins at the position, if one was announced.
  private mutating func hereDocument(in text: Text) -> Token? {
    guard let word = hereDocumentDelimiter else { return nil }
    hereDocumentDelimiter = nil
    var line = position
    while line < codeEnd {
      let stop = lineEnd(in: text, from: line)
      var first = line
      while first < stop, text[first] == .space || text[first] == .tab { first += 1 }
      let last = first + word.count
      if last <= stop, text[first..<last].elementsEqual(text[word]),
        last == stop || !rules.isWord(text[last])
      {
        return makeToken(.string, upTo: last)
      }
      line = stop + 1
    }
    unclosedSyntaxBits |= Self.hereDocumentBit
    return nil
  }

  // MARK: Lines, tags, words, numbers

  /// Returns the token at the start of a line, if any: a line of a diff, or a key.
  private mutating func lineToken(in text: Text) -> Token? {
    for (marker, kind) in rules.lineDelimiters where text[position...].starts(with: marker) {
      return makeToken(kind, upTo: lineEnd(in: text, from: position))
    }
    guard let keyEnd = rules.keyDelimiter else { return nil }
    var offset = position
    let line = offset
    defer { examinedCount += offset - line }
    while offset < codeEnd, text[offset] == .space || text[offset] == UInt8(ascii: "-") {
      offset += 1
    }
    let begin = offset
    while offset < codeEnd,
      rules.isWord(text[offset]) || text[offset] == UInt8(ascii: "-")
        || text[offset] == UInt8(ascii: ".")
    {
      offset += 1
    }
    let stop = offset
    while offset < codeEnd, text[offset] == .space { offset += 1 }
    guard stop > begin, offset < codeEnd, text[offset] == keyEnd else { return nil }
    position = begin
    return makeToken(.keyword, upTo: stop)
  }

  /// Returns whether a string that ends at an offset is a key, followed by a colon.
  private func isKey(at stop: Int, in text: Text) -> Bool {
    var offset = stop
    while offset < codeEnd, offset < stop + 8, text[offset] == .space { offset += 1 }
    return offset < codeEnd && text[offset] == UInt8(ascii: ":")
  }

  /// Returns the start of a tag up to the end of its name, and tracks whether the position is
  /// within a tag. Nil if no tag begins at the position.
  private mutating func tagToken(in text: Text) -> Token? {
    let byte = text[position]
    if byte == UInt8(ascii: ">") { isInTag = false }
    guard byte == UInt8(ascii: "<") else { return nil }
    var offset = position + 1
    while offset < codeEnd, offset < position + 3,
      text[offset] == UInt8(ascii: "/") || text[offset] == UInt8(ascii: "?")
        || text[offset] == UInt8(ascii: "!")
    {
      offset += 1
    }
    guard offset < codeEnd, text[offset].isLetter else { return nil }
    while offset < codeEnd, rules.isWord(text[offset]) || text[offset] == UInt8(ascii: ":") {
      offset += 1
    }
    isInTag = true
    return makeToken(.keyword, upTo: offset)
  }

  private mutating func numberToken(in text: Text) -> Token? {
    var offset = position
    let isHexadecimal =
      text[position] == UInt8(ascii: "0") && position + 1 < codeEnd
      && text[position + 1] == UInt8(ascii: "x")
    while offset < codeEnd {
      let byte = text[offset]
      if byte.isDigit || byte.isLetter || byte == UInt8(ascii: "_") {
        offset += 1
      } else if byte == UInt8(ascii: "."), offset + 1 < codeEnd, text[offset + 1].isDigit {
        offset += 1
      } else if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"), !isHexadecimal,
        text[offset - 1] | 0x20 == UInt8(ascii: "e"), offset + 1 < codeEnd, text[offset + 1].isDigit
      {
        offset += 1
      } else {
        break
      }
    }
    return makeToken(.number, upTo: offset)
  }

  private mutating func keywordToken(in text: Text) -> Token? {
    var offset = position + 1
    while offset < codeEnd, rules.isWord(text[offset]) { offset += 1 }
    let begin = position
    if rules.keywords.contains(begin..<offset, in: text) {
      return makeToken(.keyword, upTo: offset)
    }
    position = offset
    return nil
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns whether a nonempty delimiter is at an offset.
  @inline(__always)
  fileprivate func hasDelimiter(_ marker: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
    guard offset + marker.count <= count else { return false }
    for index in marker.indices where self[offset + index] != marker[index] { return false }
    return true
  }
}

extension UInt8 {
  fileprivate static let lineFeed = UInt8(ascii: "\n")
  fileprivate static let tab = UInt8(ascii: "\t")
  fileprivate static let space = UInt8(ascii: " ")
  fileprivate var isDigit: Bool { self &- 0x30 < 10 }
  fileprivate var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
}
