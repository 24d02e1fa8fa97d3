import Document
import DOM

/// Parses the inline content of a Markdown block: emphasis, code, links, images (CommonMark 0.31,
/// appendix "A parsing strategy", phase 2).
///
/// The text is split into pieces in one pass, which also records delimiter runs and brackets; tags
/// are attached before and after pieces when these match.
struct MarkdownInlines {
  /// A range of the source text, with the tags that are written around it.
  struct Piece {
    var range: Range<Int>
    var kind: Kind
    /// The tags before the text of the piece.
    var tagsBefore: [UInt8] = []
    /// The tags after the text of the piece.
    var tagsAfter: [UInt8] = []
    /// The elements of emphasis that begin after the piece, the innermost first.
    var openedElements: [MarkdownEmphasis.Element] = []

    enum Kind {
      case text, code, html
      /// An emoji in place of its name.
      case emoji([UInt8])
      /// TeX between `$`.
      case formula(isDisplayed: Bool)
      /// Text that is omitted from the output, such as the brackets of a link. The tags before and
      /// after it are written.
      case hidden
      case lineBreak
    }
  }

  /// A bracket that may begin a link or image.
  private struct Bracket {
    /// The index of the piece that consists of the bracket.
    var pieceIndex: Int
    var isImage: Bool
    /// The number of delimiter runs before the bracket.
    var delimiterRunCount: Int
    /// The index after the bracket.
    var start: Int
  }

  let text: [UInt8]
  private let start: Int
  private let end: Int
  private var index: Int
  private let definitions: MarkdownLinkDefinitions
  private var footnotes: MarkdownFootnotes
  var pieces: [Piece] = []
  var emphasis = MarkdownEmphasis()
  private var brackets: [Bracket] = []
  /// Brackets with an index below this enclose a link, so they cannot be links themselves.
  private var minLinkBracketIndex = 0
  /// The start of the text that is not in a piece yet.
  private var textStart: Int
  /// The start of the last run of backticks of each length; computed when the first run is read.
  private lazy var lastBacktickRuns = findLastBacktickRuns()
  private var formulas = MarkdownFormulas()
  private var inlineNotes = MarkdownInlineNotes()
  /// Whether notes within the text are read; not in the text of such a note.
  private let readsInlineNotes: Bool
  private var sections = MarkdownHTMLSections()
  /// The index of the next `>`, if already searched.
  private var nextAngleIndex = -1

  /// Maximum length of an autolink or tag in bytes; longer ones are text.
  private static let maxTagLength = 2048

  private init(
    _ text: [UInt8], _ range: Range<Int>, _ definitions: MarkdownLinkDefinitions,
    _ notes: MarkdownFootnotes, readsInlineNotes: Bool
  ) {
    self.text = text
    self.readsInlineNotes = readsInlineNotes
    self.footnotes = notes
    self.definitions = definitions
    start = range.lowerBound
    index = range.lowerBound
    textStart = range.lowerBound
    end = range.upperBound
  }

  /// Writes the HTML of a text, or of a note within a text (`isInlineNote`).
  static func write(
    _ text: [UInt8], _ range: Range<Int>, _ definitions: MarkdownLinkDefinitions,
    _ notes: inout MarkdownFootnotes, isInlineNote: Bool = false, to writer: inout HTMLWriter
  ) {
    var inlines = MarkdownInlines(
      text, range, definitions, notes, readsInlineNotes: !isInlineNote)
    notes = MarkdownFootnotes()
    inlines.read()
    notes = inlines.footnotes
    for piece in inlines.pieces {
      writer.write(piece.tagsBefore)
      switch piece.kind {
      case .text: writer.writeEscaped(text, piece.range, keepsReferences: true)
      case .code:
        writer.write("<code>")
        writer.writeEscaped(text, piece.range)
        writer.write("</code>")
      case .html: writer.writeFiltered(text, piece.range)
      case .emoji(let emoji): writer.write(emoji)
      case .formula(let isDisplay):
        writer.writeFormula(text, piece.range, isDisplayed: isDisplay)
      case .hidden: break
      case .lineBreak: writer.write("<br>\n")
      }
      for element in piece.openedElements.reversed() { writer.write(element.startTag) }
      writer.write(piece.tagsAfter)
    }
  }

