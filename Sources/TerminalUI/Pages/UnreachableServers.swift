import OfflineCache
import Pages

/// The servers that the last requests could not reach, as reported by loads.
///
/// A page that is shown without contacting its server counts as a saved copy as long as its server
/// is known to be unreachable.
struct UnreachableServers: Sendable, Equatable {
  /// The maximum number of origins that are recorded.
  private static let maxOrigins = 256

  /// The failure of the last request if the device had no network; nil otherwise.
  private var offlineFailure: SavedReason?
  private var reasonsByOrigin: [String: SavedReason] = [:]

  /// Returns the reason why the server of a page cannot be reached; nil if it is not known to be
  /// unreachable.
  func reason(at url: DocumentAddress) -> SavedReason? {
    offlineFailure ?? url.parsedURL.flatMap { reasonsByOrigin[$0.origin] }
  }

  /// Records the outcome of a request.
  /// - Parameters:
  ///   - event: The report of the load.
  ///   - target: The requested URL.
  mutating func record(_ event: LoadEvent, of target: String) {
    switch event {
    case .loaded(let page), .newer(let page): record(page.provenance.source, of: page.url.text)
    case .checked(let provenance):
      guard let check = provenance.lastCheck else { return }
      record(check.failure.map { .saved($0) } ?? .network, of: target)
    case .failed(.unreachable(let url, let failure), _),
      .failed(.noResponse(let url, let failure), _):
      record(.saved(.failure(failure.kind)), of: url)
    case .failed(_, let explanation) where explanation.attachment != nil:
      record(explanation.provenance.source, of: explanation.url.text)
    case .progressed, .asking, .offered, .began, .failed: break
    }
  }

  private mutating func record(_ source: Provenance.Source, of url: String) {
    guard let origin = WebURL(url)?.origin else { return }
    switch source {
    case .network:
      offlineFailure = nil
      reasonsByOrigin[origin] = nil
    case .saved(.failure(let kind)) where kind.facts.isTransient:
      let reason = SavedReason.failure(kind)
      if kind.facts.reach == .noNetwork { offlineFailure = reason }
      if kind.facts.reach == .refused { offlineFailure = nil }
      if reasonsByOrigin.count >= Self.maxOrigins { reasonsByOrigin = [:] }
      reasonsByOrigin[origin] = reason
    default: break
    }
  }
}
