package import Foundation

/// Until when a saved version may be used without asking the server, and who says so: for a person who
/// wants to know.
package struct FreshnessTerm: Sendable, Equatable {
  /// When it ends or has ended.
  package var end: Date
  /// Who says so.
  package var ground: Ground

  /// What the lifetime of a response is from (RFC 9111 §4.2.1).
  package enum Ground: Sendable, Equatable, CaseIterable {
    /// A rule of the settings.
    case rule
    /// `Cache-Control: no-cache`: it is never used without asking.
    case noCache
    /// `Cache-Control: max-age`.
    case maxAge
    /// `Expires`.
    case expires
    /// A tenth of the time since `Last-Modified`.
    case heuristic
    /// Nothing: it is stale from the beginning.
    case unsaid
  }

  /// Judges a saved version.
  /// - Parameters:
  ///   - stored: the version.
  ///   - now: the time.
  package init(of stored: StoredResponse, now: Date) {
    let freshness = Freshness(of: stored, now: now)
    end = now.addingTimeInterval(freshness.lifetime - freshness.age)
    let control = CacheControl(stored.response.fields)
    if stored.ruledLifetime != nil {
      ground = .rule
    } else if control.containsUnqualified("no-cache") {
      ground = .noCache
    } else if control.seconds("max-age") != nil {
      ground = .maxAge
    } else if freshness.isExplicit {
      ground = .expires
    } else {
      ground = freshness.lifetime > 0 ? .heuristic : .unsaid
    }
  }
}
