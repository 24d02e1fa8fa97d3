import Dispatch
import Foundation

/// The foreground's way through redirects: which hop is loaded next, which saved page answers when the redirects
/// lead to none, and what ends the load. A value that makes no requests. `RedirectFollower` decides what a
/// redirect leads to.
struct RedirectWalk {
  /// What to do next.
  enum Step {
    /// This is to be asked.
    case load(Hop)
    /// It ends here.
    case end(LoadError)
  }

  private let cache: HTTPCache
  private let limit: Int
  private var options: LoadOptions
  private var follower: RedirectFollower
  /// The saved page that answers when the redirects lead to none.
  private var fallbackPage: FallbackPage?
  /// The keys of the URLs that redirected.
  private var passed: Set<String> = []
  private let start = DispatchTime.now()

  /// Begins at a request.
  /// - Parameters:
  ///   - request: what is asked; its URL may have a fragment.
  ///   - options: how each hop is loaded.
  ///   - limit: how many redirects are followed.
  ///   - cache: knows the saved pages that redirects may not replace.
  init(_ request: WebRequest, options: LoadOptions, limit: Int, cache: HTTPCache) {
    (self.cache, self.limit, self.options) = (cache, limit, options)
    follower = RedirectFollower(
      request, isPublicOnly: options.isPublicOnly, isUnattended: options.isUnattended,
      limit: limit)
  }

  /// The current URL, with its fragment.
  var url: WebURL { follower.url }

  /// Whether an answer leads on.
  func isRedirect(_ answer: Answer) -> Bool {
    limit > 0 && Redirection.isRedirect(answer.response)
  }

  /// The first step.
  func begin() -> Step { enter() }

  /// The step after a redirect.
  /// - Parameters:
  ///   - answer: the redirect.
  ///   - event: told that it is followed.
  /// - Returns: what is asked next, or what ends it.
  mutating func follow(_ answer: Answer, event: (NavigationEvent) -> Void) -> Step {
    let source = url
    passed.insert(cache.key(of: source))
    // What the archive gives is what it says; what the network says has to lead to a page.
    if answer.source == .network, mayFallBack,
      let page = cache.fallbackPage(for: follower.request, at: source)
    {
      fallbackPage = FallbackPage(page: page)
    }
    do throws(LoadError) {
      try cache.follow(answer, with: &follower)
    } catch {
      if case .redirectLoop(let target) = error {
        event(.redirected(from: source, to: target, answer))
      }
      return useFallbackPage(after: error)
    }
    event(.redirected(from: source, to: url, answer))
    options.isPublicOnly = follower.isPublicOnly
    if !answer.isUpgrade {
      // The person named the first URL only.
      options.isUserNamed = false
      // An id names a version of the first URL; its target is taken as it is.
      if case .id = options.copy { options.copy = .latest }
    }
    return enter()
  }

  /// The URL that gave an answer: that of the fallback page when it answers.
  func source(of answer: Answer) -> WebURL {
    guard let page = fallbackPage?.page, answer.stored?.id == page.id,
      cache.key(of: url) != page.key
    else { return url }
    return WebURL(page.key)?.withFragment(url.fragment) ?? url
  }

  private func enter() -> Step {
    // One patience for all redirects together.
    var options = options
    let spent = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
    options.patience = max(0, options.patience - TimeInterval(spent) / 1e9)
    return .load(Hop(request: follower.request, options: options, fallbackPage: fallbackPage))
  }

  private var mayFallBack: Bool {
    options.allowsFallback && options.mode != .networkOnly && options.copy == .latest
      && ["GET", "HEAD"].contains(follower.request.method)
      && !TargetOverride.isPresent(in: follower.request)
  }

  /// Redirects that lead nowhere do not replace a page.
  private mutating func useFallbackPage(after error: LoadError) -> Step {
    let words: String
    switch error {
    // The limit is the caller's; only a saved page of one of the redirects is nearer than it.
    case .tooManyRedirects where fallbackPage.map({ !passed.contains($0.page.key) }) ?? true:
      return .end(error)
    case .redirectLoop: words = "redirected in a circle"
    case .tooManyRedirects(let limit): words = "redirected more than \(limit) times"
    case .forbiddenRedirect: words = "redirected to what is not on the web"
    case .transport, .notSaved, .closed, .archive, .notFound: return .end(error)
    }
    guard let page = fallbackPage?.page, let url = WebURL(page.key) else { return .end(error) }
    fallbackPage = FallbackPage(
      page: page, because: .failure(TransportFailure(.badRedirect, words)))
    follower.restart(at: url.withFragment(self.url.fragment))
    return enter()
  }
}

extension HTTPCache {
  /// Follows a redirect that this cache delivered.
  /// - Parameters:
  ///   - answer: The redirect.
  ///   - follower: The chain of redirects so far.
  /// - Throws: `LoadError`, the end of the chain.
  func follow(_ answer: Answer, with follower: inout RedirectFollower) throws(LoadError) {
    guard !answer.isUpgrade else { return try follower.upgrade() }
    let setsCookies =
      configuration.identity.cookies != .none
      && !answer.response.fields.values(of: "Set-Cookie").isEmpty
    try follower.follow(
      answer.response, isSourcePublic: isOnPublicNetwork(follower.url), setsCookies: setsCookies)
  }
}
