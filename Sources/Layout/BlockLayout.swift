import Document

/// Lays out the blocks of a document one after the other, in one pass without recursion.
///
/// The layout can stop after any block and continue later, so that the first screens of a long page
/// are available before the rest.
struct BlockLayout: Sendable {
  /// The document and the options.
  let input: LayoutInput
  /// Whether this layout is for the content of a table cell, in which nested tables are laid out as
  /// blocks.
  let isCell: Bool
  /// The tables that are laid out as blocks, among the tables examined so far.
  private var layoutTables: Set<Int32> = []
  /// The end of the last table examined. Tables are examined when they are reached, so that the
  /// first screens of a long page do not depend on its length.
  private var examinedTablesEnd: Int32 = 0

  /// The available width in columns.
  var width: Int
  /// The maximum width of running text, in columns.
  var textWidth: Int
  var context: InlineContext
  var writer: LineWriter
  var indentation = Indentation()
  var inlineText = InlineText()
  var lineBreaker: LineBreaker

  /// The next block to lay out.
  var nextBlock: Int32 = 0
  /// The block index after the last block to lay out.
  var blockEnd: Int32
  /// The number of columns to the left of the text column.
  var margin = 0
  /// The open containers, from the outermost to the innermost.
  private(set) var containers: [Container] = []
  /// The embedding level of the lines in the current container: 1 for right to left.
  var embeddingLevel: UInt8 = 0
  /// The embedding level of the last paragraph laid out.
  var lastParagraphLevel: UInt8 = 0
  /// Whether a blank line is due before the next line.
  var needsBlankLine = false
  /// Whether the next leaf follows without a blank line, regardless of `needsBlankLine`.
  var suppressesBlankLine = false
  /// The line count after the last image that took one line; nil if the last image took more.
  var lineCountAfterImage: Int?
  /// The line count after the last definition list.
  var lineCountAfterDefinitions: Int?
  /// The line count after the rule of the last heading.
  var lineCountAfterRule: Int?
  /// The line count after the last paragraph of one line; nil if the last paragraph took more.
  var lineCountAfterParagraph: Int?
  /// The offset in the document of the next text.
  var sourceOffset: UInt32 = 0
  /// Whether a cell is being laid out only to measure its widths.
  var isMeasuring = false
  /// Whether images may be drawn in the cell: the cell does not span rows, and its text is not
  /// right to left.
  var mayDrawImages = false
  /// The width of the widest unbreakable run of text measured so far, in columns.
  var maxWordWidth = 0
  /// The block index after the summary that is being laid out.
  var summaryEnd: Int32 = 0
  /// The number of `Document.blockFolds` that have been reached.
  var reachedFoldCount = 0
  /// The preformatted text being laid out, if it is not complete.
  var codeProgress: CodeProgress?
  /// The common column of form fields.
  var formFieldColumn = FieldColumn()
  /// The table being laid out, if it is not complete; at most one element.
  var tableProgress: [TableProgress] = []

  /// An open block that contains other blocks.
  struct Container {
    /// The block index after the last descendant of the container.
    var end: Int32
    /// The number of indentation levels outside the container.
    var indentationLevelCount: Int
    /// Whether the children of the container follow each other without blank lines.
    var isTight: Bool
    /// The number of open lists, including this one.
    var listDepth: Int
    /// The width of the widest marker of the list, in columns.
    var markerColumns = 0
    /// The text role to restore when the container is closed.
    var role: TextRole
    /// The embedding level to restore when the container is closed.
    var embeddingLevel: UInt8
    /// Whether the next block follows the container without a blank line.
    var suppressesBlankLine = false
    /// The kind of container, if the layout of other blocks depends on it.
    var kind = Kind.other
    /// The block index from which on the container's descendants are folded; `.max` if none is.
    var firstFoldedBlock = Int32.max

    enum Kind {
      case other
      /// A block quotation or a reply.
      case quote
      case definitionList
      /// A figure, whose captions are indented.
      case figure
      /// A table whose rows are laid out together.
      case dataTable
    }
  }

  /// Creates the layout of a whole document.
  init(_ document: Document, options: LayoutOptions) {
    input = LayoutInput(document, options: options)
    width = options.width
    textWidth = options.textWidth
    lineBreaker = LineBreaker(widths: input.options.widths)
    inlineText.substitution = input.options.substitution
    isCell = false
    context = InlineContext(input)
    writer = LineWriter(
      width: width, widths: input.options.widths, linkCount: input.document.links.count,
      imageCount: input.areImagesTargets.count,
      precedingLinkCounts: input.options.controlAppearances.isEmpty
        ? [] : input.document.forms.precedingLinkCounts,
      recordsSources: input.options.recordsSources, documentText: input.document.text)
    blockEnd = Int32(input.document.blocks.count)
    if input.options.isCentered { margin = max(0, (width - textWidth) / 2) }
    indentation.totalWidth = textWidth
    writer.reserve(
      byteCount: input.document.text.count + input.document.text.count / 4,
      runCount: input.document.runs.count)
    beginDocument()
  }

