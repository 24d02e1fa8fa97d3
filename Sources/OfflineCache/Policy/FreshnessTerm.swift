package import Foundation

/// The time until which a saved version is fresh, with the source of its lifetime, for display to
/// the user.
package struct FreshnessTerm: Sendable, Equatable {
  /// The time at which the version becomes or became stale.
  package var end: Date
  /// The source of the lifetime.
  package var source: LifetimeSource

  /// The source of the freshness lifetime of a response (RFC 9111 §4.2.1).
  package enum LifetimeSource: Sendable, Equatable, CaseIterable {
    /// A rule in the settings.
    case rule
    /// `Cache-Control: no-cache`: the response is never used without validation.
    case noCache
    /// `Cache-Control: max-age`.
    case maxAge
    /// `Expires`.
    case expires
    /// Heuristic freshness: a tenth of the time since `Last-Modified` (§4.2.2).
    case heuristic
    /// No source: the response is always stale.
    case unspecified
  }

  /// Determines the freshness of a saved version.
  /// - Parameters:
  ///   - stored: The version.
  ///   - now: The current time.
  package init(of stored: StoredResponse, now: Date) {
    let freshness = Freshness(of: stored, now: now)
    end = now.addingTimeInterval(freshness.lifetime - freshness.age)
    let control = CacheControl(stored.response.fields)
    if stored.lifetimeOverride != nil {
      source = .rule
    } else if control.containsUnqualified("no-cache") {
      source = .noCache
    } else if control.seconds("max-age") != nil {
      source = .maxAge
    } else if freshness.isExplicit {
      source = .expires
    } else {
      source = freshness.lifetime > 0 ? .heuristic : .unspecified
    }
  }
}
