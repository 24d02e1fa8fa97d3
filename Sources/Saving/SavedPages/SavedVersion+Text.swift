import Pages
import Reader
package import DOM
package import OfflineCache

/// Descriptions of versions for lists.
extension SavedVersion {
  /// The reason why a version may not be shown as the page; nil if it may be shown.
  package var distrustReason: String? {
    if isDamaged { return "damaged" }
    if isDeadEnd { return "its redirects lead to no page" }
    if let rejectionReason = response.rejectionReason { return rejectionReason.rawValue }
    return isGood ? nil : "status \(response.response.status)"
  }
}

extension StoredResponse.Check.Result {
  /// The result of a check as text.
  package var text: String {
    switch self {
    case .unchanged: "unchanged"
    case .replaced: "replaced"
    case .status(let status): "status \(status)"
    case .suspect(let rejectionReason): "not trusted, \(rejectionReason.rawValue)"
    case .failed(let failure): "failed, \(failure.text.banner)"
    }
  }
}

extension FreshnessTerm.LifetimeSource {
  /// The source of a version's freshness lifetime as text.
  package var text: String {
    switch self {
    case .rule: "by a rule of the settings"
    case .noCache: "the server requires a request before each use (no-cache)"
    case .maxAge: "by max-age of the server"
    case .expires: "by Expires of the server"
    case .heuristic: "estimated (10 % of its age): the server states no lifetime"
    case .unspecified: "not stated by the server"
    }
  }
}

extension EncodingEvidence {
  /// The evidence from which the encoding was determined, as text.
  package var text: String {
    switch self {
    case .byteOrderMark: "by its byte order mark"
    case .contentTypeHeader: "by Content-Type"
    case .documentDeclaration: "by its own declaration"
    case .content: "by its bytes"
    case .characterFrequency: "guessed from its characters"
    }
  }
}
