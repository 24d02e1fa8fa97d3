import Foundation

extension CacheLoad {
  /// Finds out on whose behalf the request is made, and gives it the cookies that go with it to
  /// `url`, where it is sent. Each hop of a redirect is a load of its own, so nothing crosses from
  /// one site to another.
  func identify(_ url: WebURL) {
    requester = cache.identify(&request, for: url)
  }

  /// Keeps what an answer of the server sets.
  func keepCookies(of response: HTTPResponse, at now: Date) {
    guard let url = target ?? WebURL(request.url) else { return }
    _ = cache.attemptCookies { wallet throws(ArchiveError) in
      try wallet.take(response, from: url, method: request.method, now: now)
    }
  }
}

extension HTTPCache {
  /// Gives a request the cookies for its URL, unless it has its own.
  /// - Returns: on whose behalf it is made.
  func identify(_ request: inout HTTPRequest, for url: WebURL) -> Requester {
    var requester = Requester(request)
    guard request.fields["Cookie"] == nil else { return requester }
    let selection = attemptCookies { wallet throws(ArchiveError) in
      try wallet.cookies(for: url, now: clock())
    }
    guard let selection = selection ?? nil else { return requester }
    request.fields["Cookie"] = selection.header
    requester.cookieOwner = selection.owner
    requester.sendsCookies = selection.header != nil
    return requester
  }
}
