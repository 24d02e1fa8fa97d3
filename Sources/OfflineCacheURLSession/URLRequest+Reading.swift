import OfflineCache

#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
#else
  import Foundation
#endif

extension WebRequest {
  /// The request that an application gave to its URLSession.
  init?(_ request: URLRequest) {
    self.init(head: request)
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

  /// The same without the content.
  init?(head request: URLRequest) {
    guard let url = request.url.flatMap({ WebURL($0) }) else { return nil }
    self.init(method: request.httpMethod ?? "GET", url: url)
    for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key })
    where !FieldLines.matches(name, OptionsTable.fieldName) {
      fields.append(name, value)
    }
  }
}

extension LoadOptions {
  /// Takes over what a request, or the configuration of a session, says of caches.
  mutating func follow(_ policy: URLRequest.CachePolicy) {
    switch policy {
    case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData:
      mode = .networkOnly
    case .reloadRevalidatingCacheData: isReload = true
    case .returnCacheDataElseLoad: mode = .cacheFirst
    case .returnCacheDataDontLoad: mode = .cacheOnly
    default: break
    }
  }
  /// Takes over the time limits that a request or a session sets; the system's own are none.
  /// - Parameters:
  ///   - pause: how long nothing may come, in seconds.
  ///   - total: how long it may take, in seconds.
  mutating func follow(pause: TimeInterval, total: TimeInterval = SessionDefaults.total) {
    if pause != SessionDefaults.pause {
      (connectTimeout, firstByteTimeout, stallTimeout) = (min(connectTimeout, pause), pause, pause)
    }
    if total != SessionDefaults.total { totalTimeout = total }
  }
}

/// What the system gives who says nothing.
enum SessionDefaults {
  /// `timeoutIntervalForRequest` and the `timeoutInterval` of a request, in seconds.
  static let pause: TimeInterval = 60
  /// `timeoutIntervalForResource`, in seconds.
  static let total: TimeInterval = 604_800
  /// `httpMaximumConnectionsPerHost`.
  static let connectionsPerHost = 6
}
