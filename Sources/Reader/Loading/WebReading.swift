import LocalDocuments
import Pages
import Dispatch
import Foundation
import Document
import Exchange
import Formats
package import OfflineCache
import OfflineCacheURLSession
import ReaderMode
import Synchronization

/// The load of one page through the cache. It collects the content of the last response, creates a
/// page from it, and waits for the result of the background revalidation of a saved copy.
final class WebReading: Sendable {
  /// What is shown of a response before it is complete.
  private enum PartialDisplay {
    /// Nothing has been shown yet. The timing decides when the received part is shown; it is nil
    /// until content arrives, and for a page that cannot be shown in part.
    case awaited(ArrivalTiming?)
    /// The first screens or a part of the page were reported, or none must be reported.
    case ended
    /// The response is a file, and the user is asked where to save it.
    case offered
  }

  private struct State {
    /// The requested URL.
    let requestedURL: WebURL
    var collector: ResponseCollector
    var redirects: [LoadTrace.Redirect] = []
    var pace = ProgressPace(minByteCount: 1 << 16)
    var partialDisplay: PartialDisplay
    /// The page on the screen; nil until a page is reported.
    var shownPage: Page?
    /// The form content that was sent for the current response; nil after a redirect that changed
    /// POST to GET.
    var sent: FormContent?

    /// Whether the user is asked where to save the response.
    var isOffered: Bool { if case .offered = partialDisplay { true } else { false } }

    /// Ensures that nothing more is shown before the response is complete.
    mutating func endPartialDisplay() {
      if case .awaited = partialDisplay { partialDisplay = .ended }
    }

    /// Whether the response comes from the network and no copy of the page is saved.
    var isOnlyCopy: Bool {
      collector.response?.source == .network && collector.response?.olderVersions == 0
    }

    /// Whether the content is HTML or plain text, which can be displayed while it is received.
    var isReadableInParts: Bool {
      let type = MediaType(collector.response?.response.fields["Content-Type"])
      return type.isHTML || type.essence == "text/plain"
    }

    /// The URL of the response; the requested URL until the response begins.
    var url: WebURL { collector.url ?? requestedURL }

    /// The URL of the last request, which is the one that failed if the load failed.
    var failedURL: WebURL { collector.url ?? collector.redirectTarget ?? requestedURL }
  }

  private let assumedURL: WebURL
  /// The requested URL, with the scheme that was used if the user typed none.
  var requestedURL: WebURL { state.withLock(\.collector.otherScheme)?.url ?? assumedURL }
  var requested: String { requestedURL.description }
  let request: LoadRequest
  let options: LoadOptions
  let loader: PageLoader
  let load: PageLoad
  let cache: HTTPCache
  /// The URLs of the pages that led to this page by a refresh, in order.
  let refreshes: [DocumentAddress]
  /// The URL that was requested first, if a refresh of a response from the network led to this
  /// page; nil otherwise.
  private let firstURL: DocumentAddress?
  private let state: Mutex<State>

  /// Creates the load of an absolute URL for a request.
  init(
    _ request: LoadRequest, url: WebURL, loader: PageLoader, load: PageLoad, cache: HTTPCache,
    refreshes: [DocumentAddress] = [], firstURL: DocumentAddress? = nil,
    redirects: [LoadTrace.Redirect] = []
  ) {
    self.refreshes = refreshes
    self.firstURL = firstURL
    assumedURL = url
    self.request = request
    options = request.options
    self.loader = loader
    self.load = load
    self.cache = cache
    state = Mutex(
      State(
        requestedURL: url,
        collector: ResponseCollector(maxLength: request.options.maxRenderedSize),
        redirects: redirects,
        partialDisplay: loader.keepsContent ? .awaited(nil) : .ended, sent: request.content))
  }

