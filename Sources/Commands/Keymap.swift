package import Configuration
import Document
import Pages
package import Terminal

/// The bindings of all keys. A key may have several bindings for different screens.
package struct Keymap: Sendable, Equatable {
  /// The preset on which the key map is based.
  package private(set) var preset = KeyPreset.default
  private var bindingsByKey: [Key: [KeyBindingTarget]] = [:]
  /// The keys of each binding, the most common first. Keys that were later reassigned to other
  /// commands may be included.
  private var keysByBinding: [KeyBindingTarget: [Key]] = [:]

  /// Creates the key map of a preset.
  package init(_ preset: KeyPreset = .default) {
    self.preset = preset
    for command in Command.allCases {
      bind(command.definition.keys.compactMap { Key($0) }, to: KeyBindingTarget(command: command))
    }
    for change in preset.keyChanges {
      let keys = change.keys.split(separator: " ").compactMap { Key(String($0)) }
      bind(keys, to: KeyBindingTarget(command: change.command))
    }
  }

  /// Creates a key map from settings.
  /// - Parameters:
  ///   - settings: The lines of `[keys]`. If two lines give a key to commands of the same screen,
  ///     the later line has it; if two lines are about the same command, the later one applies.
  ///   - report: Called with one message per invalid line or key, which is ignored.
  package init(_ settings: [KeySetting], report: (String) -> Void) {
    var preset: (value: KeyPreset, name: String)?
    var changes: [BindingChange] = []
    for setting in settings {
      func reportMistake(_ text: String) { report(SafeText.line("\(setting.location): \(text)")) }
      guard let texts = setting.texts else {
        reportMistake("\(setting.name) takes a key or a list of keys, not \(setting.valueText)")
        continue
      }
      if KeySetting.spelling(setting.name) == "preset" {
        if texts.count == 1, let found = KeyPreset(rawValue: texts[0]) {
          if let preset {
            reportMistake("\(setting.name) and \(preset.name) are the same setting")
          }
          preset = (found, setting.name)
        } else {
          let names = KeyPreset.allCases.map(\.rawValue).joined(separator: ", ")
          reportMistake("preset takes one of \(names), not \(setting.valueText)")
        }
        continue
      }
      guard let change = Self.bindingChange(setting, texts, reportMistake) else { continue }
      if let index = changes.firstIndex(where: { $0.binding == change.binding }) {
        let earlier = changes.remove(at: index).setting
        reportMistake("\(setting.name) replaces the keys of \(earlier.name), the same command")
      }
      changes.append(change)
    }
    self.init(preset?.value ?? .default)
    for change in changes { bind(change.keys, to: change.binding) }
    restoreKeysForQuitting(settings, report: report)
    for change in changes { reportLostKeys(of: change, report) }
  }

  /// A line of `[keys]`: the keys that a command gets.
  private struct BindingChange {
    var binding: KeyBindingTarget
    var keys: [Key]
    var setting: KeySetting
  }

  /// Returns the change that a line of `[keys]` makes; nil if the line is invalid, which is
  /// reported.
  private static func bindingChange(
    _ setting: KeySetting, _ texts: [String], _ reportMistake: (String) -> Void
  ) -> BindingChange? {
    guard let line = CommandLine(binding: setting.name) else {
      reportMistake(unknownCommandText(setting.name))
      return nil
    }
    if let mistake = line.argumentError {
      reportMistake(mistake)
      return nil
    }
    if let mistake = texts.lazy.compactMap(Self.mistake(inKey:)).first {
      reportMistake("\(line.command.definition.name): \(mistake)")
      return nil
    }
    return BindingChange(
      binding: KeyBindingTarget(command: line.command, argument: line.argument),
      keys: texts.compactMap { Key($0)?.received }, setting: setting)
  }

  /// Reports the keys of a line that another line has given to another command.
  private func reportLostKeys(of change: BindingChange, _ report: (String) -> Void) {
    for key in change.keys {
      guard let command = binding(of: key, insteadOf: change.binding)?.commandLine else {
        continue
      }
      let text = "\(key) is ignored because it is also a key of \(command)"
      report(SafeText.line("\(change.setting.location): \(change.binding.commandLine): \(text)"))
    }
  }

  /// Returns the binding that has a key instead of another one to which the key was assigned; nil
  /// if the other binding has the key.
  private func binding(of key: Key, insteadOf other: KeyBindingTarget) -> KeyBindingTarget? {
    let bindings = bindingsByKey[key] ?? []
    guard !bindings.contains(other) else { return nil }
    return bindings.first { $0.sharesScreen(other) } ?? bindings.first
  }

  private static func unknownCommandText(_ setting: String) -> String {
    let name = String(setting.prefix { $0 != " " })
    let closest = ClosestWord.to(name, among: Command.names + ["preset"])
    return "there is no command \(name)" + (closest.map { "; did you mean \($0)?" } ?? "")
  }

  /// Binds keys to the commands by which the user quits, if the settings leave them without a key.
  private mutating func restoreKeysForQuitting(_ settings: [KeySetting], report: (String) -> Void) {
    for name in [Command.quit, .command] where keys(of: name).isEmpty {
      let key = Key(name == .quit ? "q" : ":")
      if let key { bind([key], to: KeyBindingTarget(command: name)) }
      let first = settings.first { Command(name: $0.name) == name } ?? settings.first
      report(
        "\(first?.location ?? "keys"): \(name.definition.name) cannot be left without a key; it keeps \(key?.description ?? "")"
      )
    }
  }

  /// Returns the reason why no terminal sends the key with a name; nil if terminals send it.
  private static func mistake(inKey name: String) -> String? {
    let quotedName = TOMLText.quoted(name)
    guard let key = Key(name) else {
      let closest = ClosestWord.to(name, among: Key.names)
      return "there is no key \(quotedName)" + (closest.map { "; did you mean \($0)?" } ?? "")
    }
    guard let received = key.received else {
      return "terminals begin the codes of other keys as \(quotedName)"
    }
    // `S-a` is `A`, and `C-A` is `C-a`.
    let isOtherCase = received.isLetter && !key.modifiers.isSuperset(of: [.control, .shift])
    if received == key || isOtherCase { return nil }
    return "terminals do not distinguish \(quotedName) from \(TOMLText.quoted("\(received)"))"
  }

  /// Replaces the keys of a binding. Other commands that share a screen with it lose these keys.
  private mutating func bind(_ keys: [Key], to binding: KeyBindingTarget) {
    for key in keysByBinding[binding] ?? [] { bindingsByKey[key]?.removeAll { $0 == binding } }
    keysByBinding[binding] = keys
    for key in keys { bind(key, to: binding) }
  }

  private mutating func bind(_ key: Key, to binding: KeyBindingTarget) {
    bindingsByKey[key, default: []].removeAll { $0.sharesScreen(binding) }
    bindingsByKey[key, default: []].append(binding)
    // Sorted, so that key maps with the same bindings are equal, whatever the order of assignment.
    if bindingsByKey[key]?.count ?? 0 > 1 {
      bindingsByKey[key]?.sort { $0.command.rawValue < $1.command.rawValue }
    }
  }

  /// Returns the binding of a key on a screen; nil if the key has no binding. If the key has no
  /// effect on the screen, returns a binding for another screen.
  package func binding(of key: Key, on screen: Screens) -> KeyBindingTarget? {
    let all = bindingsByKey[key] ?? []
    return all.first { $0.command.definition.screens.contains(screen) } ?? all.last
  }

  /// Returns the key whose binding applies: for a letter of another script without a binding, the
  /// same key on a US keyboard.
  package func commandKey(for key: Key) -> Key {
    bindingsByKey[key]?.isEmpty == false ? key : key.onUSKeyboard ?? key
  }

  /// The command bound to a key on the page or, if there is none, on another screen. Setting nil
  /// removes all bindings of the key.
  package subscript(key: Key) -> Command? {
    get { binding(of: key, on: .page)?.command }
    set {
      guard let newValue else { return bindingsByKey[key] = [] }
      bind(key, to: KeyBindingTarget(command: newValue))
    }
  }

  /// Returns the keys of a command: the most common first, then the others by name.
  package func keys(of command: Command) -> [Key] { keys(of: KeyBindingTarget(command: command)) }

  private func keys(of binding: KeyBindingTarget) -> [Key] {
    let knownKeys = assignedKeys(of: binding)
    let otherBindings = bindingsByKey.filter {
      $0.value.contains(binding) && !knownKeys.contains($0.key)
    }
    return knownKeys + otherBindings.map(\.key).sorted { $0.description < $1.description }
  }

  /// Returns the keys that were assigned to a binding together and that it has not lost since.
  private func assignedKeys(of binding: KeyBindingTarget) -> [Key] {
    (keysByBinding[binding] ?? []).filter { bindingsByKey[$0]?.contains(binding) == true }
  }

  /// Returns the name of the first key bound to a command, or `:name` for a command without keys.
  package func keyName(of command: Command) -> String {
    // The banner names keys whenever the height of the page is determined.
    let key = assignedKeys(of: KeyBindingTarget(command: command)).first ?? keys(of: command).first
    return key?.description ?? ":" + command.definition.name
  }

  /// The names of the keys of this key map, by the default keys of the same commands on pages. A
  /// default key that still has its command is its own name.
  package var namesByDefaultKey: [String: String] {
    var names: [String: String] = [:]
    for command in Command.allCases where command.definition.screens.contains(.page) {
      for name in command.definition.keys {
        names[name] = Key(name).map { self[$0] == command } == true ? name : keyName(of: command)
      }
    }
    return names
  }

  /// The bindings with arguments, from the settings, and their keys.
  package var bindingsWithArguments: [(binding: KeyBindingTarget, keys: [Key])] {
    keysByBinding.keys.filter { $0.argument != nil }.sorted { $0.commandLine < $1.commandLine }
      .map { ($0, keys(of: $0)) }.filter { !$0.keys.isEmpty }
  }

  /// The key map as `[keys]` of the settings file, with the keys and help of all commands.
  package var settingsText: String {
    var text = "[keys]\npreset = \(TOMLText.quoted(preset.rawValue))\n"
    for group in Command.HelpGroup.allCases {
      text += "\n# \(group.rawValue)\n"
      for command in Command.allCases where command.definition.group == group {
        let keys = TOMLText.list(keys(of: command).map(\.description))
        text += "\(TOMLText.key(command.definition.name)) = \(keys)  # \(command.definition.help)\n"
      }
    }
    guard !bindingsWithArguments.isEmpty else { return text }
    text += "\n# Commands with arguments\n"
    for (binding, keys) in bindingsWithArguments {
      text += "\(TOMLText.key(binding.commandLine)) = \(TOMLText.list(keys.map(\.description)))\n"
    }
    return text
  }
}
