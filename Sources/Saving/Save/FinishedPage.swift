import Crawl
import Pages

/// A page whose loads have all ended.
struct FinishedPage {
  let entry: LinkFrontier.Entry
  var outcome: SaveOutcome
  /// The requirements for reading the page; nil if they need not be checked.
  var pageNeeds: PageNeeds?
  /// Whether a needed part failed for a reason that may be temporary.
  var mayRecover = false

  /// Sets in the outcome whether the page can be read, according to the saved copies of the page
  /// and its parts.
  /// - Parameters:
  ///   - readiness: whether the page can be read only in the rendering of a browser, and the reason
  ///     why it cannot be read, or nil.
  ///   - excusesUnchanged: whether an unchanged page is excused because an earlier run has reported
  ///     it.
  mutating func evaluate(
    _ readiness: (needsRendering: Bool, reason: Unreadiness?), excusesUnchanged: Bool
  ) {
    outcome.needsRendering = readiness.needsRendering
    outcome.unreadiness = readiness.reason
    guard let reason = readiness.reason else { return }
    outcome.lacksParts = reason.kind == .missingPart && mayRecover
    outcome.wasUnready = excusesUnchanged && outcome.result == .unchanged && !outcome.lacksParts
  }
}
