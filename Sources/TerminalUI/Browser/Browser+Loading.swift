import Commands
import DOM
import Configuration
import Feeds
import Library
import Foundation
import Document
import ReaderMode
import Layout
import OfflineCache
import Pages
import Reader

extension Browser {
  /// Begins to load a page; the one on the screen stays until it is loaded.
  mutating func load(_ request: LoadRequest, purpose: Load.Purpose) -> [Effect] {
    let effects = stopLoading()
    list = nil
    return effects + [.load(loading.begin(request, for: purpose, at: now), request)]
  }

  /// Reloads the page, or shows a newer version that has already been received.
  /// - Parameter isConfirmed: Whether the user agreed to send form data again.
  /// - Returns: The resulting effects.
  mutating func reload(isConfirmed: Bool = false) -> [Effect] {
    guard let view else {
      if loading.load == nil, let effects = loadUnloadedPage() { return effects }
      guard let request = loading.load?.request ?? startRequest else { return openList(.library) }
      return load(request, purpose: .newEntry)
    }
    if let newerPage = opening.revalidation.newerPage {
      showNewer(newerPage, insteadOf: view.page)
      return findSavedLinks()
    }
    guard !view.page.url.hasScheme("stdin") else {
      notify("standard input cannot be read again")
      return []
    }
    if view.page.sentForm != nil, !isConfirmed {
      let message = "This page is the response to a form. Send the form again?"
      showQuestion(Question(text: message, action: .resendRequest))
      return []
    }
    if isOffline, let url = savableURL { return [.enqueue([url], from: nil)] }
    var options = loading.options
    options.isReload = true
    // To sign in, the server's challenge is needed, so the saved copy must not be shown before it.
    if view.page.provenance.source == .saved(.status(401)) {
      options.fallbackDelay = max(options.fallbackDelay, options.firstByteTimeout)
    }
    let effects = load(
      LoadRequest(
        view.page.requestedURL, origin: opening.origin, options: options, view: view.page.view,
        content: view.page.sentForm),
      purpose: .replace)
    loading.recordRequest(for: loading.load?.id, from: view.position)
    return effects
  }

  /// The URLs of the page that is being opened or reloaded, and of the page whose revalidation is
  /// pending while its saved copy is shown. On quitting they are queued, to be fetched by the next
  /// sync.
  var awaitedURLs: [DocumentAddress] {
    guard !isOffline else { return [] }
    var isWaiting = loading.load?.purpose == .replace
    if case .awaited = opening.revalidation {
      isWaiting = isWaiting || isAwaitingResponse
    }
    let opened = loading.load.flatMap { load in
      load.purpose == .newEntry && load.firstScreens == nil
        ? load.request.webURL.map { DocumentAddress($0) } : nil
    }
    return [opened, isWaiting ? savableURL : nil].compactMap(\.self)
  }

  /// Returns whether the user still waits for the response of a load: a key requested it, the
  /// reading position has not changed since, and no other layer is over the page.
  private func isAwaited(_ id: LoadID) -> Bool {
    loading.isRequested(id, at: view?.position) && layers.top == .page
  }

  /// Switches between the whole page and reader view.
  mutating func toggleReaderView() -> [Effect] {
    guard let page = view?.page, page.hasReaderView else {
      notify("this page has only one view")
      return []
    }
    return showInView(page, as: page.view == .page ? .reader(ReaderOptions()) : .page)
  }

  /// Switches between the page and its source.
  mutating func toggleSource() -> [Effect] {
    guard let page = view?.page, page.content != nil else {
      notify("this page has no separate source")
      return []
    }
    return showInView(page, as: page.view == .source ? .page : .source)
  }

  /// Shows the page in another view. If that view is being created already, this is cancelled: the
  /// same key switches between the two views.
  private mutating func showInView(_ page: Page, as view: PageViewMode) -> [Effect] {
    let pending = loading.load.flatMap { $0.purpose == .view ? $0.request.view : nil }
    let effects = stopLoading()
    guard pending != view else { return effects }
    let request = LoadRequest(page.requestedURL, origin: opening.origin, view: view)
    return effects + [.changeView(loading.begin(request, for: .view, at: now), page, view)]
  }

