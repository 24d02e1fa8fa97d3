// Which encoding a page is in. Browsers believe what is declared. A reader of old and saved pages
// meets many that are declared wrongly, or not at all; so what the bytes themselves say without
// doubt comes first: text in UTF-8 looks like nothing else, and UTF-16 has NUL bytes.

extension CharacterEncoding {
  /// Decides the encoding of a page: byte order mark, HTTP header, `meta` (HTML standard, section
  /// 13.2.3), but what is declared has to fit the bytes; and without a declaration that fits, UTF-8
  /// when the bytes are (nearly) valid, else a guess.
  /// - Parameters:
  ///   - bytes: all bytes of the page.
  ///   - charset: the label of `Content-Type`, or nil.
  ///   - isMarkup: whether `meta` elements count; an XML declaration always does.
  /// - Returns: The encoding to read the page in.
  package static func detect(
    _ bytes: [UInt8], charset: String?, isMarkup: Bool = true
  ) -> CharacterEncoding {
    if let (encoding, _) = byteOrderMark(bytes) { return encoding }
    let utf16 = bytes.withUnsafeBufferPointer { utf16WithoutMark($0) }
    var declared = charset.flatMap { CharacterEncoding(label: $0.utf8) }
    if declared?.isUTF16 == true, utf16 == nil { declared = nil }
    if declared == nil {
      declared = utf16 ?? MetaPrescan.encoding(in: bytes.prefix(1024), isMarkup: isMarkup)
    }
    return bytes.withUnsafeBufferPointer { buffer in
      let validation = UTF8Validation(buffer)
      return validation.isValid
        ? encoding(ofValid: buffer, declared, hasNonASCII: validation.hasNonASCII)
        : encoding(ofInvalid: buffer, declared, isMarkup: isMarkup)
    }
  }

  /// The encoding of bytes that are valid UTF-8.
  private static func encoding(
    ofValid bytes: UnsafeBufferPointer<UInt8>, _ declared: CharacterEncoding?, hasNonASCII: Bool
  ) -> CharacterEncoding {
    guard let declared else {
      return !hasNonASCII && ISO2022JP.isUsed(in: bytes) ? .iso2022JP : .utf8
    }
    guard hasNonASCII, !declared.isUTF16 else { return declared }
    // A word or two in Chinese or Korean can be valid UTF-8 by chance.
    return declared.isMultiByte && UTF8Validation.count(bytes).characters < 3 ? declared : .utf8
  }

  /// The encoding of bytes that are not all valid UTF-8.
  private static func encoding(
    ofInvalid bytes: UnsafeBufferPointer<UInt8>, _ declared: CharacterEncoding?, isMarkup: Bool
  ) -> CharacterEncoding {
    if let declared, declared != .utf8 { return declared }
    let counts = UTF8Validation.count(bytes)
    // Of the characters of other encodings at most a sixth are valid UTF-8 by chance. A page that says that it is in
    // UTF-8 may have more errors than characters: a title that was cut, a comment in another encoding.
    if counts.characters * (declared == .utf8 ? 5 : 1) > counts.errors { return .utf8 }
    // Of a header that is wrong and a `meta` element, the latter. Browsers, too, find one that comes
    // late in the head.
    if isMarkup,
      let late = MetaPrescan.encoding(
        inMarkup: UnsafeBufferPointer(rebasing: bytes.prefix(lateDeclarationLimit))),
      late != .utf8
    {
      return late
    }
    return EncodingGuess.encoding(of: bytes, isMarkup: isMarkup)
  }

  private static let lateDeclarationLimit = 1 << 16

  /// UTF-16, big or little-endian, when bytes are in it; else nil.
  package static func utf16(of bytes: [UInt8]) -> CharacterEncoding? {
    if let (encoding, _) = byteOrderMark(bytes) { return encoding.isUTF16 ? encoding : nil }
    return bytes.withUnsafeBufferPointer { utf16WithoutMark($0) }
  }

  /// UTF-16 is known by its ASCII, which all pages have some of and which has a NUL in every other
  /// place; bytes in no other encoding do.
  private static func utf16WithoutMark(_ bytes: UnsafeBufferPointer<UInt8>) -> CharacterEncoding? {
    let pairs = min(bytes.count, 1024) / 2
    guard pairs >= 4 else { return nil }
    var (even, odd) = (0, 0)
    for pair in 0..<pairs {
      if bytes[2 * pair] == 0 { even += 1 }
      if bytes[2 * pair + 1] == 0 { odd += 1 }
    }
    if odd * 4 >= pairs, even * 8 <= odd { return .utf16LE }
    if even * 4 >= pairs, odd * 8 <= even { return .utf16BE }
    return nil
  }
}

extension UTF8Validation {
  /// The characters beyond ASCII and the errors in the first part of a text.
  static func count(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> (characters: Int, errors: Int) {
    var (characters, errors) = (0, 0)
    var index = 0
    let end = min(bytes.count, 1 << 20)
    while true {
      index = bytes.firstIndex(from: index) { $0 .>= SIMD16(repeating: 0x80) }
      guard index < end else { break }
      let length = sequenceLength(bytes, at: index)
      if length > 0 {
        characters += 1
        index += length
      } else {
        // A character that is cut off at the end is no error.
        if bytes[index] >= 0xC2, bytes.count - index < 4 { break }
        errors += 1
        index += 1
      }
    }
    return (characters, errors)
  }
}
