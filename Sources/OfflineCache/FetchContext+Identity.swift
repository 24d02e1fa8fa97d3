import Foundation

extension FetchContext {
  /// The URL to which the request is sent, after rewriting.
  var destination: WebURL { rewritten?.target ?? request.url }

  /// Determines the identity for the request and adds the matching cookies; from an anonymous
  /// request, removes credentials and cookies instead. Every redirect step is a load of its own, so
  /// no identity is carried from one site to another.
  mutating func identify() {
    guard let rewritten else { return }
    guard !options.isAnonymous else {
      // Credentials that a rewrite sets are removed as well.
      for name in ["Authorization", "Cookie"] { request.fields[name] = nil }
      return
    }
    identity.hasOwnCookie = request.fields["Cookie"] != nil
    if request.fields["Authorization"] == nil,
      !rewritten.overriddenFields.contains("authorization")
    {
      identity.challenges = .answered(count: 0, unanswered: nil)
    }
    identity.requester = cache.identify(&request, as: rewritten)
    addChainCookies()
  }

  /// Sets `chain.cookieHeader` to the cookies that the preceding redirects of the chain set. These
  /// cookies do not identify a user, so the response is still public. If the chain began with a
  /// form, however, the response is loaded from the network without a fallback, and is private.
  private mutating func addChainCookies() {
    guard request.fields["Cookie"] == nil, let rewritten, !rewritten.leavesOrigin,
      !rewritten.overriddenFields.contains("cookie"), options.mode != .cacheOnly
    else { return }
    chain.cookieHeader = chain.cookies.header(
      for: destination, method: request.method, now: cache.clock())
    guard chain.isPrivate else { return }
    options.mode = .networkOnly
    options.allowsFallback = false
    copies.discardPage()
  }

  /// Adds the credentials that are sent before a challenge: those of a known protection space of
  /// the URL, or those of an eager sign-in. The response is then private to these credentials.
  mutating func authorize(_ sent: inout WebRequest) {
    guard identity.challenges.choosesCredentials else { return }
    let (request, url) = (sent, destination)
    let allowsNetrc = !leavesOrigin
    let response = cache.credentialStore.withSessionCredentials { sessionCredentials in
      sessionCredentials.authorization(for: request, at: url, allowsNetrc: allowsNetrc)
    }
    recordAuthorization(response)
    sent.fields["Authorization"] = response?.value
  }

  /// Returns the request with credentials that answer a challenge, and with the cookies that were
  /// set with the challenge. Returns nil if the response is not a challenge that the cache can
  /// answer; the client then receives it.
  mutating func authenticatedRequest(to response: ResponseHead) -> ForwardedRequest? {
    guard identity.challenges.mayAnswer(response), let forwarded = exchange?.forwarded else {
      return nil
    }
    let url = destination
    let sentRequest = forwarded.request
    let refusedValue = sentRequest.fields["Authorization"]
    let allowsNetrc = !leavesOrigin
    let reply = cache.credentialStore.withSessionCredentials { sessionCredentials in
      sessionCredentials.authorization(
        after: response, to: sentRequest, at: url, refusedValue: refusedValue,
        allowsNetrc: allowsNetrc)
    }
    guard let reply else { return nil }
    identity.challenges.recordAnswer()
    renewCookies()
    recordAuthorization(reply)
    var renewedRequest = forwarded
    renewedRequest.request.fields["Authorization"] = reply.value
    renewedRequest.request.fields["Cookie"] = request.fields["Cookie"]
    return renewedRequest
  }

  /// Applies the cookies set with a challenge, because the authenticated request belongs to the
  /// same session.
  private mutating func renewCookies() {
    guard !identity.hasOwnCookie, let rewritten else { return }
    request.fields["Cookie"] = nil
    let renewed = cache.identify(&request, as: rewritten)
    identity.requester.cookieOwner = renewed.cookieOwner
    identity.requester.sendsCookies = renewed.sendsCookies
  }

  private var leavesOrigin: Bool { rewritten?.leavesOrigin ?? false }

  /// Records that the response is private to the given credentials.
  private mutating func recordAuthorization(_ response: SessionCredentials.Authorization?) {
    guard let response else { return }
    identity.requester.credentials = response.credentials.basic
    identity.requester.waitsForChallenge = false
  }

  /// Stores the cookies that a response sets.
  func storeCookies(of response: ResponseHead, at now: Date) {
    guard loader == nil, !leavesOrigin, !options.isAnonymous else { return }
    let url = destination
    _ = cache.attemptCookies { credentialStore throws(ArchiveError) in
      try credentialStore.storeCookies(
        response, from: url, method: request.method, isForForm: chain.submitsForm, now: now)
    }
  }
}

