import Commands
import DOM
import Configuration
import Feeds
import Library
import Foundation
import Layout
import OfflineCache
import Reader
import Terminal

/// The saved versions of the page on screen, and what differs between them.
extension Browser {
  /// Goes some versions further, older ones when `steps` is negative; which there are is asked first.
  mutating func step(by steps: Int) -> [Effect] {
    guard let url = versionedURL else {
      versions.stopWaiting()
      notice = Notice(text: steps < 0 ? "no older version is saved" : "no newer version is saved")
      return []
    }
    versions.wait(toGo: steps)
    return [.listVersions(of: url)]
  }

  /// The address of the page on screen, if versions of it can be saved, as those of an answer to a form
  /// are not.
  var versionedURL: String? {
    guard let page = view?.page, page.url.isWebURL,
      page.provenance.source != .explanation, page.sent == nil
    else { return nil }
    return page.url
  }

  /// Asks the archives of the web for the page on screen.
  /// - Parameter words: the date from which it should be; nil for the newest.
  /// - Returns: what is to be done.
  mutating func askArchives(_ words: String?) -> [Effect] {
    guard let page = view?.page, page.url.isWebURL, page.sent == nil else {
      notice = Notice(text: "archives of the web have pages of the web only")
      return []
    }
    guard !settings.remotes.isEmpty else {
      notice = Notice(text: "no archive is known; [[remote]] in offread.conf names one")
      return []
    }
    guard !isOffline else {
      notice = Notice(text: "offline mode: \(key(of: .offline)) leaves it")
      return []
    }
    guard let date = words.map({ DateText.parse($0) }) ?? now else {
      notice = Notice(text: "not a date; write one such as 2024-11-03", isError: true)
      return []
    }
    var request = LoadRequest(
      page.requestedURL, origin: opening.origin, options: loading.options, view: page.view)
    request.mementoDate = date
    return load(request, purpose: .version)
  }

  /// Has a browser make the text of the page on screen.
  mutating func render() -> [Effect] {
    guard let page = view?.page, page.url.isWebURL, page.sent == nil else {
      notice = Notice(text: "only pages of the web are rendered")
      return []
    }
    var request = LoadRequest(
      page.requestedURL, origin: opening.origin, options: loading.options, view: page.view)
    request.isRendered = true
    return load(request, purpose: .version)
  }

  /// Takes the list of versions, and does what waited for it.
  mutating func take(_ list: PageVersions) -> [Effect] {
    guard let steps = versions.take(list, of: view?.page.url), let page = view?.page else {
      return []
    }
    bannerChanged()
    if lists.open?.kind == .information {
      lists.open?.isLoading = false
      refreshList()
    }
    guard steps != 0 else { return [] }
    // Who steps on before the version has come steps from it.
    var standing = page.arrival.version
    if let load = loading.load, load.purpose == .version {
      standing = list.pages.first?.response.id
      if case .id(let id) = load.request.options.copy { standing = id }
    }
    guard let version = list.version(steps, from: standing) else {
      notice = Notice(
        text: steps < 0
          ? "no older version is saved"
          : "this is the latest version; \(key(of: .reload)) asks again")
      return []
    }
    return load(version, of: list)
  }

  /// Shows a saved version of the page on screen.
  /// - Parameters:
  ///   - version: the version.
  ///   - versions: the list that it is from.
  /// - Returns: what is to be done.
  mutating func load(_ version: SavedVersion, of versions: PageVersions) -> [Effect] {
    guard let page = view?.page else { return [] }
    guard !version.isDamaged else {
      notice = Notice(text: "this version is damaged; it cannot be shown", isError: true)
      return []
    }
    var options = loading.options
    var target = versions.url
    if version == versions.pages.first {
      // The newest one is the page as it is always shown: it is there at once, and asked about behind.
      options.patience = 0
      target = page.requestedURL
    } else {
      options.copy = .id(version.response.id)
    }
    return load(
      LoadRequest(target, origin: opening.origin, options: options, view: page.view),
      purpose: .version)
  }

  /// `version 2 of 5` of the page on screen, or why it is not one of those; nil when that is not known.
  var versionWords: String? { view.flatMap { versions.words(of: $0.page) } }

  // MARK: Changes

  /// Has the page on screen compared with the version that was there before.
  mutating func compare(with old: Page?) {
    guard let old, let new = view?.page else { return }
    let id = versions.beginComparing(with: old)
    outbox.append(.compare(id, with: old.document, new.document))
  }

  /// Takes what differs, and marks it.
  mutating func take(_ changes: PageChanges?, of id: ComparisonID) {
    guard versions.isAwaited(id), view != nil else { return }
    let version = versionWords.map { $0 + glyphs.separator } ?? ""
    guard let changes else {
      notice = Notice(text: version + "too long to be compared")
      return
    }
    view?.mark(changes, gutter: settings.isLinear ? 2 : 1)
    relayout()
    // What went wrong is more important.
    guard notice?.isError != true else { return }
    let other =
      versions.comparedDate.map { DateWords.dayAndTime($0, in: timeZone) } ?? "the version before"
    let difference =
      changes.count == 0
      ? "the same text as \(other)"
      : "\(DateWords.count(changes.count, "change")) from \(other); \(key(of: .nextChange)): next"
    notice = Notice(text: version + difference)
  }

  /// Goes to the next change, or an earlier one when `steps` is negative.
  mutating func goToChange(_ steps: Int) {
    guard let view, let changes = view.changes else {
      notice = Notice(
        text: "nothing is compared; \(key(of: .olderVersion)) shows an older version")
      return
    }
    let starts = changes.starts
    guard !starts.isEmpty else {
      notice = Notice(text: "the versions have the same text")
      return
    }
    self.view?.complete()
    let lines = starts.map { (self.view ?? view).line(of: $0) }
    let next: Int
    if let current = view.change, isOnScreen(lines[current], of: view) {
      next = current + steps
    } else {
      let below = lines.firstIndex { $0 >= view.top } ?? lines.count
      next = below + (steps > 0 ? steps - 1 : steps)
    }
    let wrapped = ((next % starts.count) + starts.count) % starts.count
    rememberJump()
    let height = bodyHeight
    self.view?.show(change: wrapped, at: starts[wrapped], height: height)
    refreshMatches()
    notice = Notice(
      text: "change \(wrapped + 1) of \(starts.count): \(changes.words(of: wrapped))"
        + (wrapped == next ? "" : "; wrapped to the \(steps > 0 ? "top" : "bottom")"))
  }
}

extension PageView {
  /// Brings a change on screen, out of what folds it away.
  fileprivate mutating func show(change: Int, at source: UInt32, height: Int) {
    focus = nil
    unfold(source, height: height)
    complete()
    reveal(line: line(of: source), height: height)
    self.change = change
  }
}

extension PageChanges {
  /// What a change is, in a few words.
  func words(of change: Int) -> String {
    let kinds = marks.filter { $0.change == change }.map(\.kind)
    func count(_ kind: Kind) -> Int { kinds.count { $0 == kind } }
    var parts: [String] = []
    if count(.changed) > 0 {
      parts.append(DateWords.count(count(.changed), "paragraph") + " changed")
    }
    if count(.inserted) > 0 {
      parts.append(DateWords.count(count(.inserted), "paragraph") + " only here")
    }
    if count(.gap) > 0 { parts.append("something missing here") }
    return parts.joined(separator: ", ")
  }
}
