import Foundation

/// Exchanges messages with the server.
extension FetchContext {
  /// Sends the request to the server.
  /// - Parameters:
  ///   - base: The stored response whose validators are sent, or nil.
  ///   - reason: The reason for forwarding the request, for `Cache-Status`.
  ///   - usesFallbackDelay: Whether an available copy is served if the server is slow or
  ///     unreachable; false for a background revalidation.
  mutating func contactServer(
    validating base: StoredResponse?, reason: CacheStatus.Reason, usesFallbackDelay: Bool = true
  ) {
    if let failure = blockedPort ?? recentFailure(isUserRequested: usesFallbackDelay) {
      if usesFallbackDelay {
        let reason = CachePolicy.fallback(after: failure, fallback: copies.fallback)
        handle(.refused(failure, fallback: reason))
      }
      return
    }
    var forwarded = ForwardedRequest(
      request, to: sentURL, validating: copies.isOfOtherSpelling ? nil : base,
      among: copies.variants, reason: reason,
      choosesCoding: choosesCoding, isReload: options.isReload)
    authorize(&forwarded.request)
    send(forwarded)
    handle(.sent(usesFallbackDelay: usesFallbackDelay))
  }

  /// Sends a request after ending the exchange of the previous request, whose events are obsolete.
  private mutating func send(_ forwarded: ForwardedRequest) {
    guard let task else { return }
    exchange?.subscription.cancel()
    var forwarded = forwarded
    if let header = chain.cookieHeader { forwarded.request.fields["Cookie"] = header }
    client.counters.forwarded += 1
    let subscription = cache.exchange(
      forwarded.request, by: loader ?? cache.transport, limits: limits,
      key: sharingKey(forwarded.request), maxAge: maxExchangeAge, queue: task.queue
    ) { event in
      task.performNow { $0.receive(event) }
    }
    exchange = FetchExchange(subscription: subscription, forwarded: forwarded)
  }

  private var limits: TransportLimits {
    var limits = TransportLimits(options)
    // The limit of the archive applies only to content that may be saved (RFC 9111 §5.2.1.5).
    if !cache.configuration.isReadOnly, !CacheControl(request.fields).contains("no-store") {
      limits.size = min(limits.size, cache.configuration.limits.maxResponseLength)
    }
    // The user configured the target of a rewrite, so it may be on any network.
    if destination.host != request.url.host {
      limits.isPublicOnly = false
    }
    return limits
  }

  /// Returns the key that another load needs to share this exchange; nil if it must not be shared.
  private func sharingKey(_ sent: WebRequest) -> SharedExchange.Key? {
    guard sent.method == "GET", !sent.hasBody, chain.cookieHeader == nil,
      sent.fields["Range"] == nil,
      options.respectedDirectives.isEmpty, !CacheControl(sent.fields).contains("no-store")
    else { return nil }
    return SharedExchange.Key(
      url: sent.url, fields: sent.fields.lines, requester: identity.requester, storedAs: key,
      limits: limits)
  }

  /// The greatest age, in seconds, of an exchange that this load joins; nil if any may be joined. A
  /// user who reloads because the server does not respond expects another request.
  private var maxExchangeAge: TimeInterval? {
    options.isReload && options.fallbackDelay.isFinite ? options.fallbackDelay : nil
  }

  /// The failure for a blocked port in a URL that the user did not enter
  /// (`LoadOptions.isFromPage`); nil for other ports, and for URLs rewritten by the user's
  /// settings.
  private var blockedPort: TransportFailure? {
    guard loader == nil, options.isFromPage, let port = request.url.port,
      request.url.hasBlockedPort, destination.server == request.url.server
    else { return nil }
    return .blockedPort(port)
  }

  /// Returns the recent failure that prevents contacting the origin; nil if it may be contacted. If
  /// `isUserRequested` is true, a URL that the user entered or reloads may always be contacted.
  private func recentFailure(isUserRequested: Bool) -> TransportFailure? {
    guard loader == nil, !(isUserRequested && (options.isUserEntered || options.isReload)) else {
      return nil
    }
    return cache.recentFailure(of: sentURL)
  }

  /// The URL to which the request is sent.
  var sentURL: WebURL { destination }

  /// The time at which the current request was sent.
  var requestTime: Date { exchange?.shared.requestTime ?? .distantPast }

  /// The reason for forwarding the current request, for `Cache-Status`.
  var forwardingReason: CacheStatus.Reason { exchange?.forwarded.reason ?? .miss }

  /// Whether another load has sent the current request.
  var isCollapsed: Bool { exchange?.subscription.hasJoined ?? false }

  // MARK: Events of the exchange

  private mutating func receive(_ event: TransportEvent) {
    guard machine.isExchanging else { return }
    task?.recordActivity()
    switch event {
    case .response(let response): receiveHead(response)
    case .data(let bytes): receiveContent(bytes)
    case .finished: handle(.completed(complete()))
    case .failed(let failure): receiveFailure(failure)
    }
  }

  private mutating func receiveHead(_ received: ResponseHead) {
    let response = ByteRange.withoutNeedlessRange(unrewritten(received), to: request)
    if loader == nil {
      cache.recordExchange(with: sentURL, failure: nil)
      cache.recordPeer(received, of: sentURL)
      cache.applyStrictTransport(received, of: sentURL)
    }
    let now = cache.clock()
    storeCookies(of: response, at: now)
    if let again = authenticatedRequest(to: response) { return send(again) }
    identity.challenges.recordUnanswered(response, from: destination)
    if !options.fallbackDelayCoversContent { setTimer(nil) }
    exchange?.incoming = IncomingResponse(response: response, responseTime: now)
    let outcome = CachePolicy.receive(
      response, for: request, revalidating: exchange?.forwarded.candidates ?? [],
      fallback: copies.fallback, goodCopy: comparedCopy, options: validationOptions(response),
      now: now)
    handle(.response(outcome, hasFallback: copies.fallback != nil, at: now))
  }