extension HTTPCache {
  /// Adds the cookies for the target of a request, unless the request or a rewrite sets its own.
  ///
  /// A request that a rewrite sends to another origin carries neither cookies nor passwords from
  /// files. Those apply to hosts, and a mirror on another port of the same host may belong to
  /// someone else.
  /// - Returns: The identity with which the request is made.
  func identify(_ request: inout WebRequest, as rewritten: RewrittenRequest) -> Requester {
    let url = rewritten.target
    var requester = Requester(request)
    requester.certificate = credentialStore.certificate(for: url)
    if requester.credentials == nil, !rewritten.overriddenFields.contains("authorization") {
      let allowsNetrc = !rewritten.leavesOrigin
      let knownCredentials = credentialStore.withSessionCredentials { sessionCredentials in
        (
          sessionCredentials.credentials(for: url, allowsNetrc: allowsNetrc),
          sessionCredentials.isPreemptive(at: url, allowsNetrc: allowsNetrc)
        )
      }
      requester.credentials = knownCredentials.0?.basic
      requester.waitsForChallenge = knownCredentials.0 != nil && !knownCredentials.1
    }
    guard request.fields["Cookie"] == nil, !rewritten.leavesOrigin,
      !rewritten.overriddenFields.contains("cookie")
    else { return requester }
    let selection = attemptCookies { credentialStore throws(ArchiveError) in
      try credentialStore.cookies(for: url, now: clock())
    }
    guard let selection = selection ?? nil else { return requester }
    request.fields["Cookie"] = selection.header
    requester.cookieOwner = selection.owner
    requester.sendsCookies = selection.header != nil
    return requester
  }

  /// Returns the user's decision about the cookies of the site of a URL; nil if there is none, or
  /// if the configuration supplies cookies for all sites.
  package func cookieChoice(for url: WebURL) -> CookieChoice? {
    configuration.identity.cookies == .none ? credentialStore.choice(for: url) : nil
  }

  /// Returns whether a request for a URL would carry cookies that were stored before.
  package func sendsCookies(to url: WebURL) -> Bool {
    (try? credentialStore.cookies(for: url, now: clock()))?.header != nil
  }

  /// Returns the site of a URL if it has set cookies in response to a form and the user has not
  /// decided about them; nil otherwise, or if the configuration supplies cookies for all sites.
  package func undecidedCookieSite(of url: WebURL) -> String? {
    configuration.identity.cookies == .none ? credentialStore.undecidedSite(of: url) : nil
  }

  /// Keeps in memory the cookies that a page with a form set, until the user decides about the
  /// site. Without a decision to keep them, they are discarded when the cache is closed.
  package func add(_ cookies: ChainCookies, of site: String) {
    guard configuration.identity.cookies == .none else { return }
    credentialStore.add(cookies, of: site)
  }

  /// Applies the user's decision about the cookies of a site; nil revokes it and deletes the
  /// cookies.
  /// - Parameters:
  ///   - choice: the decision.
  ///   - site: the registrable domain.
  /// - Returns: whether the file of cookies could be written. If not, the cookies are kept until
  ///   the cache is closed.
  @discardableResult
  package func decide(_ choice: CookieChoice?, aboutCookiesOf site: String) -> Bool {
    attemptCookies { credentialStore throws(ArchiveError) in
      try credentialStore.decide(choice, for: site)
    } != nil
  }

  /// Keeps a user name and a password in memory while the cache is open.
  /// - Parameters:
  ///   - credentials: The user name and password.
  ///   - url: A URL of the origin to which the credentials apply; without effect unless its scheme
  ///     is http or https. For this URL itself, they take precedence over credentials added later
  ///     for other URLs if they are preemptive.
  ///   - realm: The realm of the challenge to which the credentials apply; nil for the whole
  ///     origin.
  ///   - isPreemptive: Whether the credentials are sent by the Basic scheme before the server sends
  ///     a challenge. Otherwise the challenge comes first, so that a server that supports Digest
  ///     never sees the password.
  public func signIn(
    _ credentials: Credentials, at url: WebURL, realm: String? = nil, isPreemptive: Bool = false
  ) {
    guard url.isWeb else { return }
    credentialStore.withSessionCredentials { sessionCredentials in
      sessionCredentials.add(credentials, at: url, realm: realm, isPreemptive: isPreemptive)
    }
  }
}
