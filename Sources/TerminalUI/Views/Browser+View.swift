import Commands
import Configuration
import DOM
import Document
import Foundation
import Layout
import Library
import OfflineCache
import Pages
import Reader
package import Terminal

extension Browser {
  /// Returns the content of the screen.
  package func frame() -> Frame {
    if loading.load?.firstScreens != nil { return copyWithFirstScreens.frame() }
    var frame = Frame(size: size, widths: displayWidth, bidi: bidi)
    if case .fullScreenImage(let image) = layers.topInput {
      draw(image: image, in: &frame)
    } else if let list {
      drawList(list, in: &frame)
    } else {
      drawTitle(in: &frame)
      drawBanner(in: &frame)
      drawBody(in: &frame)
    }
    drawLastRow(in: &frame)
    if case .preview(let preview) = layers.topInput { drawPreview(preview, in: &frame) }
    if settings.isLinear { frame.isCursorVisible = true }
    return frame
  }

  // MARK: Columns

  /// The columns of title, banner, notices and status line: those of the text of the page or list,
  /// so that their edges are aligned with it.
  var chromeColumns: Range<Int> {
    let edges = 1..<max(2, size.columns - 1)
    guard !settings.isLinear else { return edges }
    // Menus and choices are boxes over another screen, which determines the columns.
    if let list, !isMenuOpen, list.kind.screen != .choices {
      return listColumns.lowerBound
        + 1..<max(listColumns.lowerBound + 2, listColumns.upperBound - 1)
    }
    let text = textColumns(gutter: 0)
    return max(1, text.lowerBound)..<max(2, min(size.columns - 1, text.upperBound))
  }

  /// Returns the columns of running text.
  /// - Parameter gutter: The number of columns at the left that are not for the page.
  /// - Returns: The columns of the screen.
  func textColumns(gutter: Int) -> Range<Int> {
    let all = min(max(20, size.columns), 500)
    let width = max(20, all - gutter)
    let text = min(settings.textWidth, max(20, all - 2))
    let left = gutter + (settings.isLinear ? 0 : max(0, (width - text) / 2))
    return left..<left + text
  }

  // MARK: Rows

  /// The rows of the banner, adapted to the screen size.
  var bannerRows: [[Banner.Segment]] {
    guard let provenance, size.rows >= 5 else { return [] }
    // A fresh copy needs only one row, unless it was imported or comes from a web archive.
    let isBrief = provenance.isFresh && provenance.importDescription == nil
    let limit = size.rows < 10 || isBrief ? 1 : size.rows < 20 ? 2 : 3
    let isShort = size.rows < 10 || provenance.isFresh && size.columns < Self.minWidthForFullBanner
    return Banner.rows(
      of: provenance, hasNewer: opening.revalidation.newerPage != nil || opening.hasArrived,
      isArriving: isAwaitingRestOfPage, version: versionPositionText, isOffline: isOffline,
      columns: max(1, size.columns - 2 - chromeColumns.lowerBound), maxRows: limit,
      isShort: isShort, keymap: keymap,
      separator: glyphs.separator, now: now, timeZone: timeZone, widths: displayWidth)
  }

  /// The number of blank rows above the page or the list: 1 on screens with at least 16 rows,
  /// otherwise 0.
  var gapRowCount: Int { size.rows >= 16 && !settings.isLinear ? 1 : 0 }

  /// The rows of the page, between the banner and the last row.
  var bodyRows: Range<Int> {
    let first = min(1 + bannerRows.count + gapRowCount, size.rows - 1)
    return first..<max(first, size.rows - 1)
  }

  /// The number of page lines on the screen; at least 1, so that scrolling always moves.
  var bodyHeight: Int { max(1, bodyRows.count) }

  // MARK: Title and banner

  func drawTitle(in frame: inout Frame) {
    guard size.rows > 1 else { return }
    let style = CellStyle(.title)
    frame.clear(row: 0, style: style)
    let state = titleStatusText
    let stateWidth = displayWidth.width(of: state)
    var width = chromeColumns.count
    if !state.isEmpty, stateWidth + 10 < chromeColumns.count {
      frame.put(state, row: 0, column: chromeColumns.upperBound - stateWidth, style: style)
      width -= stateWidth + 2
    }
    let title = displayWidth.truncated(titleText, to: width, ellipsis: glyphs.ellipsis)
    frame.put(title, row: 0, column: chromeColumns.lowerBound, style: style)
  }

