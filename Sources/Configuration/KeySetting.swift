/// A line of `[keys]`: a command and its keys, or the preset. What they mean is known to the screen.
package struct KeySetting: Sendable, Equatable {
  /// The name as written.
  package var name: String
  /// The keys, or nil when the value is neither a text nor a list of texts.
  package var texts: [String]?
  /// The value for messages.
  package var shown: String
  /// The file and the line for messages: `config.toml:3`.
  package var place: String

  /// Makes a line; see the members.
  package init(name: String, texts: [String]?, shown: String, place: String) {
    self.name = name
    self.texts = texts
    self.shown = shown
    self.place = place
  }

  /// A name without what joins its words: `line-down`, `line_down` and `lineDown` are one.
  package static func spelling(_ name: String) -> String { SettingTable.spelling(name) }
}
