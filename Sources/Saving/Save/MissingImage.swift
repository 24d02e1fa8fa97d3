/// An image that could not be saved.
package struct MissingImage: Sendable, Equatable {
  /// The absolute URL.
  package var url: String
  /// The reason; empty if unknown.
  package var reason: String
}
