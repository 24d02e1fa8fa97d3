import Commands
import Saving
import Library
import Foundation
import Document
import Layout
import OfflineCache
import Pages
import Terminal

extension Browser {
  /// Opens a list over the page, or closes it if it is open.
  /// - Parameters:
  ///   - kind: The kind of list.
  ///   - parent: The list to which closing it returns; nil for the page.
  /// - Returns: The resulting effects.
  mutating func openList(_ kind: ListScreen.Kind, from parent: ListScreen.Kind? = nil) -> [Effect] {
    if let list, list.kind == kind {
      if let parent = list.parent { return openList(parent) }
      self.list = nil
      return []
    }
    switch kind {
    case .outline, .links, .information:
      guard view != nil else {
        notify(
          list == nil
            ? "no page is open"
            : "no page is open; \(keyName(of: .follow)) opens an entry of this list")
        return []
      }
      if kind != .information { view?.layOutRest() }
    // The page on the screen must be in the list of read pages.
    case .library, .history, .tabs: recordPositionIfChanged()
    default: break
    }
    list = listData.removeClosedList(kind) ?? ListScreen(kind, from: parent)
    let effects = reloadList()
    switch kind {
    case .outline, .links, .choices: selectCurrentEntry()
    case .tabs:
      let (number, viewport) = (tabs.currentIndex + 1, listViewport)
      list?.select(number: number, viewport: viewport)
    default: break
    }
    return effects
  }

  /// Requests the entries of the list, and shows those already known.
  mutating func reloadList() -> [Effect] {
    guard var list else { return [] }
    var effects: [Effect] = []
    switch list.kind {
    case .library, .history, .queue: effects = [.loadList(.library)]
    case .search(let text):
      listData.beginSearch(text)
      effects = [.loadList(.search(text))]
    case .highlights: effects = [.loadList(.highlights)]
    case .collection(let id): effects = [.loadList(.collection(id))]
    case .feeds: effects = [.loadList(.feeds)]
    case .feed(let feed): effects = [.loadList(.items(of: feed))]
    case .unread: effects = [.loadList(.items(of: nil))]
    case .information:
      if let url = savableURL { effects = [.listVersions(of: url)] }
    case .outline, .links, .messages, .choices, .downloads, .help, .tabs: break
    }
    list.loadState = effects.isEmpty ? .complete : .loading
    self.list = list
    refreshList()
    return effects
  }

  /// Recreates the entries of the list from the data loaded so far.
  mutating func refreshList() {
    guard var list else { return }
    list.replaceEntries(entries(for: list), widths: displayWidth)
    list.emptyListText = emptyListText(for: list)
    self.list = list
    let viewport = listViewport
    self.list?.move(by: 0, viewport: viewport)
  }

  /// Returns the text shown in a list without entries.
  private func emptyListText(for list: ListScreen) -> String {
    if list.isLoading { return "" }
    switch list.kind {
    case .library: return "Nothing is saved yet. \(keyName(of: .openURL)) opens a URL."
    case .history: return "No page has been opened yet."
    case .queue: return "The queue is empty. \(keyName(of: .queueHint)) adds a link."
    case .search(let text): return "No saved page contains: \(SafeText.line(text))"
    case .collection: return "This collection has no pages."
    case .feeds: return "No feed is followed. offread save --feed URL follows one."
    case .feed: return "This feed has no items."
    case .unread: return "All items of the feeds are read."
    case .highlights:
      return "No highlights yet. \(keyName(of: .markLines)) on a page starts one."
    case .outline: return "This page has no headings."
    case .links: return "This page has no links."
    case .messages: return "No errors."
    case .downloads: return "No downloads. \(keyName(of: .download)) downloads a link."
    case .information: return ""
    case .choices: return "There is nothing to choose."
    case .help, .tabs: return ""
    }
  }

  /// Returns the name of the first key bound to a command, or `:name` for a command without keys.
  func keyName(of command: Command) -> String { keymap.keyName(of: command) }

