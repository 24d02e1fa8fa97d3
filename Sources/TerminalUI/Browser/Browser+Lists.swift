import Commands
import Saving
import Library
import Foundation
import Document
import Layout
import OfflineCache
import Reader
import Terminal

extension Browser {
  /// Opens a list over the page, or closes it if it is open.
  mutating func open(_ kind: ListScreen.Kind) -> [Effect] {
    if list?.kind == kind {
      list = nil
      return []
    }
    switch kind {
    case .outline, .links, .information:
      guard view != nil else {
        notice = Notice(
          text: list == nil
            ? "there is no page yet" : "no page is open yet; Enter opens one of this list")
        return []
      }
      if kind != .information { view?.complete() }
    // The page on the screen must be in the list of read pages.
    case .library, .history, .tabs: rememberPlace()
    default: break
    }
    list = ListScreen(kind)
    let effects = reloadList()
    switch kind {
    case .outline, .links, .choices: chooseWhereTheReaderIs()
    case .tabs: choose(number: tabs.place + 1)
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
    case .search(let words):
      lists.search(words)
      effects = [.list(.search(words))]
    case .highlights: effects = [.list(.highlights)]
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
    list.take(entries(for: list), widths: widths)
    list.remark = remark(for: list)
    self.list = list
    let room = listRoom
    self.list?.move(by: 0, room: room)
  }

  /// Returns the text shown in a list without entries.
  private func remark(for list: ListScreen) -> String {
    if list.isLoading { return "" }
    switch list.kind {
    case .library: return "Nothing is saved yet. \(key(of: .openURL)) opens an address."
    case .history: return "Nothing was read yet."
    case .queue: return "Nothing waits. \(key(of: .queueHint)) puts a link here."
    case .search(let words): return "No saved page has: \(SafeText.line(words))"
    case .highlights:
      return "No passage is kept yet. \(key(of: .markLines)) on a page marks one."
    case .outline: return "This page has no headings."
    case .links: return "This page has no links."
    case .messages: return "Nothing went wrong."
    case .downloads: return "No downloads. \(key(of: .download)) downloads a link."
    case .information: return ""
    case .choices: return "There is nothing to choose from."
    case .help, .tabs: return ""
    }
  }

  /// Returns the name of the first key bound to a command, or `:name` for a command without keys.
  func key(of command: Command) -> String {
    keymap.keys(of: command).first?.description ?? ":" + command.definition.name
  }

  /// Selects the entry for the reading position or the current value: the heading, link or choice.
  private mutating func chooseWhereTheReaderIs() {
    guard var list, let view else { return }
    if case .choices(let control) = list.kind {
      let first = view.values.chosen(of: control, in: view.page.document.forms).first
      let target = first.map { ListEntry.Target.choice($0) }
      list.choose(
        list.shown.firstIndex { list.entries[$0].target == target } ?? 0, room: listRoom)
      self.list = list
      return
    }
    let index = list.shown.lastIndex { index in
      switch list.entries[index].target {
      case .place(let offset): return offset <= view.source
      case .part(let target):
        if let focus = view.focus { return target == focus }
        return view.line(of: target).map { $0 <= view.top } ?? false
      case .nowhere, .page, .passage, .version, .choice, .download, .command, .subject, .tab,
        .cookies:
        return false
      }
    }
    list.choose(index ?? 0, room: listRoom)
    self.list = list
  }

  /// Handles the content of a list.
  mutating func take(_ contents: ListContents) -> [Effect] {
    let isFirst = lists.library == nil
    let isShown = lists.take(contents)
    if case .failed(let words) = contents { notice = Notice(text: words, isError: true) }
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

  /// Handles a key while the filter of a list is being edited.
  mutating func handle(_ key: Key, filtering list: ListScreen) -> [Effect] {
    if let effects = openHelp(by: key) { return effects }
    var list = list
    switch keymap[key] {
    case .cancel?:
      list.isFiltering = false
      list.filter = LineEditor()
      list.applyFilter(room: listRoom)
      self.list = list
      return []
    case .redraw?: return [.redraw]
    case .suspend?: return [.suspend]
    default: break
    }
    switch key.code {
    case .enter:
      list.isFiltering = false
      self.list = list
      return openEntry(number: nil)
    case .up, .down, .tab:
      list.isFiltering = false
      self.list = list
      return []
    default: break
    }
    guard list.filter.edit(key) else { return [] }
    list.applyFilter(room: listRoom)
    self.list = list
    return []
  }

  /// Executes a command in a list.
  mutating func perform(
    _ command: Command, in list: ListScreen, count: Int?, argument: String?
  ) -> [Effect] {
    guard command.definition.help(on: list.kind.screen) != nil else {
      notice = Notice(text: "\(command.definition.name) does nothing here; \(helpKey): help")
      return []
    }
    let times = max(1, count ?? 1)
    switch command {
    case .lineDown, .nextLink: move(by: times)
    case .lineUp, .previousLink: move(by: -times)
    case .pageDown: movePages(by: times)
    case .pageUp: movePages(by: -times)
    case .halfPageDown: movePages(by: times, isHalf: true)
    case .halfPageUp: movePages(by: -times, isHalf: true)
    case .top: choose(number: count ?? 1)
    case .bottom: choose(number: count ?? .max)
    case .follow: return openEntry(number: count)
    case .findForward: beginFilter(argument)
    case .cancel where !list.filter.text.isEmpty:
      var list = list
      list.filter = LineEditor()
      list.applyFilter(room: listRoom)
      self.list = list
    case .cancel, .quit, .back: return close(list, by: command)
    case .keep, .remove, .undo, .tag, .copyLink, .copyURL, .editURL, .openBehind, .closeTab:
      return performOnEntry(command, argument: argument)
    case .sort: sort(by: argument)
    case .reload: return reloadList()
    case _ where openBelowHelp.mode != .page:
      // The command would discard the input below help.
      notice = Notice(text: "\(key(of: .cancel)) goes back to what is being typed")
    default: return perform(command, onPage: count, argument: argument)
    }
    return []
  }

  private mutating func close(_ list: ListScreen, by command: Command) -> [Effect] {
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
    notice = Notice(text: "\(quitKey) quits")
    return []
  }

  /// Opens the entry at a screen position.
  mutating func click(listRow row: Int, column: Int) -> [Effect] {
    guard let list, case let place = listPlace, place.columns.contains(column) || !place.isBox,
      let index = list.index(atRow: row - place.rows.lowerBound, room: listRoom),
      !list.entries[list.shown[index]].isHeading
    else { return isMenuOpen && !listPlace.contains(row, column) ? closeHelp() : [] }
    let room = listRoom
    self.list?.choose(index, room: room)
    return openEntry(number: nil)
  }

  private mutating func move(by steps: Int) {
    let room = listRoom
    list?.move(by: steps, room: room)
  }

  private mutating func movePages(by pages: Int, isHalf: Bool = false) {
    let room = listRoom
    list?.movePages(by: pages, isHalf: isHalf, room: room)
  }

  private mutating func choose(number: Int) {
    let room = listRoom
    guard let list else { return }
    let entries = list.shown.indices.filter { !list.entries[list.shown[$0]].isHeading }
    guard let last = entries.last else { return }
    self.list?.choose(
      entries.indices.contains(number - 1) ? entries[number - 1] : last, room: room)
  }

  private mutating func beginFilter(_ words: String?) {
    list?.isFiltering = words == nil
    guard let words else { return }
    list?.filter.replace(with: words)
    let room = listRoom
    list?.applyFilter(room: room)
  }

  private mutating func sort(by name: String?) {
    guard var list else { return }
    let orders = ListScreen.Order.allCases
    if let name {
      guard let order = ListScreen.Order(rawValue: name) else {
        let names = orders.map(\.rawValue).joined(separator: ", ")
        notice = Notice(text: "pages are sorted by \(names)", isError: true)
        return
      }
      list.order = order
    } else {
      let place = (orders.firstIndex(of: list.order) ?? 0) + 1
      list.order = orders[place % orders.count]
    }
    self.list = list
    refreshList()
    notice = Notice(text: "sorted by \(list.order.rawValue)")
  }

  // MARK: Entries

  /// Opens the selected entry, or the one with a number.
  mutating func openEntry(number: Int?) -> [Effect] {
    if let number { choose(number: number) }
    guard let entry = list?.entry else { return [] }
    switch entry.target {
    case .nowhere: return []
    case .page(let url):
      let list = list
      var target = url
      if case .search? = list?.kind { target = TextFragment.url(url, terms: entry.foundTerms) }
      let effects = visit(target)
      loading.note(list: list)
      return effects
    case .passage(let highlight, let url):
      let list = list
      let effects = visit(highlight.address(on: url))
      loading.note(list: list)
      return effects
    case .place(let offset):
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
    case .tab(let place): return goToTab(at: place)
    case .version(let id):
      guard let all = versions.list, let version = all.version(id) else { return [] }
      return load(version, of: all)
    }
  }

  private mutating func performOnEntry(_ command: Command, argument: String?) -> [Effect] {
    if command == .undo { return undo() }
    if command == .remove, case .download(let id)? = list?.entry?.target { return remove(id) }
    if case .tab(let place)? = list?.entry?.target { return closeTab(at: place) }
    if case .passage(let highlight, let url)? = list?.entry?.target {
      switch command {
      case .remove:
        defer { refreshList() }
        return remove([highlight], of: url)
      case .editURL:
        openPrompt(.note(.edit(highlight, of: url)), text: highlight.note)
        return []
      default: break
      }
    }
    guard let entry = list?.entry, let url = address(of: entry) else {
      notice = Notice(text: "no page is chosen")
      return []
    }
    switch command {
    case .openBehind: return openBehind(of: entry, url)
    case .keep: return [.keep(url, title: entry.title)]
    case .remove: return remove(url, title: entry.title)
    case .tag: return tag(url, argument)
    default:
      return copy(SafeText.line(url), what: "the address of \(entry.title)")
    }
  }

  /// Opens the destination of an entry in the background.
  private mutating func openBehind(of entry: ListEntry, _ url: String) -> [Effect] {
    if case .part = entry.target, let page = view?.page.url {
      return openBehind(url, origin: .link(from: page))
    }
    return openBehind(url, origin: .user)
  }

  /// Returns the URL of an entry's destination; nil if it has none.
  private func address(of entry: ListEntry) -> String? {
    switch entry.target {
    case .page(let url), .passage(_, let url): url
    case .part(let target): url(of: target)
    case .download(let id): downloads[id]?.url
    case .nowhere, .place, .version, .choice, .command, .subject, .tab, .cookies: nil
    }
  }

  /// Hides a page; `undo` restores it.
  private mutating func remove(_ url: String, title: String) -> [Effect] {
    lists.remove(page: url)
    refreshList()
    notice = Notice(text: "removed; \(key(of: .undo)) brings it back: \(title)")
    return [.remove([url])]
  }

  /// Undoes the last removal of a page or of highlights.
  mutating func undo() -> [Effect] {
    let url: String
    switch lists.undo() {
    case .page(let page)?: url = page
    case .highlights(let highlights, let page)?:
      notice = Notice(text: "back again: \(SafeText.line(highlights.first?.exact ?? ""))")
      return [.setHighlights(highlights, of: page)]
    case nil:
      notice = Notice(text: "nothing to undo")
      return []
    }
    refreshList()
    if let list,
      let index = list.shown.firstIndex(where: { list.entries[$0].url?.isSamePage(as: url) == true }
      )
    {
      let room = listRoom
      self.list?.choose(index, room: room)
    }
    notice = Notice(text: "back again: \(shown(url))")
    return [.restore([url])]
  }

  /// Sets the tags of a page, or asks for them if `words` is nil.
  mutating func tag(_ url: String, _ words: String?) -> [Effect] {
    guard !keepsNothing else { return [] }
    guard let words else {
      openPrompt(.tags(url, areKnown: false))
      return [.readTags(of: url)]
    }
    return [.tag(url, words, isAdding: false)]
  }

  /// Inserts the existing tags of a page before those being typed, with a comma after each.
  mutating func take(tags: [String], of url: String) {
    guard case .prompt(var prompt) = mode, prompt.kind == .tags(url, areKnown: false) else {
      return
    }
    prompt.kind = .tags(url, areKnown: true)
    let typed = prompt.editor.text
    prompt.editor.replace(with: tags.map { $0 + ", " }.joined() + typed)
    mode = .prompt(prompt)
  }

  /// Whether the session is private and stores nothing; if so, a notice reports it.
  var keepsNothing: Bool {
    mutating get {
      if isPrivate { notice = Notice(text: "a private session keeps nothing") }
      return isPrivate
    }
  }
}
