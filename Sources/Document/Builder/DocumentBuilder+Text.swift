import DOM

extension DocumentBuilder {
  /// Appends text of the tree with white space collapsed and control characters made harmless.
  mutating func addText(_ range: Range<Int>) {
    if inherited.keepsWhiteSpace { return addPreformattedText(range) }
    // Placeholders of images contain a no-break space.
    if !leaf.isOpen, !images.pending.isEmpty, tree.isFiller(range) { return }
    var index = margin.hasNumbersInWord ? addRestOfWord(range) : range.lowerBound
    while index < range.upperBound {
      let byte = tree.bytes[index]
      switch TextByteClass(byte) {
      case .space where inherited.whiteSpace != .collapse:
        index = addPreLineText(from: index, to: range.upperBound)
      case .space:
        leaf.addWhiteSpace(isLineFeed: byte == 0x0A || byte == 0x0D)
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
    if leaf.isOpen {
      leaf.adjustSpace(
        before: range, of: tree.bytes, keepsWhiteSpace: inherited.keepsWhiteSpace)
    }
    beginText()
    leaf.append(range, of: tree.bytes)
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
      leaf.addSpace()
      return index + length
    case .replace(let replacement, let length):
      addSafeBytes(replacement)
      return index + length
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
        let isCRLF = index + 1 < range.upperBound && tree.bytes[index + 1] == 0x0A
        if !isCRLF { addSafeBytes([0x0A]) }
        index += 1
      } else {
        index = addSpecialCharacter(at: index, from: range.lowerBound, end: range.upperBound)
      }
    }
    leaf.dropPendingSpace()
  }

  /// Begins a line for a block inside preformatted text.
  mutating func breakPreformattedLine() {
    if leaf.isOpen, let last = leaf.text.last, last != 0x0A { addSafeBytes([0x0A]) }
  }

  /// Appends text that is already safe.
  mutating func addSafeText(_ text: String) {
    addSafeBytes(Array(text.utf8))
  }

  /// Appends bytes that are already safe.
  mutating func addSafeBytes(_ bytes: some Collection<UInt8>) {
    guard !bytes.isEmpty else { return }
    beginText()
    leaf.append(bytes)
  }

  /// Adds a line break (`br`). Two of them begin a paragraph.
  mutating func addLineBreak() {
    if inherited.keepsWhiteSpace { return addSafeBytes([0x0A]) }
    writeDeferredNumbers()
    guard leaf.isOpen else {
      // An empty line.
      paragraphs.addEmptyLine()
      return
    }
    if leaf.addLineBreak() > 1, inherited.leafKind == .paragraph {
      closeLeaf()
      paragraphs.addEmptyLine()
    }
  }

  /// Opens a leaf and a run for text in the current style, and writes pending white space.
  private mutating func beginText() {
    if leaf.isOpen {
      leaf.writePendingSpace(style: inherited.style, link: inherited.linkIndex)
    } else {
      openLeaf()
    }
    leaf.beginRun(style: inherited.style, link: inherited.linkIndex)
  }

  private mutating func openLeaf() {
    if !images.pending.isEmpty, hasPendingFigure { addPendingImages() }
    switch inherited.leafKind {
    case .term: containers.prepare(for: .term)
    case .heading(let level): containers.prepare(for: .heading(level: level))
    default: containers.prepare(for: .paragraph)
    }
    leaf.open()
    locales.beginLeaf(inherited.localeIndex, at: leaf.textEnd)
  }

  /// Returns a text of the page on one line, without control characters and glyphs of icon fonts.
  static func cleanedLine(_ bytes: ArraySlice<UInt8>) -> String {
    SpecialText.collapsedLine(bytes.withoutIconGlyphs)
  }

  @inline(__always)
  func cleanedLine(_ bytes: ArraySlice<UInt8>) -> String { Self.cleanedLine(bytes) }
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
    builder.finish()
    return builder.document
  }
}

extension DOMTree {
  /// Returns the text of a text node on one line.
  func cleanedText(of node: Int32) -> String {
    DocumentBuilder.cleanedLine(bytes[Int(nodes[Int(node)].start)..<Int(nodes[Int(node)].end)])
  }

  /// Returns the value of an attribute on one line, without control characters; nil if it is
  /// missing.
  @inline(__always)
  func cleanedText(_ name: AttributeName, of node: Int32) -> String? {
    attribute(name, of: node).map { DocumentBuilder.cleanedLine(bytes[$0]) }
  }

  /// Returns the first nonempty value of some attributes; nil if there is none.
  func firstText(_ names: [AttributeName], of node: Int32) -> String? {
    for name in names {
      if let text = cleanedText(name, of: node), !text.isEmpty { return text }
    }
    return nil
  }

  /// Returns the text below a node on one line, truncated after about `maxLength` bytes.
  func cleanedText(below node: Int32, maxLength: Int = 4096) -> String {
    var text: [UInt8] = []
    var next = nodeAfter(node, in: node)
    while let descendant = next, text.count < maxLength {
      let current = nodes[Int(descendant)]
      if current.name == .characters {
        text += bytes[Int(current.start)..<Int(current.end)].prefix(maxLength)
      } else if current.name.isBlock || current.name == .br {
        text.append(0x20)
      }
      next = nodeAfter(descendant, in: node)
    }
    return DocumentBuilder.cleanedLine(text[...])
  }
}
