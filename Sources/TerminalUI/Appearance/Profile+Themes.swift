import Configuration
import FoundationEssentials
package import Profiles
package import Terminal

extension Profile {
  /// The themes that ship with the program and those of the user, with a message for each invalid
  /// file.
  package var themes: (themes: [Theme], mistakes: [String]) {
    let own = locations.config.deletingLastPathComponent().appendingPathComponent("themes")
    let (themes, mistakes) = Theme.loadAll(in: (shared.map { [$0.themes] } ?? []) + [own])
    return (themes, mistakes.map(\.description))
  }
}
