@testable import Commands
import Configuration
import Foundation
import Pages
import Sandbox
import Layout
import Testing

@testable import Terminal
@testable import TerminalUI

@Suite struct CommandTests {
  @Test(arguments: Command.allCases)
  func `every command has a name, keys and help`(command: Command) {
    let definition = command.definition
    #expect(Command(name: definition.name) == command)
    for key in definition.keys { #expect(Key(key) != nil, "\(key)") }
    #expect(!definition.help.isEmpty && !definition.help.hasSuffix("."))
    #expect(Keymap().keys(of: command).count == definition.keys.count, "a key has two commands")
  }

  @Test func `default keys are translated to the keys of a preset`() {
    #expect(Keymap().namesByDefaultKey.allSatisfy { $0.key == $0.value })
    let less = Keymap(.less).namesByDefaultKey
    #expect(["r", "e", "o", "B"].map { less[$0] } == ["R", "U", "o", "B"])
    let lynx = Keymap(.lynx).namesByDefaultKey
    #expect(["x", ")", "o", "Enter"].map { lynx[$0] } == ["M-x", "M-)", "g", "Enter"])
  }

  @Test func `commands are found by the names that they had in 1.0.0`() {
    #expect(Command(name: "open-behind") == .openInBackground)
    #expect(Command(name: "mark_lines") == .markLines)
    #expect(Command(name: "Outside") == .outside)
    #expect(Command(name: "behind") == nil)
  }

  private static let shortForms: [(line: String, command: Command, argument: String?)] = [
    ("150", .top, "150"), ("50%", .percent, "50"), ("$", .bottom, nil), (" q ", .quit, nil),
    ("theme nord", .theme, "nord"), ("perc 5", .percent, "5"),
  ]

  @Test(arguments: shortForms)
  func `lines and percentages have short forms`(
    _ line: String, _ command: Command, _ argument: String?
  ) {
    #expect(CommandLine(line) == CommandLine(command: command, argument: argument))
    #expect(CommandLine(line)?.argumentError == nil)
  }

  @Test(arguments: ["%", "x%", "5%%", "$$", "5$"])
  func `other lines are no commands`(_ line: String) { #expect(CommandLine(line) == nil) }

  @Test(arguments: KeyPreset.allCases)
  func `every preset has valid keys, each for one command`(preset: KeyPreset) throws {
    let keymap = Keymap(preset)
    for change in preset.keyChanges {
      let keys = change.keys.split(separator: " ").map(String.init)
      #expect(keymap.keys(of: change.command).map(\.description) == keys, "\(change.command)")
    }
    for command in [
      Command.quit, .help, .command, .cancel, .follow, .nextLink, .back, .openURL, .preview, .menu,
    ] {
      #expect(!keymap.keys(of: command).isEmpty, "\(command)")
    }
  }

  /// CONTRIBUTING.md names the free letter.
  @Test func `the only letter unused in all presets is that of the tests`() throws {
    let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
    let keymaps = KeyPreset.allCases.map { Keymap($0) }
    let free = letters.filter { letter in
      keymaps.allSatisfy { keymap in
        Command.allCases.allSatisfy { !keymap.keys(of: $0).map(\.description).contains(letter) }
      }
    }
    #expect(free == ["Z"])
  }

  /// Keys in keymap.default of w3m 0.5.3 and lynx.cfg of lynx 2.9, with the equivalent commands.
  private static let others: [(preset: KeyPreset, keys: String, command: Command)] = [
    (.w3m, "M M-M", .outside), (.w3m, "v", .source), (.w3m, "a M-Enter M-s", .download),
    (.w3m, "D", .downloads), (.w3m, "L", .links), (.w3m, "T C-t", .openInBackground),
    (.w3m, "{", .previousTab),
    (.w3m, "}", .nextTab), (.w3m, "M-t", .tabs), (.w3m, "C-q", .closeTab), (.w3m, "s", .history),
    (.w3m, "= c", .information), (.w3m, "C-s /", .findForward), (.w3m, "C-r ?", .findBackward),
    (.w3m, "C-u S-Tab M-Tab", .previousLink), (.w3m, "R", .reload),
    (.w3m, "+ Space C-v", .pageDown),
    (.w3m, "- b M-v", .pageUp), (.w3m, "J j", .lineDown), (.w3m, "K k", .lineUp),
    (.w3m, "g M-<", .top),
    (.w3m, "G M->", .bottom), (.w3m, "B", .back), (.w3m, "U V", .openURL), (.w3m, "M-u", .editURL),
    (.w3m, "o", .editSettings), (.w3m, "M-o", .set), (.w3m, "I", .openImage), (.w3m, "u", .preview),
    (.w3m, "M-a", .keep), (.w3m, "M-b", .library), (.w3m, "|", .pipe), (.w3m, "! # @", .shell),
    (.w3m, "E M-e", .editor), (.w3m, "< ,", .panLeft), (.w3m, "> .", .panRight),
    (.w3m, "M-c", .command),
    (.w3m, "H", .help), (.w3m, "q Q", .quit), (.w3m, "n", .findNext), (.w3m, "N", .findPrevious),
    (.lynx, "\\", .source), (.lynx, "d", .download), (.lynx, "l A", .links),
    (.lynx, "V Backspace", .history),
    (.lynx, "v m", .library), (.lynx, "a", .keep), (.lynx, "s", .search),
    (.lynx, ". , M", .outside),
    (.lynx, "g", .openURL), (.lynx, "G", .editURL), (.lynx, "o", .editSettings),
    (.lynx, "e", .editor),
    (.lynx, "p", .pipe), (.lynx, "= ]", .information), (.lynx, "? h k H", .help),
    (.lynx, "z C-g", .cancel),
    (.lynx, "C-r", .reload), (.lynx, "C-w C-l", .redraw), (.lynx, "C-u", .forward),
    (.lynx, "u Left", .back), (.lynx, "|", .wrapCode), (.lynx, "{", .panLeft),
    (.lynx, "}", .panRight),
    (.lynx, "Right Enter", .follow), (.lynx, "Down Tab", .nextLink),
    (.lynx, "Up S-Tab", .previousLink),
    (.lynx, "+ Space C-f", .pageDown), (.lynx, "- b C-b", .pageUp), (.lynx, "C-a", .top),
    (.lynx, "C-e", .bottom), (.lynx, ")", .halfPageDown), (.lynx, "(", .halfPageUp),
    (.lynx, "!", .shell),
    (.lynx, "/", .findForward), (.lynx, "n", .findNext), (.lynx, "N", .findPrevious),
    (.lynx, "q Q", .quit),
    (.lynx, "*", .images),
  ]

  @Test func `the keys of w3m and lynx have the same effect as there`() throws {
    for (preset, keys, command) in Self.others {
      for name in keys.split(separator: " ") {
        let key = try #require(Key(String(name)))
        #expect(Keymap(preset)[key] == command, "\(preset) \(name)")
      }
    }
  }

  @Test(arguments: [KeyPreset.lynx, .w3m, .less])
  func `no key of another program changes a persistent setting`(preset: KeyPreset) {
    // The choices made with T and v persist, which is not the case in lynx, w3m or less.
    for command in [Command.nextTheme, .readerView, .theme, .editSettings, .set] {
      for key in Keymap(preset).keys(of: command) {
        let isFree = key.modifiers.contains(.meta)
        let isSettings = key.description == "o" && command == .editSettings
        #expect(isFree || isSettings, "\(key) \(command)")
      }
    }
  }

  /// Returns the key map for lines of `[keys]`, and the warnings about them.
  private func keymap(_ lines: String) throws -> (keymap: Keymap, warnings: [String]) {
    let settings = SettingsFile.parse(
      "[keys]\n" + lines, name: "config.toml", directory: URL(fileURLWithPath: "/")
    ).settings
    var warnings: [String] = []
    let keymap = Keymap(settings.keys) { warnings.append($0) }
    return (keymap, warnings)
  }

  @Test func `a letter with Shift or an uppercase letter with Ctrl is the key that is sent`() throws
  {
    let (keymap, warnings) = try keymap(
      """
      top = ["S-a", "C-B", "C-M-X", "S-Tab", "C-Backspace", "C-Space", "S-Up", "M-o"]
      """)
    #expect(warnings.isEmpty, "\(warnings)")
    #expect(
      keymap.keys(of: .top).map(\.description)
        == ["A", "C-b", "C-M-x", "S-Tab", "C-Backspace", "C-Space", "S-Up", "M-o"])
  }

  @Test func `settings assign keys to commands and remove them from others`() throws {
    let (keymap, warnings) = try keymap(
      """
      preset = "less"
      quit = "Z"
      line_down = ["j", "d"]
      "half-page-up" = []
      """)
    #expect(warnings.isEmpty)
    #expect(keymap.preset == .less)
    #expect(keymap[try #require(Key("Z"))] == .quit)
    #expect(keymap[try #require(Key("q"))] == nil)
    #expect(keymap.keys(of: .lineDown).map(\.description) == ["j", "d"])
    #expect(keymap.keys(of: .halfPageDown).map(\.description) == ["C-d"])
    #expect(keymap.keys(of: .halfPageUp).isEmpty)
  }

  @Test(
    arguments: [
      ("lin-down = \"j\"", "config.toml:2: there is no command lin-down; did you mean line-down?"),
      ("quit = 5", "config.toml:2: quit takes a key or a list of keys, not 5"),
      ("\ntop = [\"g\", \"Hyper-x\"]", "config.toml:3: top: there is no key \"Hyper-x\""),
      (
        "top = [\"space\", \"g\"]",
        "config.toml:2: top: there is no key \"space\"; did you mean Space?"
      ),
      ("top = \"C-i\"", "config.toml:2: top: terminals do not distinguish \"C-i\" from \"Tab\""),
      (
        "top = \"C-M-m\"",
        "config.toml:2: top: terminals do not distinguish \"C-M-m\" from \"M-Enter\""
      ),
      ("top = \"C-j\"", "config.toml:2: top: terminals do not distinguish \"C-j\" from \"Enter\""),
      (
        "top = \"S-Space\"",
        "config.toml:2: top: terminals do not distinguish \"S-Space\" from \"Space\""
      ),
      (
        "top = \"C-S-a\"", "config.toml:2: top: terminals do not distinguish \"C-S-a\" from \"C-a\""
      ),
      (
        "top = \"C-Enter\"",
        "config.toml:2: top: terminals do not distinguish \"C-Enter\" from \"Enter\""
      ),
      (
        "top = \"M-S-o\"",
        "config.toml:2: top: terminals begin the codes of other keys as \"M-S-o\""
      ),
      ("top = \"M-[\"", "config.toml:2: top: terminals begin the codes of other keys as \"M-[\""),
      (
        "preset = \"emacs\"",
        "config.toml:2: preset takes one of default, lynx, w3m, less, not \"emacs\""
      ),
      ("quit = []", "config.toml:2: quit cannot be left without a key; it keeps q"),
      ("\"xyzzy\\u001b\" = []", "config.toml:1: there is no command xyzzy"),
    ] as [(String, String)])
  func `an error in the keys is reported with its line and changes nothing`(
    line: String, warning: String
  ) throws {
    let (keymap, warnings) = try keymap(line)
    #expect(warnings.count == 1 && warnings[0].hasPrefix(warning), "\(warnings)")
    #expect(!warnings.contains { $0.contains("\u{1B}") })
    #expect(keymap == Keymap())
  }

  @Test(arguments: KeyPreset.allCases)
  func `the printed table gives the same key bindings`(preset: KeyPreset) throws {
    let printed = Keymap(preset).settingsText
    let settings = SettingsFile.parse(
      printed, name: "config.toml", directory: URL(fileURLWithPath: "/")
    ).settings
    #expect(settings.keys.count == Command.allCases.count + 1)
    var warnings: [String] = []
    let again = Keymap(settings.keys) { warnings.append($0) }
    #expect(warnings.isEmpty, "\(warnings)")
    for command in Command.allCases {
      #expect(again.keys(of: command) == Keymap(preset).keys(of: command), "\(command)")
    }
  }

  @Test func `of two commands with the same key in the settings, the later one has it`() throws {
    let (keymap, warnings) = try keymap(
      """
      top = ["F5", "F6"]
      bottom = ["F6", "F7"]
      "line-down 5" = "F6"
      mark-all-read = "F8"
      hints = "F8"
      search = "h"
      """)
    #expect(
      warnings == [
        "config.toml:3: bottom: F6 is ignored because it is also a key of top",
        "config.toml:4: line-down 5: F6 is ignored because it is also a key of top",
      ])
    #expect(keymap.keys(of: .bottom).map(\.description) == ["F7"])
    #expect(keymap.keys(of: .top).map(\.description) == ["F5", "F6"])
    // Only lists have the command mark-all-read, and only pages have hints.
    #expect(keymap.keys(of: .markAllRead).map(\.description) == ["F8"])
    #expect(keymap.keys(of: .hints).map(\.description) == ["F8"])
    // A preset key of another command is not reported.
    #expect(keymap.keys(of: .search).map(\.description) == ["h"])
  }

