import Commands
import DOM
import Configuration
import Document
import Layout
import OfflineCache
import Pages
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

  /// Executes a command on the page, even if a list is open. The count and the argument are nil if
  /// none were typed.
  mutating func perform(
    _ command: Command, onPage count: Int?, argument: String?
  ) -> [Effect] {
    if command != .pageDown { opening.isNextAnnounced = false }
    guard view != nil || !command.requiresPage else {
      notify("no page is open")
      return []
    }
    if settings.isLinear, command.movesCursorFromFocus { view?.focus = nil }
    return command.pageAction.run(&self, CommandInput(count: count, argument: argument))
  }

  /// Reports that a command has an effect in lists only.
  mutating func reportListOnlyCommand(_ command: Command) {
    let advice =
      command == .remove && hasVisibleHighlight
      ? "\(keyName(of: .highlights)) lists the highlights"
      : "\(keyName(of: .library)) opens the library"
    notify("\(command.definition.name) works in a list; \(advice)")
  }

  // MARK: Arguments or prompts

  /// Opens a URL, or the prompt for one.
  mutating func openURL(_ url: String?) -> [Effect] {
    if let url { return openTypedURL(url) }
    openPrompt(.openURL)
    return []
  }

  /// Opens the prompt for a URL, prefilled with the URL of the page, or of the first page if no
  /// page is shown.
  mutating func editURL() {
    guard !isStandardInput else { return notify(Self.noURLMessage) }
    openPrompt(.openURL, text: view?.page.url.text ?? displayURL(startRequest?.target ?? ""))
  }

  /// Searches the saved pages, or opens the prompt for search terms.
  mutating func search(_ text: String?) -> [Effect] {
    if let text { return openList(.search(text)) }
    openPrompt(.search)
    return []
  }

  /// Runs a shell command, or opens the prompt for one.
  mutating func openShell(_ line: String?) -> [Effect] {
    if let line { return runShellCommand(line, isPipe: false) }
    openPrompt(.shell(isPipe: false))
    return []
  }

  // MARK: Keeping

  /// Pins the page on the screen, or unpins it; a page that could not be loaded is queued.
  mutating func togglePagePin() -> [Effect] {
    if let page = view?.page, page.provenance.source == .explanation, page.url.isWebURL {
      return [.enqueue([page.url], from: nil)]
    }
    guard let url = pinnableURL else { return [] }
    let page = view?.page
    return [
      .togglePin(url, title: page?.document.title ?? "", isFeed: page?.content?.isFeed ?? false)
    ]
  }

  /// Pins the page of the focused link, or unpins it.
  mutating func toggleLinkPin() -> [Effect] {
    guard let url = focusedURL, url.isWebURL else {
      notify("no web link is selected; \(keyName(of: .nextLink)) selects one")
      return []
    }
    let text = view.flatMap { view in view.focus.map { view.targetText(of: $0) } } ?? ""
    return [.togglePin(url, title: SafeText.line(text))]
  }

  /// Sets the tags of the page on the screen, or opens the prompt for them.
  mutating func tagPage(_ tags: String?) -> [Effect] {
    requirePinnableURL(verb: "tagged").map { setTags($0, tags) } ?? []
  }

  /// The URL of the page on the screen without its fragment; nil, with a notice, if the page cannot
  /// be pinned.
  var pinnableURL: String? {
    mutating get { requirePinnableURL(verb: "kept") }
  }

  /// Returns the URL of the page on the screen without its fragment; nil, with a notice that
  /// contains the verb, if the page is not in the library and cannot be added.
  private mutating func requirePinnableURL(verb: String) -> String? {
    guard let page = view?.page, page.url.isWebURL,
      page.provenance.source != .explanation
    else {
      notify("only web pages can be \(verb)")
      return nil
    }
    guard page.sentForm == nil else {
      notify("the response to a form is not saved and cannot be \(verb)")
      return nil
    }
    return page.url.withoutFragment.text
  }

  /// Cancels the first of these that is in progress: the load, the typed count, the revalidation,
  /// the download, the search in other parts. If none is, removes the highlighting of matches or
  /// the focus.
  mutating func cancel(count: Int?) -> [Effect] {
    if let load = loading.load {
      let effects = stopAndShowPart(of: load) + showReceivedResponse(of: load)
      notify("stopped loading \(displayURL(load.request.displayedTarget))")
      return effects
    }
    if count != nil { return [] }
    let wasAwaitingRest = isAwaitingRestOfPage
    if let effects = cancelRevalidation() {
      notify(wasAwaitingRest ? "stopped loading the rest" : "stopped checking for a newer version")
      return effects
    }
    if let download = downloads.cancellableDownload { return remove(download.id) }
    if pageSearch.partSearch != nil {
      pageSearch.endPartSearch()
      notify("stopped searching the book")
    } else if pageSearch.pageMatches != nil {
      pageSearch.clearMatches()
    } else if view?.focus != nil {
      view?.focus = nil
    } else {
      notify("nothing to cancel; \(quitKey) quits")
    }
    return []
  }

  /// Selects the next theme permanently.
  mutating func changeTheme() {
    selectTheme(appearance.nextTheme)
  }

  /// Selects a theme permanently; nil returns to the theme of the settings.
  private mutating func selectTheme(_ name: String?) {
    let choice = Choices.Choice.theme(name, insteadOf: settings.theme)
    choices.apply(choice)
    additionalEffects.append(.storeChoice(choice))
    appearance.selectTheme(choices)
    notify(
      name == nil
        ? "theme \(theme.name), the default"
        : "theme \(theme.name) \(choiceDurationText); :theme \(Theme.automaticName) undoes it")
  }

  /// The time for which a preference applies, as text for notices.
  var choiceDurationText: String { isPrivate ? "for this session" : "from now on" }

  /// Selects a theme permanently, or shows the name of the current one if `name` is nil.
  mutating func changeTheme(to name: String?) {
    guard let name else {
      notify("the theme is \(theme.name), one of \(appearance.themeNames.count)")
      return
    }
    if name == Theme.automaticName { return selectTheme(nil) }
    if let text = unknownThemeMessage(name) {
      reportError(text)
    } else {
      selectTheme(name)
    }
  }

  /// Returns a message if there is no theme with a name; nil otherwise.
  func unknownThemeMessage(_ name: String) -> String? {
    Theme.unknownNameMessage(name, among: appearance.themeNames)
  }

  /// Turns offline mode on or off.
  mutating func toggleOffline() -> [Effect] {
    guard !settings.isSavedOnly else {
      let message =
        "offline mode stays on: the settings file has an error; \(keyName(of: .messages)) shows it"
      reportError(message)
      return []
    }
    let was = provenance?.source
    loading.toggleOffline()
    let stopped = isOffline ? stopNetworkUse() : updateDownloads(downloads.resume())
    notify(
      isOffline
        ? "offline mode on: saved pages only" : "offline mode off: offread uses the network again"
    )
    adaptToBannerHeight()
    let lookups = provenance?.source == was ? [] : updateLinkMarks()
    return [.setOffline(isOffline)] + lookups + stopped
  }

  /// Stops what uses the network when offline mode begins, also in background tabs. Loads of pages
  /// that are being opened are repeated, so that the saved copies are shown, or the pages are
  /// queued. Downloads wait until offline mode ends.
  private mutating func stopNetworkUse() -> [Effect] {
    var effects = cancelAwaitedRevalidations() + stopLoadOffline()
    for index in tabs.backgroundTabs.indices {
      var tab = tabs.backgroundTabs[index]
      let shown = loading.switchTab(tab.loads)
      effects += tab.cancelAwaitedRevalidations().map(Effect.cancelLoad) + stopLoadOffline()
      tab.loads = loading.switchTab(shown)
      tabs.replace(index, with: tab)
    }
    if case .running = enclosureFetch { effects += stopEnclosures() }
    return effects + updateDownloads(downloads.pause())
  }

  private mutating func stopLoadOffline() -> [Effect] {
    if let load = loading.repeatLoadOffline() {
      return [.cancelLoad(load.replaced), .load(load.id, load.request)]
    }
    guard let load = loading.load, load.purpose == .replace, load.request.webURL != nil else {
      return []
    }
    loading.endLoad()
    return [.cancelLoad(load.id)]
  }

  /// Whether the page was read from standard input, which has no URL.
  var isStandardInput: Bool { view?.page.url.hasScheme("stdin") == true }

  static let noURLMessage = "standard input has no URL"

  /// Copies the URL of the page.
  mutating func copyURL() -> [Effect] {
    guard !isStandardInput else {
      notify(Self.noURLMessage)
      return []
    }
    return copy(url: view?.page.url.text, contentName: "the URL of this page")
  }

  /// Copies the URL of the focused link or image.
  mutating func copyLink() -> [Effect] {
    let isImage = view?.focus?.imageIndex != nil
    return copy(url: focusedURL, contentName: "the URL of the \(isImage ? "image" : "link")")
  }

  private mutating func copy(url: String?, contentName: String) -> [Effect] {
    guard let url else {
      notify(noSelectedLinkMessage)
      return []
    }
    return copyToClipboard(SafeText.line(url), contentName: contentName)
  }

  /// Returns a URL as it is displayed: on one line, without a user name and password, and with
  /// readable characters if the charset of the terminal has them. Standard input has no URL.
  func displayURL(_ url: String) -> String {
    if url.hasScheme("stdin") { return "standard input" }
    let url = SafeText.withoutCredentials(url)
    return SafeText.line(substitution == nil ? SafeText.withReadableCharacters(url) : url)
  }

  func displayURL(_ url: DocumentAddress) -> String { displayURL(url.text) }

  // MARK: Moving

  /// Scrolls a line to the top, and remembers the previous position if it differs.
  mutating func jump(to line: Int) {
    let before = view?.position
    scroll(to: line)
    recordJump(from: before)
  }

  /// Scrolls to a percentage of the page, and remembers the previous position if it differs. If
  /// `percent` is nil, shows a notice that asks for a number.
  mutating func jump(toPercent percent: Int?) {
    let before = view?.position
    scroll(toPercent: percent)
    recordJump(from: before)
  }

  private mutating func recordJump(from previousPosition: ReadingPosition?) {
    if let previousPosition, previousPosition != view?.position {
      readingPositions.recordJumpOrigin(from: previousPosition)
    }
  }

  /// Remembers the position before a jump on the page.
  mutating func recordJumpOrigin() {
    readingPositions.recordJumpOrigin(from: view?.position)
  }

  /// Scrolls by screens, which overlap by two lines; negative to go up.
  mutating func scroll(byScreens count: Int) { scroll(by: max(1, bodyHeight - 2) * count) }

  /// Scrolls by half screens; negative to go up.
  mutating func scroll(byHalfScreens count: Int) { scroll(by: max(1, bodyHeight / 2) * count) }

  /// Scrolls by a number of lines; negative to go up.
  mutating func scroll(by lines: Int) {
    guard var view else { return }
    view.scroll(to: view.topLine + lines, height: bodyHeight)
    self.view = view
  }

  /// Scrolls a line to the top if the page is long enough; otherwise, to its end.
  mutating func scroll(to line: Int) {
    let height = bodyHeight
    view?.scroll(to: line, height: height)
  }

  private mutating func scroll(toPercent percent: Int?) {
    guard let percent else {
      notify("type a number first: 50% is the middle of the page")
      return
    }
    view?.layOutRest()
    guard let view else { return }
    let last = view.maxTopLine(height: bodyHeight)
    scroll(to: (last * min(percent, 100) + 99) / 100)
  }

  /// Scrolls to a following heading, or to a previous one if `steps` is negative; in linear mode,
  /// counted from the cursor.
  mutating func goToHeading(_ steps: Int) {
    guard let view else { return }
    let current = currentLine(of: view)
    if steps > 0, view.layout.headings.filter({ $0.lineIndex > current }).count < steps {
      self.view?.layOutRest()
    }
    let lines = (self.view?.layout ?? view.layout).headings.map { Int($0.lineIndex) }
    let target: Int?
    if steps > 0 {
      let below = lines.filter { $0 > current }
      target = below.isEmpty ? nil : below[min(steps, below.count) - 1]
    } else {
      let above = lines.filter { $0 < current }
      target = above.isEmpty ? nil : above[max(0, above.count + steps)]
    }
    guard let target else {
      notify(steps > 0 ? "no heading further down" : "no heading further up")
      return
    }
    scroll(to: target)
    if !settings.isLinear, self.view?.topLine == view.topLine {
      notify("the next heading is on the screen")
    }
  }
}
