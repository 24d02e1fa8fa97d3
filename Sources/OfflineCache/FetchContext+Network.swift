import Foundation

/// A network response that is being received.
struct IncomingResponse {
  var response: ResponseHead
  var responseTime: Date
  var isStored = false
  var rejectionReason: RejectionReason?
  /// The content received so far; nil if it is neither stored nor buffered.
  var spool: Spool?
  /// The first bytes of the content, which are validated.
  var beginning: [UInt8] = []
  /// The version that was saved when the response was complete.
  var saved: StoredResponse?

  /// Appends a piece of the content to `beginning`, up to the length that is examined.
  mutating func append(_ bytes: [UInt8]) {
    let missing = RejectionReason.examinedLength - beginning.count
    if missing > 0 { beginning.append(contentsOf: bytes.prefix(missing)) }
  }
}

extension FetchContext {
  /// Sends the request to the server.
  /// - Parameters:
  ///   - base: The stored response whose validators are sent, or nil.
  ///   - reason: The reason for forwarding the request, for `Cache-Status`.
  ///   - usesFallbackDelay: Whether an available copy is served if the server is slow or
  ///     unreachable; false for a background revalidation.
  mutating func ask(
    validating base: StoredResponse?, reason: CacheStatus.Reason, usesFallbackDelay: Bool = true
  ) {
    self.reason = reason
    if let failure = blockedPort ?? recentFailure(isNamed: usesFallbackDelay) {
      if usesFallbackDelay {
        let reason = CachePolicy.fallback(after: failure, fallback: fallbackCopy)
        handle(.refused(failure, fallback: reason))
      }
      return
    }
    candidates = []
    var sent = request
    if let base, Validation.canValidate(base, by: request) {
      candidates = Validation.candidates(stored, base: base)
      sent = Validation.conditional(request, validating: candidates)
    }
    // A range of encoded content could not be decoded.
    if choosesCoding, sent.fields["Range"] != nil { sent.fields["Accept-Encoding"] = "identity" }
    sent.url = sentURL
    if options.isReload, sent.fields["Cache-Control"] == nil {
      sent.fields["Cache-Control"] = "max-age=0"
    }
    authorize(&sent)
    send(sent)
    handle(.sent(isPatient: usesFallbackDelay))
  }

  /// Sends a request, and ends the exchange of the previous one, whose events are obsolete.
  private mutating func send(_ request: WebRequest) {
    guard let task else { return }
    exchange?.cancel()
    var request = request
    if let chainCookies { request.fields["Cookie"] = chainCookies }
    sent = request
    incoming = nil
    counters.forwarded += 1
    let share = cache.exchange(
      request, by: loader ?? cache.transport, limits: limits,
      key: sharingKey(request), queue: task.queue
    ) { event in
      task.performNow { $0.receive(event) }
    }
    exchange = share
    requestTime = share.exchange.requestTime
  }

  private var limits: TransportLimits {
    var limits = TransportLimits(options)
    // The limit of the archive concerns only content that may be saved (RFC 9111 §5.2.1.5).
    if !cache.configuration.isReadOnly, !CacheControl(request.fields).contains("no-store") {
      limits.size = min(limits.size, cache.configuration.limits.responseLimit)
    }
    // The user configured the target of a rewrite, so it may be on any network.
    if destination.host != request.url.host {
      limits.isPublicOnly = false
    }
    return limits
  }

  /// Returns the key that another load needs to share this exchange; nil if it must not be shared.
  private func sharingKey(_ sent: WebRequest) -> SharedExchange.Key? {
    guard sent.method == "GET", sent.body.isEmpty, chainCookies == nil, sent.fields["Range"] == nil,
      options.respectedDirectives.isEmpty, !CacheControl(sent.fields).contains("no-store")
    else { return nil }
    return SharedExchange.Key(
      url: sent.url, fields: sent.fields.lines, requester: requester, storedAs: key,
      limits: limits)
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
  /// `isNamed` is true, a URL that the user entered or reloads may always be contacted.
  private func recentFailure(isNamed: Bool) -> TransportFailure? {
    guard loader == nil, !(isNamed && (options.isUserEntered || options.isReload)) else {
      return nil
    }
    return cache.recentFailure(of: sentURL)
  }

  /// The URL to which the request is sent.
  var sentURL: WebURL { destination }

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
    let response = unrewritten(received)
    if loader == nil {
      cache.recordExchange(with: sentURL, failure: nil)
      cache.recordPeer(received, of: sentURL)
      cache.applyStrictTransport(received, of: sentURL)
    }
    let now = cache.clock()
    storeCookies(of: response, at: now)
    if let again = authenticatedRequest(to: response) { return send(again) }
    recordChallenge(of: response)
    if !options.fallbackDelayCoversContent { setTimer(nil) }
    incoming = IncomingResponse(response: response, responseTime: now)
    let outcome = CachePolicy.receive(
      response, for: request, revalidating: candidates, fallback: fallbackCopy, good: comparedCopy,
      options: validationOptions(response), now: now)
    handle(.response(outcome, hasFallback: fallbackCopy != nil, at: now))
  }

