package import Images
package import Reader

/// An image of a page and the requested rendition of it.
package struct ImageQuery: Sendable, Hashable {
  package var source: ImageSource
  package var request: ImageRequest

  package init(_ source: ImageSource, _ request: ImageRequest) {
    (self.source, self.request) = (source, request)
  }
}