  /// Creates the layout for the cells of a table in `page`. Each cell is then laid out with
  /// `layOut(cell:width:isHeader:)`.
  init(cellsOf page: BlockLayout) {
    input = page.input
    width = page.width
    textWidth = page.textWidth
    lineBreaker = LineBreaker(widths: input.options.widths)
    inlineText.substitution = input.options.substitution
    isCell = true
    context = page.context
    context.defaultRole = .text
    embeddingLevel = page.embeddingLevel
    indentation.isInTableCell = true
    writer = LineWriter(
      width: 0, widths: input.options.widths, linkCount: nil,
      recordsSources: input.options.recordsSources)
    blockEnd = 0
  }

  /// Whether a table is a layout table. Nested tables are examined together with the outermost one,
  /// so that each table is examined only once.
  private mutating func isLayoutTable(_ index: Int32) -> Bool {
    if index >= examinedTablesEnd {
      layoutTables = LayoutTableDetector.layoutTables(
        in: input.document, at: index, alignsForms: alignsForms)
      examinedTablesEnd = input.document.blocks[Int(index)].end
    }
    return layoutTables.contains(index)
  }

  /// Whether everything has been laid out.
  var isComplete: Bool { nextBlock >= blockEnd && !isWithinBlock && containers.isEmpty }

  /// Whether a block is only partly laid out.
  private var isWithinBlock: Bool { codeProgress != nil || !tableProgress.isEmpty }

  /// Lays out at least `minLines` more lines, or the rest of the document. The layout may also stop
  /// within long preformatted text and tables.
  mutating func layOut(minLines: Int = .max) {
    let wanted = minLines == .max ? Int.max : writer.lineCount + minLines
    while writer.lineCount < wanted {
      if codeProgress != nil {
        layOutCodeLines()
      } else if !tableProgress.isEmpty {
        layOutTableRows(maxLines: wanted)
      } else if nextBlock < blockEnd {
        layOutBlock()
      } else {
        break
      }
    }
    if nextBlock >= blockEnd, !isWithinBlock { closeContainers(at: blockEnd) }
  }

  /// Lays out the blocks in a cell and appends the lines to those that the writer already has; the
  /// text of a header cell is strong.
  mutating func layOut(cell: Int32, width: Int, isHeader: Bool) {
    nextBlock = cell + 1
    blockEnd = input.document.blocks[Int(cell)].end
    needsBlankLine = false
    suppressesBlankLine = true
    self.width = width
    textWidth = width
    context.addedStyle = isHeader ? InlineStyle.strong : InlineStyle()
    indentation.totalWidth = width
    layOut()
    context.addedStyle = InlineStyle()
  }

  /// The number of columns available for running text on the next line.
  var availableWidth: Int { max(1, textWidth - indentation.nextColumns) }

  /// The number of columns from the start of text on the next line to the right edge.
  var fullWidth: Int { max(1, width - margin - indentation.nextColumns) }

  // MARK: Blocks

  private mutating func layOutBlock() {
    let index = nextBlock
    closeContainers(at: index)
    if let container = containers.last, index >= container.firstFoldedBlock {
      nextBlock = container.end
      return
    }
    if !isCell, !beginBlockFold(at: index) { return }
    let block = input.document.blocks[Int(index)]
    nextBlock = index + 1
    if index >= summaryEnd { context.defaultTarget = nil }
    if let run = block.runs.first { sourceOffset = input.document.runs[Int(run)].start }
    switch block.kind {
    case .paragraph, .row: context.fieldColumn = measureFieldColumn(at: index)
    default: context.fieldColumn = 0
    }
    switch block.kind {
    case .paragraph: layOutParagraph(block)
    case .heading(let level): layOutHeading(block, index, level)
    case .preformatted(let language): beginCode(block, input.document.codeLanguage(language))
    case .rule: layOutThematicBreak()
    case .image(let image): layOutImage(block, image)
    case .term: layOutTerm(block)
    case .row where containers.last?.kind == .dataTable: beginTable(from: index)
    case .row where fitsOnOneLine(row: block, index): layOutRowAsLine(row: block, index)
    default: return openContainer(block, index)
    }
    reserveLines(forImagesBelow: index)
  }

  /// Whether the children of the innermost container follow each other without blank lines.
  var isTight: Bool { containers.last?.isTight ?? false }

  /// Requests a blank line before or after a block, unless the innermost container is tight.
  mutating func requestBlankLine() {
    if !isTight { needsBlankLine = true }
  }