  /// Handles the report of a load.
  mutating func handle(_ event: LoadEvent, of id: LoadID) -> [Effect] {
    if let effects = handleFile(event, of: id) { return effects }
    if let index = tabs.index(awaiting: id) { return handle(event, of: id, ofTabAt: index) }
    let previousSource = provenance?.source
    let load = loading.load.flatMap { $0.id == id ? $0 : nil }
    if load != nil || opening.revalidation == .awaited(id),
      let target = load?.request.target ?? view?.page.url.text
    {
      queue.recordOutcome(event, of: target)
    }
    let effects = process(event, of: id)
    // The page on the screen may have become a saved copy, whose links need marks.
    guard loading.load == nil, provenance?.source != previousSource else { return effects }
    adaptToBannerHeight()
    return effects.contains(where: \.isSavedLinkLookup) ? effects : effects + findSavedLinks()
  }

  /// Handles the report of the current load, which is deferred while the user is typing or
  /// selecting, or of the background revalidation of a page on the screen or in the history.
  private mutating func process(_ event: LoadEvent, of id: LoadID) -> [Effect] {
    if let load = loading.load, load.id == id {
      guard !isInputUnfinished || !event.mustBeDeferred(after: load.deferredEvents) else {
        loading.deferEvent(event)
        return []
      }
      return handle(event, of: load)
    }
    switch event {
    case .loaded(let page) where page.isPartial: return showPart(page, of: id)
    case .progressed, .asking, .offered, .began, .loaded: break
    case .newer(let page) where opening.revalidation == .awaited(id) && isAwaited(id):
      showNewer(page, insteadOf: view?.page)
      showPageNotices(page)
      return findSavedLinks()
    case .newer(let page):
      if opening.revalidation == .awaited(id) {
        opening.revalidation = .received(page)
        adaptToBannerHeight()
      }
      history.update(waitingFor: id) { $0.opening.revalidation = .received(page) }
    case .checked(let provenance):
      if opening.revalidation == .awaited(id) {
        view?.update(provenance: provenance)
        opening.revalidation = .none
        if isAwaited(id), provenance.lastCheck?.failure == nil { notifyNothingNewer() }
        adaptToBannerHeight()
      }
      history.update(waitingFor: id) { $0.page?.provenance = provenance }
    case .failed:
      if opening.revalidation == .awaited(id) { opening.revalidation = .none }
    }
    return []
  }

  /// Whether the user is filling in a field, selecting a choice, answering a question, typing a
  /// search text, a command that may act on the page, the letter of a mark or the label of a link,
  /// selecting text, or viewing a preview or an image. A loaded page must not interrupt that;
  /// otherwise the next keys would run as commands, or the input would apply to another page.
  private var isInputUnfinished: Bool {
    let layers = layers.belowHelp
    switch layers.topInput {
    case .question, .hints, .selection, .bookmarkLetter(.setBookmark), .preview, .fullScreenImage:
      return true
    case .prompt(let prompt):
      switch prompt.kind {
      case .formField, .find, .shell(isPipe: true), .commandLine: return true
      default: break
      }
    default: break
    }
    if case .choices? = layers.list?.kind { return true }
    return false
  }

  /// Handles the results of a load that were deferred because the user was typing or selecting
  /// (`isInputUnfinished`), once that has ended.
  mutating func showDeferredPage() -> [Effect] {
    guard loading.load?.deferredEvents.isEmpty == false, !isInputUnfinished,
      let (id, events) = loading.removeDeferredEvents()
    else { return [] }
    var effects: [Effect] = []
    for event in events { effects += handle(event, of: id) }
    return effects
  }

