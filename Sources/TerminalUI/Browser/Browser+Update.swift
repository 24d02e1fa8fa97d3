import Reader
import Commands
import DOM
import Saving
import Configuration
import Feeds
import Foundation
import Images
import Document
import Layout
import Library
import Pages
import Terminal

extension Browser {
  /// Handles a message by changing the state, and returns the resulting effects.
  package mutating func update(_ message: Message) -> [Effect] {
    let height = bodyHeight
    let partSearch = pageSearch.partSearch
    let effects = handleMessage(message) + showDeferredPage()
    if partSearch != nil { stopUnawaitedPartSearch(after: message) }
    // The banner may have another number of rows, also because time has passed.
    if bodyHeight != height { adaptToBannerHeight() }
    askForFileName()
    requestVisibleImages()
    if tabs.needsSaving, case let saved = savedTabs, tabs.recordSaved(saved) {
      additionalEffects.append(.saveTabs(saved))
    }
    defer { additionalEffects = [] }
    return additionalEffects + effects
  }

  private mutating func handleMessage(_ message: Message) -> [Effect] {
    switch message {
    case .started:
      let effects = startRequest.map { load($0, purpose: .newEntry) } ?? openList(.library)
      return effects + [.findLostTabs]
    case .clock(let date):
      now = date
      // The screen is drawn between two clock messages, so the question has been drawn by now.
      if case .question(var question) = layers.topInput, !question.wasDrawn {
        question.wasDrawn = true
        showQuestion(question)
      }
      announceProgress()
      if hasUnwrittenPosition, readingPositions.isIdle(at: now) { recordPositionIfChanged() }
    case .input(let event):
      readingPositions.recordInput(at: now)
      return handle(event)
    case .resized(let size, let cell): resize(to: size, cellSize: cell)
    case .idle: if pageSearch.isSearching { continuePageSearch() } else { view?.layOut() }
    case .load(let id, let event) where handlePreview(event, of: id): break
    case .load(let id, let event):
      if case .loaded = event { images.forgetFailures() }
      return queue.effects(of: event) + handle(event, of: id)
    case .queue(let event): return handle(event)
    case .savedLinks(let url, let saved, let queued): showLinkStatus(saved, queued, of: url)
    case .visitedLinksFound(let number, let links):
      if number == opening.pageNumber { view?.visitedLinks = links }
    case .drawn(let query, let outcome): images.record(outcome, of: query)
    case .highlights(let number, let placed):
      if number == opening.pageNumber { view?.highlights = placed }
    case .sequence(let number, let sequence, let feed):
      if number == opening.pageNumber { (opening.foundSequence, opening.feed) = (sequence, feed) }
    case .collectionRemoval(let id, let name, let removedCount, let keptCount):
      askToRemove(collection: id, name, removedPageCount: removedCount, keptPageCount: keptCount)
    case .markedRead(let pages, let count, let feed): recordItemsRead(pages, count, of: feed)
    case .tags(let tags, let url): insert(tags: tags, of: url)
    case .listed(let contents): return handle(contents)
    case .versions(let versions): return handleVersionList(versions)
    case .partsSearched(let search, let result): return handle(result, of: search)
    case .compared(let id, let changes): showChanges(changes, of: id)
    case .edited(let text, let control): setTextArea(edited: text, control: control)
    case .download(let id, let event): return process(event, of: id)
    case .enclosures(let event): return handle(event)
    case .shellCommandReady(let command): return [.runShellCommand(command)]
    case .completionsFound(let typed, let pages): return showCompletions(pages, for: typed)
    case .notice(let content, let isError): notify(content, isError: isError)
    case .libraryChanged: return queue.effectsAfterGrowth() + reloadLibraryData()
    case .lastPosition(let record): readingPositions.storeLeftPosition(record)
    case .lostTabs(let saved): restore(saved)
    case .settingsRead(let reading): return applySettingsFile(reading)
    case .foundBookmark(let letter, let record): return handleFoundBookmark(record, for: letter)
    case .terminated(let signal): return quit(128 + signal)
    }
    return []
  }

  private mutating func handle(_ event: QueueFetcher.Event) -> [Effect] {
    switch event {
    case .waiting(let count): queue.set(waitingCount: count)
    case .arrived(let urls):
      reportArrival(of: urls)
      return reloadLibraryData()
    case .hookFailed(let count, let reason):
      notify(
        "the read hook failed for \(DateTexts.countText(count, "item")), and is called again later: "
          + SafeText.line(reason), isError: true)
    case .failed(let reason):
      notify("the queue was not fetched: " + SafeText.line(reason), isError: true)
    }
    return []
  }

