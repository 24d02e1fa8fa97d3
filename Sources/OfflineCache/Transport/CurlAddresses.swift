/// Determines how the addresses of hosts are resolved and classified.
struct CurlAddresses: Sendable {
  /// The table that distinguishes public addresses from others.
  var table = AddressTable.standard
  /// Returns the addresses of a host; called for each request. Nil to use the system's resolver.
  var resolver: (@Sendable (String) -> [String])?
}
