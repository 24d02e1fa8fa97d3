import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The content of an upload task, which on Linux is not in its request.
enum UploadedContent {
  /// Reads it.
  /// - Parameter task: the task.
  /// - Returns: the bytes; nil when they are not where Foundation has kept them so far.
  static func of(_ task: URLSessionTask) -> [UInt8]? {
    var mirror: Mirror? = Mirror(reflecting: task)
    while let level = mirror {
      if let body = level.children.first(where: { $0.label == "knownBody" })?.value {
        return bytes(of: body)
      }
      mirror = level.superclassMirror
    }
    return nil
  }

  /// Reads what the task has.
  /// - Parameter body: an optional case with the data or the URL of a file in it.
  /// - Returns: the bytes; nil when it is something else.
  private static func bytes(of body: Any) -> [UInt8]? {
    if let data = body as? DispatchData { return [UInt8](data) }
    if let data = body as? Data { return [UInt8](data) }
    if let file = body as? URL { return (try? Data(contentsOf: file)).map { [UInt8]($0) } }
    let mirror = Mirror(reflecting: body)
    guard mirror.displayStyle == .optional || mirror.displayStyle == .enum else { return nil }
    // An empty content is a case without a value.
    guard let inner = mirror.children.first else {
      return mirror.displayStyle == .enum ? [] : nil
    }
    return bytes(of: inner.value)
  }
}
