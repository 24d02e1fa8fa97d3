import Commands
import Configuration
import Document
import Foundation
import Layout
import Library
import OfflineCache
import Pages
import Profiles
import ReaderMode

// Several pages can be open: one is on the screen, and `Tabs` contains those in the background.

extension Browser {
  // MARK: Switching

  /// Moves the displayed page to a background tab, and displays another tab.
  private mutating func switchToTab(_ index: Int) {
    let tab = tabs.switchToTab(index, for: detachCurrentTab())
    (view, unloadedEntry, opening, history) = (
      tab.view, tab.unloadedEntry, tab.opening, tab.history
    )
    _ = loading.switchTab(tab.loads)
    readingPositions.recordJumpOrigin(from: tab.jumpOrigin)
    pageSearch.clearMatches()
    versions.abandonComparison()
  }

  /// Shows the tab a number of positions away, wrapping around at the ends.
  mutating func goToTab(by steps: Int) -> [Effect] {
    guard tabs.count > 1 else {
      notify(
        "there is only one tab; \(keyName(of: .openInBackground)) opens a link in a background tab")
      return []
    }
    let position = (tabs.currentIndex + steps) % tabs.count
    return goToTab(at: position < 0 ? position + tabs.count : position)
  }

  /// Shows the tab at a position.
  mutating func goToTab(at position: Int) -> [Effect] {
    list = nil
    guard let index = tabs.index(at: position) else { return [] }
    recordPositionIfChanged()
    let tab = tabs.backgroundTabs[index]
    switchToTab(index)
    return completeShowing(tab)
  }

  /// Completes showing a tab that was in the background.
  private mutating func completeShowing(_ tab: Tab) -> [Effect] {
    relayout()
    relayoutFirstScreens()
    adaptToBannerHeight()
    guard let page = view?.page else {
      if loading.load != nil { return [] }
      return loadUnloadedPage() ?? openList(.library)
    }
    findVisitedLinks()
    findHighlights()
    findSequence()
    if !tab.isSeen { showArrivalNotices(page) }
    return updateLinkMarks()
  }

  /// Loads the page of the tab on the screen if it was dropped from memory or never loaded; nil
  /// otherwise.
  mutating func loadUnloadedPage() -> [Effect]? {
    guard let unloadedEntry else { return nil }
    var options = loading.options
    if options.mode == .networkFirst, !unloadedEntry.wasNeverLoaded { options.mode = .cacheFirst }
    let request = LoadRequest(
      unloadedEntry.url, origin: unloadedEntry.opening.origin, options: options,
      view: unloadedEntry.wasNeverLoaded ? nil : unloadedEntry.view)
    return load(
      request, purpose: unloadedEntry.wasNeverLoaded ? .newEntry : .unloadedEntry(unloadedEntry))
  }

  /// Opens a URL in a background tab, or in another program if offread does not support its scheme.
  mutating func openInBackground(_ url: String, origin: LoadRequest.Origin) -> [Effect] {
    let page: DocumentAddress? = if case .link(let page) = origin { page } else { nil }
    guard Address.isReadable(url, from: page) else { return openInOtherProgram(url) }
    let request = LoadRequest(url, origin: origin, options: loading.options)
    let id = loading.nextID()
    var tab = Tab()
    tab.isSeen = false
    tab.unloadedEntry = HistoryEntry(DocumentAddress(url), origin: origin)
    tab.loads = Loading.TabLoads(Load(id: id, request: request, startDate: now, purpose: .newEntry))
    tabs.add(tab)
    refreshTabList()
    notify(
      "opened in a background tab: \(displayURL(url)); \(keyName(of: .nextTab)) switches to it")
    return [.load(id, request)]
  }

  /// Opens the focused link, or the link with a number, in a background tab.
  mutating func openInBackground(number: Int?) -> [Effect] {
    guard let page = view?.page else { return [] }
    var target = view?.focus
    if let number {
      view?.layOutRest()
      let links = view?.numberedLinks ?? []
      guard links.indices.contains(number - 1) else {
        reportError(Self.missingLinkMessage(number, linkCount: links.count))
        return []
      }
      target = .link(links[number - 1])
    }
    guard let url = target.flatMap({ self.url(of: $0) }) else {
      notify(noSelectedLinkMessage)
      return []
    }
    return openInBackground(url, origin: .link(from: page.url))
  }

