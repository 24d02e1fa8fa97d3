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
    let effects = respond(message) + showDeferredPage()
    // The banner may have another number of rows, also because time has passed.
    if bodyHeight != height { bannerChanged() }
    askWhereToSave()
    wantImages()
    if tabs.isChanged, case let saved = savedTabs, tabs.write(saved) {
      outbox.append(.saveTabs(saved))
    }
    defer { outbox = [] }
    return outbox + effects
  }

  private mutating func respond(_ message: Message) -> [Effect] {
    switch message {
    case .started:
      return (start.map { load($0, purpose: .visit) } ?? open(.library)) + [.recallTabs]
    case .clock(let date):
      now = date
      // The screen is drawn between two clock messages, so the question has been drawn by now.
      if case .question(var question) = layers.input, !question.isShown {
        question.isShown = true
        ask(question)
      }
      announceProgress()
      if hasUnwrittenPosition, readingPositions.isIdle(at: now) { recordPosition() }
    case .input(let event):
      readingPositions.recordInput(at: now)
      return handle(event)
    case .resized(let size, let cell): resize(to: size, cell: cell)
    case .idle: if finding.isSearching { continueFinding() } else { view?.grow() }
    case .load(let id, let event) where handlePreview(event, of: id): break
    case .load(let id, let event):
      if case .loaded = event { images.forgetFailures() }
      return queue.effects(of: event) + handle(event, of: id)
    case .queue(.waiting(let count)): queue.set(waitingCount: count)
    case .queue(.arrived(let count)):
      notify(DateTexts.count(count, "queued page") + " arrived")
      return libraryChanged()
    case .queue(.hookFailed(let count, let reason)):
      notify(
        "the read hook failed for \(DateTexts.count(count, "item")), and is called again later: "
          + SafeText.line(reason), isError: true)
    case .savedLinks(let url, let saved, let queued): showStatus(saved, queued, of: url)
    case .visitedLinks(let arrival, let links):
      if arrival == opening.number { view?.visited = links }
    case .drawn(let query, let outcome): images.record(outcome, of: query)
    case .highlights(let arrival, let placed):
      if arrival == opening.number { view?.highlights = placed }
    case .sequence(let arrival, let sequence, let feed):
      if arrival == opening.number { (opening.found, opening.feed) = (sequence, feed) }
    case .collectionRemoval(let id, let name, let pages, let spared):
      askToRemove(collection: id, name, pages: pages, spared: spared)
    case .markedRead(let pages, let count, let feed): recordMarked(pages, count, of: feed)
    case .tags(let tags, let url): insert(tags: tags, of: url)
    case .listed(let contents): return handle(contents)
    case .versions(let versions): return handle(versions)
    case .compared(let id, let changes): process(changes, of: id)
    case .edited(let text, let control): setText(edited: text, control: control)
    case .download(let id, let event): return process(event, of: id)
    case .ready(let command): return [.run(command)]
    case .completed(let typed, let pages): handle(pages, for: typed)
    case .notice(let content, let isError): notify(content, isError: isError)
    case .libraryChanged: return queue.changed() + libraryChanged()
    case .recalled(let record): readingPositions.recall(record)
    case .lostTabs(let saved): restore(saved)
    case .settings(let reading): return handle(reading)
    case .foundBookmark(let letter, let record): return handle(record, for: letter)
    case .terminated(let signal): return quit(128 + signal)
    }
    return []
  }

  /// Reloads the library data on the screen: highlights, link marks and the open list.
  private mutating func libraryChanged() -> [Effect] {
    findHighlights()
    return findSavedLinks() + (list?.isOfLibrary == true ? reloadList() : [])
  }

  /// Stores pending state, and quits. After a signal, the open tabs are restored at the next start.
  mutating func quit(_ code: Int32) -> [Effect] {
    recordPosition()
    var saved = code == 0 ? nil : savedTabs
    saved?.isEnded = true
    let isOther = tabs.write(saved)
    let awaited = awaitedPagesOfTabs
    let message = [awaited.isEmpty ? "" : Self.exitMessage(awaited.count), exitMessageOfTabs]
      .filter { !$0.isEmpty }.joined(separator: "\n")
    return (isOther ? [.saveTabs(saved)] : [])
      + (awaited.isEmpty ? [] : [.enqueue(awaited, from: "")])
      + [.quit(code, message: code == 0 && !isPrivate ? message : "")]
  }

  /// Returns the exit message for pages whose servers have not responded yet.
  private static func exitMessage(_ count: Int) -> String {
    let pages =
      count == 1 ? "the page was not loaded; it is" : "\(count) pages were not loaded; they are"
    return "\(pages) queued for the next sync (offread list --queue)"
  }

  mutating func handle(_ event: InputEvent) -> [Effect] {
    withdrawQuitQuestion(at: event)
    if holds(event) {
      if !moveOnBeginning(event) { loading.hold(event) }
      return []
    }
    switch event {
    case .reply(let response):
      if graphics.handle(response, measured: cell) { relayout() }
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

  mutating func removeCount() -> Int? {
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
      if let focusedLine { return type(line, into: focusedLine) }
      // Text pasted on a page is probably a URL; Enter is left to the user.
      openPrompt(.open, text: line)
    case .hints, .letter, .question, .marking, .preview, .image: break
    }
  }

  private mutating func handle(_ mouse: InputEvent.Mouse) -> [Effect] {
    switch (mouse.action, layers.input) {
    case (_, .preview(let preview)): return carryOut(preview.closing)
    case (_, .image): layers.close()
    case (.wheelUp, nil): return perform(.lineUp, count: 3)
    case (.wheelDown, nil): return perform(.lineDown, count: 3)
    case (.click, nil), (.click, .hints):
      layers.close()
      if mouse.row == 0, !isMenuOpen, size.rows > 1 { return openMenu() }
      if list != nil { return click(listRow: mouse.row, column: mouse.column) }
      return click(row: mouse.row, column: mouse.column)
    default: break
    }
    return []
  }

  private mutating func resize(to size: Size, cell: ImageSize?) {
    self.size = Size(columns: max(1, size.columns), rows: max(1, size.rows))
    // The font may have changed.
    if cell != self.cell, graphics.isRequested { queryGraphics() }
    self.cell = cell
    relayout()
    relayoutBeginning()
    layers.close { $0.dependsOnLayout }
    let viewport = listViewport
    // The entries of these lists are wrapped to the width of the screen.
    if let screen = list?.kind.screen, [.information, .help, .messages].contains(screen) {
      refreshList()
    }
    layers.adaptLists(to: viewport)
  }

  /// Lays the page out with the current size and settings.
  mutating func relayout(like old: LayoutOptions? = nil) {
    guard let view else { return }
    relayout(layoutOptions(for: view, like: old))
  }

  /// Lays the page out with other options; a selection stays at its words.
  mutating func relayout(_ options: LayoutOptions) {
    detachMarking()
    guard var view else { return }
    view.relayout(options, height: bodyHeight)
    self.view = view
    refreshMatches()
    attachMarking()
  }

  /// Returns the current layout options of the page on the screen.
  func layoutOptions(for view: PageView, like old: LayoutOptions? = nil) -> LayoutOptions {
    layoutOptions(
      for: view.page, like: old ?? view.options, gutter: view.gutter, values: view.values)
  }

  /// Returns the layout options of a page on this screen.
  /// - Parameters:
  ///   - page: The page.
  ///   - old: The previous layout options, or nil.
  ///   - gutter: The number of columns at the left that are not for the page.
  ///   - values: The form values.
  /// - Returns: The options.
  func layoutOptions(
    for page: Page, like old: LayoutOptions? = nil, gutter: Int = 0,
    values: FormValues = FormValues()
  ) -> LayoutOptions {
    let width = min(max(20, size.columns), 500)
    var options = LayoutOptions(
      width: max(20, width - gutter), textWidth: min(settings.textWidth, max(20, width - 2)))
    options.isCentered = !settings.isLinear
    options.isLinear = settings.isLinear
    options.isASCII = glyphs.isASCII
    options.substitution = substitution
    options.widths = widths
    options.foldsNavigation = true
    options.foldsDetails = true
    options.toggledDetails = old?.toggledDetails ?? initiallyToggled(on: page)
    options.bidi = bidi
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
        shown(document.url(ofLink: $0) ?? document.links[$0].target)
      }
    }
    options.linkStatuses = old?.linkStatuses ?? []
    options.notice = notice(on: page)
    options.fields =
      FieldText(
        forms: page.document.forms, values: values, widths: widths, glyphs: glyphs,
        isLinear: settings.isLinear, width: min(options.textWidth, options.width - 2)
      ).fields
    return options
  }
}

extension Browser {
  /// Returns the folds that are toggled when a page is opened: its comments, if the user prefers
  /// them open on this site.
  private func initiallyToggled(on page: Page) -> Set<Int32> {
    guard let fold = page.document.commentsFold, choices.opensComments(of: page.url) else {
      return []
    }
    return [fold]
  }

  /// Returns the text above a page that shows nothing without scripts: the reason and the
  /// alternatives. Empty for other pages.
  private func notice(on page: Page) -> String {
    guard page.needsScripts else { return "" }
    let reader =
      page.hidesText ? "\(key(of: .readerView)) shows the text of its embedded data, " : ""
    let maker = page.url.isWebURL ? ":render renders it in a browser, " : ""
    let tokens = page.scriptMessage
    return tokens.prefix(1).uppercased() + tokens.dropFirst() + ". "
      + "\(reader)\(maker)\(key(of: .outside)) opens the page in another program."
  }
}
