import Pages
import Commands
import Configuration
import Document
import Foundation
import Layout
import Saving
import Terminal

extension Browser {
  /// The screen area of the entries of a list.
  struct ListArea {
    var rows: Range<Int>
    var columns: Range<Int>
    /// Whether the list is a box over the page, with borders around these rows and columns.
    var hasBorder = false

    func contains(_ row: Int, _ column: Int) -> Bool {
      rows.contains(row) && columns.contains(column)
    }
  }

  /// The maximum width of a list in columns, because it is hard to follow a row across a wide
  /// screen.
  private static let maxListWidth = 100

  /// The area of the open list's entries: between its title and the last row, or in a box.
  var listArea: ListArea {
    if let box = choiceArea ?? menuArea { return box }
    let first = min(1 + gapRowCount, max(1, size.rows - 2))
    return ListArea(rows: first..<max(first + 1, size.rows - 1), columns: listColumns)
  }

  /// The columns of a list that is not in a box.
  var listColumns: Range<Int> {
    let width = settings.isLinear ? size.columns : min(size.columns, Self.maxListWidth)
    let left = (size.columns - width) / 2
    return left..<left + width
  }

  /// The rows for the entries of the open list.
  var listViewport: ListScreen.Viewport {
    let area = listArea
    return ListScreen.Viewport(rows: area.rows.count, gap: area.hasBorder ? 0 : gapRowCount)
  }

  /// The box for the choices of a field, below or above it; nil if it does not fit.
  private var choiceArea: ListArea? {
    guard let list, case .choices(let control) = list.kind, !settings.isLinear, let view,
      case let target = PageLayout.Target.control(control), let line = view.line(of: target),
      let column = view.column(of: target, line: line),
      case let row = line - view.topLine + bodyRows.lowerBound, bodyRows.contains(row)
    else { return nil }
    let (above, below) = (row - bodyRows.lowerBound - 2, bodyRows.upperBound - row - 3)
    let isBelow = below >= min(list.entries.count, 8) || below >= above
    let height = min(list.entries.count, isBelow ? below : above)
    guard height >= min(3, list.entries.count), height > 0 else { return nil }
    let note = list.columnWidths.values.reduce(0) { $0 + $1 + 2 }
    let width = min(max(list.titleWidth, Self.minBoxTitleWidth) + note + 2, size.columns - 2)
    let left = min(max(1, column + view.gutterWidth + 1), size.columns - 1 - width)
    let first = isBelow ? row + 2 : row - 1 - height
    return ListArea(rows: first..<first + height, columns: left..<left + width, hasBorder: true)
  }

  /// Draws a list over the whole screen or in a box over the page.
  func drawList(_ list: ListScreen, in frame: inout Frame) {
    let area = listArea
    if area.hasBorder, isMenuOpen {
      drawBelowMenu(in: &frame)
      drawBorder(around: area, in: &frame)
    } else if area.hasBorder {
      drawTitle(in: &frame)
      drawBanner(in: &frame)
      drawBody(in: &frame)
      drawBorder(around: area, in: &frame)
    } else {
      drawTitle(of: list, in: &frame)
    }
    guard size.rows > 2 || list.entryHeight == 1 else { return }
    if list.shownIndices.isEmpty {
      let text = list.isLoading ? "Looking\(glyphs.ellipsis)" : emptyListText(of: list)
      let row = min(area.rows.lowerBound + (area.hasBorder ? 0 : 1), size.rows - 1)
      let column = area.columns.lowerBound + (area.hasBorder ? 1 : 2)
      frame.put(
        wrapped: text, rows: row..<max(row + 1, area.rows.upperBound),
        columns: min(column, area.columns.upperBound)..<area.columns.upperBound,
        style: CellStyle(.dim))
    }
    let columns = fittingColumns(of: list, in: area)
    for (index, rows) in list.visibleEntries(viewport: listViewport) {
      let row = area.rows.lowerBound + rows.lowerBound
      guard row < size.rows - 1 || size.rows == 1 else { break }
      let entry = list.entries[list.shownIndices[index]]
      if entry.isHeading {
        let row = area.rows.lowerBound + rows.upperBound - 1
        drawHeading(entry, row: row, columns: area.columns, in: &frame)
      } else {
        drawEntry(
          entry, isChosen: index == list.selectedIndex, of: list, row: row, area.columns, columns,
          in: &frame)
      }
    }
  }

