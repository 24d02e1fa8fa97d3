import DOM
import Document
package import Foundation
package import OfflineCache

/// Conversions from the types of the cache.
extension Provenance {
  /// Creates the provenance of a response.
  /// - Parameters:
  ///   - response: the response whose content is shown.
  ///   - now: when the response was complete; the date of content from the network is derived from
  ///     it.
  package init(_ response: LoadedResponse, now: Date) {
    let source: Source =
      switch response.source {
      case .network, .validated: .network
      case .fresh: .fresh
      case .saved(let reason): .saved(SavedReason(reason))
      case .seed: .builtIn
      case .substituted: .substituted
      }
    let date: Date? =
      switch source {
      case .builtIn: nil
      case .substituted:
        response.response.fields["Last-Modified"].flatMap { HTTPDate.parse($0, now: now) }
      default:
        response.stored?.generationDate
          ?? now.addingTimeInterval(
            -Freshness.receivedAge(of: response.response, requestTime: now, responseTime: now))
      }
    self.init(
      source: source, contentDate: date,
      lastCheck: response.stored?.lastCheck.map(Check.init)
        ?? (source == .network ? Check(date: now) : nil),
      olderVersions: response.olderVersions,
      isFresh: response.isFresh && source.isCopy, importedFile: response.stored?.importedFile,
      archiveHost: response.stored?.sourceURI.flatMap { WebURL($0)?.host })
    differingFields = response.differingFields
  }
}

extension Provenance.Source {
  /// Whether the content is a saved response.
  fileprivate var isCopy: Bool {
    switch self {
    case .fresh, .saved: true
    case .network, .substituted, .builtIn, .file, .explanation: false
    }
  }
}

extension Provenance.Check {
  /// Converts the result of a check from the archive.
  package init(_ check: StoredResponse.Check) {
    let failure: SavedReason? =
      switch check.result {
      case .unchanged, .replaced: nil
      case .status(let status): SavedReason(status: status)
      case .suspect(let rejectionReason): SavedReason(rejectionReason)
      case .failed(let failure): .failure(failure.kind)
      }
    self.init(date: check.date, failure: failure)
  }
}

extension OtherScheme {
  /// Returns a notice that http was used although the user typed no scheme.
  /// - Parameter url: the URL of the page.
  /// - Returns: the notice; nil for a page over https.
  package func notice(for url: String) -> String? {
    guard url.hasScheme("http") else { return nil }
    guard let failure else {
      return "only the http version of this page is saved: \(SafeText.line(url))"
    }
    return "not encrypted: http was used because https failed (\(failure.text.banner))"
  }
}
