// Searches over the bytes of a page. They process 16 bytes at a time, because few bytes match.

extension UnsafeBufferPointer<UInt8> {
  /// Returns the index of the first `<`, `&` or control character other than a tab, line feed or
  /// carriage return at or after `start`, or `count`.
  package func firstIndexOfSpecial(from start: Int) -> Int {
    firstIndex(from: start, where: \.maskOfSpecialBytes)
  }

  /// Returns the index of the first matching byte at or after `start`, or `count`. `predicate`
  /// tests sixteen bytes at once.
  @inline(__always)
  package func firstIndex(
    from start: Int, where predicate: (SIMD16<UInt8>) -> SIMDMask<SIMD16<Int8>>
  ) -> Int {
    var index = start
    guard let base = UnsafeRawPointer(baseAddress) else { return count }
    while index + 16 <= count {
      let bytes = base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
      if let position = predicate(bytes).firstLane { return index + position }
      index += 16
    }
    while index < count, predicate(SIMD16(repeating: self[index])).firstLane == nil { index += 1 }
    return index
  }

  /// Returns the index of the first `byte` at or after `start`, or `count`.
  package func firstIndex(of byte: UInt8, from start: Int) -> Int {
    firstIndex(of: byte, or: byte, from: start)
  }

  /// Returns the index of the first of two bytes at or after `start`, or `count`.
  package func firstIndex(of first: UInt8, or second: UInt8, from start: Int) -> Int {
    let firsts = SIMD16<UInt8>(repeating: first)
    let seconds = SIMD16<UInt8>(repeating: second)
    return firstIndex(from: start) { ($0 .== firsts) .| ($0 .== seconds) }
  }

  /// Skips plain text and single spaces between words, 16 bytes at a time.
  /// - Returns: The index of the first other byte, or one at most 16 bytes before the end.
  package func endOfPlainText(from start: Int, to end: Int) -> Int {
    var index = start
    guard let base = UnsafeRawPointer(baseAddress) else { return start }
    let space = SIMD16<UInt8>(repeating: 0x20)
    while index + 17 <= end {
      let bytes = base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
      let next = base.loadUnaligned(fromByteOffset: index + 1, as: SIMD16<UInt8>.self)
      let loneSpaces = (bytes .== space) .& (next.maskOfNonPlainBytes .| (next .== space))
      if let position = (bytes.maskOfNonPlainBytes .| loneSpaces).firstLane {
        return index + position
      }
      index += 16
    }
    return index
  }

  /// Whether the bytes at `start` begin with `prefix`.
  package func hasPrefix(_ prefix: StaticString, at start: Int) -> Bool {
    let length = prefix.utf8CodeUnitCount
    guard start + length <= count else { return false }
    for offset in 0..<length where self[start + offset] != prefix.utf8Start[offset] { return false }
    return true
  }

  /// Whether a tag, given as `<name` or `</name` in lower case, is at `start`, regardless of case.
  package func hasTag(_ tag: StaticString, at start: Int) -> Bool {
    let length = tag.utf8CodeUnitCount
    guard start + length < count else { return false }
    for offset in 0..<length where self[start + offset].lowercased != tag.utf8Start[offset] {
      return false
    }
    return self[start + length].endsTagName
  }

  /// Returns the index after the tag name that contains `start`.
  package func endOfTagName(from start: Int) -> Int {
    var index = start
    while index < count, !self[index].endsTagName { index += 1 }
    return index
  }
}

extension SIMDMask<SIMD16<Int8>> {
  /// The index of the first lane that is set; nil if none is.
  @inline(__always)
  package var firstLane: Int? {
    let (low, high) = unsafeBitCast(self, to: (UInt64, UInt64).self)
    if low | high == 0 { return nil }
    let bit =
      low != 0
      ? UInt64(littleEndian: low).trailingZeroBitCount
      : 64 + UInt64(littleEndian: high).trailingZeroBitCount
    return bit >> 3
  }
}

extension SIMD16<UInt8> {
  /// Returns the mask of bytes equal to an ASCII character.
  @inline(__always)
  package func maskOfBytes(_ byte: Unicode.Scalar) -> SIMDMask<SIMD16<Int8>> {
    self .== SIMD16(repeating: UInt8(ascii: byte))
  }

  /// The mask of bytes that begin markup, and of control characters that do not occur in text.
  @inline(__always)
  fileprivate var maskOfSpecialBytes: SIMDMask<SIMD16<Int8>> {
    let isControl =
      (self .< SIMD16(repeating: 0x20)) .& (self .!= SIMD16(repeating: 0x0A))
      .& (self .!= SIMD16(repeating: 0x09)) .& (self .!= SIMD16(repeating: 0x0D))
    return isControl .| maskOfBytes("<") .| maskOfBytes("&")
  }

  /// The mask of control characters, DEL and first bytes of characters that need a closer check.
  @inline(__always)
  fileprivate var maskOfNonPlainBytes: SIMDMask<SIMD16<Int8>> {
    ((self & SIMD16(repeating: 0xE0)) .== SIMD16(repeating: 0))
      .| (self .== SIMD16(repeating: 0x7F)) .| (self .== SIMD16(repeating: 0xC2))
      .| (self .== SIMD16(repeating: 0xE2))
      .| ((self | SIMD16(repeating: 1)) .== SIMD16(repeating: 0xEF))
      .| (self .== SIMD16(repeating: 0xCD)) .| (self .== SIMD16(repeating: 0xD8))
      .| (self .== SIMD16(repeating: 0xF3))
  }
}

extension UInt8 {
  /// Whether the byte ends a tag name.
  var endsTagName: Bool {
    self == UInt8(ascii: ">") || self == UInt8(ascii: "/") || isWhiteSpace
  }
}
