/// The content of a `data:` URL (RFC 2397).
struct EmbeddedData {
  /// The media type in lower case, without parameters.
  let mediaType: [UInt8]
  let content: [UInt8]

  /// Decodes a URL; nil if it is not a `data:` URL, or if its Base64 is invalid.
  init?(url: ArraySlice<UInt8>) {
    // White space at the start, tabs and line breaks are not part of a URL.
    let url = url.drop(while: \.isWhiteSpace).prefix { $0 != UInt8(ascii: "#") }
    guard Self.hasScheme(url), let comma = url.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    let parameters = url[..<comma].dropFirst(Self.scheme.count)
      .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { part in part.filter { !$0.isWhiteSpace }.map(\.lowercased) }
    mediaType = parameters.first ?? []
    let decoded = Self.percentDecoded(url[(comma + 1)...])
    guard parameters.count > 1, parameters.last.map({ $0.elementsEqual("base64".utf8) }) == true
    else {
      content = decoded
      return
    }
    guard let bytes = Self.base64Decoded(decoded) else { return nil }
    content = bytes
  }

  /// Whether a reference is a `data:` URL; a quick test.
  static func hasScheme(_ reference: ArraySlice<UInt8>) -> Bool {
    reference.drop(while: \.isWhiteSpace).prefix(scheme.count).lazy.map(\.lowercased)
      .elementsEqual(scheme)
  }

  private static let scheme = Array("data:".utf8)

  private static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      if byte == UInt8(ascii: "%"), index + 2 < text.endIndex,
        let high = text[index + 1].hexDigit, let low = text[index + 2].hexDigit
      {
        result.append(high << 4 | low)
        index += 3
        continue
      }
      if byte != 0x09, byte != 0x0A, byte != 0x0D { result.append(byte) }
      index += 1
    }
    return result
  }

  /// Decodes Base64 with or without padding (RFC 4648 §4); nil if it contains other characters than
  /// white space.
  private static func base64Decoded(_ text: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3)
    var (bits, count): (UInt32, Int) = (0, 0)
    for byte in text where !byte.isWhiteSpace && byte != UInt8(ascii: "=") {
      guard let digit = base64Digit(byte) else { return nil }
      bits = bits << 6 | UInt32(digit)
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return result
  }

  private static func base64Digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
