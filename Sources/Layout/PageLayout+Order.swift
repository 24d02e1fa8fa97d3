extension PageLayout {
  /// A line of which a part is read from right to left, or that begins at the right.
  package struct OrderedLine: Sendable, Equatable {
    /// Index in `PageLayout.lines`.
    package var line: Int32
    /// Columns at its beginning that keep their place.
    package var margin: Int32
    /// The columns behind the margin that it fills, text and blanks together.
    package var columns: Int32
    /// The embedding level (UAX 9) of the line: 1 where it begins at the right.
    package var level: UInt8
    /// Its parts in the order of the text, the first behind the margin.
    package var stretches: [Stretch] = []
  }

  /// A part of a line with one embedding level.
  package struct Stretch: Sendable, Equatable {
    /// Byte past its last in `PageLayout.text`.
    package var end: UInt32
    /// Odd where it is read from right to left.
    package var level: UInt8
    /// Here ends a box of at least so many columns: blanks fill it; -1 within a box.
    package var box: Int32
  }

  /// How a line is ordered; nil when it is read from left to right as it stands.
  package func order(ofLine index: Int) -> OrderedLine? {
    guard !ordered.isEmpty else { return nil }
    var low = 0
    var high = ordered.count
    while low < high {
      let middle = (low + high) / 2
      if Int(ordered[middle].line) < index { low = middle + 1 } else { high = middle }
    }
    return low < ordered.count && Int(ordered[low].line) == index ? ordered[low] : nil
  }
}

extension LineWriter {
  /// Whether the open line has an order of its own.
  var isOrdered: Bool { order != nil }

  /// Gives the open line an order. What it has so far is its prefix, a box of its own.
  /// - Parameters:
  ///   - level: 1 for a line that begins at the right.
  ///   - margin: Columns that keep their place.
  ///   - columns: The columns behind the prefix that the line fills.
  mutating func beginOrder(level: UInt8, margin: Int, columns: Int) {
    let start = openStart + margin
    let prefix = widths.width(of: layout.text, in: start..<layout.text.count)
    order = PageLayout.OrderedLine(
      line: Int32(layout.lines.count), margin: Int32(margin), columns: Int32(prefix + columns),
      level: level)
    if level == 1 { endNumbers(from: start) }
    endStretch(level: level, box: 0)
  }

  /// What was written since the last stretch has a level; `box` as in `PageLayout.Stretch`.
  mutating func endStretch(level: UInt8, box: Int = -1) {
    endStretch(at: layout.text.count, level: level, box: box)
  }

  private mutating func endStretch(at end: Int, level: UInt8, box: Int = -1) {
    order?.stretches.append(
      PageLayout.Stretch(end: UInt32(end), level: level, box: Int32(clamping: box)))
  }

  /// Numbers and letters of a marker are read from left to right everywhere.
  private mutating func endNumbers(from start: Int) {
    var isNumber = false
    for index in start..<layout.text.count {
      let byte = layout.text[index]
      let isPart = byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
      if isPart != isNumber, index > start {
        endStretch(at: index, level: isNumber ? 2 : 1, box: -1)
      }
      isNumber = isPart
    }
  }

  /// Appends the stretches of a line of a cell, whose text was just appended: all of them are one box.
  /// - Parameters:
  ///   - cell: The order of that line.
  ///   - start: Where the line begins in the cell's layout.
  ///   - shift: Where it begins here.
  mutating func append(stretches cell: PageLayout.OrderedLine, from start: Int, at shift: Int) {
    let deeper = embedding(of: cell.level)
    for stretch in cell.stretches {
      endStretch(at: Int(stretch.end) - start + shift, level: stretch.level + deeper)
    }
  }

  /// What the levels of text of some level are raised by on this line, so that it stays together.
  func embedding(of level: UInt8) -> UInt8 { (order?.level ?? 0) > level ? 2 : 0 }
}

extension PageLayout.OrderedLine {
  /// The order of the line without what stands behind a byte.
  func cut(at end: UInt32) -> Self {
    guard stretches.last.map({ $0.end > end }) ?? false else { return self }
    var result = self
    for index in stretches.indices { result.stretches[index].end = min(end, stretches[index].end) }
    return result
  }
}
