/// A labelled digest, such as `sha256:` and the value in Base32 (WARC 1.1, WARC-Block-Digest).
public struct WARCDigest: Sendable, Equatable, CustomStringConvertible {
  /// The digest algorithms that can be verified.
  public enum Algorithm: String, Sendable, CaseIterable {
    /// MD5; found in old files.
    case md5
    /// SHA-1; written by most crawlers.
    case sha1
    /// SHA-256; written by this library.
    case sha256
    /// SHA-384.
    case sha384
    /// SHA-512.
    case sha512

    /// The length of a digest in bytes.
    var length: Int {
      switch self {
      case .md5: 16
      case .sha1: 20
      case .sha256: 32
      case .sha384: 48
      case .sha512: 64
      }
    }
  }

  /// The algorithm.
  public let algorithm: Algorithm
  /// The value.
  public let bytes: [UInt8]

  /// Creates a digest from its value.
  /// - Parameters:
  ///   - algorithm: the algorithm.
  ///   - bytes: the value.
  public init(algorithm: Algorithm, bytes: [UInt8]) {
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// Whether this is the digest of zero bytes.
  package var isOfNothing: Bool { self == DigestBuilder(algorithm).digest() }

  /// Parses a labelled digest, whose value is in Base32 (with or without padding) or hexadecimal.
  /// Fails if the algorithm is unknown, or if the value has the wrong length for it.
  /// - Parameter text: the text.
  public init?(_ text: String) {
    let utf8 = text.utf8
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let label = text[..<colon].lowercased().filter { $0 != "-" }
    guard let algorithm = Algorithm(rawValue: label) else { return nil }
    var value = Array(utf8[utf8.index(after: colon)...])
    while value.last == UInt8(ascii: "=") { value.removeLast() }
    let bytes: [UInt8]?
    if value.count == algorithm.length * 2 {
      bytes = Self.decode(value, bitsPerDigit: 4, digit: Self.hexDigit)
    } else if value.count == (algorithm.length * 8 + 4) / 5 {
      bytes = Self.decode(value, bitsPerDigit: 5, digit: Self.base32Digit)
    } else {
      bytes = nil
    }
    guard let bytes else { return nil }
    self.init(algorithm: algorithm, bytes: bytes)
  }

  /// The label and the value in Base32 (RFC 4648 §6), with padding.
  public var description: String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    var text: [UInt8] = []
    var bits = 0
    var count = 0
    for byte in bytes {
      bits = (bits << 8 | Int(byte)) & 0xFFF
      count += 8
      while count >= 5 {
        count -= 5
        text.append(alphabet[bits >> count & 31])
      }
    }
    if count > 0 { text.append(alphabet[bits << (5 - count) & 31]) }
    while text.count % 8 != 0 { text.append(UInt8(ascii: "=")) }
    return algorithm.rawValue + ":" + String(decoding: text, as: UTF8.self)
  }

  private static func decode(
    _ text: [UInt8], bitsPerDigit: Int, digit: (UInt8) -> Int?
  ) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits = 0
    var count = 0
    for character in text {
      guard let value = digit(character) else { return nil }
      bits = (bits << bitsPerDigit | value) & 0xFFF
      count += bitsPerDigit
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(bits >> count & 0xFF))
    }
    return bytes
  }

  private static func hexDigit(_ character: UInt8) -> Int? {
    switch character {
    case 0x30...0x39: Int(character) - 0x30
    case 0x41...0x46, 0x61...0x66: Int(character | 0x20) - 0x61 + 10
    default: nil
    }
  }

  private static func base32Digit(_ character: UInt8) -> Int? {
    switch character {
    case 0x32...0x37: Int(character) - 0x32 + 26
    case 0x41...0x5A, 0x61...0x7A: Int(character | 0x20) - 0x61
    default: nil
    }
  }
}
