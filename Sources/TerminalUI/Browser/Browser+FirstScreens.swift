import Pages
import Commands
import Document
import Layout
import Terminal

// The first screens of a long page are shown while the rest of it is being parsed. The user can
// move within them; input that needs more of the page is buffered until the page is complete.

extension Browser {
  /// Shows the first screens of a page, unless the page replaces the one on the screen, will be
  /// shown from another position than its top, or is covered by another layer.
  mutating func showFirstScreens(_ page: Page, by load: Load) {
    guard load.purpose == .newEntry, !isContinued(page), layers.top == .page else { return }
    loading.show(firstScreens: firstScreens(of: page))
  }

  private func firstScreens(of page: Page) -> PageView {
    let values = FormValues()
    return PageView(page: page, options: layoutOptions(for: page, values: values), values: values)
  }

  /// Cancels the current load, if there is one, and discards the input buffered for it.
  mutating func stopLoading() -> [Effect] { loading.endLoad().map { [.cancelLoad($0.id)] } ?? [] }

  /// Returns whether an event has to wait for the rest of the page.
  func shouldBuffer(_ event: InputEvent) -> Bool {
    guard let load = loading.load, load.firstScreens != nil else { return false }
    switch event {
    case .background, .reply: return false
    case .mouse, .paste: return true
    case .key(let key):
      guard let command = keymap[key], command != .cancel else { return keymap[key] == nil }
      // Quitting does not wait, unless input other than moves is buffered, to which the key may
      // belong.
      if command == .quit { return !load.bufferedInput.allSatisfy(isScrollingInput) }
      // A key after buffered input may belong to that input, such as a letter after a count.
      return !load.bufferedInput.isEmpty || !Self.immediateCommands.contains(command)
    }
  }

  /// Returns whether an event only moves on the page, or is a digit of a count.
  private func isScrollingInput(_ event: InputEvent) -> Bool {
    switch event {
    case .mouse(let mouse): return mouse.action == .wheelUp || mouse.action == .wheelDown
    case .paste, .background, .reply: return false
    case .key(let key):
      guard let command = keymap[key] else {
        if case .character(let scalar) = key.code { return ("0"..."9").contains(scalar) }
        return false
      }
      return Self.scrollingCommands.contains(command)
    }
  }

  /// The commands that do not need the rest of the page.
  private static let immediateCommands: Set<Command> = [
    .suspend, .redraw, .nextTab, .previousTab, .closeTab,
  ]

  private static let scrollingCommands: Set<Command> = [
    .lineDown, .lineUp, .pageDown, .pageUp, .halfPageDown, .halfPageUp, .top, .bottom, .percent,
    .nextHeading, .previousHeading, .nextLink, .previousLink, .follow,
  ]

  /// Executes a move on the first screens.
  /// - Returns: Whether the event is a move that stays within them; otherwise nothing has changed,
  ///   and the event waits for the rest of the page.
  mutating func scrollFirstScreens(_ event: InputEvent) -> Bool {
    guard let load = loading.load, let first = load.firstScreens, load.bufferedInput.isEmpty,
      isScrollingInput(event)
    else { return false }
    if case .key(let key) = event, let command = keymap[key],
      [.bottom, .percent, .follow].contains(command)
    {
      return false
    }
    var browser = copyWithFirstScreens
    browser.loading.endLoad()
    browser.notices.dismiss()
    _ = browser.handle(event)
    // The complete page behaves differently at the end of the first screens, and where the focus
    // wraps around, which is reported by a notice.
    guard let moved = browser.view, browser.notice == nil,
      moved.topLine == first.topLine || moved.topLine < moved.maxTopLine(height: bodyHeight)
    else { return false }
    loading.show(firstScreens: moved)
    count = browser.count
    notices.dismiss()
    return true
  }

  /// Shows the complete page at the position of its first screens.
  mutating func continueFromFirstScreens(from firstScreens: PageView) {
    guard let view, firstScreens.topLine > 0 || firstScreens.focus != nil else { return }
    var position = firstScreens.correspondingPosition(in: view.page.document)
    // Usually the lines above the position are the same in both layouts.
    if position.source == firstScreens.topSource { position.topLine = firstScreens.topLine }
    let (links, others) = (firstScreens.page.document.links, view.page.document.links)
    if let link = position.focus?.linkIndex,
      !others.indices.contains(Int(link)) || others[Int(link)] != links[Int(link)]
    {
      position.focus = nil
    }
    restorePosition(position)
  }

  /// Lays the first screens out again for the current size and settings.
  mutating func relayoutFirstScreens() {
    guard let first = loading.load?.firstScreens else { return }
    guard first.topLine > 0 || first.focus != nil else {
      return loading.show(firstScreens: firstScreens(of: first.page))
    }
    var browser = copyWithFirstScreens
    browser.relayout()
    loading.show(firstScreens: browser.view)
  }

  /// A copy of the browser with the first screens as its page, to be drawn while they are shown.
  var copyWithFirstScreens: Browser {
    var drawn = self
    drawn.view = loading.load?.firstScreens
    drawn.loading.show(firstScreens: nil)
    if drawn.opening.revalidation.newerPage != nil { drawn.opening.revalidation = .none }
    drawn.pageSearch.clearMatches()
    return drawn
  }
}

// The part of a page that was received is shown when the user stops the load, and while no more of
// it arrives.

extension Browser {
  /// Stops loading a new page, of which the part received so far will be shown. A load for another
  /// purpose, or from a web archive, is cancelled instead.
  mutating func stopAndShowPart(of load: Load) -> [Effect] {
    guard load.purpose == .newEntry, load.queriedArchiveHost == nil else { return stopLoading() }
    loading.stopLoad()
    return [.stopLoad(load.id)]
  }

  /// Shows the received part of a page whose load the user stopped, unless another load or layer
  /// has begun since.
  mutating func showPart(_ page: Page, of id: LoadID) -> [Effect] {
    guard let load = loading.consumeStoppedLoad(id), layers.top == .page else { return [] }
    showLoadedPage(page, by: load)
    if let first = load.firstScreens { continueFromFirstScreens(from: first) }
    return findSavedLinks()
  }

  /// Whether the page on the screen is a saved copy, or the beginning of a page, that is shown
  /// while the response is being received.
  var isAwaitingResponse: Bool {
    view?.page.isAwaitingResponse == true
  }

  /// Whether the page on the screen is a part whose rest is being received.
  var isAwaitingRestOfPage: Bool { awaitedRevalidationID != nil && view?.page.isArriving == true }

  /// Replaces the page on the screen by a newer version, with marks for the differences, or a part
  /// of a page by the whole page.
  mutating func showNewer(_ page: Page, insteadOf old: Page?) {
    replacePage(with: page, refresh: .none)
    guard old?.isArriving != true else {
      return notify(page.isPartial ? "more of the page arrived" : "the rest of the page arrived")
    }
    notify("newer version")
    compareWithPrevious(with: old)
  }

  /// Reports that no newer version of the saved copy on the screen, or no further part of the
  /// incomplete page on the screen, was received.
  mutating func notifyNothingNewer() {
    notify(
      view?.page.isArriving == true ? "the rest of the page did not arrive" : "no newer version")
  }
}
