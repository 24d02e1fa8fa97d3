import Commands
import DOM
import Configuration
import Feeds
import Library
import Foundation
import Layout
import OfflineCache
import Pages
import Terminal

/// The saved versions of the page on the screen, and the differences between them.
extension Browser {
  /// Moves by a number of versions, negative for older ones; their list is requested first.
  mutating func moveToVersion(by steps: Int) -> [Effect] {
    guard let url = savableURL else {
      versions.discardPendingSteps()
      notify(steps < 0 ? "no older version is saved" : "no newer version is saved")
      return []
    }
    versions.addPendingSteps(toGo: steps)
    return [.listVersions(of: url)]
  }

  /// The URL of the page on the screen if versions of it can be saved; nil for responses to forms,
  /// explanation pages and pages from other sources than the web.
  var savableURL: DocumentAddress? {
    guard let page = view?.page, page.url.isWebURL,
      page.provenance.source != .explanation, page.sentForm == nil
    else { return nil }
    return page.url
  }

  /// Requests the page on the screen from web archives.
  /// - Parameter dateText: The date of the requested version; nil for the newest.
  /// - Returns: The resulting effects.
  mutating func queryArchives(_ dateText: String?) -> [Effect] {
    guard let page = view?.page, page.url.isWebURL, page.sentForm == nil else {
      notify("only web pages can be loaded from web archives")
      return []
    }
    guard !settings.remotes.isEmpty else {
      notify("no web archive is configured; see [[remote]] in offread.conf(5)")
      return []
    }
    guard !isOffline else {
      notify(offlineModeMessage)
      return []
    }
    guard let date = dateText.map({ DateText.parse($0) }) ?? now else {
      reportError("not a date; write one such as 2024-11-03")
      return []
    }
    var request = LoadRequest(
      page.requestedURL, origin: opening.origin, options: loading.options, view: page.view)
    request.mementoDate = date
    return load(request, purpose: .savedVersion)
  }

  /// Renders the page on the screen in a headless browser.
  mutating func renderInBrowser() -> [Effect] {
    guard let page = view?.page, page.url.isWebURL, page.sentForm == nil else {
      notify("only web pages can be rendered")
      return []
    }
    var request = LoadRequest(
      page.requestedURL, origin: opening.origin, options: loading.options, view: page.view)
    request.isRendered = true
    return load(request, purpose: .savedVersion)
  }

  /// Handles the list of versions, and performs the moves that waited for it.
  mutating func handleVersionList(_ list: PageVersions) -> [Effect] {
    guard let steps = versions.store(list, of: view?.page.url), let page = view?.page else {
      return []
    }
    adaptToBannerHeight()
    if self.list?.kind == .information {
      self.list?.loadState = .complete
      refreshList()
    }
    guard steps != 0 else { return [] }
    // While a version is being loaded, steps are relative to it.
    var standing = page.loadTrace.version
    if let load = loading.load, load.purpose == .savedVersion {
      standing = list.pages.first?.response.id
      if case .id(let id) = load.request.options.copy { standing = id }
    }
    guard let version = list.version(steps, from: standing) else {
      notify(
        steps < 0
          ? "no older version is saved"
          : "this is the latest version; \(keyName(of: .reload)) reloads it")
      return []
    }
    return loadVersion(version, of: list)
  }

  /// Shows a saved version of the page on the screen.
  /// - Parameters:
  ///   - version: The version.
  ///   - versions: The list that contains it.
  /// - Returns: The resulting effects.
  mutating func loadVersion(_ version: SavedVersion, of versions: PageVersions) -> [Effect] {
    guard let page = view?.page else { return [] }
    guard !version.isDamaged else {
      reportError("this version is damaged and cannot be shown")
      return []
    }
    var options = loading.options
    var target = DocumentAddress(versions.url)
    if version == versions.pages.first {
      // The newest version is loaded like any page: it is shown at once, and revalidated in the
      // background.
      options.fallbackDelay = 0
      target = page.requestedURL
    } else {
      options.copy = .id(version.response.id)
    }
    return load(
      LoadRequest(target, origin: opening.origin, options: options, view: page.view),
      purpose: .savedVersion)
  }

