import Document

extension BlockLayout {
  /// Begins a preformatted block: it is indented by a gutter, and the name of its language is at
  /// the right end of its first line, or of the blank line above if the first line is too long. A
  /// page that consists of one such block is plain text and has neither gutter nor language.
  mutating func beginCode(_ block: Document.Block, _ language: String) {
    separate()
    code = CodeProgress(
      run: block.runs.lowerBound, end: block.runs.upperBound, language: isCell ? "" : language,
      parts: indentation.parts.count, folds: CodeFolds(input.document, input.options))
    if input.options.highlightsCode, !isMeasuring {
      code?.colours = SyntaxColors(input.document, block, language)
    }
    layOutCodeLines()
  }

  /// Lays out at most `CodeProgress.step` more lines of preformatted text.
  mutating func layOutCodeLines() {
    guard var progress = code else { return }
    code = nil
    loadCode(&progress)
    let isPlain = input.document.blocks.count == 1
    let bytes = inline.bytes
    if !progress.hasBegun {
      guard !bytes.isEmpty else { return }
      let end = bytes.firstIndex(of: .lineFeed) ?? bytes.count
      progress.isNamedInLine = !isPlain && fits(for: progress.language, behind: 0..<end)
      writeGap(naming: progress.isNamedInLine || isPlain ? "" : progress.language)
      if !isPlain, !isCell {
        indentation.push(
          marker: "", rest: input.glyphs.codeGutter, columns: 2, style: TextStyle(.dim))
      }
      progress.hasBegun = true
    }
    measureWord()
    breaker.prepare(bytes, isASCII: inline.isASCII)
    var cursor = InlineCursor()
    var position = 0
    while position < bytes.count {
      let end = bytes[position...].firstIndex(of: .lineFeed) ?? bytes.count
      writeCodeLine(
        position..<end, &cursor, marker: isPlain ? "" : input.glyphs.codeWrap,
        name: progress.isNamedInLine ? progress.language : "")
      progress.isNamedInLine = false
      position = end + 1
    }
    if !bytes.isEmpty { source = inline.source(at: bytes.count, piece: inline.pieces.count - 1) }
    if progress.run < progress.end {
      code = progress
    } else {
      indentation.pop(to: progress.parts)
      separate()
    }
  }

  /// Writes a line of code, wrapped into several lines if it is too wide.
  private mutating func writeCodeLine(
    _ range: Range<Int>, _ cursor: inout InlineCursor, marker: String, name: String
  ) {
    let available = input.options.wrapsCode || isCell ? fullWidth : Int.max / 2
    // Very narrow cells only have room for the text.
    let marker = available < 6 ? "" : marker
    // A page of plain text is not code.
    let order = order(of: range, isCode: input.document.blocks.count > 1)
    let textColumns = availableWidth
    let columns = input.options.widths.width(of: inline.bytes, in: range)
    var rest = range
    var hang = 0
    var continues = false
    while !rest.isEmpty,
      (continues ? hang : 0) + (rest == range ? columns : width(rest, upTo: available)) > available
    {
      if !continues {
        let spaces = indent(of: range)
        hang = available < 8 ? 0 : min(spaces + 2, available / 2)
        // Deep indentation is reduced in favor of the text.
        rest = range.lowerBound + max(0, spaces - available / 2)..<range.upperBound
      }
      let width = available - (continues ? hang : 0) - (marker.isEmpty ? 0 : 2)
      let segment = breaker.segment(of: inline.bytes, from: rest.lowerBound, width: width)
      guard segment.next < range.upperBound else { break }
      beginCodeLine(hang: continues ? hang : 0)
      let columns = textColumns - (continues ? hang : 0)
      let source = write(segment.range, by: &cursor, order, columns: columns)
      endText(order, columns: marker.isEmpty ? columns : 0)
      if !marker.isEmpty { writer.append(" " + marker, style: TextStyle(.dim)) }
      writer.endLine(source: source, continues: continues, wrap: inline.wrap(after: segment))
      continues = true
      rest = segment.next..<range.upperBound
    }
    beginCodeLine(hang: continues ? hang : 0)
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

  /// Whether the language name fits to the right of the first line of code. The name never fits
  /// beside a right-to-left line, because that line ends at the right.
  private func fits(for language: String, behind line: Range<Int>) -> Bool {
    guard !language.isEmpty, !isMeasuring, order(of: line, isCode: true) == nil else {
      return false
    }
    let used = input.options.widths.width(of: inline.bytes, in: line)
    return used + 2 + input.options.widths.width(of: language) <= availableWidth - 2
  }

  /// Returns the width of a range in columns. Once the width exceeds `columns`, measuring stops and
  /// any greater width is returned, so that a very long line is not measured to its end each time.
  /// The number of bytes cannot be used instead, because characters may have no width.
  private func width(_ range: Range<Int>, upTo columns: Int) -> Int {
    var length = 4 * width + 64
    while true {
      let end = length < range.count ? range.lowerBound + length : range.upperBound
      let width = input.options.widths.width(of: inline.bytes, in: range.lowerBound..<end)
      if width > columns || end == range.upperBound { return width }
      length *= 2
    }
  }

  private mutating func beginCodeLine(hang: Int) {
    beginLine()
    writer.append(byte: .space, count: hang)
    writer.endPrefix()
  }

  /// Returns the number of spaces at the beginning of a line.
  private func indent(of range: Range<Int>) -> Int {
    var spaces = 0
    while range.lowerBound + spaces < range.upperBound,
      inline.bytes[range.lowerBound + spaces] == .space
    {
      spaces += 1
    }
    return spaces
  }

  /// Writes the blank line above code, with the name of its language at the right end of the text
  /// column if it fits. On that line the name is not copied together with the code.
  private mutating func writeGap(naming language: String) {
    let column = textWidth - input.options.widths.width(of: language)
    guard gap, !isClose, writer.lineCount > 0, !language.isEmpty, column >= 2 else {
      return writeGap()
    }
    indentation.writeBlank(
      to: &writer, margin: margin, source: source, level: input.isBidi ? level : nil,
      label: Indentation.Label(text: language, column: column))
    gap = false
  }
}

/// The progress of laying out preformatted text.
struct CodeProgress {
  /// The next run, and the end of the runs.
  var run: Int32
  var end: Int32
  /// The offset in the document up to which text has been laid out.
  var position = 0
  /// The name of the language, or an empty string.
  var language: String
  /// The number of indentation levels outside the block.
  var parts: Int
  /// Whether any line has been written.
  var hasBegun = false
  /// Whether the language name is shown on the next line.
  var isNamedInLine = false
  /// The folds of the document, from the current position on.
  var folds: CodeFolds
  /// The syntax colors; nil if the code is not highlighted.
  var colours: SyntaxColors?

  init(run: Int32, end: Int32, language: String, parts: Int, folds: CodeFolds) {
    self.folds = folds
    self.run = run
    self.end = end
    self.language = language
    self.parts = parts
  }

  /// The maximum number of lines laid out at once.
  static let step = 256
}