  private func drawHeading(
    _ entry: ListEntry, row: Int, columns: Range<Int>, in frame: inout Frame
  ) {
    let (start, end) = (columns.lowerBound + 1, columns.upperBound - 1)
    let detailWidth = displayWidth.width(of: entry.detail)
    let minTitleWidth = min(displayWidth.width(of: entry.title), Self.minTitleWidth)
    let showsDetail = detailWidth > 0 && end - start - minTitleWidth >= detailWidth + 2
    let title = displayWidth.truncated(
      entry.title, to: max(1, end - start - (showsDetail ? detailWidth + 2 : 0)),
      ellipsis: glyphs.ellipsis)
    frame.put(title, row: row, column: start, style: CellStyle(.heading))
    if showsDetail {
      frame.put(entry.detail, row: row, column: end - detailWidth, style: CellStyle(.dim))
    }
  }

  func drawBorder(around area: ListArea, in frame: inout Frame) {
    let border = glyphs.border
    let (left, right) = (area.columns.lowerBound - 1, area.columns.upperBound)
    let line = String(repeating: border.horizontal, count: area.columns.count)
    let style = CellStyle(.dim)
    frame.put(
      border.top.0 + line + border.top.1, row: area.rows.lowerBound - 1, column: left, style: style
    )
    for row in area.rows {
      frame.clear(row: row, columns: area.columns, style: CellStyle())
      frame.put(border.vertical, row: row, column: left, style: style)
      frame.put(border.vertical, row: row, column: right, style: style)
    }
    frame.put(
      border.bottom.0 + line + border.bottom.1, row: area.rows.upperBound, column: left,
      style: style)
  }

  /// The minimum width of titles: the host column is removed below the first value, then the other
  /// columns below the second, or in a box below the third.
  private static let minTitleWidthWithHost = 26, minTitleWidth = 12, minBoxTitleWidth = 8
  private static let hostColumnWidths = 12...24
  /// The maximum width that the host column leaves for notes, and the minimum width of a truncated
  /// note.
  private static let maxReservedNoteWidth = 8, minNoteWidth = 4
  /// The columns in the order in which they are removed on a narrow screen: extra texts, such as
  /// the number of unread items, and the saved state remain longest.
  private static let dispensableColumns: [ListEntry.Column] = [
    .size, .age, .time, .extraText, .status,
  ]

  /// Returns the columns at the right end that fit in all rows of a list, from left to right.
  private func fittingColumns(
    of list: ListScreen, in area: ListArea
  ) -> [(column: ListEntry.Column, width: Int)] {
    var columns = ListEntry.Column.allCases.compactMap { column in
      list.columnWidths[column].map { (column: column, width: $0) }
    }
    let scrollBarWidth =
      list.entries.contains { $0.readPercent != nil }
      ? displayWidth.width(of: self.progressBar(0)) + 2 : 0
    let width = area.columns.count - 2 - scrollBarWidth
    func remainingWidth() -> Int { width - columns.reduce(0) { $0 + $1.width + 2 } }
    if let host = columns.firstIndex(where: { $0.column == .host }) {
      let note = list.noteWidth == 0 ? 0 : min(list.noteWidth, Self.maxReservedNoteWidth) + 2
      let minWidth = Self.minTitleWidthWithHost + note
      columns[host].width = min(columns[host].width, Self.hostColumnWidths.upperBound)
      let missingWidth = max(0, minWidth - remainingWidth())
      columns[host].width = max(
        Self.hostColumnWidths.lowerBound, columns[host].width - missingWidth)
      if remainingWidth() < minWidth { columns.remove(at: host) }
    }
    // A box is as wide as its titles and columns.
    let minTitleWidth = area.hasBorder ? Self.minBoxTitleWidth : Self.minTitleWidth
    for column in Self.dispensableColumns where remainingWidth() < minTitleWidth {
      columns.removeAll { $0.column == column }
    }
    return columns
  }

