import DOM

// E-mail addresses that Cloudflare obfuscates so that a script has to decode them: hexadecimal
// bytes, each but the first XORed with the first.

extension DocumentBuilder {
  /// Returns the e-mail address that a link encodes; nil for other links, or if it cannot be
  /// decoded.
  func obfuscatedEmail(ofLink node: Int32) -> String? {
    if tree.attribute(.obfuscatedEmail, of: node) != nil {
      return tree.obfuscatedEmail(of: node)
    }
    // The element may have lost its attribute although the link still contains the address.
    let textNode = tree.nodes[Int(node)].firstChild
    guard let linkedTarget, textNode >= 0,
      tree.nodes[Int(textNode)].name == .characters, tree.nodes[Int(textNode)].nextSibling < 0,
      linkedTarget.hasPrefix("mailto:"),
      let target = tree.attribute(.href, of: node),
      let address = tree.obfuscatedEmail(inLink: target)
    else { return nil }
    // The placeholder contains a no-break space.
    let isHidden = tree.cleanedText(of: textNode).utf8.filter { $0 > 0x20 && $0 < 0x7F }
      .elementsEqual("[emailprotected]".utf8)
    return isHidden ? address.emailAddress : nil
  }

  /// Appends the address of an inline element, and sets the target of the link around it.
  mutating func addObfuscatedEmail(_ address: String) {
    if let link = inherited.linkIndex.value,
      document.links[link].target.hasSuffix("/cdn-cgi/l/email-protection")
    {
      document.links[link].target = "mailto:" + address
    }
    // A letter directly before it is not part of the address.
    if leaf.isOpen, !inherited.keepsWhiteSpace, let last = leaf.text.last,
      last.isLetter || last.isDigit
    {
      leaf.addSpace()
    }
    addSafeText(address)
  }

  /// Appends the e-mail address that an inline element encodes.
  /// - Returns: Whether it encodes one.
  mutating func addObfuscatedEmail(of node: Int32) -> Bool {
    guard let address = tree.obfuscatedEmail(of: node) else { return false }
    addObfuscatedEmail(address)
    return true
  }
}

extension DOMTree {
  /// Returns the e-mail address in the attribute of an element; nil if it has none, or if it cannot
  /// be decoded.
  func obfuscatedEmail(of node: Int32) -> String? {
    attribute(.obfuscatedEmail, of: node).flatMap { ObfuscatedEmail(bytes[$0])?.emailAddress }
  }

  /// Returns the `mailto:` URL of a link to an obfuscated address; nil for other links, or if the
  /// address cannot be decoded.
  func obfuscatedMailtoURL(of node: Int32, _ target: Range<Int>) -> String? {
    guard bytes.contains("/cdn-cgi/l/email-protection", in: target) else { return nil }
    if let address = obfuscatedEmail(inLink: target) { return address.mailtoURL }
    return attribute(.obfuscatedEmail, of: node)
      .flatMap { ObfuscatedEmail(bytes[$0])?.mailtoURL }
  }

  fileprivate func obfuscatedEmail(inLink target: Range<Int>) -> ObfuscatedEmail? {
    guard bytes.contains("email-protection#", in: target),
      let sign = bytes[target].lastIndex(of: UInt8(ascii: "#"))
    else { return nil }
    return ObfuscatedEmail(bytes[sign + 1..<target.upperBound])
  }
}

/// A decoded e-mail address, with the query of its `mailto:` URL.
struct ObfuscatedEmail: Equatable {
  /// `name@example.org`
  let emailAddress: String
  /// A `mailto:` URL.
  let mailtoURL: String

  /// Maximum number of hexadecimal digits; more are not decoded.
  private static let maxDigits = 4096

  /// Decodes hexadecimal digits; nil if the result is not a plausible address.
  init?(_ digits: ArraySlice<UInt8>) {
    guard digits.count % 2 == 0, (4...Self.maxDigits).contains(digits.count) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var index = digits.startIndex
    while index < digits.endIndex {
      guard let high = digits[index].hexDigitValue, let low = digits[index + 1].hexDigitValue else {
        return nil
      }
      bytes.append(high << 4 | low)
      index += 2
    }
    let key = bytes.removeFirst()
    for index in bytes.indices { bytes[index] ^= key }
    let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    guard bytes[..<end].isMailAddress, bytes[end...].allSatisfy(\.isPartOfQuery) else {
      return nil
    }
    emailAddress = String(decoding: bytes[..<end], as: UTF8.self)
    mailtoURL = "mailto:" + String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var hexDigitValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46, 0x61...0x66: (self | 0x20) - 0x57
    default: nil
    }
  }

  /// Whether the byte may occur in a dot-atom (RFC 5322, section 3.2.3).
  fileprivate var isDotAtomByte: Bool {
    isLetter || isDigit || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(self)
  }

  fileprivate var isPartOfQuery: Bool {
    self > 0x20 && self < 0x7F && self != UInt8(ascii: "<") && self != UInt8(ascii: ">")
      && self != UInt8(ascii: "\"")
  }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes are a local part, `@`, and a host name with at least two labels.
  fileprivate var isMailAddress: Bool {
    guard let sign = firstIndex(of: UInt8(ascii: "@")), count <= 254,
      (1...64).contains(sign - startIndex), self[..<sign].allSatisfy(\.isDotAtomByte)
    else { return false }
    let parts = self[(sign + 1)...].split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let areNames = parts.allSatisfy { part in
      (1...63).contains(part.count)
        && part.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
        && part.first != UInt8(ascii: "-") && part.last != UInt8(ascii: "-")
    }
    guard parts.count > 1, areNames, let last = parts.last else { return false }
    return last.count > 1 && last.contains(where: \.isLetter)
  }
}
