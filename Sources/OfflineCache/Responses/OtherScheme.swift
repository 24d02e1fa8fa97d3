/// Records that a URL was loaded by another scheme (http or https) than offread had assumed.
package struct OtherScheme: Sendable, Equatable {
  /// The first URL that was loaded by that scheme.
  package var url: WebURL
  /// The failure of the assumed scheme; nil if it was not tried because a page is saved for the
  /// other scheme only.
  package var failure: TransportFailure?
}