  /// Handles the report of the current load.
  private mutating func handle(_ event: LoadEvent, of load: Load) -> [Effect] {
    var load = load
    if load.purpose == .newEntry, let file = OfferedFile(event, of: load.request) {
      offer(file, by: load)
      return []
    }
    if load.purpose == .openInProgram {
      if let attachment = event.loadedPage?.attachment { return open(attachment) }
      load.purpose = .newEntry
    }
    switch event {
    case .progressed, .asking, .offered:
      loading.record(event)
      return []
    case .began(let page):
      showFirstScreens(page, by: load)
      return []
    case .loaded(let page) where page.isWithoutContent && load.purpose == .newEntry && view != nil:
      loading.endLoad()
      notify(page.noContentText)
      askAboutResponse(page, isReload: false)
    case .loaded(let page), .newer(let page):
      loading.endLoad()
      showLoadedPage(loading.labeled(page, openedBy: load), by: load)
      if let first = load.firstScreens { continueFromFirstScreens(from: first) }
    case .failed(let error, let explanation)
    where load.request.content != nil && view != nil && explanation.attachment == nil
      && !explanation.isPartial:
      loading.endLoad()
      // The buffered input was intended for the response page, which will not be shown.
      load.bufferedInput = []
      reportSubmissionFailure(error)
    case .failed(_, let explanation): showExplanation(explanation, by: load)
    case .checked: loading.endLoad()
    }
    return findSavedLinks() + load.bufferedInput.flatMap { handle($0) }
  }

  private mutating func showExplanation(_ explanation: Page, by failedLoad: Load) {
    loading.endLoad()
    var load = failedLoad
    // The page on the screen stays one step back, unless it is an explanation page, too.
    if [.replace, .savedVersion].contains(load.purpose), explanation.attachment == nil,
      view?.page.provenance.source != .explanation
    {
      load.purpose = .newEntry
    }
    showLoadedPage(explanation, by: load)
  }

  /// Shows the error response of the server as the page, after the user cancelled the request to a
  /// web archive that followed it.
  mutating func showReceivedResponse(of load: Load) -> [Effect] {
    guard load.queriedArchiveHost != nil, let first = load.firstScreens else { return [] }
    showLoadedPage(first.page, by: load)
    continueFromFirstScreens(from: first)
    return findSavedLinks()
  }

  /// The pending revalidation of the saved copy on the screen; nil if there is none.
  var awaitedRevalidationID: LoadID? {
    guard case .awaited(let id) = opening.revalidation, isAwaitingResponse else { return nil }
    return id
  }

  /// Cancels the revalidation of a page whose saved copy is on the screen; nil if none is pending.
  mutating func cancelRevalidation() -> [Effect]? {
    guard let id = awaitedRevalidationID, let provenance = view?.page.abandonedProvenance else {
      return nil
    }
    view?.update(provenance: provenance)
    opening.revalidation = .none
    adaptToBannerHeight()
    return [.cancelLoad(id)]
  }

  /// Cancels the revalidations of the saved copies on the screen and in its history.
  mutating func cancelAwaitedRevalidations() -> [Effect] {
    (cancelRevalidation() ?? []) + history.cancelAwaitedRevalidations().map(Effect.cancelLoad)
  }

  /// Shows the page that a load has loaded, in the way that the purpose of the load determines.
  mutating func showLoadedPage(_ page: Page, by load: Load) {
    layers.closeInputs { $0.dependsOnPage }
    // The count may be the beginning of the number of a link on the page that was on the screen.
    if view != nil, load.firstScreens == nil { count = nil }
    switch load.purpose {
    case .newEntry, .openInProgram: showNewEntry(page, by: load)
    case .replace:
      let isAwaited = isAwaited(load.id)
      replacePage(with: page, refresh: .awaited(load.id))
      // The page may be a saved copy that is shown until the response is received.
      loading.recordRequest(for: isAwaited ? load.id : nil, from: view?.position)
      reportReloadFailure(of: page)
    case .savedVersion: showVersion(page, by: load)
    case .view:
      let oldViewMode = view?.page.view
      replacePage(with: page, refresh: opening.revalidation)
      let preferenceSite = oldViewMode == .source ? nil : storeViewPreference(viewOf: page)
      notify(viewChangeNotice(for: page, preferenceSite))
      return
    case .historyMove(let steps):
      recordPositionIfChanged()
      let target = history.entry(after: steps)
      if let view { history.move(by: steps, from: historyEntry(of: view)) }
      openLoadedPage(
        page, as: makeOpening(by: load, from: target?.opening.list, target?.opening.sequence),
        formValues: target?.formValues)
      if let target { restorePosition(target.position) }
    case .unloadedEntry(let entry): showResumedPage(page, entry, by: load)
    }
    if page.provenance.source == .saved(.requested), versions.knownVersions(of: page.url) == nil {
      additionalEffects.append(.listVersions(of: page.url))
    }
    showPageNotices(page)
    askAboutResponse(page, isReload: load.request.options.isReload)
  }

