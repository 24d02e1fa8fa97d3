import Document

/// Lays out the blocks of a document one after the other, in one pass without recursion.
///
/// It can stop after any block and go on later, so that the first screens of a long page are there
/// before the rest.
struct BlockLayout: Sendable {
  /// What is laid out, and how.
  let input: LayoutInput
  /// Whether this lays out the content of a table cell: tables inside become blocks.
  let isCell: Bool
  /// Tables that are read as blocks, as far as tables were looked at.
  private var layoutTables: Set<Int32> = []
  /// The block past the last table that was looked at: a long page is not read to its end for its
  /// first screens.
  private var knownTablesEnd: Int32 = 0

  /// Columns that are available, and those of them for running text.
  var width: Int
  var textWidth: Int
  var context: InlineContext
  var writer: LineWriter
  var indentation = Indentation()
  var inline = InlineText()
  var breaker: LineBreaker

  /// The block that comes next, and the one past the last.
  var next: Int32 = 0
  var end: Int32
  /// Columns left of the text column.
  var margin = 0
  /// The open containers.
  private(set) var containers: [Container] = []
  /// 1 in a container whose lines begin at the right.
  var level: UInt8 = 0
  /// The level of the paragraph that was laid out last.
  var textLevel: UInt8 = 0
  /// A blank line is due before the next line.
  var gap = false
  /// The next leaf stands close to what is before it, whatever `gap` says.
  var isClose = false
  /// How many lines there were behind the last image that took one line.
  var imageEnd = -1
  /// How many lines there were behind the rule of the last heading.
  var ruleEnd = -1
  /// Where a paragraph of one line ended, or -1.
  var lineEnd = -1
  /// Offset in the document of the text that comes next.
  var source: UInt32 = 0
  /// A cell is laid out to learn its widths.
  var isMeasuring = false
  /// Images may be drawn in the cell: it is no part of several rows, and stands where it is written.
  var holdsImages = false
  /// Widest part of the text that no break divides, when measuring.
  var widestWord = 0
  /// The block past the summary that is being laid out.
  var summaryEnd: Int32 = 0
  /// How many of `Document.parts` were met.
  var partCount = 0
  /// What is left of preformatted text whose first lines were laid out.
  var code: CodeProgress?
  /// The common column of form fields.
  var fields = FieldColumn()
  /// The table whose first rows were laid out, if there is one.
  var table: [TableProgress] = []

  /// An open block that contains others.
  struct Container {
    /// Index past its last descendant.
    var end: Int32
    /// Levels of indentation outside it.
    var parts: Int
    /// No blank lines between its children.
    var isTight: Bool
    /// How many lists are open, this one included.
    var listDepth: Int
    /// The widest marker of the list.
    var markerColumns = 0
    /// The role outside it.
    var role: TextRole
    /// The level of lines outside it.
    var level: UInt8
    /// What follows stands close to it.
    var isClose = false
    /// Its captions are indented.
    var isFigure = false
    /// A table whose rows are laid out together.
    var isDataTable = false
    /// The child from which on its content is folded away.
    var foldedFrom = Int32.max
  }

  /// The layout of a whole input.document.
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
      controls: input.options.fields.isEmpty ? [] : input.document.forms.linksBeforeControls)
    end = Int32(input.document.blocks.count)
    if input.options.isCentered { margin = max(0, (width - textWidth) / 2) }
    indentation.width = textWidth
    writer.reserve(
      bytes: input.document.text.count + input.document.text.count / 4,
      runs: input.document.runs.count)
    beginDocument()
  }

  /// The layout of cells of a table in `page`; `layOut(cell:width:)` does each.
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
    indentation.fewest = 3
    writer = LineWriter(width: 0, widths: input.options.widths, links: nil)
    end = 0
  }

  /// Whether a table is read as blocks. The tables in it are looked at with it, so that none is twice.
  private mutating func isLayoutTable(_ index: Int32) -> Bool {
    if index >= knownTablesEnd {
      layoutTables = TableKind.layoutTables(
        in: input.document, at: index, alignsForms: alignsForms)
      knownTablesEnd = input.document.blocks[Int(index)].end
    }
    return layoutTables.contains(index)
  }

  /// Whether everything is laid out.
  var isComplete: Bool { next >= end && !isWithinBlock && containers.isEmpty }

  /// Whether a part of a block waits for its turn.
  private var isWithinBlock: Bool { code != nil || !table.isEmpty }

  /// Lays out until there are `lines` lines more, or everything. Long preformatted text and tables
  /// are interrupted, too.
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

  /// Lays out the blocks inside a cell, below what the writer has.
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

  /// The columns that running text may use on the next line.
  var textRoom: Int { max(1, textWidth - indentation.nextColumns) }

  /// The columns up to the right edge on the next line.
  var fullRoom: Int { max(1, width - margin - indentation.nextColumns) }

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
    reserveRoom(forImagesBelow: index)
  }

  /// Whether the innermost container sets its children without blank lines.
  var isTight: Bool { containers.last?.isTight ?? false }

  /// Space before or after a block in the innermost container.
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
        marker: "", rest: input.glyphs.quoteBar, columns: 2, style: TextStyle(.quote))
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
      // A summary alone is a line like others.
      if container.foldedFrom < .max, isTight { gap = false }
      separate()
      isClose = container.isClose
    }
  }

  // MARK: Lines

  /// Writes the blank line that is due before a block's first line.
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

  /// Fills lines with `inline`, each at most `room` columns wide without its indentation.
  /// - Parameters:
  ///   - room: The columns; those of running text when nil.
  ///   - isCode: It begins at the left whatever is in it.
  mutating func fill(room: Int? = nil, isCode: Bool = false) {
    breaker.prepare(inline.bytes, isASCII: inline.isASCII, held: inline.held)
    var cursor = InlineCursor()
    var position = 0
    var continues = false
    let order = order(of: 0..<inline.bytes.count, isCode: isCode)
    textLevel = order?.level ?? 0
    repeat {
      let columns = room ?? textRoom
      let segment = breaker.segment(of: inline.bytes, from: position, width: columns)
      beginLine()
      let source = write(segment.range, by: &cursor, order, columns: columns)
      if segment.isHyphenated { cursor.writeHyphen(of: inline, to: &writer) }
      endText(order, columns: columns)
      writer.endLine(source: source, continues: continues)
      continues = !segment.isForced
      position = segment.next
    } while position < inline.bytes.count
    source = inline.source(at: inline.bytes.count, piece: inline.pieces.count - 1)
  }
}

extension PageForms {
  /// How many links come before each control; -1 where it is not shown.
  fileprivate var linksBeforeControls: [Int32] {
    var counts = [Int32](repeating: -1, count: controls.count)
    for span in spans { counts[Int(span.control)] = span.links }
    return counts
  }
}
