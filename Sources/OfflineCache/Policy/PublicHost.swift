/// Which hosts may be of the public network by their name alone, for addresses that nobody has typed.
package enum PublicHost {
  /// Whether a host may be: a name of several labels that is not local, or an address in its plain form
  /// that is public.
  /// - Parameter host: the host of a `WebURL`.
  /// - Returns: whether nothing in it speaks against that.
  package static func mayBe(_ host: String) -> Bool { AddressTable.standard.mayBePublic(host) }
}
