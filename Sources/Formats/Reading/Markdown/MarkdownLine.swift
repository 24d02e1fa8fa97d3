import Document
import DOM

/// The rest of a line of Markdown, with functions that recognize what it begins with.
struct MarkdownLine {
  private let text: [UInt8]
  private let end: Int
  /// The index of the first remaining byte, including white space.
  private var start: Int
  /// The column of `start`, used to expand tabs.
  private var column = 0
  /// The remaining columns of a partly consumed tab.
  private var remainingTabColumns = 0

  init(_ text: [UInt8], _ range: Range<Int>) {
    self.text = text
    start = range.lowerBound
    end = range.upperBound
  }

  /// The index of the first byte that is not a space or tab.
  private var contentStart: Int {
    var index = start
    while index < end, text[index] == 0x20 || text[index] == 0x09 { index += 1 }
    return index
  }

  /// The number of columns of white space before the text; tab stops are 4 columns apart.
  var indent: Int {
    var columns = remainingTabColumns
    var position = column
    for byte in text[start..<end] {
      guard byte == 0x20 || byte == 0x09 else { break }
      let width = byte == 0x09 ? 4 - position % 4 : 1
      columns += width
      position += width
    }
    return columns
  }

  var isBlank: Bool { contentStart == end }

  /// The range of the rest of the line.
  var rest: Range<Int> { start..<end }

  /// The range of the rest of the line, without leading white space.
  var content: Range<Int> { contentStart..<end }

  /// Consumes columns of white space.
  mutating func consume(columns: Int) {
    var left = columns
    while left > 0, start < end {
      if remainingTabColumns > 0 {
        let taken = min(remainingTabColumns, left)
        remainingTabColumns -= taken
        left -= taken
        continue
      }
      guard text[start] == 0x20 || text[start] == 0x09 else { return }
      let width = text[start] == 0x09 ? 4 - column % 4 : 1
      start += 1
      column += width
      if width > left { remainingTabColumns = width - left }
      left -= min(width, left)
    }
  }

  private mutating func advance(to position: Int) {
    while start < position {
      column += text[start] == 0x09 ? 4 - column % 4 : 1
      start += 1
    }
    remainingTabColumns = 0
  }

  package func contains(_ marker: StaticString) -> Bool { text.contains(marker, in: start..<end) }

  // MARK: Containers

  /// Consumes the marker of a quotation and the space after it. Returns false if there is no
  /// marker.
  mutating func consumeQuoteMarker() -> Bool {
    let first = contentStart
    guard first < end, text[first] == UInt8(ascii: ">") else { return false }
    advance(to: first + 1)
    consume(columns: 1)
    return true
  }

  /// Consumes the first line of an alert (GitHub, GitLab) or a callout (Obsidian): `[!NOTE]` or
  /// `[!tip]- A title`.
  /// - Returns: The kind as a title, such as "Note", and the range of the title of the alert, which
  ///   is empty if there is none; nil if the line does not begin an alert.
  mutating func consumeAlert() -> (name: String, title: Range<Int>)? {
    guard trimmed.starts(with: "[!".utf8) else { return nil }
    var rest = trimmed.dropFirst(2)
    guard let name = MarkdownAdmonition.consumeName(&rest) else { return nil }
    // Obsidian has metadata after a bar.
    if rest.first == UInt8(ascii: "|") { rest = rest.drop { $0 != UInt8(ascii: "]") } }
    guard rest.first == UInt8(ascii: "]") else { return nil }
    rest = rest.dropFirst()
    if let sign = rest.first, "+-".utf8.contains(sign) { rest = rest.dropFirst() }
    guard rest.first?.isWhiteSpace ?? true else { return nil }
    let title = rest.drop(while: \.isWhiteSpace)
    advance(to: end)
    return (MarkdownAdmonition.capitalized(name.lowercased()), title.startIndex..<title.endIndex)
  }