  private mutating func read() {
    while index < end {
      switch text[index] {
      case UInt8(ascii: "\\"): readBackslash()
      case UInt8(ascii: "`"): readCode()
      case UInt8(ascii: "*"), UInt8(ascii: "_"): readDelimiters()
      case UInt8(ascii: "~"), UInt8(ascii: "^"): readScript()
      case UInt8(ascii: "=") where index + 1 < end && text[index + 1] == text[index]:
        readDelimiters()
      case UInt8(ascii: "!") where index + 1 < end && text[index + 1] == UInt8(ascii: "["):
        openBracket(isImage: true)
      case UInt8(ascii: "["): openBracket(isImage: false)
      case UInt8(ascii: "$"): readFormula()
      case UInt8(ascii: ":"): readEmoji()
      case UInt8(ascii: "]"): closeBracket()
      case UInt8(ascii: "<"): readAngle()
      case 0x0A: readLineEnd()
      case UInt8(ascii: "h"), UInt8(ascii: "H"): parseURL()
      case UInt8(ascii: "w"), UInt8(ascii: "W"): parseHost()
      default: index += 1
      }
    }
    flush(to: end)
    emphasis.match(from: 0, &pieces)
  }

  /// Appends the text up to an index as a piece.
  private mutating func flush(to position: Int) {
    if position > textStart { pieces.append(Piece(range: textStart..<position, kind: .text)) }
    textStart = position
  }

  private mutating func add(_ range: Range<Int>, _ kind: Piece.Kind, upTo next: Int) {
    pieces.append(Piece(range: range, kind: kind))
    index = next
    textStart = next
  }

  // MARK: Text

  private mutating func readBackslash() {
    guard index + 1 < end else {
      index += 1
      return
    }
    let next = text[index + 1]
    if next == 0x0A {
      flush(to: index)
      add(index..<index, .lineBreak, upTo: index + 2)
    } else if next.isPunctuation {
      flush(to: index)
      textStart = index + 1
      // An escaped ampersand does not begin a character reference.
      if next == UInt8(ascii: "&") {
        pieces.append(Piece(range: index..<index, kind: .hidden, tagsAfter: Array("&amp;".utf8)))
        textStart = index + 2
      }
      index += 2
    } else {
      index += 1
    }
  }

  /// Reads the name of an emoji, such as `:rocket:`.
  private mutating func readEmoji() {
    guard let (emoji, nameEnd) = MarkdownEmoji.emoji(in: text[start..<end], at: index) else {
      index += 1
      return
    }
    flush(to: index)
    add(index..<nameEnd, .emoji(Array(emoji.utf8)), upTo: nameEnd)
  }

  private mutating func readLineEnd() {
    var last = index
    while last > textStart, text[last - 1] == 0x20 { last -= 1 }
    if index - last >= 2 {
      flush(to: last)
      add(last..<last, .lineBreak, upTo: index + 1)
    } else {
      index += 1
    }
  }

  private mutating func readCode() {
    let start = endOfBackticks(at: index)
    let length = start - index
    guard let last = lastBacktickRuns[length], last >= start else {
      index = start
      return
    }
    let close = closingBacktickIndex(length, from: start, upTo: last)
    flush(to: index)
    var content = start..<close
    // A space on each side separates the content from the backticks.
    if content.count > 2, text[content.lowerBound].isWhiteSpace,
      text[content.upperBound - 1].isWhiteSpace,
      text[content].contains(where: { !$0.isWhiteSpace })
    {
      content = content.dropFirst().dropLast()
    }
    add(content, .code, upTo: close + length)
    skipAttributes()
  }

  /// Returns the start of the next run of backticks with the given length; `last` is the start of
  /// the last such run.
  private func closingBacktickIndex(_ runLength: Int, from start: Int, upTo last: Int) -> Int {
    var position = start
    while position < last, let tick = text[position..<last].firstIndex(of: UInt8(ascii: "`")) {
      position = endOfBackticks(at: tick)
      if position - tick == runLength { return tick }
    }
    return last
  }

  private func endOfBackticks(at start: Int) -> Int {
    var after = start
    while after < end, text[after] == UInt8(ascii: "`") { after += 1 }
    return after
  }

  private func findLastBacktickRuns() -> [Int: Int] {
    var found: [Int: Int] = [:]
    var position = index
    while let tick = text[position..<end].firstIndex(of: UInt8(ascii: "`")) {
      position = endOfBackticks(at: tick)
      found[position - tick] = tick
    }
    return found
  }

