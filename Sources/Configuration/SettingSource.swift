import Foundation

/// The settings file from which a table is read: its directory, and the lines of its keys.
struct SettingSource {
  /// The directory of the file, the base of relative paths.
  let directory: URL
  /// Returns the file and line of a key, for messages.
  let location: (String) -> String
}
