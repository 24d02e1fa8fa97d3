import Dispatch
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
    var mirror: Mirror? = Mirror(reflecting: task)
    while let level = mirror {
      if let body = level.children.first(where: { $0.label == "knownBody" })?.value,
        let content = content(of: body)
      {
        return content
      }
      mirror = level.superclassMirror
    }
    throw .transport(
      TransportFailure(
        .unreadableUpload,
        "the content of the upload task cannot be read; use a data task with httpBody"))
  }

  /// Finds the content in the task's private property.
  /// - Parameter body: An optional or enum case that contains the data or the URL of a file.
  /// - Returns: The content; nil for any other value.
  private static func content(of body: Any) -> UploadedContent? {
    if let data = body as? DispatchData { return .bytes([UInt8](data)) }
    if let data = body as? Data { return .bytes([UInt8](data)) }
    if let file = body as? URL { return .file(file) }
    let mirror = Mirror(reflecting: body)
    guard mirror.displayStyle == .optional || mirror.displayStyle == .enum else { return nil }
    // Empty content is a case without a value. Without content, the delegate supplies it.
    guard let inner = mirror.children.first else {
      return mirror.displayStyle == .enum ? .bytes([]) : .streams
    }
    return content(of: inner.value)
  }
}
