/// The reason why an image was not loaded.
package struct ImageLoadFailure: Error, Equatable, CustomStringConvertible {
  /// A short message for the user.
  package let description: String
  /// Whether the request failed without a usable response, so that other URLs on the host are not
  /// tried.
  var isUnreachable = false

  package init(_ description: String) {
    self.description = description
  }
}
