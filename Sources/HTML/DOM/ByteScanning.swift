// Searches over the bytes of a page. They look at 16 bytes at a time, since most bytes of a page
// are none of those that matter.

extension UnsafeBufferPointer<UInt8> {
  /// The index of the first `<`, `&` or control character other than a tab, line feed or carriage
  /// return at or after `start`, or `count`.
  func firstIndexOfSpecial(from start: Int) -> Int {
    var index = start
    guard let base = UnsafeRawPointer(baseAddress) else { return count }
    while index + 16 <= count {
      let bytes = base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
      if any(bytes.isSpecial) { break }
      index += 16
    }
    while index < count, !self[index].isSpecial { index += 1 }
    return index
  }

  /// The index of the first `byte` at or after `start`, or `count`.
  func firstIndex(of byte: UInt8, from start: Int) -> Int {
    firstIndex(of: byte, or: byte, from: start)
  }

  /// The index of the first of two bytes at or after `start`, or `count`.
  func firstIndex(of first: UInt8, or second: UInt8, from start: Int) -> Int {
    var index = start
    guard let base = UnsafeRawPointer(baseAddress) else { return count }
    let firsts = SIMD16<UInt8>(repeating: first)
    let seconds = SIMD16<UInt8>(repeating: second)
    while index + 16 <= count {
      let bytes = base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
      if any((bytes .== firsts) .| (bytes .== seconds)) { break }
      index += 16
    }
    while index < count, self[index] != first, self[index] != second { index += 1 }
    return index
  }

  /// Skips blocks of 16 bytes that hold nothing but plain text and single spaces between words.
  /// - Returns: The index of the first block that holds something else.
  func endOfPlainBlocks(from start: Int, to end: Int) -> Int {
    var index = start
    guard let base = UnsafeRawPointer(baseAddress) else { return start }
    let space = SIMD16<UInt8>(repeating: 0x20)
    while index + 17 <= end {
      let bytes = base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
      let next = base.loadUnaligned(fromByteOffset: index + 1, as: SIMD16<UInt8>.self)
      let loneSpaces = (bytes .== space) .& (next.isNotPlain .| (next .== space))
      if any(bytes.isNotPlain .| loneSpaces) { break }
      index += 16
    }
    return index
  }

  /// Whether ASCII bytes stand at `start`.
  func hasPrefix(_ prefix: StaticString, at start: Int) -> Bool {
    let length = prefix.utf8CodeUnitCount
    guard start + length <= count else { return false }
    for offset in 0..<length where self[start + offset] != prefix.utf8Start[offset] { return false }
    return true
  }

  /// Whether a tag, given as `<name` or `</name` in lower case, stands at `start`, in any case.
  func hasTag(_ tag: StaticString, at start: Int) -> Bool {
    let length = tag.utf8CodeUnitCount
    guard start + length < count else { return false }
    for offset in 0..<length where self[start + offset].lowercased != tag.utf8Start[offset] {
      return false
    }
    return self[start + length].endsTagName
  }

  /// The index past the name of a tag.
  func endOfName(from start: Int) -> Int {
    var index = start
    while index < count, !self[index].endsTagName { index += 1 }
    return index
  }
}

extension SIMD16<UInt8> {
  /// See `UInt8.isSpecial`.
  @inline(__always)
  fileprivate var isSpecial: SIMDMask<SIMD16<Int8>> {
    let isControl =
      (self .< SIMD16(repeating: 0x20)) .& (self .!= SIMD16(repeating: 0x0A))
      .& (self .!= SIMD16(repeating: 0x09)) .& (self .!= SIMD16(repeating: 0x0D))
    return isControl .| (self .== SIMD16(repeating: UInt8(ascii: "<")))
      .| (self .== SIMD16(repeating: UInt8(ascii: "&")))
  }

  /// Control characters, DEL and the first bytes of characters that have to be looked at.
  @inline(__always)
  fileprivate var isNotPlain: SIMDMask<SIMD16<Int8>> {
    ((self & SIMD16(repeating: 0xE0)) .== SIMD16(repeating: 0))
      .| (self .== SIMD16(repeating: 0x7F)) .| (self .== SIMD16(repeating: 0xC2))
      .| (self .== SIMD16(repeating: 0xE2)) .| (self .== SIMD16(repeating: 0xEF))
      .| (self .== SIMD16(repeating: 0xD8)) .| (self .== SIMD16(repeating: 0xF3))
  }
}

extension UInt8 {
  /// Begins markup, or is a control character that text does not hold.
  fileprivate var isSpecial: Bool {
    self < 0x20
      ? self != 0x0A && self != 0x09 && self != 0x0D
      : self == UInt8(ascii: "<") || self == UInt8(ascii: "&")
  }

  /// Ends the name of a tag.
  var endsTagName: Bool {
    self == UInt8(ascii: ">") || self == UInt8(ascii: "/") || isWhiteSpace
  }
}
