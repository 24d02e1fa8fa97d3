/// Which hosts may be of the public network by their name alone, for addresses that nobody has typed.
package enum PublicHost {
  /// Whether a host may be: a name of several labels that is not local, or an address in its plain form
  /// that is public. A number in another form (`2130706433`, `0x7f.1`, `0177.0.0.1`) is none of these:
  /// programs read it as an address, and not all as the same.
  /// - Parameter host: the host of a `WebURL`.
  /// - Returns: whether nothing in it speaks against that.
  package static func mayBe(_ host: String) -> Bool {
    var name = host[...]
    if name.hasSuffix(".") { name.removeLast() }
    guard !name.isEmpty, !name.hasSuffix(".") else { return false }
    if !name.hasPrefix("["), let last = name.split(separator: ".").last, isNumber(last),
      AddressTable.bytes(of: String(name)) == nil
    {
      return false
    }
    return AddressTable.standard.mayBePublic(String(name))
  }

  /// Whether a label is read as a number (URL standard, "ends in a number"): digits, or hexadecimal ones.
  private static func isNumber(_ label: Substring) -> Bool {
    if label.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    guard label.lowercased().hasPrefix("0x") else { return false }
    return label.dropFirst(2).allSatisfy(\.isHexDigit)
  }
}
