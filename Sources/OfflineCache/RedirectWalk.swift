import Dispatch
import Foundation

/// From redirect to redirect (RFC 9110 §15.4): what is asked next, and what ends it. A value without
/// a network; whoever has it makes the requests.
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
  private var request: WebRequest
  /// Where the walk is, with the fragment.
  private(set) var url: WebURL
  private var count = 0
  private var visited: Set<String> = []
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
    (self.cache, self.limit, self.options, self.request, url) =
      (cache, limit, options, request, request.url)
    self.request.url = url.withoutFragment
  }

  /// Whether an answer leads on.
  func isRedirect(_ answer: Answer) -> Bool {
    limit > 0 && Redirection.isRedirect(answer.response)
  }

  /// The first step.
  mutating func begin() -> Step { enter() }

  /// The step after a redirect.
  /// - Parameters:
  ///   - answer: the redirect.
  ///   - event: told that it is followed.
  /// - Returns: what is asked next, or what ends it.
  mutating func follow(_ answer: Answer, event: (NavigationEvent) -> Void) -> Step {
    passed.insert(cache.key(of: url))
    // What the archive gives is what it says; what the network says has to lead to a page.
    if answer.source == .network, mayFallBack, let page = cache.fallbackPage(for: request, at: url)
    {
      fallbackPage = FallbackPage(page: page)
    }
    if answer.isUpgrade {
      // The same place, asked as it wants: everything goes on, and it counts for no redirect.
      event(.redirected(from: url, to: url.secured, answer))
      (request.url, url) = (request.url.secured, url.secured)
      return enter()
    }
    guard count < limit else { return useFallbackPage(after: .tooManyRedirects(limit: limit)) }
    count += 1
    do throws(LoadError) {
      let next = try Redirection.request(after: answer.response, to: request, at: url)
      event(.redirected(from: url, to: next.url, answer))
      (request, url) = next
    } catch {
      return useFallbackPage(after: error)
    }
    // With a new cookie the same address may give something else.
    if !answer.response.fields.values(of: "Set-Cookie").isEmpty,
      cache.configuration.identity.cookies != .none
    {
      visited = []
    }
    // The person named the first URL only.
    options.isUserNamed = false
    if options.isUnattended, cache.isOnPublicNetwork(url) {
      options.isPublicOnly = true
    }
    // An id names a version of the first URL; its target is taken as it is.
    if case .id = options.copy { options.copy = .latest }
    return enter()
  }

  /// The URL that gave an answer: that of the fallback page when it answers.
  func source(of answer: Answer) -> WebURL {
    guard let page = fallbackPage?.page, answer.stored?.id == page.id,
      cache.key(of: url) != page.key
    else { return url }
    return WebURL(page.key)?.withFragment(url.fragment) ?? url
  }

  private mutating func enter() -> Step {
    guard visited.insert(request.method + " " + request.url.description).inserted else {
      return useFallbackPage(after: .redirectLoop(url: request.url))
    }
    // One patience for all redirects together.
    var options = options
    let spent = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
    options.patience = max(0, options.patience - TimeInterval(spent) / 1e9)
    return .load(Hop(request: request, options: options, fallbackPage: fallbackPage))
  }

  private var mayFallBack: Bool {
    options.allowsFallback && options.mode != .networkOnly && options.copy == .latest
      && ["GET", "HEAD"].contains(request.method)
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
    request.url = url
    self.url = url.withFragment(self.url.fragment)
    visited = []
    return enter()
  }
}
