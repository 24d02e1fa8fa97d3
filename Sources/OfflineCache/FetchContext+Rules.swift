import Foundation

/// Applies the application's rules to a load.
extension FetchContext {
  /// Applies the rewrites, and the rules that concern the request: the mode and the cache key.
  mutating func applyRules(_ url: WebURL) {
    let subject = Rule.Subject(url: url, method: request.method)
    options.mode = cache.mode(for: url, options)
    let rewritten = RewrittenRequest(request, for: url, by: cache.configuration.rewrites)
    resource = Resource(rewritten: rewritten, key: cache.key(of: rewritten, for: url))
    request = rewritten.request
    if let name = cache.rules.keyField(for: subject) { request.fields[name] = nil }
  }

  /// Returns the versions stored under the unmodified URL; empty unless rules omit parts of the
  /// query from the key. Imported files, and versions saved before such rules existed, use the
  /// unmodified URL as the key.
  func versionsOfUnmodifiedURL() -> [StoredResponse] {
    guard let rewritten, !rewritten.isRetargeted else { return [] }
    let plainKey = CacheKey.make(rewritten.storageURL)
    return plainKey == key || !plainKey.contains("?") ? [] : cache.captures(of: plainKey)
  }

  /// Returns a response head with `Location` and `Content-Location` mapped from the target of a
  /// rewrite back to the requested URL space.
  func unrewritten(_ response: ResponseHead) -> ResponseHead {
    guard let rewritten, rewritten.isRetargeted else { return response }
    var response = response
    for name in ["Location", "Content-Location"] {
      guard let position = response.fields.values(of: name).first, !position.isEmpty else {
        continue
      }
      response.fields[name] = rewritten.requestedURL(for: position)
    }
    return response
  }

  /// Returns the file that replaces the network response; nil if no substitution applies or a
  /// particular saved version was requested.
  func substitute() -> ServedFile? {
    let substitutions = cache.configuration.substitutions
    guard !substitutions.isEmpty, ["GET", "HEAD"].contains(request.method),
      options.copy == .latest
    else { return nil }
    let url = request.url
    return substitutions.lazy.compactMap { $0.file(for: url) }.first
  }

  /// Adds the versions from seeds as the oldest versions, unless a good version is saved.
  mutating func addSeeds() {
    guard !cache.configuration.seeds.isEmpty,
      !copies.visible.contains(where: {
        $0.isGood && cache.vary.isVisible($0, to: identity.requester)
      })
    else { return }
    copies.visible += applyingRules(cache.seeds.captures(of: request.url, key: key))
  }

  /// Saves a stored response that the server has confirmed as a new version in the archive. The
  /// response is from a seed, or was public and is now private to the requester.
  func adopt(_ confirmed: StoredResponse) throws(ArchiveError) -> StoredResponse {
    let read = try cache.reader(of: confirmed)
    let spool = cache.archive.makeSpool()
    while let chunk = try read() { spool.write(chunk) }
    let capture = Capture(
      key: key, url: request.url.description, response: confirmed.response,
      requestTime: confirmed.requestTime, responseTime: confirmed.responseTime,
      varying: cache.vary.varying(of: confirmed.response, for: request, by: identity.requester))
    return try cache.archive.append(capture, body: spool)
  }

  /// Returns stored responses with the freshness lifetime that the rules and the options assign.
  func applyingRules(_ versions: [StoredResponse]) -> [StoredResponse] {
    cache.rules.rules.isEmpty && options.pagesFreshSince == .infinity
      ? versions : versions.map(applyingRules)
  }

  /// Returns a stored response with the freshness lifetime that the rules and the options assign.
  func applyingRules(_ stored: StoredResponse) -> StoredResponse {
    var result = stored
    let subject = subject(of: stored.response, size: stored.length)
    result.lifetimeOverride =
      isPageOfRun(stored)
      ? TimeInterval.infinity : cache.rules.lifetime(of: stored.response, subject)
    return result
  }

  /// Whether a stored response is a page that the run of this load has requested. A response by
  /// http may be that of a captive portal.
  private func isPageOfRun(_ stored: StoredResponse) -> Bool {
    stored.requestTime.timeIntervalSince1970 >= options.pagesFreshSince && !options.isUserEntered
      && request.url.scheme == "https" && stored.isGood
      && ResponseHead.pageStatuses.contains(stored.response.status)
  }

  /// Returns the decision about saving a response whose head was received. It is `never` in four
  /// cases: the cache is configured as read-only, the responses of the loader are not cached, the
  /// response must not be stored under its URL, or the response is private to a form. Otherwise the
  /// rules decide.
  func storageDecision(_ response: ResponseHead) -> RuleBook.StorageDecision {
    // If an error disables saving, responses are not excluded here, so that the attempt to save
    // reports the error.
    if cache.configuration.isReadOnly, cache.configuration.readOnlyReason == nil { return .never }
    if let loader, !loader.isCached { return .never }
    if overridesTarget || chain.isPrivate { return .never }
    let length = response.fields.values(of: "Content-Length").first.flatMap { Int64($0) }
    // With an unsupported content coding, the decoded length is unknown.
    let size = response.fields["Content-Encoding"] == nil ? length : nil
    return storageDecision(for: response, size: size)
  }

  /// Returns whether a response whose head was received may fit into the limit of the archive;
  /// false only if it certainly does not.
  func mayBeSaved(_ response: ResponseHead, _ rejectionReason: RejectionReason?) -> Bool {
    let length = response.fields.values(of: "Content-Length").first.flatMap { Int64($0) }
    let isCoded = response.fields["Content-Encoding"] != nil
    var stored = StoredResponse(
      id: "", key: key, response: response, requestTime: requestTime, responseTime: requestTime,
      contentDate: requestTime)
    stored.rejectionReason = rejectionReason
    return cache.archive.mayBeSaved(isCoded ? nil : length, for: key, isGood: stored.isGood)
  }

  private func storageDecision(for response: ResponseHead, size: Int64?) -> RuleBook.StorageDecision
  {
    guard !cache.rules.rules.isEmpty else { return .unspecified }
    return cache.rules.storageDecision(for: subject(of: response, size: size))
  }

  /// Returns the load options for validating a response. They ignore `no-store` and `no-cache` if a
  /// rule requires saving the response, or may still require it, or if a seed contains the page.
  func validationOptions(_ response: ResponseHead) -> LoadOptions {
    var options = options
    if [.always, .undecided].contains(storageDecision(response))
      || copies.includesSeed
    {
      options.respectedDirectives = []
    }
    return options
  }

  /// Returns whether a complete response is saved, now that its length is known.
  func mayStore(_ incoming: IncomingResponse) -> Bool {
    let response = incoming.response
    switch storageDecision(for: response, size: incoming.spool?.length ?? 0) {
    case .always: return true
    case .never: return false
    case .unspecified, .undecided:
      // A page that is shipped with the application is updated regardless of the response
      // directives.
      return copies.includesSeed
        || Storability.isArchivable(
          response, for: request, respecting: options.respectedDirectives)
    }
  }

  private func subject(of response: ResponseHead, size: Int64?) -> Rule.Subject {
    Rule.Subject(response, to: request.method, request.url, size: size)
  }
}