  private mutating func showNewEntry(_ page: Page, by load: Load) {
    recordPositionIfChanged()
    if let view { history.push(historyEntry(of: view)) }
    let sequence = load.sequence ?? opening.sequence?.moved(to: page.url)
    openLoadedPage(page, as: makeOpening(by: load, from: load.list, sequence))
    showFragment(of: page)
    if let match = load.partMatch { showFoundPart(match) } else { continueReading(of: page) }
    // The rest of the page follows, and replaces the part unless the user has moved.
    if page.isArriving { loading.recordRequest(for: load.id, from: view?.position) }
  }

  /// Reports why a reloaded page is still the saved copy. If no server was reached, the page is
  /// queued.
  private mutating func reportReloadFailure(of page: Page) {
    guard case .saved(let reason) = page.provenance.source, reason != .waiting,
      page.signIn == nil
    else { return }
    if reason.isNetworkFailure, let url = savableURL {
      additionalEffects.append(.enqueue([url], from: nil))
    }
    reportError("not reloaded: \(reason.text)")
  }

  /// Asks for a user name if the server requires authentication; on a saved copy, only after a
  /// reload. Otherwise, asks about a cookie that the response to a form set.
  private mutating func askAboutResponse(_ page: Page, isReload: Bool) {
    guard let question = page.signIn else {
      inputHistory.forgetUser()
      if let site = page.cookieSite, layers.topInput == nil {
        showQuestion(Question(cookiesOf: site, separator: glyphs.separator))
      }
      return
    }
    if case .saved = page.provenance.source, !isReload { return }
    // Other input must not be interrupted.
    guard layers.topInput == nil else { return }
    let last = inputHistory.consumeUser(for: question)
    openPrompt(.userName(question, isAgain: last != nil), text: last ?? "")
  }

  /// Stores the view of a page as the preference for its site, or removes the preference if the
  /// settings already have this view.
  /// - Returns: The site whose preference differs from the settings; nil if there is none.
  private mutating func storeViewPreference(viewOf page: Page) -> String? {
    guard page.view != .source, page.document.readerFacts?.notice == nil,
      let site = Choices.site(of: page.url.text)
    else { return nil }
    let view: ReadingPreference.View = page.view == .page ? .page : .reader
    let isUsual = view == ReadingPreference.view(of: page.url.text, settings.readingPreferences)
    let choice = Choices.Choice.view(isUsual ? nil : view, site: site)
    choices.apply(choice)
    additionalEffects.append(.storeChoice(choice))
    return isUsual ? nil : site
  }

  /// Returns the notice after a change of the view.
  /// - Parameters:
  ///   - page: The page.
  ///   - site: The site whose preference differs from the settings, or nil.
  /// - Returns: The text of the notice.
  private func viewChangeNotice(for page: Page, _ site: String?) -> String {
    if page.view == .source { return "source; \(keyName(of: .source)): page" }
    let key = keyName(of: .readerView)
    let facts = page.document.readerFacts
    if let note = facts?.notice { return note }
    if let site {
      let view = facts == nil ? "whole page" : "reader view"
      return "\(view) for all of \(displayURL(site)) \(choiceDurationText); \(key) undoes it"
    }
    guard let facts else { return "whole page; \(key): reader view" }
    return "reader view, \(DateTexts.countText(facts.readingMinutes, "minute")); \(key): whole page"
  }