  @Test func `a key that quit keeps is reported for the command that has it in the settings`()
    throws
  {
    let (keymap, warnings) = try keymap("quit = \"q\"\nredraw = [\"F5\", \"q\"]")
    #expect(
      warnings == [
        "config.toml:2: quit cannot be left without a key; it keeps q",
        "config.toml:3: redraw: q is ignored because it is also a key of quit",
      ])
    #expect(keymap.keys(of: .quit).map(\.description) == ["q"])
    #expect(keymap.keys(of: .redraw).map(\.description) == ["F5"])
  }

  @Test func `a second line for a command replaces the first with a message`() throws {
    let (keymap, warnings) = try keymap("line_down = \"F6\"\nline-down = [\"F5\", \"J\"]")
    #expect(
      warnings == ["config.toml:2: line_down replaces the keys of line-down, the same command"])
    #expect(keymap.keys(of: .lineDown).map(\.description) == ["F6"])
  }

  @Test func `a preset that is set in two spellings is reported`() throws {
    let (keymap, warnings) = try keymap("preset = \"less\"\nPreset = \"w3m\"")
    #expect(warnings == ["config.toml:2: preset and Preset are the same setting"])
    #expect(keymap == Keymap(.less))
  }

  @Test func `a key can run a command with arguments`() throws {
    let (keymap, warnings) = try keymap(
      """
      "shell firefox \\"$OFFREAD_URL\\"" = "F5"
      "line_down 5" = ["J", "F6"]
      "line-down" = "j"
      """)
    #expect(warnings.isEmpty)
    let key = try #require(Key("F5"))
    #expect(
      keymap.binding(of: key, on: .page)
        == KeyBindingTarget(command: .shell, argument: "firefox \"$OFFREAD_URL\""))
    #expect(keymap.keys(of: .shell).map(\.description) == ["!"])
    #expect(keymap.keys(of: .lineDown).map(\.description) == ["j"])
    #expect(keymap.settingsText.contains("\n\"shell firefox \\\"$OFFREAD_URL\\\"\" = [\"F5\"]\n"))
    let again = try self.keymap(String(keymap.settingsText.dropFirst("[keys]\n".count)))
    #expect(again.warnings.isEmpty && again.keymap == keymap)
  }

  @Test(
    arguments: [
      ("\"quit now\" = \"F5\"", "config.toml:2: quit takes no argument"),
      (
        "\"line-down x\" = \"F5\"",
        "config.toml:2: line-down takes a number from 0 to 999999, not x"
      ),
      ("\"shel ls\" = \"F5\"", "config.toml:2: there is no command shel; did you mean shell?"),
    ] as [(String, String)])
  func `a command of a key with invalid arguments is reported`(line: String, warning: String) throws
  {
    let (keymap, warnings) = try keymap(line)
    #expect(warnings == [warning])
    #expect(keymap == Keymap())
  }

  @Test func `a key has different meanings on different screens`() throws {
    let key = try #require(Key("O"))
    let keymap = Keymap()
    #expect(keymap[key] == .outside)
    #expect(keymap.binding(of: key, on: .library)?.command == .sort)
    #expect(keymap.keys(of: .sort) == [key] && keymap.keys(of: .outside) == [key])
    let other = try self.keymap("quit = [\"q\", \"O\"]").keymap
    #expect(other.keys(of: .sort).isEmpty && other.keys(of: .outside).isEmpty)
    let free = try self.keymap("sort = \"Z\"").keymap
    #expect(free.binding(of: key, on: .library)?.command == .outside)
  }

  @Test func `a key can be assigned to another command or to none`() throws {
    var keymap = Keymap()
    let key = try #require(Key("Z"))
    keymap[key] = .quit
    #expect(keymap[key] == .quit)
    #expect(keymap.keys(of: .quit).map(\.description) == ["q", "Z"])
    keymap[try #require(Key("q"))] = nil
    #expect(keymap.keys(of: .quit) == [key])
  }

  @Test(arguments: [0, 1, 9, 10, 81, 82, 500])
  func `no hint label is a prefix of another`(count: Int) {
    let links = (0..<count).map {
      (target: PageLayout.Target.link(Int32($0)), url: "https://a.test/\($0)")
    }
    let labels = Hints(links).hintLabels.map(\.text)
    #expect(labels.count == count)
    #expect(Set(labels).count == count)
    #expect(Set(labels.map(\.count)).count <= 1)
    #expect(labels.allSatisfy { (1...3).contains($0.count) })
  }

  @Test func `links with the same target share a label`() {
    let hints = Hints([(.link(0), "a"), (.link(1), "b"), (.link(2), "a")])
    #expect(hints.hintLabels.map(\.text) == ["a", "s", "a"])
  }
}