  /// Closes the tab at a position; closing the last one quits the program.
  mutating func closeTab(at position: Int) -> [Effect] {
    guard tabs.count > 1 else { return quitAfterConfirmation() }
    recordPositionIfChanged()
    var effects: [Effect] = []
    if let index = tabs.index(at: position) {
      let tab = tabs.close(index)
      effects = Self.cancelEffects(tab.loads)
      recordClosed(tab, at: position)
    } else {
      // Shows the next tab, or the last one if there is no next.
      let index = tabs.currentIndex < tabs.count - 1 ? tabs.currentIndex : tabs.currentIndex - 1
      let tab = tabs.backgroundTabs[index]
      effects = stopLoading()
      switchToTab(index)
      if let old = tabs.index(at: position) { recordClosed(tabs.close(old), at: position) }
      let list = list
      effects += completeShowing(tab)
      self.list = list ?? self.list
    }
    refreshTabList()
    let count = DateTexts.countText(tabs.count, "page")
    notify("closed; \(keyName(of: .undo)) reopens it; \(count) open")
    return effects
  }

  private mutating func recordClosed(_ tab: Tab, at position: Int) {
    tabs.recordClosed(tab, at: position)
    listData.recordClosedTab()
  }

  /// Reopens the tab that was closed last, and shows it unless the list of open pages is shown.
  mutating func reopenTab() -> [Effect] {
    guard let position = tabs.reopen() else { return undo() }
    guard list?.kind == .tabs else { return goToTab(at: position) }
    refreshTabList()
    return []
  }

  private static func cancelEffects(_ loads: Loading.TabLoads) -> [Effect] {
    loads.load.map { [.cancelLoad($0.id)] } ?? []
  }

  // MARK: Loads

  /// Handles the report of a load for a background tab, in a copy of the browser in which this tab
  /// is on the screen.
  mutating func handle(_ event: LoadEvent, of id: LoadID, ofTabAt index: Int) -> [Effect] {
    var backgroundBrowser = self
    backgroundBrowser.additionalEffects = []
    backgroundBrowser.layers = LayerStack()
    backgroundBrowser.notices.dismiss()
    backgroundBrowser.switchToTab(index)
    let isLoading = backgroundBrowser.loading.load != nil
    let effects = backgroundBrowser.handle(event, of: id)
    let hasArrived = isLoading && backgroundBrowser.loading.load == nil
    let page = backgroundBrowser.view?.page
    let startsDownload = backgroundBrowser.downloads.downloads.count > downloads.downloads.count
    (queue, openedPageCount, choices) = (
      backgroundBrowser.queue, backgroundBrowser.openedPageCount, backgroundBrowser.choices
    )
    downloads = backgroundBrowser.downloads
    loading.skipIDs(of: backgroundBrowser.loading)
    var tab = backgroundBrowser.detachCurrentTab()
    tab.isSeen = !hasArrived && tabs.backgroundTabs[index].isSeen
    tabs.replace(index, with: tab)
    additionalEffects += backgroundBrowser.additionalEffects.filter(\.isForBackgroundPages)
    if startsDownload, page == nil {
      // The tab has no page to show.
      tabs.close(index)
    } else if hasArrived {
      tabs.needsSaving = true
      showBackgroundLoadNotice(behind: page)
    }
    refreshTabList()
    return effects.filter(\.isForBackgroundPages)
  }

  /// Returns the page on the screen as a tab, and moves its loads to that tab.
  private mutating func detachCurrentTab() -> Tab {
    var tab = Tab()
    (tab.view, tab.unloadedEntry, tab.opening, tab.history) = (
      view, unloadedEntry, opening, history
    )
    tab.jumpOrigin = readingPositions.jumpOrigin
    tab.loads = loading.switchTab(Loading.TabLoads())
    return tab
  }

  private mutating func showBackgroundLoadNotice(behind page: Page?) {
    guard let page, notice?.isError != true else { return }
    let title = SafeText.line(page.document.title)
    let name = title.isEmpty ? displayURL(page.url) : title
    let isFailure = page.provenance.source == .explanation
    notify(
      isFailure
        ? "could not be opened in a background tab: \(name)"
        : "loaded in a background tab: \(name)",
      isError: isFailure)
  }