  /// Selects the entry for the reading position or the current value: the heading, link or choice.
  private mutating func selectCurrentEntry() {
    guard var list, let view else { return }
    if case .choices(let control) = list.kind {
      let first = view.values.selectedChoices(of: control, in: view.page.document.forms).first
      let target = first.map { ListEntry.Target.choice($0) }
      list.select(
        list.shownIndices.firstIndex { list.entries[$0].target == target } ?? 0,
        viewport: listViewport)
      self.list = list
      return
    }
    // A page may have many thousands of links.
    let lines = list.kind == .links ? view.lines(ofTargetsOn: 0...) : [:]
    let index = list.shownIndices.lastIndex { index in
      switch list.entries[index].target {
      case .offset(let offset): return offset <= view.topSource
      case .linkTarget(let target):
        if let focus = view.focus { return target == focus }
        // The images are listed after all links.
        guard target.linkIndex != nil else { return false }
        return lines[target].map { $0 <= view.topLine } ?? false
      case .nowhere, .page, .collection, .feed, .passage, .version, .choice, .download, .enclosures,
        .command, .subject, .tab, .cookies:
        return false
      }
    }
    // Above the first heading, the first entry that is a position on the page is selected.
    let first = list.shownIndices.firstIndex { index in
      if case .offset = list.entries[index].target { true } else { false }
    }
    list.select(index ?? first ?? 0, viewport: listViewport)
    self.list = list
  }

  /// Handles the content of a list, which `reloadList` requested.
  mutating func handle(_ contents: ListContents) -> [Effect] {
    let isFirst = listData.library == nil
    let isShown = listData.store(contents, for: list?.kind)
    let opensEntry = isShown && list?.loadState == .openingFirstEntry
    if isShown {
      list?.loadState = !contents.isPartial ? .complete : opensEntry ? .openingFirstEntry : .loading
    }
    if case .failed(let message) = contents { reportError(message) }
    if case .library(let contents, isComplete: true) = contents, isFirst, contents.rows.isEmpty,
      list?.kind == .library, startRequest == nil, view == nil
    {
      // First-time users see the start page instead of an empty list.
      list = nil
      return load(LoadRequest("about:offread", options: loading.options), purpose: .newEntry)
    }
    if isShown { refreshList() }
    return opensEntry ? openEntry() : []
  }

  // MARK: Keys

  /// Executes a command in the open list.
  mutating func perform(
    _ command: Command, in list: ListScreen, count: Int?, argument: String?
  ) -> [Effect] {
    guard command.definition.help(on: list.kind.screen) != nil else {
      notify("\(command.definition.name) does nothing here; \(helpKey): help")
      return []
    }
    var list = list
    let requests = list.handle(
      command, CommandInput(count: count, argument: argument), viewport: listViewport)
    self.list = list
    return carryOut(requests)
  }

  /// Closes the open list. The list from which it was opened is shown again, except after `quit`.
  mutating func closeList(by command: Command) -> [Effect] {
    guard let list else { return [] }
    if let parent = list.parent, command != .quit { return openList(parent) }
    if case .help(.menu(_, _?)) = list.kind, command != .quit { return showMenu(of: nil) }
    if list.kind.screen == .help { return closeHelp() }
    if view == nil, loading.load == nil { return leaveList(command) }
    self.list = nil
    return []
  }

  /// Handles a command that closes a list without a page below it: opens the library; in the
  /// library, only `quit` has an effect.
  private mutating func leaveList(_ closingCommand: Command) -> [Effect] {
    guard list?.kind == .library else { return openList(.library) }
    if closingCommand == .quit { return quitAfterConfirmation() }
    notify("\(quitKey) quits")
    return []
  }

  /// Opens the entry at a screen position; a click outside the menu closes the menu.
  mutating func clickList(listRow row: Int, column: Int) -> [Effect] {
    guard let list, case let position = listArea,
      position.columns.contains(column) || !position.hasBorder,
      let index = list.index(atRow: row - position.rows.lowerBound, viewport: listViewport),
      !list.entries[list.shownIndices[index]].isHeading
    else { return isMenuOpen && !listArea.contains(row, column) ? closeHelp() : [] }
    let viewport = listViewport
    self.list?.select(index, viewport: viewport)
    return openEntry()
  }

