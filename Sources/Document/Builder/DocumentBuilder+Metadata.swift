import DOM

extension DocumentBuilder {
  /// Sets the title of the page; the first nonempty one is used.
  mutating func setTitle(_ node: Int32) {
    if !head.hasTitle { head.setTitle(tree.cleanedText(below: node)) }
  }

  /// Records the delay of `<meta http-equiv=refresh content="5; url=next.html">` and adds a link to
  /// its URL. Without a URL, the page asks to be loaded again.
  mutating func addRefresh(_ node: Int32) {
    guard tree.value(.httpEquiv, of: node, contains: "refresh"),
      let range = tree.attribute(.content, of: node),
      let target = tree.refreshTarget(range), !target.hasScriptScheme
    else { return }
    let number = tree.bytes[range].drop(while: \.isWhiteSpace).prefix {
      $0.isDigit || $0 == UInt8(ascii: ".")
    }
    guard !target.isEmpty || !number.isEmpty else { return }
    head.recordRefresh(after: Double(String(decoding: number, as: UTF8.self)) ?? 0)
    guard !target.isEmpty else { return }
    closeLeaf()
    let outerLinkIndex = inherited.linkIndex
    inherited.linkIndex = OptionalIndex(addLink(target, title: "", kind: .refresh))
    addSeparatedText(target)
    closeLeaf()
    inherited.linkIndex = outerLinkIndex
  }
}

extension DOMTree {
  /// Returns the URL in the value of a refresh (HTML standard §4.2.5.3); empty if it has no URL,
  /// nil if it is invalid.
  fileprivate func refreshTarget(_ range: Range<Int>) -> String? {
    let bytes = self.bytes
    var index = range.lowerBound
    func skip(_ isSkipped: (UInt8) -> Bool) {
      while index < range.upperBound, isSkipped(bytes[index]) { index += 1 }
    }
    skip(\.isWhiteSpace)
    skip { $0.isDigit || $0 == UInt8(ascii: ".") }
    guard index < range.upperBound else { return "" }
    guard
      bytes[index] == UInt8(ascii: ";") || bytes[index] == UInt8(ascii: ",")
        || bytes[index].isWhiteSpace
    else { return nil }
    skip { $0.isWhiteSpace || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
    let rest = bytes[index..<range.upperBound]
    if rest.count >= 3, rest.prefix(3).map({ $0 | 0x20 }).elementsEqual("url".utf8) {
      var indexAfterURL = index + 3
      while indexAfterURL < range.upperBound, bytes[indexAfterURL].isWhiteSpace {
        indexAfterURL += 1
      }
      if indexAfterURL < range.upperBound, bytes[indexAfterURL] == UInt8(ascii: "=") {
        index = indexAfterURL + 1
        skip { $0.isWhiteSpace }
      }
    }
    var end = range.upperBound
    if index < end, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") {
      let quote = bytes[index]
      index += 1
      end = bytes[index..<end].firstIndex(of: quote) ?? end
    }
    return DocumentBuilder.cleanedTarget(self.bytes[index..<end])
  }
}