  private mutating func readDelimiters() {
    let marker = text[index]
    var after = index
    while after < end, text[after] == marker { after += 1 }
    let count = after - index
    flush(to: index)
    // Strikethrough uses one or two tildes, and marked text two equals signs.
    let isDelimiter =
      switch marker {
      case UInt8(ascii: "~"): count <= 2
      case UInt8(ascii: "="): count == 2
      default: true
      }
    if isDelimiter {
      emphasis.add(
        marker: marker, count: count, pieceIndex: pieces.count,
        before: characterClass(before: index), after: characterClass(at: after))
    }
    add(index..<after, .text, upTo: after)
    // Attribute lists without a colon (Pandoc) follow only brackets and code.
    skipAttributes(needsColon: true)
  }

  /// Reads a subscript, a superscript or a note within the text, and else a delimiter run.
  private mutating func readScript() {
    if let script = MarkdownScript(text, at: index, in: start..<end) {
      flush(to: index)
      add(script.content, .text, upTo: script.content.upperBound + 1)
      pieces[pieces.count - 1].tagsBefore = Array("<\(script.element)>".utf8)
      pieces[pieces.count - 1].tagsAfter = Array("</\(script.element)>".utf8)
    } else if text[index] == UInt8(ascii: "~") {
      readDelimiters()
    } else if readsInlineNotes,
      let note = inlineNotes.note(in: text, at: index, of: start..<end)
    {
      flush(to: index)
      add(index..<index, .hidden, upTo: note.upperBound + 1)
      pieces[pieces.count - 1].tagsAfter = Array(footnotes.reference(toNote: note).utf8)
    } else {
      index += 1
    }
  }

  /// Returns the class of the character before an index. The text before the range of these inlines
  /// belongs to another block.
  private func characterClass(before position: Int) -> MarkdownEmphasis.CharacterClass {
    guard position > start else { return .space }
    let byte = text[position - 1]
    return byte.isWhiteSpace ? .space : byte.isPunctuation ? .punctuation : .letter
  }

  private func characterClass(at position: Int) -> MarkdownEmphasis.CharacterClass {
    guard position < end else { return .space }
    let byte = text[position]
    return byte.isWhiteSpace ? .space : byte.isPunctuation ? .punctuation : .letter
  }

  // MARK: Links

  private mutating func openBracket(isImage: Bool) {
    flush(to: index)
    let after = index + (isImage ? 2 : 1)
    brackets.append(
      Bracket(
        pieceIndex: pieces.count, isImage: isImage, delimiterRunCount: emphasis.count, start: after)
    )
    add(index..<after, .text, upTo: after)
  }

  private mutating func closeBracket() {
    flush(to: index)
    let position = index
    add(position..<position + 1, .text, upTo: position + 1)
    guard let bracket = brackets.popLast() else { return }
    let isInLink = !bracket.isImage && brackets.count < minLinkBracketIndex
    minLinkBracketIndex = min(minLinkBracketIndex, brackets.count)
    if addFootnoteReference(bracket, endingAt: position) { return }
    if definitions.linksPageNames, addPageLink(bracket, endingAt: position) { return }
    guard !isInLink, let (target, next) = linkTarget(of: bracket, endingAt: position) else {
      if !bracket.isImage, skipAttributes() {
        // The text is a span with attributes, so its brackets are not shown.
        pieces[bracket.pieceIndex].kind = .hidden
        pieces[pieces.count - 1].kind = .hidden
      }
      return
    }
    let closingPieceIndex = pieces.count - 1
    emphasis.match(from: bracket.delimiterRunCount, &pieces)
    var tagWriter = HTMLWriter()
    if bracket.isImage {
      beginImage(bracket, target, closingPieceIndex, &tagWriter)
    } else {
      pieces[bracket.pieceIndex].kind = .hidden
      pieces[closingPieceIndex].kind = .hidden
      pieces[closingPieceIndex].tagsAfter = Array("</a>".utf8)
      tagWriter.writeAttribute("<a href=\"", target.destination)
      // The open brackets around this link cannot be links.
      minLinkBracketIndex = brackets.count
    }
    if !target.title.isEmpty {
      tagWriter.writeAttribute("\" title=\"", target.title)
    }
    tagWriter.write("\">")
    pieces[bracket.pieceIndex].tagsBefore = tagWriter.bytes
    index = next
    textStart = next
    skipAttributes()
  }

