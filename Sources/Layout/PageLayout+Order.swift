import Algorithms

extension PageLayout {
  /// The bidirectional order of a line that contains right-to-left text or is right to left itself.
  package struct OrderedLine: Sendable, Equatable {
    /// The index in `PageLayout.lines`.
    package var lineIndex: Int32
    /// The number of columns at the beginning of the line that are not reordered.
    package var margin: Int32
    /// The number of columns after the margin that the line fills with text and blanks.
    package var columns: Int32
    /// The embedding level of the line (UAX 9): 1 for right to left.
    package var embeddingLevel: UInt8
    /// The level runs of the line in logical order; the first one begins after the margin.
    package var levelRuns: [LevelRun] = []
  }

  /// A range of a line with one embedding level (a level run in UAX 9).
  package struct LevelRun: Sendable, Equatable {
    /// The offset in `PageLayout.text` after the last byte of the level run.
    package var end: UInt32
    /// The embedding level; odd for right to left.
    package var embeddingLevel: UInt8
    /// The minimum width in columns of the box that ends with this run, to which it is padded with
    /// blanks; -1 if no box ends here.
    package var minBoxWidth: Int32
  }

  /// Returns the bidirectional order of a line; nil if it is left to right and needs no reordering.
  package func order(ofLine index: Int) -> OrderedLine? {
    guard !orderedLines.isEmpty else { return nil }
    let first = orderedLines.partitioningIndex { Int($0.lineIndex) >= index }
    return first < orderedLines.count && Int(orderedLines[first].lineIndex) == index
      ? orderedLines[first] : nil
  }
}

extension LineWriter {
  /// Whether the open line has a bidirectional order.
  var hasBidiOrder: Bool { order != nil }

  /// Begins the bidirectional order of the open line. The text written so far is the prefix of the
  /// line and becomes a padded box.
  /// - Parameters:
  ///   - level: The embedding level of the line: 1 for right to left.
  ///   - margin: The number of columns that are not reordered.
  ///   - columns: The number of columns after the prefix that the line fills.
  mutating func beginBidiOrder(level: UInt8, margin: Int, columns: Int) {
    let start = openLineStart + margin
    let prefix = widths.width(of: layout.text, in: start..<layout.text.count)
    order = PageLayout.OrderedLine(
      lineIndex: Int32(layout.lines.count), margin: Int32(margin), columns: Int32(prefix + columns),
      embeddingLevel: level)
    if level == 1 { endNumbers(from: start) }
    endLevelRun(level: level, minBoxWidth: 0)
  }

  /// Ends a level run that consists of the text written since the previous one; `minBoxWidth` has
  /// the meaning of `PageLayout.LevelRun.minBoxWidth`.
  mutating func endLevelRun(level: UInt8, minBoxWidth: Int = -1) {
    endLevelRun(at: layout.text.count, level: level, minBoxWidth: minBoxWidth)
  }

  private mutating func endLevelRun(at end: Int, level: UInt8, minBoxWidth: Int = -1) {
    order?.levelRuns.append(
      PageLayout.LevelRun(
        end: UInt32(end), embeddingLevel: level, minBoxWidth: Int32(clamping: minBoxWidth))
    )
  }

  /// Divides the prefix into level runs so that numbers and letters of list markers are left to
  /// right on any line.
  private mutating func endNumbers(from start: Int) {
    var isNumber = false
    for index in start..<layout.text.count {
      let byte = layout.text[index]
      let isPart = byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
      if isPart != isNumber, index > start {
        endLevelRun(at: index, level: isNumber ? 2 : 1, minBoxWidth: -1)
      }
      isNumber = isPart
    }
  }

  /// Appends the level runs of a cell's line whose text was just appended; the level runs together
  /// form one box.
  /// - Parameters:
  ///   - cell: The bidirectional order of the cell's line.
  ///   - start: The offset of the line in the text of the cell's layout.
  ///   - shift: The offset of the line in the text of this layout.
  mutating func append(levelRunsOf cell: PageLayout.OrderedLine, from start: Int, at shift: Int) {
    let offset = levelOffset(of: cell.embeddingLevel)
    for levelRun in cell.levelRuns {
      endLevelRun(at: Int(levelRun.end) - start + shift, level: levelRun.embeddingLevel + offset)
    }
  }

  /// Returns the number that is added to levels of embedded text on this line, so that the text is
  /// reordered as a unit.
  func levelOffset(of level: UInt8) -> UInt8 { (order?.embeddingLevel ?? 0) > level ? 2 : 0 }
}

extension PageLayout.OrderedLine {
  /// Returns the order without the text after an offset.
  func truncated(at end: UInt32) -> Self {
    guard levelRuns.last.map({ $0.end > end }) ?? false else { return self }
    var result = self
    for index in levelRuns.indices { result.levelRuns[index].end = min(end, levelRuns[index].end) }
    return result
  }
}