  func start() {
    var options = options
    options.isUserEntered = true
    if case .link = self.request.origin { options.isFromPage = true }
    options.followsRefreshes =
      self.request.view != .source && options.copy == .latest
      && refreshes.count < PageNeeds.maxLevels
    options.maxSize = min(options.maxSize, options.maxRenderedSize)
    var request = WebRequest(url: requestedURL)
    request.fields.append("Accept", "text/html,application/xhtml+xml,text/*;q=0.9,*/*;q=0.5")
    if let content = self.request.content {
      request.method = "POST"
      request.body = content.bytes
      request.fields.append("Content-Type", content.mediaType)
      // Servers check the origin of a form (Fetch standard §3.1).
      if case .link(let page) = self.request.origin, let page = page.parsedURL {
        request.fields.append("Origin", page.isWeb ? page.origin : "null")
      }
    }
    load.setStop { [weak self] in self?.showPartOrCancel() }
    load.attach(cache.startInSession(request, options: options) { [self] in receive($0) })
  }

  private func receive(_ event: NavigationEvent) {
    guard !load.isCancelled, !state.withLock(\.collector.isTooLong) else { return }
    state.withLock { $0.collector.receive(event) }
    switch event {
    case .redirected(let url, _, let response):
      let redirect = LoadTrace.Redirect(
        url: DocumentAddress(url).withoutCredentials, status: response.response.status)
      state.withLock { state in
        state.redirects.append(redirect)
        // RFC 9110 §15.4.2 to §15.4.4.
        if [301, 302, 303].contains(redirect.status) { state.sent = nil }
      }
    case .response(let response, let url): offer(response, url: url)
    case .data:
      showProgress()
      watchArrival()
    case .finished(let stored): finish(stored)
    case .failed(let error): fail(error)
    case .refreshed: showNewer()
    case .checked(let check): showCheck(check)
    }
  }

  /// Reports a response that is a file to save, if the user can be asked for its location.
  private func offer(_ response: LoadedResponse, url: WebURL) {
    var isLink = false
    if case .link = request.origin { isLink = true }
    guard loader.keepsContent,
      let offer = FileOffer(
        response, url: SafeText.withoutCredentials(url.description), isLink: isLink)
    else { return }
    state.withLock { $0.partialDisplay = .offered }
    load.report(.offered(offer))
  }

  private func showProgress() {
    let progress: LoadEvent? = state.withLock { state in
      let count = state.collector.content.count
      guard !state.collector.isTooLong else {
        state.collector.dropContent()
        return nil
      }
      guard state.pace.shouldReport(count) else { return nil }
      let fields = state.collector.response?.response.fields
      let expected = fields?["Content-Length"].flatMap { Int($0) }
      return .progressed(received: count, expected: expected)
    }
    if let progress { load.report(progress) }
    showBeginning()
    guard state.withLock(\.collector.isTooLong) else { return }
    // A saved copy can exceed the limit as well.
    load.stopSession()
    fail(.transport(.tooLarge(limit: options.maxRenderedSize)))
  }

  /// Reports the first screens of a long saved page, whose content is completely available.
  private func showBeginning() {
    let found: (response: LoadedResponse, url: WebURL, bytes: [UInt8])? = state.withLock { state in
      let content = state.collector.content
      guard case .awaited = state.partialDisplay, content.count >= PageContent.longLength,
        let response = state.collector.response, response.stored != nil
      else { return nil }
      state.endPartialDisplay()
      return (response, state.url, content)
    }
    guard let found, let content = try? content(found.response, url: found.url, bytes: found.bytes)
    else { return }
    let page = page(found.response, url: found.url, length: found.bytes.count, content)
    if let beginning = loader.firstScreens(of: content, for: page) {
      load.report(.began(beginning))
    }
  }

