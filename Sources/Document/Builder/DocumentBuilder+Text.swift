import DOM

extension DocumentBuilder {
  /// Appends text of the tree with white space collapsed and control characters made harmless.
  mutating func addText(_ range: Range<Int>) {
    if inherited.keepsWhiteSpace { return addPreformattedText(range) }
    // Placeholders of images contain a no-break space.
    if !leaf.isOpen, !images.pending.isEmpty, isFiller(range) { return }
    var index = marginNumbers.deferred.isEmpty ? range.lowerBound : addRestOfWord(range)
    while index < range.upperBound {
      let byte = tree.bytes[index]
      switch TextByteClass(byte) {
      case .space where inherited.whiteSpace != .collapse:
        index = addPreLineText(from: index, to: range.upperBound)
      case .space:
        let isLineFeed = byte == 0x0A || byte == 0x0D
        leaf.hasPendingSpace = true
        leaf.insertedSpaceEnd = -1
        if isLineFeed { leaf.hasPendingLineFeed = true }
        index += 1
      case .plain:
        let end = Self.endOfPlainText(tree.bytes, from: index, to: range.upperBound)
        copy(index..<end)
        index = end
      default:
        index = addSpecialCharacter(at: index, from: range.lowerBound, end: range.upperBound)
      }
    }
  }

