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
      if let task, task.delegate is any URLSessionDataDelegate, task.callsDelegate,
        let session = task.owner
      {
        self = .inPieces(session.delegateQueue)
      } else {
        self = .inOnePiece
      }
    }
  #else
    /// Always selects delivery in pieces, because URLSession itself collects them for completion
    /// handlers.
    init(of task: URLSessionTask?) { self = .inPieces(nil) }
  #endif
}
