/// Decoders for the transfer encodings of MIME (RFC 2045 §6). Invalid input is skipped or passed
/// through.
package enum TransferEncoding {
  /// Decodes base64. Characters that are not base64 digits are skipped. After padding, another
  /// encoded text may follow, because some programs encode each line by itself.
  package static func base64(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      let digit: UInt8
      switch byte {
      case 0x41...0x5A: digit = byte - 0x41
      case 0x61...0x7A: digit = byte - 0x61 + 26
      case 0x30...0x39: digit = byte - 0x30 + 52
      case UInt8(ascii: "+"), UInt8(ascii: "-"): digit = 62
      case UInt8(ascii: "/"), UInt8(ascii: "_"): digit = 63
      case UInt8(ascii: "="):
        count = 0
        continue
      default: continue
      }
      bits = bits << 6 | UInt32(digit)
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return result
  }

  /// Returns whether a text consists only of digits of base64, also of the form for URLs, and of
  /// white space.
  package static func isBase64(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.allSatisfy { byte in
      isDigit(byte) || "-_ \t\r\n".utf8.contains(byte)
    }
  }

  /// Decodes base64 that may be followed by plain text: mailing lists append their footer to the
  /// encoded text. The text after the encoded lines is passed through.
  package static func base64Text(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    // The end of the first line that is shorter than the first one or padded, and of the padded
    // lines after it.
    var end: ArraySlice<UInt8>.Index?
    var isPadded = false
    var width: Int?
    var position = bytes.startIndex
    while position < bytes.endIndex {
      let next = bytes[position...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.endIndex
      var line = bytes[position..<next]
      while let last = line.last, last <= 0x20 { line.removeLast() }
      if end == nil { line = line.drop { $0 == 0x20 || $0 == 0x09 } }
      // After the padding, a line of plain text may also consist of characters that are base64
      // digits. Its length is usually not a multiple of four.
      let isWhole = line.allSatisfy(isDigit)
      guard
        isWhole
          ? !isPadded || line.count.isMultiple(of: 4) : end == nil && isDamagedBase64(line)
      else {
        let end = end ?? position
        return base64(bytes[..<end]) + bytes[end...]
      }
      if !isWhole { line.removeAll { !isDigit($0) } }
      if !line.isEmpty, end == nil {
        isPadded = line.last == UInt8(ascii: "=")
        if line.count < width ?? 0 || isPadded { end = next }
        width = width ?? line.count
      } else if isPadded, line.last == UInt8(ascii: "="), line.first != UInt8(ascii: "=") {
        end = next
      }
      position = next
    }
    return base64(bytes)
  }

  /// Returns whether a line consists of base64 digits with a few other characters between them,
  /// which are ignored (RFC 2045 §6.8). A line with a space or with characters that URLs and
  /// sentences contain is text.
  private static func isDamagedBase64(_ line: ArraySlice<UInt8>) -> Bool {
    let digits = line.count(where: isDigit)
    guard digits >= 8, digits.isMultiple(of: 4), line.count - digits <= 4 else { return false }
    return line.allSatisfy { isDigit($0) || "!#$%*?^`{|}~".utf8.contains($0) }
  }

  /// Returns whether a byte is a digit of base64 (RFC 2045 §6.8), or padding.
  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x41...0x5A, 0x61...0x7A, 0x30...0x39: true
    case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): true
    default: false
    }
  }

  /// Decodes quoted-printable. An equals sign that is not followed by two hexadecimal digits or the
  /// end of the line is passed through.
  package static func quotedPrintable(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = bytes.startIndex
    while position < bytes.endIndex {
      let byte = bytes[position]
      position += 1
      guard byte == UInt8(ascii: "=") else {
        result.append(byte)
        continue
      }
      var end = position
      while end < bytes.endIndex, bytes[end] == 0x20 || bytes[end] == 0x09 || bytes[end] == 0x0D {
        end += 1
      }
      if end == bytes.endIndex || bytes[end] == 0x0A {
        position = min(end + 1, bytes.endIndex)
      } else if position + 1 < bytes.endIndex, let high = digit(bytes[position]),
        let low = digit(bytes[position + 1])
      {
        result.append(high << 4 | low)
        position += 2
      } else {
        result.append(byte)
      }
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
