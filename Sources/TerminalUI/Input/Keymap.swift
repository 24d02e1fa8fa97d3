/// What each key does.
package struct Keymap: Sendable, Equatable {
  private var commands: [Key: Command] = [:]

  /// The key map of the preset `default`.
  package init() {
    for command in Command.allCases {
      for name in command.definition.keys {
        if let key = Key(name) { commands[key] = command }
      }
    }
  }

  /// The command of a key; nil frees the key.
  package subscript(key: Key) -> Command? {
    get { commands[key] }
    set { commands[key] = newValue }
  }

  /// The keys of a command: those of the table first, then the others by name.
  package func keys(of command: Command) -> [Key] {
    let usual = command.definition.keys.compactMap { Key($0) }.filter { commands[$0] == command }
    let others = commands.filter { $0.value == command && !usual.contains($0.key) }.map(\.key)
    return usual + others.sorted { $0.description < $1.description }
  }
}
