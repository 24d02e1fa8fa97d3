import Configuration
import Document
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

  /// Returns the message for a theme that the settings name but that does not exist or has an
  /// error, which is among the messages of `themes` then; nil otherwise.
  package func missingTheme(in loaded: (themes: [Theme], mistakes: [String])) -> String? {
    let names = loaded.themes.map(\.name)
    guard let name = settings.theme, !names.contains(name) else { return nil }
    if let mistake = loaded.mistakes.first(where: { $0.hasPrefix("theme \(name).toml: ") }) {
      return mistake
    }
    let closest =
      ClosestWord.to(name, among: names) ?? names.first { $0.hasPrefix(name.prefix(4)) }
    let advice =
      closest.map { "did you mean \($0)?" }
      ?? (names.isEmpty
        ? "no themes are installed" : "the themes are \(names.joined(separator: ", "))")
    return SafeText.line("\(locations.config.path): there is no theme \(name); \(advice)")
  }
}
