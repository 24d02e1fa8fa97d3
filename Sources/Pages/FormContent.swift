/// The content of a POST request. It is kept in memory only.
package struct FormContent: Sendable, Equatable {
  /// The media type with its parameters.
  package var mediaType: String
  package var bytes: [UInt8]

  package init(mediaType: String, bytes: [UInt8]) {
    self.mediaType = mediaType
    self.bytes = bytes
  }
}
