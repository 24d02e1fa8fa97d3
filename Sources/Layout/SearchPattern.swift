/// A search text in a form for comparison. The text is folded as in the search index
/// (`TextFolding`), so that users find quotation marks, ligatures, superscripts and full-width
/// characters as they type them.
struct SearchPattern: Sendable, Equatable {
  /// The folded characters of the text, without the accents unless they are significant. If case is
  /// significant, each scalar includes its `CaseBits`.
  private(set) var scalars: [UInt32]
  /// Whether case is ignored: the text has no uppercase letter.
  let ignoresCase: Bool
  /// Whether accents, and letters such as `ø`, are significant because the search text contains
  /// one.
  let distinguishesAccents: Bool
  /// The folded characters with which a match may begin: the first of `scalars`, and the characters
  /// from which it may be composed.
  private let beginnings: [UInt32]
  /// For each byte, whether a match may begin with it; empty if `scalars` is empty.
  private var isFirstByte: [Bool] = []

  /// The bits of an element of `scalars` that contain the case of a letter.
  private enum CaseBits {
    static let upper: UInt32 = 1 << 30
    static let lower: UInt32 = 1 << 31
    /// The mask of the bits of the character itself.
    static let scalarMask: UInt32 = (1 << 30) - 1
  }

  init(_ text: String) {
    let typed = text.unicodeScalars.lazy.map(\.value).map { (0x0A...0x0D).contains($0) ? 0x20 : $0 }
    let ignoresCase = !typed.contains(where: Unistring.isUppercase)
    let plain = Self.folded(typed, ignoresCase: ignoresCase, distinguishesAccents: false)
    let accented = Self.folded(typed, ignoresCase: ignoresCase, distinguishesAccents: true)
    self.ignoresCase = ignoresCase
    distinguishesAccents = plain != accented
    scalars = accented
    beginnings = accented.first.map { TextFolding.beginnings(of: $0 & CaseBits.scalarMask) } ?? []
    guard !accented.isEmpty else { return }
    isFirstByte = (0...UInt8.max).map { byte in
      byte < 0x80 ? matches(byte, at: 0) : byte & 0xC0 != 0x80
    }
  }

  private static func folded(
    _ text: some Sequence<UInt32>, ignoresCase: Bool, distinguishesAccents: Bool
  ) -> [UInt32] {
    var result: [UInt32] = []
    for scalar in text {
      var sign = ignoresCase ? 0 : caseBits(of: scalar)
      forEachFoldedScalar(of: scalar, distinguishesAccents: distinguishesAccents) { part in
        if let last = result.last,
          let whole = TextFolding.composition(of: last & CaseBits.scalarMask, part)
        {
          result[result.count - 1] = whole | last & ~CaseBits.scalarMask
        } else if !isIgnored(part, distinguishesAccents: distinguishesAccents),
          part != 0x20 || result.last != 0x20
        {
          result.append(part | sign)
        }
        sign = 0
      }
    }
    return result
  }

  /// Calls the closure with each scalar of the folded form of a character. A tab becomes a space;
  /// line and paragraph separators, which are not shown, have no folded form.
  @inline(__always)
  private static func forEachFoldedScalar(
    of scalar: UInt32, distinguishesAccents: Bool, _ body: (UInt32) -> Void
  ) {
    switch scalar {
    case 0, 0x09, 0x20: body(0x20)
    case 0x41...0x5A: body(scalar + 0x20)
    case 1..<0x80: body(scalar)
    case 0x2028, 0x2029: break
    // The search index has a space in place of these signs.
    case 0x2120:
      body(0x73)
      body(0x6D)
    case 0x2122:
      body(0x74)
      body(0x6D)
    case _ where TextFolding.isAlreadyFolded(scalar): body(scalar)
    default:
      for part in TextFolding.foldedScalars(of: scalar, keepsAccents: distinguishesAccents) {
        body(part)
      }
    }
  }

  /// Returns the bits for the case of a letter; 0 for other characters.
  private static func caseBits(of scalar: UInt32) -> UInt32 {
    switch scalar {
    case 0x41...0x5A: CaseBits.upper
    case 0x61...0x7A: CaseBits.lower
    case 0..<0x80: 0
    default:
      Unistring.isUppercase(scalar)
        ? CaseBits.upper : Unistring.isLowercase(scalar) ? CaseBits.lower : 0
    }
  }

  /// Whether a folded character is ignored: an accent, unless accents are significant, or an
  /// invisible character.
  private static func isIgnored(_ part: UInt32, distinguishesAccents: Bool) -> Bool {
    TextFolding.isCombiningOrInvisible(part) && !(distinguishesAccents && Unistring.isAccent(part))
  }

  private func areEquivalent(_ one: UInt32, _ other: UInt32) -> Bool {
    guard (one ^ other) & CaseBits.scalarMask == 0 else { return false }
    let (first, second) = (one & ~CaseBits.scalarMask, other & ~CaseBits.scalarMask)
    return first == second || first == 0 || second == 0
  }

  /// Returns whether each match of this pattern begins within a match of a shorter one. Returns
  /// false if accents are significant, because a letter may then match only together with the
  /// accent after it.
  func extends(_ shorter: SearchPattern) -> Bool {
    guard !distinguishesAccents, !shorter.distinguishesAccents, shorter.ignoresCase || !ignoresCase,
      !shorter.scalars.isEmpty, shorter.scalars.count <= scalars.count
    else { return false }
    return zip(scalars, shorter.scalars).allSatisfy { own, other in
      own == other || own & CaseBits.scalarMask == other
    }
  }

  // MARK: Quick tests

