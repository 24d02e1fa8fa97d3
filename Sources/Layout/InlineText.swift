import DOM
import Document

/// The text of one leaf as it is shown, before line breaking: the page's text with the delimiters
/// and markers that convey its meaning (`~~deleted~~`, `‹key›`, `x²`, link numbers).
struct InlineText {
  /// The text as UTF-8, with `\n` for forced line breaks.
  private(set) var bytes: [UInt8] = []
  /// Consecutive ranges of `bytes`, each with one style and target.
  private(set) var pieces: [Piece] = []
  /// Whether all bytes are below 0x80.
  private(set) var isASCII = true
  /// Whether there may be characters that control line breaking and are omitted or replaced.
  private(set) var mayHaveInvisibles = false

  /// The substitution for characters that the terminal lacks; nil if it has all characters.
  var substitution: CharacterSubstitution?

  /// Ranges that are broken only at spaces: fields and short pieces of code such as `font-size`.
  private(set) var unbreakableRanges: [Range<Int>] = []

  /// The length in bytes above which code is broken like other text.
  private static let maxUnbreakableLength = 32

  /// A range of the text with one style and target.
  struct Piece {
    /// The offset after the last byte of the piece.
    var end: Int
    var style: TextStyle
    var target: PageLayout.Target?
    /// The offset in `Document.text` of the first byte of the piece or, if it is not part of the
    /// document, of the text that follows.
    var sourceOffset: UInt32
    /// Whether byte *n* of the piece is byte `sourceOffset + n` of the document.
    var isVerbatim: Bool
    /// The number of bytes of the document from `sourceOffset` on that the piece replaces; 0 if it
    /// is added to the text, such as a delimiter. Nil for verbatim text and for text that is
    /// neither, such as the value of a control.
    var replacedLength: UInt32?
  }

  /// Whether a control has been appended. Only the first control of a row is aligned.
  var hasControl = false

  mutating func removeAll() {
    hasControl = false
    bytes.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
    // The line breaker may share this array, in which case `removeAll(keepingCapacity:)` would
    // allocate a new one.
    if !unbreakableRanges.isEmpty { unbreakableRanges = [] }
    isASCII = true
    mayHaveInvisibles = false
  }

  /// Appends bytes of the document unchanged.
  mutating func append(
    _ text: [UInt8], _ range: Range<Int>, style: TextStyle, target: PageLayout.Target?
  ) {
    guard !range.isEmpty else { return }
    if let substitution, !DisplayWidth.isASCII(text, in: range) {
      return append(text, range, with: substitution, style: style, target: target)
    }
    if style.inlineStyle.contains(.code), range.count <= Self.maxUnbreakableLength {
      unbreakableRanges.append(bytes.count..<bytes.count + range.count)
    }
    bytes.append(range, of: text)
    if !DisplayWidth.isASCII(text, in: range) {
      isASCII = false
      if !mayHaveInvisibles { mayHaveInvisibles = Self.mayContainInvisibles(text, range) }
    }
    pieces.append(
      Piece(
        end: bytes.count, style: style, target: target, sourceOffset: UInt32(range.lowerBound),
        isVerbatim: true))
  }

  /// Appends bytes of the document, replacing the characters that the terminal lacks.
  private mutating func append(
    _ text: [UInt8], _ range: Range<Int>, with substitution: CharacterSubstitution,
    style: TextStyle,
    target: PageLayout.Target?
  ) {
    var (position, kept, isRaised) = (range.lowerBound, range.lowerBound, false)
    for character in String(decoding: text[range], as: UTF8.self) {
      let end = position + character.utf8.count
      let previous = position > kept ? text[position - 1] : bytes.last ?? 0
      let content = substitution.substitute(
        for: character, after: previous, followsSuperscript: isRaised)
      isRaised = CharacterSubstitution.isSuperscript(character)
      if let content {
        appendVerbatim(text, kept..<position, style: style, target: target)
        append(
          content.utf8, style: style, target: target, source: UInt32(position),
          replacing: UInt32(end - position))
        kept = end
      }
      position = end
    }
    appendVerbatim(text, kept..<range.upperBound, style: style, target: target)
  }

  private mutating func appendVerbatim(
    _ text: [UInt8], _ range: Range<Int>, style: TextStyle, target: PageLayout.Target?
  ) {
    guard !range.isEmpty else { return }
    bytes.append(range, of: text)
    isASCII = isASCII && DisplayWidth.isASCII(text, in: range)
    pieces.append(
      Piece(
        end: bytes.count, style: style, target: target, sourceOffset: UInt32(range.lowerBound),
        isVerbatim: true))
  }

  /// Divides the last piece at the boundaries of syntax colours.
  mutating func divideLastPiece(_ syntaxColors: inout SyntaxRoles, in text: [UInt8]) {
    guard let last = pieces.popLast() else { return }
    let start = pieces.last?.end ?? 0
    var position = start
    while position < last.end {
      let source = Int(last.sourceOffset) + position - start
      let (role, end) = syntaxColors.role(at: source, in: text)
      var piece = last
      piece.end = min(last.end, end == .max ? last.end : end - Int(last.sourceOffset) + start)
      piece.sourceOffset = UInt32(source)
      if let role { piece.style.role = role }
      pieces.append(piece)
      position = piece.end
    }
  }

