import Dispatch
import Foundation

/// The state of a foreground load that follows redirects: the next request, the saved page that is
/// served if the redirects lead to no usable page, and the end of the load. This type performs no
/// I/O. `RedirectFollower` determines the target of a redirect.
struct RedirectWalk {
  /// The next action.
  enum Step {
    /// Send this request.
    case load(RedirectStep)
    /// End the load with this error.
    case end(LoadError)
  }

  private let cache: HTTPCache
  private let maxRedirects: Int
  private var options: LoadOptions
  private var follower: RedirectFollower
  /// The saved page that is served if the redirects lead to no usable page.
  private var fallbackPage: FallbackPage?
  /// The cache keys of the URLs that redirected.
  private var redirectedKeys: Set<String> = []
  /// The URLs that redirected, in order. `isStored` is whether the redirect was served from the
  /// archive without contacting its server, and `date` is the time at which its server sent or
  /// confirmed it.
  private var redirects: [(url: WebURL, isStored: Bool, date: Date?)] = []
  /// Whether stored responses of the chain were requested again; see `reload(at:)`.
  private var hasReloaded = false
  /// The chain that led to an error before its stored redirects were requested again; nil if no
  /// stored redirects were requested again.
  private var chainBeforeReload: RedirectFollower?
  /// The minimum age in seconds of a stored redirect that is requested again if it leads to an
  /// error.
  private static let reloadedAge: TimeInterval = 600
  private let start = DispatchTime.now()
  /// The choice of the other scheme, until the assumed one has responded; nil if the other scheme
  /// may not be tried.
  private var scheme: SchemeChoice?
  /// The page saved under the other scheme, which is the fallback if the assumed scheme does not
  /// respond.
  private var otherSchemePage: StoredResponse?
  /// Details about the use of the other scheme; nil if it is not used.
  private var otherScheme: OtherScheme?
  /// The error of the assumed scheme, kept until the other scheme has responded.
  private var firstError: LoadError?

  /// Creates the state for a first request.
  /// - Parameters:
  ///   - request: The request; its URL may have a fragment.
  ///   - options: The options for each request of the redirect chain.
  ///   - maxRedirects: The maximum number of redirects to follow.
  ///   - cache: The cache, which knows the saved pages that redirects may not replace.
  init(_ request: WebRequest, options: LoadOptions, maxRedirects: Int, cache: HTTPCache) {
    (self.cache, self.maxRedirects, self.options) = (cache, maxRedirects, options)
    follower = RedirectFollower(
      request, isPublicOnly: options.isPublicOnly, isUnattended: options.isUnattended,
      maxRedirects: maxRedirects, cookies: options.chain ?? ChainCookies(),
      isAfterForm: options.isAfterForm)
  }

  /// The current URL, with its fragment.
  var url: WebURL { follower.url }

  /// Returns whether a response is a redirect to follow.
  func isRedirect(_ response: LoadedResponse) -> Bool {
    maxRedirects > 0 && Redirection.isRedirect(response.response)
  }

  /// Returns the first step.
  mutating func begin() -> Step {
    chooseScheme()
    return loadStep()
  }

  /// Returns the step after a redirect.
  /// - Parameters:
  ///   - response: The redirect.
  ///   - event: Called with the event that reports the redirect.
  /// - Returns: The next request, or the end of the load.
  mutating func follow(_ response: LoadedResponse, event: (NavigationEvent) -> Void) -> Step {
    let source = url
    (scheme, firstError) = (nil, nil)
    redirectedKeys.insert(cache.key(of: source))
    redirects.append(
      (source.withoutFragment, response.source.isUnconfirmed, response.stored?.responseTime))
    // Redirects from the archive are trusted; a redirect from the network must lead to a page.
    if response.source == .network, mayFallBack,
      let page = cache.fallbackPage(for: follower.request, at: source)
    {
      fallbackPage = FallbackPage(page: page)
    }
    do throws(LoadError) {
      try cache.follow(response, with: &follower)
    } catch {
      if case .redirectLoop(let target) = error {
        event(.redirected(from: source, to: target, response))
        if let step = reload(loopAt: target) { return step }
      }
      return useFallbackPage(after: error)
    }
    event(.redirected(from: source, to: url, addingOtherScheme(response)))
    options.isPublicOnly = follower.isPublicOnly
    if !response.isHTTPSUpgrade {
      options.followRedirect()
      // If the ID is that of the redirect, it selects the latest version of the target. Any other
      // ID is that of a version of the target.
      if case .id(let id) = options.copy, response.stored?.id.hasPrefix(id.lowercased()) ?? false {
        options.copy = .latest
      }
    }
    return loadStep()
  }

