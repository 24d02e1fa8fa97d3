import Foundation

/// The stored responses that a load may serve, including the fallback response, which is served if
/// the server sends no good response. This type performs no I/O.
struct StoredCopies: Sendable {
  /// The stored responses for the URL that are public or belong to the requester, newest first.
  var visible: [StoredResponse] = []
  /// Whether the responses in `visible` are for another spelling of the URL (see `KeySpelling`).
  /// Because the server may have another page for this spelling, such responses are only a
  /// fallback: they are neither fresh nor validated.
  var isOfOtherSpelling = false
  /// The responses in `visible`, classified by whether they match the request (RFC 9111 §4.1). Dead
  /// redirects are omitted if fallback is allowed.
  var variants = Variants<StoredResponse>()
  /// The fallback response: a copy of this URL, or else the page saved before the redirects.
  private(set) var fallback: StoredResponse?
  /// The page that was saved before the redirects to this URL, with the reason to serve the page
  /// without network access.
  private var redirectedPage: FallbackPage?

  /// Creates the state before the stored responses are looked up.
  /// - Parameter page: The page that was saved before the redirects to the URL; nil if there is
  ///   none or it may not be served.
  init(page: FallbackPage?) {
    redirectedPage = page
  }

  /// The page that was saved before the redirects to this URL. It is served if the target of the
  /// redirects may not replace it.
  var page: StoredResponse? { redirectedPage?.page }

  /// The reason to serve `page` without network access; nil if the network is used.
  var offlineReason: CopyReason? { redirectedPage?.reason }

  /// Whether a page shipped with the application is among the stored responses.
  var includesSeed: Bool { visible.contains(where: \.isSeed) }

  /// Whether this device has no stored response for the URL other than seeds.
  var isUnsaved: Bool { visible.allSatisfy(\.isSeed) }

  /// Selects the fallback response.
  mutating func selectFallback(for request: WebRequest, _ options: LoadOptions, at now: Date) {
    fallback =
      CachePolicy.fallbackCopy(request, stored: variants, options: options, now: now) ?? page
  }

  /// Selects the page that was saved before the redirects as the fallback response, without
  /// further comparisons with that page.
  /// - Returns: The page; nil if there is none.
  mutating func selectPage() -> StoredResponse? {
    guard let page else { return nil }
    (fallback, redirectedPage) = (page, nil)
    return page
  }

  /// Records the result of a check of the fallback response.
  mutating func record(_ check: StoredResponse.Check) { fallback?.lastCheck = check }

  /// Stops using the page that was saved before the redirects.
  mutating func discardPage() { redirectedPage = nil }

  /// Discards all stored responses, so that none is used for the following requests.
  mutating func discardAll() {
    (fallback, redirectedPage) = (nil, nil)
    variants = Variants<StoredResponse>()
  }

  /// Removes a response whose content cannot be read. The fallback response must be selected again.
  mutating func remove(_ response: StoredResponse) {
    visible.removeAll { $0.id == response.id }
    variants.matching.removeAll { $0.id == response.id }
    variants.others.removeAll { $0.id == response.id }
    variants.revalidatable.removeAll { $0.id == response.id }
    if page?.id == response.id { redirectedPage = nil }
  }
}
