import Commands
import Configuration
import Document
import Feeds
import Foundation
import Layout
import Library
import Pages
import Terminal

extension Browser {
  /// The width for prompts and notices, in columns: up to the end of the row, because they may be
  /// long.
  private var lastRowWidth: Int { size.columns - 1 - chromeColumns.lowerBound }

  /// Draws the content of the last row for the layer on top.
  func drawLastRow(in frame: inout Frame) {
    let (row, style) = (size.rows - 1, CellStyle(.prompt))
    let leftColumn = chromeColumns.lowerBound
    let content = layers.top.lastRow(in: layerContext(for: .page, count: count))
    if content != .status { frame.clear(row: row, style: style) }
    switch content {
    case .status: drawNoticeOrStatus(row: row, in: &frame)
    case .hint(let text):
      let text = displayWidth.truncated(
        text, to: max(1, size.columns - 2), ellipsis: glyphs.ellipsis)
      // A text that is wider than the text column begins to the left of it.
      let column = max(1, min(leftColumn, size.columns - 1 - displayWidth.width(of: text)))
      frame.put(text, row: row, column: column, style: style, endColumn: size.columns)
    case .name(let name, let keys):
      let width = max(0, lastRowWidth - 1 - displayWidth.width(of: keys))
      let name = displayWidth.truncated(name, to: width, ellipsis: glyphs.ellipsis)
      let end = frame.put(name, row: row, column: leftColumn, style: style)
      frame.put(keys, row: row, column: end + 2, style: style)
    case .question(let text):
      let end = drawWrapped(of: text, lastRow: row, style: style, background: style, in: &frame)
      frame.moveCursor(row: row, column: min(size.columns - 1, end + 1))
      frame.isCursorVisible = true
    case .labelAndCursor(let label):
      let end = frame.put(
        label, row: row, column: leftColumn, style: style, endColumn: size.columns)
      frame.moveCursor(row: row, column: end)
      frame.isCursorVisible = true
    case .editedLine(let label, let editor, let note, let suggestions):
      drawCompletions(suggestions, above: row, in: &frame)
      drawEditedLine(editor, after: label, note: note, row: row, in: &frame)
    }
  }

  private func drawNoticeOrStatus(row: Int, in frame: inout Frame) {
    guard let notice else { return drawStatus(row: row, in: &frame) }
    let style = CellStyle(notice.isError ? .error : .notice)
    let parts = [pendingAnnouncement(in: frame), SafeText.line(notice.text)].compactMap(\.self)
    drawWrapped(
      of: parts.joined(separator: glyphs.separator), lastRow: row, style: style,
      background: CellStyle(), in: &frame)
  }

  /// The maximum number of rows for a notice or a question.
  private static let maxMessageRows = 4

  /// Draws a text whose last row is `lastRow`; a long text also uses the rows above.
  /// - Returns: The column after the text.
  @discardableResult
  private func drawWrapped(
    of text: String, lastRow: Int, style: CellStyle, background: CellStyle, in frame: inout Frame
  ) -> Int {
    let columns = max(1, size.columns - 2)
    var lines = displayWidth.wrapped(text, to: columns)
    let count = max(1, min(Self.maxMessageRows, size.rows / 4))
    if lines.count > count {
      let rest = lines[(count - 1)...].joined(separator: " ")
      lines =
        lines[..<(count - 1)] + [
          displayWidth.truncated(rest, to: columns, ellipsis: glyphs.ellipsis)
        ]
    }
    // A text that is wider than the text column begins to the left of it.
    let width = lines.map { displayWidth.width(of: $0) }.max() ?? 0
    let column = max(1, min(chromeColumns.lowerBound, size.columns - 1 - width))
    var end = column
    for (offset, line) in lines.enumerated() {
      let row = lastRow - (lines.count - 1 - offset)
      frame.clear(row: row, style: background)
      end = frame.put(line, row: row, column: column, style: style)
    }
    return end
  }

  // MARK: Prompts