  /// Returns the URL of a response, which is the URL of the fallback page if that page was served.
  func source(of response: LoadedResponse) -> WebURL {
    guard let page = fallbackPage?.page, response.stored?.id == page.id,
      cache.key(of: url) != page.key
    else { return url }
    return WebURL(page.key)?.withFragment(url.fragment) ?? url
  }

  // MARK: The assumed scheme

  /// The time in seconds after which http is tried if the assumed https has no connection; nil if
  /// the other scheme is not tried after a delay.
  var schemeFallbackDelay: TimeInterval? {
    guard scheme?.otherURL.scheme == "http", options.mode != .cacheOnly else { return nil }
    // The attempt must begin before the saved page is served.
    return otherSchemePage == nil ? options.fallbackDelay : options.fallbackDelay * 0.9
  }

  /// Whether the other scheme is tried concurrently with the assumed one rather than instead of it.
  var racesSchemes: Bool { otherSchemePage == nil }

  /// Sets up the choice of the scheme if the user typed the URL without one.
  private mutating func chooseScheme() {
    guard options.isSchemeAssumed else { return }
    let httpURL = url.scheme == "http" ? url : url.togglingScheme
    scheme = SchemeChoice(follower.request, at: url, isStrict: cache.secured(httpURL) != nil)
    guard let otherURL = scheme?.otherURL else { return }
    let keys = (assumed: cache.key(of: url), other: cache.key(of: otherURL))
    let saved = cache.savedPages(among: [keys.assumed, keys.other])
    guard !saved.contains(keys.assumed) else {
      // The site supports https if one of its pages was saved under that scheme.
      if url.scheme == "https" { scheme = nil }
      return
    }
    guard saved.contains(keys.other) else { return }
    switch options.mode {
    case .networkOnly: return
    case .networkFirst where options.copy == .latest:
      guard mayFallBack, let page = cache.fallbackPage(for: follower.request, at: otherURL) else {
        return
      }
      otherSchemePage = page
      fallbackPage = FallbackPage(page: page)
    // In these modes, the saved page is served without a request.
    case .networkFirst, .cacheFirst, .cacheOnly, .staleWhileRevalidate:
      useOtherScheme(reason: nil)
    }
  }

  /// Returns the step that tries the other scheme after the assumed scheme failed; nil if the other
  /// scheme may not be tried.
  mutating func otherScheme(after failure: TransportFailure) -> Step? {
    guard let scheme, scheme.allowsOther(after: failure) else { return nil }
    useOtherScheme(reason: failure)
    return loadStep()
  }

  /// Returns the step that tries the other scheme if the given response is the page saved under
  /// that scheme, served because the assumed one failed; nil otherwise.
  mutating func otherScheme(after response: LoadedResponse) -> Step? {
    guard case .saved(.failure(let failure)) = response.source,
      response.stored?.id == otherSchemePage?.id,
      otherSchemePage != nil
    else { return nil }
    return otherScheme(after: failure)
  }

  /// Returns the step that tries the other scheme because the assumed scheme did not connect in
  /// time; nil if the other scheme may not be tried.
  mutating func otherSchemeAfterSilence() -> Step? {
    otherScheme(
      after: TransportFailure(.connectTimedOut, "no connection within \(options.fallbackDelay) s"))
  }

