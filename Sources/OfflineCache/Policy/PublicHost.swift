/// Determines from their names alone which hosts may be on the public network, for URLs that the
/// user did not type.
package enum PublicHost {
  /// Returns whether a host may be on the public network: a non-local name with several labels, or
  /// a public IP address in standard notation.
  /// - Parameter host: The host of a `WebURL`.
  /// - Returns: Whether the host may be on the public network.
  package static func mayBePublic(_ host: String) -> Bool {
    AddressTable.standard.mayBePublic(host)
  }
}
