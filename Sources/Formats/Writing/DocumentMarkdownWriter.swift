import DOM
package import Document

/// Writes a document as CommonMark 0.31.
///
/// What CommonMark has no syntax for is written as HTML: deleted and inserted text, subscripts and
/// superscripts, keys, tables with spans or several blocks in a cell, and lists whose numbers are
/// not consecutive. Simple tables are written as pipe tables (GitHub Flavored Markdown), and a term
/// as a bold list item with its definitions below.
struct DocumentMarkdownWriter {
  private let document: Document
  private let targets: ExportTargets
  private var output: [UInt8] = []
  private var containers: [Container] = []
  /// Whether a blank line is needed before the next line.
  private var needsBlankLine = false
  private var inline: MarkdownInlineWriter

  /// An open container, with the prefix of each line inside it.
  private struct Container {
    var end: Int
    /// The prefix of the first line; empty after the first line was written.
    var marker: [UInt8] = []
    /// The prefix of the lines after the first one.
    var prefix: [UInt8] = []
    var isTight = false
    /// For a list, whether an item was written.
    var hasWrittenItem = false
    /// The bullet of a list, or the delimiter after its numbers.
    var listDelimiter: UInt8 = 0
    /// The bullet or delimiter of the last list that ended directly inside the container.
    var lastListDelimiter: UInt8 = 0
    var isTerm = false
  }

  init(_ document: Document, _ targets: ExportTargets) {
    self.document = document
    self.targets = targets
    inline = MarkdownInlineWriter(document, targets)
    containers = [Container(end: document.blocks.count)]
    output.reserveCapacity(document.text.count * 3 / 2)
  }

  mutating func writePage() -> [UInt8] {
    var index = 0
    while index < document.blocks.count {
      closeContainers(before: index)
      index = writeBlock(index)
    }
    closeContainers(before: .max)
    return output
  }

  // MARK: Blocks

  /// Writes a block.
  /// - Returns: The index of the next block to write.
  private mutating func writeBlock(_ index: Int) -> Int {
    let block = document.blocks[index]
    switch block.kind {
    case .paragraph:
      separateBlock()
      let text = inline.paragraph(block, around: isSummary(index) ? "**" : "")
      writeLines(isTask(block) ? MarkdownInlineWriter.unescapingCheckbox(text) : text)
    case .heading(let level):
      separateBlock()
      let delimiter = [UInt8](repeating: UInt8(ascii: "#"), count: Int(level)) + [0x20]
      writeLine(delimiter + inline.heading(block))
    case .preformatted(let language):
      separateBlock()
      writeCode(block, document.codeLanguage(language))
    case .rule:
      separateBlock()
      writeLine(Array("* * *".utf8))
    case .image:
      separateBlock()
      writeLines(inline.paragraph(block, around: ""))
    case .term: writeTerm(block)
    case .list(let isTight) where hasMarkdownNumbering(index) == false:
      if !(isTight && containers.last?.isTight == true) { separateBlock() }
      writeHTML(index..<Int(block.end))
      return Int(block.end)
    case .list(let isTight): beginList(index, isTight: isTight)
    case .item(let marker): beginItem(block, marker)
    case .quote:
      separateBlock()
      openContainer(
        Container(end: Int(block.end), marker: Array("> ".utf8), prefix: Array("> ".utf8)))
    case .table:
      separateBlock()
      writeTable(index)
      return Int(block.end)
    case .definitionList, .definition, .figure, .caption, .row, .cell, .details:
      openContainer(Container(end: Int(block.end)))
    }
    return index + 1
  }

  private mutating func writeTerm(_ block: Document.Block) {
    while let last = containers.last, last.isTerm { endContainer() }
    separateBlock()
    openContainer(
      Container(end: Int.max, marker: Array("- ".utf8), prefix: Array("  ".utf8), isTerm: true))
    writeLines(inline.paragraph(block, around: "**"))
    needsBlankLine = true
  }

  private func isSummary(_ index: Int) -> Bool {
    guard index > 0, case .details = document.blocks[index - 1].kind else { return false }
    return true
  }

  /// Returns whether a paragraph that begins a list item begins with a checkbox, as in task lists
  /// (GitHub Flavored Markdown).
  private func isTask(_ block: Document.Block) -> Bool {
    guard let container = containers.last, !container.marker.isEmpty, !container.isTerm,
      let first = document.runs(of: block).first
    else { return false }
    return first.style.contains(.control)
  }