  /// Replaces the text in the brackets of an image by its tag, and begins to write that.
  private mutating func beginImage(
    _ bracket: Bracket, _ target: MarkdownLinkDefinitions.LinkTarget, _ closingPieceIndex: Int,
    _ tagWriter: inout HTMLWriter
  ) {
    let plainContent = plainText(bracket.pieceIndex + 1..<closingPieceIndex)
    pieces.removeSubrange((bracket.pieceIndex + 1)...)
    pieces[bracket.pieceIndex].kind = .hidden
    tagWriter.writeAttribute("<img src=\"", target.destination)
    let isDescribed = plainContent.contains { !$0.isWhiteSpace }
    let alternativeText = isDescribed ? plainContent : target.undescribedImageName
    if !alternativeText.isEmpty {
      tagWriter.writeAttribute("\" alt=\"", alternativeText)
    }
  }

  /// Skips an attribute list that follows an element directly.
  /// - Parameter needsColon: Whether only lists with a colon after the brace count.
  /// - Returns: Whether there is one.
  @discardableResult
  private mutating func skipAttributes(needsColon: Bool = false) -> Bool {
    guard
      let next = MarkdownAttributes.end(in: text, at: index, limit: end, needsColon: needsColon)
    else { return false }
    index = next
    textStart = next
    return true
  }

  /// Replaces the text in brackets by a footnote reference. Returns false if there is no footnote
  /// with that name.
  private mutating func addFootnoteReference(_ bracket: Bracket, endingAt position: Int) -> Bool {
    guard position > bracket.start + 1, text[bracket.start] == UInt8(ascii: "^"),
      position - bracket.start <= MarkdownLinkDefinitions.maxLabelLength,
      let marker = footnotes.reference(
        of: MarkdownLinkDefinitions.normalizedLabel(text[(bracket.start + 1)..<position]))
    else { return false }
    emphasis.match(from: bracket.delimiterRunCount, &pieces)
    pieces.removeSubrange((bracket.pieceIndex + 1)...)
    // An exclamation mark before it is literal.
    pieces[bracket.pieceIndex].range =
      bracket.isImage ? bracket.start - 2..<bracket.start - 1 : bracket.start..<bracket.start
    pieces[bracket.pieceIndex].tagsAfter = Array(marker.utf8)
    return true
  }

  /// Replaces the text in double brackets by a link to a page of the collection. Returns false if
  /// the text is not in double brackets.
  private mutating func addPageLink(_ bracket: Bracket, endingAt position: Int) -> Bool {
    guard !bracket.isImage, let outerBracket = brackets.last,
      outerBracket.start == bracket.start - 1,
      text[(position + 1)..<end].first == UInt8(ascii: "]"),
      !(text[(position + 2)..<end].first.map { "([".utf8.contains($0) } ?? false),
      let link = MarkdownPageLink(text, bracket.start..<position)
    else { return false }
    brackets.removeLast()
    emphasis.match(from: outerBracket.delimiterRunCount, &pieces)
    pieces.removeSubrange((outerBracket.pieceIndex + 1)...)
    var tagWriter = HTMLWriter()
    if outerBracket.isImage, link.isImage {
      tagWriter.write("<img src=\"")
      tagWriter.write(link.destination)
      tagWriter.write("\" alt=\"")
      tagWriter.writeEscaped(text, link.text)
      tagWriter.write("\">")
      pieces[outerBracket.pieceIndex].kind = .hidden
      minLinkBracketIndex = min(minLinkBracketIndex, brackets.count)
    } else {
      tagWriter.write("<a href=\"")
      tagWriter.write(link.destination)
      tagWriter.write("\">")
      pieces[outerBracket.pieceIndex].range = link.text
      pieces[outerBracket.pieceIndex].tagsAfter = Array("</a>".utf8)
      minLinkBracketIndex = brackets.count
    }
    pieces[outerBracket.pieceIndex].tagsBefore = tagWriter.bytes
    index = position + 2
    textStart = index
    return true
  }

  /// Returns the target of a link or image whose text is in brackets, and the index after it; nil
  /// if the brackets are literal.
  private func linkTarget(
    of bracket: Bracket, endingAt position: Int
  ) -> (MarkdownLinkDefinitions.LinkTarget, next: Int)? {
    var reader = MarkdownLinkParser(text, position + 1..<end)
    if reader.consume(UInt8(ascii: "(")), let target = parseInlineTarget(&reader) {
      return (target, reader.index)
    }
    reader.index = position + 1
    if let label = reader.parseLabel(), !label.isEmpty {
      return definitions.target(of: text[label]).map { ($0, reader.index) }
    }
    let label = bracket.start..<position
    guard label.count <= MarkdownLinkDefinitions.maxLabelLength,
      let target = definitions.target(of: text[label])
    else { return nil }
    // `[label][]` is equivalent to `[label]`.
    let hasEmpty = text[(position + 1)..<end].starts(with: "[]".utf8)
    return (target, position + (hasEmpty ? 3 : 1))
  }