  /// Sorts the pages by the order called `name`, or by the next order if `name` is nil.
  mutating func sort(by name: String?) {
    guard var list else { return }
    let orders = ListScreen.Order.allCases
    if let name {
      guard let order = ListScreen.Order(rawValue: name) else {
        let names = orders.map(\.rawValue).joined(separator: ", ")
        reportError("pages are sorted by \(names)")
        return
      }
      list.order = order
    } else {
      let position = (orders.firstIndex(of: list.order) ?? 0) + 1
      list.order = orders[position % orders.count]
    }
    self.list = list
    refreshList()
    notify("sorted by \(list.order.rawValue)")
  }

  // MARK: Entries

  /// Opens the selected entry; in a list without entries that is still being loaded, the first one
  /// to arrive.
  mutating func openEntry() -> [Effect] {
    guard let entry = list?.selectedEntry else {
      if list?.isLoading == true { list?.loadState = .openingFirstEntry }
      return []
    }
    switch entry.target {
    case .nowhere:
      let isChoice = if case .choices? = list?.kind { true } else { false }
      notify(isChoice ? "this choice is not available" : "this entry cannot be opened")
      return []
    case .page(let url): return openPage(url, of: entry)
    case .collection(let id): return openList(.collection(id), from: .library)
    case .feed(let feed): return openList(.feed(feed), from: list?.kind)
    case .passage(let highlight, let url):
      let list = list
      let effects = openTypedURL(highlight.address(on: url))
      loading.record(list: list)
      return effects
    case .offset(let offset):
      list = nil
      recordJumpOrigin()
      show(offset: offset)
      return []
    case .command(let command): return runFromHelp(command)
    case .cookies(let site):
      forgetCookies(of: site)
      return []
    case .subject(let subject): return showMenu(of: subject)
    case .choice(let choice):
      if case .choices(let control)? = list?.kind { choose(choice, of: control) }
      return []
    case .linkTarget(let target): return followListed(target)
    case .download(let id): return open(id)
    case .enclosures:
      showEnclosureState()
      return []
    case .tab(let position): return goToTab(at: position)
    case .version(let id):
      guard let versionList = versions.list, let version = versionList.version(id) else {
        return []
      }
      return loadVersion(version, of: versionList)
    }
  }

  private mutating func openPage(_ url: String, of entry: ListEntry) -> [Effect] {
    let list = list
    var target = url
    if case .search? = list?.kind { target = TextFragment.url(url, terms: entry.matchedTerms) }
    let sequence = listSequence(of: list, at: url)
    let effects = openTypedURL(target)
    loading.record(list: list)
    loading.record(sequence: sequence)
    return effects
  }

  private mutating func followListed(_ target: PageLayout.Target) -> [Effect] {
    list = nil
    if let line = view?.line(of: target) {
      let height = bodyHeight
      view?.reveal(line: line, height: height)
    }
    return follow(target)
  }

  /// Executes a command on the selected entry.
  mutating func perform(_ action: EntryAction, argument: String?) -> [Effect] {
    switch (action, list?.selectedEntry?.target) {
    case (.remove, .download(let id)): return remove(id)
    case (.remove, .enclosures): return stopEnclosures()
    case (_, .tab(let position)): return closeTab(at: position)
    case (.remove, .passage(let highlight, let url)):
      defer { refreshList() }
      return remove([highlight], of: url)
    case (.edit, .passage(let highlight, let url)):
      openPrompt(.highlightNote(.existingHighlight(highlight, url: url)), text: highlight.note)
      return []
    default: break
    }
    if action == .markRead { return markFeedRead() }
    if case .feed(let feed)? = list?.selectedEntry?.target {
      return perform(action, onFeed: feed, argument: argument)
    }
    if case .collection(let id)? = list?.selectedEntry?.target {
      return perform(action, onCollection: id, argument: argument)
    }
    guard let entry = list?.selectedEntry, let url = self.entryURL(of: entry) else {
      notify("no page is selected")
      return []
    }
    switch action {
    case .openInBackground: return openEntryInBackground(of: entry, url)
    case .togglePin: return [.togglePin(url, title: entry.title)]
    case .remove: return removePage(url, title: entry.title)
    case .setTags: return setTags(url, argument)
    case .copy, .edit, .closeTab, .markRead:
      return copyToClipboard(SafeText.line(url), contentName: "the URL of \(entry.title)")
    }
  }

