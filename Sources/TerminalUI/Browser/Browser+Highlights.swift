import Commands
import DOM
import Configuration
import Saving
import Library
import Document
import Layout
import OfflineCache
/// Highlights: passages created from selected lines, shown on the page and listed with their pages.
extension Browser {
  /// Highlights the selected lines after asking for a note. If exactly this passage is already
  /// highlighted, its note is edited.
  mutating func highlightPassage(_ marked: MarkedLines) -> [Effect] {
    guard !refusesSaving, let url = highlightablePage, var view else { return [] }
    guard let range = view.passage(ofLines: marked.range) else {
      notify("these lines have no text")
      return []
    }
    self.view = view
    if let same = view.highlights.first(where: { $0.range == range }) {
      openPrompt(.note(.edit(same.highlight, of: url)), text: same.highlight.note)
    } else {
      openPrompt(.note(.make(range, in: view.page.document, of: url)))
    }
    return []
  }

  /// The URL of the page on the screen if its passages can be highlighted: it can be pinned, or is
  /// part of a book; otherwise nil.
  private var highlightablePage: String? {
    mutating get {
      guard let page = view?.page, page.isPart else { return pageToKeep }
      return String(page.url.prefix { $0 != "#" })
    }
  }

  /// Highlights a passage with a note, or changes the note of a highlight. If the note is too long,
  /// the prompt is opened again.
  mutating func store(note: String, for passage: Prompt.Passage) -> [Effect] {
    let note = SafeText.line(note).trimmingSpaces
    guard note.utf8.count <= Highlight.maxNoteLength else {
      openPrompt(.note(passage), text: note)
      reportError("a note can have at most \(Highlight.maxNoteLength >> 10) KB")
      return []
    }
    switch passage {
    case .make(let range, let document, let url):
      return [
        .highlightPassage(
          range, of: document, note: note, url: url, title: SafeText.line(document.title), date: now
        )
      ]
    case .edit(var highlight, let url):
      guard highlight.note != note else { return [] }
      highlight.note = note
      return [.setHighlights([highlight], of: url)]
    }
  }

  /// Removes the highlights that overlap the selected lines.
  mutating func removePassages(_ marked: MarkedLines) -> [Effect] {
    guard var view else { return [] }
    let range = view.passage(ofLines: marked.range) ?? 0..<0
    let found = view.highlights.filter { $0.range?.overlaps(range) ?? false }.map(\.highlight)
    guard !found.isEmpty, let url = highlightablePage else {
      notify("these lines have no highlight")
      return []
    }
    return remove(found, of: url)
  }

  /// Removes highlights; `undo` restores them.
  mutating func remove(_ highlights: [Highlight], of url: String) -> [Effect] {
    lists.remove(highlights, of: url)
    let isOne = highlights.count == 1
    let what = isOne ? "the highlight" : "\(highlights.count) highlights"
    notify("removed \(what); \(key(of: .undo)) restores \(isOne ? "it" : "them")")
    return [.removeHighlights(highlights.map(\.id), of: url)]
  }

  /// Looks up the highlights of the page on the screen.
  mutating func findHighlights() {
    guard let page = view?.page, page.url.isWebURL || page.isPart,
      page.provenance.source != .explanation
    else { return }
    outbox.append(.findHighlights(arrival: opening.number, page.document, of: page.url))
  }

  /// The entries of the list of highlights.
  var highlightEntries: [ListEntry] {
    lists.passages.flatMap { page -> [ListEntry] in
      let title = page.title.isEmpty ? shown(page.key) : SafeText.line(page.title)
      return [.heading(title)]
        + page.highlights.map { placed in
          let text = SafeText.line(placed.highlight.exact)
          var entry = ListEntry(
            text, to: .passage(placed.highlight, of: page.key),
            alsoFoundBy: "\(placed.highlight.note) \(title) \(page.key)")
          entry.secondRow = SafeText.line(placed.highlight.note)
          if page.isSaved, placed.range == nil {
            entry.details[.note] = "its text is no longer on the page"
          }
          return entry
        }
    }
  }