  /// Returns whether a line feed between the text so far and a character is removed because both
  /// sides are in scripts without spaces (CSS Text 3, section 4.1.3).
  private func removesLineFeed(at index: Int) -> Bool {
    let next = tree.bytes[index...].prefix(4)
    guard leaf.isOpen, let first = next.first, first >= 0xE2,
      document.runs.last?.image ?? -1 < 0
    else { return false }
    let length = first < 0xF0 ? 3 : 4
    guard IdeographicText.isSingleIdeograph(next.prefix(length)) else { return false }
    let text = document.text
    guard let start = text.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return false }
    return IdeographicText.isSingleIdeograph(text[start...])
  }

  /// Returns the end of text that can be copied unchanged, including single spaces between words.
  private static func endOfPlainText(_ bytes: [UInt8], from start: Int, to end: Int) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var index = bytes.endOfPlainText(from: start, to: end)
      while index < end {
        switch TextByteClass(bytes[index]) {
        case .plain: index += 1
        case .space
        where bytes[index] == 0x20 && index + 1 < end && TextByteClass(bytes[index + 1]) == .plain:
          index += 2
        case .special:
          // Most characters that are looked at are kept.
          guard !IconGlyphs.mayBeginGlyph(bytes[index]),
            case .keep(let length) = SpecialText.action(bytes, at: index, end: end)
          else { return index }
          index += length
        default: return index
        }
      }
      return index
    }
  }

  private mutating func copy(_ range: Range<Int>) {
    if leaf.hasPendingLineFeed, removesLineFeed(at: range.lowerBound) {
      leaf.hasPendingSpace = false
    }
    if leaf.insertedSpaceEnd == document.text.count, leaf.hasPendingSpace,
      tree.bytes[range].beginsWithClosingPunctuation
    {
      leaf.hasPendingSpace = false
    }
    if leaf.separatedEnd == document.text.count, leaf.isOpen, !inherited.keepsWhiteSpace,
      tree.bytes[range.lowerBound].isLetter || tree.bytes[range.lowerBound].isDigit
    {
      leaf.hasPendingSpace = true
    }
    beginText()
    document.text.append(range, of: tree.bytes)
    endText()
  }

  /// Adds a character that may be dangerous or meaningless.
  /// - Returns: The index past it.
  private mutating func addSpecialCharacter(at index: Int, from start: Int, end: Int) -> Int {
    if IconGlyphs.mayBeginGlyph(tree.bytes[index]), !inherited.keepsWhiteSpace,
      !inherited.style.contains(.code),
      let length = tree.bytes.withUnsafeBufferPointer({
        IconGlyphs.glyphLength($0, at: index, textStart: start, textEnd: end)
      })
    {
      return index + length
    }
    switch SpecialText.action(tree.bytes, at: index, end: end) {
    case .keep(let length):
      copy(index..<index + length)
      return index + length
    case .drop(let length): return index + length
    case .space(let length):
      leaf.hasPendingSpace = true
      return index + length
    case .replace(let replacement, let length):
      addSafeBytes(replacement)
      return index + length
    }
  }

  /// Separates the following text from a preceding word, if `separatesAdjacent` is true.
  mutating func separateWords() {
    if separatesAdjacent, leaf.isOpen, let last = document.text.last,
      last.isLetter || last.isDigit
    {
      leaf.separatedEnd = document.text.count
    }
  }

  /// Appends text in which white space is significant.
  private mutating func addPreformattedText(_ range: Range<Int>) {
    var index = range.lowerBound
    if !leaf.isOpen, index < range.upperBound {
      // A line break directly after `<pre>` does not count.
      if tree.bytes[index] == 0x0D { index += 1 }
      if index < range.upperBound, tree.bytes[index] == 0x0A { index += 1 }
    }
    while index < range.upperBound {
      let byte = tree.bytes[index]
      if byte == 0x0A || byte == 0x09 || TextByteClass(byte) == .plain || byte == 0x20 {
        var end = index + 1
        while end < range.upperBound {
          let next = tree.bytes[end]
          guard
            next == 0x20 || next == 0x0A || next == 0x09
              || TextByteClass(next) == .plain
          else { break }
          end += 1
        }
        copy(index..<end)
        index = end
      } else if byte == 0x0D {
        let isPair = index + 1 < range.upperBound && tree.bytes[index + 1] == 0x0A
        if !isPair { addSafeBytes([0x0A]) }
        index += 1
      } else {
        index = addSpecialCharacter(at: index, from: range.lowerBound, end: range.upperBound)
      }
    }
    leaf.hasPendingSpace = false
  }

  /// Begins a line for a block inside preformatted text.
  mutating func breakPreformattedLine() {
    if leaf.isOpen, let last = document.text.last, last != 0x0A { addSafeBytes([0x0A]) }
  }

  /// Appends text that is already safe.
  mutating func addSafeText(_ text: String) {
    addSafeBytes(Array(text.utf8))
  }

  /// Appends bytes that are already safe.
  mutating func addSafeBytes(_ bytes: some Collection<UInt8>) {
    guard !bytes.isEmpty else { return }
    beginText()
    document.text.append(contentsOf: bytes)
    endText()
  }

  /// Adds a line break (`br`). Two of them begin a paragraph.
  mutating func addLineBreak() {
    if inherited.keepsWhiteSpace { return addSafeBytes([0x0A]) }
    if !marginNumbers.deferred.isEmpty { writeDeferredNumbers() }
    guard leaf.isOpen else {
      // An empty line.
      paragraphs.lastBare = nil
      return
    }
    leaf.hasPendingSpace = false
    leaf.pendingBreakCount += 1
    if leaf.pendingBreakCount > 1, inherited.leafKind == .paragraph {
      closeLeaf()
      paragraphs.lastBare = nil
    }
  }

  /// Opens a leaf and a run for text in the current style, and writes pending white space.
  private mutating func beginText() {
    if !leaf.isOpen {
      if hasPendingFigure { addPendingImages() }
      switch inherited.leafKind {
      case .term: prepareContainer(for: .term)
      case .heading(let level): prepareContainer(for: .heading(level: level))
      default: prepareContainer(for: .paragraph)
      }
      leaf.firstRun = Int32(document.runs.count)
      recordLocale()
      leaf.hasPendingSpace = false
      leaf.pendingBreakCount = 0
    } else if leaf.pendingBreakCount > 0 {
      writeLineBreaks()
    } else if leaf.hasPendingSpace {
      writeSpace()
    } else if leaf.lastEndedStyles.textEnd == document.text.count {
      separateKeys()
    }
    if document.runs.count > leaf.firstRun, hasCurrentStyle(document.runs[document.runs.count - 1]),
      !beginsAnotherScript
    {
      return
    }
    let position = UInt32(document.text.count)
    document.runs.append(
      Document.Run(
        start: position, end: position, style: inherited.style, link: inherited.linkIndex))
  }

  /// Records a change of language or direction.
  private mutating func recordLocale() {
    guard inherited.localeIndex != recordedLocaleIndex else { return }
    recordedLocaleIndex = inherited.localeIndex
    let here = document.locales.last ?? locales[0]
    var new = locales[Int(inherited.localeIndex)]
    guard (here.language, here.direction) != (new.language, new.direction) else { return }
    new.start = UInt32(document.text.count)
    document.locales.append(new)
  }

  private mutating func endText() {
    document.runs[document.runs.count - 1].end = UInt32(document.text.count)
  }

  private func hasCurrentStyle(_ run: Document.Run) -> Bool {
    run.style == inherited.style && run.link == inherited.linkIndex && run.image < 0
  }

  /// Styles with a visible boundary, so that two adjacent elements must not be merged.
  private static let stylesWithBoundary: InlineStyle = [.code, .keyboard, .subscript, .superscript]

  /// Records that elements with the given styles end at the current position.
  mutating func recordStyleEnd(of styles: InlineStyle) {
    let styles = styles.intersection(Self.stylesWithBoundary)
    guard !styles.isEmpty else { return }
    let textEnd = document.text.count
    leaf.lastEndedStyles = (
      leaf.lastEndedStyles.textEnd == textEnd ? leaf.lastEndedStyles.styles.union(styles) : styles,
      textEnd
    )
  }

  /// Whether the next text is in another superscript or subscript than the text directly before it.
  /// Such texts are separate runs: an exponent and a note, for example.
  private var beginsAnotherScript: Bool {
    let scripts: InlineStyle = [.subscript, .superscript]
    return leaf.lastEndedStyles.textEnd == document.text.count
      && !leaf.lastEndedStyles.styles.intersection(inherited.style).isDisjoint(with: scripts)
  }

  /// Separates two adjacent `kbd` elements by a zero-width space, which allows a line break.
  private mutating func separateKeys() {
    guard leaf.lastEndedStyles.styles.contains(.keyboard), inherited.style.contains(.keyboard)
    else { return }
    let outer = inherited.style
    inherited.style.remove(.keyboard)
    leaf.lastEndedStyles.textEnd = -1
    addSafeText("\u{200B}")
    inherited.style = outer
  }

  /// Writes the pending line breaks. Subscripts and superscripts end before them, and so do styles
  /// that are shown by delimiters, unless the following text is in the same element.
  private mutating func writeLineBreaks() {
    let last = document.runs[document.runs.count - 1]
    var ended = last.style.intersection([.deleted, .inserted, .keyboard]).subtracting(
      inherited.style)
    if leaf.lastEndedStyles.textEnd == document.text.count {
      ended.formUnion(leaf.lastEndedStyles.styles.intersection(.keyboard))
    }
    ended = last.style.intersection(ended.union([.subscript, .superscript]))
    if !ended.isEmpty {
      document.runs.append(
        Document.Run(
          start: last.end, end: last.end, style: last.style.subtracting(ended), link: last.link))
    }
    for _ in 0..<leaf.pendingBreakCount { document.text.append(0x0A) }
    endText()
    leaf.pendingBreakCount = 0
    leaf.hasPendingSpace = false
  }

  /// Writes the space between two words, in the style that both sides have in common, so that links
  /// and underlines do not end in a space. Adjacent elements with visible boundaries do not share
  /// it.
  private mutating func writeSpace() {
    leaf.hasPendingSpace = false
    let last = document.runs[document.runs.count - 1]
    if let byte = document.text.last, byte == 0x0A || byte == 0x20 { return }
    if document.text.count == leaf.noSpaceOffset { return }
    let position = UInt32(document.text.count)
    var both = last.style.intersection(inherited.style)
    if leaf.lastEndedStyles.textEnd == document.text.count {
      both.subtract(leaf.lastEndedStyles.styles)
    }
    let shared = Document.Run(
      start: position, end: position + 1, style: both,
      link: last.link == inherited.linkIndex ? inherited.linkIndex : -1)
    document.text.append(0x20)
    if shared.style == last.style, shared.link == last.link, last.image < 0 {
      document.runs[document.runs.count - 1].end += 1
    } else {
      document.runs.append(shared)
    }
  }

  /// Returns a text of the page on one line, without control characters and glyphs of icon fonts.
  func cleanedLine(_ bytes: ArraySlice<UInt8>) -> String {
    SpecialText.collapsedLine(bytes.withoutIconGlyphs)
  }

  /// Returns the value of an attribute on one line, without control characters; nil if it is
  /// missing.
  func text(_ name: AttributeName, of node: Int32) -> String? {
    tree.attribute(name, of: node).map { cleanedLine(tree.bytes[$0]) }
  }

  /// Returns the first nonempty value of some attributes; nil if there is none.
  func firstText(_ names: [AttributeName], of node: Int32) -> String? {
    for name in names {
      if let text = text(name, of: node), !text.isEmpty { return text }
    }
    return nil
  }

  /// Returns the text of a text node on one line.
  func text(of node: Int32) -> String {
    let range = Int(tree.nodes[Int(node)].start)..<Int(tree.nodes[Int(node)].end)
    return cleanedLine(tree.bytes[range])
  }

  /// Returns the text below a node on one line, truncated after about `maxLength` bytes.
  func text(below node: Int32, maxLength: Int = 4096) -> String {
    var bytes: [UInt8] = []
    var next = tree.nodeAfter(node, in: node)
    while next >= 0, bytes.count < maxLength {
      let current = tree.nodes[Int(next)]
      if current.name == .characters {
        bytes.append(
          contentsOf: tree.bytes[Int(current.start)..<Int(current.end)].prefix(maxLength))
      } else if current.name.isBlock || current.name == .br {
        bytes.append(0x20)
      }
      next = tree.nodeAfter(next, in: node)
    }
    return cleanedLine(bytes[...])
  }
}