  private mutating func openContainer(_ block: Document.Block, _ index: Int32) {
    let outer = containers.last
    var container = Container(
      end: block.end, indentationLevelCount: indentation.levels.count,
      isTight: outer?.isTight ?? false,
      listDepth: outer?.listDepth ?? 0, role: context.defaultRole, embeddingLevel: embeddingLevel)
    embeddingLevel = embeddingLevel(ofContainer: block, index)
    switch block.kind {
    case .list(let isTight):
      if !(isTight && outer?.isTight == true) { requestBlankLine() }
      if container.listDepth > 0 { indentation.push(spaces: 2) }
      container.isTight = isTight
      container.listDepth += 1
      container.markerColumns = maxMarkerColumns(of: block, index)
    case .item(let marker):
      requestBlankLine()
      open(item: marker, markerColumns: outer?.markerColumns ?? 0, depth: container.listDepth)
    case .definitionList:
      requestBlankLine()
      container.isTight = isTight(definitionList: block, index)
      container.kind = .definitionList
    case .definition:
      suppressesBlankLine = !followsDefinitionList(index)
      indentation.push(spaces: 4)
      container.listDepth = 0
    case .quote:
      requestBlankLine()
      indentation.push(
        marker: "", continuation: input.glyphs.quoteBar, columns: 2, style: TextStyle(.quote),
        depth: 1 + containers.count { $0.kind == .quote })
      container.kind = .quote
      if context.defaultRole == .text { context.defaultRole = .quote }
      container.isTight = false
      container.listDepth = 0
    case .figure:
      requestBlankLine()
      container.isTight = true
      container.kind = .figure
    case .details(let isOpen):
      requestBlankLine()
      if !open(details: index, isInitiallyOpen: isOpen) { container.firstFoldedBlock = summaryEnd }
      container.isTight = false
      container.listDepth = 0
    case .caption:
      requestBlankLine()
      let isFirst = index > 0 && input.document.blocks[Int(index) - 1].kind == .figure
      indentation.push(spaces: outer?.kind == .figure && !isFirst ? 2 : 0)
      container.suppressesBlankLine = outer?.kind != .figure
    case .table:
      requestBlankLine()
      if !isCell, !isLayoutTable(index) { container.kind = .dataTable }
      container.isTight = true
    case .row, .cell:
      needsBlankLine = true
      container.isTight = false
    default: break
    }
    containers.append(container)
  }

  private mutating func closeContainers(at index: Int32) {
    while let container = containers.last, container.end <= index {
      containers.removeLast()
      indentation.pop(to: container.indentationLevelCount)
      context.defaultRole = container.role
      embeddingLevel = container.embeddingLevel
      // A summary whose content is folded is a line like others.
      if container.firstFoldedBlock < .max, isTight { needsBlankLine = false }
      requestBlankLine()
      suppressesBlankLine = container.suppressesBlankLine
      if container.kind == .definitionList { lineCountAfterDefinitions = writer.lineCount }
    }
  }

  // MARK: Lines

  /// Writes the blank line that is due before a block.
  mutating func writeBlankLineIfNeeded() {
    defer {
      needsBlankLine = false
      suppressesBlankLine = false
    }
    guard needsBlankLine, !suppressesBlankLine, writer.lineCount > 0 else { return }
    indentation.writeBlank(
      to: &writer, margin: margin, source: sourceOffset,
      embeddingLevel: input.usesBidiOrdering ? embeddingLevel : nil)
  }

  /// Begins a line and writes its indentation.
  mutating func beginLine() {
    writer.beginLine()
    writer.append(byte: .space, count: margin)
    indentation.write(to: &writer)
    writer.endPrefix()
  }

  /// Fills lines with `inlineText`, each at most `width` columns wide without its indentation.
  /// - Parameters:
  ///   - start: The offset in the text of the first line.
  ///   - width: The number of columns; nil for the width of running text.
  ///   - isCode: Whether the text is left to right, whatever its content.
  mutating func writeLines(from start: Int = 0, width: Int? = nil, isCode: Bool = false) {
    lineBreaker.prepare(
      inlineText.bytes, isASCII: inlineText.isASCII, unbreakableRanges: inlineText.unbreakableRanges
    )
    var cursor = InlineCursor()
    var position = start
    var continues = false
    let order = bidiOrder(of: 0..<inlineText.bytes.count, isCode: isCode)
    lastParagraphLevel = order?.embeddingLevel ?? 0
    repeat {
      let columns = width ?? availableWidth
      let segment = lineBreaker.segment(of: inlineText.bytes, from: position, width: columns)
      beginLine()
      let source = write(segment.range, by: &cursor, order, columns: columns)
      if segment.isHyphenated { cursor.writeHyphen(of: inlineText, to: &writer) }
      endText(order, columns: columns)
      writer.endLine(source: source, continues: continues, wrap: inlineText.wrap(after: segment))
      continues = !segment.isForced
      position = segment.nextLineStart
    } while position < inlineText.bytes.count
    sourceOffset = inlineText.sourceOffset(
      at: inlineText.bytes.count, pieceIndex: inlineText.pieces.count - 1)
  }
}

extension PageForms {
  /// The number of links before each control in document order; -1 if the control is not shown.
  fileprivate var precedingLinkCounts: [Int32] {
    var counts = [Int32](repeating: -1, count: controls.count)
    for span in controlSpans { counts[Int(span.control)] = span.precedingLinkCount }
    return counts
  }
}