  private func emptyListText(of list: ListScreen) -> String {
    list.filter.text.isEmpty
      ? list.emptyListText : "No entry contains \(SafeText.line(list.filter.text)); Esc shows all."
  }

  private func drawTitle(of list: ListScreen, in frame: inout Frame) {
    let style = CellStyle(.title)
    frame.clear(row: 0, style: style)
    let (shown, all) = list.entryCounts
    let number = shown == all ? "\(all)" : "\(shown) of \(all)"
    let state = list.isLoading ? number + glyphs.ellipsis : number
    let width = displayWidth.width(of: state)
    let fits = width + 14 < chromeColumns.count
    if fits { frame.put(state, row: 0, column: chromeColumns.upperBound - width, style: style) }
    let title = displayWidth.truncated(
      listTitle(of: list), to: chromeColumns.count - (fits ? width + 2 : 0),
      ellipsis: glyphs.ellipsis)
    frame.put(title, row: 0, column: chromeColumns.lowerBound, style: style)
  }

  private func listTitle(of list: ListScreen) -> String {
    switch list.kind {
    case .library: libraryTitle(order: list.order)
    case .history: "History"
    case .queue: "Queue"
    case .search(let text): "Saved pages with: \(SafeText.line(text))"
    case .highlights: "Highlights"
    case .collection(let id): collectionName(id)
    case .feeds: "Feeds"
    case .feed(let feed): feedName(feed)
    case .unread: "Unread items"
    case .outline: "Outline"
    case .links: "Links"
    case .messages: "Messages"
    case .downloads: "Downloads"
    case .information: "Page information"
    case .choices(let control): SafeText.line(view?.controlLabel(ofControl: control) ?? "")
    case .tabs: "Open tabs"
    case .help(let subject): helpTitle(of: subject)
    }
  }

  private func libraryTitle(order: ListScreen.Order) -> String {
    let title = order == .date ? "Library" : "Library, by \(order.rawValue)"
    return listData.pinnedExcess.map { "\(title): \($0.text)" } ?? title
  }

  private func drawEntry(
    _ entry: ListEntry, isChosen: Bool, of list: ListScreen, row: Int, _ block: Range<Int>,
    _ columns: [(column: ListEntry.Column, width: Int)], in frame: inout Frame
  ) {
    let style = CellStyle(isChosen ? .focus : .text)
    let dimStyle = isChosen ? style : CellStyle(.dim)
    frame.clear(row: row, columns: block, style: style)
    if settings.isLinear { return drawLinearEntry(entry, isChosen: isChosen, row: row, in: &frame) }
    if isChosen { drawSelectionMark(row: row, column: block.lowerBound, in: &frame) }
    var column = block.lowerBound + 1
    if let percent = entry.readPercent {
      column = frame.put(progressBar(percent), row: row, column: column, style: dimStyle) + 2
    }
    column += min(entry.indentation, max(0, block.count / 2))
    // A title may extend into columns that are empty in its row.
    var end = block.upperBound - 1
    var rightColumn = end
    for (kind, width) in columns.reversed() where kind != .extraText {
      let text = displayWidth.truncated(
        entry.details[kind] ?? "", to: width, ellipsis: glyphs.ellipsis)
      let isLeft = kind == .host || kind == .status
      let start = isLeft ? rightColumn - width : rightColumn - displayWidth.width(of: text)
      frame.put(text, row: row, column: start, style: dimStyle)
      if !text.isEmpty { end = start - 2 }
      rightColumn -= width + 2
    }
    let extraWidth = columns.first { $0.column == .extraText }?.width
    let additionalText = extraText(
      of: entry, columnWidth: extraWidth, availableWidth: rightColumn - column)
    if !additionalText.isEmpty {
      let start = rightColumn - displayWidth.width(of: additionalText)
      frame.put(additionalText, row: row, column: start, style: dimStyle)
      end = start - 2
    }
    let title = displayWidth.truncated(
      entry.title, to: max(1, end - column), ellipsis: glyphs.ellipsis)
    frame.put(title, row: row, column: column, style: style)
    if list.entryHeight > 1 { drawExcerpt(of: entry, row: row + 1, block, in: &frame) }
  }

