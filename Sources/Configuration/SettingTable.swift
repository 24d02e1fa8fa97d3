import Foundation

/// Where a table of the settings file stands.
struct SettingSource {
  /// The folder of the file, where relative paths begin.
  let folder: URL
  /// The file and the line of a key, for messages.
  let place: (String) -> String
}

/// A table of the settings file: `[name]`, or `[[name]]` when there may be several.
struct SettingTable: Sendable {
  /// The name.
  let name: String
  /// Whether it is one of an array of tables.
  let isRepeated: Bool
  /// Whether it says what is asked, sent and stored, so that with a mistake in it nothing is.
  let isGuarded: Bool
  /// The names of its settings, in order.
  let keys: [String]
  /// Reads one table into the settings; what is wrong goes to the last argument, with the key.
  let read:
    @Sendable (
      inout Settings, [String: SettingValue], _ source: SettingSource,
      _ report: (String?, String) -> Void
    ) -> Void
  /// The present values of every such table, nil for a setting that has none.
  let written: @Sendable (Settings) -> [[(key: String, value: String?)]]
  /// The files and folders that the last of several such tables names.
  let files: @Sendable (Settings) -> [(key: String, file: URL)]

  /// A table that is there once.
  init<Subject>(
    _ name: String, _ property: any WritableKeyPath<Settings, Subject> & Sendable,
    isGuarded: Bool = false, _ keys: [SettingKey<Subject>]
  ) {
    self.name = name
    isRepeated = false
    self.isGuarded = isGuarded
    self.keys = keys.map(\.name)
    read = { settings, members, source, report in
      Self.read(
        members, of: "[\(name)]", keys, into: &settings[keyPath: property], source.folder, report)
    }
    written = { settings in
      let subject = settings[keyPath: property]
      return [keys.map { ($0.name, $0.written(subject)) }]
    }
    files = { _ in [] }
  }

  /// A table that may be there several times.
  /// - Parameters:
  ///   - name: the name.
  ///   - property: where they are kept.
  ///   - isGuarded: whether with a mistake in one nothing is asked, sent or stored.
  ///   - empty: what each begins as.
  ///   - check: what is wrong with one as a whole, with the key to blame, or nil.
  ///   - alternatives: names of settings of which one excludes the others.
  ///   - keys: the settings.
  init<Subject>(
    each name: String, _ property: any WritableKeyPath<Settings, [Subject]> & Sendable,
    isGuarded: Bool = false, empty: @escaping @Sendable () -> Subject,
    check: @escaping @Sendable (Subject) -> (key: String?, words: String)?,
    alternatives: [String] = [], _ keys: [SettingKey<Subject>]
  ) {
    self.name = name
    isRepeated = true
    self.isGuarded = isGuarded
    self.keys = keys.map(\.name)
    read = { settings, members, source, report in
      var subject = empty()
      guard Self.read(members, of: "[[\(name)]]", keys, into: &subject, source.folder, report)
      else { return }
      let chosen = alternatives.filter { name in
        members.keys.contains { Self.spelling($0) == Self.spelling(name) }
      }
      guard chosen.count <= 1 else {
        let words = chosen.joined(separator: " and ")
        return report(chosen[1], "\(words) exclude each other: write two [[\(name)]]")
      }
      if let mistake = check(subject) { return report(mistake.key, mistake.words) }
      settings[keyPath: property].append(subject)
    }
    written = { settings in
      settings[keyPath: property].map { subject in keys.map { ($0.name, $0.written(subject)) } }
    }
    files = { settings in
      guard let subject = settings[keyPath: property].last else { return [] }
      return keys.compactMap { key in key.file(subject).map { (key.name, $0) } }
    }
  }

  /// The table of keys, which anyone may name: what they mean is known to the screen alone, and a
  /// mistake in them keeps nobody from reading.
  init(names name: String, _ property: any WritableKeyPath<Settings, [KeySetting]> & Sendable) {
    self.name = name
    isRepeated = false
    isGuarded = false
    keys = ["preset"]
    read = { settings, members, source, _ in
      settings[keyPath: property] = members.sorted { $0.key < $1.key }.map { name, value in
        KeySetting(
          name: name, texts: value.texts, shown: value.shown, place: source.place(name))
      }
    }
    written = { settings in
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
    into subject: inout Subject, _ folder: URL, _ report: (String?, String) -> Void
  ) -> Bool {
    var isRight = true
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if let key = keys.first(where: { spelling($0.name) == spelling(name) }) {
        guard !key.read(&subject, value, folder) else { continue }
        let refused = key.refused(value, for: subject, folder)
        report(name, "\(key.name) takes \(key.takes), not \(refused)")
      } else {
        let closest = ClosestWord.to(name, among: keys.map(\.name))
        let advice = closest.map { "; did you mean \($0)?" } ?? ""
        report(name, "\(table) has no setting \(name)\(advice)")
      }
      isRight = false
    }
    return isRight
  }

  /// Names are the same however their words are joined: `max_age`, `max-age`, `maxAge`.
  static func spelling(_ name: String) -> String {
    name.lowercased().filter { $0 != "_" && $0 != "-" }
  }
}
