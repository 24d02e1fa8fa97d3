import Document

extension BlockLayout {
  /// Opens a list item; its marker hangs to the left of its lines.
  mutating func open(item marker: Document.Marker, markerColumns: Int, depth: Int) {
    switch marker {
    case .none: break
    case .bullet where beginsWithList:
      indentation.push(spaces: max(2, markerColumns))
    case .bullet:
      let bullet = input.glyphs.bullets[min(max(0, depth - 1), input.glyphs.bullets.count - 1)]
      let columns = max(2, markerColumns)
      indentation.push(
        marker: bullet + String(repeating: " ", count: columns - 1),
        rest: String(repeating: " ", count: columns), columns: columns, style: TextStyle(),
        depth: depth)
    case .number(let value, let style):
      let number = "\(style.text(of: value))."
      let columns = max(markerColumns, number.utf8.count + 1)
      indentation.push(
        marker: String(repeating: " ", count: columns - number.utf8.count - 1) + number + " ",
        rest: String(repeating: " ", count: columns), columns: columns, style: TextStyle())
    }
  }

  /// Whether the item being opened has no text of its own before a nested list, whose marker
  /// suffices.
  private var beginsWithList: Bool {
    guard next < end, case .list = input.document.blocks[Int(next)].kind else { return false }
    return true
  }

  /// Returns the width of the widest marker of a list in columns, including the space after it.
  func markerColumns(of list: Document.Block, _ index: Int32) -> Int {
    var columns = 0
    var child = index + 1
    while child < list.end {
      let block = input.document.blocks[Int(child)]
      switch block.kind {
      case .item(.number(let value, let style)):
        columns = max(columns, style.text(of: value).utf8.count + 2)
      case .item(.bullet): columns = max(columns, 2)
      default: break
      }
      child = max(block.end, child + 1)
    }
    return columns
  }

  /// Opens a disclosure; the indicator before its summary opens and closes it.
  /// - Returns: Whether its content is shown.
  mutating func open(details index: Int32, isOpen: Bool) -> Bool {
    let isShown =
      !input.options.foldsDetails || isOpen != input.options.toggledDetails.contains(index)
    let fold: PageLayout.Target? = input.options.foldsDetails ? .details(index) : nil
    indentation.push(
      marker: isShown ? input.glyphs.opened : input.glyphs.closed, rest: "  ", columns: 2,
      style: TextStyle(.dim), target: fold)
    context.fold = fold
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

  /// Lays out a term, without blank lines between it and the term above or its definition.
  mutating func layOutTerm(_ block: Document.Block) {
    if next >= 2, input.document.blocks[Int(next) - 2].kind != .term { separate() }
    context.added.insert(.strong)
    layOutText(block)
    context.added.remove(.strong)
    isClose = true
  }
}

extension Document {
  /// Returns the index of the block that follows the summary of a disclosure.
  package func endOfSummary(ofDetails index: Int32) -> Int32 {
    let end = blocks[Int(index)].end
    return index + 1 < end ? blocks[Int(index) + 1].end : end
  }
}

extension Document.NumberStyle {
  /// Formats a number in this style, or as digits if the style cannot represent it.
  func text(of value: Int32) -> String {
    switch self {
    case .lowerAlpha where value > 0: Self.letters(value)
    case .upperAlpha where value > 0: Self.letters(value).uppercased()
    case .lowerRoman where (1..<4000).contains(value): Self.roman(value)
    case .upperRoman where (1..<4000).contains(value): Self.roman(value).uppercased()
    default: String(value)
    }
  }

  private static func letters(_ value: Int32) -> String {
    var digits: [UInt8] = []
    var rest = value
    while rest > 0 {
      rest -= 1
      digits.append(UInt8(ascii: "a") + UInt8(rest % 26))
      rest /= 26
    }
    return String(decoding: digits.reversed(), as: UTF8.self)
  }

  private static func roman(_ value: Int32) -> String {
    let numerals: [(Int32, String)] = [
      (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
      (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
    ]
    var rest = value
    var result = ""
    for (size, numeral) in numerals {
      while rest >= size {
        result += numeral
        rest -= size
      }
    }
    return result
  }
}