  /// Updates the list of open pages if it is on the screen.
  mutating func refreshTabList() {
    if list?.kind == .tabs { refreshList() }
  }

  // MARK: The list

  /// The entries of the list of open pages.
  var tabEntries: [ListEntry] {
    (0..<tabs.count).map { position in
      guard let index = tabs.index(at: position) else { return currentTabEntry }
      let tab = tabs.backgroundTabs[index]
      var entry = self.tabEntry(tab.title, tab.url, at: position)
      entry.details[.extraText] =
        tab.loads.load.map { loadProgressText($0) }
        ?? (tab.isSeen ? readingProgress(tab) : tabStateText(tab))
      return entry
    }
  }

  private var currentTabEntry: ListEntry {
    let page = view?.page
    var entry = self.tabEntry(
      page?.document.title ?? unloadedEntry?.title ?? "",
      page?.url.text ?? loading.load?.request.displayedTarget ?? unloadedEntry?.url.text
        ?? "library",
      at: tabs.currentIndex)
    entry.details[.extraText] = loading.load.map { loadProgressText($0) } ?? "on the screen"
    return entry
  }

  private func tabEntry(_ title: String, _ url: String, at position: Int) -> ListEntry {
    let text = SafeText.line(title)
    let address = displayURL(url)
    var entry = ListEntry(
      text.isEmpty ? address : text, to: .tab(position), extraFilterText: address)
    if !text.isEmpty { entry.details[.host] = Self.host(of: address) }
    return entry
  }

  /// Returns the reading progress of a background tab.
  private func readingProgress(_ tab: Tab) -> String {
    tab.view.map { "\($0.readPercent(height: bodyHeight))%" } ?? ""
  }

  /// Returns the state of a background tab that was not shown since its page was loaded.
  private func tabStateText(_ tab: Tab) -> String {
    guard let page = tab.view?.page else {
      // The page may have been dropped from memory since it was loaded.
      return tab.unloadedEntry?.wasNeverLoaded == false ? "new" : ""
    }
    return page.provenance.source == .explanation ? "not loaded" : "new"
  }

  private func loadProgressText(_ load: Load) -> String {
    guard load.receivedByteCount > 0 else { return "loading" }
    let all = load.expectedByteCount.map { " of \(CountFormatter.byteCountText($0))" } ?? ""
    return "loading \(CountFormatter.byteCountText(load.receivedByteCount))\(all)"
  }

  /// The position of the tab on the screen among all, such as `2/5`, or `page 2 of 5` in linear
  /// mode; empty if only one page is open.
  var tabPositionText: String {
    guard tabs.count > 1 else { return "" }
    return settings.isLinear
      ? "page \(tabs.currentIndex + 1) of \(tabs.count)" : "\(tabs.currentIndex + 1)/\(tabs.count)"
  }

  /// The number of loads in the background, as text; empty for none.
  var backgroundLoadCountText: String {
    let count = tabs.backgroundTabs.count { $0.loads.load != nil }
    return count == 0 ? "" : "\(DateTexts.countText(count, "tab")) loading"
  }

  // MARK: Restoring after a crash or a signal

  /// The maximum number of history entries of a tab that are stored.
  private static let maxSavedHistoryEntries = 20

  /// The open pages to store; nil unless at least two of them may be stored.
  var savedTabs: SavedTabs? {
    guard tabs.count > 1 else { return nil }
    var saved: [SavedTabs.Tab] = []
    var position = 0
    for index in 0..<tabs.count {
      if index == tabs.currentIndex { position = saved.count }
      let tab = tabs.index(at: index).map { tabs.backgroundTabs[$0] }
      let step =
        tab.map { Self.savedStep(of: $0.view, $0.unloadedEntry) }
        ?? Self.savedStep(of: view, unloadedEntry)
      guard let step else { continue }
      let past = (tab?.history ?? history).backEntries.suffix(Self.maxSavedHistoryEntries)
        .compactMap(Self.savedStep)
      saved.append(SavedTabs.Tab(past: past, page: step))
    }
    return saved.count > 1
      ? SavedTabs(tabs: saved, shownIndex: min(position, saved.count - 1)) : nil
  }

