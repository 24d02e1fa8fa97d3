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
  private mutating func exchange(_ index: Int) {
    let tab = tabs.exchange(index, for: removeTab())
    (view, dropped, opening, history) = (tab.view, tab.dropped, tab.opening, tab.history)
    _ = loading.exchange(tab.loading)
    readingPositions.recordJump(from: tab.jump)
    finding.clear()
    versions.stopComparing()
  }

  /// Shows the tab a number of positions away, wrapping around at the ends.
  mutating func goToTab(by steps: Int) -> [Effect] {
    guard tabs.count > 1 else {
      notify(
        "there is only one tab; \(key(of: .openInBackground)) opens a link in a background tab")
      return []
    }
    let position = (tabs.currentIndex + steps) % tabs.count
    return goToTab(at: position < 0 ? position + tabs.count : position)
  }

  /// Shows the tab at a position.
  mutating func goToTab(at position: Int) -> [Effect] {
    list = nil
    guard let index = tabs.index(at: position) else { return [] }
    recordPosition()
    let tab = tabs.others[index]
    exchange(index)
    return show(tab)
  }

  /// Completes showing a tab that was in the background.
  private mutating func show(_ tab: Tab) -> [Effect] {
    relayout()
    relayoutBeginning()
    bannerChanged()
    guard let page = view?.page else {
      if loading.load != nil { return [] }
      return resume() ?? open(.library)
    }
    findVisitedLinks()
    findHighlights()
    findSequence()
    if !tab.isSeen { showArrivalNotices(page) }
    return findSavedLinks()
  }

  /// Loads the page of the tab on the screen if it was dropped from memory or never loaded; nil
  /// otherwise.
  mutating func resume() -> [Effect]? {
    guard let dropped else { return nil }
    var options = loading.options
    if options.mode == .networkFirst, !dropped.isPending { options.mode = .cacheFirst }
    let request = LoadRequest(
      dropped.url, origin: dropped.opening.origin, options: options,
      view: dropped.isPending ? nil : dropped.view)
    return load(request, purpose: dropped.isPending ? .visit : .resume(dropped))
  }

  /// Opens a URL in a background tab, or in another program if offread does not support its scheme.
  mutating func openInBackground(_ url: String, origin: LoadRequest.Origin) -> [Effect] {
    let page: String? = if case .link(let page) = origin { page } else { nil }
    guard Address.isReadable(url, from: page) else { return openOutside(url) }
    let request = LoadRequest(url, origin: origin, options: loading.options)
    let id = loading.nextID()
    var tab = Tab()
    tab.isSeen = false
    tab.dropped = HistoryEntry(url, origin: origin)
    tab.loading = Loading.Running(Load(id: id, request: request, started: now, purpose: .visit))
    tabs.add(tab)
    tabsChanged()
    notify("opened in a background tab: \(shown(url)); \(key(of: .nextTab)) switches to it")
    return [.load(id, request)]
  }

  /// Opens the focused link, or the one with a number, in a background tab.
  mutating func openInBackground(number: Int?) -> [Effect] {
    guard let page = view?.page else { return [] }
    var target = view?.focus
    if let number {
      view?.complete()
      let links = view?.numberedLinks ?? []
      guard links.indices.contains(number - 1) else {
        reportError("no link \(number): the page has \(DateTexts.count(links.count, "link"))")
        return []
      }
      target = .link(links[number - 1])
    }
    guard let url = target.flatMap({ self.url(of: $0) }) else {
      notify("no link is selected; \(key(of: .nextLink)) selects one")
      return []
    }
    return openInBackground(url, origin: .link(from: page.url))
  }

  /// Closes the tab at a position; closing the last one quits the program.
  mutating func closeTab(at position: Int) -> [Effect] {
    guard tabs.count > 1 else { return quitByKey() }
    recordPosition()
    var effects: [Effect] = []
    if let index = tabs.index(at: position) {
      let tab = tabs.close(index)
      effects = Self.cancelled(tab.loading)
    } else {
      // Shows the next tab, or the last one if there is no next.
      let index = tabs.currentIndex < tabs.count - 1 ? tabs.currentIndex : tabs.currentIndex - 1
      let tab = tabs.others[index]
      effects = stopLoading()
      exchange(index)
      if let old = tabs.index(at: position) { tabs.close(old) }
      let list = list
      effects += show(tab)
      self.list = list ?? self.list
    }
    tabsChanged()
    notify("closed; \(DateTexts.count(tabs.count, "page")) open")
    return effects
  }

  private static func cancelled(_ running: Loading.Running) -> [Effect] {
    running.load.map { [.cancel($0.id)] } ?? []
  }

  // MARK: Loads

  /// Handles the report of a load for a background tab, in a copy of the browser in which this tab
  /// is on the screen.
  mutating func handle(_ event: LoadEvent, of id: LoadID, behind index: Int) -> [Effect] {
    var behind = self
    behind.outbox = []
    behind.layers = LayerStack()
    behind.notices.dismiss()
    behind.exchange(index)
    let isLoading = behind.loading.load != nil
    let effects = behind.handle(event, of: id)
    let hasCome = isLoading && behind.loading.load == nil
    let page = behind.view?.page
    let isFile = behind.downloads.all.count > downloads.all.count
    (queue, arrivals, choices) = (behind.queue, behind.arrivals, behind.choices)
    downloads = behind.downloads
    loading.skipIDs(of: behind.loading)
    var tab = behind.removeTab()
    tab.isSeen = !hasCome && tabs.others[index].isSeen
    tabs.replace(index, with: tab)
    outbox += behind.outbox.filter(\.isForBackgroundPages)
    if isFile, page == nil {
      // The tab has no page to show.
      tabs.close(index)
    } else if hasCome {
      tabs.isChanged = true
      showArrivalNotices(behind: page)
    }
    tabsChanged()
    return effects.filter(\.isForBackgroundPages)
  }

  /// Returns the page on the screen as a tab, and moves its loads there.
  private mutating func removeTab() -> Tab {
    var tab = Tab()
    (tab.view, tab.dropped, tab.opening, tab.history) = (view, dropped, opening, history)
    tab.jump = readingPositions.jump
    tab.loading = loading.exchange(Loading.Running())
    return tab
  }

  private mutating func showArrivalNotices(behind page: Page?) {
    guard let page, notice?.isError != true else { return }
    let title = SafeText.line(page.document.title)
    let name = title.isEmpty ? shown(page.url) : title
    let isFailure = page.provenance.source == .explanation
    notify(
      isFailure
        ? "could not be opened in a background tab: \(name)"
        : "loaded in a background tab: \(name)",
      isError: isFailure)
  }

  /// Updates the list of open pages if it is on the screen.
  mutating func tabsChanged() {
    if list?.kind == .tabs { refreshList() }
  }

  // MARK: The list

  /// The entries of the list of open pages.
  var tabEntries: [ListEntry] {
    (0..<tabs.count).map { position in
      guard let index = tabs.index(at: position) else { return entryOfScreen }
      let tab = tabs.others[index]
      var entry = self.entry(tab.title, tab.url, at: position)
      entry.details[.note] =
        tab.loading.load.map { loadText($0) }
        ?? (tab.isSeen ? readingProgress(tab) : stateText(tab))
      return entry
    }
  }

  private var entryOfScreen: ListEntry {
    let page = view?.page
    var entry = self.entry(
      page?.document.title ?? dropped?.title ?? "",
      page?.url ?? loading.load?.request.target ?? dropped?.url ?? "library", at: tabs.currentIndex)
    entry.details[.note] = loading.load.map { loadText($0) } ?? "on the screen"
    return entry
  }

  private func entry(_ title: String, _ url: String, at position: Int) -> ListEntry {
    let text = SafeText.line(title)
    let address = shown(url)
    var entry = ListEntry(
      text.isEmpty ? address : text, to: .tab(position), alsoFoundBy: address)
    if !text.isEmpty { entry.details[.host] = Self.host(of: address) }
    return entry
  }

  /// Returns the reading progress of a background tab.
  private func readingProgress(_ tab: Tab) -> String {
    tab.view.map { "\($0.percent(height: bodyHeight))%" } ?? ""
  }

  private func stateText(_ tab: Tab) -> String {
    guard let page = tab.view?.page else { return "" }
    return page.provenance.source == .explanation ? "not loaded" : "new"
  }

  private func loadText(_ load: Load) -> String {
    guard load.received > 0 else { return "loading" }
    let all = load.expected.map { " of \(ByteCount.text($0))" } ?? ""
    return "loading \(ByteCount.text(load.received))\(all)"
  }

  /// The position of the tab on the screen among all, such as `2/5`, or `page 2 of 5` in linear
  /// mode; empty if only one page is open.
  var tabCount: String {
    guard tabs.count > 1 else { return "" }
    return settings.isLinear
      ? "page \(tabs.currentIndex + 1) of \(tabs.count)" : "\(tabs.currentIndex + 1)/\(tabs.count)"
  }

  /// The number of loads in the background, as text; empty for none.
  var backgroundLoadText: String {
    let count = tabs.others.count { $0.loading.load != nil }
    return count == 0 ? "" : "\(DateTexts.count(count, "tab")) loading"
  }

  // MARK: Restoring after a crash or a signal

  /// The maximum number of history entries of a tab that are stored.
  private static let maxSavedSteps = 20

  /// The open pages to store; nil unless at least two of them may be stored.
  var savedTabs: SavedTabs? {
    guard tabs.count > 1 else { return nil }
    var saved: [SavedTabs.Tab] = []
    var position = 0
    for index in 0..<tabs.count {
      if index == tabs.currentIndex { position = saved.count }
      let tab = tabs.index(at: index).map { tabs.others[$0] }
      let step =
        tab.map { Self.step(of: $0.view, $0.dropped) } ?? Self.step(of: view, dropped)
      guard let step else { continue }
      let past = (tab?.history ?? history).past.suffix(Self.maxSavedSteps).compactMap(Self.step)
      saved.append(SavedTabs.Tab(past: past, page: step))
    }
    return saved.count > 1 ? SavedTabs(tabs: saved, shown: min(position, saved.count - 1)) : nil
  }

  private static func step(of view: PageView?, _ dropped: HistoryEntry?) -> SavedTabs.Step? {
    if let dropped { return step(dropped) }
    guard let view, isSaved(view.page) else { return nil }
    return SavedTabs.Step(
      url: view.page.requestedURL, title: SafeText.line(view.page.document.title),
      anchor: view.anchor(blocks: 6), isReader: view.page.view.isReader)
  }

  private static func step(_ entry: HistoryEntry) -> SavedTabs.Step? {
    guard !entry.isPending, entry.page.map(isSaved) ?? true else { return nil }
    let anchor =
      entry.page.map { TextAnchor(at: entry.position.source, in: $0.document, blocks: 2) }
      ?? entry.anchor
    return SavedTabs.Step(
      url: entry.url, title: SafeText.line(entry.title), anchor: anchor,
      isReader: entry.view.isReader)
  }

  /// Returns whether a page may be stored. Pages that are excluded from the archive and responses
  /// to forms stay in memory only.
  private static func isSaved(_ page: Page) -> Bool {
    guard recordsPositions(page) else { return false }
    switch page.provenance.source {
    case .network: return page.arrival.version != nil
    case .fresh, .saved, .substituted, .file: return true
    case .builtIn, .explanation: return false
    }
  }

  /// Opens background tabs for the pages of sessions that crashed or were ended by a signal.
  mutating func restore(_ saved: [SavedTabs]) {
    var lost = saved.flatMap(\.tabs).suffix(Self.maxRestored).map { saved in
      var tab = Tab()
      tab.history = History(past: saved.past.map { HistoryEntry($0) })
      tab.dropped = HistoryEntry(saved.page)
      return tab
    }
    // The first page of this session may be one of them; it gets the history of that tab.
    if let index = lost.lastIndex(where: { isBeginning(with: $0.url) }) {
      history = lost.remove(at: index).history
    }
    guard !lost.isEmpty else { return }
    tabs.restore(lost)
    tabsChanged()
    let origin =
      saved.allSatisfy { $0.isEnded == true } ? "the last session" : "a crashed session"
    notify(
      "\(DateTexts.count(lost.count, "page")) of \(origin) "
        + (lost.count == 1 ? "is open in a background tab" : "are open in background tabs")
        + "; :\(Command.tabs.definition.name) lists them")
  }

  /// The part of the exit message that names the other open pages; empty if there are none.
  var exitMessageOfTabs: String {
    let urls = tabs.others.map { shown($0.url) }.filter { !$0.isEmpty }
    guard !urls.isEmpty else { return "" }
    let title =
      "\(DateTexts.count(urls.count, "other page")) \(urls.count == 1 ? "was" : "were") open:"
    let rest = urls.count - Self.maxTabsInExitMessage
    return
      ([title] + urls.prefix(Self.maxTabsInExitMessage).map { "  " + $0 }
      + (rest > 0 ? ["  and \(rest) more"] : [])).joined(separator: "\n")
  }

  private static let maxTabsInExitMessage = 10

  /// Returns whether the page on the screen is the first one of the session and has the given URL,
  /// or is being loaded from it.
  private func isBeginning(with url: String) -> Bool {
    guard tabs.count == 1, history == History() else { return false }
    guard let page = view?.page else {
      return loading.load?.request.target.isSamePage(as: url) == true
    }
    return [page.requestedURL, page.url].contains { $0.isSamePage(as: url) }
  }

  private static let maxRestored = 100

  /// The URLs of the pages of all tabs whose servers have not responded; see `awaitedPages`.
  var awaitedPagesOfTabs: [String] {
    var urls = awaitedPages
    for index in tabs.others.indices {
      var behind = self
      behind.exchange(index)
      urls += behind.awaitedPages.filter { url in !urls.contains { $0.isSamePage(as: url) } }
    }
    return urls
  }
}

extension ReadingView {
  fileprivate var isReader: Bool { if case .reader = self { true } else { false } }
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
