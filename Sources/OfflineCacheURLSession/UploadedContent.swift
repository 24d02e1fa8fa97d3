import Foundation
import OfflineCache

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The content of an upload task, which on Linux is not part of its request.
enum UploadedContent {
  /// The content itself.
  case bytes([UInt8])
  /// The file that contains the content.
  case file(URL)
  /// Streams that the delegate supplies.
  case streams

  /// Finds the content.
  /// - Parameter task: The task.
  /// - Returns: The content; a file need not exist.
  /// - Throws: `transport` if the content is not where Foundation has stored it so far.
  static func of(_ task: URLSessionTask) throws(LoadError) -> UploadedContent {
    guard let content = task.uploadedContent else {
      throw .transport(
        TransportFailure(
          .unreadableUpload,
          "the content of the upload task cannot be read; use a data task with httpBody"))
    }
    return content
  }
}
