import Document
import DOM

extension MarkdownInlines {
  /// Returns the text of some pieces without markup.
  func plainText(_ range: Range<Int>) -> [UInt8] {
    var words: [UInt8] = []
    for piece in pieces[range].prefix(256) {
      switch piece.kind {
      case .text, .code: words += text[piece.range]
      case .lineBreak: words.append(0x20)
      case .formula: words += text[piece.range]
      case .emoji(let emoji): words += emoji
      case .html, .hidden: break
      }
    }
    return words
  }

  /// Returns whether a text in angle brackets is an e-mail address (true) or a URL (false); nil if
  /// it is neither.
  func isEmailAddress(_ range: Range<Int>) -> Bool? {
    let address = text[range]
    guard address.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "<") }) else { return nil }
    let scheme = address.prefix { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
    if scheme.count > 1, scheme.endIndex < range.upperBound,
      text[scheme.endIndex] == UInt8(ascii: ":"), address.first?.isLetter == true
    {
      return false
    }
    let parts = address.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    let isMail = parts.count == 2 && !parts[0].isEmpty && parts[1].contains(UInt8(ascii: "."))
    return isMail && !address.contains(UInt8(ascii: "/")) ? true : nil
  }
}

extension MarkdownLinkDefinitions.LinkTarget {
  /// The alternative text of an image without a description: the name of its file, because empty
  /// text would declare it as decorative. It is empty if the image has a title.
  var undescribedImageName: [UInt8] {
    guard title.isEmpty,
      let name = FileName(reference: String(decoding: destination, as: UTF8.self))
    else { return [] }
    return Array(name.text.utf8)
  }
}
