import Foundation
import OfflineCache

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Passes a response to the client of a protocol until the load is stopped.
///
/// `@unchecked Sendable`: the protocol is only accessed under the lock. Calling a client after
/// `stopLoading` is fatal, so the calls of the client and `stopLoading` use the same lock.
final class ClientDelivery: @unchecked Sendable {
  /// A part of a response.
  private enum Part {
    case head(ResponseHead, url: URL?)
    case content([UInt8])
    case end((any Error)?)
  }

  private let lock = NSRecursiveLock()
  private weak var loader: URLProtocol?
  private var reception = ContentReception.inOnePiece
  /// The function that acknowledges content; nil until the load has started.
  private var acknowledge: (@Sendable (Int) -> Void)?
  /// The number of bytes that were processed before `acknowledge` was set.
  private var earlyProcessedByteCount = 0
  /// The parts received while the task is suspended; nil while the task runs. Their size is
  /// bounded, because unacknowledged content pauses the transfer.
  private var pendingParts: [Part]?
  /// The content so far, if it is delivered in one piece.
  private var collectedContent = Data()
  /// The number of bytes delivered to a delegate without a request for acknowledgement.
  private var unacknowledgedByteCount = 0
  /// The number of bytes after which acknowledgement is requested.
  private static let acknowledgementInterval = 1 << 18

  /// Sets the protocol and the way in which its client receives content.
  func begin(_ loader: URLProtocol, _ reception: ContentReception) {
    lock.withLock { (self.loader, self.reception) = (loader, reception) }
  }

  /// Sets the function that acknowledges content.
  func onAcknowledgement(_ acknowledge: @escaping @Sendable (Int) -> Void) {
    lock.withLock {
      self.acknowledge = acknowledge
      acknowledge(earlyProcessedByteCount)
    }
  }

  /// Stops the delivery for good.
  func stop() {
    lock.withLock { loader = nil }
  }

  /// Holds back the rest of the response until `resume`.
  func suspend() {
    lock.withLock { pendingParts = pendingParts ?? [] }
  }

  /// Delivers the events that were held back.
  func resume() {
    lock.withLock {
      let parts = pendingParts ?? []
      pendingParts = nil
      for part in parts { passToClient(part) }
    }
  }

  /// Delivers the head of the response.
  /// - Parameters:
  ///   - head: The head.
  ///   - url: The URL of the response; nil for the URL of the request.
  func respond(_ head: ResponseHead, from url: URL?) { deliver(.head(head, url: url)) }

  /// Delivers a piece of the content.
  func append(_ content: [UInt8]) { deliver(.content(content)) }

  /// Ends the response.
  func finish() { deliver(.end(nil)) }

  /// Ends the response with an error.
  func fail(_ error: any Error) { deliver(.end(error)) }

  private func deliver(_ part: Part) {
    lock.withLock {
      if pendingParts == nil { passToClient(part) } else { pendingParts?.append(part) }
    }
  }

  private func passToClient(_ part: Part) {
    guard let loader, let client = loader.client else { return }
    switch part {
    case .head(let head, let url):
      guard let response = Self.response(head, from: url ?? loader.request.url) else { return }
      client.urlProtocol(loader, didReceive: response, cacheStoragePolicy: .notAllowed)
    case .content(let bytes):
      switch reception {
      case .inOnePiece:
        collectedContent.append(contentsOf: bytes)
        acknowledged(bytes.count)
      case .inPieces(let queue):
        client.urlProtocol(loader, didLoad: Data(bytes))
        requestAcknowledgement(of: bytes.count, on: queue)
      }
    case .end(nil):
      if !collectedContent.isEmpty { client.urlProtocol(loader, didLoad: collectedContent) }
      collectedContent = Data()
      self.loader = nil
      client.urlProtocolDidFinishLoading(loader)
    case .end(let error?):
      collectedContent = Data()
      self.loader = nil
      client.urlProtocol(loader, didFailWithError: error)
    }
  }

  /// Acknowledges content after the delegate has received it. The delegate is called on a queue, so
  /// a block that is added to this queue now runs afterwards; one is added for every
  /// `acknowledgementInterval` bytes.
  private func requestAcknowledgement(of count: Int, on queue: OperationQueue?) {
    guard let queue else { return acknowledged(count) }
    unacknowledgedByteCount += count
    guard unacknowledgedByteCount >= Self.acknowledgementInterval else { return }
    let total = unacknowledgedByteCount
    unacknowledgedByteCount = 0
    queue.addBarrierBlock { self.acknowledged(total) }
  }

  private func acknowledged(_ count: Int) {
    lock.withLock {
      if let acknowledge { acknowledge(count) } else { earlyProcessedByteCount += count }
    }
  }

  private static func response(_ head: ResponseHead, from url: URL?) -> HTTPURLResponse? {
    var fields = head.fields
    #if canImport(FoundationNetworking)
      // URLSession on Linux would handle the challenge itself and then never complete.
      if head.status == 401 { fields["WWW-Authenticate"] = nil }
    #endif
    guard let url else { return nil }
    return HTTPURLResponse(
      url: url, statusCode: head.status, httpVersion: head.metrics?.protocolVersion ?? "HTTP/1.1",
      headerFields: fields.merged)
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
