package import Reader

/// What each key does.
package struct Keymap: Sendable, Equatable {
  /// The keys that it began with.
  package private(set) var preset = KeyPreset.default
  private var commands: [Key: Command] = [:]
  /// The keys of each command, the most usual first; a key that was given to another is not its own.
  private var usual: [Command: [Key]] = [:]

  /// The key map of a preset.
  package init(_ preset: KeyPreset = .default) {
    self.preset = preset
    for command in Command.allCases {
      give(command.definition.keys.compactMap { Key($0) }, to: command)
    }
    for change in preset.changes {
      give(change.keys.split(separator: " ").compactMap { Key(String($0)) }, to: change.command)
    }
  }

  /// The key map that settings describe.
  /// - Parameters:
  ///   - settings: the lines of `[keys]`.
  ///   - report: called with one line for each mistake, which changes nothing.
  package init(_ settings: [KeySetting], report: (String) -> Void) {
    var preset = KeyPreset.default
    var changes: [(command: Command, keys: [Key])] = []
    for setting in settings {
      func complain(_ words: String) { report(SafeText.line("\(setting.place): \(words)")) }
      guard let texts = setting.texts else {
        complain("\(setting.name) takes a key or a list of keys, not \(setting.shown)")
        continue
      }
      if KeySetting.spelling(setting.name) == "preset" {
        let names = KeyPreset.allCases.map(\.rawValue)
        if texts.count == 1, let found = KeyPreset(rawValue: texts[0]) {
          preset = found
        } else {
          complain("preset takes one of \(names.joined(separator: ", ")), not \(setting.shown)")
        }
        continue
      }
      guard let command = Command(name: setting.name) else {
        let closest = ClosestWord.to(setting.name, among: Command.names + ["preset"])
        let advice = closest.map { "; did you mean \($0)?" } ?? ""
        complain("there is no command \(setting.name)\(advice)")
        continue
      }
      let keys = texts.map { Key($0) }
      if let wrong = keys.firstIndex(of: nil) {
        complain("\(command.definition.name): there is no key \(TOMLText.quoted(texts[wrong]))")
        continue
      }
      changes.append((command, keys.compactMap(\.self)))
    }
    self.init(preset)
    for (command, keys) in changes { give(keys, to: command) }
    for name in [Command.quit, .command] where self.keys(of: name).isEmpty {
      // Nobody is to be locked in.
      let key = Key(name == .quit ? "q" : ":")
      if let key { give([key], to: name) }
      let first = settings.first { Command(name: $0.name) == name } ?? settings.first
      report(
        "\(first?.place ?? "keys"): \(name.definition.name) needs a key and keeps \(key?.description ?? "")"
      )
    }
  }

  /// Makes some keys the only ones of a command.
  private mutating func give(_ keys: [Key], to command: Command) {
    for key in usual[command] ?? [] where commands[key] == command { commands[key] = nil }
    usual[command] = keys
    for key in keys { commands[key] = command }
  }

  /// The command of a key; nil frees the key.
  package subscript(key: Key) -> Command? {
    get { commands[key] }
    set { commands[key] = newValue }
  }

  /// The keys of a command: the most usual first, then the others by name.
  package func keys(of command: Command) -> [Key] {
    let known = (usual[command] ?? []).filter { commands[$0] == command }
    let others = commands.filter { $0.value == command && !known.contains($0.key) }.map(\.key)
    return known + others.sorted { $0.description < $1.description }
  }

  /// The table as `[keys]` of the settings file has it, every command with its keys and help.
  package var text: String {
    var text = "[keys]\npreset = \(TOMLText.quoted(preset.rawValue))\n"
    for group in Command.Group.allCases {
      text += "\n# \(group.rawValue)\n"
      for command in Command.allCases where command.definition.group == group {
        let keys = TOMLText.list(keys(of: command).map(\.description))
        text += "\(TOMLText.key(command.definition.name)) = \(keys)  # \(command.definition.help)\n"
      }
    }
    return text
  }
}