  /// The leading characters of the search text that are ASCII, in lower case.
  var asciiPrefix: [UInt8] {
    scalars.lazy.map { $0 & CaseBits.scalarMask }.prefix { $0 < 0x80 }.map { UInt8($0) }
  }

  /// Whether an ASCII character matches the element of `scalars` at an index.
  func matches(_ byte: UInt8, at index: Int) -> Bool {
    let folded = byte &- 0x41 < 26 ? byte | 0x20 : byte
    return areEquivalent(
      UInt32(folded) | (ignoresCase ? 0 : Self.caseBits(of: UInt32(byte))), scalars[index])
  }

  /// Whether a match may begin with a byte.
  func mayBegin(with byte: UInt8) -> Bool { isFirstByte[Int(byte)] }

  /// Whether a match may begin with a character or within its folded form.
  func mayBegin(with scalar: UInt32) -> Bool {
    var isPossible = false
    Self.forEachFoldedScalar(of: scalar, distinguishesAccents: distinguishesAccents) { part in
      isPossible = isPossible || beginnings.contains(part)
    }
    return isPossible
  }

  /// Returns the number of positions within the folded form of a character at which a match may
  /// begin; for example, a match of `in` may begin within the ligature `ﬁ`.
  func matchStartCount(in scalar: UInt32) -> Int {
    guard scalar >= 0x80, !distinguishesAccents, !TextFolding.isAlreadyFolded(scalar) else {
      return 1
    }
    return max(1, TextFolding.foldedScalars(of: scalar, keepsAccents: false).count)
  }
}

extension SearchPattern {
  /// A comparison of the pattern with text that begins at one position and is read character by
  /// character.
  struct Comparison {
    /// The state of a comparison.
    enum State {
      /// The text matches so far.
      case undecided
      case failed
      /// The pattern matches, and the match ends before the character that was read last.
      case matched
      /// The pattern matches, and the match ends within or after the character that was read last.
      case matchedWithLast
    }

    private let needle: SearchPattern
    /// The number of scalars of the pattern that match so far.
    private var matchedCount = 0
    /// The folded scalar that was read but not yet compared, because it may be composed with the
    /// next one; 0 if there is none.
    private var pendingScalar: UInt32 = 0
    /// The number of scalars of the first character's folded form that are still to be skipped.
    private var skippedPartCount: Int
    /// The number of scalars that were read of a reading in parentheses, which is ignored; nil
    /// outside of readings.
    private var readingLength: Int?

    /// Begins a comparison.
    /// - Parameters:
    ///   - needle: The search pattern, which must not be empty.
    ///   - skippedPartCount: The number of scalars of the first character's folded form to skip.
    init(_ needle: SearchPattern, skipping skippedPartCount: Int = 0) {
      self.needle = needle
      self.skippedPartCount = skippedPartCount
    }

    /// Reads the next character.
    mutating func read(_ scalar: UInt32) -> State {
      var sign = needle.ignoresCase ? 0 : SearchPattern.caseBits(of: scalar)
      var state = State.undecided
      var isWithin = false
      SearchPattern.forEachFoldedScalar(
        of: scalar, distinguishesAccents: needle.distinguishesAccents
      ) { part in
        guard state == .undecided else { return }
        if skippedPartCount > 0 {
          skippedPartCount -= 1
        } else {
          state = compare(part, sign, isWithin: isWithin)
          isWithin = true
        }
        sign = 0
      }
      // A match never begins with an ignored character (an accent or an invisible character).
      if state == .undecided, pendingScalar == 0, matchedCount == 0 { return .failed }
      return state
    }

    private mutating func compare(_ part: UInt32, _ sign: UInt32, isWithin: Bool) -> State {
      if let whole = TextFolding.composition(of: pendingScalar & CaseBits.scalarMask, part) {
        pendingScalar = whole | pendingScalar & ~CaseBits.scalarMask
        return .undecided
      }
      if SearchPattern.isIgnored(part, distinguishesAccents: needle.distinguishesAccents) {
        return .undecided
      }
      if let readingLength { return skip(part, ofReading: readingLength) }
      // A run of spaces matches one space.
      if part == 0x20, pendingScalar & CaseBits.scalarMask == 0x20 { return .undecided }
      if pendingScalar != 0 {
        guard needle.areEquivalent(pendingScalar, needle.scalars[matchedCount]) else {
          return .failed
        }
        matchedCount += 1
        if matchedCount == needle.scalars.count {
          // `e` does not match `é` if accents are significant.
          if needle.distinguishesAccents, Unistring.isAccent(part) { return .failed }
          return isWithin ? .matchedWithLast : .matched
        }
      }
      if part == 0x28, needle.scalars[matchedCount] & CaseBits.scalarMask != part,
        Reading.isHan(pendingScalar & CaseBits.scalarMask)
      {
        (readingLength, pendingScalar) = (0, 0)
        return .undecided
      }
      pendingScalar = part | sign
      return needle.areEquivalent(pendingScalar, needle.scalars[matchedCount])
        || TextFolding.mayCompose(part)
        ? .undecided : .failed
    }

    /// Skips a folded scalar after the opening parenthesis of a reading.
    private mutating func skip(_ part: UInt32, ofReading length: Int) -> State {
      let isEnd = part == 0x29 && length > 0
      guard isEnd || Reading.mayContain(part) && length < Reading.maxLength else { return .failed }
      readingLength = isEnd ? nil : length + 1
      return .undecided
    }

    /// Returns the state at the end of the text.
    func finalState() -> State {
      let isSame =
        pendingScalar != 0 && needle.areEquivalent(pendingScalar, needle.scalars[matchedCount])
      return isSame && matchedCount + 1 == needle.scalars.count ? .matched : .failed
    }
  }
}
