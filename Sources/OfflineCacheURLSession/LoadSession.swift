import Dispatch
import Foundation
import OfflineCache
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A URLSession that serves one hop, and then the next: to make one costs as much as a short load
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

  // The rest is used on the queue of the hop only.

  private var task: URLSessionTask?
  private var ticket: LoadTicket?
  private var queue: DispatchQueue?
  private var receiver: (@Sendable (CacheEvent) -> Void)?

  private override init() {
    operations.maxConcurrentOperationCount = 1
  }

  /// Takes a session that serves nobody, or makes one.
  static func take() -> LoadSession {
    idle.withLock { $0.popLast() } ?? LoadSession()
  }

  /// Begins a task; on the queue of the hop.
  /// - Parameters:
  ///   - url: where it is said to go.
  ///   - ticket: carries what a session cannot.
  ///   - queue: the queue of the hop.
  ///   - receive: told of the events, on the queue.
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

  /// Stops the task of a ticket, if it is this one's, which then serves nobody else; on the queue of the
  /// hop.
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

  /// Makes it free for another hop, once its task has told its end. The session removes the task from
  /// its tables after that call, so this must not happen within it.
  private func giveBack() {
    let isKept = Self.idle.withLock { idle in
      guard idle.count < Self.idleLimit else { return false }
      idle.append(self)
      return true
    }
    if !isKept { session.finishTasksAndInvalidate() }
  }

  // MARK: What the session reports

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

/// Hands what it is given to its underlying queue, which is serial. On Linux an operation costs ten
/// times as much as its call, and each waits for the locks of the one before.
private final class DirectOperationQueue: OperationQueue, @unchecked Sendable {
  #if canImport(FoundationNetworking)
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      underlyingQueue?.async(execute: block)
    }
  #endif
}
