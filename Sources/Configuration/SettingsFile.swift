import Document
package import Foundation
import Library
import OfflineCache

/// The settings file: `config.toml`.
package enum SettingsFile {
  /// The result of reading a settings file.
  package struct Reading: Sendable, Equatable {
    /// The settings, with defaults for those that the file does not set or that have errors.
    package var settings = Settings()
    /// The errors, one per line, with the file and line number: `config.toml:3: …`. Errors that
    /// restrict offread to saved pages come first; otherwise they are in the order of the lines.
    package var mistakes: [String] = []
    /// Messages about seeds and substitutes that cannot be read, one per line. They are not errors,
    /// because the files may become available again.
    package var missingFiles: [String] = []
    /// The source of the settings.
    package var origin = Origin.file

    /// The messages to print if the program continues.
    package var warnings: [String] { errors + missingFiles }

    /// The messages about errors to print if the program continues.
    package var errors: [String] {
      var lines = mistakes
      if let first = lines.first {
        switch origin {
        case .defaults: lines[0] = "offline because the settings cannot be read: " + first
        case .file where settings.isSavedOnly: lines[0] = "offline: " + first
        case .file, .lastGood: break
        }
      }
      return lines + [settingsInForceNotice].compactMap(\.self)
    }

    /// A sentence that states which settings are in force and what to do; nil if they are those of
    /// the file.
    package var settingsInForceNotice: String? {
      switch origin {
      case .file: nil
      case .lastGood(let date):
        "the settings of \(Self.text(of: date)) are in force until the file is corrected"
      case .defaults:
        "there is no copy of earlier settings: correct the file, or move it away to use the defaults,"
          + " and start offread again"
      }
    }

    private static func text(of date: Date) -> String {
      let time = Date.ISO8601FormatStyle(timeZone: .local)
      return date.formatted(time.year().month().day()) + " "
        + date.formatted(time.time(includingFractionalSeconds: false))
    }
  }

  /// The source of the settings in force.
  package enum Origin: Sendable, Equatable {
    /// The settings file, without the lines that have errors.
    case file
    /// The copy of the last good settings file, which was valid until that date, because the file
    /// itself cannot be read or is not TOML.
    case lastGood(until: Date)
    /// The defaults, restricted to saved pages, because the file cannot be read or is not TOML, and
    /// there is no copy of a good one.
    case defaults
  }

  /// Reads the settings file, or the copy of the last good one if the file cannot be read or is not
  /// TOML.
  /// - Parameters:
  ///   - file: The settings file.
  ///   - copy: The copy of the last good settings file.
  /// - Returns: The settings, the errors in the file, and the source of the settings.
  package static func read(_ file: URL, orLastGood copy: URL) -> Reading {
    let reading = read(file)
    guard reading.origin == .defaults,
      let data = FileManager.default.contents(atPath: copy.path),
      let date = try? FileManager.default.attributesOfItem(atPath: copy.path)[.modificationDate]
        as? Date
    else { return reading }
    let last = parse(
      String(decoding: data, as: UTF8.self), name: copy.path,
      directory: file.deletingLastPathComponent())
    guard last.mistakes.isEmpty else { return reading }
    return Reading(
      settings: last.settings, mistakes: reading.mistakes, missingFiles: last.missingFiles,
      origin: .lastGood(until: date))
  }

  /// Copies a settings file that was read without errors to a file with mode 0600. Removes the copy
  /// if there is no settings file.
  /// - Parameters:
  ///   - reading: The result of reading the file.
  ///   - file: The settings file.
  ///   - copy: The path of the copy.
  package static func saveAsLastGood(_ reading: Reading, of file: URL, at copy: URL) {
    guard let data = FileManager.default.contents(atPath: file.path) else {
      if isAbsent(file) { unlink(copy.path) }
      return
    }
    saveAsLastGood([UInt8](data), ifGood: reading, at: copy)
  }

  /// Writes the text of a settings file to the copy if the file was read without errors.
  package static func saveAsLastGood(_ text: [UInt8], ifGood reading: Reading, at copy: URL) {
    guard reading.origin == .file, reading.mistakes.isEmpty else { return }
    if FileManager.default.contents(atPath: copy.path).map({ [UInt8]($0) }) == text {
      // The modification date records until when this text was the settings file.
      utimes(copy.path, nil)
      return
    }
    let state = StateFile(file: copy)
    guard let lock = try? state.openLocked() else { return }
    defer { lock.unlock() }
    try? state.replace(with: text)
  }

  /// Returns the result for a file that cannot be read: the defaults, restricted to saved pages.
  package static func unreadable(_ file: URL) -> Reading {
    let reason =
      brokenLink(to: file).map { "\($0) is a broken symbolic link" }
      ?? SettingsReading.unusableReason(of: file, isDirectory: false)
    return restrictedToSaved(
      "\(file.path): cannot be read" + (reason.map { ": \($0)" } ?? ""))
  }

  /// Reads a settings file; if it does not exist, the defaults apply.
  package static func read(_ file: URL) -> Reading {
    if isAbsent(file) { return Reading() }
    guard let data = FileManager.default.contents(atPath: file.path) else {
      return unreadable(file)
    }
    return parse(
      String(decoding: data, as: UTF8.self), name: file.path,
      directory: file.deletingLastPathComponent())
  }

  /// Returns whether there is no settings file. A file that cannot be examined may have settings,
  /// as may the missing target of a link, such as a file on a disk that is not mounted.
  private static func isAbsent(_ file: URL) -> Bool {
    let path = file.path
    var status = stat()
    if stat(path, &status) == 0 { return false }
    guard errno == ENOENT || errno == ENOTDIR else { return false }
    return brokenLink(to: file) == nil
  }

  /// Returns the path of the settings file or of its directory if that is a symbolic link without a
  /// target; otherwise nil.
  private static func brokenLink(to file: URL) -> String? {
    let path = file.path
    let directory = path[..<(path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex)]
    return [path, String(directory)].first { path in
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return false }
      return stat(path, &status) != 0
    }
  }

  /// Parses settings.
  /// - Parameters:
  ///   - text: TOML.
  ///   - name: The name of the file in messages.
  ///   - directory: The base of relative paths.
  /// - Returns: The valid settings, and all errors.
  package static func parse(_ text: String, name: String, directory: URL) -> Reading {
    let root: [String: SettingValue]
    do throws(TOMLSource.Mistake) {
      root = SettingValue.members(of: try TOMLSource.parse(text))
    } catch {
      let location = error.line.map { ":\($0)" } ?? ""
      return restrictedToSaved("\(name)\(location): \(SafeText.line(error.message))")
    }
    var reading = SettingsReading(text: text, name: name, directory: directory)
    reading.parse(root)
    return reading.result
  }

  /// Returns the result for a text that cannot be parsed: the defaults, restricted to saved pages,
  /// because the text might contain settings that restrict what is requested or stored.
  private static func restrictedToSaved(_ mistake: String) -> Reading {
    var reading = Reading(mistakes: [mistake], origin: .defaults)
    reading.settings.restrictToSaved()
    return reading
  }
}

