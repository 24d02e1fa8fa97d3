public import Foundation

/// Entries that an application makes by itself, without a load.
extension HTTPCache {
  /// Saves an answer as if a server had just given it. It is under the same key, by the same rules and for the
  /// same requests (`Vary`) as the answer to a load would be, in a record of its own, and on the disk within a
  /// second. Blocks for the disk.
  /// - Parameters:
  ///   - response: the head. Fields that say how the content is coded (`Content-Encoding`) are left out,
  ///     and its length is put right.
  ///   - content: the content, in its plain form.
  ///   - request: what it answers: a GET of an http or https URL, or of a scheme that has a loader. When it has
  ///     `Authorization` or `Cookie`, the answer is for who has the same.
  /// - Returns: the version that is saved now.
  /// - Throws: `ArchiveError.unwritable` when nothing is saved here, when the cache is closed, or when such an
  ///   answer is never saved (a method other than GET, a status of 1xx or 304, a part, `no-store` in the request,
  ///   a rule); `.full`, `.noFolder`.
  @discardableResult
  public func store(
    _ response: ResponseHead, content: [UInt8], for request: WebRequest
  ) throws(ArchiveError) -> StoredResponse {
    let url = request.url.withoutFragment.withoutCredentials
    guard !isClosed else { throw .unwritable("the cache is closed") }
    guard url.isWeb || configuration.loaders[url.scheme] != nil, configuration.loads(url.scheme)
    else { throw .unwritable("the cache does not keep \(url.scheme): URLs") }
    var asked = request
    asked.url = url
    let rewritten = RewrittenRequest(asked, for: url, by: configuration.rewrites)
    let type = (response.fields.values(of: "Content-Type").first ?? "").prefix { $0 != ";" }
    let subject = Rule.Subject(
      url: url, method: request.method,
      mediaType: type.trimmingCharacters(in: .whitespaces).lowercased(), size: Int64(content.count))
    guard rules.storing(subject) != .never, !TargetOverride.isPresent(in: request),
      Storability.isArchived(response, for: asked, respecting: []), response.status != 206
    else { throw .unwritable("such an answer is not saved") }
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
    let requester = Requester(asked)
    return try archive.append(
      Capture(
        key: key, url: url.description, response: head, requestTime: now, responseTime: now,
        varying: vary.varying(of: head, for: asked, by: requester)), body: spool)
  }

  /// Saves an answer as if a server had just given it, without blocking; see `store(_:content:for:)`.
  /// - Parameters:
  ///   - response: the head.
  ///   - content: the content, in its plain form.
  ///   - url: what it answers, by GET.
  /// - Returns: the version that is saved now.
  /// - Throws: as `store(_:content:for:)`.
  @discardableResult
  public func store(
    _ response: ResponseHead, content: Data, at url: WebURL
  ) async throws(ArchiveError) -> StoredResponse {
    try await Self.away { () throws(ArchiveError) in
      try self.store(response, content: [UInt8](content), for: WebRequest(url: url))
    }.get()
  }
}
