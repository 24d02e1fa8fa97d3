import Foundation

/// Delivers responses to the client.
extension FetchContext {
  /// Delivers a stored response. If the response may not replace the page that was saved before the
  /// redirects, that page is delivered instead; if the content of the response cannot be read, the
  /// next best response is delivered.
  mutating func deliver(_ response: StoredResponse, source: LoadedResponse.Source) {
    guard machine.isClientWaiting else { return }
    if let page = copies.page, options.copy == .latest, !response.isRedirect,
      options.trust == .compared(withCopy: true),
      let rejectionReason = cache.reasonToReject(response, replacing: page)
    {
      // The saved target of the redirects may be a sign-in page as well.
      return serveFallbackPage(.suspect(rejectionReason))
    }
    var content: StoredContent?
    let extent = StoredExtent(of: response, for: request)
    let omitsContent = source == .validated && options.omitsValidatedContent
    if let part = extent.bytes, !omitsContent {
      do throws(ArchiveError) {
        content = try Self.content(cache.reader(of: response), part: part, stored: response)
      } catch {
        return handleUnreadable(response, error, source: source)
      }
    }
    var head = extent.head(of: response, isValidated: source == .validated)
    let now = cache.clock()
    cache.archive.recordUse(of: response.key, at: now)
    let freshness = Freshness(of: response, now: now)
    let differences = differences(of: response, source)
    addCacheFields(
      &head, cacheStatus(of: source, freshness, differences), age: freshness.age,
      date: response.generationDate)
    let versions = response.key == key ? copies.visible : cache.captures(of: response.key)
    let olderCount = versions.count { $0.isGood && $0.contentDate < response.contentDate }
    if case .file? = response.seed {
      head.fields["Last-Modified"] = HTTPDate.format(response.contentDate)
    }
    var reply = LoadedResponse(
      response: head, source: source, stored: response, olderVersions: olderCount,
      isFresh: source == .validated || freshness.isFresh && differences == nil)
    reply.differingFields = differences ?? []
    send(reply, content)
  }

  private func cacheStatus(
    of source: LoadedResponse.Source, _ freshness: Freshness, _ differences: [String]?
  ) -> CacheStatus {
    switch source {
    case .validated:
      .forwarded(forwardingReason, status: 304, isStored: false, isCollapsed: isCollapsed)
    case .saved(let reason) where differences != nil:
      .hit(timeToLive: nil, detail: differences == [] ? reason.detail : .variant)
    case .saved(let reason): .hit(timeToLive: freshness.timeToLive, detail: reason.detail)
    case .fresh, .network, .seed, .substituted: .hit(timeToLive: freshness.timeToLive)
    }
  }

  /// Returns the names of the request fields by which a saved copy is known to belong to another
  /// request; empty if these fields are unknown. Returns nil if the copy matches this request, or
  /// if the user requested the copy explicitly.
  private func differences(of response: StoredResponse, _ source: LoadedResponse.Source)
    -> [String]?
  {
    guard case .saved(let because) = source, because != .requested,
      copies.variants.others.contains(where: { $0.id == response.id })
    else { return nil }
    return cache.vary.differences(between: response, request, by: identity.requester)
  }

  /// Returns a reader of a range of the content. The rest is read as well, because the digest
  /// covers the whole content.
  private static func content(
    _ read: @escaping () throws(ArchiveError) -> [UInt8]?, part: Range<Int64>,
    stored: StoredResponse?
  ) throws(ArchiveError) -> StoredContent {
    var offset: Int64 = 0
    let next = { () throws(ArchiveError) -> [UInt8]? in
      while let chunk = try read() {
        let position = part.clamped(to: offset..<offset + Int64(chunk.count))
        let start = offset
        offset += Int64(chunk.count)
        if position.count == chunk.count { return chunk }
        if !position.isEmpty {
          return Array(chunk[Int(position.lowerBound - start)..<Int(position.upperBound - start)])
        }
      }
      return nil
    }
    // Content below 1 MB is verified completely before the first piece is returned.
    return StoredContent(next: next, firstPiece: try next(), stored: stored)
  }

  /// Treats a record that cannot be read as not stored: falls back to the previous good version or
  /// to the server, or else fails the load.
  private mutating func handleUnreadable(
    _ response: StoredResponse, _ error: ArchiveError, source: LoadedResponse.Source
  ) {
    cache.record(error)
    copies.remove(response)
    if !response.isSeed, !copies.includesSeed {
      addSeeds()
      copies.variants.matching += copies.visible.filter(\.isSeed)
    }
    copies.selectFallback(for: request, options, at: cache.clock())
    let outcome = CachePolicy.outcome(
      ofUnreadable: source, fallback: copies.fallback, isExchanging: machine.isExchanging)
    switch outcome {
    case .serve(let fallback): deliver(fallback, source: source)
    case .wait: break
    case .fail: fail(.archive(error))
    case .decide: decide()
    }
  }

