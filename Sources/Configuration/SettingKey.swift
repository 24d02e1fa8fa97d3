import Foundation

/// A setting: its name, its valid values, and how it is parsed and written. The parser of the
/// settings file, `offread config --print` and the check of the manual page are all based on these
/// values.
struct SettingKey<Subject>: Sendable {
  /// The name in the file.
  let name: String
  /// A description of valid values for messages: "true or false".
  let validValues: String
  /// The keywords that are the valid values; empty if there are other values.
  private(set) var keywords: [String] = []
  /// Parses a value and stores it; the directory is the base of relative paths.
  /// - Returns: Whether the value is valid for the setting.
  let applyValue: @Sendable (inout Subject, SettingValue, URL) -> Bool
  /// Returns the current value as TOML; nil if the setting has no value.
  let tomlValue: @Sendable (Subject) -> String?
  /// Returns the file or directory that is the value of the setting; nil if it has no value, or is
  /// another kind of setting.
  var file: @Sendable (Subject) -> URL? = { _ in nil }

  /// Returns the invalid part of a value for a message: a single member if the value is a list or
  /// table with an invalid member, else the whole value.
  func invalidPart(_ value: SettingValue, for subject: Subject, _ directory: URL) -> String {
    let isValid = { (part: SettingValue) in
      var copy = subject
      return applyValue(&copy, part, directory)
    }
    switch value {
    case .list(let members):
      let location = members.firstIndex { member in
        if case .list = member { true } else { !isValid(member) }
      }
      guard let location else { return value.messageText }
      return members.count == 1
        ? members[location].messageText
        : "\(members[location].messageText), number \(location + 1) of the list"
    case .table(let members) where isValid(.table(["a": .text("a")])):
      let invalidMember = members.sorted { $0.key < $1.key }.first {
        !isValid(.table([$0.key: $0.value]))
      }
      return invalidMember.map { "\(TOMLText.quoted($0.key)) = \($0.value.messageText)" }
        ?? value.messageText
    default: return value.messageText
    }
  }
}

extension SettingKey {
  /// Creates a setting from functions that convert its value.
  /// - Parameters:
  ///   - name: The name in the file.
  ///   - validValues: A description of valid values, for messages.
  ///   - parse: Parses a value; returns nil if it is invalid.
  ///   - write: Writes the value as TOML.
  ///   - set: Stores a value.
  ///   - get: Returns the current value; nil if there is none.
  init<Value>(
    _ name: String, _ validValues: String, parse: @escaping @Sendable (SettingValue) -> Value?,
    write: @escaping @Sendable (Value) -> String,
    set: @escaping @Sendable (inout Subject, Value) -> Void,
    get: @escaping @Sendable (Subject) -> Value?
  ) {
    self.name = name
    self.validValues = validValues
    applyValue = { subject, value, _ in
      guard let value = parse(value) else { return false }
      set(&subject, value)
      return true
    }
    tomlValue = { get($0).map(write) }
  }

  /// Creates a setting for a property.
  private init<Value>(
    _ name: String, _ validValues: String,
    _ property: any WritableKeyPath<Subject, Value> & Sendable,
    parse: @escaping @Sendable (SettingValue) -> Value?,
    write: @escaping @Sendable (Value) -> String?
  ) {
    self.name = name
    self.validValues = validValues
    applyValue = { subject, value, _ in
      guard let value = parse(value) else { return false }
      subject[keyPath: property] = value
      return true
    }
    tomlValue = { write($0[keyPath: property]) }
  }

  /// Creates a setting for an optional property. A separate initializer is needed: with an optional
  /// `Value`, a result of nil from `parse` would be taken for a valid value.
  private init<Value>(
    _ name: String, _ validValues: String,
    optional property: any WritableKeyPath<Subject, Value?> & Sendable,
    parse: @escaping @Sendable (SettingValue) -> Value?,
    write: @escaping @Sendable (Value) -> String
  ) {
    self.name = name
    self.validValues = validValues
    applyValue = { subject, value, _ in
      guard let value = parse(value) else { return false }
      subject[keyPath: property] = value
      return true
    }
    tomlValue = { $0[keyPath: property].map(write) }
  }