  private mutating func useOtherScheme(reason failure: TransportFailure?) {
    guard let otherURL = scheme?.otherURL else { return }
    otherScheme = OtherScheme(url: otherURL, failure: failure)
    firstError = failure.map { .transport($0) }
    (scheme, otherSchemePage) = (nil, nil)
    follower.restart(at: otherURL)
  }

  /// Returns the error to report: the error of the assumed scheme if the other one failed as well.
  func errorToReport(_ error: LoadError) -> LoadError {
    guard let firstError, case .transport = error else { return error }
    return firstError
  }

  /// Records that a response has arrived, so that the other scheme is not tried.
  mutating func recordResponse() { (scheme, firstError) = (nil, nil) }

  /// Returns a response to which the details about the other scheme and the cookies of the chain
  /// are added.
  func addingOtherScheme(_ response: LoadedResponse) -> LoadedResponse {
    var response = response
    response.otherScheme = otherScheme
    if otherScheme == nil, let otherSchemePage, let scheme,
      response.stored?.id == otherSchemePage.id
    {
      response.otherScheme = OtherScheme(url: scheme.otherURL, failure: nil)
    }
    (response.chain, response.setsChainCookie) = cache.chain(after: response, follower)
    return response
  }

  private func loadStep() -> Step {
    // The fallback delay applies to the whole redirect chain.
    var options = options
    let spent = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
    options.fallbackDelay = max(0, options.fallbackDelay - TimeInterval(spent) / 1e9)
    return .load(follower.step(options: options, fallbackPage: fallbackPage))
  }

  private var mayFallBack: Bool {
    options.allowsFallback && options.mode != .networkOnly && options.copy == .latest
      && ["GET", "HEAD"].contains(follower.request.method)
      && !TargetOverride.isPresent(in: follower.request)
  }

  /// Returns the step that requests stored redirects again because they lead to an error; the site
  /// may have changed a redirect that is still fresh. Returns nil for other responses, and if the
  /// servers have recently sent or confirmed all redirects.
  mutating func reload(after response: LoadedResponse) -> Step? {
    let status = response.failedStatus ?? response.response.status
    guard [404, 410].contains(status), response.failedStatus != nil || response.source == .fresh,
      let first = redirects.first(where: { isReloaded($0) })?.url
    else { return nil }
    let chain = follower
    let step = reload(at: first)
    if step != nil { chainBeforeReload = chain }
    return step
  }

  private func isReloaded(_ redirect: (url: WebURL, isStored: Bool, date: Date?)) -> Bool {
    let age = redirect.date.map { cache.clock().timeIntervalSince($0) } ?? .infinity
    return redirect.isStored && !(0..<Self.reloadedAge).contains(age)
  }

  /// Returns the step that goes back to the target of stored redirects, which the server has
  /// reported as missing, because the attempt to request these redirects again failed. Returns nil
  /// if no stored redirects were requested again.
  mutating func returnToPage(after failure: TransportFailure) -> Step? {
    guard let chain = chainBeforeReload, failure.kind != .cancelled else { return nil }
    chainBeforeReload = nil
    follower = chain
    (options.isReload, options.isPublicOnly) = (false, chain.isPublicOnly)
    return loadStep()
  }

  /// Returns the step that requests the redirects of a loop again if one of them was served from
  /// the archive; the site may have reversed a redirect that is still fresh. Returns nil for other
  /// loops.
  private mutating func reload(loopAt target: WebURL) -> Step? {
    let first = redirects.lastIndex { $0.url == target.withoutFragment } ?? 0
    guard redirects[first...].contains(where: \.isStored) else { return nil }
    return reload(at: target)
  }

  /// Returns the step that continues at a URL without using fresh responses; nil if the load has
  /// already done so, or must not do so.
  private mutating func reload(at target: WebURL) -> Step? {
    guard !hasReloaded, options.mode != .cacheOnly, options.copy == .latest,
      ["GET", "HEAD"].contains(follower.request.method)
    else { return nil }
    hasReloaded = true
    options.isReload = true
    follower.restart(at: target.withFragment(url.fragment))
    return loadStep()
  }

