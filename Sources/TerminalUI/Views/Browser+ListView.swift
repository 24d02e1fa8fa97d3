import Foundation
import Layout
import Reader

extension Browser {
  /// Draws a list over the whole screen.
  func draw(_ list: ListScreen, in frame: inout Frame) {
    drawTitle(of: list, in: &frame)
    guard size.rows > 2 || list.entryHeight == 1 else { return }
    if list.shown.isEmpty {
      let text = list.isLoading ? "Looking\(glyphs.ellipsis)" : remark(of: list)
      frame.put(text, row: min(2, size.rows - 1), column: 2, style: TextStyle(.dim))
    }
    let room = listHeight / list.entryHeight
    for offset in 0..<max(1, room) {
      let index = list.top + offset
      guard list.shown.indices.contains(index) else { break }
      let row = 1 + offset * list.entryHeight
      guard row < size.rows - 1 || size.rows == 1 else { break }
      draw(
        list.entries[list.shown[index]], isChosen: index == list.chosen, of: list, row: row,
        in: &frame)
    }
  }

  private func remark(of list: ListScreen) -> String {
    list.filter.text.isEmpty
      ? list.remark : "Nothing has \(SafeText.line(list.filter.text)); Esc shows all."
  }

  private func drawTitle(of list: ListScreen, in frame: inout Frame) {
    let style = TextStyle(.title)
    frame.clear(row: 0, style: style)
    let (shown, all) = list.counts
    let number = shown == all ? "\(all)" : "\(shown) of \(all)"
    let state = list.isLoading ? number + glyphs.ellipsis : number
    let width = widths.width(of: state)
    let hasRoom = width + 16 < size.columns
    if hasRoom { frame.put(state, row: 0, column: size.columns - width - 1, style: style) }
    let title = widths.truncated(
      title(of: list), to: size.columns - 2 - (hasRoom ? width + 2 : 0), ellipsis: glyphs.ellipsis)
    frame.put(title, row: 0, column: 1, style: style)
  }

  private func title(of list: ListScreen) -> String {
    switch list.kind {
    case .library: list.order == .date ? "Library" : "Library, by \(list.order.rawValue)"
    case .history: "History"
    case .queue: "Queue"
    case .search(let words): "Saved pages with: \(SafeText.line(words))"
    case .outline: "Outline"
    case .links: "Links"
    case .messages: "Messages"
    case .downloads: "Downloads"
    case .information: "Page information"
    case .choices(let control): SafeText.line(view?.words(ofControl: control) ?? "")
    case .help(let subject): title(of: subject)
    }
  }

  private func draw(
    _ entry: ListEntry, isChosen: Bool, of list: ListScreen, row: Int, in frame: inout Frame
  ) {
    if entry.isHeading {
      frame.put(entry.title, row: row, column: 1, style: TextStyle(.heading))
      return
    }
    let style = TextStyle(isChosen ? .focus : .text)
    frame.clear(row: row, style: style)
    if settings.isLinear { return drawLinear(entry, isChosen: isChosen, row: row, in: &frame) }
    if isChosen {
      // The mark says it without colours, too; the cursor is there for screen readers.
      frame.put(">", row: row, column: 0, style: style)
      frame.moveCursor(row: row, column: 0)
    }
    var column = 1
    if let percent = entry.percent {
      column = frame.put(bar(percent), row: row, column: column, style: style) + 2
    }
    column += min(entry.indent, max(0, size.columns / 2))
    let detailWidth = widths.width(of: entry.detail)
    // On a very wide screen the eye would lose the row on its way to the details.
    var end = min(size.columns, Self.widestRow) - 1
    if !entry.detail.isEmpty, column + detailWidth + 12 < end {
      frame.put(
        entry.detail, row: row, column: end - detailWidth, style: isChosen ? style : TextStyle(.dim)
      )
      end -= detailWidth + 2
    }
    let title = widths.truncated(entry.title, to: max(1, end - column), ellipsis: glyphs.ellipsis)
    frame.put(title, row: row, column: column, style: style)
    if list.entryHeight > 1 { drawNote(of: entry, row: row + 1, in: &frame) }
  }