  /// The title row, such as `docs.python.org › string — Common string operations`.
  private var titleText: String {
    guard let page = view?.page else {
      return displayURL(loading.load?.request.displayedTarget ?? "offread")
    }
    let url = displayURL(page.url)
    let title = SafeText.line(page.document.title)
    guard let position = Self.host(of: url) else { return title.isEmpty ? url : title }
    return title.isEmpty ? url : position + glyphs.titleSeparator + SafeText.bidiIsolated(title)
  }

  /// Returns the host of a web page, or `offread` for a built-in page; nil for files, and for URLs
  /// without a host.
  static func host(of url: String) -> String? {
    if url.hasScheme("about") { return "offread" }
    guard url.isWebURL, let slashes = url.range(of: "://") else { return nil }
    let host = url[slashes.upperBound...].prefix { !"/?#".contains($0) }
    return host.isEmpty ? nil : String(host)
  }

  /// The right part of the title row: whether the session is private, the reading time if there is
  /// enough space, whether the page is saved, and its number among the open pages.
  private var titleStatusText: String {
    let states = [
      isPrivate ? "private" : "",
      chromeColumns.count + 2 < Self.minWidthForReadingTime ? "" : readingTimeText,
      savedStateText,
    ]
    let all = (states + [tabPositionText]).filter { !$0.isEmpty }.joined(
      separator: glyphs.separator)
    return displayWidth.width(of: all) + 10 < chromeColumns.count ? all : tabPositionText
  }

  /// The minimum width of the screen for a date and a reason in one row of the banner.
  private static let minWidthForFullBanner = 72
  /// The minimum width of the text columns, with margins of 1 column, for the reading time in the
  /// title row.
  private static let minWidthForReadingTime = 60

  /// The reading time and length, such as `3 min, 612 words`; empty outside reader view.
  private var readingTimeText: String {
    guard let facts = view?.page.document.readerFacts, facts.wordCount > 0 else { return "" }
    return "\(facts.readingMinutes) min, \(DateTexts.countText(facts.wordCount, "word"))"
  }

  private var savedStateText: String {
    guard case .saved(let reason)? = provenance?.source else {
      if isOffline { return "offline" }
      let age = savedDate.map { DateTexts.shortAgeText(of: $0, now: now) }
      return switch age {
      case nil: ""
      case DateTexts.justNow: "saved just now"
      case "future": "saved, dated in the future"
      case let age?: "saved \(age) ago"
      }
    }
    let word = isOffline || reason.isNetworkFailure ? "offline" : "saved"
    return settings.isLinear ? word : "\(word) \(glyphs.saved)"
  }

  func drawBanner(in frame: inout Frame) {
    for (index, parts) in bannerRows.enumerated() {
      let row = 1 + index
      frame.clear(row: row, style: CellStyle())
      var column = frame.put(
        glyphs.bannerBar, row: row, column: chromeColumns.lowerBound, style: CellStyle(.banner))
      var last: Banner.Segment?
      for part in parts {
        let gap = last.map { Banner.gap(after: $0, glyphs.separator) } ?? ""
        column = frame.put(gap, row: row, column: column, style: CellStyle(.dim))
        let text = displayWidth.truncated(
          part.text, to: size.columns - 1 - column, ellipsis: glyphs.ellipsis)
        column = frame.put(text, row: row, column: column, style: CellStyle(part.weight.role))
        last = part
      }
    }
  }

  // MARK: Page

