import Configuration
import Document
package import Foundation
import Layout
import TOMLKit
package import Terminal

/// Theme files in TOML: an optional `[palette]` of named colours, and `[roles]` of inline tables
/// with `fg`, `bg` and attributes. `inherits` names a theme that supplies the missing roles.
extension Theme {
  /// An error in a theme file.
  package struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The description of the error, with the position in the file.
    package var description: String

    package init(description: String) {
      self.description = description
    }
  }

  /// Loads the themes in some directories, sorted by file name. A file in a later directory
  /// replaces one with the same name. Invalid files are omitted and reported.
  package static func loadAll(in directories: [URL]) -> (themes: [Theme], mistakes: [FileError]) {
    let files = directories.flatMap { directory in
      (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    }
    var themes: [Theme] = []
    var mistakes: [FileError] = []
    for file in Set(files.filter { $0.hasSuffix(".toml") }).sorted() {
      let name = String(file.dropLast(".toml".count))
      do throws(FileError) {
        themes.append(try loadTheme(name, in: directories))
      } catch {
        mistakes.append(
          FileError(description: SafeText.line("theme \(file): \(error.description)")))
      }
    }
    return (themes, mistakes)
  }

  /// Loads a theme and the themes from which it inherits.
  package static func loadTheme(_ name: String, in directories: [URL]) throws(FileError) -> Theme {
    try loadTheme(name, in: directories, inheritingThemes: [])
  }

  private static func loadTheme(
    _ name: String, in directories: [URL], inheritingThemes: [String]
  ) throws(FileError) -> Theme {
    guard !inheritingThemes.contains(name) else {
      throw FileError(
        description: "inherits from itself through \(inheritingThemes.joined(separator: ", "))")
    }
    let isPlain = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x2F && $0 < 0x7F }
    let files = directories.reversed().map { $0.appendingPathComponent(name + ".toml") }
    guard isPlain,
      let file = files.first(where: { FileManager.default.fileExists(atPath: $0.path) })
    else {
      throw FileError(description: "there is no theme named \(name)")
    }
    guard let data = FileManager.default.contents(atPath: file.path) else {
      throw FileError(description: "the file of the theme \(name) cannot be read")
    }
    return try Theme(name: name, toml: String(decoding: data, as: UTF8.self)) {
      (parent) throws(FileError) in
      try loadTheme(parent, in: directories, inheritingThemes: inheritingThemes + [name])
    }
  }

  /// Parses a theme.
  /// - Parameters:
  ///   - name: The name of the theme.
  ///   - toml: The text of the file.
  ///   - parent: Returns the theme that `inherits` names.
  /// - Throws: `FileError` if the file is invalid.
  package init(
    name: String, toml: String, parent: (String) throws(FileError) -> Theme
  ) throws(FileError) {
    let table: TOMLTable
    do throws(TOMLSource.Mistake) {
      table = try TOMLSource.parse(toml)
    } catch {
      let position = error.line.map { "line \($0), column \(error.column ?? 1): " } ?? ""
      throw FileError(description: position + error.message)
    }
    var appearances: [Role: Appearance] = [:]
    if let parentName = table["inherits"]?.string {
      appearances = try parent(parentName).appearances
    }
    let palette = table["palette"]?.table
    if let roles = table["roles"]?.table {
      for key in roles.keys {
        guard let role = Role(rawValue: key) else {
          throw FileError(description: "there is no role named \(key)")
        }
        guard let style = roles[key]?.table else {
          throw FileError(description: "\(key) is not a table such as { fg = \"blue\" }")
        }
        appearances[role] = try Self.parseAppearance(style, of: key, palette: palette)
      }
    }
    self.init(name: name, appearances: appearances)
    if let text = table["background"]?.string {
      guard let color = Color(text, palette: palette) else {
        throw FileError(description: "background is not a colour")
      }
      background = color
    }
  }

  private static func parseAppearance(
    _ style: TOMLTable, of role: String, palette: TOMLTable?
  ) throws(FileError) -> Appearance {
    var appearance = Appearance()
    for key in style.keys {
      if key == "fg" || key == "bg" {
        guard let text = style[key]?.string, let color = Color(text, palette: palette) else {
          throw FileError(description: "\(role): \(key) is not a colour")
        }
        if key == "fg" { appearance.foreground = color } else { appearance.background = color }
      } else if let attribute = Attributes.names[key] {
        guard let isOn = style[key]?.bool else {
          throw FileError(description: "\(role): \(key) must be true or false")
        }
        if isOn { appearance.attributes.insert(attribute) }
      } else {
        throw FileError(description: "\(role): there is no attribute named \(key)")
      }
    }
    return appearance
  }
}

extension Theme.Attributes {
  /// The attributes by their names in theme files.
  package static let names: [String: Theme.Attributes] = [
    "bold": .bold, "italic": .italic, "underline": .underline, "reverse": .reverse, "dim": .dim,
    "strike": .strike,
  ]
}

extension Theme.Color {
  /// The names of the terminal's own colours, in the order of its palette.
  package static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    "bright-black", "bright-red", "bright-green", "bright-yellow", "bright-blue",
    "bright-magenta", "bright-cyan", "bright-white",
  ]

  /// Parses `#rrggbb`, `ansi:0` to `ansi:15`, one of `names`, or a name of the palette; nil for
  /// other texts.
  fileprivate init?(_ text: String, palette: TOMLTable?) {
    let resolved = palette?[text]?.string ?? text
    if let index = Self.names.firstIndex(of: resolved) {
      self = .palette(UInt8(index))
    } else if resolved.hasPrefix("ansi:"), let index = UInt8(resolved.dropFirst(5)), index < 16 {
      self = .palette(index)
    } else if resolved.hasPrefix("#"), resolved.utf8.count == 7,
      let value = UInt32(resolved.dropFirst(), radix: 16)
    {
      self = .rgb(
        UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 8),
        UInt8(truncatingIfNeeded: value))
    } else {
      return nil
    }
  }
}
