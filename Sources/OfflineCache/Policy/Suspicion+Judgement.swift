extension Suspicion {
  /// How much of a content is looked at.
  static let examinedLength = 65_536

  /// Judges the head of an answer; `copy` is the good copy that it would replace.
  static func judge(
    _ response: HTTPResponse, for url: String, replacing copy: StoredResponse?
  ) -> Suspicion? {
    // RFC 6585 §6: 511 comes from the network, never from the site.
    if response.status == 511 { return .signInPage }
    guard let copy, !copy.isRedirect else { return nil }
    if response.status == 204 || response.status == 205 {
      return copy.length > 0 ? .nearlyEmpty : nil
    }
    guard [301, 302, 303, 307, 308].contains(response.status),
      let location = response.fields.values(of: "Location").first, let base = WebURL(url),
      let target = base.resolve(location)
    else { return nil }
    return isSameSite(base.host, target.host) ? nil : .foreignRedirect
  }

  /// Judges the content of a complete 2xx answer by its first `examinedLength` bytes and the
  /// length of all of it.
  static func judge(
    _ response: HTTPResponse, beginning: [UInt8], length: Int64, replacing copy: StoredResponse?
  ) -> Suspicion? {
    guard (200..<300).contains(response.status) else { return nil }
    let isText = isPage(response)
    if isText, contains("<WISPAccessGatewayParam", in: beginning) { return .signInPage }
    guard let copy, !copy.isRedirect, copy.length >= 1024 else { return nil }
    if isText, length <= copy.length / 2, hasPasswordField(beginning) { return .signInPage }
    guard length <= copy.length / 4 else { return nil }
    if length == 0 { return .nearlyEmpty }
    let isShown = !isText || visibleBytes(in: beginning) >= 40
    return isShown || length > Int64(beginning.count) ? nil : .nearlyEmpty
  }

  /// Two hosts belong together when one is the other, or a part of it.
  private static func isSameSite(_ a: String?, _ b: String?) -> Bool {
    guard let a, let b else { return false }
    let first = a.hasPrefix("www.") ? String(a.dropFirst(4)) : a
    let second = b.hasPrefix("www.") ? String(b.dropFirst(4)) : b
    return first == second || first.hasSuffix("." + second) || second.hasSuffix("." + first)
  }

  private static func isPage(_ response: HTTPResponse) -> Bool {
    let type = response.fields.values(of: "Content-Type").first?.lowercased() ?? "text/html"
    return type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
  }

  /// The bytes that are neither markup nor white space; scripts and styles count as markup.
  private static func visibleBytes(in bytes: [UInt8]) -> Int {
    var count = 0
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "<") {
        let name = bytes[(index + 1)...].prefix(6).map { $0 | 0x20 }
        if name.starts(with: "script".utf8) {
          index = end(of: "</script", in: bytes, from: index)
        } else if name.starts(with: "style".utf8) {
          index = end(of: "</style", in: bytes, from: index)
        }
        while index < bytes.count, bytes[index] != UInt8(ascii: ">") { index += 1 }
      } else if bytes[index] > 0x20 {
        count += 1
      }
      index += 1
    }
    return count
  }

  private static func end(of text: String, in bytes: [UInt8], from start: Int) -> Int {
    let wanted = Array(text.utf8)
    var index = start
    while index + wanted.count <= bytes.count {
      if bytes[index] | 0x20 == wanted[0] | 0x20,
        zip(bytes[index...], wanted).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
      {
        return index
      }
      index += 1
    }
    return bytes.count
  }

  /// Whether a form asks for a password.
  private static func hasPasswordField(_ bytes: [UInt8]) -> Bool {
    var index = 0
    while index < bytes.count {
      index = end(of: "<input", in: bytes, from: index)
      let tag = bytes[index...].prefix { $0 != UInt8(ascii: ">") }
      let plain = tag.filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
      if contains("type=password", in: plain) { return true }
      index += max(1, tag.count)
    }
    return false
  }

  private static func contains(_ text: String, in bytes: [UInt8]) -> Bool {
    end(of: text, in: bytes, from: 0) < bytes.count
  }
}
