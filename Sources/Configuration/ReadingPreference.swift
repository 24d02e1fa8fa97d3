import DOM
package import ReaderMode
import OfflineCache

/// The settings for reading the pages of certain sites.
package struct ReadingPreference: Sendable, Equatable {
  /// Host patterns with `*` and optionally a port; empty for all sites.
  package var hosts: [String] = []
  /// The view in which a page opens; nil to leave that to the next preference that applies.
  package var view: View?
  /// CSS selectors of the content.
  package var contentSelectors: [String] = []
  /// CSS selectors of elements that are not content.
  package var removedSelectors: [String] = []

  package init() {}

  /// The views and their names in the settings. The raw values are also stored.
  package enum View: String, CaseIterable, Sendable {
    case page = "page"
    case reader = "reader"
  }

  /// Returns the view in which a page opens: that of the first preference that applies and has one,
  /// or else `page`.
  package static func view(of url: String, _ preferences: [ReadingPreference]) -> View {
    preferences.first { $0.view != nil && $0.isFor(url) }?.view ?? .page
  }

  /// Returns the view of a page with its options.
  /// - Parameters:
  ///   - wanted: The requested view; nil for the one in the preferences.
  ///   - reader: The options of reader view.
  ///   - url: The URL of the page.
  ///   - preferences: The settings. For each of `view`, `contentSelectors` and `removedSelectors`,
  ///     the first preference that applies to the page and sets it is used.
  /// - Returns: The view, including the content selectors from the settings.
  package static func view(
    wanted: PageViewMode?, reader: ReaderOptions, of url: String, _ preferences: [ReadingPreference]
  ) -> PageViewMode {
    let matchingPreferences = preferences.filter { $0.isFor(url) }
    let opensInReader = self.view(of: url, matchingPreferences) == .reader
    var options: ReaderOptions
    switch wanted {
    case .page: return .page
    case .source: return .source
    case .reader(let chosen): options = chosen
    case nil where opensInReader: options = reader
    case nil: return .page
    }
    options.contentSelectors = Self.selectors(
      matchingPreferences.first { !$0.contentSelectors.isEmpty }?.contentSelectors)
    options.removalSelectors = Self.selectors(
      matchingPreferences.first { !$0.removedSelectors.isEmpty }?.removedSelectors)
    return .reader(options)
  }

  private static func selectors(_ texts: [String]?) -> [ComplexSelector] {
    (texts ?? []).flatMap { ComplexSelector.parseList($0) ?? [] }
  }

  private func isFor(_ url: String) -> Bool {
    guard !hosts.isEmpty else { return true }
    guard let url = WebURL(url) else { return false }
    return hosts.contains { HostPattern.matches($0, url) }
  }
}