  private mutating func writeCode(_ block: Document.Block, _ language: String) {
    let text = Array(document.text(of: block).utf8)
    let fence = [UInt8](
      repeating: UInt8(ascii: "`"), count: max(3, text.longestRun(of: UInt8(ascii: "`")) + 1))
    writeLine(fence + language.utf8.filter { $0 > 0x20 && $0 != UInt8(ascii: "`") })
    for part in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      writeLine(Array(part), isCode: true)
    }
    writeLine(fence)
  }

  /// Returns whether CommonMark would number the items of a list as on the page: with consecutive
  /// decimal numbers. Nil for a list without numbers.
  private func hasMarkdownNumbering(_ index: Int) -> Bool? {
    var first: Int32?
    var count: Int32 = 0
    var isPlain = true
    var item = index + 1
    while item < Int(document.blocks[index].end) {
      if case .item(.number(let value, let style)) = document.blocks[item].kind {
        let start = first ?? value
        first = start
        isPlain =
          isPlain && style == .decimal && value == start &+ count
          && (0..<1_000_000_000).contains(value)
      } else {
        isPlain = false
      }
      count += 1
      item = max(Int(document.blocks[item].end), item + 1)
    }
    return first == nil ? nil : isPlain
  }

  /// Writes blocks as HTML. Blank lines are avoided, because they would end the HTML block.
  private mutating func writeHTML(_ range: Range<Int>) {
    var writer = DocumentHTMLWriter(document, targets)
    var text = writer.writeFragment(range)
    if text.last == 0x0A { text.removeLast() }
    // Only preformatted text contains blank lines.
    var hasBlank = false
    for part in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if part.isEmpty {
        if hasBlank { writeLine(Array("&#10;".utf8)) }
        hasBlank.toggle()
      } else {
        writeLine((hasBlank ? Array("&#10;".utf8) : []) + part)
        hasBlank = false
      }
    }
    needsBlankLine = true
  }

  private mutating func beginList(_ index: Int, isTight: Bool) {
    let isInTight = containers.last?.isTight ?? false
    if !(isTight && isInTight) { separateBlock() }
    let isNumbered =
      if index + 1 < document.blocks.count, case .item(.number) = document.blocks[index + 1].kind {
        true
      } else { false }
    // A different bullet or delimiter separates a list from the one before it.
    let last = containers.last?.lastListDelimiter ?? 0
    let signs = isNumbered ? Array(".)".utf8) : Array("-*".utf8)
    let sign = last == signs[0] ? signs[1] : signs[0]
    openContainer(
      Container(end: Int(document.blocks[index].end), isTight: isTight, listDelimiter: sign))
  }

  private mutating func beginItem(_ block: Document.Block, _ marker: Document.Marker) {
    let list = containers.last ?? Container(end: 0)
    if !list.isTight { separateBlock() } else if list.hasWrittenItem { needsBlankLine = false }
    if let top = containers.indices.last { containers[top].hasWrittenItem = true }
    var text: [UInt8]
    switch marker {
    case .number(let value, _) where value >= 0 && value < 1_000_000_000:
      text = Array(String(value).utf8) + [list.listDelimiter]
    case .number: text = [UInt8(ascii: "1"), list.listDelimiter]
    case .bullet, .text, .none:
      text = [
        list.listDelimiter == UInt8(ascii: ".") || list.listDelimiter == UInt8(ascii: ")")
          ? 0x2D : list.listDelimiter
      ]
    }
    text.append(0x20)
    openContainer(
      Container(
        end: Int(block.end), marker: text, prefix: [UInt8](repeating: 0x20, count: text.count),
        isTight: list.isTight))
  }

  private mutating func openContainer(_ container: Container) {
    containers.append(container)
  }

  private mutating func closeContainers(before index: Int) {
    while containers.count > 1, let last = containers.last, last.end <= index || endsTermItem(index)
    {
      endContainer()
    }
  }

  /// Returns whether the innermost container is a term, and its definition list ends at an index.
  private func endsTermItem(_ index: Int) -> Bool {
    guard let last = containers.last, last.isTerm, containers.count > 1 else { return false }
    return containers[containers.count - 2].end <= index
  }

  private mutating func endContainer() {
    let container = containers.removeLast()
    if !container.marker.isEmpty {
      // The container is empty.
      containers.append(container)
      writeLine([])
      containers.removeLast()
    }
    guard let top = containers.indices.last else { return }
    if container.listDelimiter != 0 {
      containers[top].lastListDelimiter = container.listDelimiter
      needsBlankLine = true
    }
    if !containers[top].isTight { needsBlankLine = true }
  }

  // MARK: Tables

  private mutating func writeTable(_ index: Int) {
    let table = document.blocks[index]
    if let rows = PipeTable(document, index) {
      if let caption = rows.captionIndex {
        writeLines(inline.paragraph(document.blocks[caption], around: ""))
        separateBlock()
      }
      for (number, row) in rows.cellLeafIndices.enumerated() {
        var text: [UInt8] = [UInt8(ascii: "|")]
        for column in 0..<rows.columnCount {
          text.append(0x20)
          if column < row.count, let leaf = row[column] {
            text += inline.cell(document.blocks[leaf])
          }
          text += [0x20, UInt8(ascii: "|")]
        }
        writeLine(text)
        if number == 0 {
          let delimiters = rows.alignments.map { alignment in
            switch alignment {
            case .unset, .left: " --- |"
            case .center: " :---: |"
            case .right: " ---: |"
            }
          }
          writeLine(Array(("|" + delimiters.joined()).utf8))
        }
      }
    } else {
      writeHTML(index..<Int(table.end))
    }
    needsBlankLine = true
  }

  // MARK: Lines

  /// Separates the following block by a blank line if needed.
  private mutating func separateBlock() {
    guard !output.isEmpty, containers.last?.marker.isEmpty ?? true else { return }
    needsBlankLine = needsBlankLine || !(containers.last?.isTight ?? false)
  }

  private mutating func writeLines(_ text: [UInt8]) {
    for part in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      writeLine(Array(part))
    }
  }

  /// Writes a line. Spaces at the end are significant only in code.
  private mutating func writeLine(_ text: [UInt8], isCode: Bool = false) {
    if needsBlankLine, !output.isEmpty {
      var blank: [UInt8] = []
      for container in containers where container.marker.isEmpty { blank += container.prefix }
      while blank.last == 0x20 { blank.removeLast() }
      output += blank + [0x0A]
    }
    needsBlankLine = false
    for index in containers.indices {
      if containers[index].marker.isEmpty {
        output += containers[index].prefix
      } else {
        output += containers[index].marker
        containers[index].marker = []
      }
    }
    output += text
    if !isCode || text.isEmpty { while output.last == 0x20 { output.removeLast() } }
    output.append(0x0A)
  }
}

