import Pages

/// The target of a key binding: a command and an optional argument.
package struct KeyBindingTarget: Hashable, Sendable {
  /// The command that the keys trigger.
  package var command: Command
  /// The argument that is passed to the command; nil if there is none.
  package var argument: String?

  /// Returns whether both commands apply to a screen, so that a key can have only one of them.
  func sharesScreen(_ other: KeyBindingTarget) -> Bool {
    !command.definition.screens.isDisjoint(with: other.command.definition.screens)
  }

  /// The command and argument as typed at the command prompt.
  package var commandLine: String {
    [command.definition.name, argument].compactMap(\.self).joined(separator: " ")
  }
}