  /// Draws a line being edited, with its label before it and a note at the right end. A truncated
  /// label keeps its colon, which separates it from the input.
  private func drawEditedLine(
    _ editor: LineEditor, after label: String, note: String, row: Int, in frame: inout Frame
  ) {
    let minLabelWidth = min(12, lastRowWidth * 3 / 5)
    let colon = label.hasSuffix(": ") ? ": " : ""
    let label =
      displayWidth.truncated(
        String(label.dropLast(colon.count)),
        to: max(minLabelWidth, lastRowWidth - 14) - colon.count, ellipsis: glyphs.ellipsis) + colon
    let column = frame.put(
      label, row: row, column: chromeColumns.lowerBound, style: CellStyle(.prompt))
    let excerptWidth = note.isEmpty ? 0 : displayWidth.width(of: note) + 2
    let fits = column + excerptWidth + 10 < size.columns
    let limit = size.columns - (fits ? excerptWidth : 0)
    drawEditor(editor, row: row, column: column, endColumn: limit, in: &frame)
    if fits, !note.isEmpty {
      frame.put(note, row: row, column: size.columns - excerptWidth + 1, style: CellStyle(.dim))
    }
  }

  /// Draws the completions on the rows above the prompt, scrolled to the selected one.
  private func drawCompletions(_ completions: CompletionList, above row: Int, in frame: inout Frame)
  {
    let columns = min(8, max(0, size.rows / 2 - 1), completions.items.count)
    guard columns > 0 else { return }
    let first = min(
      max(0, (completions.selectedIndex ?? 0) - columns / 2), completions.items.count - columns)
    let shown = completions.items[first..<first + columns]
    let widths = shown.map { displayWidth.width(of: SafeText.line($0.text)) }
    let width = min(size.columns / 2, widths.max() ?? 0)
    for (offset, suggestion) in shown.enumerated() {
      let isChosen = first + offset == completions.selectedIndex
      let style = CellStyle(isChosen ? .focus : .prompt)
      let position = row - columns + offset
      frame.clear(row: position, style: style)
      // The mark makes the selection visible without colours.
      frame.put(
        isChosen ? ">" : " ", row: position, column: chromeColumns.lowerBound - 1, style: style)
      let text = displayWidth.truncated(
        SafeText.line(suggestion.text), to: width, ellipsis: glyphs.ellipsis)
      frame.put(text, row: position, column: chromeColumns.lowerBound, style: style)
      let note = displayWidth.truncated(
        SafeText.line(suggestion.detail), to: lastRowWidth - width - 3, ellipsis: glyphs.ellipsis)
      frame.put(
        note, row: position, column: chromeColumns.lowerBound + width + 2,
        style: CellStyle(isChosen ? .focus : .dim))
    }
  }

  /// Draws a line being edited, scrolled horizontally to show the cursor, and places the cursor.
  private func drawEditor(
    _ editor: LineEditor, row: Int, column: Int, endColumn: Int, in frame: inout Frame
  ) {
    let columns = max(1, endColumn - column)
    let cells = editor.characters.map { (String($0), displayWidth.width(of: String($0))) }
    let widthBeforeCursor = cells[..<editor.cursor].reduce(0) { $0 + $1.1 }
    let (skippedCount, skippedWidth) = Self.skippedPrefix(
      of: cells.map(\.1), excess: widthBeforeCursor - columns)
    var end = column
    var cursor = column + widthBeforeCursor - skippedWidth
    var shownWidth = 0
    var bytes: [UInt8] = []
    /// The byte offset of the character at the cursor; nil if the cursor is after the last one.
    var cursorOffset: Int?
    for (index, (text, width)) in cells[skippedCount...].enumerated() {
      guard shownWidth + width <= endColumn - column else { break }
      if skippedCount + index == editor.cursor { cursorOffset = bytes.count }
      shownWidth += width
      bytes += text.utf8
    }
    if bidi == .app, bytes.hasRightToLeft {
      for cluster in VisualLine(bytes, widths: displayWidth, isLeftToRight: true).clusters {
        end = column + cluster.column
        if cluster.textRange.lowerBound == cursorOffset { cursor = end }
        frame.put(
          cluster: cluster.replacementText
            ?? String(decoding: bytes[cluster.textRange], as: UTF8.self),
          width: cluster.width, row: row, column: &end, endColumn: endColumn,
          style: CellStyle(.prompt))
      }
    } else {
      displayWidth.forEachCluster(in: bytes, 0..<bytes.count) { range, width in
        frame.put(
          cluster: String(decoding: bytes[range], as: UTF8.self), width: width, row: row,
          column: &end, endColumn: endColumn, style: CellStyle(.prompt))
      }
    }
    frame.moveCursor(row: row, column: cursor)
    frame.isCursorVisible = true
  }