  /// Consumes the label of a footnote: `[^name]:`.
  /// - Returns: The range of the name; nil if the line has no such label.
  mutating func consumeFootnoteLabel() -> Range<Int>? {
    let first = contentStart
    guard text[first..<end].starts(with: "[^".utf8) else { return nil }
    let name = text[(first + 2)..<end].prefix(MarkdownLinkDefinitions.maxLabelLength)
      .prefix { $0 > 0x20 && $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: "[") }
    guard !name.isEmpty, text[name.endIndex..<end].starts(with: "]:".utf8) else { return nil }
    advance(to: name.endIndex + 2)
    while start < end, text[start] == 0x20 || text[start] == 0x09 { advance(to: start + 1) }
    return name.startIndex..<name.endIndex
  }

  /// Consumes the marker of a definition: a colon before white space and text.
  /// - Returns: The column of the text, at most 4; nil if the line has no such marker.
  mutating func consumeDefinitionMarker() -> Int? {
    let first = contentStart
    guard first + 1 < end, text[first] == UInt8(ascii: ":"), text[first + 1].isWhiteSpace else {
      return nil
    }
    var rest = self
    rest.advance(to: first + 1)
    let spaces = rest.indent
    guard !rest.isBlank else { return nil }
    rest.consume(columns: spaces)
    defer { self = rest }
    return min(4, indent + 1 + spaces)
  }

  /// The part of a `$$` formula that a line holds.
  enum FormulaExtent {
    /// The opening delimiter, or the closing one followed by text.
    case partial
    /// The whole formula, or the closing delimiter at the end of the line.
    case complete
  }

  /// The part of a displayed formula that begins on the line; nil if none does.
  var formulaStart: FormulaExtent? {
    let content = trimmed
    guard content.starts(with: "$$".utf8) else { return nil }
    let rest = content.dropFirst(2)
    guard let close = Self.doubleDollarIndex(in: rest) else { return .partial }
    return close == rest.endIndex - 2 && close > rest.startIndex ? .complete : nil
  }

  /// The part of a displayed formula that ends on the line; nil if none does.
  var formulaEnd: FormulaExtent? {
    let content = trimmed
    return Self.doubleDollarIndex(in: content).map {
      $0 == content.endIndex - 2 ? .complete : .partial
    }
  }

  /// Consumes the marker of an admonition, which is the whole line.
  /// - Returns: The admonition; nil if the line does not begin one.
  mutating func consumeAdmonition() -> MarkdownAdmonition? {
    guard let admonition = MarkdownAdmonition(trimmed) else { return nil }
    advance(to: end)
    return admonition
  }

  /// The number of colons if the line consists of at least three colons, which end an admonition;
  /// otherwise nil.
  var closingColonCount: Int? {
    let content = trimmed
    let isClosing = content.count >= 3 && content.allSatisfy { $0 == UInt8(ascii: ":") }
    return isClosing ? content.count : nil
  }

  private var trimmed: ArraySlice<UInt8> {
    var content = text[contentStart..<end]
    while let last = content.last, last.isWhiteSpace { content.removeLast() }
    return content
  }

  private static func doubleDollarIndex(in text: ArraySlice<UInt8>) -> Int? {
    let dollar = UInt8(ascii: "$")
    return text.indices.first { index in
      text[index] == dollar && index + 1 < text.endIndex && text[index + 1] == dollar
        && (index == text.startIndex || text[index - 1] != UInt8(ascii: "\\"))
    }
  }

  /// The marker of a list item.
  struct ItemMarker {
    /// The bullet, or the delimiter after the number.
    var marker: UInt8
    /// The number of the item; nil if it has a bullet.
    var number: Int?
    /// The column at which the content of the item begins.
    var contentColumn: Int
  }

  /// Consumes the marker of a list item and the space after it.
  /// - Parameter interruptsParagraph: Whether the item would interrupt a paragraph: then it must
  ///   not be empty, and a number must be 1.
  /// - Returns: The marker; nil if there is none.
  mutating func consumeItemMarker(interruptsParagraph: Bool) -> ItemMarker? {
    let first = contentStart
    guard first < end else { return nil }
    var position = first
    var number: Int?
    while position < end, text[position].isDigit, position - first < 9 {
      number = (number ?? 0) * 10 + Int(text[position] - 0x30)
      position += 1
    }
    guard position < end else { return nil }
    let marker = text[position]
    let isBullet = number == nil && "-+*".utf8.contains(marker)
    guard isBullet || number != nil && ".)".utf8.contains(marker) else { return nil }
    position += 1
    guard position == end || text[position] == 0x20 || text[position] == 0x09 else { return nil }
    var lineAfterMarker = self
    let indent = indent
    lineAfterMarker.advance(to: position)
    if interruptsParagraph, lineAfterMarker.isBlank || number.map({ $0 != 1 }) == true {
      return nil
    }
    let spaceCount = lineAfterMarker.indent
    let isCode = spaceCount > 4 || lineAfterMarker.isBlank
    lineAfterMarker.consume(columns: isCode ? 1 : spaceCount)
    self = lineAfterMarker
    return ItemMarker(
      marker: marker, number: number,
      contentColumn: indent + position - first + (isCode ? 1 : spaceCount))
  }

  /// Consumes the checkbox of a task list item.
  /// - Returns: Whether it is checked; nil if there is none.
  mutating func consumeTaskCheckbox() -> Bool? {
    guard start + 3 < end, text[start] == UInt8(ascii: "["), text[start + 2] == UInt8(ascii: "]"),
      text[start + 3] == 0x20
    else { return nil }
    let marker = text[start + 1]
    guard marker == 0x20 || marker.lowercased == UInt8(ascii: "x") else { return nil }
    advance(to: start + 4)
    return marker != 0x20
  }

  // MARK: Leaves

  /// The level and text range of an ATX heading (`#`); nil if the line is not one.
  var heading: (level: Int, content: Range<Int>)? {
    let first = contentStart
    var position = first
    while position < end, text[position] == UInt8(ascii: "#") { position += 1 }
    let level = position - first
    guard (1...6).contains(level),
      position == end || text[position] == 0x20 || text[position] == 0x09
    else {
      return nil
    }
    var last = end
    while last > position, text[last - 1].isWhiteSpace { last -= 1 }
    var marker = last
    while marker > position, text[marker - 1] == UInt8(ascii: "#") { marker -= 1 }
    if marker < last, marker == position || text[marker - 1].isWhiteSpace { last = marker }
    while last > position, text[last - 1].isWhiteSpace { last -= 1 }
    while position < last, text[position].isWhiteSpace { position += 1 }
    return (level, position..<last)
  }

  /// The level of the setext heading that the line would underline; nil if the line is not an
  /// underline.
  var setextLevel: Int? {
    let first = contentStart
    guard indent < 4, first < end, text[first] == UInt8(ascii: "=") || text[first] == 0x2D else {
      return nil
    }
    let marker = text[first]
    var last = end
    while last > first, text[last - 1].isWhiteSpace { last -= 1 }
    return text[first..<last].allSatisfy { $0 == marker }
      ? (marker == UInt8(ascii: "=") ? 1 : 2) : nil
  }

  /// Whether the line is only an attribute list of kramdown, which belongs to the block before it.
  var isAttributeList: Bool {
    let start = contentStart
    guard start < end, text[start] == UInt8(ascii: "{"), indent < 4,
      let after = MarkdownAttributes.end(in: text, at: start, limit: end, needsColon: true)
    else { return false }
    return text[after..<end].allSatisfy(\.isWhiteSpace)
  }

  /// Whether the line is a thematic break: at least three `*`, `-` or `_`.
  var isRule: Bool {
    let first = contentStart
    guard indent < 4, first < end, "*-_".utf8.contains(text[first]) else { return false }
    let marker = text[first]
    var count = 0
    for byte in text[first..<end] {
      if byte == marker { count += 1 } else if !byte.isWhiteSpace { return false }
    }
    return count >= 3
  }

  /// The opening fence of a code block; nil if the line is not one.
  var openingFence: (mark: UInt8, length: Int, language: Range<Int>)? {
    let first = contentStart
    guard first < end, text[first] == UInt8(ascii: "`") || text[first] == UInt8(ascii: "~") else {
      return nil
    }
    let marker = text[first]
    var position = first
    while position < end, text[position] == marker { position += 1 }
    let length = position - first
    guard length >= 3, marker != UInt8(ascii: "`") || !text[position..<end].contains(marker) else {
      return nil
    }
    while position < end, text[position].isWhiteSpace { position += 1 }
    var last = position
    while last < end, !text[last].isWhiteSpace, text[last] != UInt8(ascii: "{") { last += 1 }
    return (marker, length, position..<last)
  }

  /// Returns whether the line closes a code block whose opening fence has the given character and
  /// length.
  func closesFence(_ marker: UInt8, _ length: Int) -> Bool {
    guard indent < 4 else { return false }
    var position = contentStart
    let start = position
    while position < end, text[position] == marker { position += 1 }
    return position - start >= length && text[position..<end].allSatisfy(\.isWhiteSpace)
  }

  /// Whether the line begins a block that ends a table.
  var endsTable: Bool {
    var line = self
    return heading != nil || openingFence != nil || isRule || line.consumeQuoteMarker()
      || line.consumeItemMarker(interruptsParagraph: true) != nil
      || htmlBlockEnd(interruptsParagraph: true) != nil
  }

  // MARK: Tables

  /// The column alignments of a delimiter row such as `--- | :-:`; nil if the line is not one.
  var tableAlignments: [String]? {
    guard indent < 4, text[contentStart..<end].contains(0x2D),
      text[contentStart..<end].contains(where: {
        $0 == UInt8(ascii: "|") || $0 == UInt8(ascii: ":")
      })
    else { return nil }
    var result: [String] = []
    for cell in cellRanges {
      guard !cell.isEmpty else { return nil }
      let isLeft = text[cell.lowerBound] == UInt8(ascii: ":")
      let isRight = text[cell.upperBound - 1] == UInt8(ascii: ":")
      let dashes = text[cell].dropFirst(isLeft ? 1 : 0).dropLast(isRight ? 1 : 0)
      guard !dashes.isEmpty, dashes.allSatisfy({ $0 == 0x2D }), result.count < 300 else {
        return nil
      }
      result.append(isLeft && isRight ? "center" : isRight ? "right" : isLeft ? "left" : "")
    }
    return result.isEmpty ? nil : result
  }

  /// The ranges of the cells of a row.
  var cellRanges: [Range<Int>] {
    var result: [Range<Int>] = []
    var last = end
    while last > start, text[last - 1].isWhiteSpace { last -= 1 }
    var position = contentStart
    if position < last, text[position] == UInt8(ascii: "|") { position += 1 }
    while position < last {
      var bar = position
      while bar < last, text[bar] != UInt8(ascii: "|") {
        bar += text[bar] == UInt8(ascii: "\\") ? 2 : 1
      }
      bar = min(bar, last)
      var (from, to) = (position, bar)
      while from < to, text[from].isWhiteSpace { from += 1 }
      while to > from, text[to - 1].isWhiteSpace { to -= 1 }
      result.append(from..<to)
      position = bar + 1
    }
    return result
  }

  /// Whether the line is a border of a table that is drawn with characters, such as `+---+---+`
  /// (Pandoc, and the output of databases).
  var isGridBorder: Bool {
    let content = trimmed
    let corner = UInt8(ascii: "+")
    return content.count >= 3 && content.first == corner && content.last == corner
      && content.contains { $0 != corner } && content.allSatisfy { "+-=:".utf8.contains($0) }
  }

  /// Whether the line is part of a table that is drawn with characters.
  var isGridRow: Bool {
    let first = contentStart
    return first < end && (text[first] == UInt8(ascii: "|") || text[first] == UInt8(ascii: "+"))
  }

  /// Whether the line has at least two groups of two or more dashes, which mark the columns of a
  /// table, and nothing else.
  var isColumnBorder: Bool {
    guard contentStart < end, text[contentStart] == UInt8(ascii: "-") else { return false }
    let groups = text[contentStart..<end].split(whereSeparator: \.isWhiteSpace)
    return groups.count > 1
      && groups.allSatisfy { $0.count > 1 && $0.allSatisfy { $0 == UInt8(ascii: "-") } }
  }

  /// Whether the next line of the text is not blank.
  var isBeforeText: Bool {
    let rest = text[end...]
    let isReturn = rest.first == 0x0D
    let next = rest.dropFirst(isReturn && rest.dropFirst().first == 0x0A ? 2 : 1)
    return next.first { $0 != 0x20 && $0 != 0x09 }.map { $0 != 0x0A && $0 != 0x0D } ?? false
  }

  /// The white space at the start of the previous line of the text, without its first n bytes if n
  /// bytes of this line have been consumed.
  var indentOfPreviousLine: ArraySlice<UInt8> {
    let isBreak = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
    let ownStart = text[..<start].lastIndex(where: isBreak).map { $0 + 1 } ?? 0
    let consumedCount = start - ownStart
    let hasPair = text[..<ownStart].suffix(2).elementsEqual([0x0D, 0x0A])
    let previous = text[..<ownStart].dropLast(hasPair ? 2 : 1)
    let lineStart = previous.lastIndex(where: isBreak).map { $0 + 1 } ?? previous.startIndex
    let indent = previous[lineStart...].prefix { $0 == 0x20 || $0 == 0x09 }
    return indent.dropFirst(consumedCount)
  }

  // MARK: HTML

  /// Returns the end condition of the HTML block that begins here: a delimiter, or `.some(nil)` for
  /// a blank line; nil if no HTML block begins here (CommonMark, section 4.6).
  func htmlBlockEnd(interruptsParagraph: Bool) -> StaticString?? {
    let first = contentStart
    guard first + 1 < end, text[first] == UInt8(ascii: "<") else { return nil }
    if text[first...].starts(with: "<!--".utf8) { return .some("-->") }
    switch text[first + 1] {
    case UInt8(ascii: "?"): return .some("?>")
    case UInt8(ascii: "!"):
      if text[first..<end].starts(with: "<![CDATA[".utf8) { return .some("]]>") }
      return first + 2 < end && text[first + 2].isLetter ? .some(">") : nil
    default: break
    }
    let isEnd = text[first + 1] == UInt8(ascii: "/")
    let name = text[(first + (isEnd ? 2 : 1))..<end].prefix { $0.isLetter || $0.isDigit }
    guard !name.isEmpty, name.count <= 12 else { return nil }
    let word = String(decoding: name.map(\.lowercased), as: UTF8.self)
    let byteAfterName = name.endIndex < end ? text[name.endIndex] : 0x20
    guard
      byteAfterName.isWhiteSpace || byteAfterName == UInt8(ascii: ">")
        || byteAfterName == UInt8(ascii: "/")
    else {
      return nil
    }
    if !isEnd, byteAfterName != UInt8(ascii: "/"), let tag = Self.literalEndTag(of: word) {
      return .some(tag)
    }
    if Array(word.utf8).withUnsafeBufferPointer({ ElementName.named($0) }).isBlock {
      return .some(nil)
    }
    // Any other tag alone on a line.
    guard !interruptsParagraph, let tagEnd = MarkdownTag.end(in: text, at: first, limit: end) else {
      return nil
    }
    return text[tagEnd..<end].allSatisfy(\.isWhiteSpace) ? .some(nil) : nil
  }

  /// Returns the end tag of an element in which blank lines do not end an HTML block; nil for other
  /// elements.
  private static func literalEndTag(of name: String) -> StaticString? {
    switch name {
    case "pre": "</pre>"
    case "script": "</script>"
    case "style": "</style>"
    case "textarea": "</textarea>"
    default: nil
    }
  }
}
