import Document

/// Lays out the blocks of a document one after the other, in one pass without recursion.
///
/// It can stop after any block and continue later, so that the first screens of a long page are
/// available before the rest.
struct BlockLayout: Sendable {
  /// The document and the options.
  let input: LayoutInput
  /// Whether this layout is for the content of a table cell; nested tables are then laid out as
  /// blocks.
  let isCell: Bool
  /// The tables that are laid out as blocks, among the tables examined so far.
  private var layoutTables: Set<Int32> = []
  /// The end of the last table examined. Tables are examined when they are reached, so that the
  /// first screens of a long page do not depend on its length.
  private var knownTablesEnd: Int32 = 0

  /// The available columns.
  var width: Int
  /// The columns available for running text.
  var textWidth: Int
  var context: InlineContext
  var writer: LineWriter
  var indentation = Indentation()
  var inline = InlineText()
  var breaker: LineBreaker

  /// The next block, and the end of the blocks.
  var next: Int32 = 0
  var end: Int32
  /// The number of columns to the left of the text column.
  var margin = 0
  /// The open containers, from the outermost to the innermost.
  private(set) var containers: [Container] = []
  /// The embedding level of the lines in the current container: 1 for right to left.
  var level: UInt8 = 0
  /// The embedding level of the last paragraph laid out.
  var textLevel: UInt8 = 0
  /// Whether a blank line is due before the next line.
  var gap = false
  /// Whether the next leaf follows without a blank line, regardless of `gap`.
  var isClose = false
  /// The line count after the last image that took one line; -1 if the last image took more.
  var imageEnd = -1
  /// The line count after the rule of the last heading.
  var ruleEnd = -1
  /// The line count after the last paragraph of one line; -1 if the last paragraph took more.
  var lineEnd = -1
  /// The offset in the document of the next text.
  var source: UInt32 = 0
  /// Whether a cell is being laid out to measure its widths.
  var isMeasuring = false
  /// Whether images may be drawn in the cell: it does not span rows, and its text is not right to
  /// left.
  var holdsImages = false
  /// The width of the widest unbreakable part of the text, while measuring.
  var widestWord = 0
  /// The end of the summary being laid out, as a block index.
  var summaryEnd: Int32 = 0
  /// The number of `Document.parts` that have been reached.
  var partCount = 0
  /// The preformatted text being laid out, if it is not complete.
  var code: CodeProgress?
  /// The common column of form fields.
  var fields = FieldColumn()
  /// The table being laid out, if it is not complete; at most one element.
  var table: [TableProgress] = []

  /// An open block that contains others.
  struct Container {
    /// The index after its last descendant.
    var end: Int32
    /// The number of indentation levels outside it.
    var parts: Int
    /// Whether its children follow each other without blank lines.
    var isTight: Bool
    /// The number of open lists, including this one.
    var listDepth: Int
    /// The width of the widest marker of the list, in columns.
    var markerColumns = 0
    /// The text role to restore when it is closed.
    var role: TextRole
    /// The embedding level to restore when it is closed.
    var level: UInt8
    /// Whether the next block follows it without a blank line.
    var isClose = false
    /// Whether the container is a quotation or a reply.
    var isQuote = false
    /// Whether the container is a figure, whose captions are indented.
    var isFigure = false
    /// Whether the container is a table whose rows are laid out together.
    var isDataTable = false
    /// The index of the first descendant that is folded, with all that follow it; `.max` if none
    /// is.
    var foldedFrom = Int32.max
  }

  /// Creates the layout of a whole document.
  init(_ document: Document, options: LayoutOptions) {
    input = LayoutInput(document, options: options)
    width = options.width
    textWidth = options.textWidth
    breaker = LineBreaker(widths: input.options.widths)
    inline.substitution = input.options.substitution
    isCell = false
    context = InlineContext(input)
    writer = LineWriter(
      width: width, widths: input.options.widths, links: input.document.links.count,
      images: input.reachableImages.count,
      controls: input.options.fields.isEmpty ? [] : input.document.forms.linksBeforeControls,
      recordsSources: input.options.recordsSources, documentText: input.document.text)
    end = Int32(input.document.blocks.count)
    if input.options.isCentered { margin = max(0, (width - textWidth) / 2) }
    indentation.width = textWidth
    writer.reserve(
      bytes: input.document.text.count + input.document.text.count / 4,
      runs: input.document.runs.count)
    beginDocument()
  }