  /// Begins to receive the content of a response.
  /// - Parameters:
  ///   - reception: What the content is used for.
  ///   - isStorable: Whether the response may be stored; the storage decision can still prevent
  ///     this.
  ///   - rejectionReason: The reason why the response is not trusted; nil if it is trusted.
  mutating func receive(
    _ reception: FetchMachine.Reception, isStorable: Bool, _ rejectionReason: RejectionReason?
  ) {
    guard var incoming = exchange?.incoming else { return }
    let response = incoming.response
    incoming.isStored = isStorable && storageDecision(response) != .never
    incoming.rejectionReason = rejectionReason
    let isKept = incoming.isStored || reception == .buffering
    if isKept {
      incoming.spool = exchange?.shared.spool
    } else if reception == .streaming {
      exchange?.subscription.disableSpooling()
    }
    exchange?.incoming = incoming
    guard reception != .discarding else { return }
    applySideEffects(of: response, at: incoming.responseTime)
    guard reception == .streaming else { return }
    let isCertain = storageDecision(response) != .undecided && mayBeSaved(response, rejectionReason)
    deliverHead(response, at: incoming.responseTime, isExpected: incoming.isStored && isCertain)
  }

  private mutating func receiveContent(_ bytes: [UInt8]) {
    client.counters.bytesFromNetwork += Int64(bytes.count)
    guard exchange?.incoming != nil else { return }
    exchange?.incoming?.append(bytes)
    guard machine.state != .streaming else { return stream(bytes) }
    exchange?.subscription.acknowledge(bytes.count)
    // If the disk has no space for the buffer, the response is requested again and delivered as it
    // arrives.
    if exchange?.incoming?.spool?.failure != nil { handle(.bufferFailed) }
  }

  /// Saves a complete response if it may be stored, and compares it with the stored ones.
  private mutating func complete() -> FetchMachine.CompletedResponse? {
    guard var incoming = exchange?.incoming else { return nil }
    if incoming.isStored { incoming.isStored = mayStore(incoming) }
    let rejectionReason = rejectionReason(of: incoming)
    // A response that sets a cookie and refreshes is stored as a rejected version if there is a
    // copy, so that the copy continues to be the page.
    incoming.savedVersion = incoming.isStored ? save(incoming, rejectionReason) : nil
    let targetRejection = rejectionReason == nil ? targetRejection(incoming) : nil
    let isRejected = (rejectionReason ?? targetRejection) != nil && !refreshesWithCookie(incoming)
    exchange?.incoming = incoming
    let saved = incoming.savedVersion
    let target = Redirection.target(of: incoming.response, from: request.url)
    let savedTarget = copies.fallback.flatMap {
      Redirection.target(of: $0.response, from: request.url)
    }
    return FetchMachine.CompletedResponse(
      saved: saved, date: machine.isClientWaiting ? incoming.responseTime : cache.clock(),
      rejectionReason: isRejected ? rejectionReason : nil,
      targetRejection: isRejected ? targetRejection : nil,
      hasFallback: copies.fallback != nil && options.allowsFallback,
      hasFallbackPage: copies.page != nil,
      redirectsElsewhere: target != nil && target != savedTarget,
      isNewContent: saved.map { $0.isGood && $0.payloadDigest != copies.fallback?.payloadDigest }
        ?? false)
  }

  private mutating func receiveFailure(_ failure: TransportFailure) {
    if loader == nil { cache.recordExchange(with: sentURL, failure: failure) }
    if machine.state != .streaming, copies.fallback == nil, machine.isClientWaiting,
      findVersionsAgain()
    {
      copies.selectFallback(for: request, options, at: cache.clock())
    }
    let reason = CachePolicy.fallback(after: failure, fallback: copies.fallback)
    let failure = saveContent(receivedBefore: failure)
    handle(.failed(failure, fallback: reason, at: cache.clock()))
  }

  // MARK: Results

  /// Updates the stored response that a 304 response confirmed (RFC 9111 §4.3.4). A seed, or a
  /// public response that becomes private, is saved as a new version instead.
  func confirm(_ base: StoredResponse, _ merged: ResponseHead) -> StoredResponse {
    let now = exchange?.incoming?.responseTime ?? cache.clock()
    let requestTime = requestTime
    var updated = base
    updated.response = merged
    updated.varying = varying(of: base, updatedTo: merged)
    updated.requestTime = requestTime
    updated.responseTime = now
    updated.lastCheck = .init(date: now, result: .unchanged)
    let refreshed = exchange?.shared.save {
      cache.attempt { archive throws(ArchiveError) in
        guard !base.isSeed, !isPersonal(merged, about: base) else { return try adopt(updated) }
        return try archive.refresh(
          base, with: merged, varying: updated.varying, requestTime: requestTime,
          responseTime: now)
      }
    }
    return applyingRules(refreshed ?? updated)
  }

  /// Returns the request fields, with their values, that select stored response `base` after this
  /// request has validated it. `head`, the updated head, may name further fields in `Vary`.
  func varying(of base: StoredResponse, updatedTo head: ResponseHead) -> [VaryingField] {
    cache.vary.varying(of: base, updatedTo: head, for: request, by: identity.requester)
  }

  /// Returns whether the response to the validation of a public stored response is private, as all
  /// responses to requests with credentials or cookies are. A private response becomes a version of
  /// its own and does not change public versions.
  func isPersonal(_ response: ResponseHead, about stored: StoredResponse) -> Bool {
    !stored.isPrivate
      && Vary.isPrivate(cache.vary.varying(of: response, for: request, by: identity.requester))
  }
}
