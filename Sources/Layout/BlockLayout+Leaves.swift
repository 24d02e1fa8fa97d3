import Document

extension BlockLayout {
  /// Replaces `inlineText` with the runs of a leaf; returns false if they contain no visible text.
  mutating func loadInlineText(_ runs: Range<Int32>) -> Bool {
    inlineText.removeAll()
    context.width = isMeasuring ? .max : availableWidth
    inlineText.append(runs: runs, in: context)
    guard !inlineText.isBlank else { return false }
    updateWidestWord()
    return true
  }

  /// Updates `maxWordWidth` from `inlineText` while a cell is measured.
  mutating func updateWidestWord() {
    guard isMeasuring else { return }
    lineBreaker.prepare(
      inlineText.bytes, isASCII: inlineText.isASCII, unbreakableRanges: inlineText.unbreakableRanges
    )
    let word = lineBreaker.measure(inlineText.bytes).widestWord
    maxWordWidth = max(maxWordWidth, word + indentation.columns)
  }

  /// Lays out running text without a blank line before or after it.
  mutating func layOutText(_ block: Document.Block) {
    guard loadInlineText(block.runs) else { return }
    writeBlankLineIfNeeded()
    writeLines()
  }

  mutating func layOutParagraph(_ block: Document.Block) {
    if input.options.hidesImages, input.document.imagesOfImageOnlyLeaf(of: block) != nil { return }
    requestBlankLine()
    defer { requestBlankLine() }
    let images = imagesOnOwnLines(of: block)
    guard images.isEmpty else { return layOutParagraph(block, around: images) }
    guard loadInlineText(block.runs) else { return }
    // Consecutive one-line paragraphs that the page does not separate (names, dates, buttons) have
    // no blank lines between them.
    let isLine = inlineText.bytes.count <= availableWidth && !inlineText.bytes.contains(0x0A)
    if block.hasNoSpaceAbove, isLine, lineCountAfterParagraph == writer.lineCount {
      suppressesBlankLine = true
    }
    writeBlankLineIfNeeded()
    writeLines()
    lineCountAfterParagraph = isLine ? writer.lineCount : nil
    reserveLines(forImagesOf: block)
  }

  mutating func layOutHeading(_ block: Document.Block, _ index: Int32, _ level: UInt8) {
    let (role, added) = (context.defaultRole, context.addedStyle)
    // From level 4 on, headings are bold like other bold text, without the heading colour.
    context.defaultRole = level <= 3 ? .heading : .text
    context.addedStyle.formUnion(level <= 3 ? .strong : [.strong, .emphasis])
    defer { (context.defaultRole, context.addedStyle) = (role, added) }
    guard loadInlineText(block.runs) else { return }
    needsBlankLine = true
    writeBlankLineIfNeeded()
    writer.addHeading(level: level, block: index)
    let columns = indentation.columns
    let first = writer.lineCount
    if input.options.isLinear {
      // A drawn rule is useless to a screen reader; the heading is written as in Markdown instead.
      let levelCount = indentation.levels.count
      let markers = String(repeating: "#", count: Int(level)) + " "
      indentation.push(
        marker: markers, continuation: String(repeating: " ", count: markers.utf8.count),
        columns: markers.utf8.count, style: TextStyle(.heading))
      writeLines()
      indentation.pop(to: levelCount)
    } else {
      writeLines()
    }
    if level <= 2, !isCell, !input.options.isLinear {
      let widest = writer.maxLineWidth(from: first)
      let rule = level == 1 ? input.glyphs.headingRule : input.glyphs.horizontalRule
      beginLine()
      beginBidiOrder(columns: textWidth - columns)
      writer.append(
        rule, count: min(widest, textWidth - columns), style: TextStyle(.heading))
      endOrnament(level: lastParagraphLevel, columns: textWidth - columns)
      writer.endLine(source: sourceOffset)
      lineCountAfterRule = writer.lineCount
    }
    for (image, _) in imagesOnOwnLines(of: block) { reserveLines(forImage: image) }
    reserveLines(forImagesOf: block)
    needsBlankLine = true
  }

  mutating func layOutThematicBreak() {
    needsBlankLine = true
    // The rule below a heading replaces a thematic break that follows it directly.
    if lineCountAfterRule == writer.lineCount { return }
    writeBlankLineIfNeeded()
    let columns = isCell || input.options.isLinear ? 3 : availableWidth
    let width = availableWidth
    beginLine()
    beginBidiOrder(columns: width)
    writer.append(input.glyphs.horizontalRule, count: min(columns, width), style: TextStyle(.dim))
    endOrnament(level: embeddingLevel, columns: width)
    writer.endLine(source: sourceOffset)
    needsBlankLine = true
  }

  /// Lays out an image that is a block: its alternative text and its size.
  mutating func layOutImage(_ block: Document.Block, _ image: Int32) {
    if input.options.hidesImages { return }
    requestBlankLine()
    inlineText.removeAll()
    context.width = isMeasuring ? .max : availableWidth
    inlineText.append(runs: block.runs, in: context)
    let dim = TextStyle(.dim, inlineStyle: .small)
    let end =
      block.runs.isEmpty ? sourceOffset : input.document.runs[Int(block.runs.upperBound) - 1].end
    if inlineText.bytes.isEmpty {
      inlineText.append(
        (input.glyphs.imageMarker + "image").utf8, style: dim,
        target: context.target(ofImage: image),
        source: end)
    }
    if input.document.images.indices.contains(Int(image)) {
      let drawing = input.document.images[Int(image)]
      // The size of an icon does not interest users.
      if min(drawing.width, drawing.height) >= 48 {
        let size = "  \(drawing.width)\(input.glyphs.multiplicationSign)\(drawing.height)"
        inlineText.append(size.utf8, style: dim, target: nil, source: end)
      }
    }
    updateWidestWord()
    // Rows of logos and galleries follow each other without blank lines.
    if lineCountAfterImage == writer.lineCount { suppressesBlankLine = true }
    writeBlankLineIfNeeded()
    let first = writer.lineCount
    writeLines()
    lineCountAfterImage = writer.lineCount == first + 1 ? writer.lineCount : nil
    reserveLines(forImage: image)
    requestBlankLine()
  }
}
