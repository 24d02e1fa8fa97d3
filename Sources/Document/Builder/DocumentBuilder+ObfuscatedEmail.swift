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
    guard let linkedTarget, let textNode = tree.nodes[Int(node)].firstChild,
      tree.nodes[Int(textNode)].name == .characters, tree.nodes[Int(textNode)].nextSibling == nil,
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
