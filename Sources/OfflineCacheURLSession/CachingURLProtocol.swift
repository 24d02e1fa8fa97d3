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
/// Redirects are followed by the cache, since URLSession on Linux cannot take them from a protocol: the
/// session gets the answer that they lead to, under its URL, and its delegate is not asked. Use data tasks
/// with a delegate: on Linux the other kinds lose content.
///
/// A class that is put into `protocolClasses` or registered by hand loads through the cache that
/// `HTTPCache.register(options:)` names; without one every load fails and says so.
public class CachingURLProtocol: URLProtocol {
  private let delivery = ClientDelivery()
  private let load = Mutex(Loading.before)

  /// How far the load is; it may be stopped before it is known here.
  private enum Loading {
    case before
    case running(any RunningHop)
    case stopped
  }

  /// What the class belongs to; classes made by `install` override it.
  class var binding: CacheBinding? { BindingTable.shared.registered }

  /// Why there is no cache, where there is none.
  class var reasonWithoutBinding: LoadError {
    .transport(TransportFailure(.other, BindingTable.missing))
  }

  /// Whether the scheme of a request is one that the cache loads.
  public override class func canInit(with request: URLRequest) -> Bool {
    guard let scheme = request.url?.scheme?.lowercased() else { return false }
    // Without a cache, it is one of its own sessions', none is registered, or it is closed: nothing goes
    // another way.
    guard let configuration = binding?.cache?.configuration else { return true }
    guard let asked = WebRequest(head: request) else { return configuration.loads(scheme) }
    return configuration.loads(scheme) && configuration.handles(asked)
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

  /// One hop for a session of the cache's own, which follows redirects itself.
  private func begin(_ ticket: LoadTicket) -> any RunningHop {
    ticket.cache.load(
      ticket.hop, acknowledgesManually: true, isHere: true, willStart: ticket.didStart
    ) { [delivery] event in
      ticket.note(event)
      switch event {
      case .response(let answer):
        // Who has a ticket has the head by it; URLSession would only read every field once more.
        delivery.respond(ResponseHead(status: answer.response.status), from: nil)
      case .data(let chunk): delivery.hand(Data(chunk))
      case .finished: delivery.finish()
      case .failed(let error): delivery.fail(error)
      case .refreshed, .checked: break
      }
    }
  }

  /// What the session of an application asks for.
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

/// The protocol of the cache's own sessions: what a ticket says is loaded, whatever cache is registered for
/// the process and whatever that one leaves to others.
final class HopURLProtocol: CachingURLProtocol {
  override class var binding: CacheBinding? { nil }
}

/// Which cache, and with which options, a protocol class loads.
final class CacheBinding: Sendable {
  /// The cache; whoever made it keeps it.
  weak let cache: HTTPCache?
  /// Which one it is, as long as it is there.
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

  /// - Parameters:
  ///   - response: the head.
  ///   - url: what gave it; nil is what was asked.
  func respond(_ response: ResponseHead, from url: URL?) {
    call { loader, client in
      var fields = response.fields
      #if canImport(FoundationNetworking)
        // URLSession on Linux answers the challenge itself, and then never completes.
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
