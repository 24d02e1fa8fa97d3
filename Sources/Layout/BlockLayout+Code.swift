import Document

extension BlockLayout {
  /// Begins a preformatted block: it is indented by a gutter, and the name of its language is at
  /// the right end of its first line, or of the blank line above if the first line is too long. A
  /// page that consists of one such block is plain text and has neither gutter nor language.
  mutating func beginCode(_ block: Document.Block, _ language: String) {
    requestBlankLine()
    codeProgress = CodeProgress(
      nextRun: block.runs.lowerBound, runEnd: block.runs.upperBound,
      language: isCell ? "" : language,
      indentationLevelCount: indentation.levels.count,
      folds: CodeFolds(input.document, input.options))
    codeProgress?.tabSize = Int(
      input.document.tabSizes[block.runs.lowerBound] ?? Document.defaultTabSize)
    if input.options.highlightsCode, !isMeasuring {
      codeProgress?.syntaxColors = SyntaxRoles(input.document, block, language)
    }
    layOutCodeLines()
  }

  /// Lays out at most `CodeProgress.maxLinesPerStep` more lines of preformatted text.
  mutating func layOutCodeLines() {
    guard var progress = codeProgress else { return }
    codeProgress = nil
    loadCode(&progress)
    let isPlain = input.document.blocks.count == 1
    let bytes = inlineText.bytes
    if !progress.hasWrittenLine {
      guard !bytes.isEmpty else { return }
      beginCode(&progress, isPlain: isPlain)
    }
    updateWidestWord()
    lineBreaker.prepare(bytes, isASCII: inlineText.isASCII)
    var cursor = InlineCursor()
    var position = 0
    while position < bytes.count {
      let end = bytes[position...].firstIndex(of: .lineFeed) ?? bytes.count
      writeCodeLine(
        position..<end, &cursor, marker: isPlain ? "" : input.glyphs.codeWrap,
        name: progress.showsLanguageOnNextLine ? progress.language : "")
      progress.showsLanguageOnNextLine = false
      position = end + 1
    }
    if !bytes.isEmpty {
      sourceOffset = inlineText.sourceOffset(
        at: bytes.count, pieceIndex: inlineText.pieces.count - 1)
    }
    if progress.nextRun < progress.runEnd {
      codeProgress = progress
    } else {
      indentation.pop(to: progress.indentationLevelCount)
      requestBlankLine()
    }
  }

  private mutating func beginCode(_ progress: inout CodeProgress, isPlain: Bool) {
    let end = inlineText.bytes.firstIndex(of: .lineFeed) ?? inlineText.bytes.count
    progress.showsLanguageOnNextLine =
      !isPlain && languageNameFits(for: progress.language, after: 0..<end)
    writeGap(naming: progress.showsLanguageOnNextLine || isPlain ? "" : progress.language)
    if !isPlain, !isCell {
      indentation.push(
        marker: "", continuation: input.glyphs.codeGutter, columns: 2, style: TextStyle(.dim))
    }
    progress.hasWrittenLine = true
  }

