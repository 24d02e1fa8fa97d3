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
/// Redirects come as ordinary responses, since URLSession on Linux cannot take them from a
/// protocol; `HTTPCache.startInSession` follows them. Use data tasks with a delegate: on Linux the other
/// kinds lose content.
public class CachingURLProtocol: URLProtocol {
  private let delivery = ClientDelivery()
  private let load = Mutex(Loading.before)

  /// How far the load is; it may be stopped before it is known here.
  private enum Loading {
    case before
    case running(CacheLoad)
    case stopped
  }

  /// What the class belongs to; classes made by `install` override it.
  class var binding: CacheBinding? { nil }

  /// Whether the scheme of a request is one that the cache loads.
  public override class func canInit(with request: URLRequest) -> Bool {
    guard let scheme = request.url?.scheme?.lowercased() else { return false }
    // Without a cache, it is one of its own sessions', or closed: nothing goes another way.
    return binding?.cache?.configuration.loads(scheme) ?? true
  }

  /// Whether the scheme of a task's request is one that the cache loads.
  public override class func canInit(with task: URLSessionTask) -> Bool {
    task.currentRequest.map { canInit(with: $0) } ?? false
  }

  /// The request as it is: normal forms are the cache's business.
  public override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  /// Whether two requests ask for the same thing.
  public override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool {
    a.httpMethod == b.httpMethod && a.url == b.url
  }

  /// Starts the load; everything that follows happens on a queue of the load.
  public override func startLoading() {
    delivery.begin(self)
    let ticket = task?.taskDescription.flatMap(LoadTicket.take)
    guard let (cache, hop) = what(ticket) else {
      let error = LoadError.transport(TransportFailure(.cancelled, "the cache is closed"))
      return DispatchQueue.global().async { [delivery] in delivery.fail(error) }
    }
    let delivery = delivery
    let started = cache.load(
      hop, acknowledgesManually: ticket != nil, isHere: ticket != nil, willStart: ticket?.didStart
    ) { event in
      ticket?.note(event)
      switch event {
      case .response(let answer):
        // Who has a ticket has the head by it; URLSession would only read every field once more.
        let head = answer.response
        delivery.respond(ticket == nil ? head : ResponseHead(status: head.status))
      case .data(let chunk): delivery.hand(Data(chunk))
      case .finished: delivery.finish()
      case .failed(let error): delivery.fail(error)
      case .refreshed, .checked: break
      }
    }
    let isStopped = load.withLock { load in
      if case .stopped = load { return true }
      load = .running(started)
      return false
    }
    if isStopped { started.cancel() }
  }

  /// What is asked of which cache: what a ticket says, or what the session was told.
  private func what(_ ticket: LoadTicket?) -> (HTTPCache, Hop)? {
    if let ticket { return (ticket.cache, ticket.hop) }
    guard let binding = type(of: self).binding, let cache = binding.cache else { return nil }
    let options = request.cacheOptions ?? binding.options
    return (cache, Hop(request: WebRequest(request), options: options))
  }

  /// Ends the load; the client is never called again.
  public override func stopLoading() {
    delivery.forget()
    let running = load.withLock { load in
      defer { load = .stopped }
      return load
    }
    if case .running(let load) = running { load.cancel() }
  }
}

/// Which cache, and with which options, a protocol class loads.
final class CacheBinding: Sendable {
  /// The cache; whoever made it keeps it.
  weak let cache: HTTPCache?
  /// Which one it is, as long as it is there.
  let id: ObjectIdentifier
  let options: LoadOptions

  init(_ cache: HTTPCache, _ options: LoadOptions) {
    self.cache = cache
    id = ObjectIdentifier(cache)
    self.options = options
  }
}

/// Calls the client of a protocol until the load is stopped.
///
/// Unchecked: the protocol is touched under the lock only. Calling a client after `stopLoading` is
/// fatal, so both happen under the same lock.
private final class ClientDelivery: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private weak var loader: URLProtocol?

  func begin(_ loader: URLProtocol) {
    lock.withLock { self.loader = loader }
  }

  func forget() {
    lock.withLock { loader = nil }
  }

  func respond(_ response: ResponseHead) {
    call { loader, client in
      var fields = response.fields
      #if canImport(FoundationNetworking)
        // URLSession on Linux answers the challenge itself, and then never completes.
        if response.status == 401 { fields["WWW-Authenticate"] = nil }
      #endif
      guard let url = loader.request.url,
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
  /// The fields as a dictionary: lines of one name in any spelling are joined.
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

extension WebRequest {
  /// The request that an application gave to its URLSession.
  init(_ request: URLRequest) {
    self.init(method: request.httpMethod ?? "GET", url: request.url?.absoluteString ?? "")
    for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key })
    where !FieldLines.matches(name, OptionsTable.fieldName) {
      fields.append(name, value)
    }
    if let content = request.httpBody {
      body = [UInt8](content)
    } else if let stream = request.httpBodyStream {
      stream.open()
      defer { stream.close() }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while case let count = stream.read(&buffer, maxLength: buffer.count), count > 0 {
        body += buffer[..<count]
      }
    }
  }
}
