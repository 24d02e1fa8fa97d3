import OfflineCache

#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking
#else
  import Foundation
#endif

extension WebRequest {
  /// Creates the request that an application passed to its URLSession; nil if it has no valid URL.
  /// - Parameters:
  ///   - request: The request.
  ///   - task: The task that loads it, which may have the content; nil if it is not known.
  /// - Throws: `transport` if the content of an upload task is not found.
  init?(_ request: URLRequest, of task: URLSessionTask?) throws(LoadError) {
    self.init(head: request)
    if let content = request.httpBody {
      body = [UInt8](content)
    } else if let stream = request.httpBodyStream {
      setStreams(TaskStreams(stream, of: task))
    }
    guard !hasBody, let upload = task as? URLSessionUploadTask else { return }
    switch try UploadedContent.of(upload) {
    case .bytes(let bytes): body = bytes
    case .file(let file): bodyFile = file
    case .streams: setStreams(TaskStreams(nil, of: task))
    }
  }

  private mutating func setStreams(_ streams: TaskStreams) {
    // A length that the application declares is sent, because some servers require one.
    let length = fields["Content-Length"].flatMap { Int64($0) }
    bodyStream = BodyStream(length: length, isRepeatable: streams.isRepeatable) {
      try await streams.next()
    }
  }

  /// Creates the request without its content; nil if it has no valid URL.
  init?(head request: URLRequest) {
    guard let url = request.url.flatMap({ WebURL($0) }) else { return nil }
    self.init(method: request.httpMethod ?? "GET", url: url)
    for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
      fields.append(name, value)
    }
  }
}

extension LoadOptions {
  /// Applies the cache policy of a request or of a session configuration; the default policy
  /// changes nothing.
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
  /// Applies the time limits of a request or a session. The system's defaults are ignored, and so
  /// are limits that are not positive, with which every load would fail.
  /// - Parameters:
  ///   - pause: The maximum time without data, in seconds.
  ///   - total: The maximum total time, in seconds.
  mutating func follow(pause: TimeInterval, total: TimeInterval = SessionDefaults.total) {
    if pause != SessionDefaults.pause, pause > 0 {
      (connectTimeout, firstByteTimeout, stallTimeout) = (min(connectTimeout, pause), pause, pause)
    }
    if total != SessionDefaults.total, total > 0 { totalTimeout = total }
  }
}
