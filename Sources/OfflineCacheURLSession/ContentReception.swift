import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The way in which the client of a task receives the content that a protocol delivers.
enum ContentReception {
  /// The data delegate receives each piece of the content, on this queue; nil if the queue is
  /// unknown.
  case inPieces(OperationQueue?)
  /// The whole content is delivered in one piece, because only the last piece would reach the
  /// client.
  case inOnePiece

  #if canImport(FoundationNetworking)
    /// Determines how the client of a task receives content.
    ///
    /// On Linux, a session passes every piece only to a data delegate (public behaviour), and only
    /// if the task has no completion handler, which is known from private properties alone. If
    /// these ever change, content is delivered in one piece: complete, but held in memory.
    init(of task: URLSessionTask?) {
      guard let task, task.delegate is any URLSessionDataDelegate,
        let session = task.owner,
        let registry = privateProperty("taskRegistry", of: session),
        let behaviours = privateProperty("behaviours", of: registry) as? [Int: Any],
        let behaviour = behaviours[task.taskIdentifier],
        // The cases of completion handlers have values.
        String(describing: behaviour) == "callDelegate"
      else {
        self = .inOnePiece
        return
      }
      self = .inPieces(session.delegateQueue)
    }
  #else
    /// Always selects delivery in pieces, because URLSession itself collects them for completion
    /// handlers.
    init(of task: URLSessionTask?) { self = .inPieces(nil) }
  #endif
}

#if canImport(FoundationNetworking)
  extension URLSessionTask {
    /// The session of the task; nil if it is not where Foundation has stored it so far.
    var owner: URLSession? { privateProperty("session", of: self) as? URLSession }
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
#endif
