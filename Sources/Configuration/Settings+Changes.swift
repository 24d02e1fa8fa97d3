package import Foundation
import OfflineCache

/// Settings that are changed while offread runs: one by its name, or those of a file that is read again.
extension Settings {
  /// The names of the settings that can be changed by their name: those of tables that are there once.
  package static var names: [String] {
    SettingTable.all.filter { !$0.isRepeated && $0.name != "keys" }.flatMap(\.keys)
  }

  /// Why a setting is not changed.
  package struct Mistake: Error, Equatable, CustomStringConvertible {
    package var text: String

    package init(text: String) { self.text = text }

    package var description: String { text }
  }

  /// The value of a setting as the file would have it.
  /// - Returns: nil when it has none.
  /// - Throws: `Mistake` when there is no such setting.
  package func value(of name: String) throws(Mistake) -> String? {
    let (table, key) = try Self.owner(of: name)
    return table.written(self).first?.first { $0.key == key }?.value
  }

  /// The settings with another value of one.
  /// - Parameters:
  ///   - name: its name, or `table.name`; its words may be joined in any way.
  ///   - text: the value as the file would have it; quotation marks may be left out.
  ///   - folder: where relative paths begin.
  /// - Returns: the settings.
  /// - Throws: `Mistake` when there is no such setting, or it does not take the value.
  package func setting(
    _ name: String, to text: String, folder: URL
  ) throws(Mistake) -> Settings {
    let (table, key) = try Self.owner(of: name)
    let parsed = try? TOMLSource.parse("value = \(text)")
    let values = [parsed.flatMap { SettingValue.members(of: $0)["value"] }, .text(text)]
    var mistake: String?
    for value in values.compactMap(\.self) {
      var changed = self
      var words: String?
      table.read(&changed, [key: value], SettingSource(folder: folder) { $0 }) { words = $1 }
      guard let words else { return changed }
      mistake = mistake ?? words
    }
    throw Mistake(text: mistake ?? "\(name) cannot be set")
  }

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
      throw Mistake(text: "\(owner.key) stands in a table \(form); :edit-settings changes those")
    }
    let closest = ClosestWord.to(last, among: names).map { "; did you mean \($0)?" }
    throw Mistake(text: "there is no setting \(name)\(closest ?? "")")
  }

  /// Takes over what differs between two settings, as far as it can change while offread runs: what the
  /// screen shows, the keys, and how pages are loaded.
  /// - Parameters:
  ///   - new: the settings that are to be in force.
  ///   - old: those that they replace; what both have alike stays as it is here, where the command line
  ///     may have changed it.
  /// - Returns: whether there are others, which count at the next start.
  package mutating func adopt(_ new: Settings, insteadOf old: Settings) -> Bool {
    var rest = old
    func take<Value: Equatable>(_ property: WritableKeyPath<Settings, Value>) {
      if new[keyPath: property] != old[keyPath: property] {
        self[keyPath: property] = new[keyPath: property]
      }
      rest[keyPath: property] = new[keyPath: property]
    }
    take(\.textWidth)
    take(\.theme)
    take(\.takesMouse)
    take(\.isLinear)
    take(\.coloursCode)
    take(\.images)
    take(\.isASCII)
    take(\.ambiguousWidth)
    take(\.keys)
    take(\.load.patience)
    take(\.load.connectTimeout)
    take(\.load.totalTimeout)
    take(\.load.firstByteTimeout)
    take(\.load.sizeLimit)
    take(\.load.renderLimit)
    take(\.load.respectsNoStore)
    take(\.load.respectsNoCache)
    return rest != new
  }
}
