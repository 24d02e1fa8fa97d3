import CFriBidi

/// Calls FriBidi: the Unicode bidirectional algorithm (UAX 9) and Arabic shaping.
package enum FriBidi {
  /// The version of the loaded FriBidi library.
  package static var version: String {
    // The string begins with "(GNU FriBidi) 1.0.8" and continues with build options.
    let text = String(cString: offread_fribidi_version()).prefix { !$0.isNewline }
    return String(text.split(separator: " ").last ?? "")
  }

  /// Returns the embedding level of each character of a paragraph: even for left to right, odd for
  /// right to left.
  /// - Parameters:
  ///   - scalars: The characters.
  ///   - paragraphLevel: The level of the paragraph, 0 or 1.
  /// - Returns: The levels; all equal to `paragraphLevel` if memory runs out.
  static func levels(of scalars: [UInt32], paragraphLevel: UInt8) -> [UInt8] {
    var levels = [UInt8](repeating: paragraphLevel, count: scalars.count)
    var start = 0
    while start < scalars.count {
      // Deeply nested level runs take more than linear time, so a very long paragraph is divided.
      let end = min(start + maxLength, scalars.count)
      setLevels(of: scalars, start..<end, paragraphLevel: paragraphLevel, &levels)
      start = end
    }
    return levels
  }

  /// The maximum number of characters processed together.
  private static let maxLength = 16_384

  private static func setLevels(
    of scalars: [UInt32], _ range: Range<Int>, paragraphLevel: UInt8, _ levels: inout [UInt8]
  ) {
    let count = FriBidiStrIndex(range.count)
    scalars[range].withUnsafeBufferPointer { text in
      levels[range].withUnsafeMutableBufferPointer { levels in
        withUnsafeTemporaryAllocation(of: FriBidiCharType.self, capacity: range.count) { types in
          withUnsafeTemporaryAllocation(of: FriBidiBracketType.self, capacity: range.count) {
            fribidi_get_bidi_types(text.baseAddress, count, types.baseAddress)
            fribidi_get_bracket_types(text.baseAddress, count, types.baseAddress, $0.baseAddress)
            var direction = paragraphLevel == 1 ? FRIBIDI_PAR_RTL : FRIBIDI_PAR_LTR
            // A level is in 0...126 and fits in a `signed char`.
            let signed = UnsafeMutableRawPointer(levels.baseAddress)?
              .assumingMemoryBound(to: FriBidiLevel.self)
            _ = fribidi_get_par_embedding_levels_ex(
              types.baseAddress, $0.baseAddress, count, &direction, signed)
          }
        }
      }
    }
  }

  /// Returns the mirrored form of a character for right-to-left text (rule L4).
  static func mirrored(_ scalar: UInt32) -> UInt32 {
    var mirrored: FriBidiChar = scalar
    return fribidi_get_mirror_char(scalar, &mirrored) != 0 ? mirrored : scalar
  }

  /// Replaces Arabic letters with their contextual forms. An alef that forms a ligature with the
  /// preceding lam becomes `ligaturePlaceholder`.
  static func shape(_ scalars: inout [UInt32], levels: [UInt8]) {
    let count = FriBidiStrIndex(scalars.count)
    let levels = levels.map { FriBidiLevel(clamping: $0) }
    var forms = [FriBidiArabicProp](repeating: 0, count: scalars.count)
    fribidi_get_joining_types(scalars, count, &forms)
    withUnsafeTemporaryAllocation(of: FriBidiCharType.self, capacity: scalars.count) {
      fribidi_get_bidi_types(scalars, count, $0.baseAddress)
      fribidi_join_arabic($0.baseAddress, count, levels, &forms)
    }
    fribidi_shape_arabic(
      FriBidiFlags(FRIBIDI_FLAG_SHAPE_ARAB_PRES | FRIBIDI_FLAG_SHAPE_ARAB_LIGA), levels, count,
      &forms, &scalars)
  }

  /// The placeholder for a letter that is part of a ligature with the preceding letter.
  static let ligaturePlaceholder: UInt32 = 0xFEFF
}