  private func parseInlineTarget(_ reader: inout MarkdownLinkParser) -> MarkdownLinkDefinitions
    .LinkTarget?
  {
    reader.skipSpace()
    if reader.consume(UInt8(ascii: ")")) { return .init(destination: [], title: []) }
    guard let destination = reader.parseDestination() else { return nil }
    let destinationEnd = reader.index
    reader.skipSpace()
    var title: [UInt8] = []
    if reader.index > destinationEnd, let text = reader.parseTitle() { title = text }
    reader.skipSpace()
    return reader.consume(UInt8(ascii: ")")) ? .init(destination: destination, title: title) : nil
  }

  // MARK: Formulas

  private mutating func readFormula() {
    guard let formula = formulas.formula(in: text, at: index, end: end) else {
      index += formulas.dollarRunLength(in: text, at: index, end: end)
      return
    }
    flush(to: index)
    add(formula.source, .formula(isDisplayed: formula.isDisplayed), upTo: formula.end)
  }

  // MARK: Autolinks and HTML

  /// Parses an autolink or tag in angle brackets.
  private mutating func readAngle() {
    let start = index
    if let section = sections.findSection(in: text, at: start, limit: end, of: Self.hiddenSections)
    {
      flush(to: start)
      index = section.end
      textStart = index
      return
    }
    if nextAngleIndex < start {
      nextAngleIndex = text[start..<end].firstIndex(of: UInt8(ascii: ">")) ?? end
    }
    let closingIndex = nextAngleIndex
    guard start + 1 < closingIndex, closingIndex < end, closingIndex - start < Self.maxTagLength
    else {
      index += 1
      return
    }
    let content = start + 1..<closingIndex
    let byteAfterBracket = text[start + 1]
    if let isMail = isEmailAddress(content) {
      flush(to: start)
      addLink(content, prefix: isMail ? "mailto:" : "", upTo: closingIndex + 1)
    } else if byteAfterBracket == UInt8(ascii: "!"), text[start + 2].isLetter {
      // A declaration.
      flush(to: start)
      index = closingIndex + 1
      textStart = index
    } else if let tagEnd = MarkdownTag.end(
      in: text, at: start, limit: min(end, start + Self.maxTagLength))
    {
      flush(to: start)
      add(start..<tagEnd, .html, upTo: tagEnd)
    } else {
      index += 1
    }
  }

  /// The sections of HTML that are left out of a paragraph.
  private static let hiddenSections: [MarkdownHTMLSections.Kind] = [
    .comment, .processingInstruction, .characterData,
  ]

  /// Parses a URL without angle brackets, unless it is in the text of a link.
  private mutating func parseURL() {
    guard brackets.isEmpty, index == 0 || !text[index - 1].isLetter && !text[index - 1].isDigit,
      let last = PlainTextURLs.endOfURL(of: text, startingAt: index, limit: end)
    else {
      index += 1
      return
    }
    flush(to: index)
    addLink(index..<last, prefix: "", upTo: last)
  }

  /// Parses a URL without a scheme that begins with `www.` (GitHub Flavored Markdown, section 6.9),
  /// unless it is in the text of a link.
  private mutating func parseHost() {
    guard brackets.isEmpty,
      index == start || PlainTextURLs.mayPrecedeHost(text[index - 1]),
      let last = PlainTextURLs.endOfHost(of: text, startingAt: index, limit: end)
    else {
      index += 1
      return
    }
    flush(to: index)
    addLink(index..<last, prefix: "http://", upTo: last)
  }

  private mutating func addLink(_ range: Range<Int>, prefix: String, upTo next: Int) {
    var tag = HTMLWriter()
    tag.write("<a href=\"" + prefix)
    tag.writeEscaped(text, range)
    tag.write("\">")
    add(range, .text, upTo: next)
    pieces[pieces.count - 1].tagsBefore = tag.bytes
    pieces[pieces.count - 1].tagsAfter = Array("</a>".utf8)
  }
}