  /// Creates a setting whose value is a Boolean.
  static func flag(
    _ name: String, _ property: any WritableKeyPath<Subject, Bool> & Sendable
  ) -> SettingKey {
    var key = SettingKey(name, "true or false", property, parse: flag, write: { String($0) })
    key.keywords = ["true", "false"]
    return key
  }

  /// Creates a setting whose value is a Boolean and may be unset.
  static func flag(
    _ name: String, _ property: any WritableKeyPath<Subject, Bool?> & Sendable
  ) -> SettingKey {
    var key = SettingKey(
      name, "true or false", optional: property, parse: flag, write: { String($0) })
    key.keywords = ["true", "false"]
    return key
  }

  /// Creates a setting whose value is one of several keywords.
  static func choice<Choice: RawRepresentable<String> & CaseIterable & Equatable & Sendable>(
    _ name: String, _ property: any WritableKeyPath<Subject, Choice> & Sendable
  ) -> SettingKey {
    let keywords = Choice.allCases.map(\.rawValue)
    var key = SettingKey(
      name, "one of " + keywords.joined(separator: ", "), property,
      parse: { value in
        if case .text(let text) = value { Choice(rawValue: text) } else { nil }
      }, write: { TOMLText.quoted($0.rawValue) })
    key.keywords = keywords
    return key
  }

  /// Creates a setting whose value is one of several keywords and may be unset.
  static func choice<Choice: RawRepresentable<String> & CaseIterable & Equatable & Sendable>(
    _ name: String, _ property: any WritableKeyPath<Subject, Choice?> & Sendable
  ) -> SettingKey {
    let keywords = Choice.allCases.map(\.rawValue)
    var key = SettingKey(
      name, "one of " + keywords.joined(separator: ", "), optional: property,
      parse: { value in
        if case .text(let text) = value { Choice(rawValue: text) } else { nil }
      }, write: { TOMLText.quoted($0.rawValue) })
    key.keywords = keywords
    return key
  }

  /// Creates a setting whose value is a string and may be unset.
  static func text(
    _ name: String, _ validValues: String,
    _ property: any WritableKeyPath<Subject, String?> & Sendable,
    where isValid: @escaping @Sendable (String) -> Bool = { !$0.isEmpty }
  ) -> SettingKey {
    SettingKey(
      name, validValues, optional: property,
      parse: { value in
        guard case .text(let text) = value, isValid(text) else { return nil }
        return text
      }, write: TOMLText.quoted)
  }

  /// Creates a setting whose value is a string or a list of strings; an unset value is an empty
  /// list.
  static func texts(
    _ name: String, _ validValues: String,
    _ property: any WritableKeyPath<Subject, [String]> & Sendable,
    where isValid: @escaping @Sendable (String) -> Bool = { !$0.isEmpty }
  ) -> SettingKey {
    SettingKey(
      name, validValues, property, parse: { texts($0, where: isValid) },
      write: { $0.isEmpty ? nil : TOMLText.list($0) })
  }

  /// Creates a setting whose value is a string or a list of strings and may be unset.
  static func texts(
    _ name: String, _ validValues: String,
    _ property: any WritableKeyPath<Subject, [String]?> & Sendable,
    where isValid: @escaping @Sendable (String) -> Bool = { !$0.isEmpty }
  ) -> SettingKey {
    SettingKey(
      name, validValues, optional: property, parse: { texts($0, where: isValid) },
      write: TOMLText.list)
  }

