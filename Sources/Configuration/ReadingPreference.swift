import DOM
package import ReaderMode
import OfflineCache

/// How the pages of a site are read, by the settings.
package struct ReadingPreference: Sendable, Equatable {
  /// Hosts, with `*` and, if it matters, a port; of all sites when there are none.
  package var hosts: [String] = []
  /// The view in which a page opens, or nil for the whole page.
  package var view: View?
  /// Selectors of the content.
  package var keeps: [String] = []
  /// Selectors of what is no content.
  package var drops: [String] = []

  package init() {}

  /// The views by their names in the settings.
  package enum View: String, CaseIterable, Sendable {
    case page, reader
  }

  /// The view in which a page opens.
  package static func view(of url: String, _ preferences: [ReadingPreference]) -> View {
    preferences.first { $0.view != nil && $0.isFor(url) }?.view ?? .page
  }

  /// The view of a page.
  /// - Parameters:
  ///   - wanted: the view that was asked for, or nil.
  ///   - reader: how reader mode shows a page.
  ///   - url: the address of the page.
  ///   - preferences: what is set; of each kind the first that is for the page counts.
  /// - Returns: the view, with what the settings say of its content.
  package static func view(
    wanted: ReadingView?, reader: ReaderOptions, of url: String, _ preferences: [ReadingPreference]
  ) -> ReadingView {
    let own = preferences.filter { $0.isFor(url) }
    let opensInReader = self.view(of: url, own) == .reader
    var options: ReaderOptions
    switch wanted {
    case .page: return .page
    case .source: return .source
    case .reader(let chosen): options = chosen
    case nil where opensInReader: options = reader
    case nil: return .page
    }
    options.keeps = Self.selectors(own.first { !$0.keeps.isEmpty }?.keeps)
    options.drops = Self.selectors(own.first { !$0.drops.isEmpty }?.drops)
    return .reader(options)
  }

  private static func selectors(_ texts: [String]?) -> [ComplexSelector] {
    (texts ?? []).flatMap { ComplexSelector.list($0) ?? [] }
  }

  private func isFor(_ url: String) -> Bool {
    guard !hosts.isEmpty else { return true }
    guard let url = WebURL(url) else { return false }
    return hosts.contains { HostPattern.matches($0, url) }
  }
}