  /// Reports that queued pages have been loaded. If the screen explains why one of them was not
  /// available, the banner changes.
  private mutating func reportArrival(of urls: Set<String>) {
    let text = DateTexts.countText(urls.count, "queued page") + " arrived"
    guard let page = view?.page, page.provenance.source == .explanation,
      urls.contains(where: {
        page.url.text.isSamePage(as: $0) || page.requestedURL.text.isSamePage(as: $0)
      })
    else { return notify(text) }
    opening.hasArrived = true
    notify("\(text); \(keyName(of: .reload)) shows this page")
  }

  /// Reloads the library data on the screen: highlights, link marks and the open list.
  private mutating func reloadLibraryData() -> [Effect] {
    findHighlights()
    return findSavedLinks() + (list?.showsLibraryData == true ? reloadList() : [])
  }

  /// Stores pending state, and quits. After a signal, the open tabs are restored at the next start.
  mutating func quit(_ code: Int32) -> [Effect] {
    recordPositionIfChanged()
    var saved = code == 0 ? nil : savedTabs
    saved?.wasEndedBySignal = true
    let isOther = tabs.recordSaved(saved)
    let awaited = awaitedURLsOfTabs
    let message = [
      awaited.isEmpty ? "" : Self.unansweredPagesMessage(awaited.count), openTabsExitMessage,
    ]
    .filter { !$0.isEmpty }.joined(separator: "\n")
    return (isOther ? [.saveTabs(saved)] : [])
      + (awaited.isEmpty ? [] : [.enqueue(awaited, from: nil)])
      + [.quit(code, message: code == 0 && !isPrivate ? message : "")]
  }

  /// Returns the exit message for pages whose servers have not responded yet.
  private static func unansweredPagesMessage(_ pageCount: Int) -> String {
    let pages =
      pageCount == 1
      ? "the page was not loaded; it is" : "\(pageCount) pages were not loaded; they are"
    return "\(pages) queued for the next sync (offread list --queue)"
  }

  mutating func handle(_ event: InputEvent) -> [Effect] {
    withdrawQuitQuestion(at: event)
    if shouldBuffer(event) {
      if !scrollFirstScreens(event) { loading.buffer(event) }
      return []
    }
    switch event {
    case .reply(let response):
      if graphics.handle(response, measuredCellSize: cellSize) { relayout() }
      return []
    case .background(let isDark):
      appearance.apply(isDark: isDark, choices)
      return []
    case .key(let key):
      notices.dismiss()
      return handle(key)
    case .paste(let text):
      notices.dismiss()
      paste(text)
      return []
    case .mouse(let mouse):
      guard settings.usesMouse else { return [] }
      notices.dismiss()
      return handle(mouse)
    }
  }

  /// The name of the key that opens help.
  var helpKey: String { keymap.keys(of: .help).first?.description ?? "" }

  /// The name of the key that quits.
  var quitKey: String { keymap.keys(of: .quit).first?.description ?? "" }

  /// Adds a digit to the count, unless the key is bound to a command. Returns whether it did.
  mutating func addDigit(_ key: Key) -> Bool {
    guard case .character(let scalar) = key.code, key.modifiers.isEmpty, keymap[key] == nil,
      let digit = Int(String(scalar)), scalar.isASCII
    else { return false }
    count = min((count ?? 0) * 10 + digit, 999_999)
    return true
  }

  mutating func consumeCount() -> Int? {
    defer { count = nil }
    return count
  }

  private mutating func paste(_ text: String) {
    let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch layers.top {
    case .prompt(let prompt): paste(line, into: prompt)
    case .list(let list) where list.isFiltering:
      let viewport = listViewport
      self.list?.filter.insert(line)
      self.list?.applyFilter(viewport: viewport)
    case .page, .list:
      if let focusedTextField { return type(line, into: focusedTextField) }
      // Text pasted on a page is probably a URL; Enter is left to the user.
      openPrompt(.openURL, text: line)
    case .hints, .bookmarkLetter, .question, .selection, .preview, .fullScreenImage: break
    }
  }

  private mutating func handle(_ mouse: InputEvent.Mouse) -> [Effect] {
    switch (mouse.action, layers.topInput) {
    case (_, .preview(let preview)): return carryOut(preview.closingRequests)
    case (_, .fullScreenImage): layers.closeInput()
    case (.wheelUp, nil): return perform(.lineUp, count: 3)
    case (.wheelDown, nil): return perform(.lineDown, count: 3)
    case (.click, nil), (.click, .hints):
      layers.closeInput()
      if mouse.row == 0, !isMenuOpen, size.rows > 1 { return openMenu() }
      if list != nil { return clickList(listRow: mouse.row, column: mouse.column) }
      return click(row: mouse.row, column: mouse.column)
    case (.click, .prompt(let prompt)):
      // As in browsers, a click elsewhere on the page keeps what was typed into the field.
      guard case .formField(let field) = prompt.kind, mouse.row < size.rows - 1 else { break }
      layers.closeInput()
      setFieldText(prompt.editor.text, for: field)
      return click(row: mouse.row, column: mouse.column)
    default: break
    }
    return []
  }