  /// Delivers a complete network response that was buffered.
  mutating func deliverBuffer() {
    guard let incoming = exchange?.incoming, let spool = incoming.spool else {
      return fail(.missingHead)
    }
    var offset: Int64 = 0
    let content = StoredContent(
      next: { () throws(ArchiveError) -> [UInt8]? in
        let chunk = try spool.chunk(at: offset)
        offset += Int64(chunk?.count ?? 0)
        return chunk
      }, firstPiece: nil, stored: incoming.savedVersion)
    let response = networkResponse(
      incoming.response, stored: incoming.savedVersion,
      date: incoming.savedVersion == nil ? nil : incoming.responseTime)
    send(response, content)
  }

  /// Delivers the head of a network response; its content follows as it arrives.
  ///
  /// `Cache-Status` does not contain `stored`, because saving can still fail; see
  /// `LoadedResponse.recordSaved`.
  /// - Parameters:
  ///   - response: The head.
  ///   - date: The time at which it was received.
  ///   - isExpected: Whether the response will be saved unless saving fails.
  mutating func deliverHead(_ response: ResponseHead, at date: Date, isExpected: Bool) {
    let isWritable = cache.archive.warning == nil
    report(
      .response(
        networkResponse(response, stored: nil, date: isExpected && isWritable ? date : nil)))
  }

  private func networkResponse(
    _ response: ResponseHead, stored: StoredResponse?, date: Date?
  ) -> LoadedResponse {
    var head = response
    let status = CacheStatus.forwarded(
      forwardingReason, status: response.status, isStored: stored != nil, isCollapsed: isCollapsed)
    // RFC 9111 §5.1: only stored responses get an `Age` from this cache; an `Age` from an upstream
    // cache is kept.
    addCacheFields(&head, status, age: nil, date: date)
    let older = copies.visible.count(where: \.isGood)
    return LoadedResponse(response: head, source: .network, stored: stored, olderVersions: older)
  }

  /// Delivers a file instead of a stored response: a built-in page or a substitution.
  mutating func deliver(_ file: ServedFile, source: LoadedResponse.Source) {
    var response = file.response
    response.fields.append("Last-Modified", HTTPDate.format(file.modificationDate))
    let stored = StoredResponse(
      id: "", key: key, response: response, requestTime: file.modificationDate,
      responseTime: file.modificationDate, contentDate: file.modificationDate, length: file.length)
    let extent = StoredExtent(of: stored, for: request)
    do throws(ArchiveError) {
      var content: StoredContent?
      if let part = extent.bytes {
        content = try Self.content(file.reader(), part: part, stored: nil)
      }
      var head = extent.head(of: stored, isValidated: true)
      let detail: CacheStatus.Detail? = source == .substituted ? .substitute : nil
      let status = CacheStatus.hit(timeToLive: nil, detail: detail)
      head.fields.append("Cache-Status", status.text(by: cache.configuration.name))
      send(LoadedResponse(response: head, source: source), content)
    } catch {
      fail(.archive(error))
    }
  }

  /// Delivers a response that the cache itself generates.
  mutating func deliverGenerated(_ response: ResponseHead, detail: CacheStatus.Detail) {
    var head = response
    let now = cache.clock()
    head.fields.append("Date", HTTPDate.format(now))
    head.fields.append("Content-Length", "0")
    addCacheFields(&head, .generated(detail), age: 0, date: now)
    var reply = LoadedResponse(response: head, source: .network)
    reply.isHTTPSUpgrade = detail == .hsts
    send(reply, nil)
  }

  private mutating func send(_ response: LoadedResponse, _ content: StoredContent?) {
    guard machine.isClientWaiting else { return }
    handle(.headDelivered)
    report(.response(response))
    guard let content else { return handle(.contentEnded(.finished(response.stored))) }
    let pause = client.begin(content)
    conclude(pause)
  }

  /// Ends the delivery of stored content unless it is suspended.
  private mutating func conclude(_ pause: FetchClient.Pause) {
    switch pause {
    case .suspended: break
    case .complete(let stored): handle(.contentEnded(.finished(stored)))
    case .failed(let error):
      cache.record(error)
      fail(.archive(error))
    }
  }

  /// Delivers a piece of the content as it arrives.
  mutating func stream(_ chunk: [UInt8]) {
    report(.data(chunk))
    if !client.acknowledgesManually { exchange?.subscription.acknowledge(chunk.count) }
  }

  /// Continues the delivery after the client has consumed `count` bytes of content.
  mutating func handleAcknowledgment(_ count: Int) {
    if machine.state == .streaming {
      exchange?.subscription.acknowledge(count)
    } else {
      let pause = client.resume(after: count)
      conclude(pause)
    }
  }

  private func addCacheFields(
    _ head: inout ResponseHead, _ status: CacheStatus, age: TimeInterval?, date: Date?
  ) {
    // RFC 9211 §2: appended after the entries of upstream caches.
    head.fields.append("Cache-Status", status.text(by: cache.configuration.name))
    if let age { head.fields["Age"] = String(Int(min(age, TimeInterval(DeltaSeconds.maxValue)))) }
    // A capture of another archive keeps its `Memento-Datetime` (RFC 7089 §2.1.1). Other responses
    // get one from this cache if they are stored.
    if let date, head.fields["Memento-Datetime"] == nil {
      head.fields["Memento-Datetime"] = HTTPDate.format(date)
    }
  }
}