  private func finish(_ stored: StoredResponse?) {
    guard let response = state.withLock(\.collector.response) else { return }
    let status = response.response.status
    let isUnavailable = [404, 410].contains(status) || (500..<600).contains(status)
    let result = outcome(stored, response)
    if let target = savedTarget(of: result, response) {
      return follow(target, from: result, isFresh: response.source == .fresh)
    }
    if let target = continuation(of: result, response) {
      return continueRedirects(to: target, from: result, response)
    }
    guard response.source == .network, isUnavailable, queriesArchives else {
      return load.report(result)
    }
    // The response of the server is shown while the archives are queried.
    if case .loaded(let page) = result { load.report(.began(page)) }
    queryArchives(reason: SavedReason(status: status)) { [load] in
      load.report(result.adding(notices: $0))
    }
  }

  /// Returns the event for a complete response: the page, or an error with its explanation.
  private func outcome(_ stored: StoredResponse?, _ response: LoadedResponse) -> LoadEvent {
    let (url, bytes, redirects) = state.withLock { ($0.url, $0.collector.content, $0.redirects) }
    if request.origin == .user { recordFirst(response, url: url, bytes: bytes) }
    do throws(ReaderError) {
      let content = try content(response, url: url, bytes: bytes)
      var page = filledPage(response, url: url, length: bytes.count, content)
      if let notice = response.otherScheme?.notice(for: page.url.text) {
        page.notices.append(notice)
      }
      if content.isCutOff, !content.isTruncated { page.notices.append(PageContent.cutOffNotice) }
      page.loadTrace = makeLoadTrace(of: response, stored, redirects)
      page.provenance.olderVersions = response.olderVersionCount(besides: stored)
      if response.source == .network, [404, 410].contains(page.status) {
        page.savedVariant = cache.savedVariant(of: url)?.description
      }
      page.cookieSite = undecidedCookieSite(url, of: page)
      if !page.document.forms.forms.isEmpty { page.formCookies = response.chain }
      if response.source == .network, let reason = stored?.rejectionReason, reason != .cutOff {
        page.provenance.rejection = SavedReason(reason)
      } else if response.source == .network, stored == nil, page.sentForm == nil {
        page.provenance.rejection = SavedReason(notSavedDueTo: cache.warning)
      }
      if page.needsScripts, let rendered = renderedBefore(insteadOf: page) { page = rendered }
      if let text = feedText(insteadOf: page) { page = text }
      show(page)
      if page.sentForm == nil { loader.recordRead(page) }
      return .loaded(page)
    } catch {
      if !loader.keepsContent, let page = feedText(insteadOf: error) { return .loaded(page) }
      let loadTrace = makeLoadTrace(of: response, stored, redirects)
      let explanation = explain(
        error, response, response.stored ?? stored, url: url, bytes: bytes, loadTrace)
      return .failed(error, explanation: explanation)
    }
  }

  /// Returns the first site of the redirect chain that set a cookie in response to a form and about
  /// whose cookies the user has not decided; nil if there is none. The question is repeated if the
  /// site asks for a password again, because a user who postponed the decision is not signed in.
  private func undecidedCookieSite(_ url: WebURL, of page: Page) -> String? {
    let hasPasswordField =
      page.provenance.source == .network
      && page.document.forms.controls.contains { $0.kind == .password }
    guard request.content != nil || hasPasswordField else { return nil }
    let steps = state.withLock(\.collector.redirects).map(\.url)
    return (steps + [url]).lazy.compactMap { self.cache.undecidedCookieSite(of: $0) }.first
  }

  /// Records the response to a URL that the user entered and that was not saved before, as it may
  /// come from a captive portal.
  private func recordFirst(_ response: LoadedResponse, url: WebURL, bytes: [UInt8]) {
    let steps = state.withLock(\.collector.redirects)
    guard (steps.first?.loadedResponse ?? response).olderVersions == 0,
      let first = FirstVisitResponse(
        requestedURL, through: steps, last: .init(url: url, response: response), content: bytes)
    else { return }
    loader.record(first, redirectChain: steps.map(\.url) + [url])
  }

