/// The result of validating a text as UTF-8.
struct UTF8Validation {
  /// Whether all bytes are well-formed UTF-8.
  var isValid: Bool
  /// Whether a byte above 0x7F occurs before or at the first error.
  var hasNonASCII: Bool
  /// Whether a NUL occurs before the first error.
  var hasNUL = false

  /// Validates all bytes. With `allowsTruncatedEnd`, the last character may be truncated.
  init(_ bytes: UnsafeBufferPointer<UInt8>, allowsTruncatedEnd: Bool = false) {
    isValid = true
    hasNonASCII = false
    var index = 0
    guard let base = UnsafeRawPointer(bytes.baseAddress) else { return }
    while index < bytes.count {
      if index + 16 <= bytes.count {
        let (low, high) = base.loadUnaligned(fromByteOffset: index, as: (UInt64, UInt64).self)
        let ones: UInt64 = 0x0101_0101_0101_0101
        // Subtracting 1 sets the highest bit of a byte of 0.
        if (low | high | (low &- ones) | (high &- ones)) & (ones << 7) == 0 {
          index += 16
          continue
        }
      }
      if bytes[index] < 0x80 {
        if bytes[index] == 0 { hasNUL = true }
        index += 1
        continue
      }
      hasNonASCII = true
      let length = Self.sequenceLength(bytes, at: index)
      if length == 0 {
        isValid = allowsTruncatedEnd && bytes.count - index < 4 && bytes[index] >= 0xC2
        return
      }
      index += length
    }
  }

  /// Returns the length of the well-formed sequence at an index, or 0.
  static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let first = bytes[index]
    func continues(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      index + offset < bytes.count && range.contains(bytes[index + offset])
    }
    switch first {
    case 0..<0x80: return 1
    case 0xC2...0xDF: return continues(1) ? 2 : 0
    case 0xE0: return continues(1, 0xA0...0xBF) && continues(2) ? 3 : 0
    case 0xED: return continues(1, 0x80...0x9F) && continues(2) ? 3 : 0
    case 0xE1...0xEF: return continues(1) && continues(2) ? 3 : 0
    case 0xF0: return continues(1, 0x90...0xBF) && continues(2) && continues(3) ? 4 : 0
    case 0xF4: return continues(1, 0x80...0x8F) && continues(2) && continues(3) ? 4 : 0
    case 0xF1...0xF3: return continues(1) && continues(2) && continues(3) ? 4 : 0
    default: return 0
    }
  }
}