  /// Draws a mark that makes the selection visible without colours; the cursor is for screen
  /// readers.
  private func drawSelectionMark(row: Int, column: Int, in frame: inout Frame) {
    frame.put(">", row: row, column: column, style: CellStyle(.focus))
    frame.moveCursor(row: row, column: column)
  }

  /// Returns the text between the title of an entry and the other columns: the extra text, which
  /// other rows have as well, and as much of the note as fits.
  /// - Parameters:
  ///   - entry: The entry.
  ///   - columnWidth: The width of the column for extra texts; nil if the screen is too narrow.
  ///   - availableWidth: The width for the title and the result.
  /// - Returns: The text; empty for none.
  private func extraText(
    of entry: ListEntry, columnWidth: Int?, availableWidth: Int
  ) -> String {
    let extraText = displayWidth.truncated(
      entry.details[.extraText] ?? "", to: columnWidth ?? 0, ellipsis: glyphs.ellipsis)
    guard !entry.note.isEmpty else { return extraText }
    let available =
      availableWidth - 2 - (extraText.isEmpty ? 0 : displayWidth.width(of: extraText) + 2)
    // A long title and a long note get half of the width each.
    let title = min(displayWidth.width(of: entry.title), max(available / 2, Self.minTitleWidth))
    let noteWidth = displayWidth.width(of: entry.note)
    guard available - title >= min(noteWidth, Self.minNoteWidth) else { return extraText }
    let note = displayWidth.truncated(
      entry.note, to: available - title, ellipsis: glyphs.ellipsis)
    return extraText.isEmpty ? note : "\(extraText)  \(note)"
  }

  /// Returns a progress bar such as `▓▓▓▓▓▓░░░░  61%`, or the percentage alone on a narrow screen.
  private func progressBar(_ percent: Int) -> String {
    let number = Self.percentText(percent)
    guard size.columns >= 60 else { return number }
    let full = min(10, max(0, (percent + 5) / 10))
    return String(repeating: glyphs.filledBarCell, count: full)
      + String(repeating: glyphs.emptyBarCell, count: 10 - full) + " " + number
  }

  /// Draws the second row of an entry with its matches highlighted; text that does not fit is cut
  /// at word boundaries.
  func drawExcerpt(of entry: ListEntry, row: Int, _ block: Range<Int>, in frame: inout Frame) {
    guard row < size.rows - 1 else { return }
    let characters = entry.secondRowText.map { SafeText.line(String($0)) }
    let limit = block.upperBound - 1
    let width = limit - block.lowerBound - 4
    let start = excerptStartIndex(of: entry, characters, width)
    let end = excerptEndIndex(from: start, characters, width)
    var column = block.lowerBound + 3
    if start > 0 {
      column = frame.put(glyphs.ellipsis, row: row, column: column, style: CellStyle(.dim))
    }
    for index in start..<end {
      let isMatch = entry.matchRanges.contains { $0.contains(index) }
      let text = characters[index]
      frame.put(
        cluster: text, width: displayWidth.width(of: text), row: row, column: &column,
        endColumn: limit,
        style: CellStyle(isMatch ? .match : .text))
    }
    if end < characters.count {
      frame.put(glyphs.ellipsis, row: row, column: column, style: CellStyle(.dim), endColumn: limit)
    }
  }

  /// Returns the end of the part of the second row that fits: after a word, unless the word is very
  /// long.
  private func excerptEndIndex(from start: Int, _ characters: [String], _ width: Int) -> Int {
    var used = start > 0 ? 1 : 0
    var end = start
    while end < characters.count, used + displayWidth.width(of: characters[end]) <= width {
      used += displayWidth.width(of: characters[end])
      end += 1
    }
    guard end < characters.count, characters[end] != " " else { return end }
    return characters[start..<end].lastIndex(of: " ").flatMap { $0 > start ? $0 : nil } ?? end
  }