  /// A text such as `version 2 of 5` for the page on the screen, or the reason why its version is
  /// not trusted; nil if the page is in no list of versions.
  var versionPositionText: String? { view.flatMap { versions.positionText(of: $0.page) } }

  // MARK: Changes

  /// Shows a saved version in place of the page, and compares them.
  mutating func showVersion(_ version: Page, by load: Load) {
    let oldPage = view?.page
    var page = version
    if let oldPage, oldPage.url.isSamePage(as: page.url) {
      page.requestedURL = oldPage.requestedURL
    }
    replacePage(with: page, refresh: .awaited(load.id))
    compareWithPrevious(with: oldPage)
  }

  /// Compares the page on the screen with the version shown before.
  mutating func compareWithPrevious(with old: Page?) {
    guard let old, let new = view?.page else { return }
    let id = versions.beginComparison(with: old)
    additionalEffects.append(.compare(id, with: old.document, new.document))
  }

  /// Handles the result of a comparison, and marks the changes.
  mutating func showChanges(_ changes: PageChanges?, of id: ComparisonID) {
    guard versions.isAwaited(id), view != nil else { return }
    let version = versionPositionText.map { $0 + glyphs.separator } ?? ""
    guard let changes else {
      notify(version + "too long to compare")
      return
    }
    view?.setChanges(changes, gutterWidth: settings.isLinear ? 2 : 1)
    relayout()
    // An error message has priority.
    guard notice?.isError != true else { return }
    let other =
      versions.comparedDate.map { DateTexts.dayAndTimeText($0, in: timeZone) }
      ?? "the version shown before"
    let difference =
      changes.count == 0
      ? "the same text as \(other)"
      : "\(DateTexts.countText(changes.count, "change")) from \(other); \(keyName(of: .nextChange)): next"
    notify(version + difference)
  }

  /// Moves by a number of changes; negative for earlier ones.
  mutating func moveToChange(_ steps: Int) {
    guard let view, let changes = view.changes else {
      notify("no versions are compared; \(keyName(of: .olderVersion)) shows an older one")
      return
    }
    let starts = changes.starts
    guard !starts.isEmpty else {
      notify("the versions have the same text")
      return
    }
    self.view?.layOutRest()
    let lines = starts.map { (self.view ?? view).line(of: $0) }
    let target: Int
    if let currentIndex = view.currentChange, isOnScreen(lines[currentIndex], of: view) {
      target = currentIndex + steps
    } else {
      let current = currentLine(of: view)
      let nextIndex = lines.firstIndex { $0 >= current } ?? lines.count
      target = nextIndex + (steps > 0 ? steps - 1 : steps)
    }
    let wrappedIndex = ((target % starts.count) + starts.count) % starts.count
    recordJumpOrigin()
    let height = bodyHeight
    self.view?.show(change: wrappedIndex, at: starts[wrappedIndex], height: height)
    refreshMatches()
    notify(
      "change \(wrappedIndex + 1) of \(starts.count): \(changes.changeSummary(of: wrappedIndex))"
        + (wrappedIndex == target ? "" : "; wrapped to the \(steps > 0 ? "top" : "bottom")"))
  }
}

extension PageView {
  /// Scrolls to a change and opens the folds that hide it.
  fileprivate mutating func show(change: Int, at source: UInt32, height: Int) {
    focus = nil
    unfold(source, height: height)
    layOutRest()
    reveal(line: line(of: source), height: height)
    self.currentChange = change
  }
}

extension PageChanges {
  /// Returns a short description of a change.
  func changeSummary(of change: Int) -> String {
    let kinds = changedParagraphs.filter { $0.changeIndex == change }.map(\.kind)
    func count(_ kind: Kind) -> Int { kinds.count { $0 == kind } }
    var parts: [String] = []
    if count(.changed) > 0 {
      parts.append(DateTexts.countText(count(.changed), "paragraph") + " changed")
    }
    if count(.inserted) > 0 {
      parts.append(DateTexts.countText(count(.inserted), "paragraph") + " only here")
    }
    if count(.gap) > 0 { parts.append("text missing here") }
    return parts.joined(separator: ", ")
  }
}
