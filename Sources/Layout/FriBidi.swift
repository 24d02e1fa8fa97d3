import CFriBidi

/// The calls of FriBidi: the Unicode bidirectional algorithm (UAX 9) and the forms of Arabic letters.
package enum FriBidi {
  /// The version of FriBidi that runs.
  package static var version: String {
    // "(GNU FriBidi) 1.0.8", and then what it was made with.
    let words = String(cString: offread_fribidi_version()).prefix { !$0.isNewline }
    return String(words.split(separator: " ").last ?? "")
  }

  /// The embedding level of each character of a paragraph: even from left to right, odd from right to left.
  /// - Parameters:
  ///   - scalars: the characters.
  ///   - base: the level of the paragraph, 0 or 1.
  /// - Returns: the levels; all the base where there is no memory.
  static func levels(of scalars: [UInt32], base: UInt8) -> [UInt8] {
    var levels = [UInt8](repeating: base, count: scalars.count)
    var start = 0
    while start < scalars.count {
      // Runs that are nested deeply cost more than their length: a paragraph has an end here.
      let end = min(start + longest, scalars.count)
      setLevels(of: scalars, start..<end, base: base, &levels)
      start = end
    }
    return levels
  }

  /// Characters of a paragraph that are looked at together.
  private static let longest = 16_384

  private static func setLevels(
    of scalars: [UInt32], _ range: Range<Int>, base: UInt8, _ levels: inout [UInt8]
  ) {
    let count = FriBidiStrIndex(range.count)
    scalars[range].withUnsafeBufferPointer { text in
      levels[range].withUnsafeMutableBufferPointer { levels in
        withUnsafeTemporaryAllocation(of: FriBidiCharType.self, capacity: range.count) { types in
          withUnsafeTemporaryAllocation(of: FriBidiBracketType.self, capacity: range.count) {
            fribidi_get_bidi_types(text.baseAddress, count, types.baseAddress)
            fribidi_get_bracket_types(text.baseAddress, count, types.baseAddress, $0.baseAddress)
            var direction = base == 1 ? FRIBIDI_PAR_RTL : FRIBIDI_PAR_LTR
            // A level is 0 to 126, in a `signed char`.
            let signed = UnsafeMutableRawPointer(levels.baseAddress)?
              .assumingMemoryBound(to: FriBidiLevel.self)
            _ = fribidi_get_par_embedding_levels_ex(
              types.baseAddress, $0.baseAddress, count, &direction, signed)
          }
        }
      }
    }
  }

  /// The character that is shown instead of one in text from right to left (rule L4).
  static func mirrored(_ scalar: UInt32) -> UInt32 {
    var mirrored: FriBidiChar = scalar
    return fribidi_get_mirror_char(scalar, &mirrored) != 0 ? mirrored : scalar
  }

  /// Gives Arabic letters the forms that join their neighbours; an alef that is part of the lam before it
  /// becomes `joined`.
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

  /// What stands for a letter that is part of the one before it.
  static let joined: UInt32 = 0xFEFF
}
