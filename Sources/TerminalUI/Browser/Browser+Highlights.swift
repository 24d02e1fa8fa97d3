import Commands
import DOM
import Configuration
import Saving
import Library
import Document
import Layout
import OfflineCache
import Reader

/// Passages that are kept: made of marked lines, shown on the page, listed with their pages.
extension Browser {
  /// Keeps the marked lines, after asking for a note; of a passage that is kept already the note is
  /// edited.
  mutating func keepPassage(_ marked: MarkedLines, of view: PageView) -> [Effect] {
    mode = .page
    guard !keepsNothing, let url = pageToMark else { return [] }
    var view = view
    guard let range = view.passage(ofLines: marked.range) else {
      notice = Notice(text: "there is no text in these lines")
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

  /// The address of the page on screen, if passages of it can be kept: it can be itself, or is a part of a book.
  private var pageToMark: String? {
    mutating get {
      guard let page = view?.page, page.isPart else { return pageToKeep }
      return String(page.url.prefix { $0 != "#" })
    }
  }

  /// Takes the note for a passage.
  mutating func take(note: String, for passage: Prompt.Passage) -> [Effect] {
    let note = SafeText.line(note).trimmingSpaces
    guard note.utf8.count <= Highlight.longestNote else {
      openPrompt(.note(passage), text: note)
      notice = Notice(
        text: "a note has \(Highlight.longestNote >> 10) KB at most", isError: true)
      return []
    }
    switch passage {
    case .make(let range, let document, let url):
      return [
        .keepPassage(
          range, of: document, note: note, url: url, title: SafeText.line(document.title), date: now
        )
      ]
    case .edit(var highlight, let url):
      guard highlight.note != note else { return [] }
      highlight.note = note
      return [.setHighlights([highlight], of: url)]
    }
  }

  /// Takes the passages that stand, as a whole or in part, on the marked lines out of what is kept.
  mutating func removePassages(_ marked: MarkedLines, of view: PageView) -> [Effect] {
    mode = .page
    var view = view
    let range = view.passage(ofLines: marked.range) ?? 0..<0
    let found = view.highlights.filter { $0.range?.overlaps(range) ?? false }.map(\.highlight)
    guard !found.isEmpty, let url = pageToMark else {
      notice = Notice(text: "no passage of these lines is kept")
      return []
    }
    return remove(found, of: url)
  }

  /// Takes passages out of what is kept; `undo` brings them back.
  mutating func remove(_ highlights: [Highlight], of url: String) -> [Effect] {
    lists.remove(highlights, of: url)
    let what = highlights.count == 1 ? "the highlight" : "\(highlights.count) highlights"
    notice = Notice(text: "removed \(what); \(key(of: .undo)) brings it back")
    return [.removeHighlights(highlights.map(\.id), of: url)]
  }

  /// Asks which passages of the page on the screen are kept.
  mutating func lookUpHighlights() {
    guard let page = view?.page, page.url.isWebURL || page.isPart,
      page.provenance.source != .explanation
    else { return }
    outbox.append(.lookUpHighlights(arrival: opening.number, page.document, of: page.url))
  }

  /// The list of passages.
  var highlightEntries: [ListEntry] {
    lists.passages.flatMap { page -> [ListEntry] in
      let title = page.title.isEmpty ? shown(page.key) : SafeText.line(page.title)
      return [.heading(title)]
        + page.highlights.map { placed in
          let words = SafeText.line(placed.highlight.exact)
          var entry = ListEntry(
            words, to: .passage(placed.highlight, of: page.key),
            alsoFoundBy: "\(placed.highlight.note) \(title) \(page.key)")
          entry.note = SafeText.line(placed.highlight.note)
          if page.isSaved, placed.range == nil { entry.details[.note] = "no longer on the page" }
          return entry
        }
    }
  }

  /// What the status line says of a passage: its note, where one with a note is on the screen.
  var highlightWords: String? {
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
  /// Whether it is a part of a reading, such as a chapter of a book.
  fileprivate var isPart: Bool { parts?.index != nil }
}

extension String {
  /// Without spaces around it.
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

extension PageView {
  /// The text of some lines, as offsets in `Document.text`; nil when they have none.
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

  /// The offsets in `Document.text` of what a line shows.
  func source(ofLine index: Int) -> Range<UInt32> {
    let start = layout.lines[index].source
    let end =
      index + 1 < layout.lines.count
      ? layout.lines[index + 1].source : UInt32(page.document.text.count)
    return start..<max(start, end)
  }

  /// The passages of which some lines show a part.
  func highlights(onLines range: ClosedRange<Int>) -> [Highlight] {
    let lines = range.clamped(to: 0...max(0, layout.lines.count - 1))
    guard layout.lines.indices.contains(lines.upperBound) else { return [] }
    let shown =
      source(ofLine: lines.lowerBound)
      .lowerBound..<max(
        source(ofLine: lines.lowerBound).lowerBound, source(ofLine: lines.upperBound).upperBound)
    return highlights.filter { $0.range?.overlaps(shown) ?? false }.map(\.highlight)
  }

  /// The bytes of a line, in `PageLayout.text`, that show a passage that is kept, and whether a passage
  /// with a note begins there.
  func highlightedText(ofLine index: Int) -> (bytes: [Range<Int>], beginsNote: Bool) {
    guard !highlights.isEmpty else { return ([], false) }
    let shown = source(ofLine: index)
    let line = layout.lines[index]
    let text =
      Int(line.start) + Int(line.prefix)..<max(Int(line.start) + Int(line.prefix), Int(line.end))
    guard !shown.isEmpty, !layout.isBlank(line: index) else { return ([], false) }
    var found: [Range<Int>] = []
    var beginsNote = false
    for placed in highlights {
      guard let range = placed.range?.clamped(to: shown), !range.isEmpty else { continue }
      let lower = place(ofLetter: letters(shown.lowerBound..<range.lowerBound), on: text)
      let upper =
        range.upperBound == shown.upperBound
        ? text.upperBound : place(ofLetter: letters(shown.lowerBound..<range.upperBound), on: text)
      guard lower < upper else { continue }
      found.append(lower..<upper)
      if !placed.highlight.note.isEmpty, placed.range?.lowerBound == range.lowerBound {
        beginsNote = true
      }
    }
    return (found, beginsNote)
  }

  /// How many characters but white space a part of the document has.
  private func letters(_ range: Range<UInt32>) -> Int {
    page.document.text[Int(range.lowerBound)..<Int(range.upperBound)].count {
      $0 > 0x20 && $0 & 0xC0 != 0x80
    }
  }

  /// The place on a line behind so many characters but white space.
  private func place(ofLetter count: Int, on line: Range<Int>) -> Int {
    var (rest, place) = (count, line.lowerBound)
    while place < line.upperBound {
      let byte = layout.text[place]
      if byte > 0x20, byte & 0xC0 != 0x80 {
        if rest == 0 { return place }
        rest -= 1
      }
      place += 1
    }
    return line.upperBound
  }
}