  private mutating func resize(to size: Size, cellSize: ImageSize?) {
    self.size = Size(columns: max(1, size.columns), rows: max(1, size.rows))
    // The font may have changed.
    if cellSize != self.cellSize, graphics.isRequested { queryGraphics() }
    self.cellSize = cellSize
    relayout()
    relayoutFirstScreens()
    let hints: Hints? = if case .hints(let hints) = layers.topInput { hints } else { nil }
    layers.closeInputs { $0.dependsOnLayout }
    if let hints, let view {
      let current = hints.relabeled(on: view, height: bodyHeight)
      if !current.hintLabels.isEmpty { layers.showInput(.hints(current)) }
    }
    if case .preview(let preview) = layers.topInput { reveal(preview.target) }
    let viewport = listViewport
    // The entries of these lists are wrapped to the width of the screen.
    if let screen = list?.kind.screen, [.information, .help, .messages].contains(screen) {
      refreshList()
    }
    layers.adaptLists(to: viewport)
  }

  /// Lays the page out with the current size and settings. `old` are the previous options, or nil.
  mutating func relayout(like old: LayoutOptions? = nil) {
    guard let view else { return }
    relayout(layoutOptions(for: view, like: old))
  }

  /// Lays the page out with other options; the same text stays selected.
  mutating func relayout(_ options: LayoutOptions) {
    detachSelection()
    guard var view else { return }
    view.relayout(options, height: bodyHeight)
    self.view = view
    refreshMatches()
    attachSelection()
  }

  /// Returns the current layout options of the page on the screen; `old` are its previous options,
  /// or nil.
  func layoutOptions(for view: PageView, like old: LayoutOptions? = nil) -> LayoutOptions {
    layoutOptions(
      for: view.page, like: old ?? view.options, gutterWidth: view.gutterWidth, values: view.values)
  }

  /// Returns the layout options of a page on this screen.
  /// - Parameters:
  ///   - page: The page.
  ///   - old: The previous layout options, or nil.
  ///   - gutterWidth: The number of columns at the left that are not for the page.
  ///   - values: The form values.
  /// - Returns: The options.
  func layoutOptions(
    for page: Page, like old: LayoutOptions? = nil, gutterWidth: Int = 0,
    values: FormValues = FormValues()
  ) -> LayoutOptions {
    let width = min(max(20, size.columns), 500)
    var options = LayoutOptions(
      width: max(20, width - gutterWidth), textWidth: min(settings.textWidth, max(20, width - 2)))
    options.isCentered = !settings.isLinear
    options.isLinear = settings.isLinear
    options.isASCII = glyphs.isASCII
    options.substitution = substitution
    options.widths = displayWidth
    options.foldsNavigation = true
    options.foldsDetails = true
    options.toggledFolds = old?.toggledFolds ?? initiallyToggledFolds(on: page)
    options.bidiOrdering = bidi
    options.makesImagesTargets = true
    options.hidesImages = appearance.images == .hidden
    options.imageSpace = imageSpace(on: page, width: options.width, like: old)
    options.wrapsCode = appearance.wrapsCode
    options.highlightsCode = settings.highlightsCode
    options.recordsSources = true
    options.linkNumbers = appearance.showsLinkNumbers ? .numbers : .none
    if appearance.showsLinkNumbers {
      let document = page.document
      options.linkTargets = document.links.indices.map {
        displayURL(document.url(ofLink: $0) ?? document.links[$0].target)
      }
    }
    options.linkStatuses = old?.linkStatuses ?? []
    options.notice = scriptNotice(on: page)
    options.controlAppearances =
      FieldText(
        forms: page.document.forms, values: values, widths: displayWidth, glyphs: glyphs,
        fitsContent: settings.isLinear, maxWidth: min(options.textWidth, options.width - 2)
      ).fields
    return options
  }
}

extension Browser {
  /// Returns the folds that are toggled when a page is opened: its comments, if the user prefers
  /// them open on this site.
  private func initiallyToggledFolds(on page: Page) -> Set<Int32> {
    guard let fold = page.document.commentsFoldNumber, choices.opensComments(of: page.url.text)
    else {
      return []
    }
    return [fold]
  }

  /// Returns the text above a page that shows nothing without scripts: the reason and the
  /// alternatives. Empty for other pages.
  private func scriptNotice(on page: Page) -> String {
    guard page.needsScripts else { return "" }
    let reader =
      page.hidesText ? "\(keyName(of: .readerView)) shows the text of its embedded data, " : ""
    let renderAdvice = page.url.isWebURL ? ":render renders it in a browser, " : ""
    let message = page.scriptMessage
    return message.prefix(1).uppercased() + message.dropFirst() + ". "
      + "\(reader)\(renderAdvice)\(keyName(of: .outside)) opens the page in another program."
  }
}
