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
  mutating func open(_ kind: ListScreen.Kind, from parent: ListScreen.Kind? = nil) -> [Effect] {
    if let list, list.kind == kind {
      if let parent = list.parent { return open(parent) }
      self.list = nil
      return []
    }
    switch kind {
    case .outline, .links, .information:
      guard view != nil else {
        notify(
          list == nil
            ? "no page is open" : "no page is open; Enter opens an entry of this list")
        return []
      }
      if kind != .information { view?.complete() }
    // The page on the screen must be in the list of read pages.
    case .library, .history, .tabs: recordPosition()
    default: break
    }
    list = lists.left(kind) ?? ListScreen(kind, from: parent)
    let effects = reloadList()
    switch kind {
    case .outline, .links, .choices: selectCurrentEntry()
    case .tabs:
      let (number, viewport) = (tabs.currentIndex + 1, listViewport)
      list?.choose(number: number, width: viewport)
    default: break
    }
    return effects
  }

  /// Requests the entries of the list, and shows those already known.
  mutating func reloadList() -> [Effect] {
    guard var list else { return [] }
    var effects: [Effect] = []
    switch list.kind {
    case .library, .history, .queue: effects = [.list(.library)]
    case .search(let text):
      lists.search(text)
      effects = [.list(.search(text))]
    case .highlights: effects = [.list(.highlights)]
    case .collection(let id): effects = [.list(.collection(id))]
    case .feeds: effects = [.list(.feeds)]
    case .feed(let feed): effects = [.list(.items(of: feed))]
    case .unread: effects = [.list(.items(of: nil))]
    case .information:
      if let url = versionedURL { effects = [.listVersions(of: url)] }
    case .outline, .links, .messages, .choices, .downloads, .help, .tabs: break
    }
    list.isLoading = !effects.isEmpty
    self.list = list
    refreshList()
    return effects
  }

  /// Recreates the entries of the list from the data loaded so far.
  mutating func refreshList() {
    guard var list else { return }
    list.replaceEntries(entries(for: list), widths: widths)
    list.remark = remark(for: list)
    self.list = list
    let viewport = listViewport
    self.list?.move(by: 0, viewport: viewport)
  }

  /// Returns the text shown in a list without entries.
  private func remark(for list: ListScreen) -> String {
    if list.isLoading { return "" }
    switch list.kind {
    case .library: return "Nothing is saved yet. \(key(of: .openURL)) opens a URL."
    case .history: return "No page has been opened yet."
    case .queue: return "The queue is empty. \(key(of: .queueHint)) adds a link."
    case .search(let text): return "No saved page contains: \(SafeText.line(text))"
    case .collection: return "This collection has no pages."
    case .feeds: return "No feed is followed. offread save --feed URL follows one."
    case .feed: return "This feed has no items."
    case .unread: return "All items of the feeds are read."
    case .highlights:
      return "No highlights yet. \(key(of: .markLines)) on a page starts one."
    case .outline: return "This page has no headings."
    case .links: return "This page has no links."
    case .messages: return "No errors."
    case .downloads: return "No downloads. \(key(of: .download)) downloads a link."
    case .information: return ""
    case .choices: return "There is nothing to choose."
    case .help, .tabs: return ""
    }
  }

  /// Returns the name of the first key bound to a command, or `:name` for a command without keys.
  func key(of command: Command) -> String {
    keymap.keys(of: command).first?.description ?? ":" + command.definition.name
  }

  /// Selects the entry for the reading position or the current value: the heading, link or choice.
  private mutating func selectCurrentEntry() {
    guard var list, let view else { return }
    if case .choices(let control) = list.kind {
      let first = view.values.chosen(of: control, in: view.page.document.forms).first
      let target = first.map { ListEntry.Target.choice($0) }
      list.choose(
        list.shown.firstIndex { list.entries[$0].target == target } ?? 0, viewport: listViewport)
      self.list = list
      return
    }
    let index = list.shown.lastIndex { index in
      switch list.entries[index].target {
      case .offset(let offset): return offset <= view.source
      case .part(let target):
        if let focus = view.focus { return target == focus }
        return view.line(of: target).map { $0 <= view.top } ?? false
      case .nowhere, .page, .collection, .feed, .passage, .version, .choice, .download, .command,
        .subject, .tab, .cookies:
        return false
      }
    }
    // Before the first heading, the first entry of the page on the screen.
    let first = list.shown.firstIndex { index in
      if case .offset = list.entries[index].target { true } else { false }
    }
    list.choose(index ?? first ?? 0, viewport: listViewport)
    self.list = list
  }

  /// Handles the content of a list, which `reloadList` requested.
  mutating func handle(_ contents: ListContents) -> [Effect] {
    let isFirst = lists.library == nil
    let isShown = lists.store(contents, for: list?.kind)
    if isShown { list?.isLoading = contents.isPartial }
    if case .failed(let message) = contents { reportError(message) }
    if case .library(let contents, isComplete: true) = contents, isFirst, contents.rows.isEmpty,
      list?.kind == .library, start == nil, view == nil
    {
      // First-time users see the start page instead of an empty list.
      list = nil
      return load(LoadRequest("about:offread", options: loading.options), purpose: .visit)
    }
    if isShown { refreshList() }
    return []
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
      command, CommandInput(count: count, argument: argument), width: listViewport)
    self.list = list
    return carryOut(requests)
  }

  /// Closes the open list. The list from which it was opened is shown again, except after `quit`.
  mutating func closeList(by command: Command) -> [Effect] {
    guard let list else { return [] }
    if let parent = list.parent, command != .quit { return open(parent) }
    if case .help(.menu(_, _?)) = list.kind, command != .quit { return showMenu(of: nil) }
    if list.kind.screen == .help { return closeHelp() }
    if view == nil, loading.load == nil { return leave(command) }
    self.list = nil
    return []
  }

  /// Handles a command that closes a list without a page below it: opens the library; in the
  /// library, only `quit` has an effect.
  private mutating func leave(_ command: Command) -> [Effect] {
    guard list?.kind == .library else { return open(.library) }
    if command == .quit { return quitByKey() }
    notify("\(quitKey) quits")
    return []
  }

  /// Opens the entry at a screen position; a click outside the menu closes the menu.
  mutating func click(listRow row: Int, column: Int) -> [Effect] {
    guard let list, case let position = listArea,
      position.columns.contains(column) || !position.isBox,
      let index = list.index(atRow: row - position.rows.lowerBound, viewport: listViewport),
      !list.entries[list.shown[index]].isHeading
    else { return isMenuOpen && !listArea.contains(row, column) ? closeHelp() : [] }
    let viewport = listViewport
    self.list?.choose(index, viewport: viewport)
    return openEntry()
  }

  /// Sorts the pages by another order: the one with a name, or the next one.
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

  /// Opens the selected entry.
  mutating func openEntry() -> [Effect] {
    guard let entry = list?.entry else { return [] }
    switch entry.target {
    case .nowhere: return []
    case .page(let url):
      let list = list
      var target = url
      if case .search? = list?.kind { target = TextFragment.url(url, terms: entry.foundTerms) }
      let sequence = sequence(of: list, at: url)
      let effects = openTyped(target)
      loading.record(list: list)
      loading.record(sequence: sequence)
      return effects
    case .collection(let id): return open(.collection(id), from: .library)
    case .feed(let feed): return open(.feed(feed), from: list?.kind)
    case .passage(let highlight, let url):
      let list = list
      let effects = openTyped(highlight.address(on: url))
      loading.record(list: list)
      return effects
    case .offset(let offset):
      list = nil
      rememberJump()
      show(offset: offset)
      return []
    case .command(let command): return run(command)
    case .cookies(let site):
      forgetCookies(of: site)
      return []
    case .subject(let subject): return showMenu(of: subject)
    case .choice(let choice):
      if case .choices(let control)? = list?.kind { choose(choice, of: control) }
      return []
    case .part(let target):
      list = nil
      if let line = view?.line(of: target) {
        let height = bodyHeight
        view?.reveal(line: line, height: height)
      }
      return follow(target)
    case .download(let id): return open(id)
    case .tab(let position): return goToTab(at: position)
    case .version(let id):
      guard let all = versions.list, let version = all.version(id) else { return [] }
      return load(version, of: all)
    }
  }

  /// Executes a command on the selected entry.
  mutating func perform(_ action: EntryAction, argument: String?) -> [Effect] {
    switch (action, list?.entry?.target) {
    case (.remove, .download(let id)): return remove(id)
    case (_, .tab(let position)): return closeTab(at: position)
    case (.remove, .passage(let highlight, let url)):
      defer { refreshList() }
      return remove([highlight], of: url)
    case (.edit, .passage(let highlight, let url)):
      openPrompt(.note(.edit(highlight, of: url)), text: highlight.note)
      return []
    default: break
    }
    if action == .markRead { return markFeedRead() }
    if case .feed(let feed)? = list?.entry?.target {
      return perform(action, onFeed: feed, argument: argument)
    }
    if case .collection(let id)? = list?.entry?.target {
      return perform(action, onCollection: id, argument: argument)
    }
    guard let entry = list?.entry, let url = self.url(of: entry) else {
      notify("no page is selected")
      return []
    }
    switch action {
    case .openInBackground: return openInBackground(of: entry, url)
    case .keep: return [.keep(url, title: entry.title)]
    case .remove: return remove(url, title: entry.title)
    case .tag: return tag(url, argument)
    case .copy, .edit, .closeTab, .markRead:
      return copy(SafeText.line(url), what: "the URL of \(entry.title)")
    }
  }

  /// Opens the destination of an entry in the background.
  private mutating func openInBackground(of entry: ListEntry, _ url: String) -> [Effect] {
    if case .part = entry.target, let page = view?.page.url {
      return openInBackground(url, origin: .link(from: page))
    }
    return openInBackground(url, origin: .user)
  }

  /// Returns the URL of an entry's destination; nil if it has none.
  private func url(of entry: ListEntry) -> String? {
    switch entry.target {
    case .page(let url), .passage(_, let url), .feed(let url): url
    case .part(let target): url(of: target)
    case .download(let id): downloads[id]?.url
    case .nowhere, .collection, .offset, .version, .choice, .command, .subject, .tab, .cookies: nil
    }
  }

  /// Hides a page; `undo` restores it.
  private mutating func remove(_ url: String, title: String) -> [Effect] {
    lists.remove(page: url)
    refreshList()
    notify("removed; \(key(of: .undo)) restores it: \(title)")
    return [.remove([url])]
  }

  /// Undoes the last removal of a page, of highlights or of a collection, or the last marking of
  /// items as read.
  mutating func undo() -> [Effect] {
    let url: String
    switch lists.undo() {
    case .page(let page)?: url = page
    case .highlights(let highlights, let page)?:
      notify("restored: \(SafeText.line(highlights.first?.exact ?? ""))")
      return [.setHighlights(highlights, of: page)]
    case .collection(let id, let name)?: return restore(collection: id, name)
    case .unread(let pages, let name)?:
      notify("unread again: \(name)")
      return [.mark(.unread(pages))]
    case nil:
      notify("nothing to undo")
      return []
    }
    refreshList()
    if let list,
      let index = list.shown.firstIndex(where: { list.entries[$0].url?.isSamePage(as: url) == true }
      )
    {
      let viewport = listViewport
      self.list?.choose(index, viewport: viewport)
    }
    notify("restored: \(shown(url))")
    return [.restore([url])]
  }

  /// Sets the tags of a page, or asks for them if `text` is nil.
  mutating func tag(_ url: String, _ text: String?) -> [Effect] {
    guard !refusesSaving else { return [] }
    guard let text else {
      openPrompt(.tags(url, areKnown: false))
      return [.readTags(of: url)]
    }
    return [.tag(url, text, isAdding: false)]
  }

  /// Inserts the existing tags of a page before those being typed, with a comma after each.
  mutating func insert(tags: [String], of url: String) {
    guard case .prompt(var prompt) = layers.input, prompt.kind == .tags(url, areKnown: false)
    else { return }
    prompt.kind = .tags(url, areKnown: true)
    let typed = prompt.editor.text
    prompt.editor.replace(with: tags.map { $0 + ", " }.joined() + typed)
    layers.show(.prompt(prompt))
  }

  /// Whether the session is private and stores nothing; if so, a notice reports it.
  var refusesSaving: Bool {
    mutating get {
      if isPrivate { notify("a private session changes nothing") }
      return isPrivate
    }
  }
}
