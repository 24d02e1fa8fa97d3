import Foundation

/// Conditional requests, made and answered (RFC 9111 §4.3).
package enum Validation {
  /// The request fields by which a client makes its own request conditional or partial.
  package static let clientConditions = [
    "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
  ]

  /// Whether the client itself made the request conditional or asked for a part.
  package static func isConditional(_ request: WebRequest) -> Bool {
    clientConditions.contains { request.fields[$0] != nil }
  }

  /// Whether a response can be validated.
  package static func hasValidator(_ response: ResponseHead) -> Bool {
    response.fields["ETag"] != nil || response.fields["Last-Modified"] != nil
  }

  /// §4.3.2: whether the client set a condition that only the origin may evaluate.
  package static func isForOrigin(_ request: WebRequest) -> Bool {
    request.fields["If-Match"] != nil || request.fields["If-Unmodified-Since"] != nil
  }

  /// Whether a stored response can be validated by a request: a date would not be looked at beside
  /// entity tags of the client's own (RFC 9110 §13.2.2).
  package static func canValidate(_ stored: some CachedResponse, by request: WebRequest) -> Bool {
    tag(of: stored.response) != nil
      || stored.response.fields["Last-Modified"] != nil && request.fields["If-None-Match"] == nil
  }

  /// §4.3.1: the stored responses that one request asks about: `base`, and by their entity tags the
  /// newest ones of other variants that are nobody's own.
  package static func candidates<Stored: CachedResponse>(
    _ stored: Variants<Stored>, base: Stored
  ) -> [Stored] {
    guard let ours = tag(of: base.response) else { return [base] }
    var tags: Set<String> = [ours]
    var variants = [base.varying]
    var candidates = [base]
    for other in stored.others + stored.askable where candidates.count < candidateLimit {
      guard isCandidate(other), !variants.contains(other.varying) else { continue }
      variants.append(other.varying)
      guard let tag = tag(of: other.response), tags.insert(tag).inserted else { continue }
      candidates.append(other)
    }
    return candidates
  }

  /// Whether another variant may be asked about, and be selected by the server.
  package static func isCandidate(_ other: some CachedResponse) -> Bool {
    Storability.isReusable(other) && other.response.status == 200 && !other.isPrivate
      && tag(of: other.response) != nil
  }

  /// §4.3.1, §4.3.2: the request with the conditions by which stored responses are validated, the
  /// first of them by its date too. Entity tags of the client's own stay in the list.
  package static func conditional(
    _ request: WebRequest, validating candidates: [some CachedResponse]
  ) -> WebRequest {
    var request = request
    let ours = candidates.compactMap { tag(of: $0.response) }
    if !ours.isEmpty {
      let theirs = clientTags(request).filter { $0 != "*" && !ours.contains($0) }
      request.fields["If-None-Match"] = (ours + theirs).joined(separator: ", ")
    }
    request.fields["If-Modified-Since"] =
      candidates.first?.response.fields.values(of: "Last-Modified").first
    return request
  }

  /// §4.3.4: the stored response that a 304 confirms, of those that were asked about; nil when it
  /// confirms none of them for sure.
  package static func confirmed<Stored: CachedResponse>(
    by response: ResponseHead, among candidates: [Stored], for request: WebRequest
  ) -> Stored? {
    guard let base = candidates.first else { return nil }
    let modified = response.fields.values(of: "Last-Modified").first
    let ours = base.response.fields.values(of: "Last-Modified").first
    if let tag = tag(of: response) {
      // A strong validator has to be the same; a weak one compares weakly.
      let found = candidates.first {
        guard let own = self.tag(of: $0.response) else { return false }
        return tag.hasPrefix("W/") ? opaque(tag) == opaque(own) : tag == own
      }
      if let found { return found }
      let isDated = self.tag(of: base.response) == nil && (modified == nil || modified == ours)
      return isDated ? base : nil
    }
    // Without an entity tag nobody knows which one of several it was.
    let others = clientTags(request).filter { $0 != "*" && $0 != self.tag(of: base.response) }
    guard candidates.count == 1, others.isEmpty else { return nil }
    guard let modified, let ours else { return base }
    return modified == ours || self.tag(of: base.response) != nil ? base : nil
  }

  /// Whether a 304 answers a condition of the client's own.
  package static func answersClient(_ response: ResponseHead, _ request: WebRequest) -> Bool {
    guard let tag = tag(of: response) else { return false }
    return clientTags(request).contains { opaque($0) == opaque(tag) }
  }

  /// §3.2, §4.3.4: the stored head with the fields of a 304.
  package static func merged(_ stored: ResponseHead, with response: ResponseHead) -> ResponseHead {
    var merged = stored
    var replaced: [String] = []
    for line in withoutConnectionFields(response.fields).lines {
      let name = line.name.lowercased()
      guard !neverUpdated.contains(name) else { continue }
      if !replaced.contains(name) {
        merged.fields[line.name] = nil
        replaced.append(name)
      }
      merged.fields.append(line.name, line.value)
    }
    return merged
  }

  /// §3.1: the fields without those that belong to the connection.
  package static func withoutConnectionFields(_ fields: FieldLines) -> FieldLines {
    var fields = fields
    var names: Set<String> = connectionFields
    for value in fields.values(of: "Connection") {
      names.formUnion(FieldList.texts(value).map { $0.lowercased() })
    }
    fields.removeAll { names.contains($0.name.lowercased()) }
    return fields
  }

  /// §4.3.2: whether a client's own condition says that it has this response already: answer 304.
  package static func isNotModified(_ request: WebRequest, stored: some CachedResponse) -> Bool {
    guard stored.response.status == 200 else { return false }
    if request.fields["If-None-Match"] != nil {
      let ours = tag(of: stored.response).map(opaque)
      return clientTags(request).contains { $0 == "*" || opaque($0) == ours }
    }
    guard let since = request.fields["If-Modified-Since"],
      let limit = HTTPDate.parse(since, now: stored.responseTime)
    else { return false }
    let modified =
      stored.response.fields.values(of: "Last-Modified").first
      ?? stored.response.fields.values(of: "Date").first
    let date = modified.flatMap { HTTPDate.parse($0, now: stored.responseTime) }
    return (date ?? stored.responseTime) <= limit
  }

  /// §4.3.5: whether the head of a HEAD answer describes the stored GET response.
  package static func describes(_ head: ResponseHead, _ stored: some CachedResponse) -> Bool {
    for name in ["ETag", "Last-Modified"] {
      if let value = head.fields[name], value != stored.response.fields[name] { return false }
    }
    guard let length = head.fields["Content-Length"], head.fields["Content-Encoding"] == nil else {
      return true
    }
    return Int64(length) == stored.length
  }

  private static let connectionFields: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "proxy-authenticate",
    "proxy-authentication-info", "proxy-authorization", "te", "transfer-encoding", "upgrade",
  ]

  private static let neverUpdated: Set<String> = [
    // §3.2: what stored bytes are read by stays what came with them.
    "content-length", "content-encoding", "content-range", "content-type", "cache-status",
  ]

  /// The most stored responses that one request asks about.
  private static let candidateLimit = 8

  private static func tag(of response: ResponseHead) -> String? {
    response.fields.values(of: "ETag").first
  }

  private static func clientTags(_ request: WebRequest) -> [String] {
    request.fields.values(of: "If-None-Match").flatMap { FieldList.texts($0) }
  }

  private static func opaque(_ tag: String) -> String {
    tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
  }
}
