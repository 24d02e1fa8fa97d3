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
  /// The file or folder that the setting names, nil when it names none.
  var file: @Sendable (Subject) -> URL? = { _ in nil }

  /// What of a value is not taken, as a message shows it: a member of a list or a table where it is
  /// that one, else all of it.
  func refused(_ value: SettingValue, for subject: Subject, _ folder: URL) -> String {
    let takes = { (part: SettingValue) in
      var copy = subject
      return read(&copy, part, folder)
    }
    switch value {
    case .list(let members):
      let place = members.firstIndex { member in
        if case .list = member { true } else { !takes(member) }
      }
      guard let place else { return value.shown }
      return members.count == 1
        ? members[place].shown : "\(members[place].shown), number \(place + 1) of the list"
    case .table(let members) where takes(.table(["a": .text("a")])):
      let wrong = members.sorted { $0.key < $1.key }.first { !takes(.table([$0.key: $0.value])) }
      return wrong.map { "\(TOMLText.quoted($0.key)) = \($0.value.shown)" } ?? value.shown
    default: return value.shown
    }
  }
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

  /// One of some words.
  static func choice<Choice: RawRepresentable<String> & CaseIterable & Equatable & Sendable>(
    _ name: String, _ property: any WritableKeyPath<Subject, Choice> & Sendable
  ) -> SettingKey {
    SettingKey(
      name, "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "), property,
      parse: { value in
        if case .text(let text) = value { Choice(rawValue: text) } else { nil }
      }, write: { TOMLText.quoted($0.rawValue) })
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
    _ name: String, _ takes: String, _ property: any WritableKeyPath<Subject, [String]> & Sendable,
    where isValid: @escaping @Sendable (String) -> Bool = { !$0.isEmpty }
  ) -> SettingKey {
    SettingKey(
      name, takes, property, parse: { texts($0, where: isValid) },
      write: { $0.isEmpty ? nil : TOMLText.list($0) })
  }

  /// A text or a list of texts, or nothing.
  static func texts(
    _ name: String, _ takes: String, _ property: any WritableKeyPath<Subject, [String]?> & Sendable,
    where isValid: @escaping @Sendable (String) -> Bool = { !$0.isEmpty }
  ) -> SettingKey {
    SettingKey(
      name, takes, optional: property, parse: { texts($0, where: isValid) }, write: TOMLText.list)
  }

  /// A time in seconds within bounds.
  static func seconds(
    _ name: String, _ takes: String, in bounds: ClosedRange<Double>,
    _ property: any WritableKeyPath<Subject, Double> & Sendable
  ) -> SettingKey {
    SettingKey(
      name, takes, property, parse: { seconds($0, in: bounds) },
      write: { Units.text(seconds: $0) })
  }

  /// A time in seconds within bounds, or nothing.
  static func seconds(
    _ name: String, _ takes: String, in bounds: ClosedRange<Double>,
    _ property: any WritableKeyPath<Subject, Double?> & Sendable
  ) -> SettingKey {
    SettingKey(
      name, takes, optional: property, parse: { seconds($0, in: bounds) },
      write: { Units.text(seconds: $0) })
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
        guard case .text(let text) = value, let file = file(at: text, below: folder) else {
          return false
        }
        set(&subject, file)
        return true
      }, written: { get($0).map { TOMLText.quoted($0.path) } }, file: get)
  }

  /// Files or folders, named as one is.
  static func paths(
    _ name: String, _ property: any WritableKeyPath<Subject, [URL]> & Sendable
  ) -> SettingKey {
    SettingKey(
      name: name, takes: "a path, or a list of paths",
      read: { subject, value, folder in
        guard let texts = value.texts, !texts.isEmpty else { return false }
        let files = texts.compactMap { file(at: $0, below: folder) }
        guard files.count == texts.count else { return false }
        subject[keyPath: property] = files
        return true
      },
      written: { subject in
        let files = subject[keyPath: property]
        return files.isEmpty ? nil : TOMLText.list(files.map(\.path))
      })
  }

  private static func file(at path: String, below folder: URL) -> URL? {
    guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
    let isInHome = path == "~" || path.hasPrefix("~/")
    let path = isInHome ? (Locations.home() ?? "") + path.dropFirst() : path
    return URL(fileURLWithPath: path, relativeTo: folder).absoluteURL.standardizedFileURL
  }

  /// A size in bytes. Below the least one nothing could be read or kept.
  static func bytes(
    _ name: String, _ property: any WritableKeyPath<Subject, Int64> & Sendable
  ) -> SettingKey {
    SettingKey(
      name, takesBytes, property, parse: bytes, write: { Units.text(bytes: $0) })
  }

  /// A size in bytes, or nothing.
  static func bytes(
    _ name: String, _ property: any WritableKeyPath<Subject, Int64?> & Sendable
  ) -> SettingKey {
    SettingKey(
      name, takesBytes, optional: property, parse: bytes, write: { Units.text(bytes: $0) })
  }

  private static var takesBytes: String { "a size of at least 1 kB, such as \"100 MB\"" }

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
