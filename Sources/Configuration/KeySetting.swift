/// A line of `[keys]`: a command and its keys, or the preset. The user interface interprets it.
package struct KeySetting: Sendable, Equatable {
  /// The name of the command, or `preset`, as it is written in the file.
  package var name: String
  /// The keys; nil if the value is neither a string nor a list of strings.
  package var texts: [String]?
  /// The value, formatted for messages.
  package var valueText: String
  /// The file and line for messages: `config.toml:3`.
  package var location: String

  /// Creates a line of `[keys]`.
  package init(name: String, texts: [String]?, valueText: String, location: String) {
    self.name = name
    self.texts = texts
    self.valueText = valueText
    self.location = location
  }

  /// Returns a name without word separators and in lower case: `line-down`, `line_down` and
  /// `lineDown` are equal.
  package static func spelling(_ name: String) -> String { SettingTable.spelling(name) }
}