  /// Opens the destination of an entry in the background.
  private mutating func openEntryInBackground(of entry: ListEntry, _ url: String) -> [Effect] {
    if case .linkTarget = entry.target, let page = view?.page.url {
      return openInBackground(url, origin: .link(from: page))
    }
    return openInBackground(url, origin: .user)
  }

  /// Returns the URL of an entry's destination; nil if it has none.
  private func entryURL(of entry: ListEntry) -> String? {
    switch entry.target {
    case .page(let url), .passage(_, let url), .feed(let url): url
    case .linkTarget(let target): url(of: target)
    case .download(let id): downloads[id]?.url
    case .nowhere, .collection, .offset, .version, .choice, .enclosures, .command, .subject, .tab,
      .cookies:
      nil
    }
  }

  /// Hides a page; `undo` restores it.
  private mutating func removePage(_ url: String, title: String) -> [Effect] {
    listData.remove(page: url, title: title)
    refreshList()
    notify("removed; \(keyName(of: .undo)) restores it: \(title)")
    return [.removePages([url])]
  }

  /// Undoes the last removal of a page, of highlights or of a collection, the last marking of items
  /// as read, or the last closing of a tab.
  mutating func undo() -> [Effect] {
    switch listData.undo() {
    case .page(let url, let title)?:
      refreshList()
      selectRestored(.page(url))
      notify("restored: \(title)")
      return [.restorePages([url])]
    case .highlights(let highlights, let page)?:
      notify("restored \(Self.name(of: highlights))")
      return [.setHighlights(highlights, of: page)]
    case .collection(let id, let name)?: return restore(collection: id, name)
    case .unread(let pages, let feed, let name)?:
      if list?.kind == .unread {
        if let page = pages.first { selectRestored(.page(page)) }
      } else {
        selectRestored(.feed(feed))
      }
      notify("unread again: \(name)")
      return [.markItems(.unread(pages))]
    case .tab?: return reopenTab()
    case nil:
      notify("nothing to undo")
      return []
    }
  }

  /// Selects an entry that `undo` restored.
  mutating func selectRestored(_ target: ListEntry.Target) {
    let viewport = listViewport
    list?.select(restored: target, viewport: viewport)
  }

  /// Sets the tags of a page, or asks for them if `text` is nil.
  mutating func setTags(_ url: String, _ text: String?) -> [Effect] {
    guard !isSavingRefusedWithNotice else { return [] }
    guard let text else {
      openPrompt(.tags(url, areKnown: false))
      return [.readTags(of: url)]
    }
    return [.setTags(url, text, isAdding: false)]
  }

  /// Inserts the existing tags of a page before those being typed, with a comma after each.
  mutating func insert(tags: [String], of url: String) {
    guard case .prompt(var prompt) = layers.topInput, prompt.kind == .tags(url, areKnown: false)
    else { return }
    prompt.kind = .tags(url, areKnown: true)
    let typed = prompt.editor.text
    prompt.editor.replace(with: tags.map { $0 + ", " }.joined() + typed)
    layers.showInput(.prompt(prompt))
  }

  /// Whether the session is private and stores nothing; if so, a notice reports it.
  var isSavingRefusedWithNotice: Bool {
    mutating get {
      if isPrivate { notify("a private session changes nothing") }
      return isPrivate
    }
  }
}
