import Commands
import DOM
import Library
import Foundation
import Document
import Layout
package import Pages
import Terminal

/// Positions that are recorded permanently: where pages were left, and bookmarks within pages,
/// which the user sees as *marks*.
extension Browser {
  /// Returns the record of the current position; nil if the page cannot be opened again by its URL.
  private func positionRecord(bookmark: String? = nil) -> ReadingLog.Record? {
    guard let view, Self.recordsPositions(view.page) else { return nil }
    let percent = view.readPercent(height: bodyHeight)
    var record = ReadingLog.Record(
      url: Self.positionKey(of: view.page), title: SafeText.line(view.page.document.title),
      date: now, percent: percent, anchor: view.topAnchor(followingBlockCount: 6),
      bookmark: bookmark)
    record.book = Self.bookProgress(of: view.page, percent: percent)
    return record
  }

  /// Returns the book file that contains a page, with the reading progress in that file; nil for a
  /// web page and for an item of a file such as an archive or a mailbox.
  /// - Parameters:
  ///   - page: The page.
  ///   - percent: The progress on the page, from 0 to 100.
  /// - Returns: The file.
  private static func bookProgress(of page: Page, percent: Int) -> ReadingLog.Record.Book? {
    guard page.isOfBook else { return nil }
    guard let parts = page.parts else {
      return ReadingLog.Record.Book(
        url: positionKey(of: page), title: SafeText.line(page.document.title), part: nil,
        percent: percent)
    }
    return ReadingLog.Record.Book(
      url: parts.contentsURL.text, title: SafeText.line(parts.title), part: parts.index,
      percent: parts.totalPercent(percent))
  }

  /// Returns whether a page can be opened again by its URL, so that its position is recorded.
  static func recordsPositions(_ page: Page) -> Bool {
    page.provenance.source != .explanation && page.errorStatus == nil && page.sentForm == nil
      && ["http://", "https://", "file://", "book://"].contains {
        page.requestedURL.text.hasPrefix($0)
      }
  }

  /// Returns the URL under which positions on a page are recorded, without the fragment: the final
  /// one after redirects, because it identifies the page; for a local file, the requested one.
  package static func positionKey(of page: Page) -> String {
    let url = page.provenance.source == .file ? page.requestedURL : page.url
    return url.withoutFragment.text
  }

  /// Records the reading position unless it is already recorded.
  mutating func recordPositionIfChanged() {
    guard let record = positionRecord() else { return }
    guard readingPositions.write(record) else { return }
    additionalEffects.append(.recordPosition(record))
    tabs.needsSaving = true
  }

  /// Whether the position has changed since it was recorded.
  var hasUnwrittenPosition: Bool {
    guard let view, Self.recordsPositions(view.page) else { return false }
    return !readingPositions.isLastRecorded(
      Self.positionKey(of: view.page), view.topLine > 0 ? Int(view.topSource) : 0)
  }

  /// Scrolls to the position to which the user wanted to go, or at which the page was left before
  /// its end. If the user opened a book, loads the part at which it was left instead.
  mutating func continueReading(of page: Page) {
    let url = Self.positionKey(of: page)
    if let part = partURLToContinue(of: page, at: url) {
      let origin = LoadRequest.Origin.link(from: page.url)
      additionalEffects += load(
        LoadRequest(part, origin: origin, options: loading.options), purpose: .newEntry)
      return
    }
    if page.parts?.index == nil { readingPositions.removePosition(inPartOf: url) }
    let beginning = readingPositions.consumeInitialPosition(
      of: url, hasFragment: page.fragment != nil)
    switch beginning {
    case nil: return
    case .destination(let record): return showRecordedPosition(record)
    case .left(let record): showRecordedPosition(record)
    }
    guard let view, view.topLine > 0, view.topLine != view.initialTopLine, notice?.isError != true
    else { return }
    let percent = view.readPercent(height: bodyHeight)
    let position = percent > 0 ? "\(percent)%" : "line \(view.topLine + 1)"
    notify("continued at \(position); \(keyName(of: .top)): top of the page")
  }