  private static func savedStep(of view: PageView?, _ unloadedEntry: HistoryEntry?) -> SavedTabs
    .Step?
  {
    if let unloadedEntry { return savedStep(unloadedEntry) }
    guard let view, mayBeSaved(view.page) else { return nil }
    return SavedTabs.Step(
      url: view.page.requestedURL.text, title: SafeText.line(view.page.document.title),
      anchor: view.topAnchor(followingBlockCount: 6), isReader: view.page.view.isReaderView)
  }

  private static func savedStep(_ entry: HistoryEntry) -> SavedTabs.Step? {
    guard !entry.wasNeverLoaded, entry.page.map(mayBeSaved) ?? true else { return nil }
    let anchor =
      entry.page.map { TextAnchor(at: entry.position.source, in: $0.document, blocks: 2) }
      ?? entry.anchor
    return SavedTabs.Step(
      url: entry.url.text, title: SafeText.line(entry.title), anchor: anchor,
      isReader: entry.view.isReaderView)
  }

  /// Returns whether a page may be stored. Pages that are excluded from the archive, responses to
  /// forms, built-in pages and explanation pages are not stored.
  private static func mayBeSaved(_ page: Page) -> Bool {
    guard recordsPositions(page) else { return false }
    switch page.provenance.source {
    case .network: return page.loadTrace.version != nil
    case .fresh, .saved, .substituted, .file: return true
    case .builtIn, .explanation: return false
    }
  }

  /// Opens background tabs for the pages of sessions that crashed or were ended by a signal.
  mutating func restore(_ saved: [SavedTabs]) {
    var lost = saved.flatMap(\.tabs).suffix(Self.maxRestoredTabs).map { saved in
      var tab = Tab()
      tab.history = History(backEntries: saved.past.map { HistoryEntry($0) })
      tab.unloadedEntry = HistoryEntry(saved.page)
      return tab
    }
    // The first page of this session may be one of them; it gets the history of that tab.
    if let index = lost.lastIndex(where: { isFirstPage(with: $0.url) }) {
      history = lost.remove(at: index).history
    }
    guard !lost.isEmpty else { return }
    tabs.restore(lost)
    refreshTabList()
    let origin =
      saved.allSatisfy { $0.wasEndedBySignal == true } ? "the last session" : "a crashed session"
    notify(
      "\(DateTexts.countText(lost.count, "page")) of \(origin) "
        + (lost.count == 1 ? "is open in a background tab" : "are open in background tabs")
        + "; :\(Command.tabs.definition.name) lists them")
  }

  /// The part of the exit message that names the other open pages; empty if there are none.
  var openTabsExitMessage: String {
    let urls = tabs.backgroundTabs.map { displayURL($0.url) }.filter { !$0.isEmpty }
    guard !urls.isEmpty else { return "" }
    let title =
      "\(DateTexts.countText(urls.count, "other page")) \(urls.count == 1 ? "was" : "were") open:"
    let rest = urls.count - Self.maxTabsInExitMessage
    return
      ([title] + urls.prefix(Self.maxTabsInExitMessage).map { "  " + $0 }
      + (rest > 0 ? ["  and \(rest) more"] : [])).joined(separator: "\n")
  }

  private static let maxTabsInExitMessage = 10

  /// Returns whether the page on the screen is the first one of the session and has the given URL,
  /// or is being loaded from it.
  private func isFirstPage(with url: String) -> Bool {
    guard tabs.count == 1, history == History() else { return false }
    guard let page = view?.page else {
      return loading.load?.request.target.isSamePage(as: url) == true
    }
    return [page.requestedURL, page.url].contains { $0.text.isSamePage(as: url) }
  }

  private static let maxRestoredTabs = 100

  /// The URLs of the pages of all tabs whose servers have not responded; see `awaitedURLs`.
  var awaitedURLsOfTabs: [DocumentAddress] {
    var urls = awaitedURLs
    for index in tabs.backgroundTabs.indices {
      var background = self
      background.switchToTab(index)
      urls += background.awaitedURLs.filter { url in !urls.contains { $0.isSamePage(as: url) } }
    }
    return urls
  }
}

extension PageViewMode {
  fileprivate var isReaderView: Bool { if case .reader = self { true } else { false } }
}

extension Effect {
  /// Whether the effect also applies to a page in the background. Lookups are repeated when the
  /// page is shown.
  fileprivate var isForBackgroundPages: Bool {
    switch self {
    case .findSavedLinks, .findVisitedLinks, .findHighlights, .listVersions, .compare: false
    default: true
    }
  }
}
