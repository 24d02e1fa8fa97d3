package import Foundation
import OfflineCache

/// Changes of settings while offread runs: of a single setting by its name, or of all settings
/// after the file was edited.
extension Settings {
  /// The names of the settings that `setting(_:to:directory:)` can change. Repeated tables
  /// (`[[rewrite]]`) and `[keys]` are excluded.
  package static var names: [String] {
    SettingTable.all.filter { !$0.isRepeated && $0.name != "keys" }.flatMap(\.keys)
  }

  /// The reason why a setting was not changed, as a message.
  package struct Mistake: Error, Equatable, CustomStringConvertible {
    package var text: String

    package init(text: String) { self.text = text }

    package var description: String { text }
  }

  /// Returns the value of a setting in the syntax of the settings file.
  /// - Returns: The value; nil if the setting has none.
  /// - Throws: `Mistake` if there is no such setting.
  package func value(of name: String) throws(Mistake) -> String? {
    let (table, key) = try Self.owner(of: name)
    return table.tomlValues(self).first?.first { $0.key == key }?.value
  }

  /// Returns the keywords that are the valid values of a setting; empty if it has other values, or
  /// if there is no such setting.
  package static func keywords(of name: String) -> [String] {
    guard let (table, key) = try? owner(of: name), let index = table.keys.firstIndex(of: key) else {
      return []
    }
    return table.keywords[index]
  }

  /// Returns a copy of the settings with one value changed.
  /// - Parameters:
  ///   - name: The setting's name, or `table.name`; case and word separators are ignored.
  ///   - text: The value in the syntax of the settings file; a string may be unquoted.
  ///   - directory: The directory that relative paths are resolved against.
  /// - Returns: The changed settings.
  /// - Throws: `Mistake` if there is no such setting, or the value is not valid for it.
  package func setting(
    _ name: String, to text: String, directory: URL
  ) throws(Mistake) -> Settings {
    let (table, key) = try Self.owner(of: name)
    let parsed = try? TOMLSource.parse("value = \(text)")
    let values = [parsed.flatMap { SettingValue.members(of: $0)["value"] }, .text(text)]
    var mistake: String?
    for value in values.compactMap(\.self) {
      var changedSettings = self
      var content: String?
      table.applyTable(&changedSettings, [key: value], SettingSource(directory: directory) { $0 }) {
        content = $1
      }
      guard let content else { return changedSettings }
      mistake = mistake ?? content
    }
    throw Mistake(text: mistake ?? "\(name) cannot be set")
  }

  /// Returns the table and the key of a setting that can be changed by its name.
  /// - Throws: `Mistake` if there is no such setting, or if it can only be changed in the file.
  private static func owner(
    of name: String
  ) throws(Mistake) -> (table: SettingTable, key: String) {
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    let (head, last) = (parts.count > 1 ? parts[0] : nil, parts.last ?? "")
    let owners = SettingTable.all.flatMap { table in table.keys.map { (table: table, key: $0) } }
      .filter { owner in
        SettingTable.spelling(owner.key) == SettingTable.spelling(last)
          && head.map { SettingTable.spelling(owner.table.name) == SettingTable.spelling($0) }
            ?? true
      }
    if let owner = owners.first(where: { !$0.table.isRepeated && $0.table.name != "keys" }) {
      return owner
    }
    if let owner = owners.first {
      let form = owner.table.isRepeated ? "[[\(owner.table.name)]]" : "[\(owner.table.name)]"
      throw Mistake(text: "\(owner.key) is set in \(form); change it with :edit-settings")
    }
    let closest = ClosestWord.to(last, among: names).map { "; did you mean \($0)?" }
    throw Mistake(text: "there is no setting \(name)\(closest ?? "")")
  }

  /// Applies the differences between two versions of the settings that can take effect while
  /// offread runs: most display settings, images, keys, and the limits for loading pages.
  /// - Parameters:
  ///   - new: The new version.
  ///   - old: The version that it replaces. A value that is equal in both keeps its current value,
  ///     which the command line may have overridden.
  /// - Returns: Whether any other setting differs; it takes effect at the next start.
  package mutating func adopt(_ new: Settings, insteadOf old: Settings) -> Bool {
    var oldWithAppliedChanges = old
    func apply<Value: Equatable>(_ property: WritableKeyPath<Settings, Value>) {
      if new[keyPath: property] != old[keyPath: property] {
        self[keyPath: property] = new[keyPath: property]
      }
      oldWithAppliedChanges[keyPath: property] = new[keyPath: property]
    }
    apply(\.textWidth)
    apply(\.theme)
    apply(\.themeLocation)
    apply(\.usesMouse)
    apply(\.isLinear)
    apply(\.highlightsCode)
    apply(\.images)
    apply(\.isASCII)
    apply(\.ambiguousWidth)
    apply(\.keys)
    apply(\.load.fallbackDelay)
    apply(\.load.connectTimeout)
    apply(\.load.totalTimeout)
    apply(\.load.firstByteTimeout)
    apply(\.load.maxSize)
    apply(\.load.maxRenderedSize)
    apply(\.load.respectsNoStore)
    apply(\.load.respectsNoCache)
    return oldWithAppliedChanges != new
  }
}