/// Builds settings from a file.
private struct SettingsReading {
  let name: String
  let directory: URL
  let lines: SettingLines
  private var settings = Settings()
  private var mistakes: [(line: Int, message: String, isSafetyCritical: Bool)] = []
  /// The files and directories to check, each with its line and its setting (`[[seed]] folder`).
  private var files: [(line: Int?, settingName: String, file: URL)] = []

  init(text: String, name: String, directory: URL) {
    self.name = name
    self.directory = directory
    lines = SettingLines(text)
  }

  /// The settings, errors and missing files found.
  var result: SettingsFile.Reading {
    var settings = settings
    let ordered = mistakes.sorted {
      ($0.isSafetyCritical ? 0 : 1, $0.line) < ($1.isSafetyCritical ? 0 : 1, $1.line)
    }
    if ordered.first?.isSafetyCritical == true { settings.restrictToSaved() }
    return SettingsFile.Reading(
      settings: settings, mistakes: ordered.map(\.message), missingFiles: missingFiles)
  }

  mutating func parse(_ root: [String: SettingValue]) {
    var writtenNames: [String: String] = [:]
    for (key, value) in root.sorted(by: { $0.key < $1.key }) {
      let table = SettingTable.all.first {
        SettingTable.spelling($0.name) == SettingTable.spelling(key)
      }
      guard let table else {
        reportUnknown(key, isTable: value.isTable)
        continue
      }
      switch value {
      case .table(let members) where !table.isRepeated:
        if let other = writtenNames.updateValue(key, forKey: table.name) {
          report(
            lines[key, nil, nil], "[\(key)] and [\(other)] are the same table; join them",
            isSafetyCritical: table.isSafetyCritical)
        }
        read(table, key, members, number: nil)
      case .list(let values) where table.isRepeated && !values.isEmpty:
        for (number, value) in values.enumerated() {
          guard case .table(let members) = value else {
            report(
              lines["", nil, key], "\(key) is a table: [[\(key)]]",
              isSafetyCritical: table.isSafetyCritical)
            continue
          }
          read(table, key, members, number: number)
        }
      default:
        let tableSyntax = table.isRepeated ? "[[\(table.name)]]" : "[\(table.name)]"
        report(
          lines[key, nil, nil], "\(key) is a table: \(tableSyntax)",
          isSafetyCritical: table.isSafetyCritical)
      }
    }
  }

