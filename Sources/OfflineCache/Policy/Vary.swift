import Crypto
import Foundation

/// The selection among the variants of a resource (RFC 9111 §4.1).
struct Vary: Sendable {
  /// The key by which secret values are hashed before they are kept.
  let secret: [UInt8]

  /// What is known of a URL, seen from one request.
  struct Variants: Sendable, Equatable {
    /// Responses that the request selects, newest first.
    var matching: [StoredResponse] = []
    /// Other variants, newest first.
    var others: [StoredResponse] = []

    /// Whether there is nothing.
    var isEmpty: Bool { matching.isEmpty && others.isEmpty }
  }

  /// Divides what is stored for a URL into what a request selects and the rest.
  func variants(_ stored: [StoredResponse], for request: HTTPRequest) -> Variants {
    var variants = Variants()
    for response in stored {
      if matches(response, request) {
        variants.matching.append(response)
      } else {
        variants.others.append(response)
      }
    }
    return variants
  }

  /// Whether a request selects a stored response.
  func matches(_ stored: StoredResponse, _ request: HTTPRequest) -> Bool {
    // A member "*" always fails to match.
    let names = names(in: stored.response)
    guard !names.contains("*") else { return false }
    // What an archive from elsewhere was asked with may be unknown; codings are removed in any.
    let isKnown = names.allSatisfy { name in
      name == "accept-encoding" || stored.varying.contains { $0.name == name }
    }
    return isKnown && stored.varying.allSatisfy { $0.value == value(of: $0.name, in: request) }
  }

  /// The request fields by which a response was selected, secret values as keyed hashes.
  func varying(of response: HTTPResponse, for request: HTTPRequest) -> [StoredResponse.VaryingField]
  {
    var names = names(in: response).filter { $0 != "*" }
    // A part answers only the same range.
    if response.status == 206, !names.contains("range") { names.append("range") }
    // An answer that was got with credentials is private to them.
    if request.fields["Authorization"] != nil, !names.contains("authorization") {
      names.append("authorization")
    }
    return names.map { StoredResponse.VaryingField(name: $0, value: value(of: $0, in: request)) }
  }

  /// Whether a variant belongs to whoever had its credentials and nobody else.
  static func isPrivate(_ stored: StoredResponse) -> Bool {
    stored.varying.contains { secretNames.contains($0.name) && $0.value != nil }
  }

  private static let secretNames: Set<String> = ["authorization", "cookie", "proxy-authorization"]
  private static let unorderedNames: Set<String> = [
    "accept", "accept-charset", "accept-encoding", "accept-language",
  ]

  private func names(in response: HTTPResponse) -> [String] {
    var names: [String] = []
    for value in response.fields.values(of: "Vary") {
      for name in FieldList.texts(value).map({ $0.lowercased() }) where !names.contains(name) {
        names.append(name)
      }
    }
    return names
  }

  private func value(of name: String, in request: HTTPRequest) -> String? {
    let lines = request.fields.values(of: name)
    guard !lines.isEmpty else { return nil }
    guard !Self.secretNames.contains(name) else { return hashed(lines.joined(separator: ", ")) }
    var members = lines.flatMap { FieldList.texts($0) }
    if Self.unorderedNames.contains(name) {
      // Case and white space mean nothing here, and preference is by weight, not by order.
      members = members.map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }.sorted()
    }
    return members.joined(separator: ", ")
  }

  private func hashed(_ value: String) -> String {
    let key = SymmetricKey(data: secret)
    let code = HMAC<SHA256>.authenticationCode(for: Data(value.utf8), using: key)
    return "hmac-sha256:" + Data(code).base64EncodedString()
  }
}
