/// The IP addresses that begin with the same bits (RFC 4632).
struct AddressBlock: Sendable {
  private let prefix: [UInt8]
  private let prefixLength: Int

  /// Parses a block in CIDR notation, such as `10.0.0.0/8`.
  init?(_ text: String) {
    let parts = text.split(separator: "/").map(String.init)
    guard parts.count == 2, let prefix = AddressTable.bytes(of: parts[0]) else { return nil }
    self.init(prefix: prefix, prefixLength: Int(parts[1]))
  }

  /// Creates the block of the addresses that share their first `prefixLength` bits with `prefix`,
  /// or nil if an address does not have that many bits.
  init?(prefix: [UInt8], prefixLength: Int?) {
    guard let prefixLength, (0...prefix.count * 8).contains(prefixLength) else { return nil }
    (self.prefix, self.prefixLength) = (prefix, prefixLength)
  }

  func contains(_ address: [UInt8]) -> Bool {
    guard address.count == prefix.count else { return false }
    let (wholeBytes, restOfBits) = prefixLength.quotientAndRemainder(dividingBy: 8)
    guard address[..<wholeBytes] == prefix[..<wholeBytes] else { return false }
    guard restOfBits > 0 else { return true }
    let difference: UInt8 = address[wholeBytes] ^ prefix[wholeBytes]
    return difference >> (8 - restOfBits) == 0
  }
}
