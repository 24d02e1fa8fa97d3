import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a load through a session reports: any number of `redirected`, one `response`, any number of
/// `data`, then `finished`; or `failed`, at any point. When a copy answered while the server was
/// still being asked, one of `refreshed` and `checked` follows `finished`.
public enum SessionEvent: Sendable {
  /// A redirect was followed.
  case redirected(from: String, to: String, Answer)
  /// The head of the final answer and the URL that gave it, with its fragment.
  case response(Answer, url: String)
  /// A piece of the content.
  case data([UInt8])
  /// The content is complete; the version that holds it, when it is saved.
  case finished(StoredResponse?)
  /// There is no (complete) answer.
  case failed(LoadError)
  /// The server had a newer version, which is saved now.
  case refreshed(StoredResponse)
  /// The server was asked; the copy stays the newest good version.
  case checked(StoredResponse.Check)
}

extension HTTPCache {
  /// Loads a URL through a URLSession of its own, redirects followed: the safe way on every
  /// platform.
  /// - Parameters:
  ///   - request: what is asked; its URL may have a fragment.
  ///   - options: how each hop is loaded.
  ///   - maxRedirects: how many redirects are followed; 0 gives the redirect itself.
  ///   - event: called for each event, one at a time, on a queue of the load; while it runs no more
  ///     than about 1 MB of content queues up behind it.
  /// - Returns: the load, to cancel it.
  @discardableResult
  public func start(
    _ request: WebRequest, options: LoadOptions = LoadOptions(), maxRedirects: Int = 20,
    event: @escaping @Sendable (SessionEvent) -> Void
  ) -> SessionLoad {
    let load = SessionLoad(self, options: options, maxRedirects: maxRedirects, event: event)
    load.begin(request)
    return load
  }
}

/// A load through a session on its way: what `HTTPCache.start` returns.
///
/// Unchecked: its state is used on its own serial queue only, which is also the delegate's.
public final class SessionLoad: @unchecked Sendable {
  private let cache: HTTPCache
  private let maxRedirects: Int
  private let queue = DispatchQueue(label: "offread.session", target: .global())

  // The rest is used on the queue only.

  /// Gets the events; nil when nothing follows but an afterword, since it may hold this object. The
  /// afterword goes by the ticket, which has it too.
  private var receiver: (@Sendable (SessionEvent) -> Void)?
  private var options: LoadOptions
  private var request = WebRequest(url: "")
  private var url: WebURL?
  private var redirects = 0
  private var visited: Set<String> = []
  /// The saved page that answers when the redirects lead to none.
  private var standIn: StandIn?
  /// The keys of the URLs that redirected.
  private var passed: Set<String> = []
  private let start = DispatchTime.now()
  private var ticket: LoadTicket?
  private var session: LoadSession?
  private var task: URLSessionTask?
  /// The redirect that is followed once its content is complete.
  private var redirect: Answer?
  private var isOver = false
  private var isCancelled = false
  private var afterword: SessionEvent?

  init(
    _ cache: HTTPCache, options: LoadOptions, maxRedirects: Int,
    event: @escaping @Sendable (SessionEvent) -> Void
  ) {
    self.cache = cache
    self.options = options
    self.maxRedirects = maxRedirects
    receiver = event
  }

  /// Stops; unless the load has ended, `failed` with `cancelled` is the last event. When a copy has
  /// answered, the refresh behind it goes on and is saved.
  public func cancel() {
    queue.async {
      self.isCancelled = true
      guard !self.isOver else { return }
      let task = self.task
      self.end(.failed(.transport(TransportFailure(.cancelled, "cancelled"))))
      task?.cancel()
    }
  }

  func begin(_ request: WebRequest) {
    // On the thread of the caller: the queue is free, and its thread need not be woken.
    queue.sync {
      self.request = request
      self.url = WebURL(request.url)
      guard let url = self.url else { return self.endLater(badURL: request.url) }
      self.request.url = url.withoutFragment.description
      self.beginHop()
    }
  }

  // MARK: On the queue

  private func beginHop() {
    guard !isOver, let receiver else { return }
    guard visited.insert(request.method + " " + request.url).inserted else {
      return fail(.redirectLoop(url: request.url))
    }
    guard let address = URL(string: request.url) else { return endLater(badURL: request.url) }
    // The ticket keeps this object while its load goes on; `end` breaks the circle.
    let binding = CacheBinding(cache, hopOptions, standIn: standIn)
    let ticket = LoadTicket(request, binding: binding) { event in
      self.takeAfterword(event, for: receiver)
    }
    self.ticket = ticket
    redirect = nil
    let session = LoadSession.take()
    self.session = session
    task = session.begin(address, description: ticket.id, for: self, on: queue)
  }

  /// One patience for the whole way.
  private var hopOptions: LoadOptions {
    var options = options
    let spent = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
    options.patience = max(0, options.patience - TimeInterval(spent) / 1e9)
    return options
  }

