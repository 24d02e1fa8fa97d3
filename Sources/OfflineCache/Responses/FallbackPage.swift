/// A saved page that is served if the target of the redirects may not replace it.
package struct FallbackPage: Sendable {
  /// The saved version of the page.
  var page: StoredResponse
  /// The reason to serve the page immediately, without network access; nil if the network is used.
  var reason: CopyReason?
}
