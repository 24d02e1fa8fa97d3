import Commands
import DOM
import Configuration
import Document
import Layout
import OfflineCache
import Reader
import Terminal

extension Browser {
  /// Executes a command on the page or the open list.
  /// - Parameters:
  ///   - command: The command.
  ///   - count: The number typed before it; nil for none.
  ///   - argument: The text after its name; nil for none.
  /// - Returns: The resulting effects.
  mutating func perform(
    _ command: Command, count: Int?, argument: String? = nil
  ) -> [Effect] {
    if let list {
      return perform(command, in: list, count: count, argument: argument)
    }
    return perform(command, onPage: count, argument: argument)
  }

  /// Executes a command on the page, even if a list is open.
  mutating func perform(
    _ command: Command, onPage count: Int?, argument: String?
  ) -> [Effect] {
    let times = max(1, count ?? 1)
    leaveFocus(for: command)
    switch command {
    case .lineDown, .lineUp: moveLine(by: command == .lineDown ? times : -times)
    case .pageDown: scroll(by: max(1, bodyHeight - 2) * times)
    case .pageUp: scroll(by: -max(1, bodyHeight - 2) * times)
    case .halfPageDown: scroll(by: max(1, bodyHeight / 2) * times)
    case .halfPageUp: scroll(by: -max(1, bodyHeight / 2) * times)
    case .top: jump { $0.scroll(to: (count ?? 1) - 1) }
    case .bottom: jump { $0.scroll(to: count.map { $0 - 1 } ?? .max) }
    case .percent: jump { $0.scroll(toPercent: count) }
    case .mark: return askLetter(.mark, argument)
    case .goToMark: return askLetter(.go, argument)
    case .outline: return open(.outline)
    case .links: return open(.links)
    case .messages: return open(.messages)
    case .nextHeading: goToHeading(times)
    case .previousHeading: goToHeading(-times)
    case .nextChange: goToChange(times)
    case .previousChange: goToChange(-times)
    case .nextLink: moveFocus(by: times)
    case .previousLink: moveFocus(by: -times)
    case .follow: return follow(number: count)
    case .fillIn: fillIn()
    case .preview: return preview(number: count)
    case .hints: openHints(to: .follow)
    case .queueHint: openHints(to: .queue)
    case .openImage: return openImages()
    case .markLines: return beginMarking(count: times)
    case .linkMarks: return toggleLinkMarks()
    case .linkNumbers: toggleLinkNumbers()
    case .back, .forward, .reload, .openURL, .openBehind, .nextTab, .previousTab, .tabs, .closeTab,
      .editURL, .nextPart, .previousPart, .olderVersion,
      .newerVersion, .remote, .render, .offline,
      .information, .copyURL, .copyLink, .readerView, .source, .images, .wrapCode, .download,
      .outside, .pipe, .editor, .panLeft, .panRight:
      return performOnPage(command, count: count, argument: argument)
    case .library, .search, .history, .queue, .downloads, .highlights, .keep, .keepLink, .tag,
      .remove, .undo,
      .sort:
      return performOnLibrary(command, argument: argument)
    case .findForward: beginFind(argument, isForward: true)
    case .findBackward: beginFind(argument, isForward: false)
    case .findNext: findAgain(isForward: finding.isForward, count: times)
    case .findPrevious: findAgain(isForward: !finding.isForward, count: times)
    case .shell:
      if let argument { return run(argument, isPipe: false) }
      openPrompt(.shell(isPipe: false))
    case .command: openPrompt(.command)
    case .menu: return openMenu()
    case .help: return openHelp()
    case .set: return set(argument)
    case .editSettings: return [.editSettings]
    case .nextTheme: changeTheme()
    case .theme: changeTheme(to: argument)
    case .redraw: return [.redraw]
    case .suspend: return [.suspend]
    case .cancel: return cancel(count: count)
    case .quit: return quitByKey()
    }
    return []
  }

