import Dispatch
import Foundation
import OfflineCache
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A URLSession that loads one request of a redirect chain at a time through `CachingURLProtocol`.
///
/// Sessions are reused, because creating one costs as much as a short load. Requests never overlap,
/// because on Linux sessions with several concurrent tasks occasionally crash.
///
/// The session is the delegate of its task, through which the protocol finds the request and
/// reports the exact head and errors, which URLSession does not carry.
final class LoadSession: NSObject, URLSessionDataDelegate, Sendable {
  /// A request that the session performs.
  struct Request {
    let number: Int
    let step: RedirectStep
    let cache: HTTPCache
    /// The queue on which the events are reported.
    let queue: DispatchQueue
    let receive: @Sendable (CacheEvent) -> Void
    fileprivate var task: URLSessionTask?
    /// The load, which the cache retains while it runs.
    fileprivate weak var load: FetchTask?
    /// The head that the load reported.
    fileprivate var response: LoadedResponse?
    /// The last event that the load reported.
    fileprivate var end: CacheEvent?
  }

  private struct State {
    var session: URLSession?
    var request: Request?
    /// The number of requests so far.
    var requestCount = 0
  }

  /// Idle sessions.
  private static let idleSessions = Mutex<[LoadSession]>([])
  /// The maximum number of idle sessions. Each holds two file descriptors.
  private static let maxIdleSessions = 16

  private let operationQueue = DirectOperationQueue()
  private let state = Mutex(State())

  private override init() {
    super.init()
    operationQueue.maxConcurrentOperationCount = 1
    let session = URLSession(
      configuration: Self.configuration, delegate: self, delegateQueue: operationQueue)
    state.withLock { $0.session = session }
  }

  // MARK: Requests

  /// Sends a request of a redirect chain through an idle session.
  static let loader: RequestLoader = { step, cache, queue, receive throws(LoadError) in
    guard let url = step.request.url.url else {
      throw .transport(TransportFailure(.badURL, "not a URL: \(step.request.url)"))
    }
    let session = idleSessions.withLock { $0.popLast() } ?? LoadSession()
    let number = session.begin(url, step, cache, on: queue, receive)
    return RunningRequest(
      cancel: { session.cancel(number) },
      acknowledge: { session.load(of: number)?.acknowledge($0) },
      checkConnection: { report in
        guard let load = session.load(of: number) else { return report(false) }
        load.checkConnection(report)
      })
  }

  private func begin(
    _ url: URL, _ step: RedirectStep, _ cache: HTTPCache, on queue: DispatchQueue,
    _ receive: @escaping @Sendable (CacheEvent) -> Void
  ) -> Int {
    operationQueue.underlyingQueue = queue
    let task = state.withLock(\.session)?.dataTask(with: URLRequest(url: url))
    let number = state.withLock { state in
      state.requestCount += 1
      state.request = Request(
        number: state.requestCount, step: step, cache: cache, queue: queue, receive: receive,
        task: task)
      return state.requestCount
    }
    #if !canImport(FoundationNetworking)
      task?.delegate = self
    #endif
    task?.resume()
    return number
  }

  /// Cancels a request if this session performs it, and invalidates the session.
  private func cancel(_ number: Int) {
    let (session, request) = state.withLock { state in
      guard state.request?.number == number else { return (nil as URLSession?, nil as Request?) }
      defer { state.request = nil }
      return (state.session, state.request)
    }
    session?.finishTasksAndInvalidate()
    request?.task?.cancel()
  }

  private func load(of number: Int) -> FetchTask? {
    state.withLock { $0.request?.number == number ? $0.request?.load : nil }
  }

  /// Returns the session to the pool after its task has reported its completion. URLSession removes
  /// the task from its tables after that callback, so this must not be called within it.
  private func returnToPool() {
    let isKept = Self.idleSessions.withLock { idle in
      guard idle.count < Self.maxIdleSessions else { return false }
      idle.append(self)
      return true
    }
    if !isKept { state.withLock(\.session)?.finishTasksAndInvalidate() }
  }

  // MARK: The protocol's side

  /// The request that the session performs; nil if it performs none, for example after a
  /// cancellation.
  var request: Request? { state.withLock(\.request) }

  /// Records the load of a request.
  func didStart(_ load: FetchTask, for number: Int) {
    state.withLock { state in
      if state.request?.number == number { state.request?.load = load }
    }
  }

  /// Records an event of a load, which the session's callback then reports.
  func record(_ event: CacheEvent, for number: Int) {
    state.withLock { state in
      guard state.request?.number == number else { return }
      switch event {
      case .response(let response): state.request?.response = response
      case .finished, .failed: state.request?.end = event
      case .data, .refreshed, .checked: break
      }
    }
  }

  // MARK: URLSessionDataDelegate

  private func request(of task: URLSessionTask) -> Request? {
    state.withLock { $0.request?.task === task ? $0.request : nil }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    completionHandler(.allow)
    guard let request = request(of: dataTask), let reply = request.response else { return }
    request.receive(.response(reply))
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    request(of: dataTask)?.receive(.data([UInt8](data)))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let request = request(of: task) else { return }
    state.withLock { $0.request = nil }
    request.queue.async { self.returnToPool() }
    switch (error, request.end) {
    case (nil, let end): request.receive(end ?? .finished(nil))
    case (_?, .failed(let error)?): request.receive(.failed(error))
    case (let error?, _):
      request.receive(.failed(.transport(TransportFailure(.other, ErrorMessage.text(error)))))
    }
  }

  // MARK: The configuration

  /// The configuration of all sessions, created once: the system's initializer searches for a cache
  /// directory, which takes longer than creating a session. Each session copies it.
  private static let configuration: URLSessionConfiguration = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [CacheBinding.unboundClass]
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    return configuration
  }()

  /// Creates the configuration without the directories that FoundationNetworking creates for every
  /// configuration in the user's own directories: one for a cache and one for cookies, even if they
  /// are never used.
  ///
  /// Call it before the process has a second thread: it sets the environment variables that
  /// determine the directories, and restores them.
  static func createConfigurationWithoutDirectories() {
    #if canImport(FoundationNetworking)
      // The cookie directory has the name of the directory that contains the program, without a
      // suffix. With that directory's parent as the base, it already exists. Below a path that is
      // not a directory, nothing is created.
      let program = URL(fileURLWithPath: Bundle.main.bundlePath)
      let hasSuffix = program.lastPathComponent.contains(".")
      let directories = [
        "XDG_CACHE_HOME": "/dev/null",
        "XDG_DATA_HOME": hasSuffix ? "/dev/null" : program.deletingLastPathComponent().path,
      ]
      let former = directories.keys.map { ($0, getenv($0).map { String(cString: $0) }) }
      for (name, value) in directories { setenv(name, value, 1) }
      defer {
        for (name, value) in former {
          if let value { setenv(name, value, 1) } else { unsetenv(name) }
        }
      }
    #endif
    _ = configuration
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