  func drawBody(in frame: inout Frame) {
    guard let view else { return drawEmptyBody(in: &frame) }
    let rows = bodyRows
    if view.layout.lines.isEmpty {
      frame.put(
        "This page is empty.", row: rows.lowerBound + 1, column: emptyTextColumn,
        style: CellStyle(.dim))
    }
    var focus: Frame.Position?
    for row in rows {
      let line = view.topLine + row - rows.lowerBound
      guard line < view.layout.lines.count else { break }
      let column = drawLine(line: line, of: view, row: row, in: &frame)
      drawChange(ofLine: line, of: view, row: row, in: &frame)
      drawHighlight(ofLine: line, of: view, row: row, in: &frame)
      if focus == nil, let column { focus = Frame.Position(row: row, column: column) }
    }
    drawImages(of: view, in: &frame)
    let line = settings.isLinear ? view.visibleCursorLine(height: bodyHeight) - view.topLine : 0
    frame.moveCursor(row: focus?.row ?? rows.lowerBound + line, column: focus?.column ?? 0)
    if case .selection(let marked) = layers.topInput {
      let (line, column) = movingEnd(of: marked, in: view)
      frame.moveCursor(row: rows.lowerBound + line - view.topLine, column: column)
    }
    if settings.isLinear { drawAnnouncement(in: &frame) }
    if case .hints(let hints) = layers.topInput { drawHints(hints, of: view, in: &frame) }
  }

  private func drawEmptyBody(in frame: inout Frame) {
    let rows = bodyRows
    guard loading.load == nil, rows.count > 1 else { return }
    frame.put(
      wrapped: "No page is open. \(keyName(of: .openURL)) opens a URL, \(helpKey) is help, "
        + "\(quitKey) quits.",
      rows: rows.lowerBound + 1..<rows.upperBound,
      columns: min(emptyTextColumn, size.columns)..<size.columns, style: CellStyle(.dim))
  }

  /// The column of the text that is shown instead of a page, indented below the title.
  private var emptyTextColumn: Int { chromeColumns.lowerBound + 1 }

  /// Draws the mark of a paragraph that differs from another version.
  private func drawChange(ofLine line: Int, of view: PageView, row: Int, in frame: inout Frame) {
    guard view.gutterWidth > 0, let (marker, isFirst) = view.change(onLine: line),
      isFirst || marker.kind != .gap
    else { return }
    let sign = isFirst ? glyphs.changeMark(of: marker.kind) : glyphs.changeBar
    let isCurrent = marker.changeIndex == view.currentChange
    frame.put(sign, row: row, column: 0, style: CellStyle(isCurrent ? .currentMatch : .notice))
  }

  /// Draws the mark beside a highlighted passage if the cell is blank.
  private func drawHighlight(
    ofLine line: Int, of view: PageView, row: Int, in frame: inout Frame
  ) {
    let (bytes, beginsExcerpt) = view.highlightedRanges(ofLine: line)
    guard !bytes.isEmpty, !settings.isLinear else { return }
    let sign = beginsExcerpt ? glyphs.noteMark : glyphs.highlight
    // The marks are in one column beside the text, at the side where its lines begin.
    let text = textColumns(gutter: view.gutterWidth)
    let isRightToLeft = view.layout.order(ofLine: line)?.levelRuns.last.map {
      $0.embeddingLevel % 2 == 1
    }
    let column =
      isRightToLeft == true
      ? min(text.upperBound + 1, size.columns - 1) : max(text.lowerBound - 2, 0)
    guard frame[row, column].text == " " else { return }
    frame.put(sign, row: row, column: column, style: CellStyle(.accent))
  }

  /// Draws a line of the page.
  /// - Returns: The column of the focused link; nil if it is not on the line.
  private func drawLine(
    line index: Int, of view: PageView, row: Int, in frame: inout Frame
  ) -> Int? {
    let layout = view.layout
    let isTruncated = isTruncated(line: index, of: view)
    let textColumn = view.gutterWidth - (isTruncated ? appearance.horizontalOffset : 0)
    var focus: (byte: Int, column: Int)?
    let marks = LineMarks(
      matches: pageSearch.pageMatches.map { $0.matches(onLine: index) } ?? [],
      selected: selectedRanges(ofLine: index, of: view),
      highlighted: view.highlightedRanges(ofLine: index).bytes)
    layout.forEachCluster(ofLine: index, displayWidth) { cluster, run in
      let bytes = cluster.textRange
      var column = textColumn + cluster.column
      var style = CellStyle(run.style)
      if run.target != nil, run.target == view.focus,
        focus.map({ bytes.lowerBound < $0.byte }) ?? true
      {
        focus = (bytes.lowerBound, column)
      }
      style.role = role(style.role, of: bytes, run.target, in: view, marks)
      let text = cluster.replacementText ?? String(decoding: layout.text[bytes], as: UTF8.self)
      if cluster.width == 0, frame.appendIsolate(text, row: row, column: column) { return }
      frame.put(
        cluster: text, width: cluster.width, row: row, column: &column, endColumn: size.columns,
        style: style)
    }
    if isTruncated {
      let width = layout.width(ofLine: index, displayWidth)
      drawTruncation(
        view.gutterWidth + width - appearance.horizontalOffset, from: view.gutterWidth, row: row,
        in: &frame)
    }
    return focus.map { max(0, $0.column) }
  }

