import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A URLSession that serves one load, and then the next: to make one costs as much as a short load
/// itself. It never has two at a time, for on Linux sessions that do crash now and then.
///
/// Unchecked: whoever has taken it uses it alone, on the queue that it is lent to.
final class LoadSession: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  /// Sessions that serve nobody.
  private static let idle = Mutex<[LoadSession]>([])
  /// The most of them that are kept. Each holds two descriptors.
  private static let idleLimit = 16

  private let operations = DirectOperationQueue()
  private lazy var session = URLSession(
    configuration: SessionConfiguration.shared, delegate: self, delegateQueue: operations)
  private var load: SessionLoad?

  private override init() {
    operations.maxConcurrentOperationCount = 1
  }

  /// Takes a session that serves nobody, or makes one.
  static func take() -> LoadSession {
    idle.withLock { $0.popLast() } ?? LoadSession()
  }

  /// Begins a task; on the queue of the load.
  /// - Parameters:
  ///   - url: where it is said to go.
  ///   - description: the id of its ticket.
  ///   - load: is told what becomes of it.
  ///   - queue: the queue of the load.
  /// - Returns: the task, which runs.
  func begin(
    _ url: URL, description: String, for load: SessionLoad, on queue: DispatchQueue
  ) -> URLSessionTask {
    self.load = load
    operations.underlyingQueue = queue
    let task = session.dataTask(with: URLRequest(url: url))
    task.taskDescription = description
    task.resume()
    return task
  }

  /// Makes it free for another load, once its task has told its end; on the queue of the load. The
  /// session removes the task from its tables after that call, so this must not happen within it.
  func giveBack() {
    load = nil
    let isKept = Self.idle.withLock { idle in
      guard idle.count < Self.idleLimit else { return false }
      idle.append(self)
      return true
    }
    if !isKept { end() }
  }

  /// Serves nobody else: it ends with its task, and then lets go of its load.
  func end() {
    session.finishTasksAndInvalidate()
  }

  // MARK: What the session reports

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    completionHandler(.allow)
    load?.didReceiveHead(dataTask)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    load?.didReceive(data, dataTask)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    load?.didComplete(error, task)
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    load = nil
  }
}

/// Hands what it is given to its underlying queue, which is serial. On Linux an operation costs ten
/// times as much as its call, and each waits for the locks of the one before.
private final class DirectOperationQueue: OperationQueue, @unchecked Sendable {
  #if canImport(FoundationNetworking)
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      underlyingQueue?.async(execute: block)
    }
  #endif
}
