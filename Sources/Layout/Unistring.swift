import CUnistring

/// The calls of libunistring: properties of characters, grapheme clusters, line breaks.
package enum Unistring {
  /// The version of libunistring that runs.
  package static var version: String {
    let number = _libunistring_version
    return "\(number >> 16).\(number >> 8 & 0xFF).\(number & 0xFF)"
  }

  /// Columns of a character as the Unicode tables say; 0 for control and format characters.
  static func width(_ scalar: UInt32) -> Int {
    max(0, Int(uc_width(scalar, "UTF-8")))
  }

  /// Whether a grapheme cluster may end between two characters, as far as these two tell.
  static func isClusterBreak(_ first: UInt32, _ second: UInt32) -> Bool {
    uc_is_grapheme_break(first, second)
  }

  /// Whether a character is (or may be shown as) an emoji.
  static func isPictographic(_ scalar: UInt32) -> Bool {
    uc_is_property(scalar, UC_PROPERTY_EXTENDED_PICTOGRAPHIC)
  }

  /// The lower-case form of a character, if it is a single one.
  static func lowercase(_ scalar: UInt32) -> UInt32 {
    uc_tolower(scalar)
  }

  /// Whether the lower-case form of a character is another one.
  static func isUppercase(_ scalar: UInt32) -> Bool {
    uc_tolower(scalar) != scalar
  }

  /// The letter without its accents (canonical decomposition); 0 for an accent by itself.
  static func base(_ scalar: UInt32) -> UInt32 {
    guard scalar >= 0xC0 else { return scalar }
    var letter = scalar
    withUnsafeTemporaryAllocation(of: ucs4_t.self, capacity: Int(UC_DECOMPOSITION_MAX_LENGTH)) {
      guard let parts = $0.baseAddress else { return }
      // The first part may have parts of its own.
      while letter >= 0xC0, uc_canonical_decomposition(letter, parts) > 1 { letter = parts[0] }
    }
    return uc_combining_class(letter) > 0 ? 0 : letter
  }

  /// The parts of a character: its canonical decomposition, all steps of it (Unicode Standard Annex 15).
  static func decomposed(_ scalar: UInt32) -> [UInt32] {
    guard scalar >= 0xC0 else { return [scalar] }
    return withUnsafeTemporaryAllocation(
      of: ucs4_t.self, capacity: Int(UC_DECOMPOSITION_MAX_LENGTH)
    ) {
      guard let parts = $0.baseAddress else { return [scalar] }
      let count = Int(uc_canonical_decomposition(scalar, parts))
      return count < 1 ? [scalar] : (0..<count).flatMap { decomposed(parts[$0]) }
    }
  }

  /// Calls with the parts of a character: its compatibility decomposition, one step of it (Unicode
  /// Standard Annex 15); the character alone when it has none.
  static func withParts<Result>(
    of scalar: UInt32, _ use: (UnsafeBufferPointer<UInt32>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: ucs4_t.self, capacity: Int(UC_DECOMPOSITION_MAX_LENGTH)) {
      var tag: Int32 = 0
      var count = $0.baseAddress.map { Int(uc_decomposition(scalar, &tag, $0)) } ?? 0
      if count < 1, let first = $0.baseAddress {
        first.initialize(to: scalar)
        count = 1
      }
      return use(UnsafeBufferPointer(rebasing: UnsafeBufferPointer($0)[..<count]))
    }
  }

  /// The character that two compose to (UAX 15), or 0.
  static func composition(_ first: UInt32, _ second: UInt32) -> UInt32 {
    uc_composition(first, second)
  }

  /// The value of a decimal digit of any script, or nil.
  static func digit(_ scalar: UInt32) -> UInt32? {
    UInt32(exactly: uc_decimal_value(scalar))
  }

  /// Marks in `result[i]` what UAX 14 says of a break before byte *i* of the text.
  static func lineBreaks(of bytes: [UInt8], into result: inout [UInt8]) {
    result.removeAll(keepingCapacity: true)
    result.append(contentsOf: repeatElement(0, count: bytes.count))
    guard !bytes.isEmpty else { return }
    bytes.withUnsafeBufferPointer { source in
      result.withUnsafeMutableBytes { target in
        guard let from = source.baseAddress,
          let to = target.baseAddress?.assumingMemoryBound(to: CChar.self)
        else { return }
        u8_possible_linebreaks_v2(from, source.count, "UTF-8", to)
      }
    }
  }

  /// The values of `lineBreaks` that allow a break.
  static let breakPossible = UInt8(UC_BREAK_POSSIBLE)
}
