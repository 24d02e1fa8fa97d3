import Commands
import Library
import Foundation
import Document
import Layout
package import Reader
import Terminal

/// Positions that are recorded permanently: where pages were left, and marks.
extension Browser {
  /// Returns the record of the current position; nil if the page cannot be opened again by its URL.
  private func record(mark: String? = nil) -> ReadingLog.Record? {
    guard let view, Self.hasPlaces(view.page) else { return nil }
    return ReadingLog.Record(
      url: Self.placeName(of: view.page), title: SafeText.line(view.page.document.title), date: now,
      percent: view.percent(height: bodyHeight), anchor: view.anchor(blocks: 6), mark: mark)
  }

  /// Returns whether a page can be opened again by its URL, so that its position is recorded.
  static func hasPlaces(_ page: Page) -> Bool {
    page.provenance.source != .explanation && page.errorStatus == nil && page.sent == nil
      && ["http://", "https://", "file://", "book://"].contains { page.requestedURL.hasPrefix($0) }
  }

  /// Returns the URL under which positions on a page are recorded: the final one after redirects,
  /// because it identifies the page.
  package static func placeName(of page: Page) -> String {
    let url = page.provenance.source == .file ? page.requestedURL : page.url
    return String(url.prefix { $0 != "#" })
  }

  /// Records the reading position unless it is already recorded.
  mutating func rememberPlace() {
    guard let record = record() else { return }
    guard places.write(record) else { return }
    outbox.append(.remember(record))
    tabs.isChanged = true
  }

  /// Whether the position has changed since it was recorded.
  var hasUnwrittenPlace: Bool {
    guard let view, Self.hasPlaces(view.page) else { return false }
    return !places.isWritten(Self.placeName(of: view.page), view.top > 0 ? Int(view.source) : 0)
  }

  /// Scrolls to the position to which the user wanted to go, or at which the page was left before
  /// its end.
  mutating func continueReading(of page: Page) {
    let beginning = places.beginning(
      of: Self.placeName(of: page), hasFragment: page.requestedURL.contains("#"))
    switch beginning {
    case nil: return
    case .destination(let record): return show(record)
    case .left(let record): show(record)
    }
    guard let view, view.top > 0, notice?.isError != true else { return }
    notify("continued at \(view.percent(height: bodyHeight))%; \(key(of: .top)): top of the page")
  }

  /// Returns whether a page will be shown from another position than its top.
  func isContinued(_ page: Page) -> Bool {
    places.isContinued(
      Self.placeName(of: page), hasFragment: page.requestedURL.contains("#"))
  }

  private mutating func show(_ record: ReadingLog.Record) {
    guard let document = view?.page.document else { return }
    show(offset: record.anchor.offset(in: document))
  }

  // MARK: Marks

  /// Asks for the letter of a mark, or uses the one that was typed after the command name.
  mutating func askLetter(_ use: LetterUse, _ letter: String?) -> [Effect] {
    guard view != nil || use == .go else {
      notify("no page is open")
      return []
    }
    if let letter { return take(letter, for: use) }
    layers.show(.letter(use))
    return []
  }

  /// Sets the mark with a letter, or goes to it.
  mutating func take(_ letter: String, for use: LetterUse) -> [Effect] {
    let isLetter =
      letter.unicodeScalars.count == 1 && letter.allSatisfy { $0.isLetter || $0.isNumber }
    if use == .go, letter == "'" { return jumpBack() }
    guard isLetter else {
      reportError("a mark is a letter or a digit")
      return []
    }
    if use == .mark { return mark(letter) }
    if let mark = places[mark: letter] { return go(to: mark) }
    return [.recallMark(letter)]
  }

  private mutating func mark(_ letter: String) -> [Effect] {
    guard let record = record(mark: letter) else {
      notify("this page has no URL to return to")
      return []
    }
    places[mark: letter] = record
    notify("marked \(letter); \(key(of: .goToMark))\(letter) returns here")
    return [.remember(record)]
  }

  /// Handles the looked-up position of a mark.
  mutating func take(_ mark: ReadingLog.Record?, for letter: String) -> [Effect] {
    guard let mark else {
      notify("there is no mark \(letter)")
      return []
    }
    places[mark: letter] = mark
    return go(to: mark)
  }

  private mutating func go(to mark: ReadingLog.Record) -> [Effect] {
    if let page = view?.page, mark.url.isSamePage(as: Self.placeName(of: page)) {
      rememberJump()
      show(mark)
      return []
    }
    places.go(to: mark)
    return load(LoadRequest(mark.url, options: loading.options), purpose: .visit)
  }

  /// Returns to the position before the last jump, and remembers the current one instead.
  private mutating func jumpBack() -> [Effect] {
    guard let place = places.jump, view != nil else {
      notify("no jump to go back to on this page")
      return []
    }
    rememberJump()
    let height = bodyHeight
    view?.restore(place, height: height)
    refreshMatches()
    return []
  }
}
