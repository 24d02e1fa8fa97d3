import Commands
import Library
import Foundation
import Document
import Layout
package import Reader
import Terminal

/// Places that outlive the page on screen: where pages were left, and marks.
extension Browser {
  /// What is written down of the page on screen, or nil when it has no address to come back to.
  private func record(mark: String? = nil) -> ReadingLog.Record? {
    guard let view, Self.hasPlaces(view.page) else { return nil }
    return ReadingLog.Record(
      url: Self.placeName(of: view.page), title: SafeText.line(view.page.document.title), date: now,
      percent: view.percent(height: bodyHeight), anchor: view.anchor(blocks: 6), mark: mark)
  }

  /// Whether a page has an address to come back to.
  static func hasPlaces(_ page: Page) -> Bool {
    page.provenance.source != .explanation && page.errorStatus == nil && page.sent == nil
      && ["http://", "https://", "file://", "book://"].contains { page.requestedURL.hasPrefix($0) }
  }

  /// The address under which the place on a page is known: where redirects led, since that is the page.
  package static func placeName(of page: Page) -> String {
    let url = page.provenance.source == .file ? page.requestedURL : page.url
    return String(url.prefix { $0 != "#" })
  }

  /// Writes the place on the page down, unless that was done already.
  mutating func rememberPlace() {
    guard let record = record() else { return }
    guard places.write(record) else { return }
    outbox.append(.remember(record))
    tabs.isChanged = true
  }

  /// Whether the reader has moved since the place was written down.
  var hasUnwrittenPlace: Bool {
    guard let view, Self.hasPlaces(view.page) else { return false }
    return !places.isWritten(Self.placeName(of: view.page), view.top > 0 ? Int(view.source) : 0)
  }

  /// Goes on where a page was left, if it was left in the middle.
  mutating func continueReading(of page: Page) {
    let beginning = places.beginning(
      of: Self.placeName(of: page), hasFragment: page.requestedURL.contains("#"))
    switch beginning {
    case nil: return
    case .destination(let record): return show(record)
    case .left(let record): show(record)
    }
    guard let view, view.top > 0, notice?.isError != true else { return }
    notice = Notice(
      text: "continued at \(view.percent(height: bodyHeight))%; \(key(of: .top)): top of the page")
  }

  /// Whether a page will be shown from another place than its top.
  func isContinued(_ page: Page) -> Bool {
    places.isContinued(
      Self.placeName(of: page), hasFragment: page.requestedURL.contains("#"))
  }

  private mutating func show(_ record: ReadingLog.Record) {
    guard let document = view?.page.document else { return }
    show(offset: record.anchor.offset(in: document))
  }

  // MARK: Marks

  /// What a letter is asked for.
  package enum LetterUse: Sendable, Equatable {
    case mark, go
  }

  /// Asks for the letter of a mark, or uses the one that was typed behind the name.
  mutating func askLetter(_ use: LetterUse, _ letter: String?) -> [Effect] {
    guard view != nil || use == .go else {
      notice = Notice(text: "there is no page yet")
      return []
    }
    if let letter { return take(letter, for: use) }
    mode = .letter(use)
    return []
  }

  /// Takes a key while a letter is asked for.
  mutating func handle(_ key: Key, for use: LetterUse) -> [Effect] {
    if let effects = openHelp(by: key) { return effects }
    mode = .page
    guard case .character(let scalar) = key.code, key.modifiers.isEmpty else { return [] }
    return take(String(scalar), for: use)
  }

  private mutating func take(_ letter: String, for use: LetterUse) -> [Effect] {
    let isLetter =
      letter.unicodeScalars.count == 1 && letter.allSatisfy { $0.isLetter || $0.isNumber }
    if use == .go, letter == "'" { return jumpBack() }
    guard isLetter else {
      notice = Notice(text: "a mark is a letter or a digit", isError: true)
      return []
    }
    if use == .mark { return mark(letter) }
    if let mark = places[mark: letter] { return go(to: mark) }
    return [.recallMark(letter)]
  }

  private mutating func mark(_ letter: String) -> [Effect] {
    guard let record = record(mark: letter) else {
      notice = Notice(text: "this page has no address to come back to")
      return []
    }
    places[mark: letter] = record
    notice = Notice(text: "marked \(letter); \(key(of: .goToMark))\(letter) comes back")
    return [.remember(record)]
  }

  /// Takes what the world knows of a mark.
  mutating func take(_ mark: ReadingLog.Record?, for letter: String) -> [Effect] {
    guard let mark else {
      notice = Notice(text: "no place is marked \(letter)")
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

  /// Goes back to where the reader was before the last jump, and remembers this place instead.
  private mutating func jumpBack() -> [Effect] {
    guard let place = places.jump, view != nil else {
      notice = Notice(text: "there was no jump on this page")
      return []
    }
    rememberJump()
    let height = bodyHeight
    view?.restore(place, height: height)
    refreshMatches()
    return []
  }
}
