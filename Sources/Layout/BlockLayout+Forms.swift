import Document

/// Rows of forms: the fields of labels that follow each other begin in one column.
extension BlockLayout {
  /// The column at which the fields of a form's rows begin that follow each other.
  struct FieldColumn: Sendable {
    /// The block past the last row that was looked at.
    var end: Int32 = 0
    /// Columns behind the indentation; 0 where there are no rows to be aligned.
    var column = 0
  }

  /// Where the field of a block begins if it is a row of a form; 0 for where its label ends.
  mutating func fieldColumn(at index: Int32) -> Int {
    guard !isMeasuring, alignsForms, !input.document.forms.spans.isEmpty else {
      return 0
    }
    if index < fields.end { return fields.column }
    var widest = 0
    var count = 0
    var position = index
    let limit = containers.last?.end ?? end
    while position < limit, let width = labelWidth(ofRow: position) {
      if width > 0, width <= min(Self.maxLabelWidth, textRoom / 2) {
        widest = max(widest, width)
        count += 1
      }
      position = input.document.blocks[Int(position)].end
    }
    fields = FieldColumn(end: max(position, index + 1), column: count > 1 ? widest : 0)
    return fields.column
  }

  /// Whether rows of forms are aligned: where they can be filled in, and are not read aloud.
  var alignsForms: Bool { !input.options.fields.isEmpty && !input.options.isLinear }

  /// Longer labels stand as they are, in columns.
  private static let maxLabelWidth = 32

  /// The columns of a row's label and the gap behind it; 0 when it begins with a control, nil when it has
  /// none.
  private func labelWidth(ofRow index: Int32) -> Int? {
    let block = input.document.blocks[Int(index)]
    switch block.kind {
    case .paragraph:
      return width(before: block.runs).map { $0 > 0 ? $0 + 1 : 0 }
    case .row:
      guard isLine(row: block, index), let label = input.document.soleParagraph(ofCell: index + 1),
        label >= 0, case let cell = input.document.blocks[Int(index) + 1].end, cell < block.end,
        let field = input.document.soleParagraph(ofCell: cell), field >= 0,
        let start = width(before: input.document.blocks[Int(field)].runs)
      else { return nil }
      let runs = input.document.blocks[Int(label)].runs
      guard start == 0, width(before: runs) == nil else { return 0 }
      return width(of: runs) + 2
    default: return nil
    }
  }

  /// The columns of what stands before the first control of a leaf; nil where there is none.
  private func width(before runs: Range<Int32>) -> Int? {
    let first = runs.first { input.document.runs[Int($0)].style.contains(.control) }
    return first.map { width(of: runs.lowerBound..<$0) }
  }

  /// The columns of a text without blanks at its end; more than a line has where it is several lines.
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
  /// Appends the blanks before the first field of a form's row, so that it begins where those of other rows do.
  /// - Parameters:
  ///   - width: the columns of the field.
  ///   - source: offset of the field in the document.
  ///   - context: where the row stands.
  mutating func alignField(ofWidth width: Int, source: UInt32, in context: InlineContext) {
    guard !hasField else { return }
    hasField = true
    guard context.fieldColumn > 0, context.fieldColumn + width <= context.room else { return }
    let used = context.input.options.widths.width(of: bytes, in: 0..<bytes.count)
    guard used > 0, used < context.fieldColumn, !bytes.contains(0x0A) else { return }
    append(
      String(repeating: " ", count: context.fieldColumn - used).utf8,
      style: TextStyle(context.role), target: nil, source: source)
  }
}
