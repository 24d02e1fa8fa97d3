package import Document

/// A page of a book.
package struct BookPage: Sendable {
  /// The absolute URL.
  package var url: String
  /// The content, preferably of reader view.
  package var document: Document
  /// The bytes of the images of the page by their absolute URLs (`Document.url(ofImage:)`). Images
  /// that are missing or in a format that books do not support are replaced by their alternative
  /// text.
  package var images: [String: [UInt8]]

  package init(url: String, document: Document, images: [String: [UInt8]] = [:]) {
    self.url = url
    self.document = document
    self.images = images
  }
}