  /// Returns the URL of the part at which a book was left, or of the next part if that one was read
  /// to its end; nil if the user did not open the book itself, if no position is recorded, and
  /// after the last part.
  private func partURLToContinue(of page: Page, at url: String) -> DocumentAddress? {
    guard opening.origin == .user, let parts = page.parts, parts.index == nil,
      page.requestedURL.fragment == nil,
      !readingPositions.hasDestination(url), let record = readingPositions.leftPosition(of: url),
      let part = record.book?.part, parts.parts.indices.contains(part)
    else { return nil }
    var left = parts
    left.index = part
    return record.percent < ReadingPositions.minFinishedPercent
      ? parts.parts[part].url : left.url(1)
  }

  /// Returns whether a page will be shown from another position than its top.
  func isContinued(_ page: Page) -> Bool {
    readingPositions.opensBelowTop(
      Self.positionKey(of: page), hasFragment: page.fragment != nil)
  }

  private mutating func showRecordedPosition(_ record: ReadingLog.Record) {
    guard let document = view?.page.document else { return }
    show(offset: record.anchor.offset(in: document))
  }

  // MARK: Marks

  /// Asks for the letter of a bookmark, or uses the one that was typed after the command name.
  mutating func useLetterOrAsk(_ use: BookmarkLetterUse, _ letter: String?) -> [Effect] {
    guard view != nil || use == .goToBookmark else {
      notify("no page is open")
      return []
    }
    if let letter { return useLetter(letter, for: use) }
    layers.showInput(.bookmarkLetter(use))
    return []
  }

  /// Sets the bookmark with a letter, or goes to it. Going to `'` returns to the position before
  /// the last jump.
  mutating func useLetter(_ letter: String, for use: BookmarkLetterUse) -> [Effect] {
    let isLetter =
      letter.unicodeScalars.count == 1 && letter.allSatisfy { $0.isLetter || $0.isNumber }
    if use == .goToBookmark, letter == "'" { return jumpBack() }
    guard isLetter else {
      reportError("the name of a mark is a letter or a digit")
      return []
    }
    if use == .setBookmark { return setBookmark(letter) }
    if let bookmark = readingPositions[bookmark: letter] { return goToBookmark(bookmark) }
    return [.findBookmark(letter)]
  }

  private mutating func setBookmark(_ letter: String) -> [Effect] {
    guard let record = positionRecord(bookmark: letter) else {
      notify("this page has no URL to return to")
      return []
    }
    readingPositions[bookmark: letter] = record
    notify("marked \(letter); \(keyName(of: .goToMark))\(letter) returns here")
    return [.recordPosition(record)]
  }

  /// Handles the looked-up position of a bookmark.
  mutating func handleFoundBookmark(_ bookmark: ReadingLog.Record?, for letter: String) -> [Effect]
  {
    guard let bookmark else {
      notify("there is no mark \(letter)")
      return []
    }
    readingPositions[bookmark: letter] = bookmark
    return goToBookmark(bookmark)
  }

  private mutating func goToBookmark(_ bookmark: ReadingLog.Record) -> [Effect] {
    if let page = view?.page, bookmark.url.isSamePage(as: Self.positionKey(of: page)) {
      recordJumpOrigin()
      showRecordedPosition(bookmark)
      return []
    }
    readingPositions.setDestination(to: bookmark)
    return load(LoadRequest(bookmark.url, options: loading.options), purpose: .newEntry)
  }

  /// Returns to the position before the last jump, and remembers the current one instead.
  private mutating func jumpBack() -> [Effect] {
    guard let position = readingPositions.jumpOrigin, view != nil else {
      notify("no jump to go back to on this page")
      return []
    }
    recordJumpOrigin()
    let height = bodyHeight
    view?.restore(position, height: height)
    refreshMatches()
    return []
  }
}
