// Detection of a page's encoding. Browsers trust the declaration, but many old and saved pages
// declare the wrong encoding or none. Therefore unambiguous evidence in the bytes takes precedence:
// valid UTF-8 is hardly ever anything else, and UTF-16 has NUL bytes.

extension CharacterEncoding {
  /// Detects the encoding of a page: byte order mark, HTTP header, `meta` (HTML standard §13.2.3).
  /// A declaration must be consistent with the bytes; without one, the result is UTF-8 if the bytes
  /// are (nearly) valid, otherwise a guess.
  /// - Parameters:
  ///   - bytes: All bytes of the page.
  ///   - charset: The label of `Content-Type`; nil if it has none.
  ///   - isMarkup: Whether `meta` elements count; an XML declaration always does.
  /// - Returns: The encoding to decode the page with.
  package static func detect(
    _ bytes: [UInt8], charset: String?, isMarkup: Bool = true
  ) -> CharacterEncoding {
    if let (encoding, _) = encodingOfByteOrderMark(bytes) { return encoding }
    let wide = bytes.withUnsafeBufferPointer { detectedWide($0) }
    var declared = charset.flatMap { CharacterEncoding(label: $0.utf8) }
    // Servers declare UTF-16 without a byte order, or with the wrong one.
    if declared?.isWide == true { declared = wide }
    if declared == nil {
      declared = wide ?? MetaPrescan.encoding(in: bytes.prefix(1024), isMarkup: isMarkup)
    }
    return bytes.withUnsafeBufferPointer { buffer in
      let validation = UTF8Validation(buffer)
      return validation.isValid
        ? encoding(ofValid: buffer, declared, hasNonASCII: validation.hasNonASCII)
        : encoding(ofInvalid: buffer, declared, isMarkup: isMarkup)
    }
  }

  /// Returns the encoding of bytes that are valid UTF-8, which is usually UTF-8. ASCII bytes have
  /// the declared encoding, or are ISO-2022-JP; a very short text in another multibyte encoding may
  /// be valid UTF-8 by chance.
  private static func encoding(
    ofValid bytes: UnsafeBufferPointer<UInt8>, _ declaredEncoding: CharacterEncoding?,
    hasNonASCII: Bool
  ) -> CharacterEncoding {
    guard let declaredEncoding else {
      return !hasNonASCII && ISO2022JP.isUsed(in: bytes) ? .iso2022JP : .utf8
    }
    guard hasNonASCII, !declaredEncoding.isWide else { return declaredEncoding }
    // One or two characters of Chinese or Korean may be valid UTF-8 by chance.
    return declaredEncoding.isMultiByte
      && UTF8Validation.countCharactersAndErrors(bytes).characters < 3 ? declaredEncoding : .utf8
  }

  /// Returns the encoding of bytes that are not valid UTF-8.
  private static func encoding(
    ofInvalid bytes: UnsafeBufferPointer<UInt8>, _ declaredEncoding: CharacterEncoding?,
    isMarkup: Bool
  ) -> CharacterEncoding {
    if let declaredEncoding, declaredEncoding != .utf8 { return declaredEncoding }
    let counts = UTF8Validation.countCharactersAndErrors(
      bytes, countsTruncatedCharacters: declaredEncoding == .utf8)
    // At most a sixth of the characters of other encodings are valid UTF-8 by chance. A page that
    // declares UTF-8 may have more errors than characters, for example in a truncated title or a
    // comment in another encoding.
    if counts.characters * (declaredEncoding == .utf8 ? 5 : 1) > counts.errors { return .utf8 }
    // A `meta` element takes precedence over a wrong header. Like browsers, this also finds one
    // late in the head.
    if isMarkup,
      let lateDeclaration = MetaPrescan.encoding(
        ofMetaIn: UnsafeBufferPointer(rebasing: bytes.prefix(maxDeclarationOffset))),
      lateDeclaration != .utf8
    {
      return lateDeclaration
    }
    return EncodingGuesser.encoding(of: bytes, isMarkup: isMarkup)
  }

  private static let maxDeclarationOffset = 1 << 16

  /// Returns UTF-16 or UTF-32 of the appropriate byte order if the bytes are in this encoding;
  /// otherwise nil.
  package static func wideEncoding(of bytes: [UInt8]) -> CharacterEncoding? {
    if let (encoding, _) = encodingOfByteOrderMark(bytes) {
      return encoding.isWide ? encoding : nil
    }
    return bytes.withUnsafeBufferPointer { detectedWide($0) }
  }
}

extension UTF8Validation {
  /// Counts the non-ASCII characters and the errors in the first MiB of a text. With
  /// `countsTruncatedCharacters`, truncated characters that are unlikely in other encodings count
  /// as characters.
  static func countCharactersAndErrors(
    _ bytes: UnsafeBufferPointer<UInt8>, countsTruncatedCharacters: Bool = false
  ) -> (characters: Int, errors: Int) {
    var (characters, errors) = (0, 0)
    var index = 0
    let end = min(bytes.count, 1 << 20)
    while true {
      index = bytes.firstIndex(from: index) { $0 .>= SIMD16(repeating: 0x80) }
      guard index < end else { break }
      var length = sequenceLength(bytes, at: index)
      if length == 0, countsTruncatedCharacters {
        length = truncatedCharacterLength(bytes, at: index)
      }
      if length > 0 {
        characters += 1
        index += length
      } else {
        // A truncated character at the end is not an error.
        if bytes[index] >= 0xC2, bytes.count - index < 4 { break }
        errors += 1
        index += 1
      }
    }
    return (characters, errors)
  }

  /// Returns the length of the truncated character at an index if it is unlikely in other
  /// encodings, otherwise 0: three bytes of an emoji or another character of four bytes, or two
  /// bytes of a typographic quotation mark, dash or ellipsis.
  private static func truncatedCharacterLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int)
    -> Int
  {
    let rest = bytes[index...].dropFirst().prefix(2).prefix { $0 & 0xC0 == 0x80 }
    switch bytes[index] {
    case 0xF0 where rest.count == 2 && rest.first != 0x80: return 3
    case 0xE2 where rest.first == 0x80: return 2
    default: return 0
    }
  }
}