  /// Returns the page that explains why a response cannot be shown as a page. If the response is
  /// not text, the page describes it and is recorded as the page on the screen.
  private func explain(
    _ error: ReaderError, _ response: LoadedResponse, _ stored: StoredResponse?, url: WebURL,
    bytes: [UInt8], _ loadTrace: LoadTrace
  ) -> Page {
    guard case .notText(_, let mediaType, let length, let problem) = error else {
      return loader.explain(error, url: url.description, for: request)
    }
    let provenance = Provenance(response, now: Date())
    var attachment = Attachment(url: url.description, mediaType: mediaType, length: length)
    attachment.suggestedName =
      ContentDisposition(response.response.fields["Content-Disposition"]).fileName
    if let stored, !stored.isSeed, stored.key == cache.key(of: url) {
      attachment.date = provenance.contentDate
      attachment.version = stored.id
    } else {
      attachment.content = bytes
    }
    let sentForm = state.withLock(\.sent)
    let attachmentPage = AttachmentPage(
      attachment: attachment, extractionProblem: problem, itemText: itemText(of: requested),
      keyNames: loader.keyNames)
    var page = attachmentPage.page(
      requestedURL: requestableURL(url, sentForm), provenance: provenance)
    page.status = response.response.status
    page.notices = loader.notices()
    page.sentForm = sentForm
    page.loadTrace = loadTrace
    show(page)
    return page
  }

  /// Records which page is on the screen.
  func show(_ page: Page) {
    state.withLock { state in
      state.shownPage = page
      state.collector.dropContent()
    }
  }

  private func makeLoadTrace(
    of response: LoadedResponse, _ stored: StoredResponse?, _ redirects: [LoadTrace.Redirect]
  ) -> LoadTrace {
    var loadTrace = LoadTrace()
    loadTrace.redirects = redirects
    loadTrace.version = (response.stored ?? stored)?.id
    loadTrace.fields = response.response.fields
    return loadTrace
  }

  /// Returns the URL that the page can be requested by: the final URL if a submitted form led to it
  /// by a redirect, otherwise the requested one.
  func requestableURL(_ url: WebURL, _ sent: FormContent?) -> DocumentAddress {
    let isRedirected = request.content != nil && sent == nil
    return (isRedirected ? DocumentAddress(url) : firstURL ?? DocumentAddress(requestedURL))
      .withoutCredentials
  }

  private func content(
    _ response: LoadedResponse, url: WebURL, bytes: [UInt8]
  ) throws(ReaderError) -> PageContent {
    let type = MediaType(response.response.fields["Content-Type"])
    let text = url.description
    if state.withLock(\.isOffered) {
      throw .notText(url: text, mediaType: type.essence, length: bytes.count)
    }
    do throws(PageContent.Problem) {
      var content = try PageContent(
        document: bytes, type: type, limit: options.maxRenderedSize,
        title: FileName(reference: text)?.text ?? "")
      content.refresh = response.response.fields["Refresh"]
      content.nextURL = LinkValue.nextURL(in: response.response.fields.values(of: "Link"), of: url)
      return content
    } catch {
      switch error {
      case .notText(let mediaType):
        throw .notText(
          url: text, mediaType: mediaType, length: bytes.count,
          reason: PDFText.extractionProblem(in: bytes))
      case .tooLarge: throw .tooLarge(url: text, .tooLarge(limit: options.maxRenderedSize))
      }
    }
  }

  /// Returns a page with its document.
  private func filledPage(
    _ response: LoadedResponse, url: WebURL, length: Int, _ content: PageContent
  ) -> Page {
    var page = page(response, url: url, length: length, content)
    page.notices = loader.notices() + content.notices
    page.content = loader.contentToKeep(content, url: page.url)
    page.document = content.document(url: page.url.text, view: page.view)
    page.findHiddenText()
    if !page.document.notice.isEmpty { page.notices.append(page.document.notice) }
    return page
  }

  // MARK: Incomplete responses