  /// Shows a notice about a loaded page: an error status, the warnings of the page that were not
  /// shown for the page before, hidden text, or an opening position below the top.
  private mutating func showPageNotices(_ page: Page) {
    var parts: [String] = []
    if let status = page.errorStatus {
      let wait = page.waitText(now: now).map { "; " + $0 } ?? ""
      parts.append("the server returned \(status)\(wait)")
    }
    if let variant = page.savedVariant, page.errorStatus != nil {
      parts.append(
        "\(displayURL(variant)) is saved: press \(keyName(of: .openURL)) and enter that URL")
    }
    parts += notices.newNotices(of: page.notices)
    guard parts.isEmpty else {
      reportError(parts.joined(separator: glyphs.separator))
      return
    }
    if let note = page.document.readerFacts?.notice {
      notify(note)
    } else if page.hidesText, page.view == .page {
      notify("this page needs JavaScript; \(keyName(of: .readerView)) shows its text")
    } else if notice == nil, let view, view.topLine > 0, view.topLine == view.initialTopLine {
      let lines = DateTexts.countText(view.topLine, "line")
      notify("the page opens at its text, below \(lines); \(keyName(of: .top)): top")
    }
  }

  /// Shows the page of a tab that was dropped from memory, at its previous position.
  private mutating func showResumedPage(_ page: Page, _ entry: HistoryEntry, by load: Load) {
    openLoadedPage(
      page, as: makeOpening(by: load, from: entry.opening.list, entry.opening.sequence),
      formValues: entry.formValues)
    var position = entry.position
    if let anchor = entry.anchor { position.source = anchor.offset(in: page.document) }
    restorePosition(position)
  }

  /// Shows the notices about a page that was loaded in the background, when it is first shown.
  mutating func showArrivalNotices(_ page: Page) {
    showPageNotices(page)
    askAboutResponse(page, isReload: false)
  }

  private func makeOpening(
    by load: Load, from list: ListScreen?, _ sequence: ReadingSequence?
  ) -> Opening {
    Opening(
      origin: load.request.origin, revalidation: .awaited(load.id), list: list, sequence: sequence)
  }

  /// Makes a page the one on the screen, at its top, and begins the lookups for it.
  private mutating func openLoadedPage(
    _ page: Page, as opening: Opening, formValues: FormValues.TransferableValues? = nil
  ) {
    openedPageCount += 1
    let number = openedPageCount
    unloadedEntry = nil
    self.opening = opening
    self.opening.pageNumber = number
    tabs.needsSaving = true
    // A comparison in progress belongs to the previous page.
    versions.abandonComparison()
    pageSearch.clearMatches()
    readingPositions.recordJumpOrigin(from: nil)
    listData.unhide(page: page.url.text)
    let values = FormValues(
      formValues ?? FormValues.TransferableValues(visitNumber: number), in: page.document.forms)
    view = PageView(page: page, options: layoutOptions(for: page, values: values), values: values)
    adaptToBannerHeight()
    findVisitedLinks()
    findHighlights()
    findSequence()
  }

  /// Replaces the page on the screen by another version or view, at the same text.
  mutating func replacePage(with page: Page, refresh: Revalidation) {
    var opening = opening
    (opening.revalidation, opening.hasArrived) = (refresh, false)
    guard let old = view else { return openLoadedPage(page, as: opening) }
    var position = old.correspondingPosition(in: page.document)
    let links = page.document.links
    if let focus = old.focus?.linkIndex,
      !links.indices.contains(Int(focus))
        || links[Int(focus)] != old.page.document.links[Int(focus)]
    {
      position.focus = nil
    }
    let (forms, newForms) = (old.page.document.forms, page.document.forms)
    if old.focusedControl != nil, forms.controls.map(\.name) != newForms.controls.map(\.name) {
      position.focus = nil
    }
    openLoadedPage(page, as: opening, formValues: old.values.transferableValues(of: forms))
    restorePosition(position)
  }

  mutating func restorePosition(_ position: ReadingPosition) {
    let height = bodyHeight
    view?.restore(position, height: height)
    refreshMatches()
  }

  /// Adapts positions after the number of the banner's rows may have changed.
  mutating func adaptToBannerHeight() {
    let height = bodyHeight
    view?.clampTop(height: height)
    let viewport = listViewport
    list?.move(by: 0, viewport: viewport)
  }

