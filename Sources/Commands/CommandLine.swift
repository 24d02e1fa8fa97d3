import Configuration
import Reader
import Terminal

/// What is typed at the prompt for commands, read: `150`, `theme nord`, `open example.org`.
package struct CommandLine: Equatable {
  package var command: Command
  /// What follows the name, without white space around it; nil when nothing does.
  package var argument: String?

  package init(command: Command, argument: String?) {
    (self.command, self.argument) = (command, argument)
  }

  /// Reads a line whose first word is a name, or the beginning of one name only.
  package init?(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
    guard let word = words.first.map(String.init) else { return nil }
    if Int(word) != nil {
      (command, argument) = (.top, word)
      return
    }
    // As fingers know it from editors.
    let name = word == "q" ? Command.quit.definition.name : word
    let found = Command(name: name).map { [$0] } ?? Self.commands(beginningWith: name)
    guard found.count == 1 else { return nil }
    command = found[0]
    var rest = words.count > 1 ? words[1].drop { $0 == " " } : ""
    while rest.last == " " { rest.removeLast() }
    argument = rest.isEmpty ? nil : String(rest)
  }

  /// Reads what a key is bound to: a whole name, and what follows it.
  package init?(binding text: String) {
    let words = text.split(separator: " ", maxSplits: 1)
    guard let command = words.first.flatMap({ Command(name: String($0)) }) else { return nil }
    self.command = command
    argument = words.count > 1 ? String(words[1]) : nil
  }

  /// What is wrong with what follows the name, or nil.
  package var mistake: String? {
    let definition = command.definition
    guard let argument else { return nil }
    switch definition.argument {
    case nil: return "\(definition.name) takes nothing after its name"
    case .number where count == nil: return "\(definition.name) takes a number, not \(argument)"
    default: return nil
    }
  }

  /// The number that follows the name, for a command that takes one.
  package var count: Int? {
    guard command.definition.argument == .number, let number = argument.flatMap({ Int($0) }),
      (0...999_999).contains(number)
    else { return nil }
    return number
  }

  /// The commands whose names begin with some letters, their words joined in any way.
  package static func commands(beginningWith name: String) -> [Command] {
    let spelling = KeySetting.spelling(name)
    return Command.allCases.filter {
      KeySetting.spelling($0.definition.name).hasPrefix(spelling)
    }
  }
}
