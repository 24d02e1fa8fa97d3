import DOM
import Document

/// Appends lines to a layout: merges adjacent runs of the same style and target, and records the
/// first line of each link.
struct LineWriter {
  private(set) var layout: PageLayout
  /// The widths of characters.
  let widths: DisplayWidth
  /// Whether each link has a recorded line; empty if links are not recorded.
  private var hasLinkLine: [Bool]
  private let recordsLinks: Bool
  /// Whether `PageLayout.sourceSpans` is recorded.
  let recordsSources: Bool
  /// The bidirectional order of the open line; nil for left to right.
  var order: PageLayout.OrderedLine?
  private var lineStart: UInt32 = 0
  private var firstRun: UInt32 = 0
  private var prefixLength = 0
  /// The style and target of the text at the end of the open line that belongs to no run yet; nil
  /// if there is no such text.
  private var pendingStyle: (style: TextStyle, target: PageLayout.Target?)?
  /// The number of lines that were removed by `drain()`.
  private var drainedLineCount = 0
  private var lastSourceOffset: UInt32 = 0
  /// Whether each image outside a link has a recorded line.
  private var isImagePlaced: [Bool]
  /// The target of the summary or fold line that was recorded last; nil if none was.
  private var lastFoldTarget: PageLayout.Target?
  /// The number of links before each control; -1 if the control is not shown.
  private let precedingLinkCounts: [Int32]
  /// Whether each control has a recorded line.
  private var isControlPlaced: [Bool]

  /// Creates an empty layout.
  /// - Parameters:
  ///   - width: The available width in columns.
  ///   - widths: The widths of characters.
  ///   - linkCount: The number of links of the document; nil to record no positions.
  ///   - imageCount: The number of images that may be targets of their own.
  ///   - precedingLinkCounts: The number of links before each control, if controls are targets.
  ///   - recordsSources: Whether to record `PageLayout.sourceSpans`.
  ///   - documentText: The text of the document, which is stored together with the source spans.
  init(
    width: Int, widths: DisplayWidth, linkCount: Int?, imageCount: Int = 0,
    precedingLinkCounts: [Int32] = [],
    recordsSources: Bool, documentText: [UInt8] = []
  ) {
    self.recordsSources = recordsSources
    isImagePlaced = Array(repeating: false, count: imageCount)
    self.precedingLinkCounts = precedingLinkCounts
    isControlPlaced = Array(repeating: false, count: precedingLinkCounts.count)
    self.widths = widths
    layout = PageLayout(width: width)
    if recordsSources { layout.documentText = documentText }
    recordsLinks = linkCount != nil
    hasLinkLine = Array(repeating: false, count: linkCount ?? 0)
  }

  /// The number of lines written so far.
  var lineCount: Int { drainedLineCount + layout.lines.count }

  /// The number of bytes in the open line.
  var openLineLength: Int { layout.text.count - Int(lineStart) }

  /// The offset at which the open line begins.
  var openLineStart: Int { Int(lineStart) }

  /// Discards the complete lines but keeps the positions of links; line numbers continue.
  mutating func drain() {
    drainedLineCount += layout.lines.count
    let source = lastSourceOffset
    removeAll()
    lastSourceOffset = source
  }

  /// Removes the lines with their text, headings and image boxes, but keeps the positions of links
  /// and the capacity.
  mutating func removeAll() {
    layout.text.removeAll(keepingCapacity: true)
    layout.runs.removeAll(keepingCapacity: true)
    layout.lines.removeAll(keepingCapacity: true)
    layout.orderedLines.removeAll(keepingCapacity: true)
    layout.headings.removeAll(keepingCapacity: true)
    layout.imageBoxes.removeAll(keepingCapacity: true)
    layout.sourceSpans.removeAll(keepingCapacity: true)
    lastSourceOffset = 0
  }

  /// Reserves capacity for the given numbers of bytes and runs, and for lines of average length.
  /// Unused capacity is not touched and takes no physical memory.
  mutating func reserve(byteCount: Int, runCount: Int) {
    let lines = byteCount / 40
    layout.text.reserveCapacity(byteCount)
    layout.lines.reserveCapacity(lines)
    layout.runs.reserveCapacity(runCount + 2 * lines)
  }

