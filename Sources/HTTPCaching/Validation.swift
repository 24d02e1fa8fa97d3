import Foundation

/// Creates and evaluates conditional requests (RFC 9111 §4.3).
package enum Validation {
  /// The request fields by which a client makes a request conditional or partial.
  package static let clientConditions = [
    "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
  ]

  /// Whether the client itself made the request conditional or requested a range.
  package static func isConditional(_ request: WebRequest) -> Bool {
    clientConditions.contains { request.fields[$0] != nil }
  }

  /// Whether the client set a condition that only the origin may evaluate (§4.3.2).
  package static func isForOrigin(_ request: WebRequest) -> Bool {
    request.fields["If-Match"] != nil || request.fields["If-Unmodified-Since"] != nil
  }

  /// Whether a request can validate a stored response. Its method must be GET or HEAD, because
  /// validators would make a request with any other method conditional (§4.3.1), and it must not
  /// have a condition that the origin must evaluate. If the only validator of the response is its
  /// modification date, the request must not have `If-None-Match`, because the server would then
  /// ignore the date (RFC 9110 §13.2.2).
  package static func canValidate(_ stored: some CachedResponse, by request: WebRequest) -> Bool {
    guard ["GET", "HEAD"].contains(request.method), !isForOrigin(request) else { return false }
    return tag(of: stored.response) != nil
      || modificationDate(of: stored) != nil && request.fields["If-None-Match"] == nil
  }

  /// Returns the stored responses that one request validates (§4.3.1): `base`, and the newest
  /// responses of other variants that have an entity tag and are not private.
  package static func candidates<Stored: CachedResponse>(
    _ stored: Variants<Stored>, base: Stored
  ) -> [Stored] {
    guard let ours = tag(of: base.response) else { return [base] }
    var tags: Set<String> = [ours]
    var variants = [base.varying]
    var candidates = [base]
    for other in stored.others + stored.revalidatable where candidates.count < maxCandidates {
      guard isCandidate(other), !variants.contains(other.varying) else { continue }
      variants.append(other.varying)
      guard let tag = tag(of: other.response), tags.insert(tag).inserted else { continue }
      candidates.append(other)
    }
    return candidates
  }

  /// Whether another variant may be included in a validation, and be selected by the server.
  package static func isCandidate(_ other: some CachedResponse) -> Bool {
    Storability.isReusable(other) && other.response.status == 200 && !other.isPrivate
      && tag(of: other.response) != nil
  }

  /// Returns the request with the conditions that validate stored responses: their entity tags, and
  /// the modification date of the first response (§4.3.1, §4.3.2). The client's own entity tags are
  /// kept.
  package static func conditional(
    _ request: WebRequest, validating candidates: [some CachedResponse]
  ) -> WebRequest {
    var request = request
    let ours = candidates.compactMap { tag(of: $0.response) }
    if !ours.isEmpty {
      let theirs = requestedEntityTags(request).filter { $0 != "*" && !ours.contains($0) }
      request.fields["If-None-Match"] = (ours + theirs).joined(separator: ", ")
    }
    request.fields["If-Modified-Since"] = candidates.first.flatMap { modificationDate(of: $0) }
    return request
  }

  /// Returns the stored response that a 304 confirms, among those that were validated; nil if it
  /// does not clearly confirm one of them (§4.3.4).
  package static func confirmed<Stored: CachedResponse>(
    by response: ResponseHead, among candidates: [Stored], for request: WebRequest
  ) -> Stored? {
    guard let base = candidates.first else { return nil }
    let responseModified = response.fields.values(of: "Last-Modified").first
    let storedModified = base.response.fields.values(of: "Last-Modified").first
    if let tag = tag(of: response) {
      if let identical = candidates.first(where: { self.tag(of: $0.response) == tag }) {
        return identical
      }
      // The server has compared the requested tags weakly (RFC 9110 §13.1.2). Servers that compress
      // content while they send it make the tag of a 200 weak (nginx) or append the name of the
      // coding to it (Apache, Jetty), but not that of a 304. A strong tag beside another
      // modification date belongs to another response.
      let equivalent = candidates.first {
        self.tag(of: $0.response).map(uncodedTag) == uncodedTag(tag)
          && (tag.hasPrefix("W/") || !hasOtherDate(response, $0))
      }
      if let equivalent { return equivalent }
      // A strong tag that no candidate has identifies another response. A response
      // without a tag may still be identified by its date if the tag is weak.
      let isDated =
        tag.hasPrefix("W/") && self.tag(of: base.response) == nil && responseModified != nil
        && responseModified == storedModified
      return isDated ? base : nil
    }
    // Without an entity tag, it is not known which of several responses was confirmed.
    let otherTags = requestedEntityTags(request).filter {
      $0 != "*" && $0 != self.tag(of: base.response)
    }
    guard candidates.count == 1, otherTags.isEmpty else { return nil }
    guard let responseModified, let storedModified else { return base }
    return responseModified == storedModified || self.tag(of: base.response) != nil ? base : nil
  }

  /// Whether a 304 matches a condition set by the client.
  package static func satisfiesClient(_ response: ResponseHead, _ request: WebRequest) -> Bool {
    guard let tag = tag(of: response) else { return false }
    return requestedEntityTags(request).contains { opaqueTag($0) == opaqueTag(tag) }
  }

  /// Returns the stored head updated with the fields of a 304 (§3.2, §4.3.4). The age that an
  /// upstream cache gave to the stored response ends with its validation (§4.2.3). So does its
  /// `Date`: a 304 without one is dated by the time of its receipt (RFC 9110 §6.6.1).
  package static func merged(_ stored: ResponseHead, with response: ResponseHead) -> ResponseHead {
    var merged = stored
    merged.fields["Age"] = nil
    merged.fields["Date"] = nil
    // A stored tag that is weak, or that names a coding, is not replaced by another form of the
    // same tag: it may identify encoded content, whose octets differ.
    let storedTag = tag(of: stored)
    var replaced: [String] = []
    for line in response.fields.withoutConnectionFields().lines {
      let name = line.name.lowercased()
      guard !fieldsNeverUpdated.contains(name),
        name != "etag" || !isOtherForm(line.value, of: storedTag)
      else { continue }
      if !replaced.contains(name) {
        merged.fields[line.name] = nil
        replaced.append(name)
      }
      merged.fields.append(line.name, line.value)
    }
    return merged
  }

  /// Returns the fields without connection-specific ones (§3.1).
  package static func withoutConnectionFields(_ fields: FieldLines) -> FieldLines {
    fields.withoutConnectionFields()
  }

  /// Whether the client's own condition matches the stored response, so that 304 is returned
  /// (§4.3.2).
  package static func isNotModified(_ request: WebRequest, stored: some CachedResponse) -> Bool {
    guard stored.response.status == 200 else { return false }
    if request.fields["If-None-Match"] != nil {
      let ours = tag(of: stored.response).map(opaqueTag)
      return requestedEntityTags(request).contains { $0 == "*" || opaqueTag($0) == ours }
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

  /// Whether the head of a HEAD response describes the stored GET response (§4.3.5).
  package static func describes(_ head: ResponseHead, _ stored: some CachedResponse) -> Bool {
    guard head.status == stored.response.status else { return false }
    for name in ["ETag", "Last-Modified"] {
      if let value = head.fields[name], value != stored.response.fields[name] { return false }
    }
    guard let length = head.fields["Content-Length"], head.fields["Content-Encoding"] == nil else {
      return true
    }
    return Int64(length) == stored.length
  }

  private static let fieldsNeverUpdated: Set<String> = [
    // §3.2: fields that describe the stored content keep their original values.
    "content-length", "content-encoding", "content-range", "content-type", "cache-status",
  ]

  /// The maximum number of stored responses that one request validates.
  private static let maxCandidates = 8

  /// The maximum number of seconds by which a modification date may be later than its response.
  private static let maxModificationSkew: TimeInterval = 86_400

  /// Returns the modification date of a stored response, as the server sent it; nil if it sent
  /// none, or one by which versions cannot be distinguished: a date in the future (RFC 9110
  /// §8.8.2.1), for which servers would confirm the response although a later version with a
  /// correct date exists, or one before `HTTPDate.earliestModification`.
  private static func modificationDate(of stored: some CachedResponse) -> String? {
    guard let text = stored.response.fields.values(of: "Last-Modified").first else { return nil }
    guard let modified = HTTPDate.parse(text, now: stored.responseTime) else { return text }
    let sent = stored.response.fields.values(of: "Date").first
      .flatMap { HTTPDate.parse($0, now: stored.responseTime) }
    let end = max(stored.responseTime, sent ?? stored.responseTime) + maxModificationSkew
    return modified >= HTTPDate.earliestModification && modified <= end ? text : nil
  }

  /// Returns the entity tag of a response; nil if there is none, or if the field is empty: as
  /// `If-None-Match` it would match nothing, and a server would ignore the modification date.
  private static func tag(of response: ResponseHead) -> String? {
    response.fields.values(of: "ETag").first.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether a response and a stored response have different modification dates.
  private static func hasOtherDate(_ response: ResponseHead, _ stored: some CachedResponse) -> Bool
  {
    let dates = [response, stored.response].compactMap {
      $0.fields.values(of: "Last-Modified").first
    }
    return dates.count == 2 && dates[0] != dates[1]
  }

  /// Returns the modification date of a stored response, as written by the server, if it is a
  /// strong validator, because the response was sent at least a second later (RFC 9110 §8.8.2.2).
  static func strongDate(of stored: some CachedResponse) -> String? {
    guard let text = stored.response.fields.values(of: "Last-Modified").first,
      let modified = HTTPDate.parse(text, now: stored.responseTime),
      let sent = stored.response.fields.values(of: "Date").first
        .flatMap({ HTTPDate.parse($0, now: stored.responseTime) }),
      sent.timeIntervalSince(modified) >= 1
    else { return nil }
    return text
  }

  private static func requestedEntityTags(_ request: WebRequest) -> [String] {
    request.fields.values(of: "If-None-Match").flatMap {
      FieldList.members($0, hasEscapes: false).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  private static func opaqueTag(_ tag: String) -> String {
    tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
  }

  /// The ends of the tags of responses that a server has compressed, after the tag of the content.
  private static let codingSuffixes = ["--gzip\"", "-gzip\"", ";gzip\"", "-br\"", "-zstd\""]

  /// Returns the opaque tag without the name of a content coding at its end.
  private static func uncodedTag(_ tag: String) -> String {
    let tag = opaqueTag(tag)
    guard let suffix = codingSuffixes.first(where: tag.hasSuffix) else { return tag }
    return tag.dropLast(suffix.count) + "\""
  }

  /// Whether a stored tag is weak or names a coding, and a received tag is the same without that.
  private static func isOtherForm(_ tag: String, of stored: String?) -> Bool {
    guard let stored else { return false }
    return stored == "W/" + tag
      || uncodedTag(stored) != opaqueTag(stored) && uncodedTag(stored) == opaqueTag(tag)
  }
}
