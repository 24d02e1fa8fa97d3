import Dispatch
import Foundation
import OfflineCache
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A URLSession that performs one request at a time and is reused, because creating one costs as
/// much as a short load. Requests never overlap, because on Linux sessions with several concurrent
/// tasks occasionally crash.
///
/// It is `@unchecked Sendable` because only the code that took it from the pool uses it, on a
/// single queue.
final class LoadSession: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  /// Idle sessions.
  private static let idle = Mutex<[LoadSession]>([])
  /// The maximum number of idle sessions. Each holds two file descriptors.
  private static let idleLimit = 16

  private let operations = DirectOperationQueue()
  private lazy var session = URLSession(
    configuration: SessionConfiguration.shared, delegate: self, delegateQueue: operations)

  // The following properties are only used on the queue of the request.

  private var task: URLSessionTask?
  private var ticket: LoadTicket?
  private var queue: DispatchQueue?
  private var receiver: (@Sendable (CacheEvent) -> Void)?

  private override init() {
    operations.maxConcurrentOperationCount = 1
  }

  /// Takes an idle session from the pool, or creates one.
  static func take() -> LoadSession {
    idle.withLock { $0.popLast() } ?? LoadSession()
  }

  /// Starts a task. Must be called on the queue of the request.
  /// - Parameters:
  ///   - url: The nominal URL of the task.
  ///   - ticket: The context that a session cannot carry.
  ///   - queue: The queue of the request.
  ///   - receive: Called for each event, on the queue.
  func begin(
    _ url: URL, with ticket: LoadTicket, on queue: DispatchQueue,
    receive: @escaping @Sendable (CacheEvent) -> Void
  ) {
    (self.ticket, self.queue, receiver) = (ticket, queue, receive)
    operations.underlyingQueue = queue
    let task = session.dataTask(with: URLRequest(url: url))
    task.taskDescription = ticket.id
    self.task = task
    task.resume()
  }

  /// Cancels the task of a ticket if this session performs it, and invalidates the session. Must be
  /// called on the queue of the request.
  func cancel(_ ticket: LoadTicket) {
    guard ticket === self.ticket, let task else { return }
    _ = LoadTicket.take(ticket.id)
    letGo()
    session.finishTasksAndInvalidate()
    task.cancel()
  }

  private func letGo() {
    (task, ticket, receiver) = (nil, nil, nil)
  }

  /// Returns the session to the pool after its task has reported its completion. URLSession removes
  /// the task from its tables after that callback, so this must not be called within it.
  private func giveBack() {
    let isKept = Self.idle.withLock { idle in
      guard idle.count < Self.idleLimit else { return false }
      idle.append(self)
      return true
    }
    if !isKept { session.finishTasksAndInvalidate() }
  }

  // MARK: URLSessionDataDelegate

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    completionHandler(.allow)
    guard dataTask === task, let answer = ticket?.answer else { return }
    receiver?(.response(answer))
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard dataTask === task else { return }
    receiver?(.data([UInt8](data)))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard task === self.task, let ticket, let receiver else { return }
    letGo()
    queue?.async { self.giveBack() }
    if let error {
      let own = error as? LoadError ?? ticket.error
      receiver(.failed(own ?? .transport(TransportFailure(.other, ErrorWords.text(error)))))
    } else {
      receiver(.finished(ticket.stored))
    }
  }
}

/// Passes operations directly to its underlying serial queue. On Linux an operation costs ten times
/// as much as a plain call, and each waits for the locks of the previous one.
private final class DirectOperationQueue: OperationQueue, @unchecked Sendable {
  #if canImport(FoundationNetworking)
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      underlyingQueue?.async(execute: block)
    }
  #endif
}
