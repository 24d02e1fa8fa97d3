/// Strings of JSON and of scripts with JSON-like data.
package enum JSONStrings {
  /// Returns a string with its escapes decoded (RFC 8259 §7, and `\x41` of JavaScript). `\t`, `\r`,
  /// `\b` and `\f` become spaces, NUL is dropped, and invalid `\u` and `\x` escapes become U+FFFD.
  package static func decoded(_ string: ArraySlice<UInt8>) -> [UInt8] { unescaped(string) }

  /// Returns a string in a buffer with its escapes decoded.
  package static func decoded(_ string: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    unescaped(string)
  }

  private static func unescaped(_ string: some RandomAccessCollection<UInt8>) -> [UInt8] {
    var result = UnescapedText()
    result.bytes.reserveCapacity(string.count)
    var index = string.startIndex
    while index < string.endIndex {
      let byte = string[index]
      string.formIndex(after: &index)
      guard byte == UInt8(ascii: "\\"), index < string.endIndex else {
        result.endPair()
        if byte != 0 { result.bytes.append(byte) }
        continue
      }
      let marker = string[index]
      string.formIndex(after: &index)
      if marker != UInt8(ascii: "u") { result.endPair() }
      switch marker {
      case UInt8(ascii: "n"): result.bytes.append(0x0A)
      case UInt8(ascii: "t"), UInt8(ascii: "r"), UInt8(ascii: "b"), UInt8(ascii: "f"):
        result.bytes.append(0x20)
      case UInt8(ascii: "u"), UInt8(ascii: "x"):
        let count = marker == UInt8(ascii: "u") ? 4 : 2
        // A character that is not a digit is left for the next iteration.
        let digits = string[index...].prefix(count).prefix(while: \.isHexadecimalDigit)
        index = digits.endIndex
        let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        let isWhole = digits.count == count || index == string.endIndex
        result.append(codeUnit: isWhole ? number ?? 0xFFFD : 0xFFFD)
      default: result.bytes.append(marker)
      }
    }
    result.endPair()
    return result.bytes
  }

  /// The text of a string without its escapes.
  private struct UnescapedText {
    var bytes: [UInt8] = []
    private var pendingHighSurrogate: UInt32 = 0

    /// Appends the UTF-16 code unit of an escape.
    mutating func append(codeUnit: UInt32) {
      var unit = codeUnit
      if unit & 0xFC00 == 0xD800 {
        endPair()
        pendingHighSurrogate = unit
        return
      }
      if unit & 0xFC00 == 0xDC00, pendingHighSurrogate > 0 {
        unit = 0x10000 + (pendingHighSurrogate & 0x3FF) << 10 + unit & 0x3FF
        pendingHighSurrogate = 0
      }
      endPair()
      let scalar = Unicode.Scalar(unit) ?? "\u{FFFD}"
      if unit != 0 { bytes.append(contentsOf: Array(String(Character(scalar)).utf8)) }
    }

    /// Replaces a high surrogate without a low one by U+FFFD.
    mutating func endPair() {
      if pendingHighSurrogate > 0 { bytes.append(contentsOf: "\u{FFFD}".utf8) }
      pendingHighSurrogate = 0
    }
  }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    0x30...0x39 ~= self || 0x41...0x46 ~= self || 0x61...0x66 ~= self
  }
}
