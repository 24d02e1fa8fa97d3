/// A search text in comparable form. It is folded as in the search index (`TextFolding`), so that
/// characters are found as users type them: quotation marks, ligatures, superscripts, widths.
struct Needle: Sendable, Equatable {
  /// Its folded characters, without the accents unless they are significant. If case is
  /// significant, `Case` is part of each.
  private(set) var scalars: [UInt32]
  /// Whether case is ignored: the text has no uppercase letter.
  let ignoresCase: Bool
  /// Whether accents, and letters such as `ø`, are significant: the text has one.
  let keepsAccents: Bool
  /// The folded characters with which a match may begin: the first one of `scalars`, and those from
  /// which it may be composed.
  private let beginnings: [UInt32]
  /// For each byte, whether a match may begin with it; empty if `scalars` is.
  private var isFirstByte: [Bool] = []

  /// The bits in `scalars` that contain the case of a letter.
  private enum Case {
    static let upper: UInt32 = 1 << 30
    static let lower: UInt32 = 1 << 31
    /// The bits of the character itself.
    static let scalar: UInt32 = (1 << 30) - 1
  }

  init(_ text: String) {
    let typed = text.unicodeScalars.lazy.map(\.value).map { (0x0A...0x0D).contains($0) ? 0x20 : $0 }
    let ignoresCase = !typed.contains(where: Unistring.isUppercase)
    let plain = Self.folded(typed, ignoresCase: ignoresCase, keepsAccents: false)
    let accented = Self.folded(typed, ignoresCase: ignoresCase, keepsAccents: true)
    self.ignoresCase = ignoresCase
    keepsAccents = plain != accented
    scalars = accented
    beginnings = accented.first.map { TextFolding.beginnings(of: $0 & Case.scalar) } ?? []
    guard !accented.isEmpty else { return }
    isFirstByte = (0...UInt8.max).map { byte in
      byte < 0x80 ? matches(byte, at: 0) : byte & 0xC0 != 0x80
    }
  }

  private static func folded(
    _ text: some Sequence<UInt32>, ignoresCase: Bool, keepsAccents: Bool
  ) -> [UInt32] {
    var result: [UInt32] = []
    for scalar in text {
      var sign = ignoresCase ? 0 : letterCase(of: scalar)
      forEachPart(of: scalar, keepsAccents: keepsAccents) { part in
        if let last = result.last,
          let whole = TextFolding.composition(of: last & Case.scalar, part)
        {
          result[result.count - 1] = whole | last & ~Case.scalar
        } else if !isPassed(part, keepsAccents: keepsAccents), part != 0x20 || result.last != 0x20 {
          result.append(part | sign)
        }
        sign = 0
      }
    }
    return result
  }

  /// Calls the closure with each part of the folded form of a character. A tab becomes a space;
  /// line and paragraph separators, which are not shown, have no parts.
  @inline(__always)
  private static func forEachPart(
    of scalar: UInt32, keepsAccents: Bool, _ body: (UInt32) -> Void
  ) {
    switch scalar {
    case 0, 0x09, 0x20: body(0x20)
    case 0x41...0x5A: body(scalar + 0x20)
    case 1..<0x80: body(scalar)
    case 0x2028, 0x2029: break
    // The search index has spaces for these signs.
    case 0x2120:
      body(0x73)
      body(0x6D)
    case 0x2122:
      body(0x74)
      body(0x6D)
    case _ where TextFolding.isUnchanged(scalar): body(scalar)
    default:
      for part in TextFolding.parts(of: scalar, keepsAccents: keepsAccents) { body(part) }
    }
  }

  /// Returns the bits for the case of a letter; 0 for other characters.
  private static func letterCase(of scalar: UInt32) -> UInt32 {
    switch scalar {
    case 0x41...0x5A: Case.upper
    case 0x61...0x7A: Case.lower
    case 0..<0x80: 0
    default:
      Unistring.isUppercase(scalar)
        ? Case.upper : Unistring.isLowercase(scalar) ? Case.lower : 0
    }
  }

  /// Whether a folded character is ignored: an accent, unless accents are significant, or an
  /// invisible character.
  private static func isPassed(_ part: UInt32, keepsAccents: Bool) -> Bool {
    TextFolding.isCombining(part) && !(keepsAccents && Unistring.isAccent(part))
  }

  private func isSame(_ one: UInt32, _ other: UInt32) -> Bool {
    guard (one ^ other) & Case.scalar == 0 else { return false }
    let (first, second) = (one & ~Case.scalar, other & ~Case.scalar)
    return first == second || first == 0 || second == 0
  }