  private mutating func reportUnknown(_ key: String, isTable: Bool) {
    let suggestion = SettingTable.suggestion(by: key, isTable: isTable)
    let advice = suggestion.map { "; did you mean \($0.syntax)?" } ?? ""
    let message = isTable ? "there is no table \(key)" : "\(key) is not in a table"
    report(
      lines["", nil, key] ?? lines[key, nil, nil], message + advice,
      isSafetyCritical: suggestion?.table.isSafetyCritical ?? false)
  }

  private mutating func read(
    _ table: SettingTable, _ writtenName: String, _ members: [String: SettingValue], number: Int?
  ) {
    var problems: [(line: Int?, message: String)] = []
    let source = SettingSource(directory: directory) { [lines, name] key in
      let line = lines[writtenName, number, key].map { ":\($0)" } ?? ""
      return SafeText.line(name + line)
    }
    table.applyTable(&settings, members, source) { key, text in
      let names = members.keys.filter { name in
        key.map { SettingTable.spelling(name) == SettingTable.spelling($0) } ?? false
      }
      let line = lines[writtenName, number, names.contains { $0 == key } ? key : names.first]
      problems.append((line, text))
    }
    for mistake in problems {
      report(mistake.line, mistake.message, isSafetyCritical: table.isSafetyCritical)
    }
    guard let number, problems.isEmpty else { return }
    for (key, file) in table.files(settings) {
      let name = members.keys.first { SettingTable.spelling($0) == SettingTable.spelling(key) }
      files.append((lines[writtenName, number, name], "[[\(table.name)]] \(key)", file))
    }
  }

  /// The messages about files and directories that cannot be read, in the order of their lines.
  private var missingFiles: [String] {
    files.sorted { $0.line ?? 0 < $1.line ?? 0 }.compactMap { line, settingName, file in
      guard
        let reason = Self.unusableReason(
          of: file, isDirectory: settingName.hasSuffix(" folder") ? true : nil)
      else {
        return nil
      }
      let location = line.map { ":\($0)" } ?? ""
      return SafeText.line("\(name)\(location): \(settingName) is skipped: \(file.path): \(reason)")
    }
  }

  /// Returns the reason why a file cannot be used; nil if it can be used.
  /// - Parameters:
  ///   - file: The file.
  ///   - isDirectory: Whether the file must be a directory; nil if it may be one.
  /// - Returns: A message of the system, such as "Permission denied".
  static func unusableReason(of file: URL, isDirectory: Bool?) -> String? {
    var status = stat()
    guard access(file.path, R_OK) == 0, stat(file.path, &status) == 0 else {
      return String(cString: strerror(errno))
    }
    guard let isDirectory, isDirectory != (status.st_mode & S_IFMT == S_IFDIR) else { return nil }
    return String(cString: strerror(isDirectory ? ENOTDIR : EISDIR))
  }

  private mutating func report(_ line: Int?, _ text: String, isSafetyCritical: Bool) {
    let text = SafeText.line(SafeText.withoutCredentials(inText: text))
    let location = line.map { "\(name):\($0)" } ?? name
    mistakes.append((line ?? 0, "\(location): \(text)", isSafetyCritical))
  }
}

extension SettingTable {
  /// Suggests a table or setting for an unknown name at the top level of a file.
  /// - Parameters:
  ///   - name: The name.
  ///   - isTable: Whether the value of the name is a table.
  /// - Returns: The table, and the syntax of the table or setting; nil if no name is similar.
  fileprivate static func suggestion(
    by name: String, isTable: Bool
  ) -> (table: SettingTable, syntax: String)? {
    let owners = all.flatMap { table in table.keys.map { (key: $0, table: table) } }
    func setting(_ key: String) -> (table: SettingTable, syntax: String)? {
      owners.first { spelling($0.key) == spelling(key) }.map {
        ($0.table, "\($0.key) of \($0.table.head)")
      }
    }
    if !isTable, let found = setting(name) { return found }
    if let near = ClosestWord.to(name, among: all.map(\.name)),
      let table = all.first(where: { $0.name == near })
    {
      return (table, table.head)
    }
    return isTable ? nil : ClosestWord.to(name, among: owners.map(\.key)).flatMap(setting)
  }

  /// The table's header.
  private var head: String { isRepeated ? "[[\(name)]]" : "[\(name)]" }
}

extension SettingValue {
  /// Whether the value is a table, or a list that contains a table.
  fileprivate var isTable: Bool {
    switch self {
    case .table: true
    case .list(let values): values.contains { if case .table = $0 { true } else { false } }
    default: false
    }
  }
}
