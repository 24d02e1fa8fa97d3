import Pages
import Commands
import DOM
import Configuration
import Saving
import Library
import Document
import Layout
import Exchange
import OfflineCache

/// Highlights: passages created from selected text, shown on the page and listed with their pages.
extension Browser {
  /// Highlights the selected text after asking for a note. If exactly this passage is already
  /// highlighted, its note is edited. If folds hide a part of the text, they are opened instead, so
  /// that the user sees what will be highlighted.
  mutating func highlightPassage(_ selection: TextSelection) -> [Effect] {
    guard !isSavingRefusedWithNotice, let url = highlightableURL, var view else { return [] }
    guard let passage = selection.selectedPassage(in: &view) else {
      notify("these lines have no text")
      return []
    }
    if view.unfold(in: passage.range, height: bodyHeight) {
      self.view = view
      refreshMatches()
      revealMovingEnd(.passage(passage))
      notify("opened folds in the selection; \(keyName(of: .follow)) highlights all of it")
      return []
    }
    let range = passage.range
    self.view = view
    if let same = view.highlights.first(where: { $0.range == range }) {
      openPrompt(
        .highlightNote(.existingHighlight(same.highlight, url: url)), text: same.highlight.note)
    } else {
      openPrompt(.highlightNote(.newHighlight(range, in: view.page.document, url: url)))
    }
    return []
  }

  /// The URL of the page on the screen if its passages can be highlighted: it can be pinned, or is
  /// part of a book; otherwise nil.
  private var highlightableURL: String? {
    mutating get {
      guard let page = view?.page, page.isPartOfDocument else { return pinnableURL }
      return page.url.withoutFragment.text
    }
  }

  /// Highlights a passage with a note, or changes the note of a highlight. If the note is too long,
  /// the prompt is opened again.
  mutating func storeNote(_ note: String, for passage: Prompt.NoteTarget) -> [Effect] {
    let note = SafeText.line(note).trimmingSpaces
    guard note.utf8.count <= Highlight.maxNoteLength else {
      openPrompt(.highlightNote(passage), text: note)
      reportError("a note can have at most \(Highlight.maxNoteLength >> 10) KB")
      return []
    }
    switch passage {
    case .newHighlight(let range, let document, let url):
      return [
        .highlightPassage(
          range, of: document, note: note, url: url, title: SafeText.line(document.title), date: now
        )
      ]
    case .existingHighlight(var highlight, let url):
      guard highlight.note != note else { return [] }
      highlight.note = note
      return [.setHighlights([highlight], of: url)]
    }
  }

  /// Removes the highlights that overlap the selection.
  mutating func removeHighlights(_ selection: TextSelection) -> [Effect] {
    guard var view else { return [] }
    let range = selection.selectedPassage(in: &view)?.range ?? 0..<0
    let found = view.highlights.filter { $0.range?.overlaps(range) ?? false }.map(\.highlight)
    guard !found.isEmpty, let url = highlightableURL else {
      notify("the selection has no highlight")
      return []
    }
    return remove(found, of: url)
  }

  /// Removes highlights; `undo` restores them.
  mutating func remove(_ highlights: [Highlight], of url: String) -> [Effect] {
    listData.remove(highlights, of: url)
    let pronoun = highlights.count == 1 ? "it" : "them"
    notify("removed \(Self.name(of: highlights)); \(keyName(of: .undo)) restores \(pronoun)")
    return [.removeHighlights(highlights.map(\.id), of: url)]
  }

  /// Returns the expression for highlights in a notice, which does not quote them because they may
  /// be long.
  static func name(of highlights: [Highlight]) -> String {
    highlights.count == 1 ? "the highlight" : "\(highlights.count) highlights"
  }

  /// Looks up the highlights of the page on the screen.
  mutating func findHighlights() {
    guard let page = view?.page, page.url.isWebURL || page.isPartOfDocument,
      page.provenance.source != .explanation
    else { return }
    additionalEffects.append(
      .findHighlights(pageNumber: opening.pageNumber, page.document, of: page.url))
  }

  // MARK: Export

  /// Writes the highlights of the page, or all of them if their list is open, to a Markdown file,
  /// or opens the prompt for its name.
  mutating func exportHighlights(to name: String?) -> [Effect] {
    let pages = exportedHighlights
    guard !pages.isEmpty else {
      notify(
        list?.kind == .highlights || view == nil
          ? "there are no highlights"
          : "this page has no highlights; \(keyName(of: .highlights)) lists those of all pages")
      return []
    }
    let text = HighlightText.pages(pages)
    var file = Attachment(
      url: pages.count == 1 ? pages[0].url : "", mediaType: "text/markdown", length: text.count)
    file.content = text
    file.suggestedName =
      (pages.count == 1 && !pages[0].title.isEmpty ? pages[0].title + " " : "") + "highlights.md"
    if let name { return download(file.url, file, to: name) }
    openPrompt(
      .download(file.url, file),
      text: DownloadName.defaultName(
        suggested: file.suggestedName, url: file.url, mediaType: file.mediaType))
    return []
  }

  /// The highlights of the open list, or of the page on the screen, including those whose text is
  /// no longer on it. Pages without highlights are left out.
  private var exportedHighlights: [(highlights: [Highlight], title: String, url: String)] {
    if list?.kind == .highlights {
      return listData.visibleHighlightedPages.map {
        ($0.highlights.map(\.highlight), $0.title, $0.key)
      }
    }
    guard let view, !view.highlights.isEmpty else { return [] }
    return [
      (
        view.highlights.map(\.highlight), view.page.document.title,
        view.page.url.withoutFragment.text
      )
    ]
  }

  /// The entries of the list of highlights.
  var highlightEntries: [ListEntry] {
    listData.visibleHighlightedPages.flatMap { page -> [ListEntry] in
      let title = page.title.isEmpty ? displayURL(page.key) : SafeText.line(page.title)
      return [.heading(title)]
        + page.highlights.map { placed in
          let text = SafeText.line(placed.highlight.exact)
          var entry = ListEntry(
            text, to: .passage(placed.highlight, of: page.key),
            extraFilterText: "\(placed.highlight.note) \(title) \(page.key)")
          entry.secondRowText = SafeText.line(placed.highlight.note)
          if page.isSaved, placed.range == nil {
            entry.note = "its text is no longer on the page"
          }
          return entry
        }
    }
  }

  /// Whether a highlight is on the screen.
  var hasVisibleHighlight: Bool {
    guard let view, !view.highlights.isEmpty else { return false }
    let rows = view.topLine...max(view.topLine, view.topLine + bodyHeight - 1)
    return !view.highlights(onLines: rows).isEmpty
  }

  /// The status line's text about highlights: the first note on the screen, or in linear mode on
  /// the cursor's line; nil if there is none.
  var visibleNoteText: String? {
    guard let view, !view.highlights.isEmpty else { return nil }
    let rows =
      settings.isLinear
      ? view.visibleCursorLine(height: bodyHeight)...view.visibleCursorLine(height: bodyHeight)
      : view.topLine...max(view.topLine, view.topLine + bodyHeight - 1)
    let found = view.highlights(onLines: rows)
    if let noted = found.first(where: { !$0.note.isEmpty }) {
      return "\(glyphs.noteMark) \(SafeText.line(noted.note))"
    }
    return settings.isLinear && !found.isEmpty ? "highlight" : nil
  }
}

extension Page {
  /// Whether the page is a part of a longer document, such as a chapter of a book.
  fileprivate var isPartOfDocument: Bool { parts?.index != nil }
}

extension String {
  /// The string without leading and trailing spaces.
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
