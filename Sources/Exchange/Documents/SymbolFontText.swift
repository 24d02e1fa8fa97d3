import DOM

/// Replaces letters in symbol fonts by the symbols that they stand for. Outlook writes the smiley
/// `:)`, for example, as the letter J in the font Wingdings.
enum SymbolFontText {
  private static let maxTagLength = 1000
  /// Maximum length of a text in the font, in bytes. Longer texts are assumed to be no symbols.
  private static let maxTextLength = 16

  /// Returns HTML with the symbols in the font Wingdings.
  static func decoded(_ html: String) -> String {
    let bytes = Array(html.utf8)
    var result: [UInt8] = []
    var copied = 0
    var search = 0
    while let name = next(fontName, in: bytes, from: search) {
      search = name + fontName.count
      let earliest = max(copied, name - maxTagLength)
      guard let open = bytes[earliest..<name].lastIndex(of: UInt8(ascii: "<")),
        ["<span", "<font"].contains(where: { isPrefix($0, of: bytes[open...]) }),
        !bytes[open..<name].contains(UInt8(ascii: ">")),
        let text = textRange(in: bytes, after: name), let symbols = decodedText(bytes[text])
      else { continue }
      result += bytes[copied..<text.lowerBound]
      result += symbols
      copied = text.upperBound
      search = copied
    }
    return copied == 0 ? html : String(decoding: result + bytes[copied...], as: UTF8.self)
  }

  private static let fontName = Array("wingdings".utf8)

  /// Returns the index of the next occurrence of a word in lower case, whatever its case is in the
  /// text.
  private static func next(_ word: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard let first = word.first, bytes.count >= word.count, start < bytes.count else { return nil }
    return (start...(max(start, bytes.count - word.count))).first { index in
      bytes[index] | 0x20 == first && bytes.count - index >= word.count
        && zip(word, bytes[index...]).allSatisfy { $0 == $1 | 0x20 }
    }
  }

  private static func isPrefix(_ tag: String, of bytes: ArraySlice<UInt8>) -> Bool {
    let prefix = bytes.prefix(tag.utf8.count)
    return prefix.count == tag.utf8.count && zip(tag.utf8, prefix).allSatisfy { $0 == $1 | 0x20 }
  }

  /// Returns the range of the text after the tag that contains an index. Word may write the tag of
  /// a list marker before the text.
  private static func textRange(in bytes: [UInt8], after index: Int) -> Range<Int>? {
    let limit = min(bytes.count, index + maxTagLength)
    guard let end = bytes[index..<limit].firstIndex(of: UInt8(ascii: ">")),
      // Wingdings 2 and 3 have other symbols.
      !bytes[index..<end].dropFirst(fontName.count).prefix(2).contains(where: { 0x32...0x33 ~= $0 })
    else { return nil }
    var start = end + 1
    let marker = Array("<span style=\"mso-list:ignore\">".utf8)
    let rest = bytes[start...].prefix(marker.count)
    if rest.count == marker.count,
      zip(marker, rest).allSatisfy({ $0 == ($1 == 0x27 ? 0x22 : lowercased($1)) })
    {
      start += marker.count
    }
    let text = bytes[start...].prefix(maxTextLength + 1).prefix { $0 != UInt8(ascii: "<") }
    return text.isEmpty || text.count > maxTextLength ? nil : text.startIndex..<text.endIndex
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// Returns the symbols for a text; nil if one of its characters is none that is known.
  private static func decodedText(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var result = ""
    for character in String(decoding: text, as: UTF8.self).withoutCharacterReferences {
      guard let symbol = symbolsByLetter[character] else { return nil }
      result += symbol
    }
    return Array(result.utf8)
  }

  private static let symbolsByLetter: [Character: String] = [
    " ": " ", "\n": "\n", "\u{A0}": "\u{A0}", "J": "☺", "K": "😐", "L": "☹", "à": "→", "ß": "←",
    "á": "↑", "â": "↓", "è": "➔", "ê": "⬇", "ð": "⇨", "ó": "⬄", "ü": "✓", "û": "✗", "þ": "☑",
    "ý": "☒", "§": "▪", "Ø": "➢", "v": "❖", "q": "❑", "o": "□", "n": "■", "l": "●", "¨": "◻",
    "(": "☎", "*": "✉", "!": "✏", "N": "☠", "C": "👍", "D": "👎",
  ]
}
