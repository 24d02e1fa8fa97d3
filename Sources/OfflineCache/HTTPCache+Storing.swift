import Foundation

/// Stores responses that an application supplies without a load.
extension HTTPCache {
  /// Saves a response as if a server had just sent it.
  ///
  /// The cache key, the rules and `Vary` apply as for a load. The response is written in a record
  /// of its own, and reaches the disk within a second. Blocks on file access.
  /// - Parameters:
  ///   - response: The head. Fields that describe a coding (such as `Content-Encoding`) are
  ///     removed, and the content length is corrected.
  ///   - content: The content without any coding.
  ///   - request: The request that the response answers: a GET request for an http or https URL, or
  ///     for a scheme with a loader. If it contains `Authorization` or `Cookie`, the response is
  ///     private to requests with the same value.
  /// - Returns: The saved version.
  /// - Throws: `ArchiveError.unwritable` if the archive is read-only, the cache is closed, or the
  ///   response must not be saved (a method other than GET, status 1xx, 206 or 304, `no-store` in
  ///   the request, or a rule); `.full`, `.noFolder`.
  @discardableResult
  public func store(
    _ response: ResponseHead, content: [UInt8], for request: WebRequest
  ) throws(ArchiveError) -> StoredResponse {
    let url = request.url.withoutFragment.withoutCredentials
    guard !isClosed else { throw .unwritable("the cache is closed") }
    guard url.isWeb || configuration.loaders[url.scheme] != nil, configuration.loads(url.scheme)
    else { throw .unwritable("the cache does not store \(url.scheme): URLs") }
    var storedRequest = request
    storedRequest.url = url
    let rewritten = RewrittenRequest(storedRequest, for: url, by: configuration.rewrites)
    let subject = Rule.Subject(response, to: request.method, url, size: Int64(content.count))
    guard rules.storageDecision(for: subject) != .never, !TargetOverride.isPresent(in: request),
      Storability.isArchivable(response, for: storedRequest, respecting: []), response.status != 206
    else { throw .unwritable("the rules do not allow storing this response") }
    let now = clock()
    let key = key(
      namedBy: response, else: key(of: rewritten, for: url), rewritten, for: url, at: now)
    var head = response
    head.fields = Validation.withoutConnectionFields(head.fields)
    for name in ["Content-Encoding", "Transfer-Encoding", "Content-Length"] {
      head.fields[name] = nil
    }
    let spool = archive.makeSpool()
    spool.write(content)
    let requester = Requester(storedRequest)
    return try archive.append(
      Capture(
        key: key, url: url.description, response: head, requestTime: now, responseTime: now,
        varying: vary.varying(of: head, for: storedRequest, by: requester)), body: spool)
  }
}