  mutating func beginLine() {
    lineStart = UInt32(layout.text.count)
    firstRun = UInt32(layout.runs.count)
    prefixLength = 0
    pendingStyle = nil
  }

  /// Marks the text of the open line written so far as its prefix: indentation and ornaments.
  mutating func endPrefix() {
    prefixLength = openLineLength
  }

  /// Appends a range of bytes to the open line. `source` is the offset in the document of the first
  /// byte; nil for text that is not part of the document.
  mutating func append(
    _ bytes: [UInt8], _ range: Range<Int>, style: TextStyle, target: PageLayout.Target? = nil,
    source: UInt32? = nil
  ) {
    guard !range.isEmpty else { return }
    setStyle(style, target)
    if let source { recordSource(source, length: range.count) }
    layout.text.append(range, of: bytes)
  }

  /// Records the offset in the document of the next `length` bytes, if offsets are recorded. If
  /// `isSeparate` is true, the bytes get a source span of their own.
  mutating func recordSource(_ source: UInt32, length: Int, isSeparate: Bool = false) {
    guard recordsSources else { return }
    layout.recordSource(
      source, at: layout.text.count, length: length, lineStart: openLineStart,
      isSeparate: isSeparate)
  }

  /// Records that the last `length` bytes replace a range of the document, if offsets are recorded.
  /// The range is empty if the bytes are added to the text.
  mutating func recordReplacement(replacedRange: Range<UInt32>, length: Int) {
    guard recordsSources, length > 0 else { return }
    let end = UInt32(layout.text.count)
    layout.sourceSpans.append(
      PageLayout.SourceSpan(
        start: end - UInt32(length), end: end, sourceOffset: replacedRange.lowerBound,
        replacedLength: UInt32(replacedRange.count)))
  }

  mutating func append(_ text: String, style: TextStyle, target: PageLayout.Target? = nil) {
    guard !text.isEmpty else { return }
    setStyle(style, target)
    layout.text.append(contentsOf: text.utf8)
  }

  mutating func append(byte: UInt8, count: Int, style: TextStyle = TextStyle()) {
    guard count > 0 else { return }
    setStyle(style, nil)
    if count < 8 {
      for _ in 0..<count { layout.text.append(byte) }
    } else {
      layout.text.append(contentsOf: repeatElement(byte, count: count))
    }
  }

