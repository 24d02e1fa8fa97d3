import Foundation
import OfflineCache
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The streams with the content of a task's request: the one of the request, and for each further
/// time that the content is sent, one that the delegate of the task supplies.
final class TaskStreams: Sendable {
  private let first: Mutex<InputStream?>
  #if canImport(FoundationNetworking)
    private let task: URLSessionTask?
    private let delegate: (any URLSessionTaskDelegate)?
  #endif

  /// Creates the streams of a task.
  /// - Parameters:
  ///   - first: The stream of the request; nil if the delegate supplies the first one, too.
  ///   - task: The task; nil if it is not known.
  init(_ first: sending InputStream?, of task: URLSessionTask?) {
    self.first = Mutex(first)
    #if canImport(FoundationNetworking)
      self.task = task
      delegate = task?.delegate ?? task?.owner?.delegate as? any URLSessionTaskDelegate
    #endif
  }

  /// Whether the delegate may supply further streams.
  var isRepeatable: Bool {
    #if canImport(FoundationNetworking)
      delegate != nil
    #else
      false
    #endif
  }

  /// Returns a stream with the content from its beginning.
  /// - Throws: `UnrepeatableBodyError` if there is none.
  func next() async throws -> sending InputStream {
    let first = first.withLock { first in
      let stream = first
      first = nil
      return stream
    }
    if let first { return first }
    guard let stream = await streamOfDelegate() else { throw UnrepeatableBodyError() }
    return stream
  }

  #if canImport(FoundationNetworking)
    private func streamOfDelegate() async -> sending InputStream? {
      guard let task, let session = task.owner, let delegate else { return nil }
      return await withCheckedContinuation { continuation in
        session.delegateQueue.addOperation {
          delegate.urlSession(session, task: task) { stream in
            // The delegate passes a stream that it does not use itself, as URLSession requires.
            nonisolated(unsafe) let stream = stream
            continuation.resume(returning: stream)
          }
        }
      }
    }
  #else
    /// Returns nil, because a protocol does not know the session of its task.
    private func streamOfDelegate() async -> sending InputStream? { nil }
  #endif
}
