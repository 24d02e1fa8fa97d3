/// A `Strict-Transport-Security` field (HSTS, RFC 6797 §6.1).
package struct StrictTransport: Sendable, Equatable {
  /// The time in seconds for which the host must be accessed by HTTPS only; 0 removes the host from
  /// the store.
  package var maxAge: Int
  /// Whether the field applies to the subdomains of the host too.
  package var includesSubdomains: Bool

  package init(maxAge: Int, includesSubdomains: Bool = false) {
    (self.maxAge, self.includesSubdomains) = (maxAge, includesSubdomains)
  }

  /// Parses the first field of a response (§8.1); nil if it is absent or invalid.
  package init?(_ fields: FieldLines) {
    guard let value = fields.values(of: "Strict-Transport-Security").first else { return nil }
    self.init(value)
  }

  /// Parses the value of a field; nil if it is invalid.
  package init?(_ value: String) {
    var rest = Array(value.utf8)[...]
    var directives: [String: String] = [:]
    while true {
      Self.skipSpace(&rest)
      let name = Self.token(&rest).lowercased()
      Self.skipSpace(&rest)
      var text = ""
      if !name.isEmpty, rest.first == UInt8(ascii: "=") {
        rest.removeFirst()
        Self.skipSpace(&rest)
        guard let value = Self.value(&rest) else { return nil }
        text = value
        Self.skipSpace(&rest)
      }
      // §6.1: a directive must not be repeated; unknown ones are ignored.
      if !name.isEmpty, directives.updateValue(text, forKey: name) != nil { return nil }
      guard let next = rest.popFirst() else { break }
      guard next == UInt8(ascii: ";") else { return nil }
    }
    guard let maxAge = directives["max-age"].flatMap(DeltaSeconds.parse) else { return nil }
    self.init(maxAge: maxAge, includesSubdomains: directives["includesubdomains"] != nil)
  }

  private static func skipSpace(_ rest: inout ArraySlice<UInt8>) {
    rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
  }

  private static func token(_ rest: inout ArraySlice<UInt8>) -> String {
    let token = rest.prefix { $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }
    rest = rest.dropFirst(token.count)
    return String(decoding: token, as: UTF8.self)
  }

  /// Parses a token or a quoted string; nil if there is neither.
  private static func value(_ rest: inout ArraySlice<UInt8>) -> String? {
    guard rest.first == UInt8(ascii: "\"") else {
      let token = token(&rest)
      return token.isEmpty ? nil : token
    }
    rest.removeFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
      guard byte != UInt8(ascii: "\\") else {
        guard let escaped = rest.popFirst() else { return nil }
        bytes.append(escaped)
        continue
      }
      bytes.append(byte)
    }
    return nil
  }
}

extension WebURL {
  /// The URL with the scheme https, as required for an HSTS host (RFC 6797 §8.3). An explicit port
  /// is kept, except 443.
  package var secured: WebURL {
    WebURL(
      scheme: "https", credentials: credentials, host: host, port: port == 443 ? nil : port,
      path: path, query: query, fragment: fragment)
  }
}
