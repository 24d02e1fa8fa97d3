import Foundation
import Synchronization

/// Validates responses, and follows redirects of background revalidations.
extension FetchContext {
  /// Returns the reason to reject a complete response as the new version of its own URL; nil if it
  /// is trusted.
  func rejectionReason(of incoming: IncomingResponse) -> RejectionReason? {
    if options.trust == .accepted { return nil }
    if let rejectionReason = incoming.rejectionReason { return rejectionReason }
    // A partial response does not allow conclusions about the whole.
    let status = incoming.response.status
    guard ResponseHead.pageStatuses.contains(status), status != 206 else { return nil }
    let good = incoming.isStored ? comparedCopy : nil
    let page = good.flatMap { $0.isRedirect ? cache.page(of: $0.key) : $0 }
    let digest = incoming.spool?.digest
    // An unchanged page needs no validation.
    if let page, page.payloadDigest == digest { return nil }
    var response = candidate(incoming)
    if let digest, response.length > 0, response.length <= ReceivedPage.maxLength,
      RejectionReason.isPage(response.response)
    {
      response.isRepeated = cache.recordPage(
        ReceivedPage(
          url: request.url, digest: digest, savedDigest: page?.payloadDigest,
          date: incoming.responseTime))
    }
    return cache.rejection(response, replacing: page)
  }

  /// The saved copy against which a response is checked; nil if there is no good copy, or if the
  /// options do not require the comparison.
  var comparedCopy: StoredResponse? {
    options.trust == .compared(withCopy: true)
      ? copies.variants.matching.first(where: \.isGood) : nil
  }

  /// Returns the reason to reject a response as a replacement for the page saved before the
  /// redirects; nil if it is trusted.
  func targetRejection(_ incoming: IncomingResponse) -> RejectionReason? {
    guard let page = copies.page, page.key != key, options.trust == .compared(withCopy: true),
      incoming.spool?.digest != page.payloadDigest
    else { return nil }
    var response = candidate(incoming)
    response.isRedirected = true
    return cache.rejection(response, replacing: page)
  }

  /// Returns whether a response only sets a cookie and refreshes to the page whose copy it would
  /// replace. Like a redirect, such a response is a step towards the page: a client that then loads
  /// the page with the cookie needs this response instead of the copy. A second such response is
  /// rejected, because its request already contained the cookie.
  func refreshesWithCookie(_ incoming: IncomingResponse) -> Bool {
    guard options.followsRefreshes, machine.isClientWaiting, chain.cookieHeader == nil,
      !chain.submitsForm, request.fields["Cookie"] == nil,
      cache.configuration.identity.cookies == .none,
      !(rewritten?.leavesOrigin ?? false), incoming.response.status == 200,
      let pageKey = copies.page?.key ?? copies.fallback?.key,
      let target = candidate(incoming).refreshTarget, cache.key(of: target) == pageKey
    else { return false }
    var cookies = chain.cookies
    return cookies.receive(incoming.response, from: request.url, now: cache.clock())
  }

  /// Delivers the page that was saved before the redirects, if there is one.
  mutating func serveFallbackPage(_ reason: CopyReason) {
    guard let page = copies.selectPage() else { return fail(.notSaved) }
    if let check = reason.check(at: cache.clock()) { record(check) }
    deliver(copies.fallback ?? page, source: .saved(reason))
  }

  /// Returns the URL to which a rejected page refreshes, whatever its text; nil if there is none,
  /// or if the page asks for input.
  func refreshTarget(ofRejected incoming: IncomingResponse) -> WebURL? {
    let response = candidate(incoming)
    guard (200..<300).contains(response.response.status),
      RejectionReason.isPage(response.response) || response.beginning.isEmpty
    else { return nil }
    let traits = response.readTraits()
    guard !traits.hasForm, let refresh = response.response.refresh ?? traits.refresh,
      !refresh.target.isEmpty
    else { return nil }
    return request.url.resolve(refresh.target)
  }

  /// Whether no content of a response has arrived.
  func hasNoContent(_ incoming: IncomingResponse) -> Bool { candidate(incoming).length == 0 }

  private func candidate(_ incoming: IncomingResponse) -> CandidateResponse {
    CandidateResponse(
      response: incoming.response, url: request.url, beginning: incoming.contentPrefix,
      length: incoming.spool?.length ?? Int64(incoming.contentPrefix.count))
  }

  // MARK: Redirects of background revalidations

  /// Follows a redirect received by a background revalidation. Its target is loaded, because the
  /// redirect counts only if it leads to a page.
  mutating func followInBackground() {
    guard let incoming = exchange?.incoming else { return abandonBackgroundRedirect(.missingHead) }
    let follower = RedirectFollower(
      request, isPublicOnly: options.isPublicOnly, isUnattended: options.isUnattended,
      cookies: chain.cookies, isAfterForm: chain.submitsForm)
    follow(LoadedResponse(response: incoming.response, source: .network), with: follower)
  }

  private mutating func follow(_ redirect: LoadedResponse, with follower: RedirectFollower) {
    var follower = follower
    do throws(LoadError) {
      try cache.follow(redirect, with: &follower)
      loadInBackground(follower)
    } catch {
      abandonBackgroundRedirect(error)
    }
  }

  private mutating func loadInBackground(_ follower: RedirectFollower) {
    guard let task else { return }
    var options = options
    options.followRedirect()
    options.isPublicOnly = follower.isPublicOnly
    options.fallbackDelay = .infinity
    options.mode = .networkFirst
    let response = Mutex<LoadedResponse?>(nil)
    let step = follower.step(
      options: options, fallbackPage: copies.fallback.map { FallbackPage(page: $0) })
    let target = cache.load(step) { event in
      if case .response(let head) = event { response.withLock { $0 = head } }
      guard event.endsDelivery else { return }
      task.perform { context in
        guard context.exchange?.incoming?.redirectTarget != nil else { return }
        let head = response.withLock(\.self)
        if let head, Redirection.isRedirect(head.response) {
          context.follow(head, with: follower)
        } else {
          context.endBackgroundRedirect(event, head)
        }
      }
    }
    exchange?.incoming?.redirectTarget = target
  }

  /// Ends a background revalidation whose redirects do not lead to a page.
  private mutating func abandonBackgroundRedirect(_ error: LoadError) {
    record(.init(date: cache.clock(), result: .failed(.badRedirect)))
    endBackgroundRedirect(.failed(error))
  }

  private mutating func endBackgroundRedirect(_ event: CacheEvent, _ head: LoadedResponse? = nil) {
    exchange?.incoming?.redirectTarget = nil
    let result = CachePolicy.revalidationResult(
      of: event, head, copy: copies.fallback, now: cache.clock())
    handle(.redirectsEnded(result))
  }
}

extension CacheEvent {
  /// Whether at most the result of a background revalidation may follow this event.
  fileprivate var endsDelivery: Bool {
    switch self {
    case .finished, .failed: true
    case .response, .data, .refreshed, .checked: false
    }
  }
}
