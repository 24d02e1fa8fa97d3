import FlyingFox
import FlyingSocks
import Foundation
import OfflineCache

/// `proxy FOLDER ORIGIN` runs a caching proxy for the server ORIGIN, on a port that it prints. It
/// repeats the saved responses of ORIGIN while that is unreachable.
@main
enum Proxy {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 3, let origin = WebURL(words[2]), origin.isWeb else {
      FileHandle.standardError.write(Data("usage: proxy FOLDER ORIGIN\n".utf8))
      exit(2)
    }
    let cache = HTTPCache(folder: URL(fileURLWithPath: words[1]))
    let server = HTTPServer(address: .loopback(port: 0), logger: .disabled)
    await server.appendRoute("*") { request in
      await answer(request, of: origin, from: cache)
    }
    let running = Task { try await server.run() }
    try await server.waitUntilListening()
    switch await server.listeningAddress {
    case .ip4(_, let port), .ip6(_, let port): print(port)
    default: break
    }
    fflush(nil)
    try await running.value
  }

  private static func answer(
    _ request: FlyingFox.HTTPRequest, of origin: WebURL, from cache: HTTPCache
  ) async -> FlyingFox.HTTPResponse {
    guard let url = origin.resolve(request.target.rawValue), url.origin == origin.origin else {
      return HTTPResponse(statusCode: .badRequest)
    }
    // Saved responses are sent to every client, so credentials are not forwarded.
    let kept: Set = ["accept", "accept-language", "if-none-match", "if-modified-since", "range"]
    var fields = FieldLines()
    for (name, value) in request.headers where kept.contains(name.rawValue.lowercased()) {
      fields.append(name.rawValue, value)
    }
    let forwarded = WebRequest(
      method: request.method.rawValue, url: url, fields: fields,
      body: (try? await request.bodyData).map { [UInt8]($0) } ?? [])
    do throws(LoadError) {
      let loaded = try await cache.data(for: forwarded, maxRedirects: 0)
      return response(loaded)
    } catch {
      return HTTPResponse(statusCode: .badGateway, body: Data("\(error)\n".utf8))
    }
  }

  private static func response(_ loaded: LoadedContent) -> FlyingFox.HTTPResponse {
    let head = loaded.answer.response
    var headers = HTTPHeaders()
    // The content is decoded and complete.
    let dropped: Set = ["content-encoding", "content-length", "transfer-encoding", "connection"]
    for line in head.fields.lines where !dropped.contains(line.name.lowercased()) {
      headers.addValue(line.value, for: HTTPHeader(line.name))
    }
    return HTTPResponse(
      statusCode: HTTPStatusCode(head.status, phrase: head.reason), headers: headers,
      body: Data(loaded.bytes))
  }
}