  /// Appends text that is not part of the page. `replacedLength` has the meaning of
  /// `Piece.replacedLength`.
  mutating func append(
    _ marker: some Sequence<UInt8>, style: TextStyle, target: PageLayout.Target?, source: UInt32,
    replacing replacedLength: UInt32? = nil
  ) {
    let start = bytes.count
    bytes.append(contentsOf: marker)
    guard bytes.count > start else { return }
    if !DisplayWidth.isASCII(bytes, in: start..<bytes.count) {
      isASCII = false
      if !mayHaveInvisibles {
        mayHaveInvisibles = Self.mayContainInvisibles(bytes, start..<bytes.count)
      }
    }
    pieces.append(
      Piece(
        end: bytes.count, style: style, target: target, sourceOffset: source, isVerbatim: false,
        replacedLength: replacedLength))
  }

  /// Appends the text of a control, which is never broken; `placeholderRange` is the range of the
  /// placeholder in that text.
  mutating func append(
    field text: [UInt8], placeholderRange: Range<Int>, style: TextStyle, target: PageLayout.Target?,
    source: UInt32
  ) {
    let start = bytes.count
    let placeholderRange = placeholderRange.clamped(to: 0..<text.count)
    append(text[..<placeholderRange.lowerBound], style: style, target: target, source: source)
    append(
      text[placeholderRange], style: TextStyle(.dim, inlineStyle: style.inlineStyle),
      target: target, source: source)
    append(text[placeholderRange.upperBound...], style: style, target: target, source: source)
    unbreakableRanges.append(start..<bytes.count)
  }

  /// Whether no character of the text is visible: the text is empty, or has only white space,
  /// zero-width and private-use characters. Text of 64 bytes or more counts as visible.
  var isBlank: Bool {
    guard bytes.count < 64 else { return false }
    var position = 0
    while position < bytes.count {
      switch DisplayWidth.decodeScalar(in: bytes, at: &position, end: bytes.count) {
      // Private-use characters can be shown only by fonts of the page.
      case 0xE000...0xF8FF, 0xF0000...0x10FFFD: continue
      // Pages fill otherwise empty elements with spaces and zero-width characters.
      case 0x0A, 0x20, 0xA0, 0xAD, 0x2000...0x200F, 0x202F, 0x205F, 0x2060, 0x3000, 0xFEFF: continue
      default: return false
      }
    }
    return true
  }

  /// Returns the offset in the document for an offset in `bytes`, which must be in the given piece.
  func sourceOffset(at position: Int, pieceIndex: Int) -> UInt32 {
    guard pieces.indices.contains(pieceIndex) else { return pieces.last?.sourceOffset ?? 0 }
    let start = pieceIndex > 0 ? pieces[pieceIndex - 1].end : 0
    return pieces[pieceIndex].sourceOffset
      + (pieces[pieceIndex].isVerbatim ? UInt32(position - start) : 0)
  }

  /// Returns the offset in the document of the byte at an offset in `bytes`, which must be in the
  /// given piece; nil if the piece is not part of the document.
  func verbatimSourceOffset(at position: Int, pieceIndex: Int) -> UInt32? {
    pieces[pieceIndex].isVerbatim ? sourceOffset(at: position, pieceIndex: pieceIndex) : nil
  }

  /// Returns how the text is divided at the end of a line: with a hyphen, without its white space,
  /// or unchanged.
  func wrap(after segment: LineBreaker.Segment) -> PageLayout.Wrap {
    if segment.isForced { return .none }
    if segment.isHyphenated { return .hyphen }
    let line = bytes[segment.range]
    // The line writer also removes a space that is shown for a no-break space.
    let endsWithSpace =
      mayHaveInvisibles
      && (line.suffix(2) == [0xC2, 0xA0] || line.suffix(3) == [0xE2, 0x80, 0xAF])
    return segment.nextLineStart > segment.range.upperBound || endsWithSpace ? .space : .none
  }

  /// Returns whether the text may contain a no-break space, soft hyphen, zero-width space, line or
  /// paragraph separator, word joiner or byte order mark.
  private static func mayContainInvisibles(_ text: [UInt8], _ range: Range<Int>) -> Bool {
    for index in range.dropLast() {
      let byte = text[index]
      guard byte >= 0xC2 else { continue }
      let next = text[index + 1]
      if byte == 0xC2 && (next == 0xA0 || next == 0xAD) || byte == 0xE2 && (next | 1) == 0x81
        || byte == 0xEF && next == 0xBB
      {
        if byte != 0xE2 || invisibleCharacter(in: text, at: index) != nil { return true }
      }
    }
    return false
  }

  /// Returns the length in bytes of an invisible character at an offset, and its replacement; nil
  /// for other characters.
  static func invisibleCharacter(in text: [UInt8], at index: Int) -> (
    length: Int, replacement: String
  )? {
    switch text[index] {
    case 0xC2 where index + 1 < text.count:
      if text[index + 1] == 0xA0 { return (2, " ") }
      return text[index + 1] == 0xAD ? (2, "") : nil
    case 0xE2 where index + 2 < text.count:
      switch (text[index + 1], text[index + 2]) {
      case (0x80, 0x8B), (0x80, 0xA8), (0x80, 0xA9), (0x81, 0xA0): return (3, "")
      case (0x80, 0xAF): return (3, " ")
      default: return nil
      }
    case 0xEF where index + 2 < text.count:
      return text[index + 1] == 0xBB && text[index + 2] == 0xBF ? (3, "") : nil
    default: return nil
    }
  }
}
