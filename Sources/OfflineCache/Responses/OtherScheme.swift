/// Details about a load that used http although offread had assumed https, or https although
/// offread had assumed http.
package struct OtherScheme: Sendable, Equatable {
  /// The first URL that was loaded with the scheme that offread had not assumed.
  package var url: WebURL
  /// The failure of the assumed scheme; nil if a page saved under the other scheme was served
  /// before the assumed scheme was tried or had failed.
  package var failure: TransportFailure?
}
