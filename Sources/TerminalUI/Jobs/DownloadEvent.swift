/// An event of a download.
package enum DownloadEvent: Sendable, Equatable {
  /// Nothing was written because a file with this name exists.
  case exists(path: String)
  /// The path of the file was determined: a file in the requested directory, or the requested path.
  case began(path: String)
  /// The number of bytes received, and the total if it is known.
  case progressed(received: Int, expected: Int?)
  /// The file is complete.
  case done(path: String, length: Int, mediaType: String)
  /// No file was written, for this reason.
  case failed(String)
}