  private func follow(_ answer: Answer) {
    guard let url else { return }
    passed.insert(cache.key(of: url))
    // What the archive gives is what it says; what the network says has to lead to a page.
    if answer.source == .network, canStandIn, let page = cache.standIn(for: request, at: url) {
      standIn = StandIn(page: page)
    }
    guard redirects < maxRedirects else { return fail(.tooManyRedirects(limit: maxRedirects)) }
    redirects += 1
    do throws(LoadError) {
      let next = try Redirection.request(after: answer.response, to: request, at: url)
      event(.redirected(from: url.description, to: next.url.description, answer))
      request = next.request
      self.url = next.url
      // The person named the first URL only.
      options.isUserNamed = false
      if options.isUnattended, cache.isOnPublicNetwork(url.description) {
        options.isPublicOnly = true
      }
      // An id names a version of the first URL; its target is taken as it is.
      if case .id = options.copy { options.copy = .latest }
      beginHop()
    } catch {
      fail(error)
    }
  }

  private var canStandIn: Bool {
    options.allowsFallback && options.mode != .networkOnly && options.copy == .latest
      && ["GET", "HEAD"].contains(request.method)
  }

  /// Redirects that lead nowhere do not replace a page.
  private func fail(_ error: LoadError) {
    let words: String
    switch error {
    // The limit is the caller's; only a page of a URL on the way is nearer than it.
    case .tooManyRedirects where standIn.map({ !passed.contains($0.page.key) }) ?? true:
      return end(.failed(error))
    case .redirectLoop: words = "redirected in a circle"
    case .tooManyRedirects(let limit): words = "redirected more than \(limit) times"
    case .forbiddenRedirect: words = "redirected to what is not on the web"
    case .transport, .notSaved, .archive, .notFound: return end(.failed(error))
    }
    guard let page = standIn?.page, let url = WebURL(page.key) else { return end(.failed(error)) }
    standIn = StandIn(page: page, because: .failure(TransportFailure(.badRedirect, words)))
    request.url = page.key
    self.url = url.withFragment(self.url?.fragment)
    visited = []
    beginHop()
  }

  /// The URL that gave an answer: that of the stand-in when it answers.
  private func answeringURL(_ answer: Answer) -> String {
    let own = url?.description ?? request.url
    guard let page = standIn?.page, answer.stored?.id == page.id,
      url.map(cache.key(of:)) != page.key
    else { return own }
    return WebURL(page.key)?.withFragment(url?.fragment).description ?? own
  }

  /// Ends, but never while `start` is still being called.
  private func endLater(badURL url: String) {
    queue.async {
      self.end(.failed(.transport(TransportFailure(.badURL, "not a URL: \(url)"))))
    }
  }

  private func end(_ last: SessionEvent) {
    guard !isOver else { return }
    isOver = true
    event(last)
    if let afterword, !isCancelled { event(afterword) }
    afterword = nil
    receiver = nil
    if let ticket { _ = LoadTicket.take(ticket.id) }
    ticket = nil
    session?.end()
    session = nil
    task = nil
  }

  private func event(_ event: SessionEvent) {
    receiver?(event)
  }

  private func takeAfterword(
    _ event: CacheEvent, for receiver: @escaping @Sendable (SessionEvent) -> Void
  ) {
    queue.async {
      // What follows a redirect's own copy concerns nobody.
      guard self.redirect == nil, !self.isCancelled else { return }
      let last: SessionEvent
      switch event {
      case .refreshed(let stored): last = .refreshed(stored)
      case .checked(let check): last = .checked(check)
      default: return
      }
      if self.isOver { receiver(last) } else { self.afterword = last }
    }
  }

  // MARK: What the session reports

  func didReceiveHead(_ dataTask: URLSessionTask) {
    guard !isOver, dataTask === task, let answer = ticket?.answer else { return }
    if maxRedirects > 0, Redirection.isRedirect(answer.response) {
      redirect = answer
    } else {
      event(.response(answer, url: answeringURL(answer)))
    }
  }

  func didReceive(_ data: Data, _ dataTask: URLSessionTask) {
    guard !isOver, dataTask === task else { return }
    if redirect == nil { event(.data([UInt8](data))) }
    ticket?.acknowledge(data.count)
  }

  func didComplete(_ error: (any Error)?, _ task: URLSessionTask) {
    guard !isOver, task === self.task else { return }
    if let session { queue.async { session.giveBack() } }
    session = nil
    if let redirect { return follow(redirect) }
    if let error {
      let own = error as? LoadError ?? ticket?.error
      let failure = own ?? .transport(TransportFailure(.other, ErrorWords.text(error)))
      end(.failed(failure))
    } else {
      end(.finished(ticket?.stored))
    }
  }
}
