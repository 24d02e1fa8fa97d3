/// HMAC with SHA-256 (RFC 2104, FIPS 180-4), by which an entry can recognize credentials that it
/// does not contain.
package enum KeyedHash {
  /// Returns the keyed hash of a text, as 64 hexadecimal digits.
  package static func hexDigest(_ text: String, key: [UInt8]) -> String {
    let block = key.count > 64 ? digest(key) : key
    let padded = block + [UInt8](repeating: 0, count: 64 - block.count)
    let innerHash = digest(padded.map { $0 ^ 0x36 } + Array(text.utf8))
    return digest(padded.map { $0 ^ 0x5C } + innerHash).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }

  /// Returns the SHA-256 digest of a message.
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var bytes = message + [0x80]
    bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
    bytes += bigEndian(UInt64(message.count) * 8)
    var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
      0x5be0_cd19,
    ]
    for start in stride(from: 0, to: bytes.count, by: 64) {
      compress(bytes[start..<start + 64], into: &state)
    }
    return state.flatMap { bigEndian($0) }
  }

  private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var tokens = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
      block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (early, late) = (tokens[index - 15], tokens[index - 2])
      let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      tokens.append(tokens[index - 16] &+ first &+ tokens[index - 7] &+ second)
    }
    var s = state
    for index in 0..<64 {
      let sum = rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25)
      let choice = s[4] & s[5] ^ ~s[4] & s[6]
      let first = s[7] &+ sum &+ choice &+ constants[index] &+ tokens[index]
      let other = rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22)
      let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
      s = [first &+ other &+ majority, s[0], s[1], s[2], s[3] &+ first, s[4], s[5], s[6]]
    }
    for index in 0..<8 { state[index] &+= s[index] }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = {
    let primes = (2...311).filter { number in
      !(2..<number).contains { $0 * $0 <= number && number % $0 == 0 }
    }
    return primes.map { fractionOfCubeRoot(of: $0) }
  }()

  /// Returns the first 32 bits of the fractional part of a cube root.
  ///
  /// The largest `root` with root³ ≤ number · 2⁹⁶ is found by bisection.
  private static func fractionOfCubeRoot(of number: Int) -> UInt32 {
    var root: UInt128 = 0
    for bit in (0..<36).reversed() {
      let candidate = root | 1 << UInt128(bit)
      if candidate * candidate * candidate <= UInt128(number) << 96 { root = candidate }
    }
    return UInt32(truncatingIfNeeded: root)
  }
}
