import Foundation

/// Conditional requests, made and answered (RFC 9111 §4.3).
enum Validation {
  /// The request fields by which a client makes its own request conditional or partial.
  static let clientConditions = [
    "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
  ]

  /// Whether the client itself made the request conditional or asked for a part.
  static func isConditional(_ request: HTTPRequest) -> Bool {
    clientConditions.contains { request.fields[$0] != nil }
  }

  /// Whether a response can be validated.
  static func hasValidator(_ response: HTTPResponse) -> Bool {
    response.fields["ETag"] != nil || response.fields["Last-Modified"] != nil
  }

  /// §4.3.1: the request with the conditions by which a stored response is validated.
  static func conditional(
    _ request: HTTPRequest, validating stored: StoredResponse
  ) -> HTTPRequest {
    var request = request
    if let tag = stored.response.fields.values(of: "ETag").first {
      request.fields["If-None-Match"] = tag
    }
    if let modified = stored.response.fields.values(of: "Last-Modified").first {
      request.fields["If-Modified-Since"] = modified
    }
    return request
  }

  /// §4.3.4: whether a 304 may update a stored response.
  static func applies(_ response: HTTPResponse, to stored: HTTPResponse) -> Bool {
    if let tag = response.fields.values(of: "ETag").first {
      guard let ours = stored.fields.values(of: "ETag").first else { return true }
      // A strong validator has to be the same; a weak one compares weakly.
      return tag.hasPrefix("W/") ? opaque(tag) == opaque(ours) : tag == ours
    }
    if let modified = response.fields.values(of: "Last-Modified").first,
      let ours = stored.fields.values(of: "Last-Modified").first
    {
      return modified == ours || stored.fields["ETag"] != nil
    }
    return true
  }

  /// §3.2, §4.3.4: the stored head with the fields of a 304.
  static func merged(_ stored: HTTPResponse, with response: HTTPResponse) -> HTTPResponse {
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
  static func withoutConnectionFields(_ fields: HTTPFields) -> HTTPFields {
    var fields = fields
    var names: Set<String> = connectionFields
    for value in fields.values(of: "Connection") {
      names.formUnion(FieldList.texts(value).map { $0.lowercased() })
    }
    fields.removeAll { names.contains($0.name.lowercased()) }
    return fields
  }

  /// §4.3.2: whether a client's own condition says that it has this response already: answer 304.
  static func isNotModified(_ request: HTTPRequest, stored: StoredResponse) -> Bool {
    guard stored.response.status == 200 else { return false }
    let matches = request.fields.values(of: "If-None-Match")
    if !matches.isEmpty {
      let ours = stored.response.fields.values(of: "ETag").first.map(opaque)
      return matches.flatMap { FieldList.texts($0) }.contains { $0 == "*" || opaque($0) == ours }
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
  static func describes(_ head: HTTPResponse, _ stored: StoredResponse) -> Bool {
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
    "proxy-authentication-info", "te", "transfer-encoding", "upgrade",
  ]

  private static let neverUpdated: Set<String> = [
    "content-length", "content-encoding", "content-range", "cache-status",
  ]

  private static func opaque(_ tag: String) -> String {
    tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
  }
}
