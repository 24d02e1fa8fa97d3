/// The stored responses that a request makes invalid (RFC 9111 §4.4).
public enum Invalidation {
  /// Returns the URLs whose stored responses are invalid after a response.
  ///
  /// These are the URL of the request and those in `Location` and `Content-Location` that have the
  /// same origin. A cache removes the responses stored for them, or validates these before their
  /// next use.
  /// - Parameters:
  ///   - request: The request.
  ///   - response: The response.
  /// - Returns: The URLs; none if the method is safe or the response is an error.
  public static func urls(after request: WebRequest, _ response: ResponseHead) -> [WebURL] {
    guard !Storability.isSafe(request.method), (200..<400).contains(response.status) else {
      return []
    }
    let url = request.url
    let locations = ["Location", "Content-Location"].flatMap { response.fields.values(of: $0) }
      .compactMap { url.resolve($0) }.filter { $0.origin == url.origin }
    return ([url] + locations).map(\.withoutFragment)
  }
}
