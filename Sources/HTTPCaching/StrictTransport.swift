/// What a `Strict-Transport-Security` field says (RFC 6797 §6.1).
package struct StrictTransport: Sendable, Equatable {
  /// For how many seconds the host is asked by https only; 0 takes that back.
  package var maxAge: Int
  /// Whether the hosts below it are, too.
  package var includesSubdomains: Bool

  package init(maxAge: Int, includesSubdomains: Bool = false) {
    (self.maxAge, self.includesSubdomains) = (maxAge, includesSubdomains)
  }

  /// Reads the first field of an answer (§8.1); nil where there is none, or one that breaks the grammar.
  package init?(_ fields: FieldLines) {
    guard let value = fields.values(of: "Strict-Transport-Security").first else { return nil }
    self.init(value)
  }

  /// Reads the value of a field.
  package init?(_ value: String) {
    var rest = Array(value.utf8)[...]
    var found: [String: String] = [:]
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
      // §6.1: a directive appears once; those that nobody knows are left out.
      if !name.isEmpty, found.updateValue(text, forKey: name) != nil { return nil }
      guard let next = rest.popFirst() else { break }
      guard next == UInt8(ascii: ";") else { return nil }
    }
    guard let maxAge = found["max-age"].flatMap(DeltaSeconds.parse) else { return nil }
    self.init(maxAge: maxAge, includesSubdomains: found["includesubdomains"] != nil)
  }

  private static func skipSpace(_ rest: inout ArraySlice<UInt8>) {
    rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
  }

  private static func token(_ rest: inout ArraySlice<UInt8>) -> String {
    let token = rest.prefix { $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }
    rest = rest.dropFirst(token.count)
    return String(decoding: token, as: UTF8.self)
  }

  /// A token or a quoted string.
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
  /// The same by https: what an http URL means of a host that wants to be asked in no other way
  /// (RFC 6797 §8.3). A port that was named stays.
  package var secured: WebURL {
    WebURL(
      scheme: "https", credentials: credentials, host: host, port: port == 443 ? nil : port,
      path: path, query: query, fragment: fragment)
  }
}
