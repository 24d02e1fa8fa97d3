import Commands
import Configuration
import Document
import Foundation
import Layout
import OfflineCache
import Pages
import ReaderMode
import Terminal

extension Browser {
  /// Shows a preview of the focused link, or of the link with a number: a footnote of this page, or
  /// the first lines of a saved page. The network is not used.
  mutating func showLinkPreview(number: Int?) -> [Effect] {
    if let number { focus(link: number) }
    guard let page = view?.page, let target = view?.focus, let url = url(of: target) else {
      if notice == nil {
        notify(noSelectedLinkMessage)
      }
      return []
    }
    var preview = Preview(target: target, texts: [])
    if let fragment = samePageFragment(of: url, on: page) {
      guard let offset = Self.anchorOffset(fragment, in: page.document) else {
        reportError(missingSectionMessage(fragment))
        return []
      }
      let text = page.document.footnote(at: offset)
      preview.texts = [text.isEmpty ? .init("there is no text here", .dim) : .init(text)]
      layers.showInput(.preview(preview))
      return []
    }
    var options = loading.options
    options.mode = .cacheOnly
    let id = loading.nextID()
    preview.load = id
    preview.texts = [.init("Looking\(glyphs.ellipsis)", .dim)]
    layers.showInput(.preview(preview))
    let request = LoadRequest(
      url, origin: .link(from: page.url), options: options, view: .reader(ReaderOptions()))
    return [.load(id, request)]
  }

  /// Scrolls to the link of the preview after the layout has changed.
  mutating func reveal(_ target: PageLayout.Target) {
    guard let line = view?.line(of: target) else { return }
    let height = bodyHeight
    view?.reveal(line: line, height: height)
  }

  private mutating func focus(link number: Int) {
    view?.layOutRest()
    guard let links = view?.numberedLinks, links.indices.contains(number - 1),
      let line = view?.line(of: .link(links[number - 1]))
    else {
      reportError("no link \(number)")
      view?.focus = nil
      return
    }
    let height = bodyHeight
    view?.reveal(line: line, height: height)
    view?.focus = .link(links[number - 1])
  }

  /// Handles the report of the load for the preview.
  /// - Returns: Whether the report belongs to the preview.
  mutating func handlePreview(_ event: LoadEvent, of id: LoadID) -> Bool {
    guard case .preview(var preview) = layers.topInput, preview.load == id else { return false }
    switch event {
    case .progressed, .asking, .offered, .began, .newer, .checked: return true
    case .loaded(let page): preview.texts = previewTexts(of: page)
    case .failed:
      let url = self.url(of: preview.target) ?? ""
      preview.texts = [.init("not saved", .dim), .init(shortURL(url))]
    }
    preview.load = nil
    layers.showInput(.preview(preview))
    return true
  }

  /// Returns the title, the date and the first paragraph of a page.
  private func previewTexts(of page: Page) -> [Preview.Text] {
    let title = SafeText.line(page.document.title)
    var texts = [Preview.Text(title.isEmpty ? displayURL(page.url) : title, .heading)]
    if let date = page.provenance.contentDate {
      texts.append(.init("saved copy, " + DateTexts.age(of: date, now: now, in: timeZone), .dim))
    }
    let text = page.attachment.map { $0.mediaType } ?? page.document.firstParagraph
    if !text.isEmpty { texts.append(.init(SafeText.line(text))) }
    return texts
  }

  // MARK: The box

  /// Draws the preview below or above the link, where there is more space; the link stays visible.
  /// In linear mode it uses whole rows without a border.
  func drawPreview(_ preview: Preview, in frame: inout Frame) {
    guard let linkRows = targetRows(of: preview.target) else { return }
    let width = max(1, min(size.columns - 4, Self.maxPreviewWidth))
    let lines = preview.texts.flatMap { text in
      displayWidth.wrapped(text.text, to: width).map { Preview.Text($0, text.role) }
    }
    let isBox = !settings.isLinear
    let border = isBox ? 1 : 0
    let allowedRows = bodyRows.count >= Self.minUncoveredBodyHeight ? bodyRows : 0..<size.rows
    let (heightAbove, heightBelow) = (
      linkRows.lowerBound - allowedRows.lowerBound - 2 * border,
      allowedRows.upperBound - linkRows.upperBound - 2 * border
    )
    let isBelow =
      heightBelow >= min(lines.count, Self.maxPreviewHeight) || heightBelow >= heightAbove
    let height = min(lines.count, Self.maxPreviewHeight, isBelow ? heightBelow : heightAbove)
    guard height > 0 else { return }
    let firstRow = isBelow ? linkRows.upperBound + border : linkRows.lowerBound - border - height
    let contentWidth = min(
      width, lines.prefix(height).map { displayWidth.width(of: $0.text) }.max() ?? 1)
    let leftColumn = min(
      max(1, (targetColumn(of: preview.target) ?? 1)), max(1, size.columns - 3 - contentWidth))
    let area = ListArea(
      rows: firstRow..<firstRow + height,
      columns: isBox ? leftColumn..<leftColumn + contentWidth + 2 : 0..<size.columns,
      hasBorder: isBox)
    let textColumn = area.columns.lowerBound + border
    if isBox {
      drawBorder(around: area, in: &frame)
    } else {
      for row in area.rows {
        frame.clear(row: row, columns: area.columns, style: CellStyle())
      }
    }
    draw(lines, rows: area.rows, columns: textColumn..<textColumn + contentWidth, in: &frame)
    if settings.isLinear { frame.moveCursor(row: firstRow, column: textColumn) }
  }

  private func draw(
    _ lines: [Preview.Text], rows: Range<Int>, columns: Range<Int>, in frame: inout Frame
  ) {
    for (line, row) in zip(lines, rows) {
      let isTruncated = row == rows.upperBound - 1 && lines.count > rows.count
      let content =
        isTruncated
        ? displayWidth.truncated(line.text, to: max(1, columns.count - 1), ellipsis: "")
          + glyphs.ellipsis
        : line.text
      frame.put(
        content, row: row, column: columns.lowerBound, style: CellStyle(line.role),
        endColumn: columns.upperBound)
    }
  }

  /// The maximum width of the text in a box, in columns, and its maximum number of rows.
  private static let maxPreviewWidth = 60, maxPreviewHeight = 12
  /// The number of page rows below which the box may also cover the rows above and below the page.
  private static let minUncoveredBodyHeight = 12

  private func targetColumn(of target: PageLayout.Target) -> Int? {
    guard let view, let line = view.line(of: target) else { return nil }
    return view.column(of: target, line: line).map { $0 + view.gutterWidth }
  }

  /// Returns the screen rows of a link; nil if it is not on the screen.
  private func targetRows(of target: PageLayout.Target) -> Range<Int>? {
    guard let view else { return nil }
    let rows = bodyRows.filter { row in
      let line = view.topLine + row - bodyRows.lowerBound
      return view.layout.lines.indices.contains(line) && view.column(of: target, line: line) != nil
    }
    return rows.first.flatMap { first in rows.last.map { first..<$0 + 1 } }
  }
}
