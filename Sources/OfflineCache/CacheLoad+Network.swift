import Foundation

/// A network response that is being received.
struct IncomingAnswer {
  var response: ResponseHead
  var responseTime: Date
  var isStored: Bool
  var suspicion: Suspicion?
  /// The reason to serve the saved copy instead, or nil.
  var keeps: CopyReason?
  /// Whether the content is delivered as it arrives; otherwise it is delivered when complete.
  var isStreaming: Bool
  /// The content received so far; nil if it is neither stored nor buffered.
  var spool: Spool?
  /// The first bytes of the content, which are validated.
  var beginning: [UInt8] = []

  /// Appends a piece of the content to `beginning`, up to the length that is examined.
  mutating func take(_ bytes: [UInt8]) {
    let missing = Suspicion.examinedLength - beginning.count
    if missing > 0 { beginning.append(contentsOf: bytes.prefix(missing)) }
  }
}

extension CacheLoad {
  /// Sends the request to the server.
  /// - Parameters:
  ///   - base: The stored response whose validators are sent, or nil.
  ///   - reason: The reason for forwarding the request, for `Cache-Status`.
  ///   - patiently: Whether an available copy is served if the server is slow or unreachable; false
  ///     for a background revalidation.
  func ask(
    validating base: StoredResponse?, because reason: CacheStatus.Reason, patiently: Bool = true
  ) {
    attempt += 1
    self.reason = reason
    if let failure = blockedPort ?? recentFailure(isNamed: patiently) {
      if patiently { takeRefusal(failure) }
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
    if patiently { setPatience(CachePolicy.patience(options, held: held)) }
  }

  private func send(_ request: WebRequest) {
    let attempt = attempt
    var request = request
    if let chainCookies { request.fields["Cookie"] = chainCookies }
    sent = request
    incoming = nil
    isNetworkDone = false
    counters.forwarded += 1
    let share = cache.exchange(
      request, by: loader ?? cache.transport, limits: limits,
      key: sharingKey(request), queue: queue
    ) { event in
      self.take(event, of: attempt)
    }
    exchange = share
    requestTime = share.exchange.requestTime
  }

  private var limits: TransportLimits {
    var limits = TransportLimits(options)
    if !cache.configuration.isReadOnly {
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
      options.respected.isEmpty, !CacheControl(sent.fields).contains("no-store")
    else { return nil }
    return SharedExchange.Key(
      url: sent.url, fields: sent.fields.lines, requester: requester, storedAs: key,
      limits: limits)
  }

  /// The failure for a blocked port in a URL that a page named; nil for other ports, and for URLs
  /// rewritten by the user's settings.
  private var blockedPort: TransportFailure? {
    guard loader == nil, options.isPageNamed, let port = request.url.port,
      request.url.hasBlockedPort, destination.server == request.url.server
    else { return nil }
    return .blockedPort(port)
  }

  /// Returns the recent failure that prevents contacting the origin; nil if the origin was
  /// reachable or the user entered this URL.
  private func recentFailure(isNamed: Bool) -> TransportFailure? {
    guard loader == nil, !(isNamed && (options.isUserNamed || options.isReload)) else {
      return nil
    }
    return cache.recentFailure(of: sentURL)
  }

  /// The URL to which the request is sent.
  var sentURL: WebURL { destination }

  private func take(_ event: TransportEvent, of attempt: Int) {
    guard attempt == self.attempt, !isNetworkDone else { return }
    noteActivity()
    switch event {
    case .response(let response): takeHead(response)
    case .data(let bytes): takeContent(bytes)
    case .finished: takeEnd()
    case .failed(let failure): takeFailure(failure)
    }
  }

  private func takeHead(_ received: ResponseHead) {
    let response = unrewritten(received)
    if loader == nil {
      cache.noteExchange(with: sentURL, failure: nil)
      cache.notePeer(received, of: sentURL)
      cache.noteStrictTransport(received, of: sentURL)
    }
    let now = cache.clock()
    keepCookies(of: response, at: now)
    if let again = answer(to: response) {
      exchange?.cancel()
      attempt += 1
      return send(again)
    }
    noteQuestion(of: response)
    if !options.patienceCoversContent { setPatience(nil) }
    let outcome = CachePolicy.receive(
      response, for: request, revalidating: candidates, held: held, good: comparedCopy,
      options: judging(response), now: now)
    switch outcome {
    case .refresh(let base, let merged): confirm(base, merged, at: now)
    case .retry:
      exchange?.cancel()
      ask(validating: nil, because: reason)
    case .pass(let isStorable, let suspicion):
      let isStored = isStorable && storing(response) != .never
      // If a copy is available, a new response is delivered only when complete.
      let isStreaming = held == nil && !hasAnswered
      let isKept = isStored || !isStreaming
      if !isKept { exchange?.keepNothing() }
      incoming = IncomingAnswer(
        response: response, responseTime: now, isStored: isStored, suspicion: suspicion,
        isStreaming: isStreaming, spool: isKept ? exchange?.exchange.spool : nil)
      noteSideEffects(of: response, at: now)
      let isCertain = storing(response) != .undecided && canStay(response, suspicion)
      if isStreaming { answer(response, at: now, isStored: isStored && isCertain) }
      if !isStreaming { watchPauses() }
    case .keep(let copy, let because, let isStorable, let suspicion):
      let isStored = isStorable && storing(response) != .never
      incoming = IncomingAnswer(
        response: response, responseTime: now, isStored: isStored, suspicion: suspicion,
        keeps: because, isStreaming: false, spool: isStored ? exchange?.exchange.spool : nil)
      record(because, at: now)
      if !hasAnswered { deliver(held ?? copy, source: .saved(because)) }
    }
  }

  private func takeContent(_ bytes: [UInt8]) {
    counters.bytesFromNetwork += Int64(bytes.count)
    incoming?.take(bytes)
    guard let incoming else { return }
    guard !incoming.isStreaming else {
      if !isDelivered { hand(bytes) }
      return
    }
    exchange?.acknowledge(bytes.count)
    if incoming.keeps == nil, !hasAnswered, incoming.spool?.failure != nil {
      // The response cannot be buffered (the disk is full): request it again and deliver it as it
      // arrives.
      exchange?.cancel()
      held = nil
      fallbackPage = nil
      stored = Variants<StoredResponse>()
      ask(validating: nil, because: reason)
    }
  }

  private func takeEnd() {
    isNetworkDone = true
    setPatience(nil)
    guard var incoming else { return endIfDone() }
    if incoming.isStored { incoming.isStored = mayStore(incoming) }
    let suspicion = suspicion(of: incoming)
    let saved = incoming.isStored ? save(incoming, suspicion) : nil
    let doubt = suspicion ?? doubtOfTarget(incoming)
    if incoming.isStreaming {
      finish(saved)
    } else if incoming.keeps != nil {
      endIfDone()
    } else if hasAnswered {
      conclude(incoming, suspicion: doubt, saved: saved)
    } else if let suspicion, let held, options.allowsFallback {
      record(.suspect(suspicion), at: incoming.responseTime)
      deliver(self.held ?? held, source: .saved(.suspect(suspicion)))
    } else if let doubt, let fallbackPage {
      useFallbackPage(to: fallbackPage, because: doubt)
    } else {
      deliver(incoming, saved: saved)
    }
  }

  /// Ends a background revalidation whose response is complete.
  private func conclude(
    _ incoming: IncomingAnswer, suspicion: Suspicion?, saved: StoredResponse?
  ) {
    let now = cache.clock()
    if let suspicion {
      record(.suspect(suspicion), at: now)
    } else if let target = Redirection.target(of: incoming.response, from: request.url),
      target != held.flatMap({ Redirection.target(of: $0.response, from: request.url) })
    {
      return followInBackground(incoming.response)
    } else if let saved, saved.isGood, saved.payloadDigest != held?.payloadDigest {
      followUp = .refreshed(saved)
    } else {
      followUp = .checked(.init(date: now, result: .unchanged))
    }
    endIfDone()
  }

  /// Handles a request that is not sent because its origin was unreachable a moment ago. This does
  /// not count as a check of the copy.
  private func takeRefusal(_ failure: TransportFailure) {
    isNetworkDone = true
    if let reason = CachePolicy.fallback(after: failure, held: held), let held {
      deliver(held, source: .saved(reason))
      endIfDone()
    } else {
      fail(.transport(failure))
    }
  }

  private func takeFailure(_ failure: TransportFailure) {
    if loader == nil { cache.noteExchange(with: sentURL, failure: failure) }
    isNetworkDone = true
    setPatience(nil)
    if incoming?.isStreaming ?? false {
      incoming?.spool = nil
      fail(.transport(failure))
      return endIfDone()
    }
    // The copy was already served; the rest of the rejected response is not needed.
    guard incoming?.keeps == nil else { return endIfDone() }
    incoming = nil
    if held == nil, !hasAnswered, findsAgain() { hold(at: cache.clock()) }
    if let reason = CachePolicy.fallback(after: failure, held: held) {
      record(reason, at: cache.clock())
      if !hasAnswered, let held { return deliver(held, source: .saved(reason)) }
    } else if !hasAnswered {
      return fail(.transport(failure))
    } else {
      followUp = .checked(.init(date: cache.clock(), result: .failed(failure)))
    }
    endIfDone()
  }

  // MARK: Results

  /// Updates the stored response that a 304 response confirmed (RFC 9111 §4.3.4).
  private func confirm(_ base: StoredResponse, _ merged: ResponseHead, at now: Date) {
    isNetworkDone = true
    setPatience(nil)
    var updated = base
    updated.response = merged
    updated.requestTime = requestTime
    updated.responseTime = now
    updated.lastCheck = .init(date: now, result: .unchanged)
    let refreshed = exchange?.exchange.save {
      cache.attempt { archive throws(ArchiveError) in
        guard !base.isSeed, !isForOneOnly(merged, about: base) else { return try adopt(updated) }
        return try archive.refresh(base, with: merged, requestTime: requestTime, responseTime: now)
      }
    }
    if hasAnswered {
      followUp = .checked(.init(date: now, result: .unchanged))
      return endIfDone()
    }
    deliver(ruled(refreshed ?? updated), source: .validated)
  }

  /// Returns whether the response to a validation of a public stored response is private, as are
  /// all responses to requests with credentials or cookies. It then becomes a private version and
  /// changes no other.
  func isForOneOnly(_ answer: ResponseHead, about stored: StoredResponse) -> Bool {
    !stored.isPrivate
      && Vary.isPrivate(cache.vary.varying(of: answer, for: request, by: requester))
  }
}
