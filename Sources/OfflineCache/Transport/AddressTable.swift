import Foundation

/// Which addresses are of the public network.
package struct AddressTable: Sendable {
  private struct Block: Sendable {
    var prefix: [UInt8]
    var bits: Int

    /// Reads `10.0.0.0/8`.
    init?(_ text: String) {
      let parts = text.split(separator: "/").map(String.init)
      guard parts.count == 2, let bits = Int(parts[1]),
        let prefix = AddressTable.bytes(of: parts[0]),
        (0...prefix.count * 8).contains(bits)
      else { return nil }
      (self.prefix, self.bits) = (prefix, bits)
    }

    func contains(_ address: [UInt8]) -> Bool {
      guard address.count == prefix.count else { return false }
      return (0..<bits).allSatisfy { bit in
        (address[bit / 8] ^ prefix[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
      }
    }
  }

  private let closed: [Block]

  /// Makes a table of what is not public; blocks that cannot be read are left out.
  package init(closed: [String]) {
    self.closed = closed.compactMap(Block.init)
  }

  /// This machine, networks of its own, links, and what is no single machine (RFC 6890).
  package static let standard = AddressTable(closed: [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3", "::/127", "fc00::/7",
    "fe80::/10", "fec0::/10", "ff00::/8",
  ])

  /// Blocks of IPv6 whose addresses hold one of IPv4, and where.
  private static let carriers: [(block: Block?, place: Range<Int>)] = [
    (Block("::ffff:0:0/96"), 12..<16), (Block("::/96"), 12..<16), (Block("64:ff9b::/96"), 12..<16),
    (Block("2002::/16"), 2..<6),
  ]

  /// Whether an address, of 4 or 16 bytes, is of the public network.
  package func isPublic(_ address: [UInt8]) -> Bool {
    guard !closed.contains(where: { $0.contains(address) }) else { return false }
    for (block, place) in Self.carriers where block?.contains(address) ?? false {
      return isPublic(Array(address[place]))
    }
    return [4, 16].contains(address.count)
  }

  /// Whether a host may be of the public network by its name alone; of an address that is certain.
  func mayBePublic(_ host: String) -> Bool {
    if let address = Self.bytes(of: host.trimmingCharacters(in: ["[", "]"])) {
      return isPublic(address)
    }
    return !Site.isPrivate(host)
  }

  /// The bytes of a literal address, or nil.
  static func bytes(of text: String) -> [UInt8]? {
    let text = String(text.prefix { $0 != "%" })
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
    var sixteen = in6_addr()
    guard inet_pton(AF_INET6, text, &sixteen) == 1 else { return nil }
    return withUnsafeBytes(of: sixteen) { Array($0) }
  }

  /// The bytes of a socket's address, or nil for what is none of the internet.
  static func bytes(family: Int32, of address: UnsafeRawPointer) -> [UInt8]? {
    switch family {
    case AF_INET: Array(UnsafeRawBufferPointer(start: address + 4, count: 4))
    case AF_INET6: Array(UnsafeRawBufferPointer(start: address + 8, count: 16))
    default: nil
    }
  }
}