  /// Returns the start of the part of the second row that is shown, so that it contains the first
  /// match.
  private func excerptStartIndex(of entry: ListEntry, _ characters: [String], _ width: Int) -> Int {
    guard let first = entry.matchRanges.first, characters.indices.contains(first.upperBound - 1)
    else { return 0 }
    let end = entry.matchRanges.last {
      totalWidth(characters[first.lowerBound..<min($0.upperBound, characters.count)]) < width / 2
    }
    let upper = min((end ?? first).upperBound + 8, characters.count)
    guard totalWidth(characters[..<upper]) > width else { return 0 }
    var start = first.lowerBound
    while start > 0, totalWidth(characters[start - 1..<upper]) < width - 2 { start -= 1 }
    // Begins at a word boundary, unless the word is very long.
    let space = characters[start..<first.lowerBound].firstIndex(of: " ")
    return space.map { $0 + 1 } ?? start
  }

  private func totalWidth(_ characters: ArraySlice<String>) -> Int {
    characters.reduce(0) { $0 + displayWidth.width(of: $1) }
  }

  /// Draws the last row of a list: its position, and the destination of the selected entry.
  func drawStatus(of list: ListScreen, row: Int, in frame: inout Frame) {
    let style = CellStyle(.status)
    frame.clear(row: row, style: style)
    let (shownCount, _) = list.entryCounts
    let percent = shownCount <= 1 ? 100 : (list.selectedNumber - 1) * 100 / (shownCount - 1)
    var column =
      frame.put(
        Self.percentText(percent), row: row, column: max(0, chromeColumns.lowerBound - 1),
        style: style)
      + 2
    let closeKey = isMenuOpen ? keyName(of: .cancel) : quitKey
    let isWithinMenu = if case .help(.menu(_, _?)) = list.kind { true } else { false }
    let end =
      list.kind.screen == .help
      ? "\(closeKey) \(isWithinMenu ? "goes back" : "closes")" : "\(helpKey) help"
    let rightText = count.map { "\($0)" } ?? "\(keyName(of: .findForward)) filters  \(end)"
    let width = displayWidth.width(of: rightText)
    var limit = chromeColumns.upperBound
    if column + width + minMiddleWidth < limit {
      frame.put(rightText, row: row, column: limit - width, style: style)
      limit -= width + 2
    }
    if shownCount > 0, column + 12 < limit, !settings.isLinear {
      column =
        frame.put("\(list.selectedNumber)/\(shownCount)", row: row, column: column, style: style)
        + 2
    }
    guard let entry = list.selectedEntry, limit - column > 4 else { return }
    let text = destinationText(of: entry)
    let columns = limit - column
    let isAddress = entry.pageURL != nil || list.kind.screen == .links
    let fittingText =
      isAddress
      ? displayWidth.truncatedInMiddle(text, to: columns, ellipsis: glyphs.ellipsis)
      : displayWidth.truncated(text, to: columns, ellipsis: glyphs.ellipsis)
    frame.put(fittingText, row: row, column: column, style: style)
  }

  private func destinationText(of entry: ListEntry) -> String {
    switch entry.target {
    case .page(let url) where Address.isFeedItem(url): "the text is part of its feed"
    case .page(let url), .passage(_, let url): displayURL(url)
    case .linkTarget(let target): shortURL(url(of: target) ?? "")
    case .download(let id): displayURL(downloads[id]?.url ?? "")
    case .version: "\(keyName(of: .follow)) shows this version"
    case .command(let command): "\(keyName(of: .follow)) runs :\(command.definition.name)"
    case .subject(let subject): menuStatusText(of: subject)
    case .tab: "\(keyName(of: .follow)) shows it, \(keyName(of: .closeTab)) closes it"
    case .cookies: "\(keyName(of: .follow)) undoes this"
    case .collection(let id): collectionStatus(id)
    case .feed: feedStatusText
    case .enclosures, .offset, .nowhere, .choice: ""
    }
  }
}
