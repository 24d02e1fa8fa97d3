/// Percent-encoding of octets (RFC 3986 §2.1).
package enum PercentEncoding {
  /// Decodes percent-encoded text; a `%` without two hex digits is unchanged.
  package static func decoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    // The beginning of a possible escape: `%`, or `%` and a digit.
    var pending: [UInt8] = []
    for byte in bytes {
      if byte == percent {
        output += pending
        pending = [byte]
      } else if pending.isEmpty {
        output.append(byte)
      } else if let low = digit(byte), pending.count == 2, let high = digit(pending[1]) {
        output.append(high << 4 | low)
        pending = []
      } else if digit(byte) != nil, pending.count == 1 {
        pending.append(byte)
      } else {
        output += pending
        output.append(byte)
        pending = []
      }
    }
    return output + pending
  }

  /// Percent-encodes the octets that satisfy a condition, with uppercase hex digits.
  package static func encoded(_ bytes: some Sequence<UInt8>, where condition: (UInt8) -> Bool)
    -> [UInt8]
  {
    var output: [UInt8] = []
    for byte in bytes {
      if condition(byte) {
        output += [percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      } else {
        output.append(byte)
      }
    }
    return output
  }

  private static let percent = UInt8(ascii: "%")
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Returns the value of a hex digit; nil for any other byte.
  package static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  /// Whether an octet is an unreserved character, which need not be encoded (RFC 3986 §2.3).
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~".utf8.contains(byte)
    }
  }
}