  /// Returns the number and the width of the leading characters to skip so that the cursor fits.
  private static func skippedPrefix(of widths: [Int], excess: Int) -> (count: Int, width: Int) {
    var (count, skippedWidth) = (0, 0)
    while excess >= skippedWidth, count < widths.count {
      skippedWidth += widths[count]
      count += 1
    }
    return (count, skippedWidth)
  }

  // MARK: Status

  private func drawStatus(row: Int, in frame: inout Frame) {
    let style = CellStyle(.status)
    frame.clear(row: row, style: style)
    if let list { return drawStatus(of: list, row: row, in: &frame) }
    if settings.isLinear { return drawLinearStatus(row: row, in: &frame) }
    let percent = view.map { Self.percentText($0.readPercent(height: bodyHeight)) } ?? "  0%"
    var column =
      frame.put(percent, row: row, column: max(0, chromeColumns.lowerBound - 1), style: style) + 2
    let right = trailingStatusText
    let rightWidth = displayWidth.width(of: right)
    var limit = chromeColumns.upperBound
    if column + rightWidth + minMiddleWidth < limit {
      frame.put(right, row: row, column: limit - rightWidth, style: style)
      limit -= rightWidth + 2
    }
    for (text, cut) in statusParts {
      let width = limit - column
      guard width >= (cut == .never ? displayWidth.width(of: text) : 4) else { continue }
      let fitting =
        cut == .middle
        ? displayWidth.truncatedInMiddle(text, to: width, ellipsis: glyphs.ellipsis)
        : displayWidth.truncated(text, to: width, ellipsis: glyphs.ellipsis)
      column = frame.put(fitting, row: row, column: column, style: style) + 2
    }
  }

  static func percentText(_ value: Int) -> String {
    value < 10 ? "  \(value)%" : value < 100 ? " \(value)%" : "\(value)%"
  }

  /// The number of columns that the right end leaves for the middle, or else it is omitted. A count
  /// leaves none, because its digits are shown nowhere else.
  var minMiddleWidth: Int { count == nil ? 12 : 0 }

  /// The text at the right end: the count being typed, or else background loads, the queue and the
  /// help key.
  var trailingStatusText: String {
    if let count { return "\(count)" }
    let parts = [
      backgroundLoadCountText, queue.waitingCount > 0 ? "\(queue.waitingCount) queued" : "",
      "\(helpKey) help",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "   ")
  }

  typealias StatusPart = (text: String, cut: StatusTruncation)

  /// The URL of the focused link; complete in linear mode, abbreviated otherwise.
  private var focusedURLText: String {
    let url = focusedURL ?? ""
    return SafeText.leftToRightIsolated(settings.isLinear ? displayURL(url) : shortURL(url))
  }