  /// Begins to receive the content of a response.
  mutating func receive(
    _ reception: FetchMachine.Reception, isStorable: Bool, _ rejectionReason: RejectionReason?
  ) {
    guard var incoming else { return }
    let response = incoming.response
    incoming.isStored = isStorable && storing(response) != .never
    incoming.rejectionReason = rejectionReason
    let isKept = incoming.isStored || reception == .buffering
    if isKept {
      incoming.spool = exchange?.exchange.spool
    } else if reception == .streaming {
      exchange?.disableSpooling()
    }
    self.incoming = incoming
    guard reception != .discarding else { return }
    applySideEffects(of: response, at: incoming.responseTime)
    guard reception == .streaming else { return }
    let isCertain = storing(response) != .undecided && mayBeSaved(response, rejectionReason)
    deliverHead(response, at: incoming.responseTime, isStored: incoming.isStored && isCertain)
  }

  private mutating func receiveContent(_ bytes: [UInt8]) {
    counters.bytesFromNetwork += Int64(bytes.count)
    guard incoming != nil else { return }
    incoming?.append(bytes)
    guard machine.state != .streaming else { return stream(bytes) }
    exchange?.acknowledge(bytes.count)
    // Without room for the buffer, the response is requested again and delivered as it arrives.
    if incoming?.spool?.failure != nil { handle(.bufferFailed) }
  }

  /// Saves a complete response if it may be stored, and compares it with the stored ones.
  private mutating func complete() -> FetchMachine.CompletedResponse? {
    guard var incoming else { return nil }
    if incoming.isStored { incoming.isStored = mayStore(incoming) }
    let rejectionReason = rejectionReason(of: incoming)
    // A response that sets a cookie and refreshes is stored as a rejected version if there is a
    // copy, so that the copy remains the page.
    incoming.saved = incoming.isStored ? save(incoming, rejectionReason) : nil
    let targetRejection = rejectionReason == nil ? targetRejection(incoming) : nil
    let isRejected = (rejectionReason ?? targetRejection) != nil && !refreshesWithCookie(incoming)
    self.incoming = incoming
    let saved = incoming.saved
    let target = Redirection.target(of: incoming.response, from: request.url)
    let heldTarget = fallbackCopy.flatMap { Redirection.target(of: $0.response, from: request.url) }
    return FetchMachine.CompletedResponse(
      saved: saved, date: machine.isClientWaiting ? incoming.responseTime : cache.clock(),
      rejectionReason: isRejected ? rejectionReason : nil,
      targetRejection: isRejected ? targetRejection : nil,
      hasFallback: fallbackCopy != nil && options.allowsFallback,
      hasFallbackPage: fallbackPage != nil,
      redirectsElsewhere: target != nil && target != heldTarget,
      isNewContent: saved.map { $0.isGood && $0.payloadDigest != fallbackCopy?.payloadDigest }
        ?? false)
  }

  private mutating func receiveFailure(_ failure: TransportFailure) {
    if loader == nil { cache.recordExchange(with: sentURL, failure: failure) }
    if machine.state != .streaming, fallbackCopy == nil, machine.isClientWaiting,
      findVersionsAgain()
    {
      selectFallback(at: cache.clock())
    }
    let reason = CachePolicy.fallback(after: failure, fallback: fallbackCopy)
    handle(.failed(failure, fallback: reason, at: cache.clock()))
  }

  // MARK: Results

  /// Updates the stored response that a 304 response confirmed (RFC 9111 §4.3.4). A seed, or a
  /// public response that becomes private, is saved as a new version instead.
  func confirm(_ base: StoredResponse, _ merged: ResponseHead) -> StoredResponse {
    let now = incoming?.responseTime ?? cache.clock()
    var updated = base
    updated.response = merged
    updated.requestTime = requestTime
    updated.responseTime = now
    updated.lastCheck = .init(date: now, result: .unchanged)
    let refreshed = exchange?.exchange.save {
      cache.attempt { archive throws(ArchiveError) in
        guard !base.isSeed, !isPersonal(merged, about: base) else { return try adopt(updated) }
        return try archive.refresh(base, with: merged, requestTime: requestTime, responseTime: now)
      }
    }
    return applyingRules(refreshed ?? updated)
  }

  /// Returns whether the response to a validation of a public stored response is private, as are
  /// all responses to requests with credentials or cookies. It then becomes a private version and
  /// changes no other.
  func isPersonal(_ response: ResponseHead, about stored: StoredResponse) -> Bool {
    !stored.isPrivate
      && Vary.isPrivate(cache.vary.varying(of: response, for: request, by: requester))
  }
}