  /// Ensures that the received part of a page that is not saved is shown if no content arrives for
  /// the fallback delay, or if content has been arriving for twice as long. A reload keeps the page
  /// on the screen.
  private func watchArrival() {
    let delay: TimeInterval? = state.withLock { state in
      guard case .awaited(let arrival) = state.partialDisplay else { return nil }
      if var arrival {
        arrival.lastContentTime = .now
        state.partialDisplay = .awaited(arrival)
        return nil
      }
      guard !options.isReload, state.isOnlyCopy else { return nil }
      let newArrival = ArrivalTiming(fallbackDelay: options.fallbackDelay)
      state.partialDisplay = .awaited(newArrival)
      return newArrival.pause
    }
    if let delay { examineArrival(after: delay) }
  }

  private func examineArrival(after delay: TimeInterval) {
    DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in
      self?.examineArrival()
    }
  }

  private func examineArrival() {
    let decision: ArrivalTiming.Decision? = state.withLock { state in
      guard !load.isCancelled, case .awaited(var arrival?) = state.partialDisplay,
        state.collector.result == nil
      else { return nil }
      defer { state.partialDisplay = .awaited(arrival) }
      return arrival.decide(
        at: .now, length: state.collector.content.count, isReadableInParts: state.isReadableInParts)
    }
    switch decision {
    case nil: break
    case .wait(let seconds): examineArrival(after: seconds)
    case .show(let minTextLength):
      guard var page = partialPage(), page.document.text.count >= minTextLength else {
        return examineArrival(after: ArrivalTiming(fallbackDelay: options.fallbackDelay).pause)
      }
      let isLoading = state.withLock { state in
        state.endPartialDisplay()
        return state.collector.result == nil
      }
      page.isArriving = true
      if isLoading { load.showPart(page) }
    }
  }

  /// Shows the part that was received when the user stops the load, and cancels the load.
  private func showPartOrCancel() {
    let isLoading = state.withLock { state in
      state.endPartialDisplay()
      return state.collector.result == nil
    }
    if isLoading, state.withLock(\.isOnlyCopy), let page = partialPage() {
      load.report(.loaded(page))
    }
    load.cancel()
  }

  /// Returns the received part of an incomplete response as a page; nil if it has no text, or if
  /// the response does not come from the network.
  private func partialPage() -> Page? {
    let (response, url, bytes, redirects, isOffered) = state.withLock {
      ($0.collector.response, $0.url, $0.collector.content, $0.redirects, $0.isOffered)
    }
    guard !isOffered, !bytes.isEmpty, let response, response.source == .network,
      let content = try? content(response, url: url, bytes: bytes)
    else { return nil }
    var page = filledPage(response, url: url, length: bytes.count, content)
    guard !page.document.isWithoutText else { return nil }
    page.provenance.rejection = .failure(.incomplete)
    page.loadTrace = makeLoadTrace(of: response, nil, redirects)
    return page
  }

  /// Returns a page with everything but its document.
  private func page(
    _ response: LoadedResponse, url: WebURL, length: Int, _ content: borrowing PageContent
  ) -> Page {
    let shown = DocumentAddress(url).withoutCredentials
    let sent = state.withLock(\.sent)
    var page = Page(
      requestedURL: requestableURL(url, sent), url: shown, document: Document(),
      provenance: Provenance(response, now: Date()), mediaType: content.mediaType, length: length,
      status: response.response.status, signIn: SignIn(response.question),
      view: loader.view(of: shown, for: request))
    page.sentForm = sent
    return page
  }

  private func fail(_ error: LoadError) {
    guard case .transport(let failure) = error, failure.kind.facts.mayBeArchived,
      queriesArchives
    else {
      return fail(error, notices: [])
    }
    queryArchives(reason: .failure(failure.kind)) { [self] in fail(error, notices: $0) }
  }

  private func fail(_ error: LoadError, notices: [String]) {
    let url = state.withLock { $0.url.description }
    var failedURL = url
    var partial: Page?
    if case .transport(let failure) = error {
      failedURL = state.withLock { $0.failedURL.description }
      if [.incomplete, .timedOut, .undecodable].contains(failure.kind) { partial = partialPage() }
      partial?.provenance.isContentSaved = failure.isContentSaved
      if let partial { show(partial) }
    }
    let error: ReaderError =
      if case .transport(let failure) = error, failure.kind == .tooLarge {
        .tooLarge(
          url: failedURL, failure, isSavable: failure == .tooLarge(limit: options.maxRenderedSize))
      } else {
        ReaderError(
          error, url: failedURL, options: options, method: request.content == nil ? "GET" : "POST")
      }
    if let reason = error.reasonForFeed, let page = feedText(of: url, reason: reason) {
      show(page)
      loader.recordRead(page)
      return load.report(.loaded(page))
    }
    var explanation = partial ?? loader.explain(error, url: url, for: request)
    explanation.notices += notices
    load.report(.failed(error, explanation: explanation))
  }

  /// Reports the newer version, which is already saved.
  private func showNewer() {
    readSaved(requestedURL, .latest) { [load] event in
      guard var page = event.loadedPage else { return }
      page.provenance.source = .network
      // The field describes how the saved copy was found, not how the response was received.
      page.loadTrace.fields["Cache-Status"] = nil
      load.report(.newer(page))
    }
  }

  /// Loads a saved version of a URL.
  func readSaved(
    _ url: WebURL, _ copy: CopySelection, event: @escaping @Sendable (LoadEvent) -> Void
  ) {
    var request = request
    request.options = LoadOptions()
    request.options.mode = .cacheOnly
    request.options.copy = copy
    WebReading(request, url: url, loader: loader, load: PageLoad(event), cache: cache).start()
  }

  private func showCheck(_ check: StoredResponse.Check) {
    guard var provenance = state.withLock({ $0.shownPage?.provenance }) else { return }
    let result = Provenance.Check(check)
    provenance.lastCheck = result
    if case .saved(.waiting) = provenance.source {
      provenance.source = result.failure.map { .saved($0) } ?? .network
    }
    load.report(.checked(provenance))
  }
}