  // MARK: History

  /// Returns the history entry for the page on the screen.
  func historyEntry(of view: PageView) -> HistoryEntry {
    var entry = HistoryEntry(page: view.page, opening)
    entry.position = view.position
    entry.formValues = view.values.transferableValues(of: view.page.document.forms)
    return entry
  }

  /// Goes back (negative) or forward in the history, and restores the reading position.
  mutating func moveInHistory(by steps: Int) -> [Effect] {
    let originList = steps == -1 ? opening.list : nil
    guard let view, let target = history.entry(after: steps) else {
      if let originList { return reopenList(originList) }
      // The session began with the library.
      if steps < 0, startRequest == nil { return openList(.library) }
      notify(steps < 0 ? "no page to go back to" : "no page to go forward to")
      return []
    }
    guard let page = target.page else {
      // The page was dropped from memory: a saved copy is sufficient, whatever its age.
      var options = loading.options
      if options.mode == .networkFirst { options.mode = .cacheFirst }
      let request = LoadRequest(
        target.url, origin: target.opening.origin, options: options, view: target.view)
      // The list is available at once; the page below it stays as it is, and the next step back
      // leaves it.
      if let originList {
        opening.list = nil
        return reopenList(originList)
      }
      return load(request, purpose: .historyMove(steps))
    }
    let effects = stopLoading()
    recordPositionIfChanged()
    let currentEntry = historyEntry(of: view)
    history.move(by: steps, from: currentEntry)
    // Another position on the same page keeps the current form values.
    let isSame = currentEntry.formValues.visitNumber == target.formValues.visitNumber
    openLoadedPage(
      page, as: target.opening, formValues: isSame ? currentEntry.formValues : target.formValues)
    restorePosition(target.position)
    return effects + findSavedLinks() + (originList.map { reopenList($0) } ?? [])
  }

  /// Reopens the list from which a page was opened, with its selection and position.
  private mutating func reopenList(_ list: ListScreen) -> [Effect] {
    self.list = list
    return reloadList()
  }

  /// Looks up which links lead to pages that were read.
  mutating func findVisitedLinks() {
    guard let page = view?.page, !page.document.links.isEmpty else { return }
    additionalEffects.append(
      .findVisitedLinks(
        pageNumber: opening.pageNumber, page.document, [page.url, page.requestedURL]))
  }

  /// Whether marks show which links are saved: with link status on, in linear mode, or on a saved
  /// copy that the user did not request explicitly.
  var showsLinkMarks: Bool {
    if appearance.showsLinkStatus || settings.isLinear { return true }
    guard case .saved(let reason) = provenance?.source else { return false }
    return reason != .requested
  }

  /// Returns an effect that looks up which links are saved, if their marks are shown.
  func findSavedLinks() -> [Effect] {
    guard let page = view?.page, showsLinkMarks else { return [] }
    let urls = page.document.links.indices.compactMap { page.document.url(ofLink: $0) }
    return urls.isEmpty ? [] : [.findSavedLinks(of: page.url, urls)]
  }
}

extension Effect {
  /// Whether the effect looks up which links are saved.
  fileprivate var isSavedLinkLookup: Bool { if case .findSavedLinks = self { true } else { false } }
}

extension LoadEvent {
  /// The loaded page, or the explanation of a failure; nil for other events.
  fileprivate var loadedPage: Page? {
    switch self {
    case .loaded(let page), .newer(let page), .failed(_, explanation: let page): page
    case .began, .progressed, .asking, .offered, .checked: nil
    }
  }

  /// Returns whether the event waits until the user has stopped typing or selecting: it shows
  /// another page, or belongs to a load with an event that waits already.
  /// - Parameter arrivals: The events of the same load that wait already.
  /// - Returns: Whether the event waits.
  fileprivate func mustBeDeferred(after arrivals: [LoadEvent]) -> Bool {
    switch self {
    case .began, .loaded, .newer, .failed: true
    case .checked: !arrivals.isEmpty
    case .progressed, .asking, .offered: false
    }
  }
}
