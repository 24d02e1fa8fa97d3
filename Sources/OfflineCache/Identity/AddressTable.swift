import Foundation

/// A table of the IP address blocks that are not on the public network.
package struct AddressTable: Sendable {
  private let nonPublicBlocks: [AddressBlock]

  /// Creates a table from the address blocks that are not public; invalid blocks are ignored.
  package init(nonPublicBlocks: [String]) {
    self.nonPublicBlocks = nonPublicBlocks.compactMap { AddressBlock($0) }
  }

  /// The blocks of the IANA special-purpose address registries (RFC 6890): this host, private
  /// networks, link-local, multicast, documentation and benchmarking addresses, and protocol
  /// assignments without web servers. The protocol blocks 192.0.0.0/24 and 2001::/23 are listed as
  /// a whole; the Teredo addresses (RFC 4380) in the latter embed an IPv4 address, and its ORCHID
  /// addresses are not routed.
  package static let standard = AddressTable(nonPublicBlocks: [
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
    "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3", "2001::/23", "2001:db8::/32", "3fff::/20",
  ])

  /// The only IPv6 block from which global unicast addresses are allocated (RFC 4291 §2.4). It
  /// excludes link-local, unique local and multicast addresses, the discard-only block and the
  /// NAT64 block of RFC 8215.
  private static let globalUnicast = AddressBlock("2000::/3")

  /// The IPv6 blocks whose addresses embed an IPv4 address, and the indices of the bytes of the
  /// IPv4 address.
  private static let ipv4EmbeddingBlocks: [(block: AddressBlock?, byteRange: Range<Int>)] = [
    (AddressBlock("::ffff:0:0/96"), 12..<16), (AddressBlock("::ffff:0:0:0/96"), 12..<16),
    (AddressBlock("::/96"), 12..<16), (AddressBlock("64:ff9b::/96"), 12..<16),
    (AddressBlock("2002::/16"), 2..<6),
  ]

  /// Returns whether an address of 4 or 16 bytes is on the public network.
  package func isPublic(_ address: [UInt8]) -> Bool {
    guard !nonPublicBlocks.contains(where: { $0.contains(address) }) else { return false }
    for (block, position) in Self.ipv4EmbeddingBlocks where block?.contains(address) ?? false {
      return isPublic(Array(address[position]))
    }
    return address.count == 4 || Self.globalUnicast?.contains(address) ?? false
  }

  /// Returns whether a host may be on the public network, judged by its name or address without a
  /// lookup. Addresses in unusual notation (`2130706433`, `0x7f.1`, `0177.0.0.1`) are rejected
  /// because programs disagree on their meaning.
  func mayBePublic(_ host: String) -> Bool {
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    guard !name.isEmpty, !name.hasSuffix(".") else { return false }
    if let address = Self.bytes(of: name.trimmingCharacters(in: ["[", "]"])) {
      return isPublic(address)
    }
    if !name.hasPrefix("["), let last = name.split(separator: ".").last, Self.isNumber(last) {
      return false
    }
    return !Site.hasLocalName(name)
  }

  /// Returns whether a label is parsed as a number (URL standard, "ends in a number"): decimal
  /// digits, or hexadecimal digits after `0x`.
  private static func isNumber(_ label: Substring) -> Bool {
    if label.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    guard label.lowercased().hasPrefix("0x") else { return false }
    return label.dropFirst(2).allSatisfy(\.isHexDigit)
  }

  /// Returns the bytes of an IP address literal, without its zone; nil if the text is not a
  /// literal.
  static func bytes(of text: String) -> [UInt8]? {
    let text = String(text.prefix { $0 != "%" })
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
    var sixteen = in6_addr()
    guard inet_pton(AF_INET6, text, &sixteen) == 1 else { return nil }
    return withUnsafeBytes(of: sixteen) { Array($0) }
  }

  /// Returns the bytes of a socket address; nil unless it is an IPv4 or IPv6 address.
  static func bytes(family: Int32, of address: UnsafeRawPointer) -> [UInt8]? {
    switch family {
    case AF_INET: Array(UnsafeRawBufferPointer(start: address + 4, count: 4))
    case AF_INET6: Array(UnsafeRawBufferPointer(start: address + 8, count: 16))
    default: nil
    }
  }
}
