import Foundation

/// A table of the settings file: `[name]`, or `[[name]]` if it may be repeated.
struct SettingTable: Sendable {
  let name: String
  /// Whether the table may be repeated, as an array of tables.
  let isRepeated: Bool
  /// Whether the table affects what is requested, sent and stored. If the table has an error, only
  /// saved pages are shown.
  let isSafetyCritical: Bool
  /// The names of the settings in the table, in order.
  let keys: [String]
  /// The keywords of each setting in `keys`; empty for a setting with other values.
  let keywords: [[String]]
  /// Parses one table into the settings. Each error is passed to `report` with the key that causes
  /// it; nil if it concerns the whole table.
  let applyTable:
    @Sendable (
      inout Settings, [String: SettingValue], _ source: SettingSource,
      _ report: (String?, String) -> Void
    ) -> Void
  /// Returns the current values of the settings in the table, or in each table of the array; a
  /// value is nil if the setting has none.
  let tomlValues: @Sendable (Settings) -> [[(key: String, value: String?)]]
  /// Returns the files and directories in the last table of the array, by their keys; empty if the
  /// table is not repeated.
  let files: @Sendable (Settings) -> [(key: String, file: URL)]

  /// Creates a table that is not repeated.
  /// - Parameters:
  ///   - name: The name.
  ///   - property: The property in which the values are stored.
  ///   - isSafetyCritical: Whether an error in the table restricts offread to saved pages.
  ///   - located: A setting whose file and line are stored, because its value is validated later,
  ///     and the property for them; nil if there is none.
  ///   - keys: The settings.
  init<Subject>(
    _ name: String, _ property: any WritableKeyPath<Settings, Subject> & Sendable,
    isSafetyCritical: Bool = false,
    located: (key: String, property: any WritableKeyPath<Settings, String?> & Sendable)? = nil,
    _ keys: [SettingKey<Subject>]
  ) {
    self.name = name
    isRepeated = false
    self.isSafetyCritical = isSafetyCritical
    self.keys = keys.map(\.name)
    keywords = keys.map(\.keywords)
    applyTable = { settings, members, source, report in
      Self.read(
        members, of: "[\(name)]", keys, into: &settings[keyPath: property], source.directory, report
      )
      if let located,
        let writtenName = members.keys.first(where: {
          Self.spelling($0) == Self.spelling(located.key)
        })
      {
        settings[keyPath: located.property] = source.location(writtenName)
      }
    }
    tomlValues = { settings in
      let subject = settings[keyPath: property]
      return [keys.map { ($0.name, $0.tomlValue(subject)) }]
    }
    files = { _ in [] }
  }

  /// Creates an array of tables.
  /// - Parameters:
  ///   - name: The name.
  ///   - property: The property in which the values are stored.
  ///   - isSafetyCritical: Whether an error in one restricts offread to saved pages.
  ///   - empty: Returns the initial value.
  ///   - check: Validates a complete value; returns an error with the key that causes it, or nil if
  ///     the value is valid.
  ///   - alternatives: The names of mutually exclusive settings.
  ///   - keys: The settings.
  init<Subject>(
    each name: String, _ property: any WritableKeyPath<Settings, [Subject]> & Sendable,
    isSafetyCritical: Bool = false, empty: @escaping @Sendable () -> Subject,
    check: @escaping @Sendable (Subject) -> (key: String?, message: String)?,
    alternatives: [String] = [], _ keys: [SettingKey<Subject>]
  ) {
    self.name = name
    isRepeated = true
    self.isSafetyCritical = isSafetyCritical
    self.keys = keys.map(\.name)
    keywords = keys.map(\.keywords)
    applyTable = { settings, members, source, report in
      var subject = empty()
      guard Self.read(members, of: "[[\(name)]]", keys, into: &subject, source.directory, report)
      else { return }
      let chosenAlternatives = alternatives.filter { name in
        members.keys.contains { Self.spelling($0) == Self.spelling(name) }
      }
      guard chosenAlternatives.count <= 1 else {
        let alternativesText = chosenAlternatives.joined(separator: " and ")
        return report(
          chosenAlternatives[1],
          "\(alternativesText) cannot be used together: put each into its own [[\(name)]] table")
      }
      if let mistake = check(subject) { return report(mistake.key, mistake.message) }
      settings[keyPath: property].append(subject)
    }
    tomlValues = { settings in
      settings[keyPath: property].map { subject in keys.map { ($0.name, $0.tomlValue(subject)) } }
    }
    files = { settings in
      guard let subject = settings[keyPath: property].last else { return [] }
      return keys.compactMap { key in key.file(subject).map { (key.name, $0) } }
    }
  }

  /// Creates the table of keys. Any name is accepted here, because the user interface interprets
  /// them, and an error in them does not restrict offread to saved pages.
  init(names name: String, _ property: any WritableKeyPath<Settings, [KeySetting]> & Sendable) {
    self.name = name
    isRepeated = false
    isSafetyCritical = false
    (keys, keywords) = (["preset"], [[]])
    applyTable = { settings, members, source, _ in
      settings[keyPath: property] = members.sorted { $0.key < $1.key }.map { name, value in
        KeySetting(
          name: name, texts: value.texts, valueText: value.messageText,
          location: source.location(name))
      }
    }
    tomlValues = { settings in
      let entries = settings[keyPath: property].filter { $0.texts != nil }
      guard !entries.isEmpty else { return [] }
      return [
        entries.map { entry in
          let texts = entry.texts ?? []
          return (
            TOMLText.key(entry.name),
            texts.count == 1 ? TOMLText.quoted(texts[0]) : TOMLText.list(texts)
          )
        }
      ]
    }
    files = { _ in [] }
  }

  @discardableResult
  private static func read<Subject>(
    _ members: [String: SettingValue], of table: String, _ keys: [SettingKey<Subject>],
    into subject: inout Subject, _ directory: URL, _ report: (String?, String) -> Void
  ) -> Bool {
    var isRight = true
    var writtenNames: [String: String] = [:]
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if let key = keys.first(where: { spelling($0.name) == spelling(name) }) {
        if let other = writtenNames.updateValue(name, forKey: key.name) {
          report(name, "\(name) and \(other) are the same setting")
          isRight = false
        }
        guard !key.applyValue(&subject, value, directory) else { continue }
        let refused = key.invalidPart(value, for: subject, directory)
        report(name, "\(key.name) takes \(key.validValues), not \(refused)")
      } else {
        let closest = ClosestWord.to(name, among: keys.map(\.name))
        let advice = closest.map { "; did you mean \($0)?" } ?? ""
        report(name, "\(table) has no setting \(name)\(advice)")
      }
      isRight = false
    }
    return isRight
  }

  /// Returns a name without word separators and in lower case: `max_age`, `max-age` and `maxAge`
  /// are equal.
  static func spelling(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" }
  }
}
