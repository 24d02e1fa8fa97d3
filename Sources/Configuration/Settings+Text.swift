extension Settings {
  /// The settings as the text of a settings file. Settings without a value are named in a comment
  /// below their table.
  package var text: String {
    var tableTexts: [String] = []
    for table in SettingTable.all {
      let writtenTables = table.tomlValues(self)
      let tableHeader = table.isRepeated ? "[[\(table.name)]]" : "[\(table.name)]"
      if writtenTables.isEmpty {
        tableTexts.append("# \(tableHeader) with \(table.keys.joined(separator: ", "))\n")
      }
      for members in writtenTables {
        let lines = members.compactMap { key, value in value.map { "\(key) = \($0)\n" } }
        let unsetKeys = table.isRepeated ? [] : members.filter { $0.value == nil }.map(\.key)
        let unsetKeysComment =
          unsetKeys.isEmpty ? "" : "# not set: \(unsetKeys.joined(separator: ", "))\n"
        tableTexts.append("\(tableHeader)\n" + lines.joined() + unsetKeysComment)
      }
    }
    return tableTexts.joined(separator: "\n")
  }
}