/// A table that can be written as a pipe table: each cell is at most one paragraph or image, and
/// there are no spans.
private struct PipeTable {
  /// The index of the leaf of each cell; nil for an empty cell.
  var cellLeafIndices: [[Int?]] = []
  /// The alignment of each column: that of its last cell.
  var alignments: [Document.Alignment] = []
  var columnCount: Int { alignments.count }
  var captionIndex: Int?

  /// Reads a table; nil if it cannot be written as a pipe table.
  init?(_ document: Document, _ tableIndex: Int) {
    var index = tableIndex + 1
    let end = Int(document.blocks[tableIndex].end)
    while index < end {
      let block = document.blocks[index]
      switch block.kind {
      case .caption:
        guard captionIndex == nil, block.end == index + 2 else { return nil }
        captionIndex = index + 1
        index = Int(block.end)
      case .row:
        cellLeafIndices.append([])
        index += 1
      case .cell(_, let columns, let rows, let alignment):
        guard columns == 1, rows == 1, !self.cellLeafIndices.isEmpty, block.end <= index + 2 else {
          return nil
        }
        if block.end == index + 2 {
          switch document.blocks[index + 1].kind {
          case .paragraph, .image: break
          default: return nil
          }
          self.cellLeafIndices[self.cellLeafIndices.count - 1].append(index + 1)
        } else {
          self.cellLeafIndices[self.cellLeafIndices.count - 1].append(nil)
        }
        let column = (cellLeafIndices.last?.count ?? 1) - 1
        if column == alignments.count { alignments.append(alignment) }
        alignments[column] = alignment
        index = Int(block.end)
      default: return nil
      }
    }
    if alignments.isEmpty { return nil }
  }
}

extension [UInt8] {
  /// Returns the length of the longest run of a byte.
  func longestRun(of byte: UInt8) -> Int {
    var longest = 0
    var run = 0
    for each in self {
      run = each == byte ? run + 1 : 0
      longest = Swift.max(longest, run)
    }
    return longest
  }
}

extension Document {
  /// Returns the document as CommonMark in UTF-8.
  package func markdown(_ targets: ExportTargets) -> [UInt8] {
    var writer = DocumentMarkdownWriter(self, targets)
    return writer.writePage()
  }
}
