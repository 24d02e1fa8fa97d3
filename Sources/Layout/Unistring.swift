import CUnistring

/// Calls libunistring: character properties, grapheme clusters, word and line breaks.
package enum Unistring {
  /// The version of the loaded libunistring.
  package static var version: String {
    let number = _libunistring_version
    return "\(number >> 16).\(number >> 8 & 0xFF).\(number & 0xFF)"
  }

  /// Returns the width of a character in columns according to the Unicode tables; 0 for control and
  /// format characters.
  static func width(_ scalar: UInt32) -> Int {
    max(0, Int(uc_width(scalar, "UTF-8")))
  }

  /// Whether a grapheme cluster may end between two characters, judged by these two alone.
  static func isClusterBreak(_ first: UInt32, _ second: UInt32) -> Bool {
    uc_is_grapheme_break(first, second)
  }

  /// Whether a character has the property Extended_Pictographic.
  static func isPictographic(_ scalar: UInt32) -> Bool {
    uc_is_property(scalar, UC_PROPERTY_EXTENDED_PICTOGRAPHIC)
  }

  /// Returns the simple lowercase mapping of a character.
  static func lowercase(_ scalar: UInt32) -> UInt32 {
    uc_tolower(scalar)
  }

  /// Whether the uppercase form of a character differs from it.
  static func isLowercase(_ scalar: UInt32) -> Bool {
    uc_toupper(scalar) != scalar
  }

  /// Whether a character is a combining mark with a canonical combining class other than 0, such as
  /// an accent.
  static func isAccent(_ scalar: UInt32) -> Bool {
    uc_combining_class(scalar) > 0
  }

  /// Whether the lowercase form of a character differs from it.
  static func isUppercase(_ scalar: UInt32) -> Bool {
    uc_tolower(scalar) != scalar
  }

  /// Calls the closure with one step of the compatibility decomposition of a character (UAX 15), or
  /// with the character alone if it has none.
  static func withDecomposition<Result>(
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

  /// Returns the canonical composition of two characters (UAX 15); 0 if there is none.
  static func composition(_ first: UInt32, _ second: UInt32) -> UInt32 {
    uc_composition(first, second)
  }

  /// Returns the value of a decimal digit of any script; nil for other characters.
  static func digitValue(_ scalar: UInt32) -> UInt32? {
    UInt32(exactly: uc_decimal_value(scalar))
  }

  /// Stores in `result[i]` the kind of line break (UAX 14) before byte *i* of the text: a
  /// `UC_BREAK_` constant.
  static func findLineBreaks(of bytes: [UInt8], into result: inout [UInt8]) {
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

  /// Returns for each byte whether a word begins before it (UAX 29); false within characters.
  static func wordBreaks(of bytes: [UInt8]) -> [Bool] {
    guard !bytes.isEmpty else { return [] }
    var breaks = [CChar](repeating: 0, count: bytes.count)
    bytes.withUnsafeBufferPointer { source in
      breaks.withUnsafeMutableBufferPointer { target in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        u8_wordbreaks(from, source.count, to)
      }
    }
    return breaks.map { $0 != 0 }
  }

  /// The value in the result of `findLineBreaks` that stands for an allowed break.
  static let breakPossible = UInt8(UC_BREAK_POSSIBLE)
}