extension DocumentBuilder {
  /// Builds the document of plain text: a single preformatted block.
  package static func build(plainText text: [UInt8]) -> Document {
    var tree = DOMTree()
    tree.bytes = text
    var builder = DocumentBuilder(tree)
    builder.inherited.leafKind = .preformatted
    builder.inherited.keepsWhiteSpace = true
    builder.addText(0..<text.count)
    builder.closeLeaf()
    return builder.document
  }
}

extension ArraySlice<UInt8> {
  /// Whether the text begins with punctuation that follows a word without a space.
  fileprivate var beginsWithClosingPunctuation: Bool {
    switch first {
    case 0x21, 0x25, 0x29, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F, 0x5D, 0x7D: true  // ! % ) , . : ; ? ] }
    case 0xC2: starts(with: "»".utf8)
    case 0xE2: ["’", "”", "…"].contains { starts(with: $0.utf8) }
    default: false
    }
  }
}

extension [UInt8] {
  /// Whether the text ends with punctuation that precedes a word without a space.
  var endsWithOpeningPunctuation: Bool {
    switch last {
    case 0x28, 0x5B, 0x7B: true  // ( [ {
    default: ["“", "„", "«", "‘"].contains { suffix($0.utf8.count).elementsEqual($0.utf8) }
    }
  }
}