  /// Creates the layout for the cells of a table in `page`; `layOut(cell:width:isHeader:)` lays out
  /// each.
  init(cellsOf page: BlockLayout) {
    input = page.input
    width = page.width
    textWidth = page.textWidth
    breaker = LineBreaker(widths: input.options.widths)
    inline.substitution = input.options.substitution
    isCell = true
    context = page.context
    context.role = .text
    level = page.level
    indentation.isOfCell = true
    writer = LineWriter(
      width: 0, widths: input.options.widths, links: nil,
      recordsSources: input.options.recordsSources)
    end = 0
  }

  /// Whether a table is laid out as blocks. Nested tables are examined together with the outer one,
  /// so that each is examined once.
  private mutating func isLayoutTable(_ index: Int32) -> Bool {
    if index >= knownTablesEnd {
      layoutTables = TableKind.layoutTables(
        in: input.document, at: index, alignsForms: alignsForms)
      knownTablesEnd = input.document.blocks[Int(index)].end
    }
    return layoutTables.contains(index)
  }

  /// Whether everything has been laid out.
  var isComplete: Bool { next >= end && !isWithinBlock && containers.isEmpty }

  /// Whether a block is only partly laid out.
  private var isWithinBlock: Bool { code != nil || !table.isEmpty }

  /// Lays out at least `lines` more lines, or the rest. Long preformatted text and tables can be
  /// interrupted too.
  mutating func layOut(lines: Int = .max) {
    let wanted = lines == .max ? Int.max : writer.lineCount + lines
    while writer.lineCount < wanted {
      if code != nil {
        layOutCodeLines()
      } else if !table.isEmpty {
        layOutTableRows(upTo: wanted)
      } else if next < end {
        layOutBlock()
      } else {
        break
      }
    }
    if next >= end, !isWithinBlock { closeContainers(at: end) }
  }

  /// Lays out the blocks in a cell, after the lines that the writer already has.
  mutating func layOut(cell: Int32, width: Int, isHeader: Bool) {
    next = cell + 1
    end = input.document.blocks[Int(cell)].end
    gap = false
    isClose = true
    self.width = width
    textWidth = width
    context.added = isHeader ? InlineStyle.strong : InlineStyle()
    indentation.width = width
    layOut()
    context.added = InlineStyle()
  }

  /// The columns available for running text on the next line.
  var availableWidth: Int { max(1, textWidth - indentation.nextColumns) }

  /// The columns up to the right edge on the next line.
  var fullWidth: Int { max(1, width - margin - indentation.nextColumns) }

  // MARK: Blocks

  private mutating func layOutBlock() {
    let index = next
    closeContainers(at: index)
    if let container = containers.last, index >= container.foldedFrom {
      next = container.end
      return
    }
    if !isCell, !foldPart(at: index) { return }
    let block = input.document.blocks[Int(index)]
    next = index + 1
    if index >= summaryEnd { context.fold = nil }
    if let run = block.runs.first { source = input.document.runs[Int(run)].start }
    switch block.kind {
    case .paragraph, .row: context.fieldColumn = fieldColumn(at: index)
    default: context.fieldColumn = 0
    }
    switch block.kind {
    case .paragraph: layOutParagraph(block)
    case .heading(let level): layOutHeading(block, index, level)
    case .preformatted(let language): beginCode(block, input.document.codeLanguage(language))
    case .rule: layOutRule()
    case .image(let image): layOutImage(block, image)
    case .term: layOutTerm(block)
    case .row where containers.last?.isDataTable == true: beginTable(from: index)
    case .row where isLine(row: block, index): layOutLine(row: block, index)
    default: return openContainer(block, index)
    }
    reserveLines(forImagesBelow: index)
  }

  /// Whether the children of the innermost container follow each other without blank lines.
  var isTight: Bool { containers.last?.isTight ?? false }

  /// Requests a blank line before or after a block, unless the innermost container is tight.
  mutating func separate() {
    if !isTight { gap = true }
  }

