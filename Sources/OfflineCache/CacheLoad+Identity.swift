import Foundation

extension CacheLoad {
  /// How often a challenge is answered: once, and once more when a nonce is too old.
  private static let answerLimit = 2

  /// Where the request is sent.
  var destination: WebURL { rewritten?.target ?? request.url }

  /// Finds out on whose behalf the request is made, and gives it the cookies that go with it to
  /// where it is sent. Each hop of a redirect is a load of its own, so nothing crosses from one site
  /// to another.
  func identify() {
    guard let rewritten else { return }
    guard !options.isAnonymous else {
      // Nor those that a rewrite sets.
      for name in ["Authorization", "Cookie"] { request.fields[name] = nil }
      return
    }
    hasOwnCookie = request.fields["Cookie"] != nil
    usesKeyring =
      request.fields["Authorization"] == nil && !rewritten.settledFields.contains("authorization")
    requester = cache.identify(&request, as: rewritten)
    addChainCookies()
  }

  /// Adds the cookies that the preceding redirects of the chain set to the request. They do not identify a user, so
  /// the response is still public, unless the chain began with a form.
  private func addChainCookies() {
    guard request.fields["Cookie"] == nil, let rewritten, !rewritten.leavesOrigin,
      !rewritten.settledFields.contains("cookie"), options.mode != .cacheOnly
    else { return }
    chainCookies = chain.header(for: destination, method: request.method, now: cache.clock())
    guard chainCookies != nil, answersForm else { return }
    options.mode = .networkOnly
    options.allowsFallback = false
    fallbackPage = nil
  }

  /// Whether the response is private and must not be saved, because the chain began with a form and has set
  /// cookies.
  var isForFormAlone: Bool { chainCookies != nil && answersForm }

  /// Gives a request the password that its part of the site is known to ask for.
  func authorize(_ sent: inout WebRequest) {
    guard usesKeyring else { return }
    let (request, url) = (sent, destination)
    let knowsFile = !leavesOrigin
    let answer = cache.wallet.withKeyring { keyring in
      keyring.authorization(for: request, at: url, knowsFile: knowsFile)
    }
    noteAuthorization(answer)
    sent.fields["Authorization"] = answer?.value
  }

  /// The request once more with the answer to a challenge, nil when there is none: then the
  /// challenge is what the client gets.
  func answer(to response: ResponseHead) -> WebRequest? {
    guard usesKeyring, response.status == 401, answers < Self.answerLimit, let sent
    else { return nil }
    let url = destination
    let refused = sent.fields["Authorization"]
    let knowsFile = !leavesOrigin
    let answer = cache.wallet.withKeyring { keyring in
      keyring.authorization(
        after: response, to: sent, at: url, refused: refused, knowsFile: knowsFile)
    }
    guard let answer else { return nil }
    answers += 1
    renewCookies()
    noteAuthorization(answer)
    var again = sent
    again.fields["Authorization"] = answer.value
    again.fields["Cookie"] = request.fields["Cookie"]
    return again
  }

  /// Takes the cookies that came with a challenge: the answer to it belongs to the same session.
  private func renewCookies() {
    guard !hasOwnCookie, let rewritten else { return }
    request.fields["Cookie"] = nil
    let renewed = cache.identify(&request, as: rewritten)
    (requester.cookieOwner, requester.sendsCookies) = (renewed.cookieOwner, renewed.sendsCookies)
  }

  /// Notes what a server asks that nobody here can answer.
  func noteQuestion(of response: ResponseHead) {
    question = nil
    guard usesKeyring, response.status == 401 else { return }
    let challenges = Challenge.all(in: response.fields)
    guard !challenges.isEmpty else { return }
    question = SignInQuestion(url: destination, challenges: challenges)
  }

  private var leavesOrigin: Bool { rewritten?.leavesOrigin ?? false }

  /// From now on the answer is private to whoever has the credentials.
  private func noteAuthorization(_ answer: Keyring.Answer?) {
    guard let answer else { return }
    requester.credentials = answer.credentials.basic
    requester.waitsForChallenge = false
  }

  /// Keeps what an answer of the server sets.
  func keepCookies(of response: ResponseHead, at now: Date) {
    guard loader == nil, !leavesOrigin, !options.isAnonymous else { return }
    let url = destination
    _ = cache.attemptCookies { wallet throws(ArchiveError) in
      try wallet.take(
        response, from: url, method: request.method, isForForm: answersForm, now: now)
    }
  }
}

extension HTTPCache {
  /// Gives a request the cookies for where it is sent, unless it or a rewrite has its own.
  ///
  /// What a rewrite sends to another origin carries neither cookies nor passwords of files, for those
  /// are for hosts, and a mirror on another port of the same host is somebody else.
  /// - Returns: on whose behalf it is made.
  func identify(_ request: inout WebRequest, as rewritten: RewrittenRequest) -> Requester {
    let url = rewritten.target
    var requester = Requester(request)
    requester.certificate = wallet.certificate(for: url)
    if requester.credentials == nil, !rewritten.settledFields.contains("authorization") {
      let knowsFile = !rewritten.leavesOrigin
      let known = wallet.withKeyring { keyring in
        (
          keyring.credentials(for: url, knowsFile: knowsFile),
          keyring.isUnasked(at: url, knowsFile: knowsFile)
        )
      }
      requester.credentials = known.0?.basic
      requester.waitsForChallenge = known.0 != nil && !known.1
    }
    guard request.fields["Cookie"] == nil, !rewritten.leavesOrigin,
      !rewritten.settledFields.contains("cookie")
    else { return requester }
    let selection = attemptCookies { wallet throws(ArchiveError) in
      try wallet.cookies(for: url, now: clock())
    }
    guard let selection = selection ?? nil else { return requester }
    request.fields["Cookie"] = selection.header
    requester.cookieOwner = selection.owner
    requester.sendsCookies = selection.header != nil
    return requester
  }

  /// Returns the user's decision about the cookies of the site of a URL; nil when there is none.
  package func cookieChoice(for url: WebURL) -> CookieChoice? {
    configuration.identity.cookies == .none ? wallet.choice(for: url) : nil
  }

  /// Returns the site of a URL if it has set cookies in response to a form and the user has not decided about them.
  package func undecidedCookieSite(of url: WebURL) -> String? {
    configuration.identity.cookies == .none ? wallet.undecidedSite(of: url) : nil
  }

  /// Applies the user's decision about the cookies of a site; nil revokes it and deletes the cookies.
  /// - Parameters:
  ///   - choice: the decision.
  ///   - site: the registrable domain.
  /// - Returns: whether the file of cookies could be written. If not, the cookies are kept until the cache is closed.
  @discardableResult
  package func decide(_ choice: CookieChoice?, aboutCookiesOf site: String) -> Bool {
    attemptCookies { wallet throws(ArchiveError) in try wallet.decide(choice, for: site) } != nil
  }

  /// Keeps a user name and a password in memory, for as long as the cache is open.
  /// - Parameters:
  ///   - credentials: who signs in.
  ///   - url: a URL of the origin that they are for; nothing happens when it is none of the web.
  ///   - realm: the realm that they are for, as the challenge names it; nil for all of the origin.
  ///   - isEager: whether they are sent, by the scheme Basic, before the server asks. Otherwise it
  ///     is asked first, so that one that speaks Digest never sees the password.
  public func signIn(
    _ credentials: Credentials, at url: WebURL, realm: String? = nil, isEager: Bool = false
  ) {
    guard url.isWeb else { return }
    wallet.withKeyring { keyring in
      keyring.add(credentials, origin: url.origin, realm: realm, isEager: isEager)
    }
  }
}
