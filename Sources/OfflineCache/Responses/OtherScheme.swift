/// Details about a load by http or https, if offread had assumed the other of the two.
package struct OtherScheme: Sendable, Equatable {
  /// The first URL that was loaded by that scheme.
  package var url: WebURL
  /// The failure of the assumed scheme; nil if a page saved for the other scheme was served before
  /// the assumed one had been tried or had failed.
  package var failure: TransportFailure?
}