  /// Returns whether each match begins within a match of a shorter text. Returns false if accents
  /// are significant, because a letter may then match only together with the accent after it.
  func extends(_ shorter: Needle) -> Bool {
    guard !keepsAccents, !shorter.keepsAccents, shorter.ignoresCase || !ignoresCase,
      !shorter.scalars.isEmpty, shorter.scalars.count <= scalars.count
    else { return false }
    return zip(scalars, shorter.scalars).allSatisfy { own, other in
      own == other || own & Case.scalar == other
    }
  }

  // MARK: Quick tests

  /// The characters with which the text begins if they are ASCII, in lower case.
  var asciiPrefix: [UInt8] {
    scalars.lazy.map { $0 & Case.scalar }.prefix { $0 < 0x80 }.map { UInt8($0) }
  }

  /// Whether an ASCII character matches the character at an index.
  func matches(_ byte: UInt8, at index: Int) -> Bool {
    let folded = byte &- 0x41 < 26 ? byte | 0x20 : byte
    return isSame(
      UInt32(folded) | (ignoresCase ? 0 : Self.letterCase(of: UInt32(byte))), scalars[index])
  }

  /// Whether a match may begin with a byte.
  func mayBegin(with byte: UInt8) -> Bool { isFirstByte[Int(byte)] }

  /// Whether a match may begin with a character or within its folded form.
  func mayBegin(with scalar: UInt32) -> Bool {
    var isPossible = false
    Self.forEachPart(of: scalar, keepsAccents: keepsAccents) { part in
      isPossible = isPossible || beginnings.contains(part)
    }
    return isPossible
  }

  /// Returns the number of positions within the folded form of a character at which a match may
  /// begin: `in` begins within the ligature `ﬁ`.
  func startCount(in scalar: UInt32) -> Int {
    guard scalar >= 0x80, !keepsAccents, !TextFolding.isUnchanged(scalar) else { return 1 }
    return max(1, TextFolding.parts(of: scalar, keepsAccents: false).count)
  }
}

extension Needle {
  /// A comparison with text that begins at one position and is read character by character.
  struct Comparison {
    /// The state of a comparison.
    enum State {
      /// The text matches so far.
      case undecided
      case failed
      /// The text before the last character matches.
      case matched
      /// The text matches with the last character, of which only the beginning is needed.
      case matchedWithin
    }

    private let needle: Needle
    /// The number of characters that match.
    private var index = 0
    /// The folded character that was read but not yet compared, because it may be composed with the
    /// next one; 0 if there is none.
    private var pending: UInt32 = 0
    /// The number of parts of the first character before the position.
    private var skipped: Int

    /// Begins a comparison.
    /// - Parameters:
    ///   - needle: The search text, which must not be empty.
    ///   - skipped: The number of parts of the first character to skip.
    init(_ needle: Needle, skipping skipped: Int = 0) {
      self.needle = needle
      self.skipped = skipped
    }

    /// Reads the next character.
    mutating func read(_ scalar: UInt32) -> State {
      var sign = needle.ignoresCase ? 0 : Needle.letterCase(of: scalar)
      var state = State.undecided
      var isWithin = false
      Needle.forEachPart(of: scalar, keepsAccents: needle.keepsAccents) { part in
        guard state == .undecided else { return }
        if skipped > 0 {
          skipped -= 1
        } else {
          state = compare(part, sign, isWithin: isWithin)
          isWithin = true
        }
        sign = 0
      }
      // A match does not begin with an accent or an invisible character that is ignored.
      if state == .undecided, pending == 0 { return .failed }
      return state
    }

    private mutating func compare(_ part: UInt32, _ sign: UInt32, isWithin: Bool) -> State {
      if let whole = TextFolding.composition(of: pending & Case.scalar, part) {
        pending = whole | pending & ~Case.scalar
        return .undecided
      }
      if Needle.isPassed(part, keepsAccents: needle.keepsAccents) { return .undecided }
      // A run of spaces matches one space.
      if part == 0x20, pending & Case.scalar == 0x20 { return .undecided }
      if pending != 0 {
        guard needle.isSame(pending, needle.scalars[index]) else { return .failed }
        index += 1
        if index == needle.scalars.count {
          // `e` does not match `é` if accents are significant.
          if needle.keepsAccents, Unistring.isAccent(part) { return .failed }
          return isWithin ? .matchedWithin : .matched
        }
      }
      pending = part | sign
      return needle.isSame(pending, needle.scalars[index]) || TextFolding.mayCompose(part)
        ? .undecided : .failed
    }

    /// Returns the state at the end of the text.
    func atEnd() -> State {
      let isSame = pending != 0 && needle.isSame(pending, needle.scalars[index])
      return isSame && index + 1 == needle.scalars.count ? .matched : .failed
    }
  }
}