  /// The parts in the middle of the status line, the most important first.
  var statusParts: [StatusPart] {
    if let load = loading.load { return [(loadProgressText(load), .end)] }
    guard let view else { return [] }
    let links = view.numberedLinks
    if let focus = view.focus {
      if let control = focus.controlIndex { return controlStatusParts(of: control, in: view) }
      let follow = keyName(of: .follow)
      if focus.isNavigation { return [("\(follow) opens and closes the navigation", .end)] }
      if let (number, count) = view.imageNumber(of: focus) {
        return [
          ("image \(number)/\(count)", .never),
          (focusedURL == nil ? "in the page" : "\(glyphs.arrow) \(focusedURLText)", .middle),
        ]
      }
      guard let link = focus.linkIndex else {
        return [("\(follow) opens and closes this part", .end)]
      }
      let number = (links.firstIndex(of: link) ?? 0) + 1
      return [downloadStatusPart].compactMap(\.self) + [
        ("link \(number)/\(links.count)\(linkStatusText(link))", .never),
        ("\(glyphs.arrow) \(focusedURLText)", .middle),
      ]
    }
    var parts: [StatusPart] = []
    if let downloadStatusPart { parts.append(downloadStatusPart) }
    if let text = visibleNoteText { parts.append((text, .end)) }
    if let status = view.page.errorStatus { parts.append((status, .never)) }
    if let position = sequence?.positionText { parts.append((position, .never)) }
    if let section = view.sectionHeading(at: currentLine(of: view)) {
      let width = max(8, (chromeColumns.count + 2) / 3)
      parts.append(
        (
          displayWidth.truncated(
            glyphs.sectionSign + SafeText.line(section), to: width, ellipsis: glyphs.ellipsis), .end
        ))
    }
    if let changes = view.changes {
      parts.append((DateTexts.countText(changes.count, "change"), .never))
    }
    if view.isComplete {
      let folded = view.foldedLinkCount
      let more = folded > 0 ? ", \(folded) in folds" : ""
      parts.append((DateTexts.countText(links.count, "link") + more, .never))
    } else {
      parts.append(("\(view.layoutPercent)% laid out", .never))
    }
    if case .saved = provenance?.source, let date = savedDate {
      let marker = settings.isLinear ? "" : glyphs.saved + " "
      parts.append(("\(marker)saved \(DateTexts.shortAgeText(of: date, now: now))", .never))
    }
    return parts
  }

  /// The progress of a download, and the key that cancels it, or else that of enclosures; nil if
  /// none is running.
  private var downloadStatusPart: StatusPart? {
    guard let text = downloadProgressText else { return enclosureProgressText.map { ($0, .end) } }
    let advice = downloads.cancellableDownload == nil ? "" : "  \(keyName(of: .cancel)) cancels"
    return (text + advice, .end)
  }

  func linkStatusText(_ link: Int32) -> String {
    guard let markers = view?.options.linkStatuses, markers.indices.contains(Int(link)) else {
      return ""
    }
    switch markers[Int(link)] {
    case .none: return ""
    case .queued: return wordSeparator(glyphs.queued) + "queued"
    case .saved:
      let date = view?.page.document.url(ofLink: Int(link)).flatMap { view?.savedDates[$0] }
      let age = date.map { " " + DateTexts.shortAgeText(of: $0, now: now) } ?? ""
      return wordSeparator(glyphs.saved) + "saved" + age
    case .notSaved: return wordSeparator(glyphs.notSaved) + "not saved"
    }
  }

  /// Returns a separator for a word that follows: the glyph, or a comma in linear mode.
  func wordSeparator(_ glyph: String) -> String { settings.isLinear ? ", " : " \(glyph) " }

  private func loadProgressText(_ load: Load) -> String {
    if settings.isLinear { return progressText(load) }
    let steps = glyphs.spinner
    let elapsed = max(0, now.timeIntervalSince(load.startDate))
    let step = steps[Int((elapsed * 10).truncatingRemainder(dividingBy: Double(steps.count)))]
    var text = "\(step) "
    if load.receivedByteCount > 0 {
      text += CountFormatter.byteCountText(load.receivedByteCount)
      if let expected = load.expectedByteCount {
        text += " of \(CountFormatter.byteCountText(expected))"
      }
      text += "  "
    }
    if let host = load.queriedArchiveHost { text += "asking the archive of \(displayURL(host))  " }
    if load.request.isRendered { text += "rendering in a browser  " }
    return text + "\(keyName(of: .cancel)) cancels  " + displayURL(load.request.displayedTarget)
  }
}
