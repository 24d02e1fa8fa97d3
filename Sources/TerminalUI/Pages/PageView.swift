package import Document
import Foundation
package import Layout
package import Library
package import Reader

/// A page laid out for the screen, with the reader's place in it.
///
/// Of a long page the first screens are laid out at once and the rest in steps, between keys;
/// whatever needs more of it lays out as much as it needs.
package struct PageView: Sendable {
  /// The page.
  package private(set) var page: Page
  /// Its lines so far.
  package var layout: PageLayout { builder.layout }
  private var builder: PageLayout.Builder
  /// How it is laid out.
  package private(set) var options: LayoutOptions
  /// What is filled into its forms.
  package private(set) var values: FormValues
  /// The line at the top of the screen.
  package private(set) var top = 0
  /// Offset in `Document.text` of what the reader put at the top; survives relayouts unchanged.
  package private(set) var source: UInt32 = 0
  /// The line that the reader put at the top, and the layout in which it has this number.
  private var chosenLine = 0
  /// The line to which the cursor was taken.
  private var cursorLine = 0
  private var chosenOptions: LayoutOptions
  /// The focused link: an index in `Document.links`, one of the other values of `PageLayout.Run.link`, or nil.
  package var focus: PageLayout.Target?
  /// What differs from the version that was on screen before, when they were compared.
  package private(set) var changes: PageChanges?
  /// The change to which the reader was taken last: its number from 0.
  package var change: Int?
  /// Columns before the page for the marks of changes.
  package private(set) var gutter = 0

  /// The links that lead to pages that were read, as indices in `Document.links`.
  var visited: Set<Int32> = []

  /// The passages of the page that are kept.
  package internal(set) var highlights: [PlacedHighlight] = []

  /// From when the saved pages are to which links lead, by their absolute URLs, as far as it was asked.
  var savedDates: [String: Date] = [:]

  /// Opens a page at its main content; `values` are shown by `options`.
  package init(page: Page, options: LayoutOptions, values: FormValues = FormValues()) {
    self.page = page
    self.values = values
    self.options = options
    chosenOptions = options
    builder = PageLayout.Builder(page.document, options: options)
    builder.layOut(lines: Self.step)
    top = openingLine
    cursorLine = top
    chosenLine = top
    if layout.lines.indices.contains(top) { source = layout.lines[top].source }
  }

  // MARK: Growing

  /// Lines that are laid out at once, some milliseconds of work.
  private static let step = 2000

  /// Whether all of the page is laid out.
  package var isComplete: Bool { builder.isComplete }

  /// How much of the page is laid out, from 0 to 100.
  package var progress: Int {
    let total = page.document.text.count
    guard !isComplete, total > 0, let last = layout.lines.last else { return 100 }
    return min(99, Int(last.source) * 100 / total)
  }

  /// Lays out the next lines, or all that are left.
  package mutating func grow(lines: Int = PageView.step) { builder.layOut(lines: lines) }

  /// Lays out all of the page.
  package mutating func complete() { grow(lines: .max) }

  /// Lays out the page up to a line.
  private mutating func grow(to line: Int) {
    guard !isComplete, line >= layout.lines.count else { return }
    grow(lines: line < .max / 2 ? max(Self.step, line - layout.lines.count + 1) : .max)
  }

  /// Lays out the page up to an offset in `Document.text`, and the screen that follows.
  private mutating func grow(toSource source: UInt32, height: Int) {
    while !isComplete, layout.lines.last.map({ $0.source <= source }) ?? true { grow() }
    grow(to: line(of: source) + height)
  }

  // MARK: Place

  /// The last line that can be at the top of a screen part of this height, as far as the page is
  /// laid out.
  package func lastTop(height: Int) -> Int {
    max(0, layout.lines.count - max(1, height))
  }

  /// Puts a line at the top, as far as the page allows.
  package mutating func scroll(to line: Int, height: Int) {
    grow(to: line < .max / 2 ? line + height : .max)
    top = min(max(0, line), lastTop(height: height))
    cursorLine = min(max(0, line), max(0, layout.lines.count - 1))
    source = layout.lines.indices.contains(top) ? layout.lines[top].source : 0
    chosenLine = top
    chosenOptions = options
    dropHiddenFocus(height: height)
  }

  /// Puts the line with an offset in `Document.text` at the top, as far as the page allows.
  package mutating func scroll(toSource source: UInt32, height: Int) {
    grow(toSource: source, height: height)
    scroll(to: line(of: source), height: height)
  }

  /// Keeps the top within the page after the screen changed, and remembers where the reader was.
  package mutating func clamp(height: Int) {
    keepTopWithin(height: height)
    dropHiddenFocus(height: height)
  }

  private mutating func keepTopWithin(height: Int) {
    top = min(max(0, top), lastTop(height: height))
  }

  /// Lets the focus go when its link is not on the screen: keys act on what is seen.
  private mutating func dropHiddenFocus(height: Int) {
    guard let focus else { return }
    let isSeen = line(of: focus).map { (top..<top + max(1, height)).contains($0) } ?? false
    if !isSeen { self.focus = nil }
  }

  /// Scrolls as little as needed to show a line; far away, it comes to a third of the height.
  package mutating func reveal(line: Int, height: Int) {
    defer { cursorLine = line }
    guard line < top || line >= top + height else { return }
    if line < top, line >= top - height / 2 {
      scroll(to: line, height: height)
    } else if line >= top + height, line < top + height + height / 2 {
      scroll(to: line - height + 1, height: height)
    } else {
      scroll(to: line - height / 3, height: height)
    }
  }

  /// Moves the cursor by lines; at an edge of the screen the next page comes, so that as little as can be
  /// moves under a reader's fingers.
  package mutating func moveCursor(by lines: Int, height: Int) {
    let line = max(0, cursor(height: height) + lines)
    grow(to: line + 1)
    let target = min(line, max(0, layout.lines.count - 1))
    if target >= top + height {
      scroll(to: target, height: height)
    } else if target < top {
      scroll(to: max(0, target - height + 1), height: height)
    }
    cursorLine = target
  }

  /// The line on which the cursor stands where no link is chosen; always on the screen.
  package func cursor(height: Int) -> Int {
    min(max(cursorLine, top), max(top, min(top + height, layout.lines.count) - 1))
  }

  /// The last line that begins at or before an offset in `Document.text`.
  package func line(of source: UInt32) -> Int {
    var low = 0
    var high = layout.lines.count
    while low < high {
      let middle = (low + high) / 2
      if layout.lines[middle].source <= source { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  /// The place to come back to.
  package var position: ReadingPosition {
    var position = ReadingPosition()
    position.source = source
    position.line = top
    position.focus = focus
    position.toggledDetails = options.toggledDetails
    return position
  }

  /// Goes back to a place.
  package mutating func restore(_ position: ReadingPosition, height: Int) {
    var options = options
    options.toggledDetails = position.toggledDetails
    layOutAgain(options, height: height)
    grow(toSource: position.source, height: height)
    grow(to: position.line + height)
    let isSame =
      layout.lines.indices.contains(position.line)
      && layout.lines[position.line].source == position.source
    top = isSame ? position.line : line(of: position.source)
    source = position.source
    chosenLine = top
    cursorLine = top
    chosenOptions = options
    focus = position.focus
    clamp(height: height)
  }

  // MARK: Layout

  /// Lays the page out another way and keeps the top text.
  package mutating func relayout(_ options: LayoutOptions, height: Int) {
    layOutAgain(options, height: height)
    dropHiddenFocus(height: height)
  }

  private mutating func layOutAgain(_ options: LayoutOptions, height: Int) {
    guard options != self.options else { return keepTopWithin(height: height) }
    let isAtTop = top == 0
    let cursor = layout.lines.indices.contains(cursorLine) ? layout.lines[cursorLine].source : 0
    self.options = options
    builder = PageLayout.Builder(page.document, options: options)
    builder.layOut(lines: Self.step)
    if !isAtTop {
      grow(toSource: source, height: height)
      if options == chosenOptions { grow(to: chosenLine + height) }
    }
    top = isAtTop ? 0 : options == chosenOptions ? chosenLine : line(of: source)
    // What was folded above the first line may be the first line now.
    if isAtTop, let first = layout.lines.first { source = first.source }
    cursorLine = line(of: cursor)
    keepTopWithin(height: height)
    grow(to: top + height)
  }

  /// Shows what is filled in, at the same lines: fields are as wide as before.
  /// - Parameters:
  ///   - values: what is filled in.
  ///   - options: how it is shown.
  ///   - height: Rows of the screen for the page.
  package mutating func fill(_ values: FormValues, _ options: LayoutOptions, height: Int) {
    self.values = values
    let (line, source) = (top, source)
    let isChosen = chosenOptions == self.options
    layOutAgain(options, height: height)
    grow(to: line + height)
    if layout.lines.indices.contains(line), layout.lines[line].source == source {
      top = line
      if isChosen { chosenOptions = options }
    }
    clamp(height: height)
  }

  /// Replaces what is known of where the page came from.
  package mutating func update(provenance: Provenance) {
    page.provenance = provenance
  }

  /// The place in another version or view of the page that shows the text at the top of this one; if
  /// it is not there, the text that follows it.
  package func position(in other: Document) -> ReadingPosition {
    var position = self.position
    let isAtTop = top == 0
    // Repeated lines can only be told apart by the text around them.
    let aligned = isAtTop ? nil : TextAnchor.offset(of: source, in: page.document, alignedTo: other)
    position.source = aligned ?? anchor(blocks: 24).offset(in: other)
    position.line = isAtTop ? 0 : -1
    return position
  }

  /// The text at the top of the screen.
  /// - Parameter blocks: how many blocks below it are taken down as well.
  /// - Returns: the place.
  package func anchor(blocks: Int) -> TextAnchor {
    TextAnchor(at: top > 0 ? source : 0, in: page.document, blocks: blocks)
  }

  // MARK: Changes

  /// Takes what differs from another version; a relayout makes room for the marks.
  /// - Parameters:
  ///   - changes: what differs.
  ///   - gutter: columns for the marks, where there are any.
  package mutating func mark(_ changes: PageChanges, gutter: Int) {
    self.changes = changes
    change = nil
    self.gutter = changes.marks.isEmpty ? 0 : gutter
  }

  /// The mark of the paragraph that a line shows, and whether the paragraph begins there; nil when it is
  /// the same in both versions, or the line shows no text.
  package func mark(ofLine index: Int) -> (mark: PageChanges.Mark, isFirst: Bool)? {
    guard let changes, let found = changes.mark(at: layout.lines[index].source),
      layout.showsText(line: index)
    else { return nil }
    var before = index - 1
    while before >= 0, !layout.showsText(line: before) { before -= 1 }
    let isFirst = before < 0 || changes.mark(at: layout.lines[before].source) != found
    return (changes.marks[found], isFirst)
  }

  // MARK: Links and headings

  /// The first line on which a link is shown, or what stands for one; nil when it is not.
  package func line(of target: PageLayout.Target) -> Int? {
    let places = target.image == nil ? layout.links : layout.images
    return places.first { $0.target == target }.map { Int($0.line) }
  }

  /// How many links, and what stands for one, come before a place on the page.
  func links(before target: PageLayout.Target) -> Int {
    if let index = layout.links.firstIndex(where: { $0.target == target }) { return index }
    guard let line = line(of: target) else { return 0 }
    let column = column(of: target, line: line) ?? 0
    let index = layout.links.firstIndex {
      (Int($0.line), self.column(of: $0.target, line: Int($0.line)) ?? 0) > (line, column)
    }
    return index ?? layout.links.count
  }

  /// Links without those that open and close: link *n* is `numberedLinks[n - 1]`.
  package var numberedLinks: [Int32] {
    layout.links.compactMap(\.target.link)
  }

  /// The line at the top when the page opens.
  package var openingLine: Int {
    options.foldsNavigation ? layout.openingLine(of: page.document) : 0
  }

  /// The line where the main content begins.
  package var mainLine: Int {
    let document = page.document
    let start = document.mainContent
    guard start > 0, start < document.blocks.count else { return 0 }
    return line(of: document.source(ofBlock: Int32(start)))
  }

  /// The words of the last heading at or above a line, or nil.
  package func section(at line: Int) -> String? {
    guard let heading = layout.headings.last(where: { $0.line <= line }) else { return nil }
    let document = page.document
    guard document.blocks.indices.contains(Int(heading.block)) else { return nil }
    return document.words(of: document.blocks[Int(heading.block)].runs)
  }

  /// How far the reader is, from 0 at the top to 100 at the bottom; by the text while the number of
  /// lines is not known.
  package func percent(height: Int) -> Int {
    if !isComplete { return Int(source) * 100 / max(1, page.document.text.count) }
    return percent(of: top, height: height)
  }

  /// How far the reader is with a line at the top, from 0 to 100, of a page that is laid out.
  package func percent(of line: Int, height: Int) -> Int {
    let last = lastTop(height: height)
    return last == 0 ? 100 : min(line, last) * 100 / last
  }
}

extension Document {
  /// The text of some runs.
  func words(of runs: Range<Int32>) -> String {
    var bytes: [UInt8] = []
    for run in self.runs[Int(runs.lowerBound)..<Int(runs.upperBound)] {
      bytes += text[Int(run.start)..<Int(run.end)]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension PageLayout {
  /// Whether a line has more than blanks and what the layout draws: rules and the borders of tables.
  fileprivate func showsText(line index: Int) -> Bool {
    let line = lines[index]
    var place = min(line.start + UInt32(line.prefix), line.end)
    while place < line.end {
      switch text[Int(place)] {
      case 0x20, UInt8(ascii: "|"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "="):
        place += 1
      // U+2500 to U+257F.
      case 0xE2 where place + 2 < line.end && (0x94...0x95).contains(text[Int(place) + 1]):
        place += 3
      default: return true
      }
    }
    return false
  }
}
