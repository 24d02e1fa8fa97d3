import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// This is the only file that depends on private properties of FoundationNetworking. If they change,
// the tests of tasks with an installed cache fail.

extension URLSessionTask {
  #if canImport(FoundationNetworking)
    /// The session of the task; nil if it is not where Foundation has stored it so far.
    var owner: URLSession? { privateProperty("session", of: self) as? URLSession }

    /// Whether the task has no completion handler, so that the delegate of its session receives the
    /// content; false if this is not where Foundation has stored it so far.
    var callsDelegate: Bool {
      guard let session = owner, let registry = privateProperty("taskRegistry", of: session),
        let behaviours = privateProperty("behaviours", of: registry) as? [Int: Any],
        let behaviour = behaviours[taskIdentifier]
      else { return false }
      // The cases of completion handlers have values.
      return String(describing: behaviour) == "callDelegate"
    }
  #endif

  /// The content of an upload task; nil if it is not where Foundation has stored it so far.
  var uploadedContent: UploadedContent? {
    privateProperty("knownBody", of: self).flatMap { UploadedContent($0) }
  }
}

extension UploadedContent {
  /// Creates the content from the value of a private property; nil for an unknown value.
  /// - Parameter body: An optional or enum case that contains the data or the URL of a file.
  fileprivate init?(_ body: Any) {
    if let data = body as? DispatchData {
      self = .bytes([UInt8](data))
    } else if let data = body as? Data {
      self = .bytes([UInt8](data))
    } else if let file = body as? URL {
      self = .file(file)
    } else {
      let mirror = Mirror(reflecting: body)
      switch (mirror.displayStyle, mirror.children.first?.value) {
      case (.optional, let value?), (.enum, let value?): self.init(value)
      // The delegate supplies the content if it is not known.
      case (.optional, nil): self = .streams
      // Empty content is a case without a value.
      case (.enum, nil): self = .bytes([])
      default: return nil
      }
    }
  }
}

/// Returns the value of a property, which may be private and inherited.
private func privateProperty(_ name: String, of object: Any) -> Any? {
  var mirror: Mirror? = Mirror(reflecting: object)
  while let level = mirror {
    if let found = level.children.first(where: { $0.label == name }) { return found.value }
    mirror = level.superclassMirror
  }
  return nil
}
