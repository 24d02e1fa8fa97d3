@testable import Commands
import Foundation
import Testing

@testable import Terminal
@testable import TerminalUI

/// Pages with tables of keys that are generated from the table of commands. `UPDATE_GOLDEN=1`
/// rewrites them.
@Suite struct KeysManualTests {
  private static let begin = "The tables that follow are written from the table of commands."
  private static let end = "The end of the tables."

  /// Compares the text between two comments with the expected one.
  private func check(_ name: String, comment: (String) -> String, _ tables: String) throws {
    let page = Self.file(name)
    let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
    let start = try #require(text.range(of: comment(Self.begin) + "\n")?.upperBound)
    let stop = try #require(text.range(of: comment(Self.end) + "\n")?.lowerBound)
    let expected = text[..<start] + tables + text[stop...]
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try Data(expected.utf8).write(to: page)
    } else {
      #expect(text == expected)
    }
  }

  /// Returns a file of the repository.
  private static func file(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(name)
  }

  @Test(arguments: ["seed/about/offread.html", "seed/about/manual.html"])
  func `a built-in page states whose keys it names, and the key for help in every preset`(
    _ name: String
  ) throws {
    let text = try String(contentsOf: Self.file(name), encoding: .utf8)
      .replacingOccurrences(of: "\n", with: " ")
    #expect(text.contains("<code>default</code>. If you use other keys, <kbd>F1</kbd> lists them."))
    let key = try #require(Key("F1"))
    for preset in KeyPreset.allCases {
      #expect(Keymap(preset).binding(of: key, on: .page)?.command == .help)
    }
  }

  @Test func `offread-keys(7) lists the keys and the help of every command`() throws {
    try check("man/offread-keys.7", comment: { ".\\\" \($0)" }, Self.tables)
  }

  @Test func `the built-in manual lists the keys and the help of every command`() throws {
    try check("seed/about/manual.html", comment: { "<!-- \($0) -->" }, Self.pageTables)
  }

  private static var pageTables: String {
    var text = ""
    for group in Command.HelpGroup.allCases {
      text += "<h3>\(group.rawValue)</h3>\n<table>\n"
      text += "<thead><tr><th>Key</th><th>What it does</th></tr></thead>\n<tbody>\n"
      for command in Command.allCases where command.definition.group == group {
        let definition = command.definition
        let keys =
          definition.keys.isEmpty ? ":\(definition.name)" : definition.keys.joined(separator: ", ")
        text += "<tr><td>\(marked(keys))</td><td>\(marked(definition.help))</td></tr>\n"
      }
      text += "</tbody>\n</table>\n"
    }
    return text
  }

  private static func marked(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
  }

  private static var tables: String {
    var text = ""
    for group in Command.HelpGroup.allCases {
      text += ".Ss \(group.rawValue)\n.Bl -tag -width Ds -compact\n"
      for command in Command.allCases where command.definition.group == group {
        text += item(command)
      }
      text += ".El\n"
    }
    for preset in KeyPreset.allCases where !preset.keyChanges.isEmpty {
      text += ".Ss Preset \(preset.rawValue)\n.Bl -tag -width Ds -compact\n"
      for change in preset.keyChanges {
        let name = change.command.definition.name
        let named =
          change.keys.isEmpty ? [":" + name] : change.keys.split(separator: " ").map(String.init)
        let keys = named.map { quoted($0) }
        text += ".It Ic \(keys.joined(separator: " , "))\n"
        text += ".Cm \(change.command.definition.name.replacingOccurrences(of: "-", with: "\\-"))\n"
      }
      // Other commands may lose all their keys to the changed ones.
      for command in commands(withoutKeysIn: preset) {
        let name = command.definition.name.replacingOccurrences(of: "-", with: "\\-")
        text += ".It Ic :\(name)\n.Cm \(name)\n"
      }
      text += ".El\n"
    }
    return text
  }

  /// Returns the commands that have keys in the preset `default`, and lose all of them in a preset
  /// that does not list them.
  private static func commands(withoutKeysIn preset: KeyPreset) -> [Command] {
    let keymap = Keymap(preset)
    let changed = Set(preset.keyChanges.map { $0.command })
    return Command.allCases.filter { command in
      !command.definition.keys.isEmpty && !changed.contains(command)
        && keymap.keys(of: command).isEmpty
    }
  }

  @Test func `a preset lists the commands that lose their keys`() {
    #expect(Self.commands(withoutKeysIn: .default).isEmpty)
    #expect(
      Self.commands(withoutKeysIn: .lynx) == [.linkNumbers, .queue, .findBackward, .messages])
    #expect(Self.commands(withoutKeysIn: .w3m) == [.nextChange, .queue, .messages])
    #expect(
      Self.commands(withoutKeysIn: .less) == [.panLeft, .panRight, .nextChange, .queueHint, .queue])
  }

  private static func item(_ command: Command) -> String {
    let definition = command.definition
    let name = definition.name.replacingOccurrences(of: "-", with: "\\-")
    let argument = definition.argument.map { " Ar \($0.rawValue)" } ?? ""
    let keys = definition.keys.map(quoted).joined(separator: " , ")
    let help = definition.help.prefix(1).uppercased() + definition.help.dropFirst()
    return
      (keys.isEmpty ? ".It Cm \(name)\(argument)\n" : ".It Ic \(keys) : Cm \(name)\(argument)\n")
      + "\(escaped(help)).\n"
  }

  /// Returns a key as a macro argument.
  private static func quoted(_ key: String) -> String {
    let text = escaped(key)
    // Punctuation alone would not be set in the font of the macro.
    return key.count == 1 && !key.allSatisfy { $0.isLetter } ? "\\&\(text)" : text
  }

  private static func escaped(_ text: String) -> String {
    let text = text.replacingOccurrences(of: "\\", with: "\\e")
      .replacingOccurrences(of: "-", with: "\\-").replacingOccurrences(of: "'", with: "\\(aq")
    return text.hasPrefix(".") ? "\\&" + text : text
  }
}
