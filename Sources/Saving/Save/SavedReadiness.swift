import OfflineCache
package import Pages
package import Profiles

/// Determines whether saved pages can be read offline.
package enum SavedReadiness {
  /// Returns the reason why a saved page cannot be read, according to the saved copies of the page
  /// and its parts.
  /// - Returns: the reason; nil if the page can be read, or is not saved at all.
  package static func unreadiness(of url: String, in profile: Profile) -> Unreadiness? {
    guard let url = WebURL(url) else { return nil }
    let saved = SavedCopies(profile.cache, maxPageLength: LoadOptions().maxRenderedSize)
    return saved.pageNeeds(of: url)?.unreadiness(of: url, part: saved.pageNeeds)
  }
}
