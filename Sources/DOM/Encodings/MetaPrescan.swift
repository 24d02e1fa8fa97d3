/// The search for an encoding declared by `meta` (HTML standard, "prescan a byte stream").
enum MetaPrescan {
  /// Returns the encoding that the first bytes of a page declare; nil if they declare no supported
  /// encoding. In text other than HTML, only an XML declaration counts.
  static func encoding(in bytes: ArraySlice<UInt8>, isMarkup: Bool) -> CharacterEncoding? {
    bytes.withUnsafeBufferPointer { bytes in
      if bytes.hasPrefix("<?xml", at: 0), let encoding = xmlDeclarationEncoding(bytes) {
        return encoding
      }
      return isMarkup ? encoding(ofMetaIn: bytes) : nil
    }
  }

  /// Returns the encoding of the first `meta` element that declares a supported one; nil if there
  /// is none.
  static func encoding(ofMetaIn bytes: UnsafeBufferPointer<UInt8>) -> CharacterEncoding? {
    var index = 0
    while true {
      index = bytes.firstIndex(of: UInt8(ascii: "<"), from: index)
      guard index + 1 < bytes.count else { return nil }
      if bytes.hasPrefix("<!--", at: index) {
        index += 2
        while index < bytes.count, !bytes.hasPrefix("-->", at: index) { index += 1 }
      } else if bytes.hasTag("<meta", at: index) {
        var pragma = MetaDeclaration()
        index = forEachAttribute(bytes, from: index + 5) { pragma.readAttribute($0, $1) }
        if let encoding = pragma.encoding { return encoding }
      } else if bytes[index + 1].isLetter || bytes.hasPrefix("</", at: index) {
        index = forEachAttribute(bytes, from: bytes.endOfTagName(from: index + 2)) { _, _ in }
      } else {
        index += 1
      }
    }
  }

  /// Returns the encoding of an XML declaration; nil if it declares no supported encoding.
  private static func xmlDeclarationEncoding(_ bytes: UnsafeBufferPointer<UInt8>)
    -> CharacterEncoding?
  {
    var found: CharacterEncoding?
    _ = forEachAttribute(bytes, from: 5) { name, value in
      if name == Array("encoding".utf8) { found = CharacterEncoding(label: value) }
    }
    return found.map(replacingUnsuitable)
  }

  /// Maps UTF-16 to UTF-8, because the declaration was readable as ASCII, and x-user-defined to
  /// windows-1252, because such pages use custom fonts (HTML standard, "prescan").
  private static func replacingUnsuitable(_ encoding: CharacterEncoding) -> CharacterEncoding {
    encoding.isWide ? .utf8 : encoding.name == "x-user-defined" ? .windows1252 : encoding
  }

  /// The encoding declarations in the attributes of a `meta` element.
  private struct MetaDeclaration {
    private var charset: CharacterEncoding?
    private var contentCharset: CharacterEncoding?
    private var isContentType = false

    mutating func readAttribute(_ name: [UInt8], _ value: [UInt8]) {
      if name == Array("charset".utf8) {
        charset = charset ?? CharacterEncoding(label: value)
      } else if name == Array("http-equiv".utf8) {
        isContentType = value == Array("content-type".utf8)
      } else if name == Array("content".utf8) {
        contentCharset = contentCharset ?? MetaPrescan.charset(in: value)
      }
    }

    var encoding: CharacterEncoding? {
      (charset ?? (isContentType ? contentCharset : nil)).map(MetaPrescan.replacingUnsuitable)
    }
  }

  /// Returns the encoding in a value such as `text/html; charset=utf-8`; nil if it has none.
  static func charset(in value: [UInt8]) -> CharacterEncoding? {
    let word = Array("charset".utf8)
    var index = 0
    while index + word.count < value.count {
      guard value[index...].starts(with: word) else {
        index += 1
        continue
      }
      index += word.count
      while index < value.count, value[index].isWhiteSpace { index += 1 }
      guard index < value.count, value[index] == UInt8(ascii: "=") else { continue }
      let label = value[(index + 1)...].drop { $0.isWhiteSpace }
      if let quote = label.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        return CharacterEncoding(label: label.dropFirst().prefix { $0 != quote })
      }
      return CharacterEncoding(label: label.prefix { !$0.isWhiteSpace && $0 != UInt8(ascii: ";") })
    }
    return nil
  }

  /// Calls `body` with the name and value of each attribute, in lower case.
  /// - Returns: The index of the `>` that ends the tag, or `bytes.count`.
  private static func forEachAttribute(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ body: ([UInt8], [UInt8]) -> Void
  ) -> Int {
    var index = start
    while index < bytes.count {
      while index < bytes.count, bytes[index].isWhiteSpace || bytes[index] == UInt8(ascii: "/") {
        index += 1
      }
      guard index < bytes.count, bytes[index] != UInt8(ascii: ">") else { return index }
      var name = [bytes[index].lowercased]
      index += 1
      while index < bytes.count, !bytes[index].isWhiteSpace,
        bytes[index] != UInt8(ascii: "="), bytes[index] != UInt8(ascii: ">")
      {
        name.append(bytes[index].lowercased)
        index += 1
      }
      while index < bytes.count, bytes[index].isWhiteSpace { index += 1 }
      var value: [UInt8] = []
      if index < bytes.count, bytes[index] == UInt8(ascii: "=") {
        index += 1
        while index < bytes.count, bytes[index].isWhiteSpace { index += 1 }
        guard index < bytes.count else { return index }
        let quote = bytes[index]
        let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        if isQuoted { index += 1 }
        while index < bytes.count,
          isQuoted ? bytes[index] != quote : !bytes[index].isWhiteSpace && bytes[index] != 0x3E
        {
          value.append(bytes[index].lowercased)
          index += 1
        }
        if isQuoted { index += 1 }
      }
      body(name, value)
    }
    return index
  }
}
