/// Computes the width of text in terminal columns. Layout and drawing share this computation.
///
/// The width of a grapheme cluster is the sum of the widths of its characters, with corrections
/// that most terminals share: flags and emoji presentation sequences are two columns wide,
/// combining and format characters have no width. Terminals disagree about joined emoji and skin
/// tones; the sum of the widths of their parts is the maximum in any terminal. The width of
/// ambiguous characters (UAX 11) depends on the terminal.
package struct DisplayWidth: Sendable, Equatable {
  /// The width of ambiguous characters (UAX 11), 1 or 2.
  package let ambiguousWidth: Int

  /// Creates a width calculator.
  package init(ambiguousWidth: Int = 1) {
    self.ambiguousWidth = ambiguousWidth
  }

  /// A grapheme cluster in a byte array.
  package struct Cluster: Sendable, Equatable {
    /// The offset after the last byte of the cluster.
    package var end: Int
    /// The width in columns.
    package var width: Int
  }

  /// Returns the width of a single character in columns: 0, 1 or 2.
  package func width(ofScalar scalar: UInt32) -> Int {
    adjustedWidth(Self.narrowWidth(ofScalar: scalar), scalar)
  }

  /// Returns the width of a character, given its width on terminals where ambiguous characters are
  /// narrow.
  private func adjustedWidth(_ width: Int, _ scalar: UInt32) -> Int {
    ambiguousWidth == 2 && width == 1 && scalar >= 0xA1 && AmbiguousCharacters.contains(scalar)
      ? 2 : width
  }

  private static func narrowWidth(ofScalar scalar: UInt32) -> Int {
    let simple = simpleCharacterWidth(scalar)
    if simple > 0 { return simple }
    if scalar < 0xA0 || scalar == 0xAD || scalar == 0x2028 || scalar == 0x2029 { return 0 }
    // These emoji are newer than the tables of older versions of libunistring.
    if (0x1FA70...0x1FAFF).contains(scalar) || (0x1F6DC...0x1F6DF).contains(scalar) { return 2 }
    return Unistring.width(scalar)
  }

  /// Returns the width of UTF-8 text in columns.
  package func width(of bytes: [UInt8], in range: Range<Int>) -> Int {
    var total = 0
    var all: UInt8 = 0
    for byte in bytes[range] {
      all |= byte
      total += byte >= 0x20 && byte != 0x7F ? 1 : 0
    }
    guard all >= 0x80 else { return total }
    total = 0
    var position = range.lowerBound
    while position < range.upperBound {
      let cluster = cluster(in: bytes, at: position, end: range.upperBound)
      total += cluster.width
      position = cluster.end
    }
    return total
  }

  /// Returns the width of a line of text in columns.
  package func width(of text: String) -> Int {
    let bytes = Array(text.utf8)
    return width(of: bytes, in: 0..<bytes.count)
  }

  /// Returns the grapheme cluster that begins at an offset.
  package func cluster(in bytes: [UInt8], at start: Int, end: Int) -> Cluster {
    let byte = bytes[start]
    if byte < 0x80, start + 1 >= end || bytes[start + 1] < 0x80 {
      return Cluster(end: start + 1, width: byte >= 0x20 && byte < 0x7F ? 1 : 0)
    }
    var position = start
    let first = Self.decodeScalar(in: bytes, at: &position, end: end)
    guard position < end else { return Cluster(end: position, width: width(ofScalar: first)) }
    var next = position
    let second = Self.decodeScalar(in: bytes, at: &next, end: end)
    let simple = Self.simpleCharacterWidth(first)
    if simple > 0, Self.simpleCharacterWidth(second) > 0 {
      return Cluster(end: position, width: adjustedWidth(simple, first))
    }
    return longCluster(in: bytes, first: first, at: position, limit: end)
  }

  private func longCluster(
    in bytes: [UInt8], first: UInt32, at start: Int, limit: Int
  ) -> Cluster {
    var position = start
    var previous = first
    var width = width(ofScalar: first)
    // The width of the last emoji in the cluster.
    var part = width
    var flags = Self.isRegionalIndicator(first) ? 1 : 0
    let isEmoji = Unistring.isPictographic(first)
    while position < limit {
      var next = position
      let scalar = Self.decodeScalar(in: bytes, at: &next, end: limit)
      let joinsEmoji = previous == 0x200D && isEmoji && Unistring.isPictographic(scalar)
      let joinsFlag = flags == 1 && Self.isRegionalIndicator(scalar)
      guard joinsEmoji || joinsFlag || !Unistring.isClusterBreak(previous, scalar) else { break }
      if Self.isRegionalIndicator(scalar) {
        guard joinsFlag else { break }
        flags = 2
        width = 2
      } else if scalar == 0xFE0F {
        if isEmoji || Self.isKeycapBase(first), part < 2 {
          width += 2 - part
          part = 2
        }
      } else {
        let own = self.width(ofScalar: scalar)
        // A grapheme cluster may have any number of leading Hangul consonants, prepended marks or
        // emoji.
        let limit = isEmoji ? Self.maxEmojiWidth : Self.maxClusterWidth
        guard own == 0 || width + own <= limit else { break }
        width += own
        if joinsEmoji { part = own }
      }
      previous = scalar
      position = next
    }
    return Cluster(end: position, width: width)
  }

  /// The maximum width of a cluster other than emoji, in columns.
  private static let maxClusterWidth = 4
  /// The maximum width of joined emoji, in columns, which a couple with two skin tones needs.
  private static let maxEmojiWidth = 12

  private static func isRegionalIndicator(_ scalar: UInt32) -> Bool {
    (0x1F1E6...0x1F1FF).contains(scalar)
  }

  private static func isKeycapBase(_ scalar: UInt32) -> Bool {
    (0x30...0x39).contains(scalar) || scalar == 0x23 || scalar == 0x2A
  }

  /// Returns the width of a simple character (two of which never form one grapheme cluster), and 0
  /// for all other characters.
  private static func simpleCharacterWidth(_ scalar: UInt32) -> Int {
    if scalar < 0x300 {
      return scalar >= 0x20 && scalar < 0x7F || scalar >= 0xA0 && scalar != 0xAD ? 1 : 0
    }
    switch scalar {
    case 0x0391...0x03FF, 0x0400...0x0482, 0x048A...0x052F, 0x1E00...0x1EFF: return 1
    case 0x2010...0x2027, 0x2030...0x203B: return 1
    case 0x3001...0x3029, 0x3041...0x3096, 0x30A1...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xAC00...0xD7A3, 0xFF01...0xFF60:
      return 2
    default: return 0
    }
  }

  /// Decodes the character at an offset and advances past it; an invalid sequence is decoded as
  /// U+FFFD.
  package static func decodeScalar(in bytes: [UInt8], at position: inout Int, end: Int) -> UInt32 {
    let byte = bytes[position]
    position += 1
    let count = byte < 0xC2 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : byte < 0xF5 ? 3 : 0
    if count == 0 { return byte < 0x80 ? UInt32(byte) : 0xFFFD }
    guard position + count <= end else { return 0xFFFD }
    var value = UInt32(byte) & (0x3F >> UInt32(count))
    for index in position..<position + count {
      guard bytes[index] & 0xC0 == 0x80 else { return 0xFFFD }
      value = value << 6 | UInt32(bytes[index] & 0x3F)
    }
    position += count
    return value
  }

  /// Whether all bytes are below 0x80.
  static func isASCII(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
    var all: UInt8 = 0
    for byte in bytes[range] { all |= byte }
    return all < 0x80
  }
}
