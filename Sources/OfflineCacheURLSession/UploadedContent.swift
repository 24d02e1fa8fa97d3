import Dispatch
import Foundation
import OfflineCache

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The content of an upload task, which on Linux is not part of its request.
enum UploadedContent {
  /// Reads the content.
  /// - Parameter task: The task.
  /// - Returns: The bytes.
  /// - Throws: `transport` if the content is not where Foundation has stored it so far, or is in a
  ///   file that cannot be read.
  static func of(_ task: URLSessionTask) throws(LoadError) -> [UInt8] {
    var mirror: Mirror? = Mirror(reflecting: task)
    while let level = mirror {
      if let body = level.children.first(where: { $0.label == "knownBody" })?.value {
        if let bytes = try bytes(of: body) { return bytes }
      }
      mirror = level.superclassMirror
    }
    throw .transport(
      TransportFailure(
        .unreadableUpload,
        "the content of the upload task cannot be read; use a data task with httpBody"))
  }

  /// Reads the content from the task's private property.
  /// - Parameter body: An optional or enum case that contains the data or the URL of a file.
  /// - Returns: The bytes; nil for any other value.
  /// - Throws: `transport` if a file cannot be read.
  private static func bytes(of body: Any) throws(LoadError) -> [UInt8]? {
    if let data = body as? DispatchData { return [UInt8](data) }
    if let data = body as? Data { return [UInt8](data) }
    if let file = body as? URL {
      do {
        return [UInt8](try Data(contentsOf: file))
      } catch {
        let message = "the file to send cannot be read: \(file.path)"
        throw .transport(TransportFailure(.unreadableUpload, message))
      }
    }
    let mirror = Mirror(reflecting: body)
    guard mirror.displayStyle == .optional || mirror.displayStyle == .enum else { return nil }
    // Empty content is a case without a value.
    guard let inner = mirror.children.first else {
      return mirror.displayStyle == .enum ? [] : nil
    }
    return try bytes(of: inner.value)
  }
}
