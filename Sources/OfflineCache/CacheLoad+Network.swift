import Foundation

/// An answer of the server while it comes in.
struct IncomingAnswer {
  var response: ResponseHead
  var responseTime: Date
  var isStored: Bool
  var suspicion: Suspicion?
  /// Why the copy answers instead, or nil.
  var keeps: CopyReason?
  /// Whether it goes to the client as it comes; else it is complete before anything does.
  var isStreaming: Bool
  /// The content so far; nil when it is neither stored nor held back.
  var spool: Spool?
  /// The first bytes of the content, to be judged.
  var beginning: [UInt8] = []

  /// Takes the next piece of the content.
  mutating func take(_ bytes: [UInt8]) {
    let missing = Suspicion.examinedLength - beginning.count
    if missing > 0 { beginning.append(contentsOf: bytes.prefix(missing)) }
  }
}

extension CacheLoad {
  /// Asks the server.
  /// - Parameters:
  ///   - base: the stored response whose validators are sent, or nil.
  ///   - reason: why the request goes forward.
  ///   - patiently: whether the copy answers when the server takes long.
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
    // A part of an encoded content could not be decoded.
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
    // Where a rewrite leads to, the person has said.
    if destination.host != request.url.host {
      limits.isPublicOnly = false
    }
    return limits
  }

  /// What another load has to ask, too, to share the exchange; nil when nobody may.
  private func sharingKey(_ sent: WebRequest) -> SharedExchange.Key? {
    guard sent.method == "GET", sent.body.isEmpty, chainCookies == nil, sent.fields["Range"] == nil,
      options.respected.isEmpty, !CacheControl(sent.fields).contains("no-store")
    else { return nil }
    return SharedExchange.Key(
      url: sent.url, fields: sent.fields.lines, requester: requester, storedAs: key,
      limits: limits)
  }

  /// The failure for a blocked port in a URL that a page named; nil for other ports, and for URLs rewritten by the
  /// user's settings.
  private var blockedPort: TransportFailure? {
    guard loader == nil, options.isPageNamed, let port = request.url.port,
      request.url.hasBlockedPort, destination.server == request.url.server
    else { return nil }
    return .blockedPort(port)
  }

  /// Why the origin is not asked: it could not be reached a moment ago, and nobody named this URL.
  private func recentFailure(isNamed: Bool) -> TransportFailure? {
    guard loader == nil, !(isNamed && (options.isUserNamed || options.isReload)) else {
      return nil
    }
    return cache.recentFailure(of: sentURL)
  }

  /// Where the request goes.
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
      // While a copy is held, nothing of a new answer is given out before it is complete.
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
      // No room to hold the answer back (a full disk): ask again and let it through as it comes.
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

  /// The refresh behind a copy is complete.
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

  /// The origin could not be reached a moment ago, and is not asked again. This is no check.
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
    // The copy answers already; the rest of an error page is not missed.
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

  /// A 304 confirmed what is stored.
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

  /// Whether what the server said of a response that is nobody's own is for the requester alone, as is
  /// all that was got with credentials or cookies: it makes a version of theirs, and changes no other.
  func isForOneOnly(_ answer: ResponseHead, about stored: StoredResponse) -> Bool {
    !stored.isPrivate
      && Vary.isPrivate(cache.vary.varying(of: answer, for: request, by: requester))
  }
}
