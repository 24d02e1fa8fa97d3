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

  /// Returns a message if the theme in the settings does not exist or has an error; nil otherwise.
  /// The message about an error is one of the messages of `themes`.
  package func missingTheme(in loaded: (themes: [Theme], mistakes: [String])) -> String? {
    guard let name = settings.theme,
      let message = Theme.unknownNameMessage(name, among: loaded.themes.map(\.name))
    else { return nil }
    if let mistake = loaded.mistakes.first(where: { $0.hasPrefix("theme \(name).toml: ") }) {
      return mistake
    }
    return SafeText.line("\(settings.themeLocation ?? locations.config.path): \(message)")
  }
}

extension Theme {
  /// The name by which the user removes a choice. The theme of the settings then applies, or else
  /// the default theme for the background.
  static let automaticName = "auto"

  /// Returns a message if `name` is neither one of `names` nor the name for the default theme, with
  /// the most similar name; nil otherwise.
  static func unknownNameMessage(_ name: String, among names: [String]) -> String? {
    guard name != automaticName, !names.contains(name) else { return nil }
    let closest =
      ClosestWord.to(name, among: names) ?? names.first { $0.hasPrefix(name.prefix(4)) }
    let advice =
      closest.map { "did you mean \($0)?" }
      ?? (names.isEmpty
        ? "no themes are installed" : "the themes are \(names.joined(separator: ", "))")
    return SafeText.line("there is no theme \(name); \(advice)")
  }
}
