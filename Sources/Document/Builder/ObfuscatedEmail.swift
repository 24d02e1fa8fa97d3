import DOM

/// A decoded e-mail address, with the query of its `mailto:` URL.
struct ObfuscatedEmail: Equatable {
  /// `name@example.org`
  let emailAddress: String
  /// A `mailto:` URL.
  let mailtoURL: String

  /// Maximum number of hexadecimal digits; more are not decoded.
  private static let maxDigits = 4096

  /// Decodes hexadecimal digits; nil if the result is not a plausible address.
  init?(_ digits: ArraySlice<UInt8>) {
    guard digits.count % 2 == 0, (4...Self.maxDigits).contains(digits.count) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var index = digits.startIndex
    while index < digits.endIndex {
      guard let high = digits[index].hexDigitValue, let low = digits[index + 1].hexDigitValue else {
        return nil
      }
      bytes.append(high << 4 | low)
      index += 2
    }
    let key = bytes.removeFirst()
    for index in bytes.indices { bytes[index] ^= key }
    let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    guard bytes[..<end].isMailAddress, bytes[end...].allSatisfy(\.isPartOfQuery) else {
      return nil
    }
    emailAddress = String(decoding: bytes[..<end], as: UTF8.self)
    mailtoURL = "mailto:" + String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var hexDigitValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46, 0x61...0x66: (self | 0x20) - 0x57
    default: nil
    }
  }

  /// Whether the byte may occur in a dot-atom (RFC 5322, section 3.2.3).
  fileprivate var isDotAtomByte: Bool {
    isLetter || isDigit || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(self)
  }

  fileprivate var isPartOfQuery: Bool {
    self > 0x20 && self < 0x7F && self != UInt8(ascii: "<") && self != UInt8(ascii: ">")
      && self != UInt8(ascii: "\"")
  }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes are a local part, `@`, and a host name with at least two labels.
  fileprivate var isMailAddress: Bool {
    guard let sign = firstIndex(of: UInt8(ascii: "@")), count <= 254,
      (1...64).contains(sign - startIndex), self[..<sign].allSatisfy(\.isDotAtomByte)
    else { return false }
    let parts = self[(sign + 1)...].split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let areNames = parts.allSatisfy { part in
      (1...63).contains(part.count)
        && part.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
        && part.first != UInt8(ascii: "-") && part.last != UInt8(ascii: "-")
    }
    guard parts.count > 1, areNames, let last = parts.last else { return false }
    return last.count > 1 && last.contains(where: \.isLetter)
  }
}
