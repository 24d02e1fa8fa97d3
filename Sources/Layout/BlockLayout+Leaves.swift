import Document

extension BlockLayout {
  /// Replaces `inline` with the runs of a leaf; returns false if they contain no visible text.
  mutating func loadInline(_ runs: Range<Int32>) -> Bool {
    inline.removeAll()
    context.width = isMeasuring ? .max : availableWidth
    inline.append(runs: runs, in: context)
    guard !inline.isBlank else { return false }
    measureWord()
    return true
  }

  /// Updates `widestWord` from `inline` while a cell is measured.
  mutating func measureWord() {
    guard isMeasuring else { return }
    breaker.prepare(inline.bytes, isASCII: inline.isASCII, unbreakable: inline.unbreakable)
    let word = breaker.measure(inline.bytes).widestWord
    widestWord = max(widestWord, word + indentation.columns)
  }

  /// Lays out running text without a blank line before or after it.
  mutating func layOutText(_ block: Document.Block) {
    guard loadInline(block.runs) else { return }
    writeGap()
    fill()
  }

  mutating func layOutParagraph(_ block: Document.Block) {
    if input.options.hidesImages, input.document.images(of: block) != nil { return }
    separate()
    defer { separate() }
    let images = imagesOnOwnLines(of: block)
    guard images.isEmpty else { return layOutParagraph(block, around: images) }
    guard loadInline(block.runs) else { return }
    // Single lines that the page does not separate, such as names, dates and buttons, follow each
    // other without blank lines.
    let isLine = inline.bytes.count <= availableWidth && !inline.bytes.contains(0x0A)
    if block.isClose, isLine, lineEnd == writer.lineCount { isClose = true }
    writeGap()
    fill()
    lineEnd = isLine ? writer.lineCount : -1
    reserveLines(forImagesOf: block)
  }

  mutating func layOutHeading(_ block: Document.Block, _ index: Int32, _ level: UInt8) {
    let (role, added) = (context.role, context.added)
    // From level 4 on, headings are bold like other bold text, without the heading color.
    context.role = level <= 3 ? .heading : .text
    context.added.formUnion(level <= 3 ? .strong : [.strong, .emphasis])
    defer { (context.role, context.added) = (role, added) }
    guard loadInline(block.runs) else { return }
    gap = true
    writeGap()
    writer.addHeading(level: level, block: index)
    let columns = indentation.columns
    let first = writer.lineCount
    if input.options.isLinear {
      // A rule is useless to a screen reader; the level is written as in Markdown instead.
      let parts = indentation.parts.count
      let markers = String(repeating: "#", count: Int(level)) + " "
      indentation.push(
        marker: markers, rest: String(repeating: " ", count: markers.utf8.count),
        columns: markers.utf8.count, style: TextStyle(.heading))
      fill()
      indentation.pop(to: parts)
    } else {
      fill()
    }
    if level <= 2, !isCell, !input.options.isLinear {
      let widest = writer.widestLine(from: first)
      let rule = level == 1 ? input.glyphs.headingRule : input.glyphs.rule
      beginLine()
      beginOrder(columns: textWidth - columns)
      writer.append(
        rule, count: min(widest, textWidth - columns), style: TextStyle(.heading))
      endRule(level: textLevel, columns: textWidth - columns)
      writer.endLine(source: source)
      ruleEnd = writer.lineCount
    }
    for (image, _) in imagesOnOwnLines(of: block) { reserveLines(forImage: image) }
    reserveLines(forImagesOf: block)
    gap = true
  }

  mutating func layOutRule() {
    gap = true
    // The rule below a heading serves as this one.
    if ruleEnd == writer.lineCount { return }
    writeGap()
    let columns = isCell || input.options.isLinear ? 3 : availableWidth
    let width = availableWidth
    beginLine()
    beginOrder(columns: width)
    writer.append(input.glyphs.rule, count: min(columns, width), style: TextStyle(.dim))
    endRule(level: level, columns: width)
    writer.endLine(source: source)
    gap = true
  }

  /// Lays out an image that is a block: its alternative text and its size.
  mutating func layOutImage(_ block: Document.Block, _ image: Int32) {
    if input.options.hidesImages { return }
    separate()
    inline.removeAll()
    context.width = isMeasuring ? .max : availableWidth
    inline.append(runs: block.runs, in: context)
    let dim = TextStyle(.dim, inline: .small)
    let end = block.runs.isEmpty ? source : input.document.runs[Int(block.runs.upperBound) - 1].end
    if inline.bytes.isEmpty {
      inline.append(
        (input.glyphs.image + "image").utf8, style: dim, target: context.target(ofImage: image),
        source: end)
    }
    if input.document.images.indices.contains(Int(image)) {
      let drawing = input.document.images[Int(image)]
      // The size of an icon is of no interest.
      if min(drawing.width, drawing.height) >= 48 {
        let size = "  \(drawing.width)\(input.glyphs.times)\(drawing.height)"
        inline.append(size.utf8, style: dim, target: nil, source: end)
      }
    }
    // Rows of logos and galleries follow each other without blank lines.
    if imageEnd == writer.lineCount { isClose = true }
    writeGap()
    let first = writer.lineCount
    fill()
    imageEnd = writer.lineCount == first + 1 ? writer.lineCount : -1
    reserveLines(forImage: image)
    separate()
  }
}