  /// The marked parts of a line, in bytes of the layout's text.
  private struct LineMarks {
    let matches: [PageLayout.Match]
    let selected: [Range<Int>]
    let highlighted: [Range<Int>]
  }

  private func role(
    _ role: Role, of bytes: Range<Int>, _ target: PageLayout.Target?, in view: PageView,
    _ marks: LineMarks
  ) -> Role {
    if let match = marks.matches.first(where: { $0.byteRange.overlaps(bytes) }) {
      let isCurrent = match.occurrenceNumber == pageSearch.pageMatches?.currentOccurrence
      return isCurrent ? .currentMatch : .match
    }
    let start = bytes.lowerBound
    let isFocused = target != nil && target == view.focus
    if isFocused || marks.selected.contains(where: { $0.contains(start) }) { return .focus }
    guard role == .link else {
      return marks.highlighted.contains { $0.contains(start) } ? .highlight : role
    }
    return target?.linkIndex.map { view.visitedLinks.contains($0) } ?? false ? .visited : role
  }

  /// Returns the byte ranges of the selected text on a line, without leading spaces.
  private func selectedRanges(ofLine index: Int, of view: PageView) -> [Range<Int>] {
    guard case .selection(let marked) = layers.topInput else { return [] }
    switch marked {
    case .lines(let lines):
      guard lines.range.contains(index) else { return [] }
      let line = view.layout.lines[index]
      let bytes = view.layout.text[Int(line.start)..<Int(line.end)]
      return [(bytes.firstIndex { $0 != UInt8(ascii: " ") } ?? bytes.endIndex)..<bytes.endIndex]
    case .passage(let passage): return view.layout.bytes(ofLine: index, showing: passage.range)
    }
  }

  /// Returns the line and the column of the end of the selection that the keys move.
  private func movingEnd(of marked: TextSelection, in view: PageView) -> (line: Int, column: Int) {
    switch marked {
    case .lines(let lines): return (lines.movingLine, 0)
    case .passage(let passage):
      let byte = passage.movingEndOffset
      let line = view.layout.line(showing: byte)
      guard view.layout.lines.indices.contains(line),
        let shown = view.layout.bytes(ofLine: line, showing: byte..<byte + 1).first
      else { return (line, 0) }
      var column = 0
      view.layout.forEachCluster(ofLine: line, displayWidth) { cluster, _ in
        if cluster.textRange.contains(shown.lowerBound) {
          column = view.gutterWidth + cluster.column
        }
      }
      return (line, min(column, max(0, size.columns - 1)))
    }
  }

  /// Draws marks at the ends where a line is truncated.
  private func drawTruncation(_ end: Int, from start: Int, row: Int, in frame: inout Frame) {
    if appearance.horizontalOffset > 0 {
      for column in 0..<start { frame.put(" ", row: row, column: column, style: CellStyle()) }
      frame.put("<", row: row, column: start, style: CellStyle(.dim))
    }
    if end > size.columns {
      frame.put(">", row: row, column: size.columns - 1, style: CellStyle(.dim))
    }
  }