  mutating func append(_ glyph: String, count: Int, style: TextStyle) {
    guard count > 0 else { return }
    setStyle(style, nil)
    var glyph = glyph
    glyph.withUTF8 { glyph in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: glyph.count * count) { line in
        for start in stride(from: 0, to: line.count, by: glyph.count) {
          for offset in glyph.indices {
            line.initializeElement(at: start + offset, to: glyph[offset])
          }
        }
        layout.text.append(contentsOf: UnsafeBufferPointer(line))
      }
    }
  }

  /// Sets the style and target of the next text.
  @inline(__always)
  private mutating func setStyle(_ style: TextStyle, _ target: PageLayout.Target?) {
    if let pendingStyle, pendingStyle.target == target, pendingStyle.style.role == style.role,
      pendingStyle.style.inlineStyle.rawValue == style.inlineStyle.rawValue
    {
      return
    }
    closeRun()
    pendingStyle = (style, target)
    if let target, recordsLinks { recordTarget(target) }
  }

  /// Ends the run at the end of the open line.
  private mutating func closeRun() {
    guard let open = pendingStyle else { return }
    pendingStyle = nil
    let end = UInt32(layout.text.count)
    if end > (layout.runs.last?.end ?? 0) {
      layout.runs.append(PageLayout.Run(end: end, style: open.style, target: open.target))
    }
  }

  /// Records the line of a target when the target is first shown.
  private mutating func recordTarget(_ target: PageLayout.Target) {
    let placement = PageLayout.Placement(target, lineIndex: Int32(lineCount))
    switch target {
    case .link(let link):
      guard !hasLinkLine[Int(link)] else { return }
      hasLinkLine[Int(link)] = true
    case .control(let control):
      guard !isControlPlaced[Int(control)] else { return }
      isControlPlaced[Int(control)] = true
    case .image(let image):
      guard !isImagePlaced[Int(image)] else { return }
      isImagePlaced[Int(image)] = true
      return layout.imagePlacements.append(placement)
    case .navigation, .fold:
      guard lastFoldTarget != target else { return }
      lastFoldTarget = target
    }
    layout.linkPlacements.append(placement)
  }

  /// Ends the open line, which continues the line above if `continues` is true, and removes the
  /// spaces at its end.
  mutating func endLine(
    source: UInt32, continues: Bool = false, wrap: PageLayout.Wrap = .none
  ) {
    closeRun()
    trimLine()
    if let order { layout.orderedLines.append(order.truncated(at: UInt32(layout.text.count))) }
    order = nil
    lastSourceOffset = max(lastSourceOffset, source)
    layout.lines.append(
      PageLayout.Line(
        start: lineStart, end: UInt32(layout.text.count), firstRun: firstRun,
        sourceOffset: lastSourceOffset,
        prefixLength: UInt16(clamping: min(prefixLength, openLineLength)),
        continuesPrevious: continues, wrap: wrap))
  }

  private mutating func trimLine() {
    while layout.text.count > Int(lineStart), layout.text.last == .space {
      layout.text.removeLast()
    }
    let end = UInt32(layout.text.count)
    layout.trimSources(to: end)
    while layout.runs.count > Int(firstRun) {
      let last = layout.runs.count - 1
      guard layout.runs[last].end > end else { break }
      let start = last > 0 ? layout.runs[last - 1].end : 0
      guard start >= end else {
        layout.runs[last].end = end
        break
      }
      layout.runs.removeLast()
    }
  }

  /// Records the offsets in the document of a line of a cell; the text of the line is appended
  /// next.
  mutating func recordSources(ofLine index: Int, of cell: PageLayout) {
    guard recordsSources else { return }
    layout.recordSources(ofLine: index, of: cell, at: layout.text.count)
  }

  /// Returns the width of the widest line from line `first` on, without prefixes.
  func maxLineWidth(from first: Int) -> Int {
    layout.lines[(first - drainedLineCount)...].reduce(0) { widest, line in
      let start = Int(line.start) + Int(line.prefixLength)
      return max(widest, widths.width(of: layout.text, in: start..<Int(line.end)))
    }
  }

  mutating func addHeading(level: UInt8, block: Int32) {
    layout.headings.append(
      PageLayout.Heading(level: level, lineIndex: Int32(lineCount), blockIndex: block))
  }

  /// Records that the next lines are reserved for an image.
  mutating func addImageBox(
    _ image: Int32, _ size: ImageSpace.CellSize, column: Int, hasNeighbors: Bool
  ) {
    layout.imageBoxes.append(
      PageLayout.ImageBox(
        imageIndex: image, firstLine: Int32(lineCount), rowCount: Int32(size.rows),
        columns: Int32(column)..<Int32(column + size.columns),
        hasSpecifiedSize: size.hasSpecifiedSize,
        hasNeighbors: hasNeighbors))
  }

  /// Records that the next lines contain images of a table cell.
  /// - Parameters:
  ///   - boxes: The image boxes in the layout of a cell.
  ///   - first: The line of the cell's layout that is written next.
  ///   - column: The screen column at which the cell begins.
  mutating func addImageBoxes(_ boxes: [PageLayout.ImageBox], from first: Int, column: Int) {
    for var box in boxes {
      box.firstLine += Int32(lineCount - first)
      box.columns = box.columns.lowerBound + Int32(column)..<box.columns.upperBound + Int32(column)
      layout.imageBoxes.append(box)
    }
  }

  /// Sorts the targets of links and controls into document order. Folds keep their position after
  /// the preceding link.
  mutating func sortLinks() {
    var last: (link: Int32, control: Int32) = (-1, -1)
    var keys: [(link: Int32, control: Int32, index: Int)] = []
    var isSorted = true
    for (position, target) in layout.linkPlacements.lazy.map(\.target).enumerated() {
      let key =
        switch target {
        case .link(let link): (link, Int32(-1))
        case .control(let control): (precedingLinkCounts[Int(control)] - 1, control)
        case .navigation, .fold, .image: last
        }
      if key >= last { last = key } else { isSorted = false }
      keys.append((key.0, key.1, position))
    }
    guard !isSorted else { return }
    keys.sort { $0 < $1 }
    layout.linkPlacements = keys.map { layout.linkPlacements[$0.index] }
  }
}
