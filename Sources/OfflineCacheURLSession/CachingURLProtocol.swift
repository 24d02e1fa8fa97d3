import Dispatch
import OfflineCache
import Synchronization

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Makes a URLSession load through an `HTTPCache`; see `HTTPCache.install(in:options:)`.
///
/// The cache follows redirects itself, because URLSession on Linux does not accept them from a
/// protocol: the session receives the final response under its URL, and its delegate is not asked
/// about redirects. Use data tasks with a delegate: on Linux the other kinds lose content.
///
/// If this class itself is added to `protocolClasses` or registered manually, it loads through the
/// cache set by `HTTPCache.register(options:)`; without one, every load fails with an error that
/// explains this.
public class CachingURLProtocol: URLProtocol {
  private let delivery = ClientDelivery()
  private let load = Mutex(Loading.before)

  /// The state of the load; it may be stopped before it is known to be running.
  private enum Loading {
    case before
    case running(any RunningHop)
    case stopped
  }

  /// The cache and options of the class; overridden by classes that `install` creates.
  class var binding: CacheBinding? { BindingTable.shared.registered }

  /// The error if the class has no cache.
  class var reasonWithoutBinding: LoadError {
    .transport(TransportFailure(.noCache, BindingTable.missing))
  }

  /// Returns whether the cache loads a request, according to its URL scheme and the cache's
  /// configuration.
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

  /// Starts the load; its events are delivered on a queue of the load.
  public override func startLoading() {
    delivery.begin(self)
    let started: any RunningHop
    if let ticket = task?.taskDescription.flatMap(LoadTicket.take) {
      started = begin(ticket)
    } else {
      do throws(LoadError) {
        started = try beginWithRedirects()
      } catch {
        let failure = error.urlError(for: request.url)
        return DispatchQueue.global().async { [delivery] in delivery.fail(failure) }
      }
    }
    let isStopped = load.withLock { load in
      if case .stopped = load { return true }
      load = .running(started)
      return false
    }
    if isStopped { started.cancel() }
  }

  /// Starts one request for a session of the cache's own, which follows redirects itself.
  private func begin(_ ticket: LoadTicket) -> any RunningHop {
    ticket.cache.load(
      ticket.hop, acknowledgesManually: true, isHere: true, willStart: ticket.didStart
    ) { [delivery] event in
      ticket.note(event)
      switch event {
      case .response(let answer):
        // The ticket carries the full head, so URLSession need not parse the fields again.
        delivery.respond(ResponseHead(status: answer.response.status), from: nil)
      case .data(let chunk): delivery.hand(Data(chunk))
      case .finished: delivery.finish()
      case .failed(let error): delivery.fail(error)
      case .refreshed, .checked: break
      }
    }
  }

  /// Starts a load for a session of the application.
  private func beginWithRedirects() throws(LoadError) -> any RunningHop {
    guard let binding = type(of: self).binding else { throw type(of: self).reasonWithoutBinding }
    guard let cache = binding.cache else { throw .closed }
    guard var asked = WebRequest(request) else {
      throw .transport(TransportFailure(.badURL, "not a URL: \(request.url?.absoluteString ?? "")"))
    }
    if asked.body.isEmpty, let upload = task as? URLSessionUploadTask {
      asked.body = try UploadedContent.of(upload)
    }
    for line in binding.fields.lines where asked.fields[line.name] == nil {
      asked.fields.append(line.name, line.value)
    }
    var options = request.cacheOptions ?? binding.options
    if request.cacheOptions == nil {
      options.follow(request.cachePolicy)
      options.follow(pause: request.timeoutInterval)
    }
    let url = request.url
    return cache.start(asked, options: options) { [delivery] event in
      switch event {
      case .redirected, .refreshed, .checked: break
      case .response(let answer, let source): delivery.respond(answer.response, from: source.url)
      case .data(let chunk): delivery.hand(Data(chunk))
      case .finished: delivery.finish()
      case .failed(let error): delivery.fail(error.urlError(for: url))
      }
    }
  }

  /// Stops the load; the client is not called afterwards.
  public override func stopLoading() {
    delivery.forget()
    let running = load.withLock { load in
      defer { load = .stopped }
      return load
    }
    if case .running(let load) = running { load.cancel() }
  }
}

/// The protocol of the cache's own sessions: it loads the request of a ticket, regardless of the
/// cache registered for the process and of the requests that this cache handles.
final class HopURLProtocol: CachingURLProtocol {
  override class var binding: CacheBinding? { nil }
}

/// The cache and the options of a protocol class.
final class CacheBinding: Sendable {
  /// The cache, which is not retained.
  weak let cache: HTTPCache?
  /// The identity of the cache while it exists.
  let id: ObjectIdentifier
  let options: LoadOptions
  /// The session's `httpAdditionalHeaders`.
  let fields: FieldLines

  init(_ cache: HTTPCache, _ options: LoadOptions, _ fields: FieldLines) {
    self.fields = fields
    self.cache = cache
    id = ObjectIdentifier(cache)
    self.options = options
  }
}

/// Calls the client of a protocol until the load is stopped.
///
/// It is `@unchecked Sendable` because the protocol is only accessed under the lock. Calling a
/// client after `stopLoading` is fatal, so both use the same lock.
private final class ClientDelivery: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private weak var loader: URLProtocol?

  func begin(_ loader: URLProtocol) {
    lock.withLock { self.loader = loader }
  }

  func forget() {
    lock.withLock { loader = nil }
  }

  /// Delivers the head of the response.
  /// - Parameters:
  ///   - response: The head.
  ///   - url: The URL of the response; nil for the URL of the request.
  func respond(_ response: ResponseHead, from url: URL?) {
    call { loader, client in
      var fields = response.fields
      #if canImport(FoundationNetworking)
        // URLSession on Linux would handle the challenge itself and then never complete.
        if response.status == 401 { fields["WWW-Authenticate"] = nil }
      #endif
      guard let url = url ?? loader.request.url,
        let head = HTTPURLResponse(
          url: url, statusCode: response.status, httpVersion: "HTTP/1.1",
          headerFields: fields.merged)
      else { return }
      client.urlProtocol(loader, didReceive: head, cacheStoragePolicy: .notAllowed)
    }
  }

  func hand(_ content: Data) {
    call { loader, client in client.urlProtocol(loader, didLoad: content) }
  }

  func finish() {
    call { loader, client in client.urlProtocolDidFinishLoading(loader) }
    forget()
  }

  func fail(_ error: any Error) {
    call { loader, client in client.urlProtocol(loader, didFailWithError: error) }
    forget()
  }

  private func call(_ body: (URLProtocol, any URLProtocolClient) -> Void) {
    lock.withLock {
      guard let loader, let client = loader.client else { return }
      body(loader, client)
    }
  }
}

extension FieldLines {
  /// The fields as a dictionary, in which lines with the same name, ignoring case, are joined.
  var merged: [String: String] {
    var names: [String: String] = [:]
    var merged: [String: String] = [:]
    for line in lines {
      let key = names[line.name.lowercased(), default: line.name]
      names[line.name.lowercased()] = key
      merged[key] = merged[key].map { "\($0), \(line.value)" } ?? line.value
    }
    return merged
  }
}