extension LoadEvent {
  /// The page that was loaded, or the page that describes an attachment; nil otherwise.
  fileprivate var loadedPage: Page? {
    switch self {
    case .loaded(let page): page
    case .failed(_, let explanation) where explanation.attachment != nil: explanation
    case .progressed, .asking, .offered, .began, .newer, .checked, .failed: nil
    }
  }
}

extension ReaderError {
  /// Creates the error for a failed load.
  /// - Parameters:
  ///   - error: why the load failed.
  ///   - url: the URL that was loaded, after redirects.
  ///   - options: the options of the load.
  ///   - method: the method of the request.
  package init(
    _ error: LoadError, url: String, options: LoadOptions = LoadOptions(), method: String = "GET"
  ) {
    let mayShowCopy = options.allowsFallback && options.mode != .networkOnly
    switch error {
    case .transport(let failure) where !mayShowCopy: self = .noResponse(url: url, failure)
    case .notSaved where method != "GET" && method != "HEAD":
      self = .needsNetwork(url: url, method: method)
    case .notSaved where options.copy != .latest:
      self = .noSuchVersion(url: url, options.copy)
    case .transport, .closed, .tooManyRedirects: self = .unreachable(url: url, error.failure)
    case .notSaved: self = .notSaved(url: url, isStrict: !options.allowsFallback)
    case .archive(let error): self = .archive(url: url, error)
    case .notFound: self = .noBuiltInPage(url: url)
    case .redirectLoop(let target):
      self = .unreachable(url: target.description, error.failure)
    case .forbiddenRedirect(let target) where WebURL.resolve(target, against: url) == nil:
      self = .unreachable(
        url: target, TransportFailure(.badURL, "the server redirects to an invalid URL"))
    case .forbiddenRedirect(let target) where error.failure.kind == .blockedPort:
      self = .unreachable(url: target, error.failure)
    case .forbiddenRedirect(let target): self = .forbiddenTarget(target)
    }
  }
}
