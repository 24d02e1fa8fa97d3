import DOM
import Document

/// Aligns the rows of forms: the fields of consecutive rows begin in one column.
extension BlockLayout {
  /// The common column at which the fields of consecutive form rows begin.
  struct FieldColumn: Sendable {
    /// The block index after the last row that was measured.
    var measuredRowsEnd: Int32 = 0
    /// The number of columns after the indentation; 0 if there is nothing to align.
    var column = 0
  }

  /// Returns the column at which the field of a form row begins; 0 if it follows its label
  /// directly.
  mutating func measureFieldColumn(at index: Int32) -> Int {
    guard !isMeasuring, alignsForms, !input.document.forms.controlSpans.isEmpty else {
      return 0
    }
    if index < formFieldColumn.measuredRowsEnd { return formFieldColumn.column }
    var widest = 0
    var count = 0
    var position = index
    let limit = containers.last?.end ?? blockEnd
    while position < limit, let width = labelWidth(ofRow: position) {
      if width > 0, width <= min(Self.maxLabelWidth, availableWidth / 2) {
        widest = max(widest, width)
        count += 1
      }
      position = input.document.blocks[Int(position)].end
    }
    formFieldColumn = FieldColumn(
      measuredRowsEnd: max(position, index + 1), column: count > 1 ? widest : 0)
    return formFieldColumn.column
  }

  /// Whether form rows are aligned: the form can be filled in, and the layout is not linear (for
  /// screen readers).
  var alignsForms: Bool { !input.options.controlAppearances.isEmpty && !input.options.isLinear }

  /// The maximum width of an aligned label, in columns.
  private static let maxLabelWidth = 32

  /// Returns the width in columns of the label of a row and the gap after it; 0 if the row begins
  /// with a control, nil if it has no control.
  private func labelWidth(ofRow index: Int32) -> Int? {
    let block = input.document.blocks[Int(index)]
    switch block.kind {
    case .paragraph:
      return width(before: block.runs).map { $0 > 0 ? $0 + 1 : 0 }
    case .row:
      guard fitsOnOneLine(row: block, index),
        let label = input.document.soleParagraph(ofCell: index + 1)?.value,
        case let cell = input.document.blocks[Int(index) + 1].end, cell < block.end,
        let field = input.document.soleParagraph(ofCell: cell)?.value,
        let start = width(before: input.document.blocks[field].runs)
      else { return nil }
      let runs = input.document.blocks[label].runs
      guard start == 0, width(before: runs) == nil else { return 0 }
      return width(of: runs) + 2
    default: return nil
    }
  }

  /// Returns the width in columns of the text before the first control of a leaf; nil if the leaf
  /// has no control.
  private func width(before runs: Range<Int32>) -> Int? {
    let first = runs.first { input.document.runs[Int($0)].style.contains(.control) }
    return first.map { width(of: runs.lowerBound..<$0) }
  }

  /// Returns the width in columns of a text without its trailing spaces. Text of several lines
  /// counts as wider than any line.
  private func width(of runs: Range<Int32>) -> Int {
    guard let first = runs.first, let last = runs.last else { return 0 }
    let text = input.document.text
    var range =
      Int(input.document.runs[Int(first)].start)..<Int(input.document.runs[Int(last)].end)
    guard range.count <= 4 * Self.maxLabelWidth, !text[range].contains(.lineFeed) else {
      return .max / 2
    }
    while let byte = text[range].last, byte == .space { range.removeLast() }
    return input.options.widths.width(of: text, in: range)
  }
}

extension InlineText {
  /// Appends spaces before the first field of a form row, so that it begins in the common column.
  /// - Parameters:
  ///   - width: the width of the field, in columns.
  ///   - source: the offset of the field in the document.
  ///   - context: the context of the row.
  mutating func alignField(ofWidth width: Int, source: UInt32, in context: InlineContext) {
    guard !hasControl else { return }
    hasControl = true
    guard context.fieldColumn > 0, context.fieldColumn + width <= context.width else { return }
    let used = context.input.options.widths.width(of: bytes, in: 0..<bytes.count)
    guard used > 0, used < context.fieldColumn, !bytes.contains(0x0A) else { return }
    append(
      String(repeating: " ", count: context.fieldColumn - used).utf8,
      style: TextStyle(context.defaultRole), target: nil, source: source)
  }
}