  /// The status line's text about highlights: the first note on the screen, or in linear mode on
  /// the cursor's line; nil if there is none.
  var highlightText: String? {
    guard let view, !view.highlights.isEmpty else { return nil }
    let rows =
      settings.isLinear
      ? view.cursor(height: bodyHeight)...view.cursor(height: bodyHeight)
      : view.top...max(view.top, view.top + bodyHeight - 1)
    let found = view.highlights(onLines: rows)
    if let noted = found.first(where: { !$0.note.isEmpty }) {
      return "\(glyphs.note) \(SafeText.line(noted.note))"
    }
    return settings.isLinear && !found.isEmpty ? "highlight" : nil
  }
}

extension Page {
  /// Whether the page is a part of a longer document, such as a chapter of a book.
  fileprivate var isPart: Bool { parts?.index != nil }
}

extension String {
  /// The string without leading and trailing spaces.
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

extension PageView {
  /// Returns the text of a range of lines as offsets in `Document.text`; nil if they have none.
  mutating func passage(ofLines range: ClosedRange<Int>) -> Range<UInt32>? {
    if range.upperBound + 1 >= layout.lines.count { complete() }
    let lines = layout.lines
    guard lines.indices.contains(range.lowerBound),
      let start = lines[range.lowerBound...]
        .prefix(range.count).map(\.source).min()
    else { return nil }
    let behind = range.upperBound + 1
    let end =
      behind < lines.count ? lines[behind].source : UInt32(page.document.text.count)
    return start < end ? start..<end : nil
  }

  /// Returns the offsets in `Document.text` of the text on a line.
  func source(ofLine index: Int) -> Range<UInt32> {
    let start = layout.lines[index].source
    let end =
      index + 1 < layout.lines.count
      ? layout.lines[index + 1].source : UInt32(page.document.text.count)
    return start..<max(start, end)
  }

  /// Returns the highlights that overlap a range of lines.
  func highlights(onLines range: ClosedRange<Int>) -> [Highlight] {
    let lines = range.clamped(to: 0...max(0, layout.lines.count - 1))
    guard layout.lines.indices.contains(lines.upperBound) else { return [] }
    let shown =
      source(ofLine: lines.lowerBound)
      .lowerBound..<max(
        source(ofLine: lines.lowerBound).lowerBound, source(ofLine: lines.upperBound).upperBound)
    return highlights.filter { $0.range?.overlaps(shown) ?? false }.map(\.highlight)
  }

  /// Returns the bytes of a line, in `PageLayout.text`, that are highlighted, and whether a
  /// highlight with a note begins there.
  func highlightedText(ofLine index: Int) -> (bytes: [Range<Int>], beginsNote: Bool) {
    guard !highlights.isEmpty else { return ([], false) }
    let shown = source(ofLine: index)
    let line = layout.lines[index]
    let text =
      Int(line.start) + Int(line.prefix)..<max(Int(line.start) + Int(line.prefix), Int(line.end))
    guard !shown.isEmpty, !layout.isBlank(line: index) else { return ([], false) }
    var found: [Range<Int>] = []
    var beginsExcerpt = false
    for placed in highlights {
      guard let range = placed.range?.clamped(to: shown), !range.isEmpty else { continue }
      let lower = offset(ofLetter: letters(shown.lowerBound..<range.lowerBound), on: text)
      let upper =
        range.upperBound == shown.upperBound
        ? text.upperBound : offset(ofLetter: letters(shown.lowerBound..<range.upperBound), on: text)
      guard lower < upper else { continue }
      found.append(lower..<upper)
      if !placed.highlight.note.isEmpty, placed.range?.lowerBound == range.lowerBound {
        beginsExcerpt = true
      }
    }
    return (found, beginsExcerpt)
  }

  /// Returns the number of non-whitespace characters in a range of the document.
  private func letters(_ range: Range<UInt32>) -> Int {
    page.document.text[Int(range.lowerBound)..<Int(range.upperBound)].count {
      $0 > 0x20 && $0 & 0xC0 != 0x80
    }
  }

  /// Returns the offset in `PageLayout.text` of the non-whitespace character that follows `count`
  /// others on a line; the end of the line if there is no such character.
  private func offset(ofLetter count: Int, on line: Range<Int>) -> Int {
    var (rest, position) = (count, line.lowerBound)
    while position < line.upperBound {
      let byte = layout.text[position]
      if byte > 0x20, byte & 0xC0 != 0x80 {
        if rest == 0 { return position }
        rest -= 1
      }
      position += 1
    }
    return line.upperBound
  }
}