  /// The columns of a row of a list at most.
  private static let widestRow = 120

  /// `▓▓▓▓▓▓░░░░  61%`, or the number alone where there is no room.
  private func bar(_ percent: Int) -> String {
    let number = Self.percent(percent)
    guard size.columns >= 60 else { return number }
    let full = min(10, max(0, (percent + 5) / 10))
    return String(repeating: glyphs.full, count: full)
      + String(repeating: glyphs.empty, count: 10 - full) + " " + number
  }

  /// Draws the piece of text that was found, with the words marked.
  func drawNote(of entry: ListEntry, row: Int, in frame: inout Frame) {
    guard row < size.rows - 1 else { return }
    let characters = entry.note.map { SafeText.line(String($0)) }
    let start = noteStart(of: entry, characters)
    var column = 3
    if start > 0 {
      column = frame.put(glyphs.ellipsis, row: row, column: column, style: TextStyle(.dim))
    }
    for index in characters.indices[start...] {
      guard column < size.columns - 1 else { break }
      let isMatch = entry.matches.contains { $0.contains(index) }
      let text = characters[index]
      frame.put(
        cluster: text, width: widths.width(of: text), row: row, column: &column,
        limit: size.columns - 1, style: TextStyle(isMatch ? .match : .dim))
    }
  }

  /// The character with which the row of a note begins, so that the words that were looked for are in it.
  private func noteStart(of entry: ListEntry, _ characters: [String]) -> Int {
    guard let first = entry.matches.first, characters.indices.contains(first.upperBound - 1)
    else { return 0 }
    let room = size.columns - 4
    let end = entry.matches.last {
      widthOf(characters[first.lowerBound..<$0.upperBound]) < room / 2
    }
    let upper = min((end ?? first).upperBound + 8, characters.count)
    guard widthOf(characters[..<upper]) > room else { return 0 }
    var start = first.lowerBound
    while start > 0, widthOf(characters[start - 1..<upper]) < room - 2 { start -= 1 }
    // A word is whole, unless it is a very long one.
    let space = characters[start..<first.lowerBound].firstIndex(of: " ")
    return space.map { $0 + 1 } ?? start
  }

  private func widthOf(_ characters: ArraySlice<String>) -> Int {
    characters.reduce(0) { $0 + widths.width(of: $1) }
  }

  /// The last row of a list: the filter being typed, or where the chosen entry leads.
  func drawStatus(of list: ListScreen, row: Int, in frame: inout Frame) {
    let style = TextStyle(.status)
    frame.clear(row: row, style: style)
    let (shown, _) = list.counts
    let percent = shown <= 1 ? 100 : (list.number - 1) * 100 / (shown - 1)
    var column = frame.put(Self.percent(percent), row: row, column: 0, style: style) + 2
    let end = list.kind.screen == .help ? "\(quitKey) closes" : "\(helpKey) help"
    let right = count.map { "\($0)" } ?? "\(key(of: .findForward)) filters  \(end)"
    let width = widths.width(of: right)
    var limit = size.columns - 1
    if column + width + 12 < limit {
      frame.put(right, row: row, column: limit - width, style: style)
      limit -= width + 2
    }
    if shown > 0, column + 12 < limit, !settings.isLinear {
      column = frame.put("\(list.number)/\(shown)", row: row, column: column, style: style) + 2
    }
    guard let entry = list.entry, limit - column > 4 else { return }
    let place =
      switch entry.target {
      case .page(let url): self.shown(url)
      case .link(let link): brief(url(of: link) ?? "")
      case .download(let id): self.shown(downloads.first { $0.id == id }?.url ?? "")
      case .version: "\(key(of: .follow)) shows this version"
      case .command(let command): "\(key(of: .follow)) runs :\(command.definition.name)"
      case .place, .nowhere, .choice: ""
      }
    let room = limit - column
    let isAddress = entry.url != nil || list.kind.screen == .links
    let fitting =
      isAddress
      ? widths.truncatedInside(place, to: room, ellipsis: glyphs.ellipsis)
      : widths.truncated(place, to: room, ellipsis: glyphs.ellipsis)
    frame.put(fitting, row: row, column: column, style: style)
  }
}
