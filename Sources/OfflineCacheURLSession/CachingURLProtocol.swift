import Dispatch
import OfflineCache
import Synchronization

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// A protocol that makes a URLSession load through an `HTTPCache`; see
/// `HTTPCache.install(in:options:)`.
///
/// The cache follows redirects itself, because URLSession on Linux does not accept them from a
/// protocol: the session receives the final response under its URL, and its delegate is not asked
/// about redirects.
///
/// Data and upload tasks receive all content. A session with a data delegate receives it in pieces,
/// and the transfer pauses while the delegate is slow. For completion handlers, `data(for:)` and
/// `data(from:)` on Linux, the whole content is held in memory and delivered in one piece. Download
/// tasks fail on Linux, where a protocol cannot provide the file.
///
/// If this class itself is added to `protocolClasses` or registered manually, it loads through the
/// cache set by `HTTPCache.register(options:)`; without one, every load fails with an error that
/// explains this.
public class CachingURLProtocol: URLProtocol {
  private let delivery = ClientDelivery()
  private let load = Mutex(Loading.notStarted)

  /// The state of the load.
  private enum Loading {
    case notStarted
    /// The load is being started; it may be stopped before its `RunningRequest` is available.
    case starting
    case running(RunningRequest)
    case stopped
  }

  /// The cache and options of the class; nil if it has no cache.
  private class var binding: CacheBinding? { CacheBinding.of(self) }

  /// The error if the class has no cache: none is registered, or the one that was installed is
  /// closed.
  class var reasonWithoutBinding: LoadError {
    guard self == CachingURLProtocol.self else { return .closed }
    return .transport(TransportFailure(.noCache, missingCacheMessage))
  }

  /// The error message if a class that was added manually has no cache.
  static let missingCacheMessage = "CachingURLProtocol has no cache: call HTTPCache.register()"

  /// Returns whether the cache loads a request, according to its URL scheme and the cache's
  /// configuration. Also true if the class has no cache or the cache is closed: the load then
  /// fails, so that no request bypasses the cache.
  public override class func canInit(with request: URLRequest) -> Bool {
    guard let scheme = request.url?.scheme?.lowercased() else { return false }
    // Without a cache (in the cache's own sessions, if none is registered, or after it was closed)
    // true is returned, so that no request bypasses it.
    guard let configuration = binding?.cache?.configuration else { return true }
    guard let asked = WebRequest(head: request) else { return configuration.loads(scheme) }
    return configuration.loads(scheme) && configuration.handles(asked)
  }

  /// Returns whether the cache loads the request of the task.
  public override class func canInit(with task: URLSessionTask) -> Bool {
    task.currentRequest.map { canInit(with: $0) } ?? false
  }

  /// Returns the request unchanged; the cache normalizes URLs itself.
  public override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  /// Returns whether two requests have the same method and URL.
  public override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool {
    a.httpMethod == b.httpMethod && a.url == b.url
  }

  /// Starts the load, or continues it after the task was suspended; its events are delivered on a
  /// queue of the load.
  public override func startLoading() {
    let isFirst = load.withLock { load in
      guard case .notStarted = load else { return false }
      load = .starting
      return true
    }
    guard isFirst else { return delivery.resume() }
    let started: RunningRequest
    do throws(LoadError) {
      started = try start()
    } catch {
      let failure = error.urlError(for: request.url)
      return DispatchQueue.global().async { [delivery] in delivery.fail(failure) }
    }
    delivery.onAcknowledgement(started.acknowledge)
    let isStopped = load.withLock { load in
      if case .stopped = load { return true }
      load = .running(started)
      return false
    }
    if isStopped { started.cancel() }
  }

  private func start() throws(LoadError) -> RunningRequest {
    if let session = task?.delegate as? LoadSession {
      delivery.begin(self, .inPieces(nil))
      guard let request = session.request else {
        throw .transport(TransportFailure(.cancelled, "cancelled"))
      }
      return start(request, of: session)
    }
    delivery.begin(self, ContentReception(of: task))
    #if canImport(FoundationNetworking)
      // The session would look for the file in a private property of this object.
      guard !(task is URLSessionDownloadTask) else {
        throw .transport(TransportFailure(.unsupportedTask, Self.downloadAdvice))
      }
    #endif
    return try startWithRedirects()
  }

  /// The error message for a download task, which a `URLProtocol` of an application cannot complete
  /// on Linux.
  private static let downloadAdvice =
    "download tasks are not supported on Linux; use a data task or HTTPCache.bytes"

  /// Starts one request for a session of the cache's own, which follows redirects itself.
  private func start(_ request: LoadSession.Request, of session: LoadSession) -> RunningRequest {
    let (number, queue, receive) = (request.number, request.queue, request.receive)
    let load = request.cache.load(
      request.step, acknowledgesManually: true, runsOnCallingThread: true,
      willStart: { session.didStart($0, for: number) }
    ) { [delivery] event in
      session.record(event, for: number)
      switch event {
      case .response(let response):
        // The session has recorded the full head, so URLSession need not parse the fields again.
        delivery.respond(ResponseHead(status: response.response.status), from: nil)
      case .data(let chunk): delivery.append(chunk)
      case .finished: delivery.finish()
      case .failed(let error): delivery.fail(error)
      case .refreshed, .checked: queue.async { receive(event) }
      }
    }
    // The receiver acknowledges content itself.
    return RunningRequest(
      cancel: load.cancel, acknowledge: { _ in }, checkConnection: { $0(false) })
  }

  /// Starts a load for a session of the application.
  private func startWithRedirects() throws(LoadError) -> RunningRequest {
    guard let binding = type(of: self).binding else { throw type(of: self).reasonWithoutBinding }
    guard let cache = binding.cache else { throw .closed }
    guard var webRequest = try WebRequest(request, of: task) else {
      throw .transport(TransportFailure(.badURL, "not a URL: \(request.url?.absoluteString ?? "")"))
    }
    for line in binding.fields.lines where webRequest.fields[line.name] == nil {
      webRequest.fields.append(line.name, line.value)
    }
    let url = request.url
    return cache.startAcknowledging(
      webRequest, options: binding.options(for: request)
    ) { [delivery] event in
      switch event {
      case .redirected, .refreshed, .checked: break
      case .response(let response, let source):
        delivery.respond(response.response, from: source.url)
      case .data(let chunk): delivery.append(chunk)
      case .finished: delivery.finish()
      case .failed(let error): delivery.fail(error.urlError(for: url))
      }
    }.runningRequest
  }

  /// Stops the load for good or, if the task was suspended (on Linux), only holds its events back
  /// until `startLoading` is called. No events are delivered to the client in the meantime.
  public override func stopLoading() {
    #if canImport(FoundationNetworking)
      // A task that was suspended may have been resumed since; then `startLoading` follows.
      if let state = task?.state, state == .suspended || state == .running {
        return delivery.suspend()
      }
    #endif
    delivery.stop()
    let running = load.withLock { load in
      defer { load = .stopped }
      return load
    }
    if case .running(let load) = running { load.cancel() }
  }
}
