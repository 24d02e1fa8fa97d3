import Pages
import Commands
import Configuration
import Document
import Foundation
import Layout
import Library
import Terminal

/// Linear mode (`--linear`) for braille displays and screen readers: the cursor is at the current
/// item, with a description beside it, and nothing changes without input.
extension Browser {
  /// The minimum interval between two progress announcements, in seconds.
  static let minAnnouncementInterval: Double = 4

  /// Moves the cursor by lines in linear mode; scrolls otherwise.
  mutating func moveCursorOrScroll(by lines: Int) {
    guard settings.isLinear else { return scroll(by: lines) }
    let height = bodyHeight
    view?.focus = nil
    view?.moveCursor(by: lines, height: height)
  }

  /// Returns the line that determines the current section: the line of the cursor in linear mode,
  /// otherwise the first line on the screen.
  func currentLine(of view: PageView) -> Int {
    settings.isLinear ? view.visibleCursorLine(height: bodyHeight) : view.topLine
  }

  /// Updates the announced progress of a load.
  mutating func announceProgress() {
    if settings.isLinear { loading.announceProgress(at: now, every: Self.minAnnouncementInterval) }
  }

  /// Returns the progress of a load, such as `loading, 12 KB of 80 KB, Esc cancels,
  /// https://a.test/`.
  func progressText(_ load: Load) -> String {
    var message = "loading"
    if load.announcedByteCount > 0 {
      message += ", " + CountFormatter.byteCountText(load.announcedByteCount)
      if let expected = load.expectedByteCount {
        message += " of \(CountFormatter.byteCountText(expected))"
      }
    }
    if let host = load.queriedArchiveHost {
      message += ", asking the archive of \(displayURL(host))"
    }
    if load.request.isRendered { message += ", rendering in a browser" }
    let target = displayURL(load.request.displayedTarget)
    return message + ", \(keyName(of: .cancel)) cancels, " + target
  }

  // MARK: Pages

  /// The description of the focused item or of the cursor's line; nil for plain text.
  var announcement: String? {
    guard let view else { return nil }
    if let focus = view.focus, let line = view.line(of: focus), isOnScreen(line, of: view) {
      if focus.isNavigation {
        return "navigation, \(keyName(of: .follow)) opens and closes it"
      }
      if let control = focus.controlIndex {
        return controlDescription(of: control, in: view).map { number, count, text in
          "field \(number) of \(count), \(text)"
        }
      }
      if let (number, count) = view.imageNumber(of: focus) { return "image \(number) of \(count)" }
      guard let link = focus.linkIndex else {
        return "folded part, \(keyName(of: .follow)) opens and closes it"
      }
      let links = view.numberedLinks
      let number = (links.firstIndex(of: link) ?? 0) + 1
      let isRead = view.visitedLinks.contains(link) ? ", read" : ""
      return "link \(number) of \(links.count)\(isRead)" + linkStatusText(link)
    }
    let line = view.visibleCursorLine(height: bodyHeight)
    guard view.layout.lines.indices.contains(line) else { return nil }
    var parts: [String] = []
    if let heading = view.layout.headings.last(where: { $0.lineIndex == Int32(line) }) {
      parts.append("heading \(heading.level)")
    }
    if let (marker, isFirst) = view.change(onLine: line), isFirst || marker.kind != .gap {
      parts.append(Self.changeDescription(for: marker.kind))
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func changeDescription(for kind: PageChanges.Kind) -> String {
    switch kind {
    case .changed: "changed"
    case .inserted: "only here"
    case .gap: "text missing here"
    }
  }

  /// Writes the announcement after the text of the cursor's row if it fits; otherwise the last row
  /// shows it.
  func drawAnnouncement(in frame: inout Frame) {
    guard let announcement else { return }
    drawAnnouncement(announcement, in: &frame)
  }

  private func drawAnnouncement(_ text: String, in frame: inout Frame) {
    let row = frame.cursor.row
    let column = frame.endColumn(ofRow: row) + 1
    guard fitsOnCursorRow(text, from: column) else { return }
    frame.put("[\(text)]", row: row, column: column, style: CellStyle(.notice))
  }

  private func fitsOnCursorRow(_ text: String, from column: Int) -> Bool {
    column + displayWidth.width(of: text) + 2 <= size.columns
  }

  /// Draws the last row: the URL of the focused link, or the reading progress.
  func drawLinearStatus(row: Int, in frame: inout Frame) {
    var parts: [String] = []
    if loading.load != nil {
      parts = statusParts.map(\.text)
    } else if view?.focus != nil {
      parts = focusedURL.map { [displayURL($0)] } ?? []
    } else if let view {
      parts = [
        Self.percentText(view.readPercent(height: bodyHeight)).trimmingCharacters(in: .whitespaces)
      ]
      parts += statusParts.map(\.text)
    }
    if let count { parts.insert("count \(count)", at: 0) }
    if loading.load == nil, let content = pendingAnnouncement(in: frame) {
      parts.insert(content, at: 0)
    }
    let end = trailingStatusText
    var limit = size.columns - 1
    let text = parts.joined(separator: glyphs.separator)
    if count == nil, displayWidth.width(of: text) + displayWidth.width(of: end) + 4 < limit {
      frame.put(
        end, row: row, column: limit - displayWidth.width(of: end), style: CellStyle(.status))
      limit -= displayWidth.width(of: end) + 2
    }
    frame.put(
      displayWidth.truncated(text, to: limit - 1, ellipsis: glyphs.ellipsis), row: row, column: 1,
      style: CellStyle(.status))
  }

  /// Returns the announcement that the last row has to show; nil if the cursor's row shows it.
  func pendingAnnouncement(in frame: Frame) -> String? {
    guard settings.isLinear, layers.top == .page, let announcement else { return nil }
    let message = "[\(announcement)]"
    return frame.text(ofRow: frame.cursor.row).hasSuffix(message) ? nil : announcement
  }

  // MARK: Lists

  /// Draws a list entry: its title and details in sequence, and, if the entry is selected
  /// (`isChosen`), its number.
  func drawLinearEntry(_ entry: ListEntry, isChosen: Bool, row: Int, in frame: inout Frame) {
    let style = CellStyle(isChosen ? .focus : .text)
    var announcement = ""
    if isChosen, let list {
      frame.moveCursor(row: row, column: 0)
      announcement = "[entry \(list.selectedNumber) of \(list.entryCounts.shown)]"
    }
    var text = entry.readPercent.map { "\($0)%  " } ?? ""
    text += String(repeating: " ", count: min(entry.indentation, size.columns / 4)) + entry.title
    if !entry.detail.isEmpty { text += "  " + entry.detail }
    let width = size.columns - 1 - (announcement.isEmpty ? 0 : announcement.utf8.count + 1)
    let cut = displayWidth.truncated(text, to: max(1, width), ellipsis: glyphs.ellipsis)
    let end = frame.put(cut, row: row, column: 0, style: style)
    frame.put(announcement, row: row, column: end + 1, style: CellStyle(.notice))
    guard let list, list.entryHeight > 1 else { return }
    drawExcerpt(of: entry, row: row + 1, 0..<size.columns, in: &frame)
  }
}

extension Frame {
  /// Returns the text of a row without trailing spaces.
  fileprivate func text(ofRow row: Int) -> String {
    (0..<endColumn(ofRow: row)).map { self[row, $0].text }.joined()
  }

  /// Returns the column after the last character of a row.
  fileprivate func endColumn(ofRow row: Int) -> Int {
    var column = size.columns
    while column > 0, self[row, column - 1].text == " " { column -= 1 }
    return column
  }
}