  /// Returns the step after redirects that lead to no page. If there is a fallback page, it is
  /// served.
  private mutating func useFallbackPage(after error: LoadError) -> Step {
    switch error {
    // The caller chose the limit. Therefore, the fallback page is served only if it belongs to one
    // of the URLs that redirected.
    case .tooManyRedirects where fallbackPage.map({ !redirectedKeys.contains($0.page.key) }) ?? true:
      return .end(error)
    case .redirectLoop, .tooManyRedirects, .forbiddenRedirect: break
    case .transport, .notSaved, .closed, .archive, .notFound: return .end(error)
    }
    guard let page = fallbackPage?.page, let url = WebURL(page.key) else { return .end(error) }
    fallbackPage = FallbackPage(page: page, reason: .failure(error.failure))
    follower.restart(at: url.withFragment(self.url.fragment))
    return loadStep()
  }
}

extension HTTPCache {
  /// Returns the cookies of a chain, including those of its last response, and whether that
  /// response sets a new cookie; nil if there are no cookies.
  fileprivate func chain(
    after response: LoadedResponse, _ follower: RedirectFollower
  ) -> (cookies: ChainCookies?, isNew: Bool) {
    guard response.source == .network, configuration.identity.cookies == .none else {
      return (nil, false)
    }
    let url = follower.url.withoutFragment.withoutCredentials
    let rewrittenRequest = RewrittenRequest(follower.request, for: url, by: configuration.rewrites)
    guard !rewrittenRequest.leavesOrigin else { return (nil, false) }
    var cookies = follower.cookies
    let isNew = cookies.receive(response.response, from: follower.url, now: clock())
    return (cookies.isEmpty ? nil : cookies, isNew)
  }

  /// Follows a redirect that this cache delivered.
  /// - Parameters:
  ///   - response: The redirect.
  ///   - follower: The chain of redirects so far.
  /// - Throws: The `LoadError` with which the chain ends.
  func follow(_ response: LoadedResponse, with follower: inout RedirectFollower) throws(LoadError) {
    guard !response.isHTTPSUpgrade else { return try follower.upgrade() }
    let keepsCookies =
      configuration.identity.cookies != .none || cookieChoice(for: follower.url).keepsCookies
    var setsCookies =
      keepsCookies && !response.response.fields.values(of: "Set-Cookie").isEmpty
    let url = follower.url.withoutFragment.withoutCredentials
    let rewrittenRequest = RewrittenRequest(follower.request, for: url, by: configuration.rewrites)
    // If a rewrite changes the origin, the target is another server.
    if configuration.identity.cookies == .none, !rewrittenRequest.leavesOrigin,
      follower.receiveCookies(of: response.response, now: clock())
    {
      setsCookies = true
    }
    try follower.follow(
      response.response, isSourcePublic: isOnPublicNetwork(follower.url), setsCookies: setsCookies)
  }
}

extension LoadedResponse.Source {
  /// Whether the archive was preferred to the network, so that the server might have sent a
  /// different response.
  fileprivate var isUnconfirmed: Bool {
    switch self {
    case .fresh, .saved(.preferred), .saved(.permitted): true
    case .network, .validated, .saved, .seed, .substituted: false
    }
  }
}

extension LoadedResponse {
  /// The error status that the server has just sent, even if a saved copy is served in its place;
  /// nil if there is none.
  fileprivate var failedStatus: Int? {
    switch source {
    case .network where response.status >= 400: response.status
    case .saved(.status(let status)): status
    case .network, .saved, .fresh, .validated, .seed, .substituted: nil
    }
  }
}

extension RedirectFollower {
  /// Returns the current request as a redirect step.
  func step(options: LoadOptions, fallbackPage: FallbackPage?) -> RedirectStep {
    var redirect = RedirectStep(request: request, options: options, fallbackPage: fallbackPage)
    (redirect.cookies, redirect.isAfterForm) = (cookies, isAfterForm)
    return redirect
  }
}

extension CookieChoice? {
  fileprivate var keepsCookies: Bool { self == .session || self == .always }
}
