import Algorithms
package import Document
import Foundation
package import Layout
package import Library
package import Pages

/// A page laid out for the screen, with the reading position.
///
/// The first screens of a long page are laid out at once and the rest in steps while no input is
/// pending. Operations that need more lines lay them out first.
package struct PageView: Sendable {
  package private(set) var page: Page
  /// The lines laid out so far.
  package var layout: PageLayout { builder.layout }
  private var builder: PageLayout.Builder
  /// The number of layouts before this one.
  private(set) var layoutNumber = 0
  /// The layout options.
  package private(set) var options: LayoutOptions
  /// The form values.
  package private(set) var values: FormValues
  /// The line at the top of the screen.
  package private(set) var topLine = 0
  /// The offset in `Document.text` of the line that the user scrolled to the top; unchanged by
  /// relayouts, except at the top of the page.
  package private(set) var topSource: UInt32 = 0
  /// The line that the user scrolled to the top, which is valid for `scrolledOptions`.
  private var scrolledLine = 0
  /// The line of the cursor, which may be outside the screen; see `visibleCursorLine(height:)`.
  private var cursorLine = 0
  private var scrolledOptions: LayoutOptions
  /// The focused link, control or fold, or nil.
  package var focus: PageLayout.Target?
  /// The differences from the version that was on the screen before; nil if they were not compared.
  package private(set) var changes: PageChanges?
  /// The number of the change that the user last moved to, from 0; nil for none.
  package var currentChange: Int?
  /// The number of columns before the page that are reserved for change marks.
  package private(set) var gutterWidth = 0

  /// The links to pages that were already read, as indices in `Document.links`.
  var visitedLinks: Set<Int32> = []

  /// The highlighted passages of the page.
  package internal(set) var highlights: [PlacedHighlight] = []

  /// The dates of the saved pages to which links lead, by absolute URL; empty until
  /// `Message.savedLinks` is received.
  var savedDates: [String: Date] = [:]

  /// Opens a page at its `initialTopLine`. `options` include the text of the fields with `values`.
  package init(page: Page, options: LayoutOptions, values: FormValues = FormValues()) {
    self.page = page
    self.values = values
    self.options = options
    scrolledOptions = options
    builder = PageLayout.Builder(page.document, options: options)
    builder.layOut(minLines: Self.linesPerStep)
    topLine = initialTopLine
    cursorLine = topLine
    scrolledLine = topLine
    if layout.lines.indices.contains(topLine) { topSource = layout.lines[topLine].sourceOffset }
  }

  // MARK: Incremental layout

  /// The number of lines laid out in one step, which takes some milliseconds.
  private static let linesPerStep = 2000

  /// Whether the whole page is laid out.
  package var isComplete: Bool { builder.isComplete }

  /// The share of the page that is laid out, in percent.
  package var layoutPercent: Int {
    let total = page.document.text.count
    guard !isComplete, total > 0, let last = layout.lines.last else { return 100 }
    return min(99, Int(last.sourceOffset) * 100 / total)
  }

  /// Lays out the next `lines` lines, or the rest if fewer are left.
  package mutating func layOut(lines: Int = PageView.linesPerStep) {
    builder.layOut(minLines: lines)
  }

  /// Lays out the rest of the page.
  package mutating func layOutRest() { layOut(lines: .max) }

  /// Lays out the page up to a line.
  private mutating func layOut(to line: Int) {
    guard !isComplete, line >= layout.lines.count else { return }
    layOut(lines: line < .max / 2 ? max(Self.linesPerStep, line - layout.lines.count + 1) : .max)
  }

  /// Lays out the page up to an offset in `Document.text`, and one screen more.
  private mutating func layOut(toSource source: UInt32, height: Int) {
    while !isComplete, layout.lines.last.map({ $0.sourceOffset <= source }) ?? true { layOut() }
    layOut(to: line(of: source) + height)
  }

  // MARK: Position

  /// Returns the last line that can be at the top of a screen with `height` rows, in the part of
  /// the page that is laid out.
  package func maxTopLine(height: Int) -> Int {
    max(0, layout.lines.count - max(1, height))
  }

  /// Scrolls a line to the top if the page is long enough; otherwise, to its end.
  package mutating func scroll(to line: Int, height: Int) {
    layOut(to: line < .max / 2 ? line + height : .max)
    topLine = min(max(0, line), maxTopLine(height: height))
    cursorLine = min(max(0, line), max(0, layout.lines.count - 1))
    topSource = layout.lines.indices.contains(topLine) ? layout.lines[topLine].sourceOffset : 0
    scrolledLine = topLine
    scrolledOptions = options
    dropHiddenFocus(height: height)
  }

  /// Scrolls the line at an offset in `Document.text` to the top if the page is long enough;
  /// otherwise, to its end.
  package mutating func scroll(toSource source: UInt32, height: Int) {
    layOut(toSource: source, height: height)
    scroll(to: line(of: source), height: height)
  }

  /// Keeps the top line within the page after the screen size has changed; the reading position is
  /// retained.
  package mutating func clampTop(height: Int) {
    clampTopLine(height: height)
    dropHiddenFocus(height: height)
  }

  private mutating func clampTopLine(height: Int) {
    topLine = min(max(0, topLine), maxTopLine(height: height))
  }

  /// Removes the focus from a link outside the screen, because keys act only on visible links.
  private mutating func dropHiddenFocus(height: Int) {
    guard let focus else { return }
    let isSeen = line(of: focus).map { (topLine..<topLine + max(1, height)).contains($0) } ?? false
    if !isSeen { self.focus = nil }
  }

  /// Scrolls as little as possible to show a line. A line more than half a screen away is placed at
  /// a third of the height.
  package mutating func reveal(line: Int, height: Int) {
    defer { cursorLine = line }
    guard line < topLine || line >= topLine + height else { return }
    if line < topLine, line >= topLine - height / 2 {
      scroll(to: line, height: height)
    } else if line >= topLine + height, line < topLine + height + height / 2 {
      scroll(to: line - height + 1, height: height)
    } else {
      scroll(to: line - height / 3, height: height)
    }
  }

  /// Scrolls as little as possible to show a byte of the document.
  package mutating func reveal(source: UInt32, height: Int) {
    layOut(toSource: source, height: height)
    reveal(line: layout.line(showing: source), height: height)
  }

  /// Moves the cursor by lines. At an edge of the screen, the page scrolls by a whole screen, so
  /// that the text moves rarely.
  package mutating func moveCursor(by lines: Int, height: Int) {
    let line = max(0, visibleCursorLine(height: height) + lines)
    layOut(to: line + 1)
    let target = min(line, max(0, layout.lines.count - 1))
    if target >= topLine + height {
      scroll(to: target, height: height)
    } else if target < topLine {
      scroll(to: max(0, target - height + 1), height: height)
    }
    cursorLine = target
  }

  /// Returns the line of the cursor, which is used if no link is focused; always on the screen.
  package func visibleCursorLine(height: Int) -> Int {
    min(max(cursorLine, topLine), max(topLine, min(topLine + height, layout.lines.count) - 1))
  }

  /// Returns the last line that begins at or before an offset in `Document.text`.
  package func line(of source: UInt32) -> Int {
    let first = layout.lines.partitioningIndex { $0.sourceOffset > source }
    return max(0, first - 1)
  }

  /// The reading position, for `restore`.
  package var position: ReadingPosition {
    var position = ReadingPosition()
    position.source = topSource
    position.topLine = topLine
    position.focus = focus
    position.toggledFolds = options.toggledFolds
    return position
  }

  /// Restores a reading position.
  package mutating func restore(_ position: ReadingPosition, height: Int) {
    var options = options
    options.toggledFolds = position.toggledFolds
    layOutAgain(options, height: height)
    layOut(toSource: position.source, height: height)
    layOut(to: (position.topLine ?? 0) + height)
    let sameLine = position.topLine.flatMap { line in
      layout.lines.indices.contains(line) && layout.lines[line].sourceOffset == position.source
        ? line : nil
    }
    topLine = sameLine ?? line(of: position.source)
    topSource = position.source
    scrolledLine = topLine
    cursorLine = topLine
    scrolledOptions = options
    focus = position.focus
    clampTop(height: height)
  }

  // MARK: Layout

  /// Lays the page out with other options and keeps the text at the top.
  package mutating func relayout(_ options: LayoutOptions, height: Int) {
    layOutAgain(options, height: height)
    dropHiddenFocus(height: height)
  }

  private mutating func layOutAgain(_ options: LayoutOptions, height: Int) {
    guard options != self.options else { return clampTopLine(height: height) }
    let isAtTop = topLine == 0
    let cursor =
      layout.lines.indices.contains(cursorLine) ? layout.lines[cursorLine].sourceOffset : 0
    self.options = options
    builder = PageLayout.Builder(page.document, options: options)
    layoutNumber += 1
    builder.layOut(minLines: Self.linesPerStep)
    if !isAtTop {
      layOut(toSource: topSource, height: height)
      if options == scrolledOptions { layOut(to: scrolledLine + height) }
    }
    topLine = isAtTop ? 0 : options == scrolledOptions ? scrolledLine : line(of: topSource)
    // The first line may now be one that was folded before.
    if isAtTop, let first = layout.lines.first { topSource = first.sourceOffset }
    cursorLine = line(of: cursor)
    clampTopLine(height: height)
    layOut(to: topLine + height)
  }

  /// Shows changed form values. The lines stay the same unless the widths of fields change, which
  /// they do only in linear mode.
  /// - Parameters:
  ///   - values: The form values.
  ///   - options: The layout options, with the text of the fields.
  ///   - height: The number of screen rows for the page.
  package mutating func setFormValues(_ values: FormValues, _ options: LayoutOptions, height: Int) {
    self.values = values
    let (line, source) = (topLine, topSource)
    let isChosen = scrolledOptions == self.options
    layOutAgain(options, height: height)
    layOut(to: line + height)
    if layout.lines.indices.contains(line), layout.lines[line].sourceOffset == source {
      topLine = line
      if isChosen { scrolledOptions = options }
    }
    clampTop(height: height)
  }

  /// Replaces the provenance of the page.
  package mutating func update(provenance: Provenance) {
    page.provenance = provenance
  }

  /// Returns the position in another version or view of the page that shows the text at the top of
  /// this one, or the text after it if that text is missing.
  package func correspondingPosition(in other: Document) -> ReadingPosition {
    var position = self.position
    let isAtTop = topLine == 0
    // Identical lines can only be distinguished by the text around them.
    let aligned =
      isAtTop ? nil : TextAnchor.offset(of: topSource, in: page.document, alignedTo: other)
    position.source = aligned ?? topAnchor(followingBlockCount: 24).offset(in: other)
    position.topLine = isAtTop ? 0 : nil
    return position
  }

  /// Returns an anchor for the text at the top of the screen.
  /// - Parameter followingBlockCount: The number of following blocks that the anchor also records.
  /// - Returns: The anchor.
  package func topAnchor(followingBlockCount: Int) -> TextAnchor {
    TextAnchor(at: topLine > 0 ? topSource : 0, in: page.document, blocks: followingBlockCount)
  }

  // MARK: Changes

  /// Sets the differences from another version. The caller must lay the page out again to reserve
  /// space for the marks.
  /// - Parameters:
  ///   - changes: The differences.
  ///   - gutterWidth: The number of columns for the marks if there are any.
  package mutating func setChanges(_ changes: PageChanges, gutterWidth: Int) {
    self.changes = changes
    currentChange = nil
    self.gutterWidth = changes.changedParagraphs.isEmpty ? 0 : gutterWidth
  }

  /// Returns the change mark of the paragraph on a line, and whether the paragraph begins on this
  /// line; nil if the paragraph is unchanged or the line shows no text.
  package func change(onLine index: Int) -> (mark: PageChanges.ChangedParagraph, isFirst: Bool)? {
    guard let changes, let found = changes.paragraph(at: layout.lines[index].sourceOffset),
      layout.showsText(line: index)
    else { return nil }
    var before = index - 1
    while before >= 0, !layout.showsText(line: before) { before -= 1 }
    let isFirst = before < 0 || changes.paragraph(at: layout.lines[before].sourceOffset) != found
    return (changes.changedParagraphs[found], isFirst)
  }

  // MARK: Links and headings

  /// Returns the first line on which a link, another target or an image is shown; nil if it is not
  /// shown.
  package func line(of target: PageLayout.Target) -> Int? {
    let positions = target.imageIndex == nil ? layout.linkPlacements : layout.imagePlacements
    return positions.first { $0.target == target }.map { Int($0.lineIndex) }
  }

  /// Returns the first lines of the targets and images on a screen with a number of rows, by
  /// target.
  func lines(ofTargetsOnScreen height: Int) -> [PageLayout.Target: Int] {
    lines(ofTargetsOn: topLine..<topLine + height)
  }

  /// Returns the first of some lines on which each target or image is shown, by target.
  func lines(ofTargetsOn lines: some RangeExpression<Int>) -> [PageLayout.Target: Int] {
    let placements = (layout.linkPlacements + layout.imagePlacements).filter {
      lines.contains(Int($0.lineIndex))
    }
    return Dictionary(
      placements.map { ($0.target, Int($0.lineIndex)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the number of links and other targets before a target.
  func linkCount(before target: PageLayout.Target) -> Int {
    if let index = layout.linkPlacements.firstIndex(where: { $0.target == target }) { return index }
    guard let line = line(of: target) else { return 0 }
    let column = column(of: target, line: line) ?? 0
    let index = layout.linkPlacements.firstIndex {
      (Int($0.lineIndex), self.column(of: $0.target, line: Int($0.lineIndex)) ?? 0) > (line, column)
    }
    return index ?? layout.linkPlacements.count
  }

  /// The links in page order, without the toggles of folds: link *n* is `numberedLinks[n - 1]`.
  package var numberedLinks: [Int32] {
    layout.linkPlacements.compactMap(\.target.linkIndex)
  }

  /// The line at the top when the page is opened.
  package var initialTopLine: Int {
    options.foldsNavigation ? layout.openingLine(of: page.document) : 0
  }

  /// The line at which the main content begins.
  package var mainContentLine: Int {
    let document = page.document
    let start = document.mainContentBlock
    guard start > 0, start < document.blocks.count else { return 0 }
    return line(of: document.textOffset(ofBlock: Int32(start)))
  }

  /// Returns the text of the last heading at or above a line, or nil.
  package func sectionHeading(at line: Int) -> String? {
    guard let heading = layout.headings.last(where: { $0.lineIndex <= line }) else { return nil }
    let document = page.document
    guard document.blocks.indices.contains(Int(heading.blockIndex)) else { return nil }
    return document.text(of: document.blocks[Int(heading.blockIndex)].runs)
  }

  /// Returns the reading progress in percent. It is computed from the text offset while the number
  /// of lines is unknown.
  package func readPercent(height: Int) -> Int {
    if !isComplete { return Int(topSource) * 100 / max(1, page.document.text.count) }
    return readPercent(of: topLine, height: height)
  }

  /// Returns the progress in percent if `topLine` is at the top; the page must be laid out
  /// completely.
  package func readPercent(of line: Int, height: Int) -> Int {
    let last = maxTopLine(height: height)
    return last == 0 ? 100 : min(line, last) * 100 / last
  }
}

extension Document {
  /// Returns the text of a range of runs.
  func text(of runs: Range<Int32>) -> String {
    var bytes: [UInt8] = []
    for run in self.runs[Int(runs.lowerBound)..<Int(runs.upperBound)] {
      bytes += text[Int(run.start)..<Int(run.end)]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension PageLayout {
  /// Returns whether a line shows more than spaces, rules and table borders.
  fileprivate func showsText(line index: Int) -> Bool {
    let line = lines[index]
    var position = min(line.start + UInt32(line.prefixLength), line.end)
    while position < line.end {
      switch text[Int(position)] {
      case 0x20, UInt8(ascii: "|"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "="):
        position += 1
      // U+2500 to U+257F.
      case 0xE2 where position + 2 < line.end && (0x94...0x95).contains(text[Int(position) + 1]):
        position += 3
      default: return true
      }
    }
    return false
  }
}
