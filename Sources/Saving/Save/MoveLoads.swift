import OfflineCache

/// The loads with which `SaverLoad` checks whether a page has moved to another site.
struct MoveLoads: Sendable {
  typealias Receive = @Sendable (NavigationEvent) -> Void

  let pages: MovedPages
  /// Loads the new URL without saving the response.
  let loadTarget: @Sendable (_ target: WebURL, _ receive: @escaping Receive) -> Navigation
  /// Loads the page again, trusting the redirect.
  let loadAccepted: @Sendable (_ receive: @escaping Receive) -> Navigation
  /// Marks versions that were saved under these URLs since the start of the load as untrusted.
  let distrust: @Sendable (_ urls: [WebURL]) -> Void
}
