package import Foundation

/// The settings file: `config.toml`.
package enum SettingsFile {
  /// What is wrong with a settings file.
  package struct Mistakes: Error, Sendable, Equatable {
    /// One line each, with the file and the line: `config.toml:3: …`.
    package var lines: [String]
  }

  /// Reads the settings; a file that is not there sets nothing.
  /// - Returns: the settings; and one line each, with the file and the line, for the seeds and
  ///   substitutes that cannot be read. They may come back, so they are no mistakes.
  /// - Throws: `Mistakes`, all of them at once. A file with a mistake sets nothing: half of what
  ///   someone wrote down is not what they want.
  package static func read(
    _ file: URL
  ) throws(Mistakes) -> (settings: Settings, warnings: [String]) {
    guard FileManager.default.fileExists(atPath: file.path) else { return (Settings(), []) }
    guard let data = FileManager.default.contents(atPath: file.path) else {
      throw Mistakes(lines: ["\(file.path): cannot be read"])
    }
    let reading = try reading(
      String(decoding: data, as: UTF8.self), name: file.path,
      folder: file.deletingLastPathComponent())
    return (reading.settings, reading.missingFiles)
  }

  /// Reads settings from a text.
  /// - Parameters:
  ///   - text: TOML.
  ///   - name: how messages name the file.
  ///   - folder: where relative paths begin.
  /// - Returns: the settings, with the defaults where the text sets nothing.
  /// - Throws: `Mistakes`, all of them at once.
  package static func parse(
    _ text: String, name: String, folder: URL
  ) throws(Mistakes) -> Settings {
    try reading(text, name: name, folder: folder).settings
  }

  private static func reading(
    _ text: String, name: String, folder: URL
  ) throws(Mistakes) -> SettingsReading {
    let root: [String: SettingValue]
    do throws(TOMLSource.Mistake) {
      root = SettingValue.members(of: try TOMLSource.parse(text))
    } catch {
      let place = error.line.map { ":\($0)" } ?? ""
      throw Mistakes(lines: ["\(name)\(place): \(SafeText.line(error.words))"])
    }
    var reading = SettingsReading(text: text, name: name, folder: folder)
    reading.take(root)
    guard reading.mistakes.isEmpty else {
      throw Mistakes(lines: reading.mistakes.sorted { $0.line < $1.line }.map(\.words))
    }
    return reading
  }
}

/// A settings file on its way to settings.
private struct SettingsReading {
  let name: String
  let folder: URL
  let lines: SettingLines
  var settings = Settings()
  var mistakes: [(line: Int, words: String)] = []
  private var files: [(line: Int?, words: String, file: URL)] = []

  init(text: String, name: String, folder: URL) {
    self.name = name
    self.folder = folder
    lines = SettingLines(text)
  }

  mutating func take(_ root: [String: SettingValue]) {
    for (key, value) in root {
      let table = SettingTable.all.first {
        SettingTable.spelling($0.name) == SettingTable.spelling(key)
      }
      guard let table else {
        let closest = ClosestWord.to(key, among: SettingTable.all.map(\.name))
        let advice = closest.map { "; did you mean [\($0)]?" } ?? ""
        report(lines["", nil, key] ?? lines[key, nil, nil], "there is no table \(key)\(advice)")
        continue
      }
      switch value {
      case .table(let members) where !table.isRepeated: read(table, key, members, number: nil)
      case .list(let values) where table.isRepeated && !values.isEmpty:
        for (number, value) in values.enumerated() {
          guard case .table(let members) = value else {
            report(lines["", nil, key], "\(key) is a table: [[\(key)]]")
            continue
          }
          read(table, key, members, number: number)
        }
      default:
        let form = table.isRepeated ? "[[\(table.name)]]" : "[\(table.name)]"
        report(lines[key, nil, nil], "\(key) is written as \(form)")
      }
    }
  }

  private mutating func read(
    _ table: SettingTable, _ written: String, _ members: [String: SettingValue], number: Int?
  ) {
    var found: [(line: Int?, words: String)] = []
    let source = SettingSource(folder: folder) { [lines, name] key in
      let line = lines[written, number, key].map { ":\($0)" } ?? ""
      return SafeText.line(name + line)
    }
    table.read(&settings, members, source) { key, words in
      let name = members.keys.first { name in
        key.map { SettingTable.spelling(name) == SettingTable.spelling($0) } ?? false
      }
      found.append((lines[written, number, name], words))
    }
    for mistake in found { report(mistake.line, mistake.words) }
    guard let number, found.isEmpty else { return }
    for (key, file) in table.files(settings) {
      let name = members.keys.first { SettingTable.spelling($0) == SettingTable.spelling(key) }
      files.append((lines[written, number, name], "[[\(table.name)]] \(key)", file))
    }
  }

  /// What is said of files and folders that cannot be read, in the order of their lines.
  var missingFiles: [String] {
    files.sorted { $0.line ?? 0 < $1.line ?? 0 }.compactMap { line, words, file in
      guard let reason = Self.reason(against: file, isFolder: words.hasSuffix(" folder")) else {
        return nil
      }
      let place = line.map { ":\($0)" } ?? ""
      return SafeText.line("\(name)\(place): \(words) is left out: \(file.path): \(reason)")
    }
  }

  private static func reason(against file: URL, isFolder: Bool) -> String? {
    guard access(file.path, R_OK) == 0 else { return String(cString: strerror(errno)) }
    var status = stat()
    guard isFolder, stat(file.path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      return nil
    }
    return String(cString: strerror(ENOTDIR))
  }

  private mutating func report(_ line: Int?, _ words: String) {
    let words = SafeText.line(SafeText.withoutCredentials(inText: words))
    mistakes.append((line ?? 0, line.map { "\(name):\($0): \(words)" } ?? "\(name): \(words)"))
  }
}