  private mutating func performOnLibrary(_ command: Command, argument: String?) -> [Effect] {
    switch command {
    case .library: return open(.library)
    case .search:
      if let argument { return open(.search(argument)) }
      openPrompt(.search)
    case .history: return open(.history)
    case .queue: return open(.queue)
    case .downloads: return open(.downloads)
    case .highlights: return open(.highlights)
    case .keep:
      // A page that could not be loaded is queued.
      if let page = view?.page, page.provenance.source == .explanation, page.url.isWebURL {
        return [.enqueue([page.url], from: "")]
      }
      return pageToKeep.map { url in
        let page = view?.page
        return [
          .keep(url, title: page?.document.title ?? "", isFeed: page?.content?.isFeed ?? false)
        ]
      } ?? []
    case .keepLink:
      guard let url = focusedURL, url.isWebURL else {
        notice = Notice(text: "no link of the web is selected; Tab selects one")
        return []
      }
      let words = view.flatMap { view in view.focus.map { view.words(of: $0) } } ?? ""
      return [.keep(url, title: SafeText.line(words))]
    case .tag: return pageToKeep.map { tag($0, argument) } ?? []
    case .undo: return undo()
    default:
      notice = Notice(
        text: "\(command.definition.name) works in a list; \(key(of: .library)) opens the library")
    }
    return []
  }

  /// The URL of the page on the screen without its fragment; nil, with a notice, if the page cannot
  /// be pinned.
  var pageToKeep: String? {
    mutating get {
      guard let page = view?.page, page.url.isWebURL,
        page.provenance.source != .explanation
      else {
        notice = Notice(text: "only pages of the web are kept")
        return nil
      }
      guard page.sent == nil else {
        notice = Notice(text: "the answer to a form is not saved, and cannot be kept")
        return nil
      }
      return String(page.url.prefix { $0 != "#" })
    }
  }

  private mutating func performOnPage(
    _ command: Command, count: Int?, argument: String?
  ) -> [Effect] {
    switch command {
    case .back: return travel(by: -max(1, count ?? 1))
    case .forward: return travel(by: max(1, count ?? 1))
    case .reload: return reload()
    case .openURL:
      if let argument { return visit(argument) }
      openPrompt(.open)
    case .openBehind: return openBehind(number: count)
    case .nextTab: return goToTab(by: max(1, count ?? 1))
    case .previousTab: return goToTab(by: -max(1, count ?? 1))
    case .tabs: return open(.tabs)
    case .closeTab: return closeTab(at: tabs.place)
    case .editURL: openPrompt(.open, text: view?.page.url ?? shown(start?.target ?? ""))
    case .olderVersion: return step(by: -max(1, count ?? 1))
    case .newerVersion: return step(by: max(1, count ?? 1))
    case .nextPart: return goToPart(max(1, count ?? 1))
    case .previousPart: return goToPart(-max(1, count ?? 1))
    case .remote: return askArchives(argument)
    case .render: return render()
    case .offline: return toggleOffline()
    case .information: return open(.information)
    case .copyURL: return copy(address: view?.page.url, what: "the address of this page")
    case .copyLink:
      let isImage = view?.focus?.image != nil
      return copy(address: focusedURL, what: "the address of the \(isImage ? "image" : "link")")
    case .readerView: return changeView()
    case .source: return showSource()
    case .images, .wrapCode, .panLeft, .panRight: changeLook(command, by: max(1, count ?? 1))
    case .outside: return openOutside()
    case .download, .pipe, .editor: return handOver(by: command, argument)
    default: break
    }
    return []
  }

  private mutating func cancel(count: Int?) -> [Effect] {
    if let load = loading.load {
      let effects = stopLoading() + showWhatCame(of: load)
      notice = Notice(text: "stopped loading \(shown(load.request.target))")
      return effects
    }
    if count != nil { return [] }
    if let effects = stopChecking() {
      notice = Notice(text: "stopped asking for a newer version")
      return effects
    }
    if let download = downloads.cancellable { return remove(download.id) }
    if finding.find != nil {
      finding.clear()
    } else if view?.focus != nil {
      view?.focus = nil
    } else {
      notice = Notice(text: "nothing to cancel; \(quitKey) quits")
    }
    return []
  }

  private mutating func changeTheme() {
    choose(look.nextTheme)
  }

