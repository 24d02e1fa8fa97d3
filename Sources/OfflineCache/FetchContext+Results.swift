import Foundation

/// Makes the changes of a load to the archive.
extension FetchContext {
  /// Saves a complete response.
  /// - Parameters:
  ///   - incoming: The response.
  ///   - rejectionReason: The reason why it is not trusted; nil if it is trusted.
  ///   - isOnlyVersion: Whether it is saved only if its key has no other version.
  /// - Returns: The saved version; nil if there is none, or if the content was not spooled.
  func save(
    _ incoming: IncomingResponse, _ rejectionReason: RejectionReason?, isOnlyVersion: Bool = false
  ) -> StoredResponse? {
    guard let spool = incoming.spool else { return nil }
    var response = incoming.response
    response.fields = Validation.withoutConnectionFields(response.fields)
    let key = entryKey(of: incoming)
    let capture = Capture(
      key: key, url: request.url.description, response: response,
      requestTime: requestTime,
      responseTime: incoming.responseTime,
      varying: cache.vary.varying(of: response, for: request, by: identity.requester),
      rejectionReason: rejectionReason, request: recordedRequest)
    // All subscribers of the exchange received the same content, so only one record is written.
    return exchange?.shared.save {
      // Another load may have saved a version in the meantime.
      guard !isOnlyVersion || cache.captures(of: key).isEmpty else { return nil }
      return cache.attempt { archive throws(ArchiveError) in
        try archive.append(capture, body: spool, isDeferred: true)
      }
    }
  }

  /// Saves the content of a page whose connection failed after the end of the content, unless there
  /// is a copy: of this URL, of the page before its redirects, or one shipped with the application.
  /// By RFC 9112 §8 the response is incomplete, so the copy is only for reading without the
  /// network: it is never fresh (RFC 9111 §3.3), and its last check is the failure. It is saved
  /// without validators: a 304 would confirm that the server has the same content, but not that the
  /// copy has all of it.
  /// - Returns: The failure, which states whether the content was saved.
  func saveContent(receivedBefore failure: TransportFailure) -> TransportFailure {
    guard failure.isAfterContentEnd, request.method == "GET", copies.visible.isEmpty,
      copies.page == nil, var incoming = exchange?.incoming, incoming.isStored,
      incoming.response.status == 200, mayStore(incoming), rejectionReason(of: incoming) == nil
    else { return failure }
    for name in ["ETag", "Last-Modified"] { incoming.response.fields[name] = nil }
    guard let saved = save(incoming, nil, isOnlyVersion: true) else { return failure }
    let now = cache.clock()
    cache.invalidate([saved.key], by: request.method, at: now)
    let check = StoredResponse.Check(
      date: now, result: .failed(TransportFailure(failure.kind, failure.message)))
    _ = cache.attempt { archive throws(ArchiveError) in
      try archive.record(check, of: saved.key, id: saved.id)
    }
    var failure = failure
    failure.isContentSaved = true
    return failure
  }

  /// Returns the key under which a response is stored.
  private func entryKey(of incoming: IncomingResponse) -> String {
    guard !cache.rules.rules.isEmpty, let rewritten else { return key }
    return cache.key(
      namedBy: incoming.response, else: key, rewritten, for: request.url, at: incoming.responseTime)
  }

  /// The request head to record; nil if the options do not require it, or if a loader handles the
  /// request.
  private var recordedRequest: [UInt8]? {
    guard options.recordsRequest, loader == nil, let sentRequest = exchange?.forwarded.request
    else {
      return nil
    }
    return RecordedRequest.bytes(
      of: sentRequest, to: request.url, without: rewritten?.overriddenFields ?? [])
  }

  /// Records the result of an attempt to revalidate the copy.
  mutating func record(_ check: StoredResponse.Check) {
    let (key, id) = (copies.fallback?.key ?? key, copies.fallback?.id)
    _ = cache.attempt { archive throws(ArchiveError) in
      try archive.record(check, of: key, id: id)
    }
    copies.record(check)
  }

  /// Invalidates stored responses after a successful unsafe request (RFC 9111 §4.4), and updates
  /// them after HEAD (§4.3.5).
  func applySideEffects(of response: ResponseHead, at now: Date) {
    guard (200..<400).contains(response.status) else { return }
    if request.method == "HEAD", response.status == 200 { update(with: response, at: now) }
    guard !Storability.isSafe(request.method) else { return }
    let url = request.url
    let locations = ["Location", "Content-Location"].flatMap { response.fields.values(of: $0) }
      .compactMap { url.resolve($0) }.filter { $0.origin == url.origin }
    cache.invalidate([key] + locations.map(cache.key(of:)), by: request.method, at: now)
  }

  /// Updates the stored GET response from a HEAD response, or invalidates it if the content must
  /// have changed.
  private func update(with head: ResponseHead, at now: Date) {
    guard let base = copies.variants.matching.first(where: Storability.isReusable),
      base.response.status == 200, !base.isSeed, !isPersonal(head, about: base)
    else { return }
    guard Validation.describes(head, base) else {
      return cache.invalidate([base.key], by: request.method, at: now)
    }
    let merged = Validation.merged(base.response, with: head)
    _ = cache.attempt { archive throws(ArchiveError) in
      try archive.refresh(
        base, with: merged, varying: varying(of: base, updatedTo: merged),
        requestTime: requestTime, responseTime: now)
    }
  }
}
