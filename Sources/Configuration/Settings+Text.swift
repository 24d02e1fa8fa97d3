extension Settings {
  /// The settings as the text of a settings file. Settings without a value are named in a comment
  /// below their table.
  package var text: String {
    var parts: [String] = []
    for table in SettingTable.all {
      let written = table.written(self)
      let head = table.isRepeated ? "[[\(table.name)]]" : "[\(table.name)]"
      if written.isEmpty {
        parts.append("# \(head) with \(table.keys.joined(separator: ", "))\n")
      }
      for members in written {
        let lines = members.compactMap { key, value in value.map { "\(key) = \($0)\n" } }
        let unset = table.isRepeated ? [] : members.filter { $0.value == nil }.map(\.key)
        let rest = unset.isEmpty ? "" : "# not set: \(unset.joined(separator: ", "))\n"
        parts.append("\(head)\n" + lines.joined() + rest)
      }
    }
    return parts.joined(separator: "\n")
  }
}
