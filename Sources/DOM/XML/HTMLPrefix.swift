extension [UInt8] {
  /// The text of an XHTML document whose elements have a prefix, as in `<h:p>`, with the prefix
  /// removed from its tags (Namespaces in XML §5); other text unchanged.
  package var withoutHTMLPrefix: [UInt8] {
    guard let prefix = htmlPrefix else { return self }
    let name = prefix + [UInt8(ascii: ":")]
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var index = 0
    while index < count {
      let byte = self[index]
      result.append(byte)
      index += 1
      guard byte == UInt8(ascii: "<") else { continue }
      if index < count, self[index] == UInt8(ascii: "/") {
        result.append(self[index])
        index += 1
      }
      if self[index...].starts(with: name) { index += name.count }
    }
    return result
  }

  /// The prefix that the root element `html` has, and that it declares for XHTML; nil if it has
  /// none.
  private var htmlPrefix: [UInt8]? {
    let beginning = self[..<Swift.min(count, 4096)]
    let namespace = Array("http://www.w3.org/1999/xhtml".utf8)
    for start in beginning.indices where self[start] == UInt8(ascii: "<") {
      let name = beginning[(start + 1)...].prefix { $0.isNameByte }
      let rest = beginning[name.endIndex...]
      guard !name.isEmpty, rest.starts(with: ":html".utf8) else { continue }
      let tag = rest.prefix { $0 != UInt8(ascii: ">") }
      let declaration = "xmlns:".utf8 + name + "=".utf8
      let isDeclared = tag.indices.contains { index in
        tag[index...].starts(with: declaration)
          && tag[(index + declaration.count)...].dropFirst().starts(with: namespace)
      }
      return isDeclared ? Array(name) : nil
    }
    return nil
  }
}