  /// Selects a theme permanently; nil returns to the theme of the settings.
  private mutating func choose(_ name: String?) {
    let choice = Choices.Choice.theme(name, insteadOf: settings.theme)
    choices.take(choice)
    outbox.append(.choose(choice))
    look.chooseTheme(choices)
    notice = Notice(
      text: name == nil
        ? "theme \(theme.name), as without a choice"
        : "theme \(theme.name) \(choiceTerm); :theme \(Self.noChoice) undoes it")
  }

  /// How long a preference applies, for notices.
  var choiceTerm: String { isPrivate ? "for this session" : "from now on" }

  /// The argument that selects the theme of the settings, or of the background.
  static let noChoice = "auto"

  private mutating func changeTheme(to name: String?) {
    guard let name else {
      notice = Notice(text: "the theme is \(theme.name), one of \(look.themeNames.count)")
      return
    }
    if name == Self.noChoice { return choose(nil) }
    if let words = unknownTheme(name) {
      notice = Notice(text: words, isError: true)
    } else {
      choose(name)
    }
  }

  /// Returns a message if there is no theme with a name; nil otherwise.
  func unknownTheme(_ name: String) -> String? {
    let names = look.themeNames
    guard !names.contains(name) else { return nil }
    let closest = ClosestWord.to(name, among: names)
    let advice =
      closest.map { "did you mean \($0)?" } ?? "there are \(names.joined(separator: ", "))"
    return "there is no theme \(name); \(advice)"
  }

  private mutating func toggleOffline() -> [Effect] {
    guard !settings.isSavedOnly else {
      let words =
        "offline mode stays on: the settings have a mistake; \(key(of: .messages)) tells it"
      notice = Notice(text: words, isError: true)
      return []
    }
    let was = provenance?.source
    loading.toggleOffline()
    notice = Notice(
      text: isOffline
        ? "offline mode on: saved pages only" : "offline mode off: the network is asked from now on"
    )
    bannerChanged()
    return [.pauseQueue(isOffline)] + (provenance?.source == was ? [] : lookUpSaved())
  }

  private mutating func copy(address url: String?, what: String) -> [Effect] {
    guard let url else {
      notice = Notice(text: "no link is selected; Tab selects one")
      return []
    }
    return copy(SafeText.line(url), what: what)
  }

  /// Returns a URL as it is displayed: on one line, without a user name and password.
  func shown(_ url: String) -> String {
    SafeText.line(SafeText.withoutCredentials(url))
  }

  // MARK: Moving

  /// Moves on the page and remembers the previous position if it differs.
  private mutating func jump(_ move: (inout Browser) -> Void) {
    let before = view?.position
    move(&self)
    if let before, before != view?.position { places.noteJump(from: before) }
  }

  /// Remembers the position before a jump on the page.
  mutating func rememberJump() {
    places.noteJump(from: view?.position)
  }

  /// Scrolls by a number of lines.
  mutating func scroll(by lines: Int) {
    guard var view else { return }
    view.scroll(to: view.top + lines, height: bodyHeight)
    self.view = view
  }

  /// Scrolls a line to the top if the page is long enough; otherwise, to its end.
  mutating func scroll(to line: Int) {
    let height = bodyHeight
    view?.scroll(to: line, height: height)
  }

  private mutating func scroll(toPercent percent: Int?) {
    guard let percent else {
      notice = Notice(text: "type a number first: 50% is the middle of the page")
      return
    }
    view?.complete()
    guard let view else { return }
    let last = view.lastTop(height: bodyHeight)
    scroll(to: (last * min(percent, 100) + 99) / 100)
  }

  private mutating func goToHeading(_ steps: Int) {
    guard let view else { return }
    if steps > 0, view.layout.headings.filter({ $0.line > view.top }).count < steps {
      self.view?.complete()
    }
    let lines = (self.view?.layout ?? view.layout).headings.map { Int($0.line) }
    let target: Int?
    if steps > 0 {
      let below = lines.filter { $0 > view.top }
      target = below.isEmpty ? nil : below[min(steps, below.count) - 1]
    } else {
      let above = lines.filter { $0 < view.top }
      target = above.isEmpty ? nil : above[max(0, above.count + steps)]
    }
    guard let target else {
      notice = Notice(text: steps > 0 ? "no heading further down" : "no heading further up")
      return
    }
    scroll(to: target)
  }
}
