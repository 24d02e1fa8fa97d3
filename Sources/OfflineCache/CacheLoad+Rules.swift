import Foundation

/// What an application's rules mean for a load.
extension CacheLoad {
  /// Rewrites the request, and takes from the rules what they say before there is an answer.
  func applyRules(_ url: WebURL) {
    let asked = Rule.Subject(url: url, method: request.method)
    options.mode = cache.mode(for: url, options)
    let rewritten = RewrittenRequest(request, for: url, by: cache.configuration.rewrites)
    key = cache.key(of: rewritten, for: url)
    request = rewritten.request
    if let name = cache.rules.keyField(for: asked) { request.fields[name] = nil }
    self.rewritten = rewritten
  }

  /// What lies under the URL as it is, where rules leave parts of it out of the key: files of others,
  /// and what was saved before there were such rules, have it there.
  func plainCaptures() -> [StoredResponse] {
    guard let rewritten, !rewritten.isRedirected else { return [] }
    let plain = CacheKey.make(rewritten.stored)
    return plain == key || !plain.contains("?") ? [] : cache.captures(of: plain)
  }

  /// The head of an answer in the URL space of whoever asked, not in that of a rewrite's target.
  func unrewritten(_ response: ResponseHead) -> ResponseHead {
    guard let rewritten, rewritten.isRedirected else { return response }
    var response = response
    for name in ["Location", "Content-Location"] {
      guard let place = response.fields.values(of: name).first, !place.isEmpty else { continue }
      response.fields[name] = rewritten.asked(for: place)
    }
    return response
  }

  /// The file that answers instead of the network, when a substitution has one and no particular
  /// saved version is asked for.
  func substitute() -> ServedFile? {
    let substitutions = cache.configuration.substitutions
    guard !substitutions.isEmpty, ["GET", "HEAD"].contains(request.method),
      options.copy == .latest
    else { return nil }
    let url = request.url
    return substitutions.lazy.compactMap { $0.file(for: url) }.first
  }

  /// Takes what the seeds have for the oldest versions, where nothing good was saved.
  func addSeeds() {
    guard !cache.configuration.seeds.isEmpty,
      !captures.contains(where: { $0.isGood && cache.vary.isVisible($0, to: requester) })
    else { return }
    captures += ruled(cache.seeds.captures(of: request.url, key: key))
  }

  /// Saves a response that the server has confirmed as a version of its own: a seed's, which is the
  /// archive's from now on, or nobody's, which is the requester's.
  func adopt(_ confirmed: StoredResponse) throws(ArchiveError) -> StoredResponse {
    let read = try cache.reader(of: confirmed)
    let spool = cache.archive.makeSpool()
    while let chunk = try read() { spool.write(chunk) }
    let capture = Capture(
      key: key, url: request.url.description, response: confirmed.response,
      requestTime: confirmed.requestTime, responseTime: confirmed.responseTime,
      varying: cache.vary.varying(of: confirmed.response, for: request, by: requester))
    return try cache.archive.append(capture, body: spool)
  }

  /// Stored responses with the lifetime that the rules give them.
  func ruled(_ captures: [StoredResponse]) -> [StoredResponse] {
    cache.rules.rules.isEmpty ? captures : captures.map(ruled)
  }

  /// A stored response with the lifetime that the rules give it.
  func ruled(_ stored: StoredResponse) -> StoredResponse {
    var ruled = stored
    let subject = subject(of: stored.response, size: stored.length)
    ruled.ruledLifetime = cache.rules.lifetime(of: stored.response, subject)
    return ruled
  }

  /// What the rules say of saving an answer whose head has come.
  func storing(_ response: ResponseHead) -> RuleBook.Storing {
    // Where that is not as it was wished, each answer says so.
    if cache.configuration.isReadOnly, cache.configuration.refusal == nil { return .never }
    if let loader, !loader.isCached { return .never }
    if overridesTarget || isForFormAlone { return .never }
    let length = response.fields.values(of: "Content-Length").first.flatMap { Int64($0) }
    // A coding that is not known to us says nothing of the decoded length.
    let size = response.fields["Content-Encoding"] == nil ? length : nil
    return storing(response, size: size)
  }

  /// Whether a response whose head was received fits into the limit of the archive.
  func canStay(_ response: ResponseHead, _ suspicion: Suspicion?) -> Bool {
    let length = response.fields.values(of: "Content-Length").first.flatMap { Int64($0) }
    let isCoded = response.fields["Content-Encoding"] != nil
    var stored = StoredResponse(
      id: "", key: key, response: response, requestTime: requestTime, responseTime: requestTime,
      contentDate: requestTime)
    stored.suspicion = suspicion
    return cache.archive.canStay(isCoded ? nil : length, for: key, isGood: stored.isGood)
  }

  private func storing(_ response: ResponseHead, size: Int64?) -> RuleBook.Storing {
    guard !cache.rules.rules.isEmpty else { return .unsaid }
    return cache.rules.storing(subject(of: response, size: size))
  }

  /// The options with which an answer is judged: where a rule may yet say that it is saved, no-store
  /// and no-cache do not decide.
  func judging(_ response: ResponseHead) -> LoadOptions {
    var options = options
    if [.always, .undecided].contains(storing(response)) || captures.contains(where: \.isSeed) {
      options.respected = []
    }
    return options
  }

  /// Whether a complete answer is saved, now that everything about it is known.
  func mayStore(_ incoming: IncomingAnswer) -> Bool {
    let response = incoming.response
    switch storing(response, size: incoming.spool?.length ?? 0) {
    case .always: return true
    case .never: return false
    case .unsaid, .undecided:
      // A page that came with the application is kept up to date whatever its answer says.
      return captures.contains(where: \.isSeed)
        || Storability.isArchived(
          response, for: request, respecting: options.respected)
    }
  }

  private func subject(of response: ResponseHead, size: Int64?) -> Rule.Subject {
    let type = (response.fields.values(of: "Content-Type").first ?? "").prefix { $0 != ";" }
    return Rule.Subject(
      url: request.url, method: request.method,
      mediaType: type.trimmingCharacters(in: .whitespaces).lowercased(), size: size)
  }
}