  /// Creates a setting whose value is a time in seconds within bounds.
  static func seconds(
    _ name: String, _ validValues: String, in bounds: ClosedRange<Double>,
    _ property: any WritableKeyPath<Subject, Double> & Sendable
  ) -> SettingKey {
    SettingKey(
      name, validValues, property, parse: { seconds($0, in: bounds) },
      write: { Units.text(seconds: $0) })
  }

  /// Creates a setting whose value is a time in seconds within bounds and may be unset.
  static func seconds(
    _ name: String, _ validValues: String, in bounds: ClosedRange<Double>,
    _ property: any WritableKeyPath<Subject, Double?> & Sendable
  ) -> SettingKey {
    SettingKey(
      name, validValues, optional: property, parse: { seconds($0, in: bounds) },
      write: { Units.text(seconds: $0) })
  }

  /// Creates a setting whose value is a file or directory: an absolute path, or one relative to the
  /// home directory (`~/`) or to the directory of the settings file.
  static func path(
    _ name: String, set: @escaping @Sendable (inout Subject, URL) -> Void,
    get: @escaping @Sendable (Subject) -> URL?
  ) -> SettingKey {
    SettingKey(
      name: name, validValues: "a path",
      applyValue: { subject, value, directory in
        guard case .text(let text) = value, let file = file(at: text, below: directory) else {
          return false
        }
        set(&subject, file)
        return true
      }, tomlValue: { get($0).map { TOMLText.quoted($0.path) } }, file: get)
  }

  /// Creates a setting whose value is one or more files or directories, with paths as for `path`.
  static func paths(
    _ name: String, _ property: any WritableKeyPath<Subject, [URL]> & Sendable
  ) -> SettingKey {
    SettingKey(
      name: name, validValues: "a path, or a list of paths",
      applyValue: { subject, value, directory in
        guard let texts = value.texts, !texts.isEmpty else { return false }
        let files = texts.compactMap { file(at: $0, below: directory) }
        guard files.count == texts.count else { return false }
        subject[keyPath: property] = files
        return true
      },
      tomlValue: { subject in
        let files = subject[keyPath: property]
        return files.isEmpty ? nil : TOMLText.list(files.map(\.path))
      })
  }

  private static func file(at path: String, below directory: URL) -> URL? {
    guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
    let isInHome = path == "~" || path.hasPrefix("~/")
    let path = isInHome ? (Locations.home() ?? "") + path.dropFirst() : path
    return URL(fileURLWithPath: path, relativeTo: directory).absoluteURL.standardizedFileURL
  }

  /// Creates a setting whose value is a size in bytes, at least 1 kB, because with less nothing
  /// could be loaded or stored.
  static func bytes(
    _ name: String, _ property: any WritableKeyPath<Subject, Int64> & Sendable
  ) -> SettingKey {
    SettingKey(
      name, byteValues, property, parse: bytes, write: { Units.text(bytes: $0) })
  }

  /// Creates a setting whose value is a size in bytes, at least 1 kB, and may be unset.
  static func bytes(
    _ name: String, _ property: any WritableKeyPath<Subject, Int64?> & Sendable
  ) -> SettingKey {
    SettingKey(
      name, byteValues, optional: property, parse: bytes, write: { Units.text(bytes: $0) })
  }

  private static var byteValues: String { "a size of at least 1 kB, such as \"100 MB\"" }

  private static func bytes(_ value: SettingValue) -> Int64? {
    Units.bytes(value).flatMap { $0 >= 1000 ? $0 : nil }
  }

  private static func seconds(_ value: SettingValue, in bounds: ClosedRange<Double>) -> Double? {
    Units.seconds(value).flatMap { bounds.contains($0) ? $0 : nil }
  }

  private static func flag(_ value: SettingValue) -> Bool? {
    if case .flag(let flag) = value { flag } else { nil }
  }

  private static func texts(
    _ value: SettingValue, where isValid: (String) -> Bool
  ) -> [String]? {
    value.texts.flatMap { texts in
      texts.isEmpty || !texts.allSatisfy(isValid) ? nil : texts
    }
  }
}
