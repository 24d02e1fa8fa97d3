import FlyingFox
import FlyingSocks
import Foundation
import HTTPCaching

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// `mirror ORIGIN` runs a shared cache for the server ORIGIN, on a port that it prints. The rules
/// are those of HTTPCaching, and the store is a dictionary.
@main
actor Mirror {
  struct Item {
    var entry: CacheEntry
    var content: Data
  }

  private let origin: WebURL
  private let session: URLSession
  private var items: [String: [Item]] = [:]

  init(of origin: WebURL) {
    self.origin = origin
    let configuration = URLSessionConfiguration.ephemeral
    (configuration.urlCache, configuration.httpCookieStorage) = (nil, nil)
    session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
  }

  static func main() async throws {
    guard let origin = CommandLine.arguments.dropFirst().first.flatMap(WebURL.init(_:)) else {
      FileHandle.standardError.write(Data("usage: mirror ORIGIN\n".utf8))
      exit(2)
    }
    let mirror = Mirror(of: origin)
    let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
    await server.appendRoute("*") { await mirror.response(to: $0) }
    let running = Task { try await server.run() }
    try await server.waitUntilListening()
    if case .ip4(_, let port)? = await server.listeningAddress { print(port) }
    fflush(nil)
    try await running.value
  }

  func response(to received: FlyingFox.HTTPRequest) async -> FlyingFox.HTTPResponse {
    guard let url = origin.resolve(received.target.rawValue), url.origin == origin.origin else {
      return HTTPResponse(statusCode: .badRequest)
    }
    let lines = received.headers.map { FieldLines.Field($0.key.rawValue, $0.value) }
    let fields = FieldLines(lines.filter { $0.name.lowercased() != "host" })
    let request = WebRequest(
      method: received.method.rawValue, url: url, fields: fields.withoutConnectionFields(),
      body: (try? await received.bodyData).map { [UInt8]($0) } ?? [])
    let stored = items[url.cacheKey] ?? []
    let entry = stored.map(\.entry).selected(by: request)
    let item = stored.first { $0.entry == entry }
    if let item, let reuse = entry?.reuse(for: request, now: .now), reuse != .validate {
      if reuse == .stale(refreshes: true) { Task { _ = try await load(request, item) } }
      return hit(item, request)
    }
    let isLocal = CacheControl(fields).contains("only-if-cached")
    let loaded =
      isLocal ? HTTPResponse(statusCode: .gatewayTimeout) : try? await load(request, item)
    if let item, (loaded?.statusCode.code ?? 500) >= 500,
      item.entry.isPermittedOnError(for: request, now: .now)
    {
      return hit(item, request)
    }
    return loaded ?? HTTPResponse(statusCode: .badGateway)
  }

  private func hit(_ item: Item, _ request: WebRequest) -> FlyingFox.HTTPResponse {
    let seconds = Int(item.entry.timeToLive(now: .now).rounded(.down))
    return replay(item, request, .hit(timeToLive: seconds))
  }

  /// Sends a request to the origin, and stores what may be stored.
  private func load(_ request: WebRequest, _ old: Item?) async throws -> FlyingFox.HTTPResponse {
    var plain = request
    if request.method == "GET" {
      // The whole response is requested; `replay` evaluates the client's range and conditions.
      for name in ["Range", "If-Range", "If-None-Match", "If-Modified-Since"] {
        plain.fields[name] = nil
      }
    }
    let sent = old?.entry.validation(of: plain) ?? plain
    let asked = Date.now
    let (head, content) = try await exchange(sent)
    let now = Date.now
    for url in Invalidation.urls(after: request, head) { items[url.cacheKey] = nil }
    var item = CacheEntry(
      plain, head, requestTime: asked, responseTime: now, length: Int64(content.count), in: .shared
    ).map { Item(entry: $0, content: content) }
    if let old, head.status == 304 || request.method == "HEAD" && head.status == 200 {
      let entry =
        old.entry.updated(by: head, to: sent, requestTime: asked, responseTime: now)
        ?? old.entry.updated(byHead: head, to: sent, requestTime: asked, responseTime: now)
      items[request.url.cacheKey]?.removeAll { $0.entry == old.entry }
      guard entry != nil || head.status == 200 else { return try await load(request, nil) }
      item = entry.map { Item(entry: $0, content: old.content) }
    }
    let status = CacheStatus.forwarded(
      old == nil ? .uriMiss : .stale, status: head.status,
      isStored: item != nil && head.status != 304)
    guard let item else {
      var passed = Storability.storedHead(of: head, in: .private)
      passed.fields.append("Cache-Status", status.text(by: "mirror"))
      return Self.message(passed, content)
    }
    items[request.url.cacheKey, default: []].removeAll { $0.entry.varying == item.entry.varying }
    if item.entry.isReusable { items[request.url.cacheKey, default: []].append(item) }
    return replay(item, request, status)
  }

  private func exchange(_ request: WebRequest) async throws -> (ResponseHead, Data) {
    var message = URLRequest(url: request.url.url ?? URL(fileURLWithPath: "/"))
    message.httpMethod = request.method
    if !request.body.isEmpty { message.httpBody = Data(request.body) }
    for line in request.fields.lines { message.addValue(line.value, forHTTPHeaderField: line.name) }
    let (content, response) = try await session.data(for: message)
    guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
    // The session has removed the content coding.
    let lines = response.allHeaderFields.map { FieldLines.Field("\($0.key)", "\($0.value)") }
      .filter { !["content-encoding", "content-length"].contains($0.name.lowercased()) }
    return (ResponseHead(status: response.statusCode, fields: FieldLines(lines)), content)
  }

  private func replay(_ item: Item, _ request: WebRequest, _ status: CacheStatus)
    -> FlyingFox.HTTPResponse
  {
    let replay = item.entry.replay(for: request, status: status, by: "mirror", now: .now)
    let bytes = replay.bytes.map { Int($0.lowerBound)..<Int($0.upperBound) } ?? 0..<0
    return Self.message(replay.head, item.content.subdata(in: bytes))
  }

  private static func message(_ head: ResponseHead, _ content: Data) -> FlyingFox.HTTPResponse {
    var headers = HTTPHeaders()
    for line in head.fields.lines { headers.addValue(line.value, for: HTTPHeader(line.name)) }
    return HTTPResponse(
      statusCode: HTTPStatusCode(head.status, phrase: head.reason), headers: headers, body: content)
  }
}

final class NoRedirects: NSObject, URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) { completionHandler(nil) }
}
