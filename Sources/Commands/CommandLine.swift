import Configuration
import Pages
import Terminal

/// A parsed line of the command prompt: `150`, `theme nord`, `open example.org`.
package struct CommandLine: Equatable {
  package var command: Command
  /// The text after the name, without surrounding white space; nil if there is no such text.
  package var argument: String?

  package init(command: Command, argument: String?) {
    (self.command, self.argument) = (command, argument)
  }

  /// Parses a line whose first word is the name of a command or an unambiguous prefix of one; nil
  /// if there is no such command. A number stands for the command `top` with this number as its
  /// argument, a number and `%` for `percent`, `$` for `bottom`, and `q` for `quit`.
  package init?(_ line: String) {
    let tokens = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard let word = tokens.first.map(String.init) else { return nil }
    if Int(word) != nil {
      (command, argument) = (.top, word)
      return
    }
    if word.last == "%", Int(word.dropLast()) != nil {
      (command, argument) = (.percent, String(word.dropLast()))
      return
    }
    // Abbreviations familiar from editors.
    let abbreviated: Command? = word == "q" ? .quit : word == "$" ? .bottom : nil
    let name = abbreviated?.definition.name ?? word
    let found = Command(name: name).map { [$0] } ?? Self.commands(beginningWith: name)
    guard found.count == 1 else { return nil }
    command = found[0]
    var rest = tokens.count > 1 ? tokens[1].drop { $0 == " " } : ""
    while rest.last == " " { rest.removeLast() }
    argument = rest.isEmpty ? nil : String(rest)
  }

  /// Parses the target of a key binding: a complete name and an optional argument; nil if there is
  /// no such command.
  package init?(binding text: String) {
    let tokens = text.split(separator: " ", maxSplits: 1)
    guard let command = tokens.first.flatMap({ Command(name: String($0)) }) else { return nil }
    self.command = command
    argument = tokens.count > 1 ? String(tokens[1]) : nil
  }

  /// A message about an error in the argument; nil if there is none.
  package var argumentError: String? {
    let definition = command.definition
    guard let argument else { return nil }
    switch definition.argument {
    case nil: return "\(definition.name) takes no argument"
    case .number where numericArgument == nil:
      return "\(definition.name) takes a number, not \(argument)"
    default: return nil
    }
  }

  /// The numeric argument of a command that takes one; nil if it is missing or not a number from 0
  /// to 999,999.
  package var numericArgument: Int? {
    guard command.definition.argument == .number, let number = argument.flatMap({ Int($0) }),
      (0...999_999).contains(number)
    else { return nil }
    return number
  }

  /// Returns the commands whose names begin with a prefix; case and word separators are ignored.
  package static func commands(beginningWith name: String) -> [Command] {
    let spelling = KeySetting.spelling(name)
    return Command.allCases.filter {
      KeySetting.spelling($0.definition.name).hasPrefix(spelling)
    }
  }
}
