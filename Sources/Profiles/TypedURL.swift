package import Pages

/// A URL that the user typed, and whether its scheme is an assumption.
package struct TypedURL: Sendable, Equatable {
  /// The address of the URL, with the assumed scheme if the user typed none.
  package let address: Address
  /// Whether the user typed no scheme, so that a saved page with the other one of http and https
  /// may match.
  package var isSchemeAssumed = false
  /// Whether the other scheme may be tried over the network as well.
  package var mayTryOtherScheme = false

  /// Creates the typed URL for the text `typed`, which was parsed to `address`.
  package init(_ address: Address, typed: String) {
    self.address = address
    guard case .web = address else { return }
    isSchemeAssumed = Address.assumesScheme(typed, isOffline: true)
    mayTryOtherScheme = Address.assumesScheme(typed)
  }

  /// The typed URL as text.
  package var url: String { address.url.text }
}
