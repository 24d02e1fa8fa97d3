/// A response that is to be validated.
struct CandidateResponse: Sendable {
  /// The status and header fields.
  var response: ResponseHead
  /// The requested URL.
  var url: WebURL
  /// The first bytes of the content, at most `RejectionReason.examinedLength`.
  var beginning: [UInt8] = []
  /// The length of the whole content in bytes.
  var length: Int64 = 0
  /// Whether the response is the target of redirects from the URL whose page it would replace.
  var isRedirected = false
  /// Whether unrelated pages recently had the same content; see `ResponseHistory`.
  var isRepeated = false
  /// The scan of `beginning`, if the caller has already performed it.
  var traits: PageTraits?

  /// Returns the scan of `beginning`.
  func readTraits() -> PageTraits { traits ?? PageTraits(beginning) }

  /// Whether `beginning` is the whole content.
  var isWhole: Bool { length <= Int64(beginning.count) }

  /// The page to which this response refreshes after a short time, if it is a page with hardly any
  /// text and without a form; nil for any other response.
  var refreshTarget: WebURL? {
    guard isWhole, RejectionReason.isPage(response) || beginning.isEmpty else { return nil }
    let traits = readTraits()
    guard
      let refresh = response.refresh ?? traits.refresh,
      refresh.delay < RefreshDirective.shortDelay, traits.isRefreshFollowed, !traits.hasForm
    else { return nil }
    return refresh.target.isEmpty ? url : url.resolve(refresh.target)
  }
}