  private func drawHints(_ hints: Hints, of view: PageView, in frame: inout Frame) {
    let lines = view.lines(ofTargetsOnScreen: bodyRows.count)
    for label in hints.remainingLabels {
      guard let line = lines[label.target] else { continue }
      let row = line - view.topLine + bodyRows.lowerBound
      let left =
        view.gutterWidth - (isTruncated(line: line, of: view) ? appearance.horizontalOffset : 0)
      guard bodyRows.contains(row),
        let first = view.firstCluster(of: label.target, line: line),
        case let start = first.column + left, start >= view.gutterWidth, start < size.columns
      else { continue }
      let column =
        first.embeddingLevel % 2 == 1
        ? self.labelColumn(ofLabel: label.text.utf8.count, behind: start, row: row, in: frame)
        : self.labelColumn(ofLabel: label.text.utf8.count, before: start, row: row, in: frame)
      frame.put(hintLabelText(label.text), row: row, column: column, style: hintStyle)
    }
  }

  /// Whether hint labels are drawn without colours.
  private var drawsHintsWithoutColor: Bool {
    guard let named = theme.appearances[.currentMatch] else { return colorCount < 8 }
    return colorCount < 8 || named.foreground == nil && named.background == nil
  }

  /// The style of a label. Without colours, it differs from the underlined link after it.
  private var hintStyle: CellStyle { CellStyle(drawsHintsWithoutColor ? .focus : .currentMatch) }

  /// Returns the displayed text of a label: without colours it is upper-case, because it may touch
  /// the next word.
  private func hintLabelText(_ label: String) -> String {
    drawsHintsWithoutColor ? label.uppercased() : label
  }

  /// Returns the column of a label before a link. It covers spaces, the bullet or the mark before
  /// the link, with one space after it if possible; otherwise it covers the beginning of the link.
  /// The text does not move.
  private func labelColumn(ofLabel width: Int, before start: Int, row: Int, in frame: Frame) -> Int
  {
    var columns = 0
    while columns <= width, start > columns, Self.isCoverable(frame[row, start - columns - 1]) {
      columns += 1
    }
    // A bracket is better covered than a letter.
    if columns == 0, start > 0, Self.isBracket(frame[row, start - 1]) { columns = 1 }
    return start - (columns > width ? width + 1 : columns)
  }

  /// Returns the column of a label for a right-to-left link, at its right.
  private func labelColumn(ofLabel width: Int, behind start: Int, row: Int, in frame: Frame) -> Int
  {
    var columns = 0
    while columns <= width, start + columns + 1 < size.columns,
      Self.isCoverable(frame[row, start + columns + 1])
    {
      columns += 1
    }
    return min(start + 1 + (columns > width ? 1 : columns - width), size.columns - width)
  }

  private static func isBracket(_ cell: Frame.Cell) -> Bool {
    ["(", "[", "{", "“", "„", "«", "\"", "'"].contains(cell.text) && cell.style.role == .text
  }

  private static func isCoverable(_ cell: Frame.Cell) -> Bool {
    [" ", "•", "◦", "▪", "●", "○", "◷", "*"].contains(cell.text) && cell.style.role != .link
  }
}

extension Banner.Segment.Weight {
  /// The role that determines the style of a banner text with this weight.
  fileprivate var role: Role {
    switch self {
    case .headline: .banner
    case .reason: .text
    case .keys: .dim
    }
  }
}

extension PageMatches {
  /// Returns the parts of matches on a line.
  fileprivate func matches(onLine line: Int) -> [PageLayout.Match] {
    let first = matches.firstIndex(notBefore: line)
    return Array(matches[first...].prefix { $0.lineIndex == line })
  }
}

extension PageView {
  /// Returns the column of a target's first letter on a line; nil if the target is not there.
  func column(of target: PageLayout.Target, line index: Int) -> Int? {
    firstCluster(of: target, line: index)?.column
  }

  /// Returns the first letter of a target on a line; nil if the target is not there.
  func firstCluster(of target: PageLayout.Target, line index: Int) -> VisualLine.Cluster? {
    var first: VisualLine.Cluster?
    layout.forEachCluster(ofLine: index, options.widths) { cluster, run in
      guard run.target == target,
        first.map({ cluster.textRange.lowerBound < $0.textRange.lowerBound }) ?? true
      else { return }
      first = cluster
    }
    return first
  }
}
