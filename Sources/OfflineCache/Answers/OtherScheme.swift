/// Why a URL was loaded by the other of http and https than offread had assumed.
package struct OtherScheme: Sendable, Equatable {
  /// The first URL that was loaded by that scheme.
  package var url: WebURL
  /// Why the assumed scheme could not be used; nil when only a page of the other one is saved.
  package var failure: TransportFailure?
}
