import Foundation

/// A setting: its name, what it takes, and how it is read and written. The settings file's parser,
/// `offread config --print` and the check of the manual page all work from these.
struct SettingKey<Subject>: Sendable {
  /// The name in the file.
  let name: String
  /// What it takes, for messages: "true or false".
  let takes: String
  /// Reads a value of a file in a folder.
  /// - Returns: whether the value is one that the setting takes.
  let read: @Sendable (inout Subject, SettingValue, URL) -> Bool
  /// The present value as TOML writes it, nil when there is none.
  let written: @Sendable (Subject) -> String?
}

extension SettingKey {
  /// A setting for which a type of value exists.
  /// - Parameters:
  ///   - name: the name in the file.
  ///   - takes: what it takes, for messages.
  ///   - parse: reads a value, nil when it is none of this type.
  ///   - write: the value as TOML writes it.
  ///   - set: takes a value over.
  ///   - get: the present value.
  init<Value>(
    _ name: String, _ takes: String, parse: @escaping @Sendable (SettingValue) -> Value?,
    write: @escaping @Sendable (Value) -> String,
    set: @escaping @Sendable (inout Subject, Value) -> Void,
    get: @escaping @Sendable (Subject) -> Value?
  ) {
    self.name = name
    self.takes = takes
    read = { subject, value, _ in
      guard let value = parse(value) else { return false }
      set(&subject, value)
      return true
    }
    written = { get($0).map(write) }
  }

  /// A property with a value of a type.
  private init<Value>(
    _ name: String, _ takes: String,
    _ property: any WritableKeyPath<Subject, Value> & Sendable,
    parse: @escaping @Sendable (SettingValue) -> Value?,
    write: @escaping @Sendable (Value) -> String?
  ) {
    self.name = name
    self.takes = takes
    read = { subject, value, _ in
      guard let value = parse(value) else { return false }
      subject[keyPath: property] = value
      return true
    }
    written = { write($0[keyPath: property]) }
  }

  /// A property that may be without a value. Its own initialiser: as a value of an optional type,
  /// a nil of `parse` would pass for one that the setting takes.
  private init<Value>(
    _ name: String, _ takes: String,
    optional property: any WritableKeyPath<Subject, Value?> & Sendable,
    parse: @escaping @Sendable (SettingValue) -> Value?,
    write: @escaping @Sendable (Value) -> String
  ) {
    self.name = name
    self.takes = takes
    read = { subject, value, _ in
      guard let value = parse(value) else { return false }
      subject[keyPath: property] = value
      return true
    }
    written = { $0[keyPath: property].map(write) }
  }

  /// True or false.
  static func flag(
    _ name: String, _ property: any WritableKeyPath<Subject, Bool> & Sendable
  ) -> SettingKey {
    SettingKey(name, "true or false", property, parse: flag, write: { String($0) })
  }

  /// True, false or nothing.
  static func flag(
    _ name: String, _ property: any WritableKeyPath<Subject, Bool?> & Sendable
  ) -> SettingKey {
    SettingKey(name, "true or false", optional: property, parse: flag, write: { String($0) })
  }

  /// A text, or nothing.
  static func text(
    _ name: String, _ takes: String,
    _ property: any WritableKeyPath<Subject, String?> & Sendable,
    where isValid: @escaping @Sendable (String) -> Bool = { !$0.isEmpty }
  ) -> SettingKey {
    SettingKey(
      name, takes, optional: property,
      parse: { value in
        guard case .text(let text) = value, isValid(text) else { return nil }
        return text
      }, write: TOMLText.quoted)
  }

  /// A text or a list of texts; an empty list is nothing.
  static func texts(
    _ name: String, _ takes: String, _ property: any WritableKeyPath<Subject, [String]> & Sendable
  ) -> SettingKey {
    SettingKey(
      name, takes, property, parse: texts, write: { $0.isEmpty ? nil : TOMLText.list($0) })
  }

  /// A text or a list of texts, or nothing.
  static func texts(
    _ name: String, _ takes: String, _ property: any WritableKeyPath<Subject, [String]?> & Sendable
  ) -> SettingKey {
    SettingKey(name, takes, optional: property, parse: texts, write: TOMLText.list)
  }

  /// A time in seconds, at most a day when it is a limit.
  static func seconds(
    _ name: String, _ property: any WritableKeyPath<Subject, Double> & Sendable
  ) -> SettingKey {
    SettingKey(
      name, "a time up to a day, such as 2, 0.5 or \"1 min\"", property,
      parse: { Units.seconds($0).flatMap { $0 <= 86_400 ? $0 : nil } },
      write: { Units.text(seconds: $0) })
  }

  /// A time in seconds of any length, or nothing.
  static func seconds(
    _ name: String, _ property: any WritableKeyPath<Subject, Double?> & Sendable
  ) -> SettingKey {
    SettingKey(
      name, "a time, such as 3600 or \"7 d\"", optional: property,
      parse: { Units.seconds($0) }, write: { Units.text(seconds: $0) })
  }

  /// A file or a folder: absolute, below the home folder (`~/`), or below the folder of the settings
  /// file.
  static func path(
    _ name: String, set: @escaping @Sendable (inout Subject, URL) -> Void,
    get: @escaping @Sendable (Subject) -> URL?
  ) -> SettingKey {
    SettingKey(
      name: name, takes: "a path",
      read: { subject, value, folder in
        guard case .text(let text) = value, !text.isEmpty, !text.utf8.contains(0) else {
          return false
        }
        let path = text == "~" || text.hasPrefix("~/") ? NSHomeDirectory() + text.dropFirst() : text
        set(
          &subject, URL(fileURLWithPath: path, relativeTo: folder).absoluteURL.standardizedFileURL)
        return true
      }, written: { get($0).map { TOMLText.quoted($0.path) } })
  }

  /// A size in bytes.
  static func bytes(
    _ name: String, _ property: any WritableKeyPath<Subject, Int64> & Sendable
  ) -> SettingKey {
    SettingKey(
      name, "a size, such as \"100 MB\"", property,
      parse: { Units.bytes($0) }, write: { Units.text(bytes: $0) })
  }

  private static func flag(_ value: SettingValue) -> Bool? {
    if case .flag(let flag) = value { flag } else { nil }
  }

  private static func texts(_ value: SettingValue) -> [String]? {
    value.texts.flatMap { texts in
      texts.isEmpty || texts.contains("") ? nil : texts
    }
  }
}