  private mutating func openContainer(_ block: Document.Block, _ index: Int32) {
    let outer = containers.last
    var container = Container(
      end: block.end, parts: indentation.parts.count, isTight: outer?.isTight ?? false,
      listDepth: outer?.listDepth ?? 0, role: context.role, level: level)
    level = level(ofContainer: block, index)
    switch block.kind {
    case .list(let isTight):
      if !(isTight && outer?.isTight == true) { separate() }
      if container.listDepth > 0 { indentation.push(spaces: 2) }
      container.isTight = isTight
      container.listDepth += 1
      container.markerColumns = markerColumns(of: block, index)
    case .item(let marker):
      separate()
      open(item: marker, markerColumns: outer?.markerColumns ?? 0, depth: container.listDepth)
    case .definitionList:
      separate()
      container.isTight = isTight(definitionList: block, index)
    case .definition:
      isClose = true
      indentation.push(spaces: 4)
      container.listDepth = 0
    case .quote:
      separate()
      indentation.push(
        marker: "", rest: input.glyphs.quoteBar, columns: 2, style: TextStyle(.quote),
        depth: 1 + containers.count { $0.isQuote })
      container.isQuote = true
      if context.role == .text { context.role = .quote }
      container.isTight = false
      container.listDepth = 0
    case .figure:
      separate()
      container.isTight = true
      container.isFigure = true
    case .details(let isOpen):
      separate()
      if !open(details: index, isOpen: isOpen) { container.foldedFrom = summaryEnd }
      container.isTight = false
      container.listDepth = 0
    case .caption:
      separate()
      let isFirst = index > 0 && input.document.blocks[Int(index) - 1].kind == .figure
      indentation.push(spaces: outer?.isFigure == true && !isFirst ? 2 : 0)
      container.isClose = outer?.isFigure != true
    case .table:
      separate()
      container.isDataTable = !isCell && !isLayoutTable(index)
      container.isTight = true
    case .row, .cell:
      gap = true
      container.isTight = false
    default: break
    }
    containers.append(container)
  }

  private mutating func closeContainers(at index: Int32) {
    while let container = containers.last, container.end <= index {
      containers.removeLast()
      indentation.pop(to: container.parts)
      context.role = container.role
      level = container.level
      // A summary without content is a line like others.
      if container.foldedFrom < .max, isTight { gap = false }
      separate()
      isClose = container.isClose
    }
  }

  // MARK: Lines

  /// Writes the blank line that is due before a block.
  mutating func writeGap() {
    defer {
      gap = false
      isClose = false
    }
    guard gap, !isClose, writer.lineCount > 0 else { return }
    indentation.writeBlank(
      to: &writer, margin: margin, source: source, level: input.isBidi ? level : nil)
  }

  /// Begins a line and writes its indentation.
  mutating func beginLine() {
    writer.beginLine()
    writer.append(byte: .space, count: margin)
    indentation.write(to: &writer)
    writer.endPrefix()
  }

  /// Fills lines with `inline`, each at most `width` columns wide without its indentation.
  /// - Parameters:
  ///   - width: The number of columns; nil for the width of running text.
  ///   - isCode: Whether the text is left to right, whatever its content.
  mutating func fill(width: Int? = nil, isCode: Bool = false) {
    breaker.prepare(inline.bytes, isASCII: inline.isASCII, unbreakable: inline.unbreakable)
    var cursor = InlineCursor()
    var position = 0
    var continues = false
    let order = order(of: 0..<inline.bytes.count, isCode: isCode)
    textLevel = order?.level ?? 0
    repeat {
      let columns = width ?? availableWidth
      let segment = breaker.segment(of: inline.bytes, from: position, width: columns)
      beginLine()
      let source = write(segment.range, by: &cursor, order, columns: columns)
      if segment.isHyphenated { cursor.writeHyphen(of: inline, to: &writer) }
      endText(order, columns: columns)
      writer.endLine(source: source, continues: continues, wrap: inline.wrap(after: segment))
      continues = !segment.isForced
      position = segment.next
    } while position < inline.bytes.count
    source = inline.source(at: inline.bytes.count, piece: inline.pieces.count - 1)
  }
}

extension PageForms {
  /// The number of links before each control; -1 if the control is not shown.
  fileprivate var linksBeforeControls: [Int32] {
    var counts = [Int32](repeating: -1, count: controls.count)
    for span in spans { counts[Int(span.control)] = span.links }
    return counts
  }
}
