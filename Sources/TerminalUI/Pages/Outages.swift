import OfflineCache
import Reader

/// Where the last requests found no network, as far as loads have told: what is on the screen without
/// a question to its server is a saved copy as long as that one would not be reached.
struct Outages: Sendable, Equatable {
  /// The most sites that are remembered.
  private static let limit = 256

  /// Why the last request of all had no route to the network, or nil.
  private var severance: SavedReason?
  private var sites: [String: SavedReason] = [:]

  /// Why the server of a page would not be reached, or nil.
  func reason(at url: String) -> SavedReason? {
    severance ?? WebURL(url).flatMap { sites[$0.origin] }
  }

  /// Remembers what became of a request.
  /// - Parameters:
  ///   - event: what the load reports.
  ///   - target: what was asked for.
  mutating func note(_ event: LoadEvent, of target: String) {
    switch event {
    case .loaded(let page), .newer(let page): note(page.provenance.source, of: page.url)
    case .checked(let provenance):
      guard let check = provenance.lastCheck else { return }
      note(check.failure.map { .saved($0) } ?? .network, of: target)
    case .failed(.unreachable(let url, let failure), _),
      .failed(.unanswered(let url, let failure), _):
      note(.saved(.failure(failure.kind)), of: url)
    case .failed(_, let explanation) where explanation.attachment != nil:
      note(explanation.provenance.source, of: explanation.url)
    case .progressed, .asking, .offered, .began, .failed: break
    }
  }

  private mutating func note(_ source: Provenance.Source, of url: String) {
    guard let origin = WebURL(url)?.origin else { return }
    switch source {
    case .network:
      severance = nil
      sites[origin] = nil
    case .saved(.failure(let kind)) where kind.facts.mayPass:
      let reason = SavedReason.failure(kind)
      if kind.facts.reach == .noNetwork { severance = reason }
      if kind.facts.reach == .refused { severance = nil }
      if sites.count >= Self.limit { sites = [:] }
      sites[origin] = reason
    default: break
    }
  }
}