  /// Writes a line of code, wrapped into several lines if it is too wide.
  private mutating func writeCodeLine(
    _ range: Range<Int>, _ cursor: inout InlineCursor, marker: String, name: String
  ) {
    let available = input.options.wrapsCode || isCell ? fullWidth : Int.max / 2
    // Very narrow cells only have room for the text.
    let marker = available < 6 ? "" : marker
    // Plain text is a document of one block; unlike code, its direction is that of its content.
    let order = bidiOrder(of: range, isCode: input.document.blocks.count > 1)
    let textColumns = availableWidth
    let columns = input.options.widths.width(of: inlineText.bytes, in: range)
    var rest = range
    var hang = 0
    var continues = false
    while !rest.isEmpty,
      (continues ? hang : 0) + (rest == range ? columns : width(rest, maxColumns: available))
        > available
    {
      if !continues {
        let spaces = leadingSpaceCount(of: range)
        hang = available < 8 ? 0 : min(spaces + 2, available / 2)
        // Deep indentation is reduced in favour of the text.
        rest = range.lowerBound + max(0, spaces - available / 2)..<range.upperBound
      }
      let width = available - (continues ? hang : 0) - (marker.isEmpty ? 0 : 2)
      let segment = lineBreaker.segment(of: inlineText.bytes, from: rest.lowerBound, width: width)
      guard segment.nextLineStart < range.upperBound else { break }
      beginCodeLine(hangingIndent: continues ? hang : 0)
      let columns = textColumns - (continues ? hang : 0)
      let source = write(segment.range, by: &cursor, order, columns: columns)
      endText(order, columns: marker.isEmpty ? columns : 0)
      if !marker.isEmpty { writer.append(" " + marker, style: TextStyle(.dim)) }
      writer.endLine(source: source, continues: continues, wrap: inlineText.wrap(after: segment))
      continues = true
      rest = segment.nextLineStart..<range.upperBound
    }
    beginCodeLine(hangingIndent: continues ? hang : 0)
    let source = write(
      rest, by: &cursor, order, columns: textColumns - (continues ? hang : 0))
    endText(order, columns: textColumns - (continues ? hang : 0))
    if !name.isEmpty {
      let gap = textColumns - columns - input.options.widths.width(of: name)
      writer.append(byte: .space, count: gap, style: Indentation.Label.style)
      writer.append(name, style: Indentation.Label.style)
    }
    writer.endLine(source: source, continues: continues)
  }

  /// Whether the name of the language fits to the right of the first line of code. The name never
  /// fits beside a right-to-left line, because that line ends at the right edge.
  private func languageNameFits(for language: String, after line: Range<Int>) -> Bool {
    guard !language.isEmpty, !isMeasuring, bidiOrder(of: line, isCode: true) == nil else {
      return false
    }
    let used = input.options.widths.width(of: inlineText.bytes, in: line)
    return used + 2 + input.options.widths.width(of: language) <= availableWidth - 2
  }

  /// Returns the width of a range of `inlineText` in columns. Once the width exceeds `columns`,
  /// measuring stops and any greater width is returned, so that a very long line is not measured to
  /// its end each time. The number of bytes cannot be used instead, because some characters have no
  /// width.
  private func width(_ range: Range<Int>, maxColumns columns: Int) -> Int {
    var length = 4 * width + 64
    while true {
      let end = length < range.count ? range.lowerBound + length : range.upperBound
      let width = input.options.widths.width(of: inlineText.bytes, in: range.lowerBound..<end)
      if width > columns || end == range.upperBound { return width }
      length *= 2
    }
  }

  private mutating func beginCodeLine(hangingIndent: Int) {
    beginLine()
    writer.append(byte: .space, count: hangingIndent)
    writer.endPrefix()
  }

  /// Returns the number of spaces at the beginning of a line.
  private func leadingSpaceCount(of range: Range<Int>) -> Int {
    var spaces = 0
    while range.lowerBound + spaces < range.upperBound,
      inlineText.bytes[range.lowerBound + spaces] == .space
    {
      spaces += 1
    }
    return spaces
  }

  /// Writes the blank line above code, with the name of its language at the right end of the text
  /// column if it fits. When the code is copied, this line and the name are not.
  private mutating func writeGap(naming language: String) {
    let column = textWidth - input.options.widths.width(of: language)
    guard needsBlankLine, !suppressesBlankLine, writer.lineCount > 0, !language.isEmpty, column >= 2
    else {
      return writeBlankLineIfNeeded()
    }
    indentation.writeBlank(
      to: &writer, margin: margin, source: sourceOffset,
      embeddingLevel: input.usesBidiOrdering ? embeddingLevel : nil,
      label: Indentation.Label(text: language, column: column))
    needsBlankLine = false
  }
}
