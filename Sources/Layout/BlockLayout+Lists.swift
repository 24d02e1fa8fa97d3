import DOM
import Document

extension BlockLayout {
  /// Opens a list item, whose marker hangs to the left of its lines.
  mutating func open(item marker: Document.Marker, markerColumns: Int, depth: Int) {
    switch marker {
    case .none: break
    case .bullet where itemBeginsWithList:
      indentation.push(spaces: max(2, markerColumns))
    case .bullet:
      let bullet = input.glyphs.bullets[min(max(0, depth - 1), input.glyphs.bullets.count - 1)]
      let columns = max(2, markerColumns)
      indentation.push(
        marker: bullet + String(repeating: " ", count: columns - 1),
        continuation: String(repeating: " ", count: columns), columns: columns, style: TextStyle(),
        depth: depth)
    case .number(let value, let style): push(marker: numberText(value, style), markerColumns)
    case .text(let index): push(marker: markerText(index), markerColumns)
    }
  }

  /// Indents the lines of an item behind its marker.
  private mutating func push(marker: String, _ markerColumns: Int) {
    let width = input.options.widths.width(of: marker)
    let columns = max(markerColumns, width + 1)
    indentation.push(
      marker: String(repeating: " ", count: columns - width - 1) + marker + " ",
      continuation: String(repeating: " ", count: columns), columns: columns, style: TextStyle())
  }

  /// Returns the marker text that CSS specifies, or a bullet if the text is not ASCII and only
  /// ASCII can be shown.
  private func markerText(_ index: Int32) -> String {
    let text = input.document.markerTexts[Int(index)]
    let isShown = !input.options.isASCII || text.utf8.allSatisfy { $0 < 0x80 }
    return isShown ? text : input.glyphs.bullets[0]
  }

  /// Returns the marker of a numbered item: its number in a counter style, with the suffix of that
  /// style; or, if only ASCII can be shown and the marker has other characters, the decimal number
  /// and a period.
  private func numberText(_ value: Int32, _ style: NumberStyle) -> String {
    let text = style.text(of: value) + style.suffix
    return input.options.isASCII && !text.utf8.allSatisfy { $0 < 0x80 } ? "\(value)." : text
  }

  /// Whether the item being opened begins with a nested list. Its own bullet is then omitted.
  private var itemBeginsWithList: Bool {
    guard nextBlock < blockEnd, case .list = input.document.blocks[Int(nextBlock)].kind else {
      return false
    }
    return true
  }

  /// Returns the width of the widest marker of a list in columns, including the space after it.
  func maxMarkerColumns(of list: Document.Block, _ index: Int32) -> Int {
    var columns = 0
    var child = index + 1
    while child < list.end {
      let block = input.document.blocks[Int(child)]
      switch block.kind {
      case .item(.number(let value, let style)):
        columns = max(columns, input.options.widths.width(of: numberText(value, style)) + 1)
      case .item(.text(let index)):
        columns = max(columns, input.options.widths.width(of: markerText(index)) + 1)
      case .item(.bullet): columns = max(columns, 2)
      default: break
      }
      child = max(block.end, child + 1)
    }
    return columns
  }

  /// Opens a disclosure (`details`); the user toggles it with the indicator before its summary.
  /// - Returns: Whether the content of the disclosure is shown.
  mutating func open(details index: Int32, isInitiallyOpen: Bool) -> Bool {
    let isShown =
      !input.options.foldsDetails || isInitiallyOpen != input.options.toggledFolds.contains(index)
    let fold: PageLayout.Target? = input.options.foldsDetails ? .fold(index) : nil
    indentation.push(
      marker: isShown ? input.glyphs.openIndicator : input.glyphs.closedIndicator,
      continuation: "  ", columns: 2,
      style: TextStyle(.dim), target: fold)
    context.defaultTarget = fold
    summaryEnd = input.document.endOfSummary(ofDetails: index)
    return isShown
  }

  /// Whether every definition of a list consists of at most one block.
  func isTight(definitionList list: Document.Block, _ index: Int32) -> Bool {
    var child = index + 1
    while child < list.end {
      let block = input.document.blocks[Int(child)]
      if block.kind == .definition, block.end - child > 2 { return false }
      child = max(block.end, child + 1)
    }
    return true
  }

  /// Returns whether a definition begins its list, without a term, directly after another list. It
  /// must not appear to belong to that list.
  func followsDefinitionList(_ definition: Int32) -> Bool {
    definition > 0 && input.document.blocks[Int(definition) - 1].kind == .definitionList
      && lineCountAfterDefinitions == writer.lineCount
  }

  /// Lays out a term of a definition list without blank lines between it and the preceding term or
  /// its definition.
  mutating func layOutTerm(_ block: Document.Block) {
    if nextBlock >= 2, input.document.blocks[Int(nextBlock) - 2].kind != .term {
      requestBlankLine()
    }
    context.addedStyle.insert(.strong)
    layOutText(block)
    context.addedStyle.remove(.strong)
    suppressesBlankLine = true
  }
}

extension Document {
  /// Returns the index of the block that follows the summary of a disclosure.
  package func endOfSummary(ofDetails index: Int32) -> Int32 {
    let end = blocks[Int(index)].end
    return index + 1 < end ? blocks[Int(index) + 1].end : end
  }
}
